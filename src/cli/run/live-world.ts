import { join } from "node:path"
import { liveEnvironment } from "../../app/live-environment.ts"
import type { Environment } from "../../engine/fetch/environment.ts"
import { overridesName } from "../../engine/fetch/site-constants/overrides-file.ts"
import { identityLocation } from "../../engine/net/browser/chrome/identity-file.ts"
import { BrowserHost, supplyOf } from "../../engine/net/browser/host.ts"
import { linkByHost } from "../../engine/net/browser/lease/link.ts"
import { RemoteBrowser } from "../../engine/net/browser/remote-browser.ts"
import { canHaveChrome } from "../../engine/net/browser/supply/supply.ts"
import { readSettings } from "../common/settings.ts"

/** The live environment of a run on the command line, with the operator's settings. */
export function openLiveWorld(): { environment: Environment; close(): Promise<void> } {
  const read = readSettings()
  const config = { ...read, upstreams: { path: join(read.dataDir, overridesName) } }
  const identity = identityLocation(config)
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
