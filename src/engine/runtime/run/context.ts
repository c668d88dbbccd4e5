import {
  type AttemptMethod,
  Blocked,
  Changed,
  type Context,
  type DataOptions,
  type FetchMethod,
  type FileToKeep,
  Forbidden,
  fallbackMethods,
  fetchMethodsOf,
  isErrorPage,
  isSecret,
  type JsonOptions,
  type ModelRequest,
  type ModelResponse,
  type PageOptions,
  type RenderedResponse,
  type RequestOptions,
  refusedRequest,
  type ScrapeError,
  type Steps,
  type StoredFile,
  type Tab,
  type TableValues,
  type Target,
  UnsupportedContent,
  type UpstreamResponse,
  type UpstreamTable,
} from "../../../catalogue/kit/index.ts"
import type { DocumentSource } from "../../../extract/documents/index.ts"
import { requireNoChallenge, withClearance } from "../../fetch/clearance.ts"
import { escalate } from "../../fetch/escalate.ts"
import { Fetcher } from "../../fetch/fetcher.ts"
import { requireData, requirePage } from "../../fetch/judge-page.ts"
import { memoryKey } from "../../fetch/method-memory.ts"
import {
  canClearChallenges,
  renderingMethods,
  rendersAny,
  requestingMethods,
  retriesRefusals,
  stronger,
} from "../../fetch/methods/choose.ts"
import { isFetchMethod, strategies, strategyOf } from "../../fetch/methods/index.ts"
import { asPage } from "../../net/documents/as-page.ts"
import { documentsHere } from "../../net/documents/host.ts"
import { AttemptState } from "./attempt-state.ts"
import { type FollowedTarget, type LogLine, targetKey } from "./checkpoints.ts"
import { explained, missingCredentials, noModel } from "./explain.ts"
import { Notes } from "./notes.ts"
import { otherLanguage } from "./page-language.ts"
import { asJson, isOfDocument, isRendered, requestOf } from "./page-request.ts"
import type { TargetParts } from "./run-options.ts"

/** The context of one attempt at a target, with some of the fetch methods. */
export class TargetContext implements Context {
  readonly input: unknown
  readonly signal: AbortSignal
  readonly shared: Map<string, unknown>
  readonly memory: Context["memory"]
  readonly notes: Notes
  private readonly fetcher: Fetcher

  constructor(
    private readonly parts: TargetParts,
    /** Fetch methods, cheapest first; requests that do not escalate use the first. */
    private readonly methods: readonly FetchMethod[],
    private readonly left = new AttemptState(),
    notes?: Notes,
    /** The step that is tried, and whether another one follows. */
    step: { method?: AttemptMethod; hasFallback?: boolean } = {},
  ) {
    const { environment, checkpoint, seq, cookies, input, signal, shared, scraper } = parts
    this.input = input
    this.signal = signal
    this.shared = shared
    this.fetcher = new Fetcher({
      environment,
      fetchMethod: methods[0]!,
      ...step,
      cookies,
      exit: parts.exit,
      signal,
      rateLimit: scraper.rateLimit,
      log: (message, level) => this.log(message, level),
      waits: (why) => this.waits(why),
    })
    this.notes = notes ?? new Notes(checkpoint, seq, () => this.fetcher)
    const { remembered } = left
    this.memory = {
      get: async <T>(key: string) =>
        (remembered.has(key)
          ? structuredClone(remembered.get(key))
          : await checkpoint.memoryGet(key)) as T | undefined,
      set: async (key, value) => void remembered.set(key, structuredClone(value)),
      series: async () => (await checkpoint.series?.()) ?? "",
    }
  }

  get followed(): FollowedTarget[] {
    return this.left.followed
  }

  get remembered(): Map<string, unknown> {
    return this.left.remembered
  }

  /** The fetch method of the last page. */
  get fetchMethod(): FetchMethod {
    return this.left.gave ?? this.left.tried ?? this.methods[0]!
  }

