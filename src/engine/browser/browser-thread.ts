/** The thread that owns Chrome: every lease of every run goes through here. */
import { EgressGuard } from "../egress/guard.ts"
import { BrowserPool, type PoolSettings } from "./pool.ts"
import { BrowserService, type Port } from "./service.ts"

export type BrowserThreadMessage =
  | {
      type: "start"
      settings: Omit<PoolSettings, "resolve">
      egressAllow: string[]
      proxyResolves: boolean
    }
  /** A worker, by the end of its channel. */
  | { type: "connect"; client: number; port: MessagePort }
  | { type: "disconnect"; client: number }
  | { type: "stop" }

export type BrowserThreadReport =
  /** Whoever outlives this thread ends its Chromes. */
  | { type: "launched"; pid: number; folder: string }
  | { type: "note"; message: string }
  | { type: "stopped" }

declare const self: Worker

let pool: BrowserPool | undefined
const report = (message: BrowserThreadReport) => self.postMessage(message)
const clients = new Map<number, BrowserService>()

self.onmessage = async ({ data }: MessageEvent<BrowserThreadMessage>) => {
  switch (data.type) {
    case "start": {
      const guard = EgressGuard.of(data)
      pool = new BrowserPool({
        ...data.settings,
        resolve: (host, port) => guard.resolve(host, port),
        checkProxied: (host, port) => guard.checkProxied(host, port),
        onLaunch: (chrome) => report({ type: "launched", ...chrome }),
        onNote: (message) => report({ type: "note", message }),
      })
      return
    }
    case "connect": {
      const service = new BrowserService(pool!, data.port as unknown as Port)
      clients.set(data.client, service)
      return
    }
    case "disconnect":
      await clients.get(data.client)?.drop()
      clients.delete(data.client)
      return
    case "stop":
      await pool?.stop()
      report({ type: "stopped" })
      process.exit(0)
  }
}
