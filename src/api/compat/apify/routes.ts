import { type AnyElysia, Elysia } from "elysia"
import { accountById } from "../../../store/accounts/accounts.ts"
import { readJson } from "../../http/body.ts"
import type { ApiError } from "../../http/errors.ts"
import { invalid } from "../../http/errors.ts"
import { queryOf } from "../../http/query.ts"
import { checkRunInput } from "../../schemas/run-input.ts"
import type { Call } from "../../service.ts"
import type {
  AccessParts,
  ClientParts,
  CoreParts,
  ResultParts,
  RunParts,
  ScraperParts,
} from "../../service-parts.ts"
import { accountOf } from "../common/account-run.ts"
import { answersBy, notOffered, type Work } from "../common/refusal.ts"
import { logResponse } from "./log.ts"
import { getQueue, getRequest, listHead, listRequests } from "./queues.ts"
import { actorOf, pageIn } from "./request.ts"
import { actorResponse, apifyList, username } from "./responses.ts"
import {
  abortRun,
  deleteRun,
  getRun,
  listRuns,
  namedRun,
  resurrectRun,
  runSync,
  start,
} from "./runs.ts"
import {
  changeSchedule,
  createSchedule,
  deleteSchedule,
  getSchedule,
  listTheirSchedules,
  scheduleLog,
} from "./schedules.ts"
import {
  deleteDataset,
  getDataset,
  getItems,
  getRecord,
  getStore,
  listDatasets,
  listKeys,
  listQueues,
  listStores,
} from "./storages.ts"
import {
  changeWebhook,
  createWebhook,
  deleteWebhook,
  getWebhook,
  listDispatches,
  listTheirWebhooks,
  testWebhook,
} from "./webhooks.ts"

/** The handlers read bodies, so that errors are returned in this API's format. */
const hidden = { detail: { hide: true }, parse: "none" } as const

/** Apify's routes that Trawl does not have, each with an alternative. */
const missing: Record<string, string> = {
  "webhook-dispatches": "Each webhook has a list of its own deliveries.",
  "actor-tasks": "Send the input with each run, or create a schedule.",
  "actor-builds": "",
}

const fromRuns = "Datasets, stores and queues are created by runs only."
const ofRelease = "Actors are the scrapers of this version of Trawl."
const itemsOfRun = "run-sync-get-dataset-items returns the items of a run."
const whole = "A run cannot be changed: abort it, or start another."

/** Single routes of Apify that Trawl does not have. */
const refused: readonly (readonly [method: string, path: string, instead: string])[] = [
  ...["/v2/acts", "/v2/actors"].flatMap((actors) => [
    ["POST", actors, ofRelease] as const,
    ["PUT", `${actors}/:actor`, ofRelease] as const,
    ["DELETE", `${actors}/:actor`, ofRelease] as const,
    ["GET", `${actors}/:actor/run-sync`, itemsOfRun] as const,
    ["POST", `${actors}/:actor/run-sync`, itemsOfRun] as const,
    ["GET", `${actors}/:actor/builds`, ofRelease] as const,
    ["POST", `${actors}/:actor/builds`, ofRelease] as const,
    ["GET", `${actors}/:actor/builds/default`, ofRelease] as const,
    ["GET", `${actors}/:actor/versions`, ofRelease] as const,
    ["POST", `${actors}/:actor/versions`, ofRelease] as const,
    ["GET", `${actors}/:actor/versions/:version`, ofRelease] as const,
  ]),
  ["PUT", "/v2/actor-runs/:run", whole],
  ["POST", "/v2/actor-runs/:run/metamorph", whole],
  ["POST", "/v2/actor-runs/:run/reboot", whole],
  ["POST", "/v2/actor-runs/:run/charge", whole],
  ["POST", "/v2/datasets", fromRuns],
  ["PUT", "/v2/datasets/:dataset", fromRuns],
  ["POST", "/v2/datasets/:dataset/items", fromRuns],
  ["GET", "/v2/datasets/:dataset/statistics", ""],
  ["POST", "/v2/key-value-stores", fromRuns],
  ["PUT", "/v2/key-value-stores/:store", fromRuns],
  ["DELETE", "/v2/key-value-stores/:store", "Delete the run."],
  ["PUT", "/v2/key-value-stores/:store/records/:key", fromRuns],
  ["DELETE", "/v2/key-value-stores/:store/records/:key", "Delete the run."],
  ["POST", "/v2/request-queues", fromRuns],
  ["PUT", "/v2/request-queues/:queue", fromRuns],
  ["DELETE", "/v2/request-queues/:queue", "Delete the run."],
  ["POST", "/v2/request-queues/:queue/head/lock", fromRuns],
  ["POST", "/v2/request-queues/:queue/requests", fromRuns],
  ["POST", "/v2/request-queues/:queue/requests/batch", fromRuns],
  ["DELETE", "/v2/request-queues/:queue/requests/batch", fromRuns],
  ["POST", "/v2/request-queues/:queue/requests/unlock", fromRuns],
  ["PUT", "/v2/request-queues/:queue/requests/:request", fromRuns],
  ["DELETE", "/v2/request-queues/:queue/requests/:request", fromRuns],
  ["PUT", "/v2/request-queues/:queue/requests/:request/lock", fromRuns],
  ["DELETE", "/v2/request-queues/:queue/requests/:request/lock", fromRuns],
  ["PUT", "/v2/users/:user/limits", "An administrator sets the limits."],
  ["GET", "/v2/users/:user/usage/monthly", "GET /api/v1/usage returns it."],
]

