import type { Free } from "../../accounts/free-quota.ts"
import { newSecret, sha256 } from "../../accounts/secrets.ts"
import { dayMs } from "../../base/time.ts"
import { type AnyScraper, briefText, type InputIssue } from "../../catalogue/kit/index.ts"
import { QuotaExhausted } from "../../engine/runtime/workers/supervisor.ts"
import { sessionOf } from "../../engine/runtime/workers/work-of.ts"
import { accountById } from "../../store/accounts/accounts.ts"
import type { Quota } from "../../store/accounts/free-quota.ts"
import { keylessResult } from "../../store/accounts/keyless-results.ts"
import { leftOfKey } from "../../store/accounts/keys.ts"
import { persist } from "../../store/db/disk/persist.ts"
import { isOver, runById } from "../../store/runs/runs.ts"
import type { RunRow } from "../../store/tables/schema.ts"
import { UnchangedReads } from "../../store/unchanged-reads.ts"
import { linksOf } from "../examples/links.ts"
import { requireOwnPage } from "../http/origin.ts"
import { addCallFacts } from "../log/call-facts.ts"
import type { Call } from "../service.ts"
import type {
  ClientParts,
  CoreParts,
  QuotaParts,
  RunParts,
  ScraperParts,
  SignUpParts,
} from "../service-parts.ts"
import { requireSession } from "../sessions/check.ts"
import { type AnonymousCaller, freeOf } from "./caller.ts"
import { type Alias, inCallersNames, invalidInput, KeylessError } from "./error.ts"
import { type ItemWindow, pageOfItems } from "./item-page.ts"
import { nextStep } from "./next-step.ts"
import { accountGuidance, claimGuidance, type Surface } from "./payment.ts"
import type { KeylessResponse } from "./response.ts"
import { inputIssues, settle } from "./settlement.ts"
import { isPersonal, SharedRuns } from "./shared-runs.ts"

/** A call that runs a scraper. */
export interface KeylessRequest {
  scraper: AnyScraper
  /** Validated input with defaults. */
  input: Record<string, unknown>
  /** Fixed tool or slug for the response. */
  tool: string
  /** The input as the response repeats it. */
  inputText: string
  alias?: Alias
  /** API of the call, which decides the wording of instructions. Default: http. */
  surface?: Surface
  /** Milliseconds to wait for the end. Default: the service's setting. */
  waitMs?: number
  /** Maximum items in the response to an account. Default: 1,000. */
  maxReturnedItems?: number
  /** Maximum age of a cached run with the same input. Default: one minute. */
  maxAgeMs?: number
  /** The caller reads the items from the dataset: the response has none. */
  plain?: boolean
  /** Requested part of the items. Default: all. */
  window?: ItemWindow
  /** Called when the run is stored. */
  onRun?(run: RunRow): void
  /** Name of the session of the account. */
  session?: string
}

/** The parts of a call that its response repeats; stored for the later result. */
export interface StoredCall
  extends Pick<KeylessRequest, "tool" | "inputText" | "alias" | "maxReturnedItems" | "window"> {
  caller: AnonymousCaller
  /** Another call of the same input started the run. */
  cached?: boolean
}

const resultsStoredMs = dayMs
/** Shared runs whose rows are in memory. */
const maxRunRows = 200
const retryAfterSeconds = 10
/**
 * Maximum milliseconds to wait for a lost database after the start: a standby takes over sooner.
 */
const awayMs = 20_000
const lostSentence = "The database server was lost before the call was stored. Repeat the call."
/** Maximum items of one response; an account reads the whole dataset by the API. */
const maxReturnedItems = 1000

const connectionClosed = () =>
  new KeylessError("ERROR", "The connection was closed before the run started. Repeat the call.")

/** The unlocker is metered, so it requires an account. */
function unlockerIssue(): KeylessError {
  const message = '"useUnlocker" costs credits: send an API key with it, or leave it out.'
  return invalidInput([
    { field: "useUnlocker", message, expected: "false without a key", actual: true },
  ])
}

/** Runs scrapers for callers without a key, and for accounts by `token`. */
export class KeylessCalls {
  private readonly shared = new SharedRuns()
  private readonly runRows: UnchangedReads<RunRow | undefined>

  constructor(
    private readonly service: CoreParts &
      ClientParts &
      SignUpParts &
      QuotaParts &
      ScraperParts &
      RunParts,
  ) {
    this.runRows = new UnchangedReads(service.store, maxRunRows)
  }

