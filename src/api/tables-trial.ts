import { tableReaders, upstreamTables } from "../catalogue/site-constants.ts"
import type { Config } from "../config/config.ts"
import { publisherKey } from "../engine/fetch/site-constants/publisher-key.ts"
import { TablesTrial } from "../engine/fetch/site-constants/trial.ts"
import { applyPublished, publishedAt } from "../engine/fetch/site-constants/update.ts"
import type { Transport } from "../engine/net/http/exchange.ts"
import type { Logger } from "./log/log.ts"

/** Returns the trial of published site constants, with their daily fetch if it is set. */
export function tablesTrial(
  config: Pick<Config, "dataDir" | "upstreamsUrl" | "upstreamsKey" | "upstreamsDaily">,
  transport: Transport,
  log: Pick<Logger, "info" | "warn">,
): TablesTrial {
  const { dataDir, upstreamsUrl, upstreamsDaily } = config
  const publicKey = config.upstreamsKey ?? publisherKey
  const update = async (url: string) => {
    const text = await publishedAt(url, transport, AbortSignal.timeout(120_000))
    return applyPublished(text, { dataDir, publicKey, tables: upstreamTables, now: Date.now() })
  }
  return new TablesTrial({
    dataDir,
    usersOf: (site) => tableReaders[site] ?? [],
    ...(upstreamsDaily && upstreamsUrl && { update: () => update(upstreamsUrl) }),
    log: (level, message) => log[level](message),
    now: Date.now,
  })
}
