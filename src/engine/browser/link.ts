import type { BrowserReply } from "./protocol.ts"
import type { Port } from "./service.ts"

/** What the main thread tells a worker: its channel to the browser thread, or that it has none any more. */
export type LinkMessage = { port: MessagePort } | "lost"

/** What comes over a channel to the browser thread. */
interface LinkEnd {
  receive(reply: BrowserReply): void
  /** The channel leads nowhere any more; another one is to be had. */
  lost(): void
}

/** Opens a channel to the browser thread. */
export type Link = (end: LinkEnd) => Promise<Port>

/** A channel that is there already, to a pool in this thread. */
export function directLink(port: Port): Link {
  return async (end) => {
    port.onmessage = (event) => end.receive(event.data as BrowserReply)
    return port
  }
}

/** Channels that the main thread opens, one after the other as browser threads are lost. */
export function linkByHost(host: Port): Link {
  return (end) =>
    new Promise((resolve) => {
      host.onmessage = ({ data }: MessageEvent<LinkMessage>) => {
        if (data === "lost") return end.lost()
        const port = data.port as unknown as Port
        port.onmessage = (event) => end.receive(event.data as BrowserReply)
        resolve(port)
      }
      host.postMessage("connect")
    })
}
