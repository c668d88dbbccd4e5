/** The thread that owns Chrome: every lease of every run goes through here. */
import { EgressGuard } from "../egress/guard.ts"
import { BrowserPool, type PoolSettings } from "./pool.ts"
import type { BrowserRequest } from "./protocol.ts"
import { BrowserService, type Port } from "./service.ts"

export type BrowserThreadMessage =
  | { type: "start"; settings: Omit<PoolSettings, "resolve">; egressAllow: string[] }
  /** A worker, by the end of its channel, and what it asked for first. */
  | { type: "connect"; client: number; port: MessagePort; first: BrowserRequest }
  | { type: "disconnect"; client: number }
  | { type: "stop" }

declare const self: Worker

let pool: BrowserPool | undefined
const clients = new Map<number, BrowserService>()

self.onmessage = async ({ data }: MessageEvent<BrowserThreadMessage>) => {
  switch (data.type) {
    case "start": {
      const guard = new EgressGuard(data.egressAllow)
      pool = new BrowserPool({
        ...data.settings,
        resolve: (host, port) => guard.resolve(host, port),
      })
      return
    }
    case "connect": {
      const service = new BrowserService(pool!, data.port as unknown as Port)
      clients.set(data.client, service)
      await service.answer(data.first)
      return
    }
    case "disconnect":
      await clients.get(data.client)?.drop()
      clients.delete(data.client)
      return
    case "stop":
      await pool?.stop()
      self.postMessage("stopped")
      process.exit(0)
  }
}
