import {
  type Access,
  type Answer,
  type AnyScraper,
  accesses,
  accessOf,
  Blocked,
  besideWays,
  type Context,
  type DataOptions,
  type FileToKeep,
  Forbidden,
  isErrorPage,
  isSecret,
  type JsonOptions,
  type KeptFile,
  type ModelAnswer,
  type ModelAsked,
  type Outcome,
  type PageOptions,
  type RenderedAnswer,
  type RequestOptions,
  type Rung,
  refusedRequest,
  type Steps,
  type Tab,
  type TableValues,
  type Target,
  UnsupportedContent,
  type UpstreamTable,
} from "../../catalogue/kit/index.ts"
import type { DocumentSource } from "../../extract/documents/index.ts"
import type { RunCookies } from "../cookies/run-cookies.ts"
import { cookieWay } from "../cookies/visitor.ts"
import { asPage } from "../documents/as-page.ts"
import { documentsHere } from "../documents/host.ts"
import type { Environment } from "../environment/environment.ts"
import { requireNoChallenge, withClearance } from "../fetch/clearance.ts"
import { escalate } from "../fetch/escalate.ts"
import { Fetcher } from "../fetch/fetcher.ts"
import { requireData, requirePage } from "../fetch/judge-page.ts"
import { placeOf } from "../fetch/way-memory.ts"
import { besides, stronger } from "../fetch/ways.ts"
import type { Exit } from "../http/proxy-rules.ts"
import { explained, noModel } from "./explain.ts"
import type { TargetTurns } from "./in-turns.ts"
import { type FollowedTarget, type Journal, type LogLine, targetKey } from "./journal.ts"
import { Left } from "./left.ts"
import { Notes } from "./notes.ts"
import { asJson, isOfDocument, isRendered, requestOf } from "./page-request.ts"

export interface ContextParts {
  scraper: Pick<AnyScraper, "slug" | "access" | "pace">
  environment: Environment
  journal: Journal
  /** The target's place in the run. */
  seq: number
  cookies: RunCookies
  exit?: Exit | undefined
  input: unknown
  signal: AbortSignal
  shared: Map<string, unknown>
  /** A page is read in none but the run's turns. */
  turns?: Pick<TargetTurns, "resume" | "ended"> | undefined
}

/** What one attempt at one target is given, by some of the ways in. */
export class TargetContext implements Context {
  readonly input: unknown
  readonly signal: AbortSignal
  readonly shared: Map<string, unknown>
  readonly memory: Context["memory"]
  readonly notes: Notes
  private readonly fetcher: Fetcher

  constructor(
    private readonly parts: ContextParts,
    /** From the cheapest; what does not escalate goes by the first. */
    private readonly ways: readonly Access[],
    private readonly left = new Left(),
    notes?: Notes,
    /** Of a step that is tried among others: which it is, and whether another comes after it. */
    step: { rung?: Rung; leadsOn?: boolean } = {},
  ) {
    const { environment, journal, seq, cookies, input, signal, shared, scraper } = parts
    this.input = input
    this.signal = signal
    this.shared = shared
    this.fetcher = new Fetcher({
      environment,
      way: ways[0]!,
      ...step,
      cookies,
      exit: parts.exit,
      signal,
      pace: scraper.pace,
      log: (message, level) => this.log(message, level),
      waits: (why) => this.waits(why),
    })
    this.notes = notes ?? new Notes(journal, seq, () => this.fetcher)
    const { remembered } = left
    this.memory = {
      get: async <T>(key: string) =>
        (remembered.has(key)
          ? structuredClone(remembered.get(key))
          : await journal.memoryGet(key)) as T | undefined,
      set: async (key, value) => void remembered.set(key, structuredClone(value)),
    }
  }

  get followed(): FollowedTarget[] {
    return this.left.followed
  }

  get remembered(): Map<string, unknown> {
    return this.left.remembered
  }

  /** The way in of what was read so far. */
  get way(): Access {
    return this.left.gave ?? this.left.tried ?? this.ways[0]!
  }

