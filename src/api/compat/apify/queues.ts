import { type ListedTarget, targetPage } from "../../../store/runs/target-lists.ts"
import type { RunRow } from "../../../store/tables/schema.ts"
import { ApiError, notFound } from "../../http/errors.ts"
import { queryOf } from "../../http/query.ts"
import type { Call } from "../../service.ts"
import type { AccessParts, ClientParts, CoreParts, ScraperParts } from "../../service-parts.ts"
import { ownRunOf } from "../common/account-run.ts"
import type { Work } from "../common/refusal.ts"
import { numberIn } from "./request.ts"
import { apifyQueue, runOfQueue } from "./responses.ts"
import { namedRun } from "./runs.ts"

const maxRequests = 1000
const usualRequests = 100

function runOfRequests(
  service: CoreParts & ClientParts & AccessParts & ScraperParts,
  call: Call,
  params: Record<string, string>,
) {
  if (params.queue === undefined) return namedRun(service, call, params)
  return ownRunOf(service, call, runOfQueue(params.queue))
}

/** A run's request queue: its targets, read-only. */
export function getQueue(service: CoreParts & ClientParts & AccessParts & ScraperParts): Work {
  return async (call, params) => ({ data: apifyQueue(await runOfRequests(service, call, params)) })
}

function requestResponse(run: RunRow, { seq, target, state, error }: ListedTarget) {
  const isOver = state === "done" || state === "failed"
  const { message } = (error === null ? {} : (JSON.parse(error).error ?? {})) as {
    message?: string
  }
  return {
    id: String(seq),
    uniqueKey: target,
    url: target,
    method: "GET",
    retryCount: 0,
    ...(isOver && { handledAt: run.finished_at ?? run.started_at }),
    ...(message && { errorMessages: [message] }),
  }
}

/** All requests, in pages that start after a given request. */
export function listRequests(service: CoreParts & ClientParts & AccessParts & ScraperParts): Work {
  return async (call, params) => {
    const run = await runOfRequests(service, call, params)
    const query = queryOf(call.request)
    const limit = numberIn(query, "limit", maxRequests) || usualRequests
    const cursor = query.get("cursor") ?? query.get("exclusiveStartId") ?? undefined
    if (cursor !== undefined && !/^\d{1,9}$/.test(cursor))
      throw new ApiError(400, '"exclusiveStartId" is not a request ID of this queue.')
    const requested = { limit, offset: 0, ...(cursor !== undefined && { cursor }) }
    const { rows, nextCursor } = await targetPage(service.store.db, { runN: run.n }, requested)
    const items = rows.map((row) => requestResponse(run, row))
    return { data: { items, limit, ...(cursor && { cursor }), ...(nextCursor && { nextCursor }) } }
  }
}

/** The next waiting targets. */
export function listHead(service: CoreParts & ClientParts & AccessParts & ScraperParts): Work {
  return async (call, params) => {
    const run = await runOfRequests(service, call, params)
    const limit = numberIn(queryOf(call.request), "limit", maxRequests) || usualRequests
    const page = { limit, offset: 0 }
    const { rows } = await targetPage(service.store.db, { runN: run.n, state: "queued" }, page)
    const items = rows.map((row) => requestResponse(run, row))
    const queueModifiedAt = run.finished_at ?? run.started_at ?? run.created_at
    return { data: { limit, queueModifiedAt, hadMultipleClients: false, items } }
  }
}

export function getRequest(service: CoreParts & ClientParts & AccessParts & ScraperParts): Work {
  return async (call, params) => {
    const run = await runOfRequests(service, call, params)
    const seq = Number(params.request)
    if (!Number.isInteger(seq) || seq < 0) throw notFound("request", params.request)
    const page = { limit: 1, offset: 0, cursor: String(seq - 1) }
    const { rows } = await targetPage(service.store.db, { runN: run.n }, page)
    if (rows[0]?.seq !== seq) throw notFound("request", params.request)
    return { data: requestResponse(run, rows[0]) }
  }
}
