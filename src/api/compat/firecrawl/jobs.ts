import { daysFrom } from "../../../base/time.ts"
import { completeUrl } from "../../../extract/links/index.ts"
import { itemBodies } from "../../../store/runs/items.ts"
import { accountRun } from "../../../store/runs/run-lists.ts"
import { isOver } from "../../../store/runs/runs.ts"
import type { RunStatus } from "../../../store/tables/run-status.ts"
import type { RunRow } from "../../../store/tables/schema.ts"
import { ApiError } from "../../http/errors.ts"
import { withLinks } from "../../http/item-files.ts"
import type { Call } from "../../service.ts"
import type {
  AccessParts,
  ClientParts,
  CoreParts,
  RunParts,
  ScraperParts,
} from "../../service-parts.ts"
import { ownRunOf, runnerOf, startRun } from "../common/account-run.ts"
import { bodyOf } from "../common/body.ts"
import { secretOf } from "../common/receiver.ts"
import { notOffered, type Work } from "../common/refusal.ts"
import { errorOf } from "../common/run-now.ts"
import { pageSlug, textOf } from "./calls.ts"
import type { ChangeOptions } from "./change-tracking.ts"
import { crawlInput } from "./crawl-input.ts"
import { documentOf } from "./document.ts"
import { callerOf, isSummary, type ObjectForm } from "./extraction.ts"
import { type Form, type Json, pageOptions, requireJobForms, type Version } from "./options.ts"
import { addHook, type HookOptions, hookWanted } from "./webhooks.ts"

export const crawlSlug = "website-content-crawler"
const maxErrors = 1000
/** Maximum documents per response; `next` has the rest. */
const maxDocuments = 100
const maxCharacters = 1_000_000

export type Kind = "crawl" | "batch/scrape"
/** Both kinds of job are found at both routes, because older clients read batches as crawls. */
export const jobSlugs = [crawlSlug, pageSlug]
/**
 * Clients poll every two seconds, so the response waits this long for a job that is about to
 * finish.
 */
export const nearMs = 700

export function startCrawl(
  service: CoreParts & ClientParts & AccessParts & ScraperParts & RunParts,
  version: Version,
): Work {
  return async (call) => {
    const body = await bodyOf(call)
    const url = textOf(body, "url")
    const { input, warning } = crawlInput(url, body, callerOf(service, call))
    const hook = hookOf(service, call, body, "crawl")
    return startOnce(
      service,
      call,
      { version, kind: "crawl", slug: crawlSlug, input, hook },
      {
        ...(warning && { warning }),
      },
    )
  }
}

export function startBatch(
  service: CoreParts & ClientParts & AccessParts & ScraperParts & RunParts,
  version: Version,
): Work {
  return async (call) => {
    const body = await bodyOf(call)
    if (body.appendToId) throw notOffered('"appendToId"')
    const apart = ["webhook", "ignoreInvalidURLs", "maxConcurrency"]
    const { forms, input, warning } = pageOptions(body, { apart, ...callerOf(service, call) })
    requireJobForms(forms)
    const { valid, invalid } = urlsOf(body, version)
    const hook = hookOf(service, call, body, "batch_scrape")
    const pages = { ...input, urls: valid }
    const job = { version, kind: "batch/scrape" as const, slug: pageSlug, input: pages, hook }
    return startOnce(service, call, job, {
      ...(invalid && { invalidURLs: invalid }),
      ...(warning && { warning }),
    })
  }
}

interface JobStart {
  version: Version
  kind: Kind
  slug: string
  input: Json
  hook: ReturnType<typeof hookOf>
}