  /** The changed layout of a source that did not end the target. */
  get changed(): Changed | null {
    return this.left.changed ?? null
  }

  get challenges(): ReadonlyMap<FetchMethod, string | null> {
    return this.left.challenges
  }

  /** Pages to charge. */
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

  get(url: string, options?: RequestOptions): Promise<UpstreamResponse> {
    return this.plain("GET", url, options)
  }

  /**
   * A request without a page: by the first method and, if that is refused, by Chrome's network
   * stack.
   */
  private plain(method: string, url: string, options?: RequestOptions): Promise<UpstreamResponse> {
    const [first, second] = this.methods
    const climbs = retriesRefusals(first, second) && !this.parts.cookies.isPersonal
    const request = async ({ fetcher }: TargetContext) => {
      const response = await fetcher.request(method, url, options)
      return this.isLiveByChrome ? requireNoChallenge(response) : response
    }
    return this.signedIn(url, () =>
      this.cleared(url, () =>
        climbs ? this.byMethods(url, [first!, second!], request, method === "POST") : request(this),
      ),
    )
  }

  /** With a session, a request that meets a sign-in page is repeated after another log-in. */
  private signedIn<R>(url: string, request: () => Promise<R>): Promise<R> {
    const { session } = this.parts.cookies
    return session ? session.keeping(url, this.signal, request) : request()
  }

  head(url: string, options?: RequestOptions): Promise<UpstreamResponse> {
    return this.fetcher.request("HEAD", url, options)
  }

  post(url: string, options?: RequestOptions): Promise<UpstreamResponse> {
    return this.plain("POST", url, options)
  }

  async json<T>(url: string, options: JsonOptions = {}): Promise<T> {
    const response = await this.plain("GET", url, asJson(options))
    return response.json<T>(options)
  }

  browse<R>(steps: (tab: Tab) => Promise<R>): Promise<R> {
    return this.fetcher.browse(steps)
  }

