import type { ScheduleRow } from "../../../store/automation/schedules.ts"
import { newId } from "../../../store/db/ids.ts"
import { isOver } from "../../../store/runs/runs.ts"
import type { RunRow } from "../../../store/tables/schema.ts"
import { requireFullKey } from "../../http/access.ts"
import { ApiError, notFound } from "../../http/errors.ts"
import type {
  AccessParts,
  ClientParts,
  CoreParts,
  RunParts,
  ScraperParts,
} from "../../service-parts.ts"
import { runScheduleNow } from "../../v1/schedule-runs.ts"
import { accountOf } from "../common/account-run.ts"
import type { Work } from "../common/refusal.ts"
import { errorOf, type Item } from "../common/run-now.ts"
import { changeTracking } from "./change-tracking.ts"
import { documentOf } from "./document.ts"
import { crawlSlug } from "./jobs.ts"
import {
  type Check,
  checkedPages,
  checksOf,
  isPageStatus,
  pageStatusOf,
  type Summary,
  summaryOf,
} from "./monitor-summary.ts"
import { ownMonitor, pageOf, targetId } from "./monitors.ts"
import type { Json } from "./options.ts"

const maxChecks = 1000
/** Maximum characters per response; `next` has the rest. */
const maxCharacters = 1_000_000

const noPages: Summary = { totalPages: 0, same: 0, new: 0, changed: 0, removed: 0, error: 0 }

/** The ID of a check: its run's, or its own if the scheduled run did not start. */
const checkId = ({ scheduledRun }: Check) =>
  scheduledRun.run_id ?? `${scheduledRun.schedule_id}-${Date.parse(scheduledRun.due_at)}`

function statusOf({ scheduledRun, run }: Check): string {
  if (scheduledRun.outcome === "skipped") return "skipped_overlap"
  if (scheduledRun.outcome === "out_of_credit") return "skipped_no_credits"
  if (!run) return "failed"
  if (run.status === "queued") return "queued"
  if (!isOver(run.status)) return "running"
  if (run.status !== "succeeded") return "failed"
  return run.error_count > 0 ? "partial" : "completed"
}

async function checkResponse(service: CoreParts, monitor: ScheduleRow, check: Check) {
  const { scheduledRun, run } = check
  const isManual = scheduledRun.due_at === scheduledRun.fired_at
  const billed = run?.credits_charged ?? 0
  return {
    id: checkId(check),
    monitorId: monitor.id,
    status: statusOf(check),
    trigger: isManual ? "manual" : "scheduled",
    scheduledFor: isManual ? null : scheduledRun.due_at,
    startedAt: run?.started_at ?? null,
    finishedAt: run?.finished_at ?? null,
    estimatedCredits: null,
    reservedCredits: null,
    actualCredits: billed,
    billingStatus: billed > 0 ? "confirmed" : "not_applicable",
    summary: run ? await summaryOf(service.store.db, run) : noPages,
    targetResults: [
      {
        targetId: targetId(monitor.id),
        ...(monitor.slug === crawlSlug
          ? { type: "crawl", ...(run && { crawlId: run.id }) }
          : { type: "scrape" }),
      },
    ],
    notificationStatus: null,
    error: run?.error_message ?? null,
    createdAt: scheduledRun.fired_at,
    updatedAt: run?.finished_at ?? scheduledRun.fired_at,
  }
}

export function listChecks(service: CoreParts & ClientParts & AccessParts): Work {
  return async (call, { monitor }) => {
    const row = await ownMonitor(service, call, monitor!)
    const { limit, offset } = pageOf(call)
    const status = new URL(call.request.url).searchParams.get("status")
    const checks = await checksOf(service.store.db, row, status ? maxChecks : offset + limit)
    const wanted = status ? checks.filter((check) => statusOf(check) === status) : checks
    const visible = wanted.slice(offset, offset + limit)
    const data: object[] = []
    for (const check of visible) data.push(await checkResponse(service, row, check))
    return { success: true, data, pagination: { limit, offset } }
  }
}

