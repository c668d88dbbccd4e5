import {
  listSchedules,
  type ScheduleRow,
  scheduleById,
} from "../../../store/automation/schedules.ts"
import { newId } from "../../../store/db/ids.ts"
import { isOver } from "../../../store/runs/runs.ts"
import { requireFullKey } from "../../http/access.ts"
import { ApiError, invalid, notFound } from "../../http/errors.ts"
import { checkRunInput } from "../../schemas/run-input.ts"
import type { Call } from "../../service.ts"
import type {
  AccessParts,
  ClientParts,
  CoreParts,
  RunParts,
  ScraperParts,
} from "../../service-parts.ts"
import { firstCheck } from "../../v1/schedule-runs.ts"
import { checkedNext, checkedSchedule, maxSchedules } from "../../v1/schedules.ts"
import { knownScraper } from "../../v1/scrapers.ts"
import { accountOf } from "../common/account-run.ts"
import { bodyOf } from "../common/body.ts"
import { notOffered, type Work } from "../common/refusal.ts"
import { pageSlug, textOf } from "./calls.ts"
import { crawlInput } from "./crawl-input.ts"
import { callerOf } from "./extraction.ts"
import { crawlSlug, jobSlugs } from "./jobs.ts"
import { lastCheck, summaryOf } from "./monitor-summary.ts"
import { type Caller, type Json, pageOptions, unheard, withoutEffect } from "./options.ts"
import { cronOfText } from "./schedule-text.ts"

/** Maximum pages per monitor. A check reads the items of all of them for its summary. */
const maxPages = 100
const maxListed = 100

/** A monitor notifies when the Markdown of a page changes. */
const conditions = [{ when: "changed" as const, field: "markdown" }]

/** The supported parts of a monitor's request. */
interface Wanted {
  name?: string
  clock?: { cron: string; timeZone: string }
  slug?: string
  input?: Json
  enabled?: boolean
  warning?: string
}

const known = [
  "name",
  "schedule",
  "targets",
  "status",
  "webhook",
  "notification",
  "judgeEnabled",
  "origin",
]

/** Reads a monitor's request. @throws ApiError 400 for options that Trawl does not have */
function wantedOf(body: Json, id: string, caller: Caller): Wanted {
  requireChannels(body)
  const { name, schedule, targets, status } = body
  const target = targets === undefined ? undefined : targetOf(targets, id, caller)
  const silent = unheard(body, known)
  const warnings = [silent.length > 0 ? withoutEffect(silent) : "", target?.warning ?? ""]
  const warning = warnings.filter(Boolean).join(" ")
  if (status !== undefined && status !== "active" && status !== "paused") {
    throw new ApiError(400, '"status" must be active or paused.')
  }
  return {
    ...(name !== undefined && { name: nameOf(name) }),
    ...(schedule !== undefined && { clock: clockOf(schedule) }),
    ...(target && { slug: target.slug, input: target.input }),
    ...(status !== undefined && { enabled: status === "active" }),
    ...(warning && { warning }),
  }
}

function nameOf(name: unknown): string {
  if (typeof name === "string" && name.trim() !== "" && name.length <= 200) return name.trim()
  throw new ApiError(400, '"name" must be a string of 1 to 200 characters.')
}

/** @throws ApiError 400 */
function clockOf(schedule: unknown): { cron: string; timeZone: string } {
  const { cron, text, timezone = "UTC" } = (schedule ?? {}) as Json
  const timeZone = String(timezone).slice(0, 100)
  if (typeof cron === "string") return { cron: cron.slice(0, 200), timeZone }
  if (typeof text === "string") return { cron: cronOfText(text), timeZone }
  throw new ApiError(400, '"schedule" needs "cron" or "text".')
}

/**
 * Refuses receivers in the request, because the account's own channels notify of its monitors.
 * @throws ApiError 400
 */
function requireChannels({ webhook, notification }: Json): void {
  const instead = 'The account\'s webhooks and channels receive the event "monitor.changed".'
  if (webhook) throw notOffered('"webhook" of a monitor', instead)
  const { email } = (notification ?? {}) as { email?: Json }
  const isOff = !email || email.enabled === false
  if (!isOff) throw notOffered('"notification.email" of a monitor', instead)
}

