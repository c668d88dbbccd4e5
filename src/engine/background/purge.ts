import { inParts } from "../../base/every.ts"
import type { Config } from "../../config.ts"
import type { Store } from "../../store/store.ts"

/** Deletes in batches what its owner deleted, what has expired, and what is past its retention. */
export async function purge(
  store: Store,
  { retentionDays, logRetentionDays }: Pick<Config, "retentionDays" | "logRetentionDays">,
  stopped: AbortSignal,
  now = new Date(),
): Promise<void> {
  const keep = { now: now.toISOString(), runDays: retentionDays, logDays: logRetentionDays }
  await inParts(() => store.write("store.purge", keep), stopped)
}
