import { type AnyScraper, fetchMethodsOf } from "../../../catalogue/kit/index.ts"
import type { ListedRun } from "../../../store/runs/run-lists.ts"
import type { RunStatus } from "../../../store/tables/run-status.ts"

/** Username before each actor's name. */
export const username = "trawl"
/** Creation date of actors; scrapers have no date of their own. */
const since = "2026-01-01T00:00:00.000Z"

const statuses: Record<RunStatus, string> = {
  queued: "READY",
  running: "RUNNING",
  succeeded: "SUCCEEDED",
  failed: "FAILED",
  timed_out: "TIMED-OUT",
  aborting: "ABORTING",
  aborted: "ABORTED",
}

export const theirStatus = (status: RunStatus) => statuses[status]

export function statusOf(theirs: string): RunStatus | undefined {
  const [status] = Object.entries(statuses).find(([, name]) => name === theirs.toUpperCase()) ?? []
  return status as RunStatus | undefined
}

/** The IDs of a run's stores are derived from the run's ID. */
const storeOf = (runId: string) => runId.replace(/^run_/, "kvs_")
const queueOf = (runId: string) => runId.replace(/^run_/, "rq_")
export const runOfQueue = (queueId: string) => queueId.replace(/^rq_/, "run_")
export const runOfStore = (storeId: string) => storeId.replace(/^kvs_/, "run_")

export function actorResponse(scraper: AnyScraper) {
  const { slug, name, tagline, category, example } = scraper
  return {
    id: `${username}~${slug}`,
    userId: username,
    name: slug,
    username,
    title: name,
    description: tagline,
    categories: [category],
    isPublic: true,
    isDeprecated: false,
    createdAt: since,
    modifiedAt: since,
    stats: {},
    versions: [],
    defaultRunOptions: { build: "latest", timeoutSecs: 3600, memoryMbytes: 0 },
    exampleRunInput: { body: JSON.stringify(example), contentType: "application/json" },
    deploymentKey: "",
    actorPermissionLevel: "LIMITED_PERMISSIONS",
    fetchMethods: [...fetchMethodsOf(scraper)],
  }
}

/** A run in Apify's format. `meta` contains its origin in Apify's terms. */
export function apifyRun(run: ListedRun, root: string) {
  const isOver = run.finished_at !== null
  const seconds = isOver
    ? (Date.parse(run.finished_at!) - Date.parse(run.started_at ?? run.created_at)) / 1000
    : 0
  return {
    id: run.id,
    actId: `${username}~${run.slug}`,
    userId: run.account_id ?? username,
    startedAt: run.started_at ?? run.created_at,
    finishedAt: run.finished_at,
    status: statuses[run.status],
    statusMessage: run.error_message ?? run.status_message,
    isStatusMessageTerminal: isOver,
    meta: { origin: run.origin === "schedule" ? "SCHEDULER" : "API" },
    stats: {
      durationMillis: Math.round(seconds * 1000),
      runTimeSecs: seconds,
      restartCount: Math.max(0, run.attempt - 1),
      resurrectCount: 0,
      computeUnits: 0,
    },
    options: { build: "latest", timeoutSecs: run.timeout_seconds, memoryMbytes: 0, diskMbytes: 0 },
    buildId: "",
    buildNumber: "",
    exitCode: isOver ? (run.status === "succeeded" ? 0 : 1) : null,
    defaultKeyValueStoreId: storeOf(run.id),
    defaultDatasetId: run.dataset_id,
    defaultRequestQueueId: queueOf(run.id),
    containerUrl: `${root}/api/v1/runs/${run.id}`,
    chargedEventCounts: { credit: run.credits_charged },
  }
}

export function apifyDataset(run: ListedRun, root: string) {
  const at = run.finished_at ?? run.started_at ?? run.created_at
  return {
    id: run.dataset_id,
    userId: run.account_id ?? username,
    createdAt: run.created_at,
    modifiedAt: at,
    accessedAt: at,
    itemCount: run.item_count + run.error_count,
    cleanItemCount: run.item_count,
    actId: `${username}~${run.slug}`,
    actRunId: run.id,
    stats: {},
    fields: [],
    itemsPublicUrl: `${root}/v2/datasets/${run.dataset_id}/items`,
  }
}

export function apifyStore(run: ListedRun) {
  const at = run.finished_at ?? run.started_at ?? run.created_at
  return {
    id: storeOf(run.id),
    userId: run.account_id ?? username,
    createdAt: run.created_at,
    modifiedAt: at,
    accessedAt: at,
    actId: `${username}~${run.slug}`,
    actRunId: run.id,
    stats: {},
  }
}

export function apifyQueue(run: ListedRun) {
  const at = run.finished_at ?? run.started_at ?? run.created_at
  // Failed targets count as handled.
  const handled = run.targets_done
  return {
    id: queueOf(run.id),
    userId: run.account_id ?? username,
    createdAt: run.created_at,
    modifiedAt: at,
    accessedAt: at,
    totalRequestCount: run.targets_total,
    handledRequestCount: handled,
    pendingRequestCount: Math.max(0, run.targets_total - handled),
    actId: `${username}~${run.slug}`,
    actRunId: run.id,
    hadMultipleClients: false,
    stats: {},
  }
}

export interface Page {
  limit: number
  offset: number
  desc: boolean
}

export function apifyList<T>(items: T[], total: number, { limit, offset, desc }: Page) {
  return { data: { total, offset, limit, desc, count: items.length, items } }
}
