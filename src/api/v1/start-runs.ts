import { type Static, Type } from "@sinclair/typebox"
import { type AnyElysia, Elysia } from "elysia"
import {
  type AnyScraper,
  type CheckedInput,
  expectedWords,
  ScrapeError,
} from "../../catalogue/kit/index.ts"
import { maxPagesOf } from "../../catalogue/page-limits.ts"
import type { StartRun } from "../../engine/runtime/workers/runs.ts"
import { Stopping } from "../../engine/runtime/workers/supervisor.ts"
import { accountById } from "../../store/accounts/accounts.ts"
import { modelCost, pageCost, unlockerCost } from "../../store/accounts/credits.ts"
import { leftOfKey } from "../../store/accounts/keys.ts"
import type { Db } from "../../store/db/database.ts"
import { accountRun } from "../../store/runs/run-lists.ts"
import type { Store } from "../../store/store.ts"
import type { RunRow } from "../../store/tables/schema.ts"
import { UnchangedReads } from "../../store/unchanged-reads.ts"
import { checkDestination } from "../destinations/own-destinations.ts"
import { callerOf, requireAccount } from "../http/access.ts"
import { issue, readJson } from "../http/body.ts"
import { callContext } from "../http/context.ts"
import { requestSchema, responseSchema } from "../http/contract.ts"
import { ApiError, invalid, keySpent, outOfCredit } from "../http/errors.ts"
import { type Head, longResponse } from "../http/long-response.ts"
import { operation } from "../http/operation.ts"
import { addCallFacts } from "../log/call-facts.ts"
import { loggedPath } from "../log/logged-path.ts"
import { maybe, query, responseObject } from "../schemas/common.ts"
import { chosenDestination } from "../schemas/destination.ts"
import { runExample, runResponse, runSchema } from "../schemas/run.ts"
import { checkRunInput } from "../schemas/run-input.ts"
import { sessionOption } from "../schemas/session.ts"
import type { Call } from "../service.ts"
import type {
  AccessParts,
  ClientParts,
  CoreParts,
  RunParts,
  ScraperParts,
} from "../service-parts.ts"
import { requireSession } from "../sessions/check.ts"
import { appendingOf, datasetIdOrName } from "./appending.ts"
import { requireExpression, transform } from "./item-transform.ts"
import { scraperOf, slugParameter } from "./scrapers.ts"

export const waitForFinish = Type.Integer({
  default: 0,
  minimum: 0,
  maximum: 300,
  description:
    "Seconds to wait for the run to finish (0-300); the response has the run in its current state.",
})

const startQuery = query({
  waitForFinish,
  destination: Type.Optional(chosenDestination),
  timeoutSeconds: Type.Integer({
    default: 3600,
    minimum: 1,
    maximum: 86_400,
    description: "Maximum run time in seconds; the run then ends `timed_out`.",
  }),
  expiresAfter: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 604_800,
      description:
        "Maximum seconds in the queue (1-604800): a run that has not started by then ends as `timed_out` with the error `expired`. Default: no limit.",
    }),
  ),
  maxItems: Type.Optional(
    Type.Integer({
      minimum: 1,
      description: "Maximum items, in addition to the input's own limit.",
    }),
  ),
  maxPages: Type.Optional(Type.Integer({ minimum: 1, description: "Maximum pages." })),
  maxCredits: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 1_000_000_000,
      description: "Maximum credits of the run; it ends with `out_of_credit` before it costs more.",
    }),
  ),
  appendTo: Type.Optional(
    Type.String({
      pattern: datasetIdOrName,
      [expectedWords]:
        "a dataset ID (`ds_…`), or a name of lowercase letters, digits, hyphens, underscores and dots",
      description:
        "Dataset to append the items to: its ID, or a name, which the first run with this name creates.",
    }),
  ),
  uniqueBy: Type.Optional(
    Type.Array(Type.String(), {
      description:
        "Comma-separated fields that identify an item. By default, the dataset returns only the first of several items with the same values; a reader can set `unique` instead.",
    }),
  ),
  session: Type.Optional(sessionOption),
  transform: transform(
    "JSONata expression applied to each item when the dataset is read, unless a reader sets another one. Stored items are unchanged.",
  ),
})

export const idempotencyHeader = {
  "Idempotency-Key": Type.String({
    maxLength: 255,
    description: "Repeating the call with the same key within 24 hours creates nothing again.",
  }),
}

const anyInput = Type.Object({}, { additionalProperties: true, description: "The input." })

/** A scraper with a valid input. */
interface ReadyRun {
  scraper: AnyScraper
  input: Record<string, unknown>
}

function checkedRun(raw: unknown): CheckedInput {
  const { scraper, input } = raw as ReadyRun
  const checked = checkRunInput(scraper, input)
  return checked.ok ? { ok: true, input: { scraper, input: checked.input } } : checked
}