/** Starts a job, once per idempotency key. @throws ApiError */
async function startOnce(
  service: CoreParts & ClientParts & AccessParts & ScraperParts & RunParts,
  call: Call,
  job: JobStart,
  more: Json,
) {
  const { version, kind, slug, input, hook } = job
  const { accountId } = await runnerOf(service, call)
  const root = service.root(call)
  const { request } = call
  const list = `${root}/${version}/${kind}`
  return service.idempotency.response(
    { request, accountId, prefix: "run", list },
    async (id, isRepeated) => {
      const earlier = isRepeated ? await accountRun(service.store.db, { id, accountId }) : undefined
      const run = earlier ?? (await startRun(service, call, slug, input, { ...hook, id }))
      const secret = hook.before && { webhookSecret: secretOf(service, accountId, run.id) }
      return { status: 200, body: started(root, version, kind, run, { ...more, ...secret }) }
    },
  )
}

/** Creates the job's webhook, if requested, before the run. @throws ApiError 400 */
function hookOf(
  service: CoreParts & ClientParts,
  call: Call,
  body: Json,
  type: HookOptions["type"],
) {
  const wanted = hookWanted(body)
  if (!wanted) return {}
  const root = service.root(call)
  return {
    before: (run: { runId: string; accountId: string }) =>
      addHook(service, { wanted, type, root, ...run }),
  }
}

/**
 * Separates valid URLs from invalid ones. v2 skips invalid ones by default, v1 on request. @throws
 * ApiError 400
 */
function urlsOf({ urls, ignoreInvalidURLs }: Json, version: Version) {
  if (!Array.isArray(urls) || !urls.every((one) => typeof one === "string")) {
    throw new ApiError(400, '"urls" must be a list of URLs.')
  }
  const valid = urls.filter((url) => completeUrl(url) !== null)
  const invalid = urls.filter((url) => completeUrl(url) === null)
  if (ignoreInvalidURLs ?? version === "v2") {
    if (valid.length > 0) return { valid, invalid }
    throw new ApiError(400, '"urls" contains no http or https URL.')
  }
  if (invalid.length === 0) return { valid }
  throw new ApiError(
    400,
    `"urls" has "${invalid[0]!.slice(0, 60)}", which is not an http or https URL. To skip such values, set "ignoreInvalidURLs" to true.`,
  )
}

function started(root: string, version: Version, kind: Kind, { id }: RunRow, more: Json) {
  return { success: true, id, url: `${root}/${version}/${kind}/${id}`, ...more }
}

export const states: Partial<Record<RunStatus, string>> = {
  succeeded: "completed",
  failed: "failed",
  timed_out: "failed",
  aborting: "cancelled",
  aborted: "cancelled",
}

/** The progress of a job with a page of its documents. Failed pages are in the job's errors. */
export function jobStatus(
  service: CoreParts & ClientParts & AccessParts & RunParts,
  version: Version,
  kind: Kind,
): Work {
  return async (call, { id }) => {
    const status = await ownRunOf(service, call, id!, jobSlugs)
    const run = isOver(status.status)
      ? status
      : ((await service.runs.wait(status.id, nearMs, call.request.signal)) ?? status)
    const { searchParams } = new URL(call.request.url)
    const skip = Math.max(0, Number(searchParams.get("skip")) || 0)
    const limit = Math.min(maxDocuments, Number(searchParams.get("limit")) || maxDocuments)
    const root = service.root(call)
    const data = await documentsOf(service, run, { root, skip, limit })
    const read = skip + data.length
    return {
      success: true,
      ...statusOf(service, run),
      ...(read < run.item_count && { next: `${root}/${version}/${kind}/${run.id}?skip=${read}` }),
      data,
    }
  }
}

/** The progress of a job without documents. */
export function statusOf(service: CoreParts, run: RunRow) {
  return {
    status: states[run.status] ?? "scraping",
    ...progressOf(run),
    creditsUsed: run.credits_charged,
    expiresAt: expiryOf(service, run),
    ...(run.error_message && { error: run.error_message }),
  }
}

/**
 * Returns at least one document if there is one, up to a maximum number of documents and
 * characters.
 */
