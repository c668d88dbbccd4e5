/** The request is not valid; the message contains the reason. Exit code 2. */
export class BadUse extends Error {}
