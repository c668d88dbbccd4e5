import { join } from "node:path"
import { BrowserHost, supplyOf } from "../../engine/browser/host.ts"
import { identityPlace } from "../../engine/browser/identity-file.ts"
import { linkByHost } from "../../engine/browser/link.ts"
import { RemoteBrowser } from "../../engine/browser/remote-browser.ts"
import { canHaveChrome } from "../../engine/browser/supply/supply.ts"
import type { Environment } from "../../engine/environment/environment.ts"
import { liveEnvironment } from "../../engine/environment/live.ts"
import { overridesName } from "../../engine/upstreams/overrides-file.ts"
import { readSettings } from "../settings.ts"

/** The live world of one run on the command line, with the operator's settings. */
export function openLiveWorld(): { environment: Environment; close(): Promise<void> } {
  const read = readSettings()
  const config = { ...read, upstreams: { path: join(read.dataDir, overridesName) } }
  const identity = identityPlace(config)
  if (!identity && !canHaveChrome(supplyOf(config)))
    return { environment: liveEnvironment(config), close: async () => {} }
  const host = new BrowserHost(config, (message) => console.error(message), identity)
  const { port1, port2 } = new MessageChannel()
  const drop = host.serve(port1)
  const browser = new RemoteBrowser(linkByHost(port2), true)
  return {
    environment: liveEnvironment({ ...config, ...(identity && { identity }) }, { browser }),
    async close() {
      drop()
      await host.stop()
      port1.close()
      port2.close()
    },
  }
}
