/** The data folder cannot be used as it is; the message says why, and the way out. */
export class DataRefused extends Error {}