/** Apify's API for its clients: scrapers are actors named `trawl~<slug>`. */
export function apifyRoutes(
  service: CoreParts & ClientParts & AccessParts & ScraperParts & RunParts & ResultParts,
): AnyElysia {
  const inTheirForm = answersBy(service, refusalBody)
  const answered = (work: Work) =>
    inTheirForm((call, params) => {
      keyOfQuery(call)
      return work(call, params)
    })
  const routes = new Elysia()
    .get("/v2/store", answered(listActors(service)), hidden)
    .get("/v2/users/:user", answered(user(service)), hidden)
    .get("/v2/users/:user/limits", answered(limits(service)), hidden)
    .get("/v2/actor-runs", answered(listRuns(service)), hidden)
    .get("/v2/datasets", answered(listDatasets(service)), hidden)
    .get("/v2/datasets/:dataset", answered(getDataset(service)), hidden)
    .delete("/v2/datasets/:dataset", answered(deleteDataset(service)), hidden)
    .get("/v2/datasets/:dataset/items", answered(getItems(service)), hidden)
    .get("/v2/key-value-stores", answered(listStores(service)), hidden)
    .get("/v2/key-value-stores/:store", answered(getStore(service)), hidden)
    .get("/v2/key-value-stores/:store/keys", answered(listKeys(service)), hidden)
    .get("/v2/key-value-stores/:store/records/:key", answered(getRecord(service)), hidden)
    .get("/v2/logs/:run", answered(log(service)), hidden)
    .get("/v2/schedules", answered(listTheirSchedules(service)), hidden)
    .post("/v2/schedules", answered(createSchedule(service)), hidden)
    .get("/v2/schedules/:schedule", answered(getSchedule(service)), hidden)
    .put("/v2/schedules/:schedule", answered(changeSchedule(service)), hidden)
    .delete("/v2/schedules/:schedule", answered(deleteSchedule(service)), hidden)
    .get("/v2/schedules/:schedule/log", answered(scheduleLog(service)), hidden)
    .get("/v2/webhooks", answered(listTheirWebhooks(service)), hidden)
    .post("/v2/webhooks", answered(createWebhook(service)), hidden)
    .get("/v2/webhooks/:webhook", answered(getWebhook(service)), hidden)
    .put("/v2/webhooks/:webhook", answered(changeWebhook(service)), hidden)
    .delete("/v2/webhooks/:webhook", answered(deleteWebhook(service)), hidden)
    .post("/v2/webhooks/:webhook/test", answered(testWebhook(service)), hidden)
    .get("/v2/webhooks/:webhook/dispatches", answered(listDispatches(service)), hidden)
    .get("/v2/request-queues", answered(listQueues(service)), hidden)
    .get("/v2/request-queues/:queue", answered(getQueue(service)), hidden)
    .get("/v2/request-queues/:queue/head", answered(listHead(service)), hidden)
    .get("/v2/request-queues/:queue/requests", answered(listRequests(service)), hidden)
    .get("/v2/request-queues/:queue/requests/:request", answered(getRequest(service)), hidden)
  // Older and newer clients use different paths.
  for (const actors of ["/v2/acts", "/v2/actors"]) {
    routes
      .get(actors, answered(listActors(service)), hidden)
      .get(`${actors}/:actor`, answered(actor(service)), hidden)
      .post(`${actors}/:actor/validate-input`, answered(validate(service)), hidden)
      .post(`${actors}/:actor/runs`, answered(start(service)), hidden)
      .get(`${actors}/:actor/runs`, answered(listRuns(service)), hidden)
      .get(`${actors}/:actor/webhooks`, answered(listTheirWebhooks(service)), hidden)
      .post(`${actors}/:actor/run-sync-get-dataset-items`, answered(runSync(service)), hidden)
      .get(`${actors}/:actor/run-sync-get-dataset-items`, answered(runSync(service)), hidden)
  }
  const runs = ["/v2/actor-runs/:run", "/v2/acts/:actor/runs/last", "/v2/actors/:actor/runs/last"]
  for (const run of runs) {
    routes
      .get(run, answered(getRun(service)), hidden)
      .delete(run, answered(deleteRun(service)), hidden)
      .post(`${run}/abort`, answered(abortRun(service)), hidden)
      .post(`${run}/resurrect`, answered(resurrectRun(service)), hidden)
      .get(`${run}/log`, answered(log(service)), hidden)
      .get(`${run}/dataset`, answered(getDataset(service)), hidden)
      .get(`${run}/dataset/items`, answered(getItems(service)), hidden)
      .get(`${run}/request-queue`, answered(getQueue(service)), hidden)
      .get(`${run}/request-queue/head`, answered(listHead(service)), hidden)
      .get(`${run}/request-queue/requests`, answered(listRequests(service)), hidden)
      .get(`${run}/key-value-store`, answered(getStore(service)), hidden)
      .get(`${run}/key-value-store/keys`, answered(listKeys(service)), hidden)
      .get(`${run}/key-value-store/records/:key`, answered(getRecord(service)), hidden)
  }
  for (const [method, path, instead] of refused) {
    const refuse = answered(async () => {
      throw notOffered(`${method} ${path}`, instead)
    })
    routes.route(method, path, refuse, hidden)
  }
  for (const [path, instead] of Object.entries(missing)) {
    const refuse = answered(async () => {
      throw notOffered(`/v2/${path}`, instead)
    })
    routes.all(`/v2/${path}`, refuse, hidden).all(`/v2/${path}/*`, refuse, hidden)
  }
  return routes
}