  get walls(): ReadonlyMap<Access, string | null> {
    return this.left.walls
  }

  /** Answers to be charged. */
  get pages(): number {
    return this.fetcher.pages + this.notes.before.pages
  }

  get unlockerPages(): number {
    return this.fetcher.unlockerPages + this.notes.before.unlockerPages
  }

  get modelAnswers(): number {
    return this.left.modelAnswers
  }

  get bytes(): number {
    return this.fetcher.bytes
  }

  get(url: string, options?: RequestOptions): Promise<Answer> {
    return this.plain("GET", url, options)
  }

  /** A request that shows no page: by the first way, and where that is refused by Chrome's network stack. */
  private plain(method: string, url: string, options?: RequestOptions): Promise<Answer> {
    const [first, second] = this.ways
    const climbs = first === "http" && second === "chrome-net" && !this.parts.cookies.isPersonal
    const ask = async ({ fetcher }: TargetContext) => {
      const answer = await fetcher.request(method, url, options)
      return this.isLiveByChrome ? requireNoChallenge(answer) : answer
    }
    return this.cleared(url, () =>
      climbs ? this.byWays(url, [first, second], ask, method === "POST") : ask(this),
    )
  }

  head(url: string, options?: RequestOptions): Promise<Answer> {
    return this.fetcher.request("HEAD", url, options)
  }

  post(url: string, options?: RequestOptions): Promise<Answer> {
    return this.plain("POST", url, options)
  }

  async json<T>(url: string, options: JsonOptions = {}): Promise<T> {
    const answer = await this.plain("GET", url, asJson(options))
    return answer.json<T>({ bigIntegers: options.bigIntegers })
  }

  browse<R>(steps: (tab: Tab) => Promise<R>): Promise<R> {
    return this.fetcher.browse(steps)
  }

  async page(url: string, options: PageOptions = {}): Promise<RenderedAnswer> {
    const isWorkedOn = options.actions !== undefined && options.actions.length > 0
    if (isWorkedOn) this.requireAccount("actions")
    if (options.actions?.some(({ type }) => type === "script")) this.requireScripts()
    if (options.forAccounts) this.requireAccount(options.forAccounts)
    if (options.personal) this.requireAccount("headers")
    const isShown = options.screenshot !== undefined || options.pdf !== undefined
    const scripted = options.scripted === true || isWorkedOn || isShown
    const ways = scripted ? besides("http", this.ways, "browser") : this.ways
    return this.byWays(url, ways, async (context) => {
      const { fetcher } = context
      const asked = requestOf(options)
      const answer = await context.wanted(url, options, async () => {
        if (!scripted) return fetcher.page(url, asked, options.has)
        const shown = await fetcher.render(url, asked, options.has)
        // Of what Chrome would save there is nothing to see: a document is read as it is sent.
        const isSaved = options.documents !== undefined && isOfDocument(shown)
        return isSaved ? fetcher.request("GET", url, { identity: "browser", ...asked }) : shown
      })
      const page = isRendered(answer) ? answer : Object.assign(answer, { captured: [] })
      const { environment, signal, exit } = this.parts
      const reader = environment.documents ?? documentsHere()
      const tenant = exit?.account
        ? { id: exit.account }
        : { id: "keyless", member: exit?.run ?? "" }
      const { documentPages } = options
      const readDocument = (source: DocumentSource) =>
        reader.read(
          { ...source, ...(documentPages && { maxPages: documentPages }), tenant },
          signal,
        )
      const read = await asPage(page, options, readDocument, signal).catch((error) => {
        // The body of an error is often not of the type that its headers state.
        const isUnread = error instanceof UnsupportedContent && options.errorPages
        if (isUnread && isErrorPage(page)) return page
        throw error
      })
      if (!read.file) requirePage(read, options)
      return read
    })
  }

  /** What is typed and clicked may lead to what is its caller's alone: no cookie outlives the run. */
  private requireAccount(field: string): void {
    const { environment, cookies } = this.parts
    if (environment.isKeyless) {
      throw new Forbidden(`${field}: they are for runs with an account; call with an API key.`, {
        code: "account_required",
      })
    }
    cookies.personal()
  }

