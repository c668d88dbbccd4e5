import { accountRuns, countRuns, type RunFilter } from "../../../store/runs/run-lists.ts"
import { isOver } from "../../../store/runs/runs.ts"
import type { RunRow } from "../../../store/tables/schema.ts"
import { ApiError } from "../../http/errors.ts"
import { queryOf } from "../../http/query.ts"
import type { Call } from "../../service.ts"
import type {
  AccessParts,
  ClientParts,
  CoreParts,
  ResultParts,
  RunParts,
  ScraperParts,
} from "../../service-parts.ts"
import { requireCreditToResume, unlessRefused, waited } from "../../v1/start-runs.ts"
import { accountOf, ownRunOf, runnerOf, startRun } from "../common/account-run.ts"
import { notOffered, type Work } from "../common/refusal.ts"
import { itemsResponse } from "./items.ts"
import { actorOf, inputOf, numberIn, pageIn, startOptions } from "./request.ts"
import { apifyList, apifyRun, statusOf, theirStatus } from "./responses.ts"
import { webhooksOfStart } from "./webhooks.ts"

/** Maximum seconds that a call waits. Reverse proxies time out after more. */
const maxWait = 60
const maxSync = 300

async function started(
  service: CoreParts & ClientParts & AccessParts & ScraperParts & RunParts,
  call: Call,
  actor: string,
): Promise<RunRow> {
  const { slug } = actorOf(service, actor)
  const options = startOptions(call)
  // The caller is authenticated before the body is read.
  await runnerOf(service, call)
  const before = webhooksOfStart(service, call)
  return startRun(service, call, slug, await inputOf(call), {
    ...options,
    ...(before && { before }),
  })
}

const secondsOf = (call: Call) => numberIn(queryOf(call.request), "waitForFinish", maxWait) ?? 0

export function start(
  service: CoreParts & ClientParts & AccessParts & ScraperParts & RunParts,
): Work {
  return async (call, { actor }) => {
    const run = await started(service, call, actor!)
    const current = await waited(service, call, run, secondsOf(call))
    return Response.json({ data: apifyRun(current, service.root(call)) }, { status: 201 })
  }
}

/** Returns the items of a run after it has finished. A longer run continues after this call. */
export function runSync(
  service: CoreParts & ClientParts & AccessParts & ScraperParts & RunParts & ResultParts,
): Work {
  return async (call, { actor }) => {
    const run = await started(service, call, actor!)
    const current = await waited(service, call, run, maxSync)
    if (!isOver(current.status)) {
      throw new ApiError(
        408,
        `The run ${run.id} did not finish within ${maxSync} s. It continues; read its items from the dataset ${run.dataset_id}.`,
      )
    }
    if (current.status !== "succeeded") throw runFailed(current)
    const response = await itemsResponse(service, call, current)
    return new Response(response.body, { status: 201, headers: response.headers })
  }
}

/** Clients decide by the type of the error whether to retry. */
function runFailed({ id, status, error_message, item_count, dataset_id }: RunRow): ApiError {
  const why = error_message === null ? "" : ` ${error_message}`
  const items = item_count > 0 ? ` Its ${item_count} items are in the dataset ${dataset_id}.` : ""
  const message = `The run did not succeed (run ID: ${id}, status: ${theirStatus(status)}).`
  return new ApiError(400, `${message}${why}${items}`, { type: "run-failed" })
}

export function listRuns(service: CoreParts & ClientParts & AccessParts & ScraperParts): Work {
  return async (call, { actor }) => {
    const { accountId } = await accountOf(service, call)
    const query = queryOf(call.request)
    const filter: RunFilter = {
      ...(actor !== undefined && { slug: actorOf(service, actor).slug }),
      ...statusFilter(query),
    }
    const page = pageIn(query)
    const { db } = service.store
    const total = await countRuns(db, accountId, filter)
    // Trawl lists the newest first, Apify the oldest: a page is counted from the other end.
    const { limit, offset, desc } = page
    const end = Math.max(0, total - offset)
    const part = desc
      ? { limit, offset }
      : { limit: Math.min(limit, end), offset: Math.max(0, end - limit) }
    const rows = await Array.fromAsync(accountRuns(db, accountId, filter, part))
    const root = service.root(call)
    const items = (desc ? rows : rows.toReversed()).map((row) => apifyRun(row, root))
    return apifyList(items, total, page)
  }
}

function statusFilter(query: URLSearchParams): Pick<RunFilter, "status"> {
  const written = query.get("status")
  if (!written) return {}
  const status = statusOf(written)
  if (!status)
    throw new ApiError(
      400,
      `The status "${written.slice(0, 40)}" is not a run status. Use one such as READY, RUNNING or SUCCEEDED.`,
    )
  return { status }
}

/** The run of an ID, or the last run of an actor. @throws ApiError 404 */
export async function namedRun(
  service: CoreParts & ClientParts & AccessParts & ScraperParts,
  call: Call,
  { run, actor }: Record<string, string>,
): Promise<RunRow> {
  if (actor === undefined) return ownRunOf(service, call, run!)
  const { accountId } = await accountOf(service, call)
  const filter = { slug: actorOf(service, actor).slug, ...statusFilter(queryOf(call.request)) }
  const [last] = await Array.fromAsync(
    accountRuns(service.store.db, accountId, filter, { limit: 1, offset: 0 }),
  )
  if (!last)
    throw new ApiError(404, `There is no run of the actor "${filter.slug}". Start one first.`)
  return ownRunOf(service, call, last.id)
}

export function getRun(
  service: CoreParts & ClientParts & AccessParts & ScraperParts & RunParts,
): Work {
  return async (call, params) => {
    const run = await namedRun(service, call, params)
    const current = isOver(run.status) ? run : await waited(service, call, run, secondsOf(call))
    return { data: apifyRun(current, service.root(call)) }
  }
}

export function abortRun(
  service: CoreParts & ClientParts & AccessParts & ScraperParts & RunParts,
): Work {
  return async (call, params) => {
    const run = await namedRun(service, call, params)
    const current = await service.runs.abort(run.id)
    return { data: apifyRun(current ?? run, service.root(call)) }
  }
}

export function resurrectRun(
  service: CoreParts & ClientParts & AccessParts & ScraperParts & RunParts,
): Work {
  return async (call, params) => {
    const { keyId } = await runnerOf(service, call)
    const run = await namedRun(service, call, params)
    if (!["failed", "timed_out", "aborted"].includes(run.status)) {
      const hint = isOver(run.status)
        ? "All its targets are finished; start a new run."
        : "It has not finished."
      throw notOffered(`Resurrecting a run that is ${run.status}`, hint)
    }
    await requireCreditToResume(service, run, keyId)
    const current = await unlessRefused(service.runs.resume(run.id, keyId))
    return { data: apifyRun(current ?? run, service.root(call)) }
  }
}

export function deleteRun(service: CoreParts & ClientParts & AccessParts & ScraperParts): Work {
  return async (call, params) => {
    const run = await namedRun(service, call, params)
    const at = new Date().toISOString()
    const of = { id: run.id, accountId: run.account_id!, at }
    if (!(await service.store.write("runs.delete", of))) {
      throw new ApiError(400, "The run has not finished; abort it first, or wait until it has.")
    }
    return new Response(null, { status: 204 })
  }
}
