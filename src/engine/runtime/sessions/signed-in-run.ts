import { abortable } from "../../../base/clock.ts"
import { Aborted, BadInput, ScrapeError, Timeout } from "../../../catalogue/kit/index.ts"
import type { RunRow } from "../../../store/tables/schema.ts"
import type { Environment } from "../../fetch/environment.ts"
import { RunSession } from "../../net/sessions/run-session.ts"
import { executeRun, type RunEnd } from "../run/execute.ts"
import type { RunOptions } from "../run/run-options.ts"

/**
 * Removes the unlocker, which would see the log-in, and the cookies of earlier runs, which are
 * another visitor's.
 */
export function withoutOthers({
  unlocker: _,
  reuseCookies: __,
  ...environment
}: Environment): Environment {
  return environment
}

/**
 * Executes a run with its session, if it has one. A run whose session is missing fails immediately.
 */
export async function executeSignedIn(
  run: Pick<RunRow, "session" | "account_id">,
  options: RunOptions,
): Promise<RunEnd> {
  const { environment, signal } = options
  if (run.session === null || run.account_id === null) return executeRun(options)
  try {
    const session = await abortable(opened(run.account_id, run.session, environment), signal)
    return await executeRun({ ...options, session })
  } catch (error) {
    if (error instanceof ScrapeError) return endBy(error)
    throw error
  }
}

async function opened(
  accountId: string,
  name: string,
  { sessions, clock }: Environment,
): Promise<RunSession> {
  if (!sessions) throw new BadInput(`session: the session "${name}" cannot be used here.`)
  return RunSession.open(sessions, { accountId, name }, clock.now)
}

function endBy(error: ScrapeError): RunEnd {
  if (error instanceof Aborted) return { status: "aborted", error: null, capped: null }
  const { code, message } = error
  const status = error instanceof Timeout && code === "timeout" ? "timed_out" : "failed"
  return { status, error: { code, message }, capped: null }
}
