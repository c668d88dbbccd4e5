import type { Port } from "../../../../base/rpc.ts"
import { decode, encode } from "./codec.ts"

/** A base/rpc.ts port over a WebSocket. */
export class SocketPort implements Port {
  onmessage: Port["onmessage"] = null

  constructor(private readonly send: (bytes: Uint8Array<ArrayBuffer>) => void) {}

  postMessage(message: unknown): void {
    this.send(encode(message))
  }

  /** @throws if it is not a valid message, or `check` throws */
  receive(bytes: Uint8Array, check: (message: unknown) => void = () => {}): void {
    const data = decode(bytes)
    check(data)
    this.onmessage?.(new MessageEvent("message", { data }))
  }
}