/** Returns the scraper and the input of a monitor's target. @throws ApiError 400 */
function targetOf(targets: unknown, id: string, caller: Caller) {
  const [target, ...more] = (Array.isArray(targets) ? targets : []) as Json[]
  if (!target) throw new ApiError(400, '"targets" must be a list with one target.')
  if (more.length > 0)
    throw notOffered("More than one target in a monitor", "Create one monitor per target.")
  if (target.type === "crawl") return crawlTargetOf(target, id, caller)
  if (target.type !== "scrape") {
    const instead = "Supported targets: scrape and crawl. Use /v2/search for a single search."
    throw notOffered(`The target "${String(target.type).slice(0, 40)}"`, instead)
  }
  const { urls, scrapeOptions = {} } = target
  const isList = Array.isArray(urls) && urls.every((url) => typeof url === "string")
  if (!isList || urls.length === 0 || urls.length > maxPages) {
    throw new ApiError(400, `"targets[0].urls" must be a list of 1 to ${maxPages} URLs.`)
  }
  const { formats, ...page } = scrapeOptions as Json
  const options = pageOptions({ ...page, formats: withChanges(formats) }, caller)
  if (options.hasResults) throw notOffered("An action with a result in a monitor")
  const input: Json = { ...options.input, urls, changes: { tag: id } }
  return { slug: pageSlug, input, warning: options.warning }
}

/** Default maximum of pages of a crawl in a monitor. A check reads the items of all of them. */
const usualCrawlPages = 100

function crawlTargetOf({ url, crawlOptions, scrapeOptions }: Json, id: string, caller: Caller) {
  const { scrapeOptions: own, ...options } = (crawlOptions ?? {}) as Json
  const { formats, ...page } = (scrapeOptions ?? own ?? {}) as Json
  const body = {
    limit: usualCrawlPages,
    ...options,
    url,
    scrapeOptions: { ...page, formats: withChanges(formats) },
  }
  const { input, warning } = crawlInput(textOf(body, "url"), body, caller)
  return { slug: crawlSlug, input: { ...input, changes: { tag: id } } as Json, warning }
}

/** Adds change tracking to the formats: as a diff, unless they request another mode. */
function withChanges(formats: unknown): unknown[] {
  const list = Array.isArray(formats) ? formats : ["markdown"]
  const isChanges = (one: unknown) => {
    const type = typeof one === "string" ? one : (one as Json | null)?.type
    return type === "changeTracking"
  }
  return list.some(isChanges) ? list : [...list, { type: "changeTracking", modes: ["git-diff"] }]
}

const isMonitor = ({ id, slug, input }: ScheduleRow) =>
  jobSlugs.includes(slug) &&
  (JSON.parse(input) as { changes?: { tag?: string } }).changes?.tag === id

async function monitorResponse(service: CoreParts, row: ScheduleRow) {
  const { db } = service.store
  const last = await lastCheck(db, row)
  const input = JSON.parse(row.input) as Json & { formats?: string[]; startUrls?: string[] }
  const { urls, startUrls, maxPages: limit, maxDepth, extract, formats = [] } = input
  const target = startUrls
    ? { type: "crawl", url: startUrls[0], crawlOptions: { limit, maxDiscoveryDepth: maxDepth } }
    : { type: "scrape", urls }
  const modes = ["git-diff", ...(extract ? ["json"] : [])]
  return {
    id: row.id,
    name: row.name ?? row.id,
    status: row.enabled === 1 ? "active" : "paused",
    schedule: { cron: row.cron, timezone: row.time_zone },
    nextRunAt: row.next_at,
    lastRunAt: last?.scheduledRun.fired_at ?? null,
    currentCheckId: last?.run && !isOver(last.run.status) ? last.run.id : null,
    targets: [
      {
        id: targetId(row.id),
        ...target,
        scrapeOptions: {
          formats: [
            "markdown",
            ...formats.filter((form) => form !== "metadata"),
            { type: "changeTracking", modes },
          ],
        },
      },
    ],
    webhook: null,
    notification: null,
    retentionDays: service.config.retentionDays,
    estimatedCreditsPerMonth: null,
    lastCheckSummary: last?.run && isOver(last.run.status) ? await summaryOf(db, last.run) : null,
    goal: null,
    judgeEnabled: false,
    createdAt: row.created_at,
    updatedAt: row.created_at,
  }
}

export const targetId = (monitorId: string) => `${monitorId}-1`

/** A monitor of the account. @throws ApiError 404 */
export async function ownMonitor(
  service: CoreParts & ClientParts & AccessParts,
  call: Call,
  id: string,
): Promise<ScheduleRow> {
  const { accountId } = await accountOf(service, call)
  const row = await scheduleById(service.store.db, { id, accountId })
  if (!row || !isMonitor(row)) throw notFound("monitor", id)
  return row
}

