import type { OwnStore } from "../../store/store.ts"
import { diskIssue, diskIssueWords } from "../../store/upkeep/disk-error.ts"
import { isDamage } from "../../store/upkeep/soundness.ts"
import type { Logger } from "../log/log.ts"
import { loggedPath } from "../log/logged-path.ts"
import { ApiError } from "./errors.ts"

const retryAfterSeconds = 15

/** The refusal of a call that failed because of the disk; undefined when it failed otherwise. */
export function storeIssue(error: unknown): ApiError | undefined {
  const issue = diskIssue(error)
  if (!issue) return undefined
  // A server may be lost between two changes of a call.
  const message =
    issue === "away"
      ? `The call was not carried out to its end: ${diskIssueWords[issue]}. Try again in ${retryAfterSeconds} s; with the same Idempotency-Key, nothing is made twice.`
      : `Nothing was changed: ${diskIssueWords[issue]}. Try again in ${retryAfterSeconds} s.`
  return new ApiError(issue === "full" ? 507 : 503, message, undefined, {
    "retry-after": String(retryAfterSeconds),
  })
}

interface Reported {
  log: Logger
  store: OwnStore
}

/** Logs a call that failed by a fault of ours; a damaged database in one sentence. */
export function logFailure({ log, store }: Reported, error: unknown, url: string): void {
  const path = loggedPath(url)
  if (isDamage(error)) {
    const { message } = error as Error
    store.damage ??= message
    log.error(
      { path },
      `The database is damaged (${message}): \`trawl doctor\` says where; restore a backup.`,
    )
  } else log.error({ err: error, path }, "a call failed")
}
