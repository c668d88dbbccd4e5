/**
 * Rejects a whole message. The SDK's own error repeats its code in the text, and clients add it
 * again.
 */
export class RpcError extends Error {
  constructor(
    readonly code: number,
    message: string,
    readonly data?: unknown,
  ) {
    super(message)
  }
}