export function createMonitor(
  service: CoreParts & ClientParts & AccessParts & ScraperParts & RunParts,
): Work {
  return async (call) => {
    const { accountId, keyId } = await accountOf(service, call)
    requireFullKey(call.request)
    const id = newId("sch")
    const wanted = wantedOf(await bodyOf(call), id, callerOf(service, call))
    const { name, clock, slug = pageSlug, input, enabled = true, warning } = wanted
    if (!name) throw new ApiError(400, '"name" is required: a non-empty string.')
    if (!clock) throw new ApiError(400, '"schedule" needs "cron" or "text".')
    if (!input) throw new ApiError(400, '"targets" must be a list with one target.')
    const create = await checkedSchedule(service, accountId, {
      scraper: slug,
      name,
      input,
      ...clock,
      enabled,
      misfirePolicy: "skip",
      conditions,
    })
    const row = await create(id)
    await firstCheck(service, row, keyId)
    return { success: true, ...(warning && { warning }), data: await monitorResponse(service, row) }
  }
}

export function listMonitors(service: CoreParts & ClientParts & AccessParts): Work {
  return async (call) => {
    const { accountId } = await accountOf(service, call)
    const { limit, offset } = pageOf(call)
    const all = { limit: maxSchedules, offset: 0 }
    const { rows } = await listSchedules(service.store.db, accountId, all)
    const monitors = rows.filter(isMonitor)
    const visible = monitors.slice(offset, offset + limit)
    const data = await Promise.all(visible.map((row) => monitorResponse(service, row)))
    return { success: true, data, pagination: { limit, offset, total: monitors.length } }
  }
}

/** @throws ApiError 400 */
export function pageOf({ request }: Call): { limit: number; offset: number } {
  const { searchParams } = new URL(request.url)
  const count = (name: string, or: number, min: number) => {
    const written = searchParams.get(name)
    const value = written === null ? or : Number(written)
    if (Number.isInteger(value) && value >= min) return value
    throw new ApiError(400, `"${name}" must be a whole number from ${min}, not "${written}".`)
  }
  return { limit: Math.min(count("limit", 20, 1), maxListed), offset: count("offset", 0, 0) }
}

export function getMonitor(service: CoreParts & ClientParts & AccessParts): Work {
  return async (call, { monitor }) => ({
    success: true,
    data: await monitorResponse(service, await ownMonitor(service, call, monitor!)),
  })
}

export function changeMonitor(service: CoreParts & ClientParts & AccessParts & ScraperParts): Work {
  return async (call, { monitor }) => {
    const row = await ownMonitor(service, call, monitor!)
    requireFullKey(call.request)
    const wanted = wantedOf(await bodyOf(call), row.id, callerOf(service, call))
    const { name = row.name, clock = { cron: row.cron, timeZone: row.time_zone } } = wanted
    const { enabled = row.enabled === 1, slug = row.slug, input, warning } = wanted
    if (slug !== row.slug) {
      throw notOffered("Changing the target type of a monitor", "Create a monitor.")
    }
    const next = checkedNext(clock.cron, clock.timeZone)
    const set = {
      name,
      cron: clock.cron,
      time_zone: clock.timeZone,
      enabled: enabled ? 1 : 0,
      next_at: enabled ? next.toISOString() : null,
      ...(input && { input: checkedPages(service, slug, input), input_error: null }),
      ...(wanted.enabled && { disabled_reason: null }),
    }
    const of = { id: row.id, accountId: row.account_id }
    const current = await service.store.write("schedules.change", { ...of, set })
    const data = await monitorResponse(service, current ?? row)
    return { success: true, ...(warning && { warning }), data }
  }
}

/** @throws ApiError 400 */
function checkedPages(service: ScraperParts, slug: string, input: Json): string {
  const checked = checkRunInput(knownScraper(service, slug), input)
  if (!checked.ok) throw invalid(checked.issues)
  return JSON.stringify(checked.input)
}

export function deleteMonitor(service: CoreParts & ClientParts & AccessParts): Work {
  return async (call, { monitor }) => {
    const { id, account_id: accountId } = await ownMonitor(service, call, monitor!)
    requireFullKey(call.request)
    await service.store.write("schedules.delete", { id, accountId })
    return { success: true }
  }
}
