import type { CookieJar } from "tough-cookie"
import type { Clock } from "../../base/clock.ts"
import {
  type FetchMethod,
  isSecret,
  type RenderedResponse,
  type RenderOptions,
  type Tab,
  type TlsPeer,
} from "../../catalogue/kit/index.ts"
import type { DocumentReader } from "../net/documents/reader.ts"
import type { Transport, WireRequest, WireResponse } from "../net/http/exchange.ts"
import type { BrowserHeaders } from "../net/http/identity.ts"
import type { EgressRules } from "../net/http/proxy-rules.ts"
import type { Robots } from "../net/http/robots.ts"
import type { ModelClient } from "../net/model/client.ts"
import type { RateLimitBroker } from "../net/rate-limits/channel.ts"
import type { OperatorRateLimit } from "../net/rate-limits/configured-limits.ts"
import type { InputEvent, Picture } from "../net/sessions/live-page.ts"
import type { SessionService, StorageToSet } from "../net/sessions/run-session.ts"
import type { OriginStorage } from "../net/sessions/state.ts"
import type { Counters } from "../ops/health/counters.ts"
import type { FetchMethodMemory } from "./method-memory.ts"
import type { Upstreams } from "./site-constants/site-constants.ts"

/** A leased tab of Chrome. It is opened, read and finished in steps while a page is still loading. */
export interface LeasedTab extends Tab {
  /**
   * Waits up to this time for the page to change, and reads it; null if it is unchanged since the
   * last read.
   */
  next(timeoutMs: number): Promise<RenderedResponse | null>
  /** Applies the steps that `goto` applies after loading: scrolling, actions, screenshots. */
  finish(options: RenderOptions, isQuiet?: boolean): Promise<RenderedResponse>
  /** The local storage of the page; null if it has none. */
  storage?(): Promise<OriginStorage | null>
  /** The next picture of the page for a person who works in it; null if it does not change in time. */
  watch?(timeoutMs: number): Promise<Picture | null>
  /** Applies a person's input to the page, in order. */
  input?(events: readonly InputEvent[]): Promise<void>
}

/** Chrome from the perspective of a run. */
export interface Browser {
  /** Runs steps in one leased tab; the lease ends with them. */
  lease<R>(lease: BrowserLease, steps: (tab: LeasedTab) => Promise<R>): Promise<R>
  /** One exchange over Chrome's network stack, with nothing rendered. Absent if unavailable. */
  fetch?(lease: BrowserLease, request: WireRequest): Promise<WireResponse>
  /** Whether Chrome is available; without it, no page is rendered. Default: true. */
  available?(): boolean
  /** Closes the open tabs and contexts of the run with this cookie jar. */
  release?(jar: CookieJar): Promise<void>
}

export interface BrowserLease {
  signal: AbortSignal
  /** The run's cookies, passed to Chrome before the lease and read back after it. */
  jar: CookieJar
  /** Egress rules of the caller, which may select a proxy of the operator. */
  exit?: EgressRules | undefined
  /** Whether to use the operator's unlocker. */
  unlocker: boolean
  /** Local storage of the run's session. */
  storage?: StorageToSet | undefined
  /** Milliseconds for all steps together. */
  deadlineMs?: number
  /** Called with a PNG screenshot of each page that is read. */
  onScreenshot?(png: Uint8Array): void
  log(message: string): void
}

/**
 * The outside world of a run: the live one (src/app/live-environment.ts) or a recorded case
 * (replay/environment.ts). Scrapers cannot distinguish them.
 */
export interface Environment {
  clock: Clock
  http: Transport
  /** The operator's unlocking proxy; undefined if none is set. */
  unlocker?: Transport
  browser?: Browser
  /** Rate limits of hosts; missing in replay. */
  rateLimit?: RateLimitBroker
  /** The operator's rate limits. */
  hostRateLimit?: OperatorRateLimit
  /** Owner of the permits, which are released together when a worker is lost. */
  rateLimitOwner?: string
  robots?: Robots
  /** Chrome's identity headers, the same for all requests with one cookie jar. */
  chromeHeaders?(jar: CookieJar): BrowserHeaders | undefined
  /**
   * Set if cookies of anonymous sessions outlive their run. `addressChanges`: whether the IP
   * address may differ from run to run.
   */
  reuseCookies?: { addressChanges: boolean }
  /** Milliseconds that Chrome waits for a page to become complete. Unset in replay. */
  pageWaitMs?: number
  /** The fetch method that last worked, per host. */
  methods?: FetchMethodMemory
  /** Reads documents. Default: in threads of this thread. */
  documents?: DocumentReader
  /** The only fetch method to use, for a health check of that method. */
  onlyMethod?: FetchMethod
  /** Sessions of accounts, by which their runs are signed in. */
  sessions?: SessionService
  /** Counts the outcomes of targets. */
  counts?: Counters
  dns(name: string, type: string, signal: AbortSignal): Promise<unknown>
  tls(host: string, port: number, servername: string, signal: AbortSignal): Promise<TlsPeer>
  /** The operator's settings for upstreams. */
  env: Record<string, string | undefined>
  /** Site constants, with the operator's overrides; otherwise as compiled. */
  upstreams?: Pick<Upstreams, "values" | "isNews">
  /** Names of secrets that keyless runs may use; `all` for all of them. */
  keylessSecrets?: readonly string[]
  /** IDs of accounts that may execute JavaScript on pages; `all` for every account. */
  scriptAccounts?: readonly string[]
  /** The caller has no account. */
  isKeyless?: boolean
  /** The operator's model; undefined if none is set, or none for this run. */
  model?: Pick<ModelClient, "request"> | undefined
  /** A model is set, but not for runs without an account. */
  modelWithheld?: boolean
  /** Secrets that are set, but not available to this run. */
  withheld?: ReadonlySet<string>
  /** Whether responses are recordings: sources that sites have closed since then are read, too. */
  isRecorded?: boolean
  /** Runs one target at a time, so that the order of items and new targets is reproducible. */
  sequential?: boolean
}

/**
 * Returns the environment of a run without an API key. It has no unlocker, which the operator pays for,
 * and no keys or sessions of the operator unless they are opened to anonymous callers.
 */
export function keylessWorld({ unlocker: _, ...rest }: Environment): Environment {
  const open = rest.keylessSecrets ?? []
  if (open.includes("all")) return { ...rest, isKeyless: true }
  const env: Environment["env"] = {}
  const withheld = new Set<string>()
  for (const [name, value] of Object.entries(rest.env)) {
    if (!isSecret(name) || open.includes(name)) env[name] = value
    else if (value) withheld.add(name)
  }
  if (open.includes("TRAWL_LLM_KEY")) return { ...rest, isKeyless: true, env, withheld }
  const modelWithheld = rest.model !== undefined
  return { ...rest, isKeyless: true, env, withheld, model: undefined, modelWithheld }
}