export function runMonitor(
  service: CoreParts & ClientParts & AccessParts & ScraperParts & RunParts,
): Work {
  return async (call, { monitor }) => {
    const row = await ownMonitor(service, call, monitor!)
    requireFullKey(call.request)
    const { keyId } = await accountOf(service, call)
    const runId = newId("run")
    await runScheduleNow(service, row, { runId, keyId })
    return {
      success: true,
      data: await checkResponse(service, row, await checkOf(service, row, runId)),
    }
  }
}

/** @throws ApiError 404 */
async function checkOf(service: CoreParts, row: ScheduleRow, id: string): Promise<Check> {
  const checks = await checksOf(service.store.db, row, maxChecks)
  const check = checks.find((one) => checkId(one) === id)
  if (!check) throw notFound("check", id)
  return check
}

export function getCheck(service: CoreParts & ClientParts & AccessParts): Work {
  return async (call, { monitor, check: id }) => {
    const row = await ownMonitor(service, call, monitor!)
    const check = await checkOf(service, row, id!)
    const { pathname, searchParams } = new URL(call.request.url)
    const status = searchParams.get("status") ?? undefined
    if (status !== undefined && !isPageStatus(status)) {
      throw new ApiError(400, '"status" must be same, new, changed, removed or error.')
    }
    const { limit } = pageOf(call)
    const skip = Math.max(0, Math.floor(Number(searchParams.get("skip")) || 0))
    const { pages, isMore } = check.run
      ? await pagesOf(service, row, check.run, { status, skip, limit })
      : { pages: [], isMore: false }
    const rest = new URLSearchParams({ skip: String(skip + pages.length), limit: String(limit) })
    if (status) rest.set("status", status)
    return {
      success: true,
      data: { ...(await checkResponse(service, row, check)), pages },
      ...(isMore && { next: `${service.root(call)}${pathname}?${rest}` }),
    }
  }
}

async function pagesOf(
  service: CoreParts,
  row: ScheduleRow,
  run: RunRow,
  { status, skip, limit }: { status: string | undefined; skip: number; limit: number },
) {
  const { extract } = JSON.parse(run.input) as Json
  const pages: object[] = []
  let passed = 0
  let characters = 0
  for await (const item of checkedPages(service.store.db, run.n)) {
    if (status && pageStatusOf(item) !== status) continue
    if (passed++ < skip) continue
    if (pages.length === limit || characters > maxCharacters) return { pages, isMore: true }
    const page = pageResponse(item, { row, run, position: passed, byFields: extract !== undefined })
    characters += JSON.stringify(page).length
    pages.push(page)
  }
  return { pages, isMore: false }
}

function pageResponse(
  item: Item,
  of: { row: ScheduleRow; run: RunRow; position: number; byFields: boolean },
) {
  const { row, run, position, byFields } = of
  const error = errorOf(item)
  const { diff, json } = error
    ? {}
    : (changeTracking(item, ["git-diff", ...(byFields ? (["json"] as const) : [])]) as {
        diff?: { text: string; json: object }
        json?: object
      })
  const data = (item.extracted as { data?: Json } | undefined)?.data
  const isChanged = diff !== undefined || json !== undefined
  return {
    id: `${run.id}-${position}`,
    targetId: targetId(row.id),
    url: item.url ?? item.input,
    status: pageStatusOf(item),
    previousScrapeId: null,
    currentScrapeId: null,
    statusCode: item.statusCode ?? null,
    error: error?.message ?? null,
    metadata: error ? null : documentOf(item, { forms: [] }).metadata,
    diff: isChanged ? { ...(diff && { text: diff.text }), json: json ?? diff?.json } : null,
    snapshot: byFields && data ? { json: data } : null,
    judgment: null,
    createdAt: item.fetchedAt ?? run.created_at,
  }
}
