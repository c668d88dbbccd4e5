import { diskIssue, diskIssueWords } from "../../store/db/disk/disk-error.ts"
import type { OwnStore } from "../../store/store.ts"
import { isDamage } from "../../store/upkeep/soundness.ts"
import type { Logger } from "../log/log.ts"
import { loggedPath } from "../log/logged-path.ts"
import { ApiError } from "./errors.ts"

const retryAfterSeconds = 15

/**
 * Returns the error response for a call that failed because of the disk or the database; undefined
 * for other failures.
 */
export function storeIssue(error: unknown): ApiError | undefined {
  const issue = diskIssue(error)
  if (!issue) return undefined
  // The database server may be lost between two changes of a call.
  const message =
    issue === "away"
      ? `The call was interrupted: ${diskIssueWords[issue]}. Try again in ${retryAfterSeconds} s. With the same Idempotency-Key, nothing is created twice.`
      : `Nothing was changed: ${diskIssueWords[issue]}. Try again in ${retryAfterSeconds} s.`
  return new ApiError(issue === "full" ? 507 : 503, message, undefined, {
    "retry-after": String(retryAfterSeconds),
  })
}

interface Reported {
  log: Logger
  store: OwnStore
}

/** Logs a failed call. A damaged database is reported in one sentence. */
export function logFailure({ log, store }: Reported, error: unknown, url: string): void {
  const path = loggedPath(url)
  if (isDamage(error)) {
    const { message } = error as Error
    store.damage ??= message
    log.error(
      { path },
      `The database is damaged (${message}). Run \`trawl doctor\` for details, and restore a backup.`,
    )
  } else log.error({ err: error, path }, "a call failed")
}
