import { join } from "node:path"
import { poolSettings } from "../engine/browser/host.ts"
import { IdentityFile, identityPlace } from "../engine/browser/identity-file.ts"
import { browserInThread, chromeIsThere } from "../engine/browser/in-thread.ts"
import { EgressGuard } from "../engine/egress/guard.ts"
import type { Environment } from "../engine/environment/environment.ts"
import { liveEnvironment } from "../engine/environment/live.ts"
import { overridesName } from "../engine/upstreams/overrides-file.ts"
import { readSettings } from "./settings.ts"

/** The live world of one run on the command line, with the operator's settings. */
export function openLiveWorld(): { environment: Environment; close(): Promise<void> } {
  const read = readSettings()
  const config = { ...read, upstreams: { path: join(read.dataDir, overridesName) } }
  const guard = EgressGuard.of(config)
  const identity = identityPlace(config)
  const settings = {
    ...poolSettings(config),
    resolve: (host: string, port: number) => guard.resolve(host, port),
    checkProxied: (host: string, port: number) => guard.checkProxied(host, port),
    ...(identity ? { identity: new IdentityFile(identity) } : {}),
    onNote: (message: string) => console.error(message),
  }
  if (!chromeIsThere(settings)) {
    return { environment: liveEnvironment(config), close: async () => {} }
  }
  const { browser, stop } = browserInThread(settings)
  const world = { ...config, ...(identity ? { identity } : {}) }
  return { environment: liveEnvironment(world, { browser }), close: stop }
}
