import {
  type AnyScraper,
  BadInput,
  type StoredInput,
  storedInput,
} from "../../../catalogue/kit/index.ts"
import { persist } from "../../../store/db/disk/persist.ts"
import type { Store } from "../../../store/store.ts"
import type { RunRow } from "../../../store/tables/schema.ts"
import { targetRows } from "../run/checkpoints.ts"

/** A run with everything that its scraper needs to start. */
export interface PreparedRun extends StoredInput {
  run: RunRow
  scraper: AnyScraper
}

/**
 * Prepares a run for its first target: completes and validates the stored input with this version's
 * schema, and creates the targets of a run that was queued without them.
 * @throws ScrapeError if the scraper does not accept the input
 */
export async function prepareRun(
  run: RunRow,
  scraper: AnyScraper | undefined,
  store: Store,
): Promise<PreparedRun> {
  if (!scraper)
    throw new BadInput(
      `The scraper "${run.slug}" no longer exists. Start a run of another scraper.`,
    )
  const stored = storedInput(scraper, JSON.parse(run.input), run.recipe ?? run.slug)
  if (run.targets_known === 1) return { run, scraper, ...stored }
  const attempt = { runN: run.n, attempt: run.attempt }
  const targets = targetRows(scraper.targets(stored.input))
  const retained = await persist(() => store.write("targets.keep", { ...attempt, targets }))
  return { run: retained, scraper, ...stored }
}