/** Starting runs. */
export function startRoutes(
  service: CoreParts & ClientParts & AccessParts & ScraperParts & RunParts,
): AnyElysia {
  const { store, idempotency } = service
  const examples = Object.fromEntries(
    service.catalogue.map((scraper) => [
      scraper.slug,
      { summary: scraper.name, value: scraper.example },
    ]),
  )
  return new Elysia({ prefix: "/api/v1" })
    .use(callContext(service))
    .model({ Run: responseSchema(runSchema), RunEstimate: responseSchema(estimateSchema) })
    .macro("runOf", {
      // An unknown scraper is reported before its input is read.
      async parse({ request, set, server, params }) {
        await requireAccount(service, { request, set, server })
        const scraper = await scraperOf(
          service,
          callerOf(request).accountId,
          (params as { slug: string }).slug,
        )
        return readJson(request, (input) => ({ scraper, input }))
      },
    })
    .post(
      "/scrapers/:slug/estimate",
      ({ accountId, keyId, body }) => estimateOf(service, { ...body, accountId, keyId }),
      {
        account: true,
        params: requestSchema.params({ slug: slugParameter(service) }),
        runOf: true,
        body: requestSchema.validating<ReadyRun>(anyInput, checkedRun, "input"),
        response: { 200: "RunEstimate" },
        detail: operation({
          id: "estimateRun",
          tag: "Runs",
          summary: "Estimate the cost of a run",
          description: "The body is the scraper's input. No run is started.",
          examples,
          replies: { 200: "The estimate." },
          refusals: [404],
        }),
      },
    )
    .post(
      "/scrapers/:slug/runs",
      async ({ accountId, keyId, root, call, request, query, body }) => {
        const { waitForFinish: wait, appendTo, uniqueBy, expiresAfter, ...caps } = query
        if (caps.transform) await requireExpression(caps.transform)
        await checkDestination(service, accountId, caps.destination, "query")
        await requireSession(store.db, accountId, caps.session, "query")
        const requested = { ...(appendTo && { appendTo }), ...(uniqueBy && { uniqueBy }) }
        const whereTo = await appendingOf(service, { accountId, scraper: body.scraper }, requested)
        const start = {
          ...body,
          accountId,
          keyId,
          origin: "api" as const,
          // A person waits: with `waitForFinish`, or in the console, which sends no key.
          priority: wait > 0 || keyId === null ? ("interactive" as const) : ("api" as const),
          ...(expiresAfter && { expiresAfterSeconds: expiresAfter }),
          ...caps,
          ...whereTo,
        }
        const reply = (begin?: (head: Head) => void) =>
          idempotency.response(
            { request, accountId, prefix: "run", list: `${root}/api/v1/runs` },
            async (id, repeated, begin) => {
              const known = repeated ? await accountRun(store.db, { id, accountId }) : undefined
              const run = known ?? (await startPaid(service, { ...start, id }))
              addCallFacts(request, { run: run.id })
              begin({ status: 201 })
              const current = wait > 0 ? await waited(service, call, run, wait) : run
              return { status: 201, body: runResponse(current, root) }
            },
            begin,
          )
        return wait > 0 ? patiently(service, call, reply) : reply()
      },
      {
        account: true,
        root: true,
        call: true,
        params: requestSchema.params({ slug: slugParameter(service) }),
        query: requestSchema.query(startQuery),
        headers: requestSchema.headers(idempotencyHeader),
        runOf: true,
        body: requestSchema.validating<ReadyRun>(anyInput, checkedRun, "input"),
        response: { 201: "Run" },
        detail: operation({
          id: "startRun",
          tag: "Runs",
          summary: "Start a run",
          description:
            "The body is the scraper's input. When the response arrives, the run is stored. With `waitForFinish`, the response is sent when the run has finished, or after that many seconds with the run in its current state. During a long wait, the headers are sent at once, and a space every 15 seconds. The HTTP status is 201 whatever the outcome: read `status` in the body.",
          examples,
          replies: {
            201: { description: "The run.", example: runExample },
          },
          refusals: [402, 404, 409, 422, 503],
        }),
      },
    )
}

const estimateSchema = responseObject(
  {
    targets: Type.Integer({ description: "Targets of the input; a crawl finds more." }),
    creditsPerPage: Type.Integer({
      description: "Credits per page. A target takes at least one page.",
    }),
    minCredits: Type.Integer({ description: "Credits if each target takes one page." }),
    maxCredits: maybe(
      Type.Integer({
        description:
          "Maximum credits by the limits of the input and the scraper: IDs or URLs with a fixed number of pages each, lists with a maximum of items, and crawls with `maxPages`. It assumes that each page is fetched once and lists have full pages; sitemaps of a crawl cost extra. Null if nothing limits the pages, for example lists with a page for each item, and link checks: then limit the run with its own `maxCredits`.",
      }),
    ),
    creditsAvailable: maybe(
      Type.Integer({
        description: "Credits left in the account and its key; null without a limit.",
      }),
    ),
    targetsCovered: Type.Integer({
      description: "Targets of one page each that these credits pay for.",
    }),
  },
  { $id: "RunEstimate" },
)