  /**
   * Runs a scraper and returns the response, or the running state after the maximum wait.
   * @throws KeylessError
   */
  async scrape(
    call: Call,
    caller: AnonymousCaller,
    request: KeylessRequest,
  ): Promise<KeylessResponse> {
    const { tool, inputText, alias, maxReturnedItems, window } = request
    const stored: StoredCall = { tool, inputText, caller, alias, maxReturnedItems, window }
    this.requireOwnPage(call)
    if (request.input.useUnlocker === true && caller.accountId === null) throw unlockerIssue()
    // Bun closes a connection on which a second request arrives before the first response.
    if (call.request.signal.aborted) throw connectionClosed()
    await this.requireSession(caller, request)
    const started = await this.startPaid(caller, request)
    if (!started) return this.paymentRequired(call, stored, request.surface)
    const { run, isShared } = started
    if (isShared) stored.cached = true
    addCallFacts(call.request, { run: run.id })
    const delivery = this.watchClient(call, run.id, request.surface)
    // Cached results are free.
    const settled = isShared ? undefined : this.settled(caller, run, () => delivery.isLost)
    request.onRun?.(run)
    const endsAt = performance.now() + (request.waitMs ?? this.service.config.keylessWait * 1000)
    const response = async () => {
      const left = Math.max(0, endsAt - performance.now())
      const current = isOver(run.status) ? run : ((await this.wait(call, run.id, left)) ?? run)
      if (isOver(current.status)) {
        if (settled) await soon(settled)
        return this.finished(call, stored, current, { plain: request.plain })
      }
      const token = await this.keep(stored, run.id)
      return this.running(call, stored, token)
    }
    // The run continues while the database is unavailable.
    const patience = () => AbortSignal.timeout(Math.max(0, endsAt - performance.now() + awayMs))
    try {
      return await persist(response, () => AbortSignal.any([call.request.signal, patience()]))
    } finally {
      delivery.stop()
    }
  }

  /** Ends the run of a client that closes its connection before the response, unless others wait for it. */
  private watchClient({ request: { signal } }: Call, id: string, surface: Surface = "http") {
    const delivery = { isLost: false, stop: () => signal.removeEventListener("abort", lose) }
    const lose = () => {
      delivery.isLost = true
      if (this.isSharedRun(id)) return
      this.service.runs.abort(id).catch((error) => {
        this.service.log.error({ err: error, run: id }, "a run could not be aborted")
      })
    }
    // MCP has its own way to cancel a call.
    if (surface !== "http") return delivery
    if (signal.aborted) lose()
    else signal.addEventListener("abort", lose, { once: true })
    return delivery
  }

  /** Refuses calls from other sites' pages, also by GET. @throws ApiError 403 */
  requireOwnPage(call: Call): void {
    try {
      requireOwnPage(this.service, call)
    } catch (error) {
      delete call.set.headers["access-control-allow-origin"]
      throw error
    }
  }

  /** The run of a result token. */
  async runOf(token: string): Promise<{ id: string; request: string } | undefined> {
    const { db } = this.service.store
    const row = await keylessResult(db, sha256(token), new Date().toISOString())
    return row && { id: row.run_id, request: row.request }
  }

  /** The response to a call that was still running, as the call would have returned it. */
  async result(call: Call, token: string, requested: ItemWindow = {}): Promise<KeylessResponse> {
    const row = await this.runOf(token)
    const run = row && (await this.wait(call, row.id))
    if (!row || !run) {
      throw new KeylessError(
        "ERROR",
        "The result does not exist. Results are deleted after 24 hours; repeat the call.",
      )
    }
    const stored: StoredCall = JSON.parse(row.request)
    if (!isOver(run.status)) return this.running(call, stored, token)
    return this.finished(call, { ...stored, window: { ...stored.window, ...requested } }, run, {
      token,
    })
  }

  /** The parts of every response. */
  async base(
    call: Call,
    stored: StoredCall,
    creditsCharged = 0,
  ): Promise<Omit<KeylessResponse, "status">> {
    return {
      tool: stored.tool,
      input: stored.inputText,
      itemCount: 0,
      items: [],
      agentId: stored.caller.agentId,
      free: await freeOf(this.service, stored.caller, creditsCharged),
      links: linksOf(this.service.root(call)),
    }
  }

  /** @throws ApiError 400, KeylessError */
  private async requireSession(caller: AnonymousCaller, { session }: KeylessRequest) {
    if (session === undefined) return
    if (caller.accountId === null) {
      const message = "Sessions belong to accounts: send an API key."
      throw invalidInput([{ field: "session", message, expected: "an API key" }])
    }
    await requireSession(this.service.store.db, caller.accountId, session)
  }

