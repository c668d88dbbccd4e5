import type { DocumentFacts, DocumentFormat } from "../../extract/documents/index.ts"
import type { PageAction } from "./actions.ts"
import type { ScrapeError } from "./errors.ts"
import type { ModelRequest, ModelResponse } from "./model.ts"
import type { SecretName } from "./secrets.ts"
import type { TableValues, UpstreamTable } from "./upstream.ts"

/**
 * The fetch methods, from the cheapest to the most capable. `browser-http` is Chrome as an HTTP
 * client: its connection and its headers, without rendering.
 * @example oneOf(fetchMethods, { description: "Fetch method." })
 */
export const fetchMethods = ["http", "browser-http", "browser", "unlocker"] as const
export type FetchMethod = (typeof fetchMethods)[number]

/**
 * Sources over plain HTTP that are tried after all fetch methods were blocked: feeds that a site
 * publishes, and then its API with the operator's keys.
 * @example fallbackMethods.includes("feed") // true
 */
export const fallbackMethods = ["feed", "keys"] as const
export type AttemptMethod = FetchMethod | (typeof fallbackMethods)[number]

/** A unit of a run: a string as in the input, or a small JSON object. */
export type Target = string | { [key: string]: unknown }

export interface RequestOptions {
  headers?: Record<string, string>
  /** Query parameters, added to those of the URL; undefined ones are left out. */
  query?: Record<string, string | number | boolean | readonly string[] | undefined>
  /** Bodies of a POST; one of them. */
  json?: unknown
  form?: Record<string, string>
  body?: string
  /** Cookies for this host, stored in the run's jar. */
  cookies?: Record<string, string>
  /** `manual` returns a 3xx as it is. Default `follow`, 20 hops at most. */
  redirect?: "follow" | "manual"
  /** Maximum bytes of the body after decompression. Default 10 MB. */
  maxBytes?: number
  /** Keep the first `maxBytes` of a larger body instead of failing with TooLarge. */
  truncate?: boolean
  /** Milliseconds for the whole call with its redirects, without its retries. Default 30 s. */
  timeoutMs?: number
  /**
   * Milliseconds for each attempt over plain HTTP, including its wait for the rate limit. Default:
   * no limit.
   */
  withinMs?: number
  /** Statuses of 400 and more that are returned; all others are thrown as errors. */
  accept?: readonly number[] | "any"
  /**
   * Attempts after the first for 429, 5xx and dropped connections. Default 3 for 429 and 503, else
   * 2.
   */
  retries?: number
  /** `browser`: headers of a desktop Chrome (default of html and render); `service`: Trawl's own. */
  identity?: "browser" | "service"
  /** Obey robots.txt, and throw RobotsDisallowed. For URLs that no user named. */
  robots?: boolean
}

export interface JsonOptions extends RequestOptions {
  /** Integers beyond 2^53 are kept as strings. */
  bigIntegers?: boolean
}

/** An upstream's response. `document` and `text()` are computed once, on first use. */
export interface UpstreamResponse {
  /** After redirects, without fragment. */
  url: string
  /** As requested, with the query. */
  requestedUrl: string
  status: number
  headers: Headers
  /** The hops before this response, in order. */
  redirects: { url: string; status: number; location: string }[]
  via: FetchMethod
  /** Media type without parameters, in lower case; "" if the header is missing. */
  contentType: string
  bytes: Uint8Array
  /** The body, decoded by the rules of the HTML standard. */
  text(): string
  /** Returns the body as JSON, without guard prefixes such as `)]}'`. Throws Changed. */
  json<T = unknown>(options?: { bigIntegers?: boolean }): T
  readonly document: Document
  /** Set if the page was made from a document, such as a PDF; `bytes` are the document's. */
  readonly file?: DocumentFile
  /** Milliseconds; null if unknown, as in replay or Chrome. */
  timing: { total: number; firstByte: number | null }
  /** The IP address of the connection; null behind a proxy and in Chrome. */
  ip: string | null
  /**
   * Returns why a response lacks its data: Blocked (with the vendor), EmptyShell or Changed. Look
   * for the data first.
   * @example
   * ```ts
   * if (!title) throw response.explainMissing("the product title")
   * ```
   */
  explainMissing(what: string): ScrapeError
}

/** The document from which a page was made. */
export interface DocumentFile extends DocumentFacts {
  format: DocumentFormat
  /** The response's media type, as stated. */
  contentType: string
}