export async function documentsOf(
  { store: { db } }: CoreParts,
  run: RunRow,
  { root, skip, limit = maxDocuments }: { root: string; skip: number; limit?: number },
): Promise<object[]> {
  const forms = formsOf(run)
  const whose = { root, accountId: run.account_id }
  const data: object[] = []
  let characters = 0
  for await (const body of itemBodies(db, run.n, { clean: true, offset: skip, limit })) {
    data.push(documentOf(await withLinks(db, JSON.parse(body), whose), forms))
    characters += body.length
    if (characters > maxCharacters) break
  }
  return data
}

/**
 * The progress of a job. A crawl finds more URLs than it reads, some of them twice; only pages that
 * were read count.
 */
function progressOf(run: RunRow) {
  if (run.slug !== crawlSlug) return { total: run.targets_total, completed: run.targets_done }
  const { maxPages = 0 } = JSON.parse(run.input) as { maxPages?: number }
  const completed = run.item_count + run.error_count
  const expected = Math.min(maxPages, run.targets_total)
  return { total: isOver(run.status) ? completed : Math.max(completed, expected), completed }
}

interface DocumentParts {
  forms: Form[]
  object?: { form: ObjectForm }
  changes?: Pick<ChangeOptions, "modes">
  hasResults: boolean
  facts: { scrapeId: string }
}

/**
 * The formats of a job: those of its items for a crawl, those of its input and Markdown for a
 * batch.
 */
export function formsOf({ id, slug, input }: RunRow): DocumentParts {
  const {
    formats = [],
    extract,
    attributes = [],
    actions = [],
    pdf,
    includeBranding,
    changes,
  } = JSON.parse(input) as {
    formats?: Form[]
    extract?: Json
    attributes?: unknown[]
    actions?: { type: string }[]
    pdf?: Json
    includeBranding?: boolean
    changes?: Json
  }
  const returns = ({ type }: { type: string }) => ["screenshot", "html", "script"].includes(type)
  const object = extract && { form: isSummary(extract) ? ("summary" as const) : ("json" as const) }
  const links = slug === crawlSlug ? ["links" as const] : []
  const own: Form[] = [
    ...(attributes.length > 0 ? ["attributes" as const] : []),
    ...(includeBranding ? ["branding" as const] : []),
    ...(changes ? ["changeTracking" as const] : []),
  ]
  return {
    forms: ["markdown", ...links, ...formats, ...own],
    // The modes are not stored: a job returns each mode that it has data for.
    ...(changes && { changes: { modes: ["git-diff", ...(extract ? ["json" as const] : [])] } }),
    facts: { scrapeId: id },
    ...(object && { object }),
    hasResults: pdf !== undefined || actions.some(returns),
  }
}

const yearDays = 365

export function expiryOf({ config }: CoreParts, { finished_at }: RunRow): string {
  // Clients expect an expiry date. Runs that are kept forever get one a year ahead.
  const days = config.retentionDays || yearDays
  const from = finished_at === null ? Date.now() : Date.parse(finished_at)
  return daysFrom(from, days)
}

export function jobErrors(service: CoreParts & ClientParts & AccessParts): Work {
  return async (call, { id }) => {
    const run = await ownRunOf(service, call, id!, jobSlugs)
    const errors: Json[] = []
    const robotsBlocked: string[] = []
    const { db } = service.store
    for await (const body of itemBodies(db, run.n, { failed: true, limit: maxErrors })) {
      const item = JSON.parse(body) as Json
      const { code, message } = errorOf(item)!
      const url = String(item.url ?? item.input)
      if (code === "robots_disallowed") robotsBlocked.push(url)
      else errors.push({ id: `${run.id}-${errors.length + 1}`, url, code, error: message })
    }
    return { errors, robotsBlocked }
  }
}

export function cancelJob(service: CoreParts & ClientParts & AccessParts & RunParts): Work {
  return async (call, { id }) => {
    const run = await ownRunOf(service, call, id!, jobSlugs)
    if (isOver(run.status))
      throw new ApiError(409, `The job has already finished: ${states[run.status]} already.`)
    await service.runs.abort(run.id)
    return { success: true, status: "cancelled" }
  }
}
