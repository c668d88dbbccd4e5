import type { DocumentFacts, DocumentFormat } from "../../extract/documents/index.ts"
import type { PageAction } from "./actions.ts"
import type { ScrapeError } from "./errors.ts"
import type { SecretName } from "./secrets.ts"
import type { TableValues, UpstreamTable } from "./upstream.ts"

/**
 * The fetch methods, from the cheapest to the most capable. `browser-http` is Chrome as an HTTP
 * client: its connection and its headers, without rendering.
 */
export const fetchMethods = ["http", "browser-http", "browser", "unlocker"] as const
export type FetchMethod = (typeof fetchMethods)[number]

/**
 * Sources over plain HTTP that are tried after all fetch methods were blocked: feeds that a site
 * publishes, and then its API with the operator's keys.
 */
export const fallbackMethods = ["feed", "keys"] as const
export type AttemptMethod = FetchMethod | (typeof fallbackMethods)[number]

/** A unit of a run: a string as the caller gave it, or a small JSON object. */
export type Target = string | { [key: string]: unknown }

export interface RequestOptions {
  headers?: Record<string, string>
  /** Query parameters, added to those of the address; undefined ones are left out. */
  query?: Record<string, string | number | boolean | readonly string[] | undefined>
  /** Bodies of a POST; one of them. */
  json?: unknown
  form?: Record<string, string>
  body?: string
  /** Cookies for this host, kept in the run's jar from now on. */
  cookies?: Record<string, string>
  /** `manual` returns a 3xx as it is. Default `follow`, 20 hops at most. */
  redirect?: "follow" | "manual"
  /** Cap on the body after unpacking. Default 10 MB. */
  maxBytes?: number
  /** Keep the first `maxBytes` of a larger body instead of failing with TooLarge. */
  truncate?: boolean
  /** For the whole call with its redirects, not its retries. Default 30 s. */
  timeoutMs?: number
  /** For each attempt over plain HTTP, its wait for the host's turn included. Default: no end. */
  withinMs?: number
  /** Statuses of 400 and more that come back as answers; all others are thrown as outcomes. */
  accept?: readonly number[] | "any"
  /** Attempts after the first for 429, 5xx and dropped connections. Default 3 for 429/503, else 2. */
  retries?: number
  /** `browser`: headers of a desktop Chrome (default of html and render); `service`: Trawl's own. */
  identity?: "browser" | "service"
  /** Obey robots.txt, and refuse with RobotsDisallowed. For addresses that no user named. */
  robots?: boolean
}

export interface JsonOptions extends RequestOptions {
  /** Integers beyond 2^53 are kept as strings. */
  bigIntegers?: boolean
}

/** An upstream's answer. `document` and `text()` are worked out once, on first use. */
export interface UpstreamResponse {
  /** After redirects, without fragment. */
  url: string
  /** As asked for, with the query. */
  requestedUrl: string
  status: number
  headers: Headers
  /** The hops before this answer, in order. */
  redirects: { url: string; status: number; location: string }[]
  via: FetchMethod
  /** Media type without parameters, lower case; "" when the header is missing. */
  contentType: string
  bytes: Uint8Array
  /** The body, decoded by the rules of the HTML standard. */
  text(): string
  /** The body as JSON, without guard prefixes such as `)]}'`. @throws Changed */
  json<T = unknown>(options?: { bigIntegers?: boolean }): T
  readonly document: Document
  /** Set where the page was made of a document, such as a PDF; `bytes` are the document's. */
  readonly file?: DocumentFile
  /** Milliseconds; null if unknown, as in replay or Chrome. */
  timing: { total: number; firstByte: number | null }
  /** The address that was connected to; null behind a proxy and in Chrome. */
  ip: string | null
  /**
   * What an answer without its data is: Blocked (with the vendor), EmptyShell or Changed. Look for
   * the data first, then `throw answer.lacks("the product title")`.
   */
  explainMissing(what: string): ScrapeError
}

/** What an answer was before it became a page. */
export interface DocumentFile extends DocumentFacts {
  format: DocumentFormat
  /** The answer's media type, as stated. */
  contentType: string
}

export interface RenderOptions extends RequestOptions {
  /**
   * Media types that `ctx.page` accepts in addition to HTML, such as text/plain; `*` accepts all.
   */
  types?: readonly string[]
  /** Done when this selector is there, or the network is quiet (default). */
  waitFor?: string | "network-quiet"
  /** Maximum wait for what the page lacks; the operator's setting is the limit. */
  pageWaitMs?: number
  /** Scroll down until nothing new appears, this many screens at most. */
  scroll?: number
  /** Actions on the page before it is read; only for runs of an account. */
  actions?: readonly PageAction[]
  /** The window in which the page is shown. */
  view?: PageView
  /** A picture of the page, as it is read. */
  screenshot?: ScreenshotOptions
  /** The page printed, as it is read. */
  pdf?: PdfOptions
  /** Resource types that are not loaded. Default: images, fonts, media; of a page that is pictured, media. */
  block?: readonly ("image" | "font" | "media" | "stylesheet" | "script")[]
  /** Answers that the page itself fetched whose address matches are kept in `captured`. */
  capture?: RegExp
}

