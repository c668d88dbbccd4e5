import type { Item, Outcome } from "./keyless.ts"
import { post, requestJson } from "./request.ts"
import { isFinished, type Run, runsPath } from "./runs.ts"
import type { CodeSample } from "./snippets.ts"

type Tool = NonNullable<CodeSample["tool"]>

/** Maximum seconds that one call waits for the run. */
const waitSeconds = 20
const maxItems = 1000

/** Returns the call with which a program runs the same scraper with a key. */
export const accountCall = ({ name, input }: Tool): CodeSample => ({
  path: `${runsPath(name)}?waitForFinish=60`,
  needsKey: true,
  body: input,
})

/**
 * Runs a scraper as a run of the account, which is stored, and waits for its end. @throws
 * RequestError, AbortError
 */
export async function runOfAccount({ name, input }: Tool, signal: AbortSignal): Promise<Outcome> {
  const started = performance.now()
  let run = await post<Run>(`${runsPath(name)}?waitForFinish=${waitSeconds}`, input, signal)
  while (!isFinished(run)) {
    run = await requestJson<Run>(`/api/v1/runs/${run.id}?waitForFinish=${waitSeconds}`, signal)
  }
  const path = `/api/v1/datasets/${run.datasetId}/items?limit=${maxItems}`
  const { items } = await requestJson<{ items: Item[] }>(path, signal)
  const status = run.status === "succeeded" ? "SUCCEEDED" : "ERROR"
  const error = run.error ? { error: { message: run.error.message } } : {}
  return {
    response: { status, tool: name, items, ...error },
    seconds: (performance.now() - started) / 1000,
    runId: run.id,
  }
}
