import type { Server } from "bun"
import { Accounts } from "../accounts/accounts.ts"
import { Claims } from "../accounts/claims.ts"
import { FreeQuota } from "../accounts/free-quota.ts"
import { addressKey, CallerIp } from "../accounts/ip-address.ts"
import { KeyCache } from "../accounts/key-cache.ts"
import { AccountLimits } from "../accounts/limits.ts"
import type { Passwords } from "../accounts/passwords.ts"
import { sameHash, sha256 } from "../accounts/secrets.ts"
import { SignUps } from "../accounts/sign-ups.ts"
import { catalogue as wholeCatalogue } from "../catalogue/index.ts"
import type { AnyScraper } from "../catalogue/kit/index.ts"
import { ScraperSearch } from "../catalogue/search.ts"
import { basePath, type Config, publicRoot } from "../config/config.ts"
import type { Browser } from "../engine/fetch/environment.ts"
import { EgressFilter } from "../engine/net/egress/filter.ts"
import { FileStorages } from "../engine/net/files/storages.ts"
import { LiveTransport } from "../engine/net/http/live.ts"
import type { RateLimitBroker } from "../engine/net/rate-limits/channel.ts"
import { Backups } from "../engine/ops/backups/backups.ts"
import { type DeliveryTransport, LocalTransport } from "../engine/ops/destinations/transport.ts"
import { Checker } from "../engine/ops/health/checker.ts"
import { HealthService } from "../engine/ops/health/health-service.ts"
import { WebhookDispatcher } from "../engine/ops/notifications/dispatcher.ts"
import { Rates } from "../engine/ops/notifications/rates.ts"
import { LiveSettings } from "../engine/ops/settings/live.ts"
import type { TraceExporter } from "../engine/ops/traces/exporter.ts"
import { SessionKeeper } from "../engine/runtime/sessions/keeper.ts"
import { LiveLogins } from "../engine/runtime/sessions/live-logins.ts"
import type { RunService } from "../engine/runtime/workers/runs.ts"
import { hasOwner, learnOwner } from "../store/accounts/accounts.ts"
import type { OwnStore } from "../store/store.ts"
import { CallsInProgress } from "./http/calls-in-progress.ts"
import { Idempotency } from "./http/idempotency.ts"
import { RateLimit } from "./http/rate-limit.ts"
import { logFailure } from "./http/store-error.ts"
import { Readings } from "./http/stream.ts"
import type { Logger } from "./log/log.ts"
import { LogTail } from "./log/log-tail.ts"
import type { Metrics } from "./metrics/metrics.ts"
import type { RuntimeStats } from "./metrics/watched.ts"
import { LocalReader, type Reader } from "./reading/reader.ts"
import { PasswordGuesses } from "./sign-up/password-guesses.ts"
import { tablesTrial } from "./tables-trial.ts"
import { RunFeeds } from "./v1/run-feed.ts"

/** The context of a request. */
export interface Call {
  request: Request
  set: { headers: Record<string, string | number | string[]>; status?: number | string }
  server: Server<unknown> | null
}

export interface ServiceParts {
  config: Config
  /** Settings that administrators change at run time. Default: those of the configuration. */
  settings?: LiveSettings
  store: OwnStore
  runs: RunService
  /** Default: every scraper. */
  catalogue?: readonly AnyScraper[]
  log: Logger
  /** The last log lines. Default: none. */
  logTail?: LogTail
  /** Default: backups of its own. */
  backups?: Backups
  /** Token with the rights of an administrator. Default: none. */
  operatorToken?: string
  /** Default: the stored limits. */
  limits?: AccountLimits
  /** Undefined if no access to metrics is configured. */
  metrics?: Metrics | undefined
  /** State of this process. Default: none. */
  runtimeStats?: RuntimeStats | undefined
  /** Rate limits of hosts, shared with runs. Default: nothing waits. */
  hostRateLimits?: RateLimitBroker
  /** Exporter of traces to a collector. */
  traces?: TraceExporter | undefined
  /** Sessions of sites. Default: their log-ins need a Chrome, and there is none. */
  sessions?: SessionKeeper | undefined
  /** Chrome for log-ins that people do. Default: none. */
  browser?(): Browser | undefined
  /**
   * Producers of long responses; two, so that a list does not wait for exports. Default: in this
   * thread.
   */
  readers?: { lists: Reader; exports: Reader }
  /** Default: one that receives no runs. */
  health?: HealthService
  passwords?: Passwords
  /** Delivers items. Default: in this thread. */
  destinations?: DeliveryTransport
}

