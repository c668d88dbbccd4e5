/** Refuses a whole message. The SDK's own error has its code in its text as well, and clients add it again. */
export class RpcError extends Error {
  constructor(
    readonly code: number,
    message: string,
    readonly data?: unknown,
  ) {
    super(message)
  }
}
