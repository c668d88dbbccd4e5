import { serve } from "../../../../src/base/rpc.ts"
import { directLink } from "../../../../src/engine/net/browser/lease/link.ts"
import type { BrowserPort } from "../../../../src/engine/net/browser/lease/protocol.ts"
import { BrowserPool } from "../../../../src/engine/net/browser/pool/pool.ts"
import type { PoolSettings } from "../../../../src/engine/net/browser/pool/settings.ts"
import { RemoteBrowser } from "../../../../src/engine/net/browser/remote-browser.ts"
import { BrowserService } from "../../../../src/engine/net/browser/service.ts"
import { canHaveChrome } from "../../../../src/engine/net/browser/supply/supply.ts"

/** A pool in this thread, for tests. `stop` ends Chrome. */
export function browserInThread(settings: PoolSettings): {
  browser: RemoteBrowser
  pool: BrowserPool
  stop(): Promise<void>
} {
  const { port1, port2 } = new MessageChannel()
  const pool = new BrowserPool(settings)
  const service = new BrowserService(pool)
  serve<BrowserPort>(port1, service)
  const browser = new RemoteBrowser(directLink(port2), canHaveChrome(settings))
  const stop = async () => {
    await service.drop()
    await pool.stop()
    port1.close()
    port2.close()
  }
  return { browser, pool, stop }
}