/** The service that routes use. */
export class Service {
  readonly config: Config
  readonly store: OwnStore
  readonly runs: RunService
  readonly catalogue: readonly AnyScraper[]
  private ownSearch: ScraperSearch | undefined
  readonly log: Logger
  readonly logTail: LogTail
  /** Path of the public URL, under which a reverse proxy serves the service; usually "". */
  readonly base: string
  readonly accounts: Accounts
  readonly keys: KeyCache
  readonly claims: Claims
  readonly backups: Backups
  /** Storage of the contents of runs' files. */
  readonly files: FileStorages
  readonly idempotency: Idempotency
  /** Delivers events to notification channels. */
  readonly dispatcher: WebhookDispatcher
  /** Sessions of sites, by which runs are signed in. */
  readonly sessions: SessionKeeper
  /** Log-ins that people do in a page of Chrome. */
  readonly liveLogins: LiveLogins
  /** Delivers items to destinations. */
  readonly destinations: DeliveryTransport
  /** Rate limits of the deliveries. */
  readonly rates = new Rates()
  readonly callers: CallerIp
  readonly limit: RateLimit
  /** Limit of sign-ups and sign-ins, because each hashes a password. */
  readonly authLimit: RateLimit
  readonly running = new CallsInProgress()
  readonly guesses = new PasswordGuesses()
  /** Health of the scrapers. */
  readonly health: HealthService
  /** Runs health probes. */
  readonly checker: Checker
  /** Milliseconds between keep-alive bytes in a response that waits for a run. */
  beatMs = 15_000
  readonly lists: Readings
  readonly exports: Readings
  readonly feeds: RunFeeds
  /** Aborted when endless streams must end. */
  readonly ending = new AbortController()
  /** The service is about to shut down: load balancers should use another one. */
  stopping = false
  /** Undefined if no access to metrics is configured. */
  readonly metrics: Metrics | undefined
  readonly runtimeStats: RuntimeStats | undefined
  readonly hostRateLimits: RateLimitBroker | undefined
  readonly traces: TraceExporter | undefined
  private readonly operatorHash: string | undefined
  private reportedOfProxy = false
  readonly slugs: readonly string[]
  private readonly bySlug: ReadonlyMap<string, AnyScraper>

  private constructor(
    parts: ServiceParts,
    readonly settings: LiveSettings,
    readonly limits: AccountLimits,
    readonly freeQuota: FreeQuota,
    readonly signUps: SignUps,
  ) {
    const { config, store, runs } = parts
    this.config = config
    this.store = store
    this.runs = runs
    this.catalogue = parts.catalogue ?? wholeCatalogue
    this.slugs = this.catalogue.map((scraper) => scraper.slug)
    this.bySlug = new Map(this.catalogue.map((scraper) => [scraper.slug, scraper]))
    this.log = parts.log
    this.logTail = parts.logTail ?? new LogTail()
    this.metrics = parts.metrics
    this.runtimeStats = parts.runtimeStats
    this.hostRateLimits = parts.hostRateLimits
    this.traces = parts.traces
    this.operatorHash = parts.operatorToken && sha256(parts.operatorToken)
    this.base = basePath(config)
    this.accounts = new Accounts(store, config, parts.passwords)
    this.keys = new KeyCache(store)
    this.claims = new Claims(store)
    this.backups = parts.backups ?? new Backups(config)
    this.files = new FileStorages(config)
    this.idempotency = new Idempotency(store)
    this.destinations = parts.destinations ?? new LocalTransport(store, store.secrets, config)
    const transport = new LiveTransport(new EgressFilter(config.egressAllow))
    this.dispatcher = new WebhookDispatcher({ config, secrets: store.secrets, transport })
    this.health =
      parts.health ?? new HealthService({ store, scraper: (slug) => this.scraper(slug) })
    this.checker = new Checker({
      store,
      health: this.health,
      scrapers: this.catalogue,
      dataDir: config.dataDir,
      carryOut: (order, signal) => runs.check(order, signal),
      quotas: () => this.runtimeStats?.hosts().quotas ?? [],
      isScheduled: config.checks,
      ...((config.checks || config.upstreamsDaily) && {
        trial: tablesTrial(config, transport, this.log),
      }),
      onError: (message) => this.log.error(message),
    })
    const { lists = new LocalReader(store.db), exports = lists } = parts.readers ?? {}
    const onBroken = (error: unknown, url: string) => logFailure(parts, error, url)
    const { browser = () => undefined } = parts
    this.sessions = parts.sessions ?? new SessionKeeper({ store, browser })
    this.liveLogins = new LiveLogins(browser)
    this.lists = new Readings(lists, { onBroken })
    this.exports = new Readings(exports, { onBroken })
    this.feeds = new RunFeeds(store.db, runs)
    this.callers = new CallerIp(config.trustProxy)
    this.limit = new RateLimit(() => config.rateLimit)
    this.authLimit = new RateLimit(() => Math.min(config.rateLimit, 30), 600)
  }

