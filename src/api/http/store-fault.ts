import type { OwnStore } from "../../store/store.ts"
import { diskFault, diskFaultWords } from "../../store/upkeep/disk-fault.ts"
import { tellsDamage } from "../../store/upkeep/soundness.ts"
import type { Logger } from "../log/log.ts"
import { loggedPath } from "../log/logged-path.ts"
import { ApiError } from "./errors.ts"

const retryAfterSeconds = 15

/** The refusal of a call that failed because of the disk; undefined when it failed otherwise. */
export function storeFault(error: unknown): ApiError | undefined {
  const fault = diskFault(error)
  if (!fault) return undefined
  // A server may be lost between two changes of a call.
  const message =
    fault === "away"
      ? `The call was not carried out to its end: ${diskFaultWords[fault]}. Try again in ${retryAfterSeconds} s; with the same Idempotency-Key, nothing is made twice.`
      : `Nothing was changed: ${diskFaultWords[fault]}. Try again in ${retryAfterSeconds} s.`
  return new ApiError(fault === "full" ? 507 : 503, message, undefined, {
    "retry-after": String(retryAfterSeconds),
  })
}

interface Told {
  log: Logger
  store: OwnStore
}

/** Logs a call that failed by a fault of ours; a damaged database in one sentence. */
export function logFailure({ log, store }: Told, error: unknown, url: string): void {
  const path = loggedPath(url)
  if (tellsDamage(error)) {
    const { message } = error as Error
    store.damage ??= message
    log.error(
      { path },
      `The database is damaged (${message}): \`trawl doctor\` says where; restore a backup.`,
    )
  } else log.error({ err: error, path }, "a call failed")
}
