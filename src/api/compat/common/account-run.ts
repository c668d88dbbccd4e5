import { newId } from "../../../store/db/ids.ts"
import { accountRun } from "../../../store/runs/run-lists.ts"
import type { RunRow } from "../../../store/tables/schema.ts"
import { callerOf, requireAccount, requireRunner } from "../../http/access.ts"
import { invalid, notFound } from "../../http/errors.ts"
import { addCallFacts } from "../../log/call-facts.ts"
import { checkRunInput } from "../../schemas/run-input.ts"
import type { Call } from "../../service.ts"
import type {
  AccessParts,
  ClientParts,
  CoreParts,
  RunParts,
  ScraperParts,
} from "../../service-parts.ts"
import { knownScraper } from "../../v1/scrapers.ts"
import { requireCredit, startPaid } from "../../v1/start-runs.ts"

interface Caps {
  maxItems?: number
  timeoutSeconds?: number
}

interface Start extends Caps {
  /** Default: a new ID. */
  id?: string
  /** Stores rows that must exist before the run starts, for example its webhook. */
  before?: (run: { runId: string; accountId: string }) => Promise<void>
}

/** The account of the call's key or signed-in browser. @throws ApiError 401, 403, 429 */
export async function accountOf(service: ClientParts & AccessParts, call: Call) {
  await requireAccount(service, call)
  const { accountId, key } = callerOf(call.request)
  return { accountId, keyId: key?.keyId ?? null }
}

/**
 * The account that starts or resumes a run, with any HTTP method. @throws ApiError 401, 403, 429
 */
export async function runnerOf(service: ClientParts & AccessParts, call: Call) {
  const account = await accountOf(service, call)
  requireRunner(service, call)
  return account
}

/** Starts a run for the account of the call. @throws ApiError */
export async function startRun(
  service: CoreParts & ClientParts & AccessParts & ScraperParts & RunParts,
  call: Call,
  slug: string,
  raw: unknown,
  { before, id = newId("run"), ...caps }: Start = {},
): Promise<RunRow> {
  const account = await runnerOf(service, call)
  const scraper = knownScraper(service, slug)
  const checked = checkRunInput(scraper, raw)
  if (!checked.ok) throw invalid(checked.issues)
  const { input } = checked
  if (before) {
    await requireCredit(service, account)
    await before({ runId: id, accountId: account.accountId })
  }
  const run = await startPaid(service, { id, scraper, input, ...account, origin: "api", ...caps })
  addCallFacts(call.request, { run: run.id })
  return run
}

/** Returns a run of the account and of one of these scrapers. @throws ApiError 404 */
export async function ownRunOf(
  service: CoreParts & ClientParts & AccessParts,
  call: Call,
  id: string,
  slugs?: readonly string[],
): Promise<RunRow> {
  const { accountId } = await accountOf(service, call)
  const run = await accountRun(service.store.db, { id, accountId })
  if (!run || (slugs && !slugs.includes(run.slug))) throw notFound("run", id)
  return run
}
