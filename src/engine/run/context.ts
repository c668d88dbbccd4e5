import type { CookieJar } from "tough-cookie"
import {
  type Access,
  type Answer,
  Blocked,
  type Context,
  Forbidden,
  type HostPace,
  type JsonOptions,
  type Outcome,
  type RenderedAnswer,
  type RenderOptions,
  type RequestOptions,
  type Tab,
  type TableValues,
  type Target,
  UnsupportedContent,
  type UpstreamTable,
} from "../../catalogue/kit/index.ts"
import type { Environment } from "../environment/environment.ts"
import { HttpClient } from "../http/client.ts"
import type { Transport } from "../http/exchange.ts"
import { statusFailure } from "../http/failure.ts"
import { inTurn, PacedTransport, type Pacing } from "../pace/paced.ts"
import { pacedTab } from "../pace/paced-tab.ts"
import { type FollowedTarget, type Journal, type LogLine, targetKey } from "./journal.ts"

/** What one attempt at one target is given, and what it leaves behind. */
export class TargetContext implements Context {
  readonly followed: FollowedTarget[] = []
  private readonly followedKeys = new Set<string>()
  /** Kept with the target's items, so that a run which is repeated finds the memory as before. */
  readonly remembered = new Map<string, unknown>()
  pages = 0
  unlockerPages = 0
  private readonly tables = new Set<string>()
  /** Secrets that were wanted, and are not for this run. */
  private readonly missed = new Set<string>()
  readonly memory: Context["memory"]
  private readonly http: HttpClient
  private readonly pacing?: Pacing

  constructor(
    private readonly environment: Environment,
    private readonly journal: Journal,
    private readonly access: Access,
    private readonly jar: CookieJar,
    readonly input: unknown,
    readonly signal: AbortSignal,
    readonly shared: Map<string, unknown>,
    pace?: Record<string, HostPace>,
  ) {
    if (environment.pace) {
      this.pacing = {
        broker: environment.pace,
        pace,
        owner: environment.paceOwner ?? "here",
        way: access,
        delayOf: (url) => environment.robots?.knownDelay(url),
        log: (message) => this.log(message),
      }
    }
    this.http = new HttpClient({
      transport: this.transport(),
      clock: environment.clock,
      robots: environment.robots,
      signal,
      jar,
      contact: environment.env.TRAWL_CONTACT,
      log: (message) => this.log(message),
      onPage: (answer) => this.countPage(answer),
    })
    this.memory = {
      get: async <T>(key: string) =>
        (this.remembered.has(key)
          ? structuredClone(this.remembered.get(key))
          : await journal.memoryGet(key)) as T | undefined,
      set: async (key, value) => void this.remembered.set(key, structuredClone(value)),
    }
  }

  /** The way to upstreams: by the operator's unlocker or plainly, each host in its turn. */
  private transport(): Transport {
    const way = this.access === "unlocker" ? this.unlockerTransport() : this.environment.http
    // Plain calls of a target that Chrome works on go their own way.
    const plainly = this.access === "browser" ? "http" : this.access
    return this.pacing ? new PacedTransport(way, { ...this.pacing, way: plainly }) : way
  }

  private unlockerTransport() {
    if (this.environment.unlocker) return this.environment.unlocker
    this.log("No unlocker is set (TRAWL_UNLOCKER_URL); going the plain way.", "warning")
    return this.environment.http
  }

  private countPage(_answer: Answer): void {
    this.pages++
    if (this.access === "unlocker" && this.environment.unlocker) this.unlockerPages++
  }

  get(url: string, options?: RequestOptions): Promise<Answer> {
    return this.http.request("GET", url, options)
  }

  head(url: string, options?: RequestOptions): Promise<Answer> {
    return this.http.request("HEAD", url, options)
  }

  post(url: string, options?: RequestOptions): Promise<Answer> {
    return this.http.request("POST", url, options)
  }

  async json<T>(url: string, options: JsonOptions = {}): Promise<T> {
    const headers = { accept: "application/json", ...options.headers }
    const answer = await this.http.request("GET", url, { ...options, headers })
    return answer.json<T>({ bigIntegers: options.bigIntegers })
  }

