import type { RunRow } from "../../store/tables/schema.ts"
import type { Logger } from "../log/log.ts"

/** Logs the start of a run, and the end of each attempt. */
export function logRun(log: Logger, run: RunRow): void {
  const who = {
    run: run.id,
    scraper: run.slug,
    origin: run.origin,
    ...(run.account_id !== null && { account: run.account_id }),
    ...(run.key_id !== null && { key: run.key_id }),
  }
  if (run.status === "running") {
    log.info({ ...who, attempt: run.attempt, targets: run.targets_total }, "run begins")
    return
  }
  const ended = {
    ...who,
    status: run.status,
    items: run.item_count,
    errors: run.error_count,
    pages: run.page_count,
    credits: run.credits_charged,
    ...(run.started_at !== null && {
      ms: Date.parse(run.finished_at ?? new Date().toISOString()) - Date.parse(run.started_at),
    }),
    ...(run.error_code !== null && { code: run.error_code, reason: run.error_message }),
  }
  if (run.status === "queued") log.info(ended, `run queued again: ${run.status_message}`)
  else
    log[run.status === "failed" || run.status === "timed_out" ? "warn" : "info"](ended, "run ends")
}
