/** Thrown if the data folder cannot be used; the message contains the reason and the fix. */
export class DataRefused extends Error {}
