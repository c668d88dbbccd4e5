import { hourMs } from "../../base/time.ts"
import { type InputIssue, maxIssues } from "../../catalogue/kit/index.ts"
import { itemBodies } from "../../store/runs/items.ts"
import { isOver } from "../../store/runs/runs.ts"
import type { RunRow } from "../../store/tables/schema.ts"
import { refusedIssue } from "../schemas/run-input.ts"
import type { CoreParts, QuotaParts, RunParts, ScraperParts } from "../service-parts.ts"
import type { AnonymousCaller } from "./caller.ts"

/** Time after which a run that has not finished keeps its charge. */
const maxMs = hourMs
/** Maximum error items to read. */
const maxErrors = 1000

const wrongInput = new Set(["invalid_input"])

/** Error codes of network failures, of sites that refuse the server, and of the service itself. */
const notTheCallers = new Set([
  ...wrongInput,
  "dns",
  "connection",
  "tls",
  "too_many_open_files",
  "egress_denied",
  "timeout",
  "upstream_error",
  "blocked",
  "rate_limited",
  "login_required",
  "missing_credentials",
  "app_shell",
  "layout_changed",
  "outdated_site_constant",
  "parse_error",
  "crashed",
  "browser_unavailable",
  "browser_crashed",
])

/** Returns whether a call whose targets all failed with this code leaves the daily free quota as it was. */
export const isFreeOfQuota = (code: string): boolean => notTheCallers.has(code)

type ErrorItem = Record<string, unknown> & { error: { code: string; message: string } }

/** The error items of a run without other items; undefined if it has other items. */
export async function onlyErrors(
  { store }: CoreParts,
  run: RunRow,
): Promise<ErrorItem[] | undefined> {
  if (run.item_count > 0) return undefined
  const items: ErrorItem[] = []
  for await (const body of itemBodies(store.db, run.n, { limit: maxErrors })) {
    items.push(JSON.parse(body))
  }
  return items
}

/** The issues of a run whose targets were all invalid input; undefined for any other run. */
export async function inputIssues(
  service: CoreParts & ScraperParts,
  run: RunRow,
): Promise<InputIssue[] | undefined> {
  const scraper = service.scraper(run.slug)
  const errors = await onlyErrors(service, run)
  if (!scraper || !errors || errors.length === 0) return undefined
  if (!errors.every(({ error }) => wrongInput.has(error.code))) return undefined
  const input = JSON.parse(run.input)
  return errors
    .slice(0, maxIssues)
    .map((item) => refusedIssue(scraper, input, item.error.message, item))
}

/**
 * Waits for the end of a call's run, and returns the call to the daily free quota if it failed for a
 * reason other than its input, or if the response could not be delivered.
 */
export async function settle(
  service: CoreParts & QuotaParts & RunParts,
  { subjects }: AnonymousCaller,
  { id }: RunRow,
  isLost: () => boolean,
): Promise<void> {
  const run = await service.runs.wait(id, maxMs)
  // The run was lost with a database server before it was stored.
  if (!run) return void (await service.freeQuota.refund(subjects, 0))
  const heldMs = Date.parse(run.finished_at ?? "") - Date.parse(run.started_at ?? "")
  const refund = () => service.freeQuota.refund(subjects, Number.isFinite(heldMs) ? heldMs : 0)
  if (isLost()) return void (await refund())
  if (!isOver(run.status) || run.status === "aborted") return
  const errors = await onlyErrors(service, run)
  if (!errors) return
  const codes = errors.map(({ error }) => error.code)
  // The run itself ended early: its deadline passed, or its worker crashed.
  if (run.status === "timed_out" || codes.length === 0) codes.push(run.error_code ?? run.status)
  if (!codes.every(isFreeOfQuota)) return
  await refund()
}