export interface PageView {
  width?: number | undefined
  height?: number | undefined
  /** Whether the page is shown in its dark colours. */
  dark?: boolean | undefined
}

export interface ScreenshotOptions {
  type: "png" | "jpeg" | "webp"
  /** Of JPEG and WebP, 1 to 100. */
  quality?: number | undefined
  /** The whole page, up to the maximum height of images, instead of the window. */
  fullPage?: boolean | undefined
  /** The first element that matches, instead of the window. */
  selector?: string | undefined
}

export interface PdfOptions {
  format: "A3" | "A4" | "A5" | "Letter" | "Legal" | "Tabloid"
  landscape?: boolean | undefined
  /** Colours and pictures of backgrounds too. */
  background?: boolean | undefined
}

/** Results of actions, each kind in its order. */
export interface ActionResults {
  screenshots: NonNullable<Shots["screenshot"]>[]
  pages: { url: string; html: string }[]
  /** Values of scripts, as plain data. */
  values: unknown[]
}

/** What Chrome made of a page in addition to its source. */
export interface Shots {
  actions?: ActionResults
  screenshot?: {
    contentType: string
    bytes: Uint8Array
    width: number
    height: number
    /** Where the picture had to end before the page: how high that is. */
    fullHeight?: number
  }
  pdf?: {
    contentType: string
    bytes: Uint8Array
    pages: number
    /** There may be more pages than are printed. */
    isCut: boolean
  }
}

export interface FileToKeep {
  /** With its ending; another one of the same name replaces it. */
  name: string
  contentType: string
  bytes: Uint8Array
}

/** What an item says of a file. */
export interface StoredFile {
  /** The URL to read it from, or a path if the service's root URL is not set. */
  url: string
  contentType: string
  bytes: number
  sha256: string
}

/** How a site itself refuses robots, in addition to the challenges of known vendors. */
export interface Refusal {
  /** Name of the vendor in errors. Default: none. */
  vendor?: string
  /** Statuses that are a refusal here, whatever the page says. */
  statuses?: readonly number[]
  /** Addresses to which it leads robots. */
  address?: RegExp
  /** Content of a page that is a refusal: the page's own words, or a test such as `isBare`. */
  sign?: RegExp | ((response: UpstreamResponse) => boolean)
  /** It lets a client that it does not like wait forever. */
  stalls?: boolean
}

/** What an answer is to hold, and how a host shows that it keeps it back. */
export interface Wanted<A extends UpstreamResponse = UpstreamResponse> {
  /**
   * Returns whether a response has the requested data, or states that there is none. Only a
   * response without it may be a challenge. For pages it can be a selector, which Chrome waits for.
   */
  has?: string | ((response: A) => boolean)
  /** What that is, for errors: "the product". */
  what?: string
  /** The site's own signs. A host that has some is asked no oftener than twice by each way. */
  refusal?: Refusal
}

export interface PageOptions extends RenderOptions, Wanted<RenderedResponse> {
  /** Documents such as PDF and Word are read as pages; `files` leaves text, JSON and feeds. */
  documents?: "all" | "files"
  /** Pages of a PDF that are read at most. */
  documentPages?: number | undefined
  /** Only scripts show it: http is left out, and what goes through the unlocker is Chrome. */
  scripted?: boolean
  /**
   * A response of status 400 or more is a page like any other, of whatever type, and not an error; a
   * challenge still is one.
   */
  errorPages?: boolean
  /** A field of the input that is for runs with an account alone, such as what is kept for later runs. */
  forAccounts?: string | undefined
  /** Asked for in its caller's name: for runs with an account, and no cookie of it outlives the run. */
  personal?: boolean
}

/** A request as a page's script makes it: a GET, or a POST if there is a body. */
export interface DataOptions extends RequestOptions, Wanted {}

export interface Step<T, Input = unknown> {
  (ctx: Context<Input>): Promise<T>
  /** Left out unless the operator set all of these. */
  needs?: readonly SecretName[]
}

/**
 * The steps of each fetch method, or of all of them. A method that is not named is left out; the
 * unlocker uses the steps of http. `feed` and `keys` come after the methods. `keys` is also tried
 * if a method failed for another reason than a challenge, because it is another client with its own
 * limits.
 */
export type Steps<T, Input = unknown> =
  | Step<T, Input>
  | { readonly [chosen in AttemptMethod]?: Step<T, Input> | undefined }

export interface RenderedResponse extends UpstreamResponse {
  captured: UpstreamResponse[]
  /** The files that were requested. */
  shots?: Shots
}

