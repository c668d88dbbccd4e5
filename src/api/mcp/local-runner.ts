import type { RunService } from "../../engine/workers/runs.ts"
import { itemBodies } from "../../store/runs/items.ts"
import { isOver } from "../../store/runs/runs.ts"
import type { Store } from "../../store/store.ts"
import type { RunRow } from "../../store/tables/schema.ts"
import { followRun } from "./run-progress.ts"
import type { ToolRunner } from "./server.ts"

const waitMs = 600_000
const mostItems = 1000

/** Runs tools on this machine's own engine, for whoever started it: no allowance, no credits. */
export function localRunner(store: Store, runs: RunService): ToolRunner {
  return async (scraper, input, { signal, onProgress }) => {
    const run = await runs.start({ scraper, input, accountId: null, origin: "mcp" })
    const cancel = () => void runs.abort(run.id)
    signal.addEventListener("abort", cancel, { once: true })
    if (signal.aborted) cancel()
    const unsubscribe = followRun(store.db, runs, run.id, (now) => {
      const { targets_done: done, targets_total: total, item_count: items } = now
      onProgress?.({ done, total, message: `${done} of ${total} targets, ${items} items` })
    })
    try {
      return await answerOf(store, (await runs.wait(run.id, waitMs)) ?? run)
    } finally {
      unsubscribe()
      signal.removeEventListener("abort", cancel)
    }
  }
}

async function answerOf(store: Store, run: RunRow) {
  const items: Record<string, unknown>[] = []
  for await (const body of itemBodies(store.db, run.n, { limit: mostItems })) {
    items.push(JSON.parse(body))
  }
  if (run.status === "succeeded") return { status: "SUCCEEDED", items }
  const message = isOver(run.status)
    ? (run.error_message ?? `The scrape ended ${run.status.replace("_", " ")}.`)
    : `The scrape takes longer than ${waitMs / 60_000} minutes; ask for less at once.`
  return {
    status: "ERROR",
    items,
    error: { message, details: { code: run.error_code ?? run.status } },
  }
}