  private requireScripts(): void {
    const { environment, exit } = this.parts
    const { scriptAccounts = [] } = environment
    if (scriptAccounts.includes("all") || scriptAccounts.includes(exit?.account ?? "")) return
    throw new Forbidden(
      "actions: the operator has not allowed this account to execute JavaScript (TRAWL_SCRIPT_ACCOUNTS).",
      { code: "script_not_allowed" },
    )
  }

  data(url: string, options: DataOptions = {}): Promise<Answer> {
    const method = ["json", "form", "body"].some((name) => name in options) ? "POST" : "GET"
    const ask = async (context: TargetContext) => {
      const answer = await context.wanted(url, options, () =>
        context.fetcher.request(method, url, asJson(requestOf(options))),
      )
      requireData(answer, options)
      return answer
    }
    const ways = besides("browser", this.ways, "http")
    return this.cleared(url, () => this.byWays(url, ways, ask))
  }

  /** A call that meets a challenge is made again once Chrome has cleared it for the host. */
  private cleared<T>(url: string, ask: () => Promise<T>): Promise<T> {
    const { parts } = this
    const { shared, signal } = parts
    if (!this.canClear) return ask()
    const open = () => {
      this.log(`${new URL(url).host} challenges the call. Opening its address in Chrome.`)
      const chrome = new TargetContext(parts, ["browser"], this.left, this.notes)
      return chrome.fetcher.render(url, { accept: "any", retries: 0 })
    }
    return withClearance(url, ask, { shared, signal, open })
  }

  /** Chrome may clear what its calls meet. */
  private get canClear(): boolean {
    return this.isLiveByChrome && isByChrome(this.ways)
  }

  /** A challenge that a call meets is for Chrome to clear, here or by the next way. */
  private get isLiveByChrome(): boolean {
    const { environment, scraper } = this.parts
    const isLive = environment.onlyWay === undefined && (environment.pageWaitMs ?? 0) > 0
    return isLive && isByChrome(accessOf(scraper))
  }

  escalate<T>(url: string, steps: Steps<T>): Promise<T> {
    const step = (rung: Rung) => {
      if (typeof steps === "function") return isWay(rung) ? steps : undefined
      const byHttp = isWay(rung) && rung !== "browser" ? steps.http : undefined
      return steps[rung] ?? byHttp
    }
    const { env, onlyWay } = this.parts.environment
    const open = this.ways.filter((way) => step(way) !== undefined)
    // Without any, what is missing for the first is said by its own error.
    const ways = open.length > 0 ? open : (Object.keys(steps).slice(0, 1) as Access[])
    const beside = besideWays.filter((rung) => {
      const asks = step(rung)
      return !onlyWay && asks && (asks.needs ?? []).every((name) => env[name])
    })
    return this.byWays(url, [...ways, ...beside], (context, rung) => step(rung)!(context))
  }

  /** Pages count by the way that gave them: what turned away costs nothing. */
  private byWays<T>(
    url: string,
    ways: readonly Rung[],
    attempt: (context: TargetContext, rung: Rung) => Promise<T>,
    isOnce = false,
  ): Promise<T> {
    const { scraper, environment, signal } = this.parts
    const escalation = {
      ways,
      place: placeOf(scraper.slug, url),
      memory: environment.ways,
      isOnce,
      signal,
      log: (message: string) => this.log(message),
    }
    return escalate(escalation, async (rung) => {
      const way = isWay(rung) ? rung : "http"
      const leadsOn = way === "http" && ways[ways.indexOf(rung) + 1] === "chrome-net"
      const context = new TargetContext(this.parts, [way], this.left, this.notes, { rung, leadsOn })
      this.left.tried = way
      const tried = attempt(context, rung)
      const result = await (this.parts.turns?.ended(tried) ?? tried).catch(async (error) => {
        await context.turnedAway(error, url)
        throw error
      })
      this.left.gave = stronger(way, this.left.gave)
      this.fetcher.count(context.fetcher)
      return result
    })
  }