/** The cost of a run, as far as it is known before the start. */
async function estimateOf(
  { store: { db } }: CoreParts,
  { scraper, input, accountId, keyId }: ReadyRun & { accountId: string; keyId: string | null },
): Promise<Static<typeof estimateSchema>> {
  const account = await accountById(db, accountId)
  const ofKey = keyId === null ? Number.POSITIVE_INFINITY : await leftOfKey(db, keyId)
  const ofAccount = account?.unlimited ? Number.POSITIVE_INFINITY : (account?.balance ?? 0)
  const available = Math.min(ofAccount, ofKey)
  const keys = new Set(scraper.targets(input).map((target) => JSON.stringify(target)))
  const unlocked = input.useUnlocker === true ? unlockerCost : 0
  const creditsPerPage = pageCost[scraper.tier] + unlocked
  const maxPages = maxPagesOf(scraper, input, keys.size)
  return {
    targets: keys.size,
    creditsPerPage,
    minCredits: keys.size * creditsPerPage,
    maxCredits: maxPages && maxPages * (creditsPerPage + modelCostOf(input)),
    creditsAvailable: Number.isFinite(available) ? available : null,
    targetsCovered: Math.min(keys.size, Math.floor(available / creditsPerPage)),
  }
}

/** Returns the credits of the operator's model for each page, if the input asks it. */
function modelCostOf({ extract }: ReadyRun["input"]): number {
  const { prompt } = Object(extract) as { prompt?: unknown }
  return prompt === undefined ? 0 : modelCost
}

/** Refuses a call if the account or its key has no credits. @throws ApiError 402 */
export async function requireCredit(
  { store }: CoreParts,
  { accountId, keyId }: { accountId: string; keyId?: string | null },
): Promise<void> {
  const reads = means.get(store) ?? new UnchangedReads<Means>(store, maxPayers)
  means.set(store, reads)
  const read = () => meansOf(store.db, accountId, keyId)
  const { hasCredit, keyHasCredit } = await reads.get(`${accountId} ${keyId ?? ""}`, read)
  if (!hasCredit) throw outOfCredit()
  if (!keyHasCredit) throw keySpent()
}

interface Means {
  hasCredit: boolean
  keyHasCredit: boolean
}

/** Means of the accounts and keys that start runs: starts of the same moment share a commit. */
const means = new WeakMap<Store, UnchangedReads<Means>>()
const maxPayers = 1_000

async function meansOf(db: Db, accountId: string, keyId?: string | null): Promise<Means> {
  const account = await accountById(db, accountId)
  const hasCredit = account !== undefined && (account.unlimited !== 0 || account.balance !== 0)
  const keyHasCredit = !hasCredit || !keyId || (await leftOfKey(db, keyId)) !== 0
  return { hasCredit, keyHasCredit }
}

/**
 * Checks that a run can be paid for when a caller resumes it: the key that started it and the key
 * that resumes it both need credit. @throws ApiError 402
 */
export async function requireCreditToResume(
  service: CoreParts,
  { account_id: accountId, key_id: starter }: Pick<RunRow, "account_id" | "key_id">,
  keyId: string | null,
): Promise<void> {
  await requireCredit(service, { accountId: accountId!, keyId })
  if (starter !== keyId) await requireCredit(service, { accountId: accountId!, keyId: starter })
}

/** Starts a run of an account that can pay. @throws ApiError 402, 503 */
export async function startPaid(
  service: CoreParts & RunParts,
  start: StartRun & { accountId: string },
): Promise<RunRow> {
  await requireCredit(service, start)
  return unlessRefused(service.runs.start(start))
}

/**
 * Converts errors of a start. @throws ApiError 503 during shutdown, 400 if the scraper refuses the
 * input
 */
export async function unlessRefused<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (error instanceof Stopping) {
      throw new ApiError(503, error.message, undefined, { "retry-after": "5" })
    }
    if (error instanceof ScrapeError) {
      throw invalid([issue("", error.message, "a valid input for the scraper")])
    }
    throw error
  }
}

/** Returns the run once it has finished, or in its current state after the given seconds. */
export async function waited(
  { runs, log }: CoreParts & RunParts,
  { request, server }: Call,
  run: RunRow,
  seconds: number,
): Promise<RunRow> {
  // The wait may be longer than the idle timeout of a connection.
  server?.timeout(request, 0)
  try {
    return (await runs.wait(run.id, seconds * 1000, request.signal)) ?? run
  } catch (error) {
    // The run is stored, even if it cannot be read now: its ID must reach the caller.
    log.error({ err: error, run: run.id }, "a run that was waited for cannot be read")
    return run
  }
}

/** A response that may wait for a run, with keep-alive bytes. */
export function patiently(
  { beatMs, log }: CoreParts & RunParts,
  { request }: Call,
  work: (begin: (head: Head) => void) => Promise<Response>,
): Promise<Response> {
  return longResponse(beatMs, work, (error) =>
    log.error(
      { err: error, path: loggedPath(request.url) },
      "a call failed after its headers were sent",
    ),
  )
}
