import type { RunRow } from "../../store/tables/schema.ts"
import type { KeylessAnswer } from "../keyless/answer.ts"
import type { Asked, KeylessSurface } from "../keyless/surface.ts"
import type { Call } from "../service.ts"
import { isCut, type ToolAnswer } from "./result.ts"
import { followRun } from "./run-progress.ts"
import type { Progress, ToolRunner } from "./server.ts"

/** A client that asked for progress is still there after this long. */
const patientWaitMs = 300_000

/** Runs tools as calls of the keyless surface: allowance or account, results, claims. */
export function keylessRunner(surface: KeylessSurface, call: Call): ToolRunner {
  const { service } = surface
  return async (scraper, input, { signal, onProgress }) => {
    const inputText = JSON.stringify(input)
    const asked: Asked = { tool: scraper.slug, inputText, agentId: null, token: null }
    let run: RunRow | undefined
    let unsubscribe: (() => void) | undefined
    const cancel = () => void (run && service.runs.abort(run.id))
    signal.addEventListener("abort", cancel, { once: true })
    try {
      const { answer } = await surface.answer(call, asked, async (caller) => {
        const given = await surface.calls.scrape(call, caller, {
          scraper,
          input,
          tool: scraper.slug,
          inputText,
          surface: "mcp",
          ...(onProgress ? { waitMs: patientWaitMs } : {}),
          onRun(started) {
            run = started
            if (signal.aborted) cancel()
            if (onProgress) unsubscribe = follow(service, started, onProgress)
          },
        })
        if (given.resultUrl || !run || !isCut(given.items)) return given
        const token = await surface.calls.keep({ tool: scraper.slug, inputText, caller }, run.id)
        return { ...given, resultUrl: `${service.root(call)}/api/results/${token}` }
      })
      return toolAnswer(answer)
    } finally {
      unsubscribe?.()
      signal.removeEventListener("abort", cancel)
    }
  }
}

function follow(
  { runs, store }: KeylessSurface["service"],
  { id, slug }: RunRow,
  onProgress: (progress: Progress) => void,
): () => void {
  return followRun(store.db, runs, id, (run) => {
    const { targets_done: done, targets_total: total, item_count: items } = run
    onProgress({ done, total, message: `${slug}: ${done} of ${total} targets, ${items} items` })
  })
}

function toolAnswer(answer: KeylessAnswer): ToolAnswer {
  const { status, items, error, notice, resultUrl, claimUrl, claimStatusUrl } = answer
  return {
    status,
    items,
    ...(error === undefined ? {} : { error }),
    ...(notice ? { notice } : {}),
    ...(resultUrl ? { resultUrl } : {}),
    ...(claimUrl ? { claimUrl, claimStatusUrl } : {}),
    ...(answer.agentGuidance ? { agentGuidance: answer.agentGuidance } : {}),
    agentId: answer.agentId,
    free: answer.free,
  }
}