  static async open(parts: ServiceParts): Promise<Service> {
    const { store, config } = parts
    return new Service(
      parts,
      parts.settings ?? (await LiveSettings.open(config, store)),
      parts.limits ?? (await AccountLimits.open(store.db)),
      await FreeQuota.open(store, config),
      await SignUps.open(store, config),
    )
  }

  scraper(slug: string): AnyScraper | undefined {
    return this.bySlug.get(slug)
  }

  /** Whether anyone can create an account. */
  get signUpIsOpen(): boolean {
    const { signup } = this.config
    return signup === "open" || (signup === "unowned" && !hasOwner(this.store.db))
  }

  /**
   * Like `letsAnonymousCallers`, read again if the database is shared, because another process may
   * have created the first administrator.
   */
  async letsAnonymousCallersIn(): Promise<boolean> {
    if (this.store.isShared) await learnOwner(this.store.db)
    return this.signUpIsOpen
  }

  /**
   * Whether a token is the operator's, which only users with access to the data folder can read.
   */
  isOperator(token: string): boolean {
    return this.operatorHash !== undefined && sameHash(sha256(token), this.operatorHash)
  }

  /** Returns the search over the catalogue and an account's own scrapers. */
  search(own: readonly AnyScraper[] = []): ScraperSearch {
    if (own.length > 0) return new ScraperSearch([...own, ...this.catalogue])
    this.ownSearch ??= new ScraperSearch(this.catalogue)
    return this.ownSearch
  }

  /** Returns the client's IP address; that of this machine if there is no socket (tests). */
  address(call: Call): string {
    const forwardedFor = call.request.headers.get("x-forwarded-for")
    if (forwardedFor === null) return peerOf(call)
    return this.trustedProxy(call) ? this.callers.of(peerOf(call), forwardedFor) : peerOf(call)
  }

  /** The key by which limits count a caller: its IP address, or the network of an IPv6 address. */
  callerKey(call: Call): string {
    return addressKey(this.address(call))
  }

  /** The public URL of the service, without a trailing slash. */
  root(call: Call): string {
    const { request } = call
    if (this.config.baseUrl) return publicRoot(this.config, this.config.port)
    const { url } = request
    const origin = url.slice(0, url.indexOf("/", url.indexOf("//") + 2))
    const host = request.headers.get("x-forwarded-host")
    const scheme = request.headers.get("x-forwarded-proto")
    if (host === null && scheme === null) return origin
    if (!this.trustedProxy(call)) return origin
    const [ownScheme, ownHost] = origin.split("://")
    const reported = `${scheme ?? ownScheme}://${host ?? ownHost}`
    return /^https?:\/\/[^/?#@\s,]+$/.test(reported) && URL.canParse(reported) ? reported : origin
  }

  /** Whether the X-Forwarded-* headers of a request are trusted. If not, the operator is warned once. */
  private trustedProxy(call: Call): boolean {
    const peer = peerOf(call)
    if (this.callers.trusts(peer)) return true
    if (!this.reportedOfProxy) {
      this.reportedOfProxy = true
      this.log.warn(
        `X-Forwarded-* headers of ${peer} are not trusted: all its callers count as one, and links may be wrong. If it is your reverse proxy, set TRAWL_TRUST_PROXY=${peer} (and TRAWL_BASE_URL to the public URL).`,
      )
    }
    return false
  }
}

/** IP addresses of requests: several parts need them, and the server makes an object for each reading. */
const peers = new WeakMap<Request, string>()

function peerOf({ request, server }: Call): string {
  const known = peers.get(request)
  if (known !== undefined) return known
  const peer = server?.requestIP(request)?.address ?? "127.0.0.1"
  peers.set(request, peer)
  return peer
}