export interface RenderOptions extends RequestOptions {
  /**
   * Media types that `ctx.page` accepts in addition to HTML, such as text/plain; `*` accepts all.
   */
  types?: readonly string[]
  /** Finished if this selector is found, or the network is quiet (default). */
  waitFor?: string | "network-quiet"
  /** Maximum milliseconds to wait for missing content; the operator's setting is the limit. */
  pageWaitMs?: number
  /** Maximum screens to scroll down until nothing new appears. */
  scroll?: number
  /** Actions on the page before it is read; only for runs of an account. */
  actions?: readonly PageAction[]
  /** The size of the window, and its colour scheme. */
  view?: PageView
  /** A screenshot of the page when it is read. */
  screenshot?: ScreenshotOptions
  /** A PDF of the page when it is read. */
  pdf?: PdfOptions
  /**
   * Resource types that are not loaded. Default: images, fonts and media; for screenshots, media.
   */
  block?: readonly ("image" | "font" | "media" | "stylesheet" | "script")[]
  /** Responses to the page's own requests whose URL matches are kept in `captured`. */
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
  /** For JPEG and WebP, 1 to 100. */
  quality?: number | undefined
  /** The whole page, up to the maximum height of images, instead of the window. */
  fullPage?: boolean | undefined
  /** The first element that matches, instead of the window. */
  selector?: string | undefined
  /** Adds the page's source with the place of each visible element, see `Shots`. */
  boxes?: boolean | undefined
}

export interface PdfOptions {
  format: "A3" | "A4" | "A5" | "Letter" | "Legal" | "Tabloid"
  landscape?: boolean | undefined
  /** Background colours and images, too. */
  background?: boolean | undefined
}

/** Results of actions by kind, each in order. */
export interface ActionResults {
  screenshots: NonNullable<Shots["screenshot"]>[]
  pages: { url: string; html: string }[]
  /** Values of scripts, as plain data. */
  values: unknown[]
}

/** Files that Chrome made of a page in addition to its source. */
export interface Shots {
  actions?: ActionResults
  screenshot?: {
    contentType: string
    bytes: Uint8Array
    width: number
    height: number
    /** Height of the page in pixels, if the image ends before it. */
    fullHeight?: number
    /**
     * With `boxes`: the source at that moment. Visible elements have the attribute `data-trawl-box`:
     * left, top, width and height in pixels of the page.
     */
    boxedHtml?: string
  }
  pdf?: {
    contentType: string
    bytes: Uint8Array
    pages: number
    /** Whether there may be more pages than the PDF has. */
    isCut: boolean
  }
}

export interface FileToKeep {
  /** With its extension; another file of the same name replaces it. */
  name: string
  contentType: string
  bytes: Uint8Array
}

/** A stored file as an item has it. */
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
  /** Statuses that are a refusal here, whatever the page contains. */
  statuses?: readonly number[]
  /** URLs to which the site redirects robots. */
  address?: RegExp
  /** Content of a page that is a refusal: the page's own words, or a test such as `isBare`. */
  sign?: RegExp | ((response: UpstreamResponse) => boolean)
  /** Whether the site stops responding to clients that it refuses. */
  stalls?: boolean
}

/** The data that a response must have, and how a host refuses it. */
export interface Wanted<A extends UpstreamResponse = UpstreamResponse> {
  /**
   * Returns whether a response has the requested data, or states that there is none. Only a
   * response without it may be a challenge. For pages it can be a selector, which Chrome waits for.
   */
  has?: string | ((response: A) => boolean)
  /** Name of the data, for errors: "the product". */
  what?: string
  /**
   * The site's own signs of refusal. A host with signs is requested at most twice by each fetch
   * method.
   */
  refusal?: Refusal
}