  /** An answer, in the run's turn; requests that are refused in the site's own way are Blocked. */
  private async wanted<A>(
    url: string,
    { refusal }: Pick<PageOptions, "refusal">,
    ask: () => Promise<A>,
  ): Promise<A> {
    try {
      const asked = ask()
      return await (this.parts.turns?.resume(asked) ?? asked)
    } catch (error) {
      this.signal.throwIfAborted()
      throw (refusal && refusedRequest(error, url, refusal)) ?? error
    }
  }

  /** A pass that a wall does not take is nothing for later runs. */
  async turnedAway(error: unknown, asked?: string): Promise<void> {
    if (!(error instanceof Blocked)) return
    const { walls } = this.left
    // Without an address it is told again of a target whose ways were told before.
    if (asked !== undefined || walls.size === 0) walls.set(this.ways[0]!, error.vendor)
    const url = error.url ?? asked
    if (url) await this.parts.cookies.blocked(url, cookieWay(this.ways[0]!))
  }

  keepFile(file: FileToKeep): Promise<KeptFile> {
    const { journal, seq } = this.parts
    return journal.keepFile(seq, file)
  }

  async follow(target: Target, key = targetKey(target)): Promise<boolean> {
    const { followed, followedKeys } = this.left
    if (followedKeys.has(key)) return false
    followedKeys.add(key)
    followed.push({ key, target })
    return true
  }

  log(message: string, level: LogLine["level"] = "info"): void {
    const { journal, environment } = this.parts
    journal.log({ at: environment.clock.now(), level, message })
  }

  private waits(message: string): void {
    const { journal, environment } = this.parts
    journal.log({ at: environment.clock.now(), level: "info", message, waits: true })
  }

  async pause(seconds: number, why: string): Promise<void> {
    this.waits(`Waiting ${Math.round(seconds * 10) / 10} s: ${why}`)
    await this.parts.environment.clock.sleep(seconds * 1000, this.signal)
  }

  now(): Date {
    return new Date(this.parts.environment.clock.now())
  }

  secret(name: string): string | undefined {
    const { withheld, env } = this.parts.environment
    if (withheld?.has(name)) this.left.missed.add(name)
    if (env[name] && isSecret(name)) this.parts.cookies.personal()
    return env[name] || undefined
  }

  /** What failed for want of Chrome, or of a secret that is not for runs without a key, says so. */
  explain(outcome: Outcome): Outcome {
    return explained(outcome, this.left.missed, this.lacksChrome)
  }

  requireModel(): void {
    const { model, modelWithheld = false } = this.parts.environment
    if (!model) throw noModel(modelWithheld)
  }

  async askModel(asked: ModelAsked): Promise<ModelAnswer> {
    this.requireModel()
    const answer = await this.parts.environment.model!.ask(asked, this.signal)
    this.left.modelAnswers++
    return answer
  }

  /** Its pages may be asked by Chrome, and there is none. */
  private get lacksChrome(): boolean {
    const { environment, scraper } = this.parts
    const isWanted = scraper.access?.includes("browser") && !this.ways.includes("browser")
    return isWanted === true && environment.browser?.available?.() === false
  }

  upstream<T extends TableValues>(table: UpstreamTable<T>): T {
    this.left.tables.add(table.site)
    return this.parts.environment.upstreams?.values(table) ?? table.values
  }

  /** Sites with whose tables the target was worked on, where a success is worth noting. */
  newsOfTables(): string[] {
    const { upstreams } = this.parts.environment
    return upstreams ? [...this.left.tables].filter((site) => upstreams.isNews(site)) : []
  }

  dns(name: string, type: string): Promise<unknown> {
    return this.parts.environment.dns(name, type, this.signal)
  }

  tls(host: string, port = 443, servername = host) {
    return this.parts.environment.tls(host, port, servername, this.signal)
  }
}

const isByChrome = (ways: readonly Access[]) =>
  ways.includes("chrome-net") && ways.includes("browser")

const isWay = (rung: Rung): rung is Access => accesses.some((way) => way === rung)