/** One tab of a browser lease, for pages that need several steps. */
export interface Tab {
  goto(url: string, options?: RenderOptions): Promise<RenderedResponse>
  /** Returns the page as it is now, with everything captured so far. */
  read(): Promise<RenderedResponse>
  waitFor(selector: string, timeoutMs?: number): Promise<boolean>
  click(selector: string): Promise<boolean>
  /** Scroll the page, or the element, until `until` is there or nothing new appears. */
  scroll(options?: { element?: string; until?: string; screens?: number }): Promise<void>
  /** A request made from inside the page, with its cookies and origin. */
  fetch(url: string, options?: RequestOptions & { method?: string }): Promise<UpstreamResponse>
}

export interface TlsPeer {
  authorized: boolean
  authorizationError: string | null
  protocol: string | null
  /** Leaf first; DER as base64 where known. */
  [field: string]: unknown
}

/** A question about one page to the operator's model. */
export interface ModelRequest {
  prompt: string | null
  /** The caller's JSON Schema, as written. */
  schema: unknown
  /** The page's text; its end is cut off where the operator's limit is reached. */
  page: string
  url: string
  /** Returns what is wrong with an answer, as a sentence; null if it fits. */
  check(value: unknown): string | null
}

export interface ModelUsage {
  model: string
  /** As its server counts them; null if unknown. */
  inputTokens: number | null
  outputTokens: number | null
  /** In the currency of its server; null if unknown. */
  cost: number | null
  /** Times that it was asked: a second one where the first answer did not fit. */
  requests: number
  /** The page was longer than the operator lets it be. */
  truncated: boolean
}

export interface ModelResponse {
  value: Record<string, unknown>
  usage: ModelUsage
}

export interface Context<Input = unknown> {
  readonly input: Input
  readonly signal: AbortSignal
  get(url: string, options?: RequestOptions): Promise<UpstreamResponse>
  /** Status and headers alone; many hosts answer it otherwise than GET. */
  head(url: string, options?: RequestOptions): Promise<UpstreamResponse>
  post(url: string, options?: RequestOptions): Promise<UpstreamResponse>
  /** @throws Changed when the body is not JSON. */
  json<T = unknown>(url: string, options?: JsonOptions): Promise<T>
  /**
   * Returns a page that `has` accepts, or at least one that is not a challenge. Tries the scraper's
   * `fetchMethods` in their order, as far as they are available: http, Chrome, the unlocker. The
   * method that worked is remembered for the host. Throws Blocked or EmptyShell if none did.
   */
  page(url: string, options?: PageOptions): Promise<RenderedResponse>
  /** The same for JSON, by the ways that carry a plain request. @throws Blocked when none did */
  data(url: string, options?: DataOptions): Promise<UpstreamResponse>
  /**
   * For what each way shows in another form: the steps of one way after the other, with a context that
   * goes this way alone, until they are not turned away. The address names the host.
   */
  escalate<T>(url: string, steps: Steps<T, Input>): Promise<T>
  browse<R>(steps: (tab: Tab) => Promise<R>): Promise<R>
  /** Stores a file of the target for as long as its items. Throws TooLarge. */
  keepFile(file: FileToKeep): Promise<StoredFile>
  /** Adds a target found on the way; false when its key (default: the target itself) is known. */
  follow(target: Target, key?: string): Promise<boolean>
  /** A line of the run's log; a warning also says what an item lacks. */
  log(message: string, level?: "info" | "warning"): void
  /** Waits as an upstream asked (`backoff`, a rate window's end); the run's log says for what. */
  pause(seconds: number, why: string): Promise<void>
  now(): Date
  /** The account's small store, kept between runs of this scraper. Values are JSON. */
  readonly memory: {
    get<T = unknown>(key: string): Promise<T | undefined>
    set(key: string, value: unknown): Promise<void>
  }
  /**
   * What the run must know again after a restart. A note is kept at once, those of a target that fails
   * are dropped with it; `read` gives those of this target and of all that are done, in their order.
   * Values are JSON.
   */
  readonly notes: {
    read<T = unknown>(): Promise<T[]>
    add(value: unknown): void
  }
  /** What the targets of one run share (tokens, counters); not kept over a restart. */
  readonly shared: Map<string, unknown>
  /** What the operator set for an upstream in the environment. */
  secret(name: SecretName): string | undefined
  /** A site's table as it is in force here, with what the operator laid over it. */
  upstream<T extends TableValues>(table: UpstreamTable<T>): T
  /** @throws Forbidden where the operator set no model, or none for this run. */
  requireModel(): void
  /**
   * The operator's model on one page; it costs credits of its own. The answer fits `check`.
   * @throws Forbidden as above; Timeout, Unreachable, UpstreamError
   */
  askModel(requested: ModelRequest): Promise<ModelResponse>
  /** DNS over the system's resolver: record data as text. @throws NotFound | Unreachable */
  dns(name: string, type: string): Promise<unknown>
  /** A TLS handshake and its certificates; never rejects a bad certificate. @throws Unreachable */
  tls(host: string, port?: number, servername?: string): Promise<TlsPeer>
}