export interface PageOptions extends RenderOptions, Wanted<RenderedResponse> {
  /** Documents such as PDF and Word are read as pages; `files` excludes text, JSON and feeds. */
  documents?: "all" | "files"
  /** Maximum pages of a PDF to read. */
  documentPages?: number | undefined
  /** Only scripts show the content: http is left out, and the unlocker uses Chrome. */
  scripted?: boolean
  /**
   * A response of status 400 or more is a page like any other, whatever its type, and not an error;
   * a challenge remains an error.
   */
  errorPages?: boolean
  /**
   * Name of an input field that only runs of an account may use, such as one that stores data for
   * later runs.
   */
  forAccounts?: string | undefined
  /** Requested in the user's name: only for runs of an account, and no cookie outlives the run. */
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

/** One tab of Chrome, for pages that need several steps. */
export interface Tab {
  goto(url: string, options?: RenderOptions): Promise<RenderedResponse>
  /** Returns the page as it is now, with everything captured so far. */
  read(): Promise<RenderedResponse>
  waitFor(selector: string, timeoutMs?: number): Promise<boolean>
  click(selector: string): Promise<boolean>
  /** Scrolls the page, or the element, until `until` is found or nothing new appears. */
  scroll(options?: { element?: string; until?: string; screens?: number }): Promise<void>
  /** Makes a request from inside the page, with its cookies and origin. */
  fetch(url: string, options?: RequestOptions & { method?: string }): Promise<UpstreamResponse>
}

export interface TlsPeer {
  authorized: boolean
  authorizationError: string | null
  protocol: string | null
  /** Leaf first; DER as base64 if known. */
  [field: string]: unknown
}

export interface Context<Input = unknown> {
  readonly input: Input
  readonly signal: AbortSignal
  get(url: string, options?: RequestOptions): Promise<UpstreamResponse>
  /** Returns only status and headers; many hosts respond to it differently than to GET. */
  head(url: string, options?: RequestOptions): Promise<UpstreamResponse>
  post(url: string, options?: RequestOptions): Promise<UpstreamResponse>
  /** Returns the body of a response as JSON. Throws Changed if it is not JSON. */
  json<T = unknown>(url: string, options?: JsonOptions): Promise<T>
  /**
   * Returns a page that `has` accepts, or at least one that is not a challenge. Tries the scraper's
   * `fetchMethods` in their order, as far as they are available: http, Chrome, the unlocker. The
   * method that worked is remembered for the host. Throws Blocked or EmptyShell if none did.
   */
  page(url: string, options?: PageOptions): Promise<RenderedResponse>
  /**
   * Returns JSON in the same way, by the fetch methods that send plain requests. Throws Blocked if
   * none worked.
   */
  data(url: string, options?: DataOptions): Promise<UpstreamResponse>
  /**
   * Runs the steps of one fetch method after the other until one is not blocked, for data that has
   * another form in each. The context of the steps uses only that method. The URL names the host.
   */
  escalate<T>(url: string, steps: Steps<T, Input>): Promise<T>
  browse<R>(steps: (tab: Tab) => Promise<R>): Promise<R>
  /** Stores a file of the target for as long as its items. Throws TooLarge. */
  keepFile(file: FileToKeep): Promise<StoredFile>
  /**
   * Adds a target that was found. Returns false if its key (default: the target itself) is known.
   */
  follow(target: Target, key?: string): Promise<boolean>
  /** Writes a line to the run's log; a warning also states what an item lacks. */
  log(message: string, level?: "info" | "warning"): void
  /**
   * Waits as an upstream requested (`backoff`, the end of a rate window); the run's log has the
   * reason.
   */
  pause(seconds: number, why: string): Promise<void>
  now(): Date
  /** The account's small store, which outlives the runs of this scraper. Values are JSON. */
  readonly memory: {
    get<T = unknown>(key: string): Promise<T | undefined>
    set(key: string, value: unknown): Promise<void>
    /**
     * The ID of the schedule or recipe that started the run, else "". A key that ends with a space and
     * the ID of a schedule is deleted with the schedule.
     */
    series(): Promise<string>
  }
  /**
   * Facts that the run needs after a restart. A note is stored at once, and deleted if its target
   * fails. `read` returns the notes of this target and of all finished ones, in order. Values are
   * JSON.
   */
  readonly notes: {
    read<T = unknown>(): Promise<T[]>
    add(value: unknown): void
  }
  /** Values that the targets of one run share (tokens, counters); lost at a restart. */
  readonly shared: Map<string, unknown>
  /** Returns a secret that the operator set for an upstream. */
  secret(name: SecretName): string | undefined
  /** Returns a site's constants with the operator's changes. */
  upstream<T extends TableValues>(table: UpstreamTable<T>): T
  /** Throws Forbidden if there is no model, or none for this run. */
  requireModel(): void
  /**
   * Returns the answer of the operator's model about one page, which fits `check`. It costs
   * additional credits. Throws Forbidden as above, Timeout, Unreachable or UpstreamError.
   */
  askModel(requested: ModelRequest): Promise<ModelResponse>
  /** Returns record data as text from the system's DNS resolver. Throws NotFound or Unreachable. */
  dns(name: string, type: string): Promise<unknown>
  /** Returns the certificates of a TLS handshake, valid or not. Throws Unreachable. */
  tls(host: string, port?: number, servername?: string): Promise<TlsPeer>
}