  async html(url: string, options: RenderOptions = {}): Promise<Answer> {
    const answer =
      this.access === "browser"
        ? await this.render(url, options)
        : await this.http.request("GET", url, { identity: "browser", ...options })
    const { types = [] } = options
    if (!types.includes("*") && !types.includes(answer.contentType)) requireHtml(answer)
    return answer
  }

  async render(url: string, options: RenderOptions = {}): Promise<RenderedAnswer> {
    if (options.robots) await this.http.obeyRobots(url)
    const load = () => this.lease((tab) => tab.goto(url, options))
    // The turn comes first, for a lease's time runs while it waits.
    const answer = this.pacing ? await inTurn(this.byChrome, url, this.signal, load) : await load()
    const accepted =
      answer.status < 400 || options.accept === "any" || options.accept?.includes(answer.status)
    if (!accepted) throw statusFailure(answer, this.environment.clock.now())
    this.countPage(answer)
    return answer
  }

  browse<R>(steps: (tab: Tab) => Promise<R>): Promise<R> {
    if (!this.pacing) return this.lease(steps)
    return this.lease((tab) => steps(pacedTab(tab, this.byChrome, this.signal)))
  }

  private get byChrome(): Pacing {
    return { ...this.pacing!, way: "browser" }
  }

  private lease<R>(steps: (tab: Tab) => Promise<R>): Promise<R> {
    const { browser } = this.environment
    if (!browser) {
      throw new Forbidden(
        "This page needs Chrome, and none is set up; run `trawl browser install` or set TRAWL_CHROME.",
      )
    }
    return browser.lease(
      {
        signal: this.signal,
        jar: this.jar,
        unlocker: this.access === "unlocker",
        log: (message) => this.log(message),
      },
      steps,
    )
  }

  async follow(target: Target, key = targetKey(target)): Promise<boolean> {
    if (this.followedKeys.has(key)) return false
    this.followedKeys.add(key)
    this.followed.push({ key, target })
    return true
  }

  log(message: string, level: LogLine["level"] = "info"): void {
    this.journal.log({ at: this.environment.clock.now(), level, message })
  }

  async pause(seconds: number, why: string): Promise<void> {
    this.log(`Waiting ${Math.round(seconds * 10) / 10} s: ${why}`)
    await this.environment.clock.sleep(seconds * 1000, this.signal)
  }

  now(): Date {
    return new Date(this.environment.clock.now())
  }

  secret(name: string): string | undefined {
    if (this.environment.withheld?.has(name)) this.missed.add(name)
    return this.environment.env[name] || undefined
  }

  /** What failed for want of a secret that is set here, but not for runs without a key, says so. */
  explain(outcome: Outcome): Outcome {
    if (this.missed.size === 0 || outcome.code !== "missing_credentials") return outcome
    const names = [...this.missed].join(" and ")
    return new Forbidden(
      `This needs ${names}, which here serves the runs of accounts only: call with an API key.`,
      { ...outcome, code: outcome.code },
    )
  }

  upstream<T extends TableValues>(table: UpstreamTable<T>): T {
    this.tables.add(table.site)
    return this.environment.upstreams?.values(table) ?? table.values
  }

  /** Sites with whose tables the target was worked on, where a success is worth noting. */
  newsOfTables(): string[] {
    const { upstreams } = this.environment
    return upstreams ? [...this.tables].filter((site) => upstreams.isNews(site)) : []
  }

  dns(name: string, type: string): Promise<unknown> {
    return this.environment.dns(name, type, this.signal)
  }

  tls(host: string, port = 443, servername = host) {
    return this.environment.tls(host, port, servername, this.signal)
  }
}

const htmlTypes = new Set(["text/html", "application/xhtml+xml", ""])

/** Larger bodies of other types are data, and not looked at. */
const largestWall = 64_000

function requireHtml(answer: Answer): void {
  if (htmlTypes.has(answer.contentType)) {
    if (answer.contentType !== "") return
    if (/^\s*(?:<!--|<!doctype html|<html|<head|<body)/i.test(answer.text().slice(0, 1024))) return
  }
  // Walls answer pages with JSON as well, or with nothing at all.
  const wall = answer.bytes.length <= largestWall ? answer.lacks("a page") : undefined
  if (wall instanceof Blocked) throw wall
  throw new UnsupportedContent(
    `The answer is ${answer.contentType || "of no stated type"}, not an HTML page.`,
    { url: answer.url, statusCode: answer.status },
  )
}