  async page(url: string, options: PageOptions = {}): Promise<RenderedResponse> {
    const isWorkedOn = options.actions !== undefined && options.actions.length > 0
    if (options.actions?.some(({ type }) => type === "script")) this.requireScripts()
    if (options.forAccounts) this.requireAccount(options.forAccounts)
    if (isWorkedOn) this.requireAccount("actions")
    if (options.personal) this.requireAccount("headers")
    const isVisible = options.screenshot !== undefined || options.pdf !== undefined
    const scripted = options.scripted === true || isWorkedOn || isVisible
    const methods = scripted ? renderingMethods(this.methods) : this.methods
    return this.signedIn(url, () =>
      this.byMethods(url, methods, async (context) => {
        const { fetcher } = context
        const requested = requestOf(options)
        const response = await context.wanted(url, options, async () => {
          if (!scripted) return fetcher.page(url, requested, options.has)
          const visible = await fetcher.render(url, requested, options.has)
          // A document is read from the response, because Chrome would only download it.
          const isSaved = options.documents !== undefined && isOfDocument(visible)
          return isSaved
            ? fetcher.request("GET", url, { identity: "browser", ...requested })
            : visible
        })
        const page = isRendered(response) ? response : Object.assign(response, { captured: [] })
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
          // The body of an error often differs from its declared type.
          const isUnread = error instanceof UnsupportedContent && options.errorPages
          if (isUnread && isErrorPage(page)) return page
          throw error
        })
        if (!read.file) requirePage(read, options)
        this.warnOfLanguage(read, options)
        return read
      }),
    )
  }

  /** Warns once per host. Pages that users choose may have any language. */
  private warnOfLanguage(page: UpstreamResponse, options: PageOptions): void {
    const hosts = Object.keys(this.parts.scraper.rateLimit ?? {})
    if (hosts.every((host) => host === "*")) return
    const language = otherLanguage(page, options)
    if (language === null) return
    const { host } = new URL(page.url)
    const key = `language ${host}`
    if (this.shared.has(key)) return
    this.shared.set(key, language)
    this.log(
      `${host} returned a page in the language "${language}" although English was requested. Values that only words show may be missing.`,
      "warning",
    )
  }

  /**
   * Refuses input that types and clicks without an account, because its results may be personal. No
   * cookie outlives such a run.
   */
  private requireAccount(field: string): void {
    const { environment, cookies } = this.parts
    if (environment.isKeyless) {
      throw new Forbidden(`${field} requires an account: send an API key.`, {
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

  data(url: string, options: DataOptions = {}): Promise<UpstreamResponse> {
    const method = ["json", "form", "body"].some((name) => name in options) ? "POST" : "GET"
    const request = async (context: TargetContext) => {
      const response = await context.wanted(url, options, () =>
        context.fetcher.request(method, url, asJson(requestOf(options))),
      )
      requireData(response, options)
      return response
    }
    const methods = requestingMethods(this.methods)
    return this.signedIn(url, () => this.cleared(url, () => this.byMethods(url, methods, request)))
  }

  /** A call that meets a challenge is repeated after Chrome has cleared it for the host. */
  private cleared<T>(url: string, request: () => Promise<T>): Promise<T> {
    const { parts } = this
    const { shared, signal } = parts
    if (!this.canClear) return request()
    const open = () => {
      this.log(`${new URL(url).host} challenges the call. Opening its URL in Chrome.`)
      const chrome = new TargetContext(parts, renderingMethods(this.methods), this.left, this.notes)
      return chrome.fetcher.render(url, { accept: "any", retries: 0 })
    }
    return withClearance(url, request, { shared, signal, open })
  }

  /** Whether Chrome may clear challenges of calls. */
  private get canClear(): boolean {
    return this.isLiveByChrome && canClearChallenges(this.methods)
  }

  /** Whether a challenge of a call is cleared by Chrome, now or by the next method. */
  private get isLiveByChrome(): boolean {
    const { environment, scraper } = this.parts
    const isLive = environment.onlyMethod === undefined && (environment.pageWaitMs ?? 0) > 0
    return isLive && canClearChallenges(fetchMethodsOf(scraper))
  }

  escalate<T>(url: string, steps: Steps<T>): Promise<T> {
    const step = (chosen: AttemptMethod) => {
      if (typeof steps === "function") return isFetchMethod(chosen) ? steps : undefined
      const requests = isFetchMethod(chosen) && !strategies[chosen].rendersPages
      const byHttp = requests ? steps.http : undefined
      return steps[chosen] ?? byHttp
    }
    const { env, onlyMethod, isRecorded } = this.parts.environment
    const missing = (chosen: AttemptMethod) =>
      (step(chosen)?.needs ?? []).filter((name) => !env[name])
    const open = this.methods.filter(
      // A recording may be older than the need for a setting.
      (chosen) => step(chosen) !== undefined && (isRecorded || missing(chosen).length === 0),
    )
    const fallbacks = fallbackMethods.filter(
      (chosen) => !onlyMethod && step(chosen) !== undefined && missing(chosen).length === 0,
    )
    const methods = [...open, ...fallbacks]
    if (methods.length === 0) {
      // The error of the first one names what is missing.
      const first = Object.keys(steps)[0] as AttemptMethod
      const settings = missing(first)
      if (settings.length > 0) {
        for (const name of settings) this.secret(name)
        throw missingCredentials(url, first, settings)
      }
      methods.push(first)
    }
    return this.byMethods(url, methods, (context, chosen) => step(chosen)!(context))
  }

  /** Charges the pages of the method that succeeded; refused requests are free. */
  private byMethods<T>(
    url: string,
    methods: readonly AttemptMethod[],
    attempt: (context: TargetContext, chosen: AttemptMethod) => Promise<T>,
    isOnce = false,
  ): Promise<T> {
    const { scraper, environment, signal } = this.parts
    const escalation = {
      methods,
      key: memoryKey(scraper.slug, url),
      memory: environment.methods,
      isOnce,
      signal,
      log: (message: string) => this.log(message),
    }
    return escalate(escalation, async (chosen) => {
      const fetchMethod = strategyOf(chosen).name
      const hasFallback = retriesRefusals(fetchMethod, methods[methods.indexOf(chosen) + 1])
      const context = new TargetContext(this.parts, [fetchMethod], this.left, this.notes, {
        method: chosen,
        hasFallback,
      })
      this.left.tried = fetchMethod
      const tried = attempt(context, chosen)
      const result = await (this.parts.turns?.ended(tried) ?? tried).catch(async (error) => {
        await context.noteBlocked(error, url)
        this.replaced(error)
        throw error
      })
      this.left.gave = stronger(fetchMethod, this.left.gave)
      this.fetcher.count(context.fetcher)
      return result
    })
  }

  /**
   * Makes a request outside the run's time slices. Refusals in the site's own form become Blocked.
   */
  private async wanted<A>(
    url: string,
    { refusal }: Pick<PageOptions, "refusal">,
    request: () => Promise<A>,
  ): Promise<A> {
    try {
      const requested = request()
      return await (this.parts.turns?.resume(requested) ?? requested)
    } catch (error) {
      this.signal.throwIfAborted()
      throw (refusal && refusedRequest(error, url, refusal)) ?? error
    }
  }

  /** Deletes a clearance cookie that a challenge refused, so that later runs do not use it. */
  async noteBlocked(error: unknown, requested?: string): Promise<void> {
    if (!(error instanceof Blocked)) return
    const { challenges } = this.left
    // A failure without a URL repeats one whose fetch methods are already known.
    if (requested !== undefined || challenges.size === 0)
      challenges.set(this.methods[0]!, error.vendor)
    const url = error.url ?? requested
    if (url) await this.parts.cookies.blocked(url, strategies[this.methods[0]!].cookieClient)
  }

  keepFile(file: FileToKeep): Promise<StoredFile> {
    const { checkpoint, seq, signal } = this.parts
    return checkpoint.keepFile(seq, file, signal)
  }

  async follow(target: Target, key = targetKey(target)): Promise<boolean> {
    const { followed, followedKeys } = this.left
    if (followedKeys.has(key)) return false
    followedKeys.add(key)
    followed.push({ key, target })
    return true
  }

  log(message: string, level: LogLine["level"] = "info"): void {
    const { checkpoint, environment } = this.parts
    checkpoint.log({ at: environment.clock.now(), level, message })
  }

  replaced(error: unknown): void {
    if (error instanceof Changed) this.left.changed ??= error
  }

  private waits(message: string): void {
    const { checkpoint, environment } = this.parts
    checkpoint.log({ at: environment.clock.now(), level: "info", message, waits: true })
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

  /**
   * Explains a failure that is caused by missing Chrome, or by a secret that is not available
   * without a key.
   */
  explain(scrapeError: ScrapeError): ScrapeError {
    return explained(scrapeError, this.left.missed, this.lacksChrome)
  }

  requireModel(): void {
    const { model, modelWithheld = false } = this.parts.environment
    if (!model) throw noModel(modelWithheld)
  }

  async callModel(requested: ModelRequest): Promise<ModelResponse> {
    this.requireModel()
    const response = await this.parts.environment.model!.request(requested, this.signal)
    this.left.modelAnswers++
    return response
  }

  /** Whether the target could use Chrome, which is not available. */
  private get lacksChrome(): boolean {
    const { environment, scraper } = this.parts
    const isWanted = rendersAny(scraper.fetchMethods ?? []) && !rendersAny(this.methods)
    return isWanted && environment.browser?.available?.() === false
  }

  upstream<T extends TableValues>(table: UpstreamTable<T>): T {
    this.left.tables.add(table.site)
    return this.parts.environment.upstreams?.values(table) ?? table.values
  }

  /** Sites whose constants were used by the target, if a success should be recorded. */
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
