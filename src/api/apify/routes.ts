import { type AnyElysia, Elysia } from "elysia"
import { accountById } from "../../store/accounts/accounts.ts"
import { accountOf } from "../dropin/account-run.ts"
import { answersBy, notOffered, type Work } from "../dropin/refusal.ts"
import { readJson } from "../http/body.ts"
import type { ApiError } from "../http/errors.ts"
import { invalid } from "../http/errors.ts"
import { queryOf } from "../http/query.ts"
import type { Call, Service } from "../service.ts"
import { checkRunInput } from "../v1/run-input.ts"
import { actorAnswer, apifyList, username } from "./answers.ts"
import { actorOf, pageIn } from "./asked.ts"
import { logAnswer } from "./log.ts"
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
  deleteDataset,
  getDataset,
  getItems,
  getRecord,
  getStore,
  listDatasets,
  listKeys,
} from "./storages.ts"

/** Bodies are read by the handlers, so that whatever is wrong with them is told in this API's form. */
const hidden = { detail: { hide: true }, parse: "none" } as const

/** What there is at their service, and not here, with what stands in its place. */
const missing: Record<string, string> = {
  schedules: "Schedules are made by POST /api/v1/schedules.",
  webhooks: "Webhooks are made by POST /api/v1/webhooks.",
  "webhook-dispatches": "Deliveries are told by /api/v1/webhooks.",
  "actor-tasks": "Give the input with each run, or make a schedule.",
  "actor-builds": "",
  "request-queues": "",
}

/** Apify's API as its clients call it: scrapers are actors, by the names `trawl~<slug>`. */
export function apifyRoutes(service: Service): AnyElysia {
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
    .get("/v2/key-value-stores/:store", answered(getStore(service)), hidden)
    .get("/v2/key-value-stores/:store/keys", answered(listKeys(service)), hidden)
    .get("/v2/key-value-stores/:store/records/:key", answered(getRecord(service)), hidden)
    .get("/v2/logs/:run", answered(log(service)), hidden)
  // The older name, and that of newer clients.
  for (const actors of ["/v2/acts", "/v2/actors"]) {
    routes
      .get(actors, answered(listActors(service)), hidden)
      .get(`${actors}/:actor`, answered(actor(service)), hidden)
      .post(`${actors}/:actor/validate-input`, answered(validate(service)), hidden)
      .post(`${actors}/:actor/runs`, answered(start(service)), hidden)
      .get(`${actors}/:actor/runs`, answered(listRuns(service)), hidden)
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
      .get(`${run}/key-value-store`, answered(getStore(service)), hidden)
      .get(`${run}/key-value-store/keys`, answered(listKeys(service)), hidden)
      .get(`${run}/key-value-store/records/:key`, answered(getRecord(service)), hidden)
  }
  for (const [path, instead] of Object.entries(missing)) {
    const refuse = answered(async () => {
      throw notOffered(`/v2/${path}`, instead)
    })
    routes.all(`/v2/${path}`, refuse, hidden).all(`/v2/${path}/*`, refuse, hidden)
  }
  return routes
}

/** Callers without a client give their key as `token`. */
function keyOfQuery({ request }: Call): void {
  const token = queryOf(request).get("token")
  if (!token || request.headers.has("authorization")) return
  request.headers.set("authorization", `Bearer ${token}`)
}

function listActors(service: Service): Work {
  return async (call) => {
    await accountOf(service, call)
    const page = pageIn(queryOf(call.request))
    const search = queryOf(call.request).get("search")?.toLowerCase() ?? ""
    const found = service.catalogue.filter(({ slug, name, tagline }) =>
      `${slug} ${name} ${tagline}`.toLowerCase().includes(search),
    )
    const ordered = page.desc ? found.toReversed() : found
    const shown = ordered.slice(page.offset, page.offset + page.limit)
    return apifyList(shown.map(actorAnswer), found.length, page)
  }
}

function actor(service: Service): Work {
  return async (call, { actor }) => {
    await accountOf(service, call)
    return { data: actorAnswer(actorOf(service, actor!)) }
  }
}

function validate(service: Service): Work {
  return async (call, { actor }) => {
    await accountOf(service, call)
    const checked = checkRunInput(actorOf(service, actor!), await readJson(call.request))
    if (!checked.ok) throw invalid(checked.faults)
    return { valid: true }
  }
}

function log(service: Service): Work {
  return async (call, params) => logAnswer(service, call, await namedRun(service, call, params))
}

function user(service: Service): Work {
  return async (call, { user }) => {
    const { accountId } = await accountOf(service, call)
    if (user !== "me") return { data: { username, profile: {} } }
    const account = await accountById(service.store.db, accountId)
    const { email = null, created_at: createdAt } = account!
    return { data: { id: accountId, username: email ?? accountId, email, profile: {}, createdAt } }
  }
}

function limits(service: Service): Work {
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
  429: "rate-limit-exceeded",
}

function refusalBody({ status, message, details }: ApiError) {
  const type = types[status] ?? "internal-error"
  return { error: { type, message, ...(details !== undefined && { data: { details } }) } }
}