  private async canPay(accountId: string, keyId: string | null): Promise<boolean> {
    const { db } = this.service.store
    const account = await accountById(db, accountId)
    if (!account || (account.unlimited === 0 && account.balance === 0)) return false
    return keyId === null || (await leftOfKey(db, keyId)) > 0
  }

  /** Pays for a run and starts or shares it; returns undefined, and starts nothing, if nothing is left. */
  async startPaid(caller: AnonymousCaller, request: KeylessRequest) {
    const { accountId, keyId } = caller
    if (accountId !== null) {
      return (await this.canPay(accountId, keyId)) ? this.start(caller, request) : undefined
    }
    try {
      return await this.start(caller, request, this.service.freeQuota.quota(caller.subjects))
    } catch (error) {
      if (error instanceof QuotaExhausted) return undefined
      throw error
    }
  }

  /** Resolves when the run has finished and the call is charged; accounts pay by the page. */
  private async settled(
    caller: AnonymousCaller,
    run: RunRow,
    isLost: () => boolean,
  ): Promise<void> {
    if (caller.accountId !== null) return
    await persist(() => settle(this.service, caller, run, isLost)).catch((error) => {
      this.service.log.error({ err: error, run: run.id }, "a call could not be settled")
    })
  }

  /**
   * Starts or shares a run: identical calls of a minute share one, except checks; those of an account only
   * with calls of the same key. `quota` pays for a run; without it, the call is paid for.
   * @throws QuotaExhausted
   */
  start(
    caller: AnonymousCaller,
    { scraper, input, ...request }: KeylessRequest,
    quota: Quota | null = null,
  ) {
    const { freeQuota: allowance, config, runs, store } = this.service
    const own = caller.accountId !== null
    const text = JSON.stringify(input)
    const whose = own ? caller.keyId : isPersonal(input, text) ? caller.identity.name : ""
    const session = sessionOf(scraper, request.session) ?? ""
    const key = sha256(`${whose ?? ""} ${scraper.slug} ${session} ${text}`)
    const maxAgeMs = scraper.isCheck ? 0 : request.maxAgeMs
    return this.shared.run(key, {
      start: () =>
        runs.start({
          scraper,
          input,
          accountId: caller.accountId,
          keyId: caller.keyId,
          origin: "keyless",
          priority: "interactive",
          session: request.session,
          ...(own
            ? {}
            : {
                ...{ caller: caller.subjects.subjects[0]!, quota },
                ...(scraper.isCheck && { memoryOwner: caller.identity.name }),
                maxItems: config.keylessItems,
                maxPages: config.keylessPages,
                timeoutSeconds: config.keylessTimeoutSeconds,
              }),
        }),
      read: async (id) => {
        // A shared run uses no call of the quota, but one must be left.
        if (quota && (await allowance.status(caller.subjects)).remaining === 0) {
          throw new QuotaExhausted()
        }
        const run = await this.runRows.get(id, () => runById(store.db, id))
        // A deleted dataset is never returned again.
        return run?.deleted_at === null && run.dataset_deleted_at === null ? run : undefined
      },
      ...(maxAgeMs !== undefined && { maxAgeMs }),
    })
  }

  /** Whether other callers wait for the same run: none of them may end it for the others. */
  isSharedRun(id: string): boolean {
    return this.shared.callsOf(id) > 1
  }

  private wait(
    { request, server }: Call,
    id: string,
    milliseconds = this.service.config.keylessWait * 1000,
  ): Promise<RunRow | undefined> {
    // The wait may be longer than the idle timeout of a connection.
    server?.timeout(request, 0)
    return this.service.runs.wait(id, milliseconds, request.signal)
  }

  /** Returns a token for reading the result later. */
  async keep(stored: StoredCall, runId: string): Promise<string> {
    const token = newSecret()
    const isThere = await this.service.store.write("keyless.save", {
      tokenHash: sha256(token),
      runId,
      request: JSON.stringify(stored),
      expiresAt: new Date(Date.now() + resultsStoredMs).toISOString(),
    })
    if (!isThere) throw new KeylessError("ERROR", lostSentence, undefined, 503)
    return token
  }

  private async running(call: Call, stored: StoredCall, token: string): Promise<KeylessResponse> {
    return {
      status: "RUNNING",
      ...(await this.base(call, stored)),
      links: {},
      resultUrl: `${this.service.root(call)}/api/results/${token}`,
      retryAfterSeconds,
    }
  }