/** Clients without headers send their key as the parameter `token`. */
function keyOfQuery({ request }: Call): void {
  const token = queryOf(request).get("token")
  if (!token || request.headers.has("authorization")) return
  request.headers.set("authorization", `Bearer ${token}`)
}

function listActors(service: ClientParts & AccessParts & ScraperParts): Work {
  return async (call) => {
    await accountOf(service, call)
    const page = pageIn(queryOf(call.request))
    const search = queryOf(call.request).get("search")?.toLowerCase() ?? ""
    const matches = service.catalogue.filter(({ slug, name, tagline }) =>
      `${slug} ${name} ${tagline}`.toLowerCase().includes(search),
    )
    const ordered = page.desc ? matches.toReversed() : matches
    const visible = ordered.slice(page.offset, page.offset + page.limit)
    return apifyList(visible.map(actorResponse), matches.length, page)
  }
}

function actor(service: ClientParts & AccessParts & ScraperParts): Work {
  return async (call, { actor }) => {
    await accountOf(service, call)
    return { data: actorResponse(actorOf(service, actor!)) }
  }
}

function validate(service: ClientParts & AccessParts & ScraperParts): Work {
  return async (call, { actor }) => {
    await accountOf(service, call)
    const checked = checkRunInput(actorOf(service, actor!), await readJson(call.request))
    if (!checked.ok) throw invalid(checked.issues)
    return { valid: true }
  }
}

function log(service: CoreParts & ClientParts & AccessParts & ScraperParts & RunParts): Work {
  return async (call, params) => logResponse(service, call, await namedRun(service, call, params))
}

function user(service: CoreParts & ClientParts & AccessParts): Work {
  return async (call, { user }) => {
    const { accountId } = await accountOf(service, call)
    if (user !== "me") return { data: { username, profile: {} } }
    const account = await accountById(service.store.db, accountId)
    const { email = null, created_at: createdAt } = account!
    return { data: { id: accountId, username: email ?? accountId, email, profile: {}, createdAt } }
  }
}

function limits(service: CoreParts & ClientParts & AccessParts): Work {
  return async (call) => {
    const { accountId } = await accountOf(service, call)
    const account = await accountById(service.store.db, accountId)
    return {
      data: {
        monthlyUsageCycle: null,
        limits: { maxConcurrentActorJobs: service.config.workers },
        current: { creditsLeft: account?.unlimited ? null : (account?.balance ?? 0) },
      },
    }
  }
}

const types: Record<number, string> = {
  400: "invalid-input",
  401: "user-or-token-not-found",
  402: "not-enough-usage-to-run-paid-actor",
  403: "insufficient-permissions",
  404: "record-not-found",
  408: "run-timeout-exceeded",
  413: "request-too-large",
  415: "invalid-input",
  429: "rate-limit-exceeded",
}

function refusalBody({ status, message, details }: ApiError) {
  const { type: own } = (details ?? {}) as { type?: string }
  if (own) return { error: { type: own, message } }
  const type = types[status] ?? "internal-error"
  return { error: { type, message, ...(details !== undefined && { data: { details } }) } }
}
