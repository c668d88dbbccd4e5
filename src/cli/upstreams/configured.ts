import { join } from "node:path"
import type { Config } from "../../config/config.ts"
import { overridesName } from "../../engine/fetch/site-constants/overrides-file.ts"
import { Upstreams } from "../../engine/fetch/site-constants/site-constants.ts"

/** The tables as a service with these settings has them. */
export function configuredUpstreams({ env, dataDir }: Config): Upstreams {
  return new Upstreams({ env, path: join(dataDir, overridesName), now: Date.now })
}