  private async finished(
    call: Call,
    stored: StoredCall,
    run: RunRow,
    { plain, token }: { plain?: boolean | undefined; token?: string } = {},
  ): Promise<KeylessResponse> {
    const { config } = this.service
    const hasItems = run.item_count > 0
    const issues = hasItems ? undefined : await inputIssues(this.service, run)
    if (issues) return this.refused(call, stored, issues)
    const limit =
      run.account_id === null ? config.keylessItems : (stored.maxReturnedItems ?? maxReturnedItems)
    const root = this.service.root(call)
    const page = plain
      ? { items: [] }
      : await pageOfItems(this.service, run, stored.window ?? {}, { limit, root })
    const { items, next, wholeTokens } = page
    const all = Math.min(limit, itemsOf(run))
    const cursor = stored.window?.cursor ?? 0
    const notices = [
      cursor > 0 && cursor >= all && `There are ${all} items: no item is at cursor ${cursor}.`,
      wholeTokens && `An item was shortened: maxTokens=${wholeTokens} returns all of it.`,
      this.notice(run, all),
      hasItems ? undefined : await nextStep(this.service, run),
    ]
    const notice = notices.filter(Boolean).join(" ")
    const rest = next === undefined ? undefined : (token ?? (await this.keep(stored, run.id)))
    const isGood = run.status === "succeeded"
    return {
      status: isGood ? "SUCCEEDED" : "ERROR",
      ...(await this.base(call, stored, stored.cached ? 0 : run.credits_charged)),
      ...(isGood && { links: {} }),
      itemCount: items.length,
      items,
      ...(stored.cached && { cached: true, age: ageOf(run) }),
      ...(rest && {
        total: all,
        next: `${root}/api/results/${rest}?cursor=${next}`,
      }),
      ...(!isGood && { error: endOf(run) }),
      ...(notice && { notice }),
    }
  }

  /** Returns the response for an input that the scraper itself found invalid. */
  private async refused(
    call: Call,
    stored: StoredCall,
    issues: InputIssue[],
  ): Promise<KeylessResponse> {
    const { status, message, details } = invalidInput(inCallersNames(issues, stored.alias))
    return { status, ...(await this.base(call, stored)), error: { message, details } }
  }

  private notice(run: RunRow, visible: number): string | undefined {
    const all = itemsOf(run)
    if (run.account_id !== null) {
      if (visible === all) return undefined
      return `The first ${visible} of ${all} items; all are in the dataset ${run.dataset_id}.`
    }
    if (run.capped === null && visible === all) return undefined
    const { keylessItems, keylessPages } = this.service.config
    const cap = run.capped === "pages" ? `${keylessPages} pages` : `${keylessItems} items`
    return `Calls without an API key end at ${cap}. There are more: narrow the input, or send a key to read them.`
  }

  /** The response to a call without quota or credits. */
  async paymentRequired(
    call: Call,
    stored: StoredCall,
    surface: Surface = "http",
  ): Promise<KeylessResponse> {
    const base = await this.base(call, stored)
    const refusal = { status: "PAYMENT_REQUIRED" as const, ...base, limitReached: true }
    const { claims } = this.service
    const { accountId, identity } = stored.caller
    if (accountId !== null) return { ...refusal, ...accountGuidance(accountId, surface) }
    const { claim, status } = await claims.open(new Date(), {
      address: this.service.address(call),
      agent: briefOrNull(call.request.headers.get("user-agent")),
      requestedFor: briefText(`${stored.tool} ${stored.inputText}`.trim(), 300),
      ...(identity.isSecret && { identity: identity.name }),
    })
    const root = this.service.root(call)
    const { resetsAt } = base.free as Free
    const links = {
      claimUrl: `${root}/signup?claim=${claim}`,
      claimStatusUrl: `${root}/api/agent/claim/${status}`,
    }
    return { ...refusal, ...claimGuidance(this.service, links, surface, root, resetsAt), ...links }
  }
}

/** Milliseconds to wait for the charge, which the response only reports. */
const soonMs = 2000

function soon(work: Promise<void>): Promise<void> {
  return new Promise((resolve) => {
    const late = setTimeout(resolve, soonMs)
    void work.then(() => {
      clearTimeout(late)
      resolve()
    })
  })
}

/** Seconds since the run started. */
const ageOf = (run: RunRow) =>
  Math.max(0, Math.round((Date.now() - Date.parse(run.started_at ?? run.created_at)) / 1000))

const itemsOf = (run: RunRow) => run.item_count + run.error_count

const briefOrNull = (text: string | null) => (text ? briefText(text, 120) : null)

function endOf(run: RunRow): { message: string; details: Record<string, unknown> } {
  const code = run.error_code ?? run.status
  const message = run.error_message ?? `The scrape ended with ${run.status.replace("_", " ")}.`
  return { message, details: { code } }
}
