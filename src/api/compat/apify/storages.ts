import { briefText } from "../../../catalogue/kit/index.ts"
import { accountRuns, countRuns, type ListedRun } from "../../../store/runs/run-lists.ts"
import type { RunRow } from "../../../store/tables/schema.ts"
import { ApiError } from "../../http/errors.ts"
import { queryOf } from "../../http/query.ts"
import { ownDataset } from "../../links/dataset-links.ts"
import { runResponse } from "../../schemas/run.ts"
import type { Call } from "../../service.ts"
import type {
  AccessParts,
  ClientParts,
  CoreParts,
  ResultParts,
  ScraperParts,
} from "../../service-parts.ts"
import { accountOf, ownRunOf } from "../common/account-run.ts"
import type { Work } from "../common/refusal.ts"
import { itemsResponse } from "./items.ts"
import { pageIn } from "./request.ts"
import { apifyDataset, apifyList, apifyQueue, apifyStore, runOfStore } from "./responses.ts"
import { namedRun } from "./runs.ts"

/** A run's dataset by the ID of the dataset or of the run. @throws ApiError 404 */
async function runOfItems(
  service: CoreParts & ClientParts & AccessParts & ScraperParts,
  call: Call,
  params: Record<string, string>,
) {
  if (params.dataset === undefined) return namedRun(service, call, params)
  const { accountId } = await accountOf(service, call)
  return ownDataset(service, accountId, params.dataset)
}

/** One storage per run, newest first. */
function listOf(
  service: CoreParts & ClientParts & AccessParts,
  response: (run: ListedRun, root: string) => object,
): Work {
  return async (call) => {
    const { accountId } = await accountOf(service, call)
    const { db } = service.store
    const filter = { hasDataset: true }
    const page = { ...pageIn(queryOf(call.request)), desc: true }
    const rows = await Array.fromAsync(accountRuns(db, accountId, filter, page))
    const root = service.root(call)
    const total = await countRuns(db, accountId, filter)
    return apifyList(
      rows.map((row) => response(row, root)),
      total,
      page,
    )
  }
}

export const listDatasets = (service: CoreParts & ClientParts & AccessParts) =>
  listOf(service, apifyDataset)
export const listStores = (service: CoreParts & ClientParts & AccessParts) =>
  listOf(service, apifyStore)
export const listQueues = (service: CoreParts & ClientParts & AccessParts) =>
  listOf(service, apifyQueue)

export function getDataset(service: CoreParts & ClientParts & AccessParts & ScraperParts): Work {
  return async (call, params) => {
    const run = await runOfItems(service, call, params)
    return { data: apifyDataset(run, service.root(call)) }
  }
}

export function getItems(
  service: CoreParts & ClientParts & AccessParts & ScraperParts & ResultParts,
): Work {
  return async (call, params) =>
    itemsResponse(service, call, await runOfItems(service, call, params))
}

export function deleteDataset(service: CoreParts & ClientParts & AccessParts): Work {
  return async (call, { dataset }) => {
    const { accountId } = await accountOf(service, call)
    const run = await ownDataset(service, accountId, dataset!)
    const of = { id: run.dataset_id, accountId, at: new Date().toISOString() }
    if (!(await service.store.write("datasets.delete", of))) {
      throw new ApiError(400, "The run has not finished; abort it first, or wait until it has.")
    }
    return new Response(null, { status: 204 })
  }
}

/** A run's key-value store has two records: its input and its output. */
const records: Record<string, (run: RunRow, root: string) => string> = {
  INPUT: (run) => run.input,
  OUTPUT: (run, root) => JSON.stringify(runResponse(run, root)),
}

function runOfRecords(
  service: CoreParts & ClientParts & AccessParts & ScraperParts,
  call: Call,
  params: Record<string, string>,
) {
  if (params.store === undefined) return namedRun(service, call, params)
  return ownRunOf(service, call, runOfStore(params.store))
}

export function getStore(service: CoreParts & ClientParts & AccessParts & ScraperParts): Work {
  return async (call, params) => ({ data: apifyStore(await runOfRecords(service, call, params)) })
}

export function listKeys(service: CoreParts & ClientParts & AccessParts & ScraperParts): Work {
  return async (call, params) => {
    const run = await runOfRecords(service, call, params)
    const root = service.root(call)
    const items = Object.entries(records).map(([key, make]) => ({
      key,
      size: Buffer.byteLength(make(run, root)),
    }))
    const page = { count: items.length, limit: maxKeys, isTruncated: false }
    return { data: { items, ...page, exclusiveStartKey: null, nextExclusiveStartKey: null } }
  }
}

const maxKeys = 1000

export function getRecord(service: CoreParts & ClientParts & AccessParts & ScraperParts): Work {
  return async (call, params) => {
    const run = await runOfRecords(service, call, params)
    const key = params.key!
    if (!Object.hasOwn(records, key))
      throw new ApiError(404, `The store has no record "${briefText(key)}", only INPUT and OUTPUT.`)
    return new Response(records[key]!(run, service.root(call)), {
      headers: { "content-type": "application/json;charset=utf-8" },
    })
  }
}
