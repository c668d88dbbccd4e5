import { type Connection, connect, type Port } from "../../../../base/rpc.ts"
import { chromeGone } from "./lease-end.ts"
import type { BrowserPort } from "./protocol.ts"

/** Chrome in the main thread, for each worker whose runs may need it. */
export interface ChromeHost {
  /** Passes a port of the browser thread; resolves when that thread is lost. */
  link(send: (port: MessagePort) => void): Promise<void>
}

/** Opens a channel to the browser thread; when that is lost, opens another on demand. */
export type Link = (onLost: () => void) => Promise<Connection<BrowserPort>>

/** A channel to a pool in this thread. */
export function directLink(port: Port): Link {
  return async () => connect<BrowserPort>(port)
}

/** Channels opened by the main thread, again after a browser thread was lost. */
export function linkByHost(port: Port): Link {
  const host = connect<ChromeHost>(port).calls
  return (onLost) =>
    new Promise((resolve, reject) => {
      let connection: Connection<BrowserPort> | undefined
      const lost = host.link((provided) => {
        connection = connect<BrowserPort>(provided)
        resolve(connection)
      })
      const lose = () => {
        onLost()
        connection?.fail(chromeGone())
        reject(chromeGone())
      }
      lost.then(lose, lose)
    })
}
