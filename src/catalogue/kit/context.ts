import type { DocumentFacts, DocumentFormat } from "../../extract/documents/index.ts"
import type { PageAction } from "./actions.ts"
import type { ScrapeError } from "./core/errors.ts"
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
 * publishes, then its API with the operator's keys.
 * @example fallbackMethods.includes("feed") // true
 */
export const fallbackMethods = ["feed", "keys"] as const
export type AttemptMethod = FetchMethod | (typeof fallbackMethods)[number]

/** One unit of a run's work: a text of the input, or a small JSON object. */
export type Target = string | { [key: string]: unknown }

export interface RequestOptions {
  headers?: Record<string, string>
  /** Query parameters, added to those of the URL. Undefined ones are ignored. */
  query?: Record<string, string | number | boolean | readonly string[] | undefined>
  /** Body of a POST: set either `json`, `form` or `body`. */
  json?: unknown
  form?: Record<string, string>
  body?: string
  /** Cookies for the host of the URL, stored in the run's cookie jar. */
  cookies?: Record<string, string>
  /** `manual` returns a 3xx response as it is. `follow` (default) follows at most 20 redirects. */
  redirect?: "follow" | "manual"
  /** Maximum bytes of the body after decompression. Default 10 MB. */
  maxBytes?: number
  /** Whether to return the first `maxBytes` of a larger body instead of throwing TooLarge. */
  truncate?: boolean
  /** Maximum milliseconds of the call with its redirects, without its retries. Default 30 s. */
  timeoutMs?: number
  /** Maximum milliseconds of each attempt over plain HTTP, with its wait for the rate limit. */
  withinMs?: number
  /** Statuses of 400 and more that are returned instead of thrown as errors. */
  accept?: readonly number[] | "any"
  /** Retries after 429, 5xx and dropped connections. Default 3 for 429 and 503, else 2. */
  retries?: number
  /** Headers of a desktop Chrome (`browser`, default for pages), or Trawl's own (`service`). */
  identity?: "browser" | "service"
  /** Whether to obey robots.txt (RobotsDisallowed), for URLs that are not from the user. */
  robots?: boolean
  /** Whether the response is a part of a page that is counted already, so it costs no credits. */
  isPart?: boolean
}

export interface JsonReading {
  /** Whether to return integers beyond 2^53 as strings. */
  bigIntegers?: boolean | undefined
  /** Whether null, texts, numbers and booleans are valid responses. Default: Changed is thrown. */
  scalars?: boolean | undefined
}

export interface JsonOptions extends RequestOptions, JsonReading {}

/** A response of an upstream. `document` and `text()` are computed once, on first use. */
export interface UpstreamResponse {
  /** URL after redirects, without fragment. */
  url: string
  /** URL as requested, with the query. */
  requestedUrl: string
  status: number
  headers: Headers
  /** Redirects before this response, in order. */
  redirects: { url: string; status: number; location: string }[]
  via: FetchMethod
  /** Media type without parameters, in lower case; "" if the header is missing. */
  contentType: string
  bytes: Uint8Array
  /** Returns the body, decoded by the rules of the HTML standard. */
  text(): string
  /**
   * Returns the body as JSON, without guard prefixes such as `)]}'`. Throws Changed if it is not
   * JSON, or neither an object nor a list.
   */
  json<T = unknown>(options?: JsonReading): T
  readonly document: Document
  /** The document from which the page was made, such as a PDF; `bytes` are the document's bytes. */
  readonly file?: DocumentFile
  /** Milliseconds; null if unknown, as in replay or Chrome. */
  timing: { total: number; firstByte: number | null }
  /** The IP address of the connection; null behind a proxy and in Chrome. */
  ip: string | null
  /**
   * Returns the reason why a response has none of the requested data: Blocked (with the vendor),
   * EmptyShell or Changed. Look for the data first.
   * @example if (!title) throw response.explainMissing("the product title")
   */
  explainMissing(what: string): ScrapeError
}

/** The document from which a page was made. */
export interface DocumentFile extends DocumentFacts {
  format: DocumentFormat
  /** Media type in the response's header. */
  contentType: string
}

export interface RenderOptions extends RequestOptions {
  /** Media types that `ctx.page` accepts besides HTML, such as text/plain; `*` accepts all. */
  types?: readonly string[]
  /** CSS selector to wait for, or `network-quiet` (default): no more requests. */
  waitFor?: string | "network-quiet"
  /** Maximum milliseconds to wait for missing content, up to the operator's limit. */
  pageWaitMs?: number
  /** Maximum screens to scroll down. Scrolling ends when nothing new appears. */
  scroll?: number
  /** Actions on the page before it is read; only for runs of an account. */
  actions?: readonly PageAction[]
  /** Size of the window, and its colour scheme. */
  view?: PageView
  /** Takes a screenshot when the page is read. */
  screenshot?: ScreenshotOptions
  /** Prints a PDF when the page is read. */
  pdf?: PdfOptions
  /** Resource types that are not loaded. Default: image, font and media; for screenshots, media. */
  block?: readonly ("image" | "font" | "media" | "stylesheet" | "script")[]
  /** Pattern of URLs: responses to the page's own requests that match are stored in `captured`. */
  capture?: RegExp
}

export interface PageView {
  width?: number | undefined
  height?: number | undefined
  /** Whether the page is displayed in its dark colours. */
  dark?: boolean | undefined
}

export interface ScreenshotOptions {
  type: "png" | "jpeg" | "webp"
  /** Quality of JPEG and WebP, 1 to 100. */
  quality?: number | undefined
  /** Whether to capture the page, up to the maximum height of images, instead of the window. */
  fullPage?: boolean | undefined
  /** CSS selector of an element to capture instead of the window; the first match counts. */
  selector?: string | undefined
  /** Whether to add the page's source with the position of each visible element, see `Shots`. */
  boxes?: boolean | undefined
}

export interface PdfOptions {
  format: "A3" | "A4" | "A5" | "Letter" | "Legal" | "Tabloid"
  landscape?: boolean | undefined
  /** Whether to print background colours and images. */
  background?: boolean | undefined
}

/** Results of actions by kind, each list in order. */
export interface ActionResults {
  screenshots: NonNullable<Shots["screenshot"]>[]
  pages: { url: string; html: string }[]
  /** Values that scripts returned, as plain data. */
  values: unknown[]
}

/**
 * Formats of a page that are files.
 * @example formats.filter((format) => !shotForms.includes(format))
 */
export const shotForms = ["screenshot", "pdf"] as const

/** Files that Chrome made of a page. */
export interface Shots {
  actions?: ActionResults
  screenshot?: {
    contentType: string
    bytes: Uint8Array
    width: number
    height: number
    /** Height of the page in pixels, if the image ends earlier. */
    fullHeight?: number
    /**
     * Source of the page when the screenshot was taken, if `boxes` was set. Visible elements have
     * the attribute `data-trawl-box`: left, top, width and height in pixels of the page.
     */
    boxedHtml?: string
  }
  pdf?: {
    contentType: string
    bytes: Uint8Array
    pages: number
    /** Whether the page limit was reached, so that pages may be missing. */
    isCut: boolean
  }
}

export interface FileToKeep {
  /** File name with its extension. A file of the same name is replaced. */
  name: string
  contentType: string
  bytes: Uint8Array
}

/** A stored file, as it is described in an item. */
export interface StoredFile {
  /** URL of the file, or a path if the service's root URL is not set. */
  url: string
  contentType: string
  bytes: number
  sha256: string
}

/** Signs by which a site itself refuses bots, in addition to the challenges of known vendors. */
export interface Refusal {
  /** Name of the vendor in errors. Default: none. */
  vendor?: string
  /** Statuses with which the site refuses bots, whatever the page contains. */
  statuses?: readonly number[]
  /** Pattern of the URLs to which the site redirects bots. */
  address?: RegExp
  /** Content of a refusal: a pattern of its text, or a test such as `isPlain`. */
  sign?: RegExp | ((response: UpstreamResponse) => boolean)
  /** Whether the site does not respond to clients that it refuses. */
  stalls?: boolean
}

/** The data that a response must have, and the signs by which a host refuses a request. */
export interface Wanted<A extends UpstreamResponse = UpstreamResponse> {
  /**
   * Test whether a response has the requested data, or states that there is none. Only a response
   * that fails the test may be a challenge. For pages it can be a CSS selector, for which Chrome
   * waits.
   */
  has?: string | ((response: A) => boolean)
  /** Name of the data in errors: "the product". */
  what?: string
  /** The site's signs of refusal. With them, each fetch method sends at most two requests. */
  refusal?: Refusal
}

export interface PageOptions extends RenderOptions, Wanted<RenderedResponse> {
  /** Whether documents such as PDFs are read as pages. `files` excludes text, JSON and feeds. */
  documents?: "all" | "files"
  /** Maximum pages of a PDF to read. */
  documentPages?: number | undefined
  /** Whether only scripts fill the page: `http` is not tried, and the unlocker uses Chrome. */
  scripted?: boolean
  /**
   * Whether a response of status 400 or more is a page like any other, whatever its type. A
   * challenge remains an error.
   */
  errorPages?: boolean
  /** Name of an input field that only accounts may use, such as one that stores data. */
  forAccounts?: string | undefined
  /**
   * Whether the request is made in the user's name: only for runs of an account, and its cookies
   * are deleted with the run.
   */
  personal?: boolean
}

/** Options of a request as a page's script makes it: a POST if there is a body, else a GET. */
export interface DataOptions extends RequestOptions, Wanted {}

export interface Step<T, Input = unknown> {
  (ctx: Context<Input>): Promise<T>
  /**
   * Settings that the step requires. It is not tried unless the operator set all of them. Recordings
   * from before a site required them are read without.
   */
  needs?: readonly SecretName[]
}

/**
 * The steps of each fetch method, or one for all methods. Methods without a step are not tried. The
 * unlocker uses the steps of `http`. `feed` and `keys` come after the methods. `keys` is tried even
 * if a method failed for another reason than a challenge, because it is another client with its own
 * limits.
 */
export type Steps<T, Input = unknown> =
  | Step<T, Input>
  | { readonly [chosen in AttemptMethod]?: Step<T, Input> | undefined }

export interface RenderedResponse extends UpstreamResponse {
  captured: UpstreamResponse[]
  /** The files that the options request. */
  shots?: Shots
}

/** A tab of Chrome, for pages that need several steps. */
export interface Tab {
  goto(url: string, options?: RenderOptions): Promise<RenderedResponse>
  /** Returns the page as it is now, with everything captured so far. */
  read(): Promise<RenderedResponse>
  waitFor(selector: string, timeoutMs?: number): Promise<boolean>
  click(selector: string): Promise<boolean>
  /** Scrolls the page, or the element, until an element matches `until` or nothing new appears. */
  scroll(options?: { element?: string; until?: string; screens?: number }): Promise<void>
  /** Makes a request from inside the page, with the page's cookies and origin. */
  fetch(url: string, options?: RequestOptions & { method?: string }): Promise<UpstreamResponse>
}

export interface TlsPeer {
  authorized: boolean
  authorizationError: string | null
  protocol: string | null
  /** Facts of the certificates, leaf first; DER as base64 if available. */
  [field: string]: unknown
}

export interface Context<Input = unknown> {
  readonly input: Input
  readonly signal: AbortSignal
  get(url: string, options?: RequestOptions): Promise<UpstreamResponse>
  /** Returns only status and headers. Many hosts respond to HEAD differently than to GET. */
  head(url: string, options?: RequestOptions): Promise<UpstreamResponse>
  post(url: string, options?: RequestOptions): Promise<UpstreamResponse>
  /** Returns the body as JSON. Throws Changed if it is neither an object nor a list. */
  json<T = unknown>(url: string, options?: JsonOptions): Promise<T>
  /**
   * Returns a page that passes the test `has`; without the test, a page that is not a challenge.
   * Tries the available ones of the scraper's `fetchMethods` in order: http, Chrome, the unlocker.
   * The method that succeeded is remembered for the host. Throws Blocked or EmptyShell if none did.
   */
  page(url: string, options?: PageOptions): Promise<RenderedResponse>
  /**
   * Returns data in the same way, by the fetch methods that send plain requests. Throws Blocked if
   * none succeeded.
   */
  data(url: string, options?: DataOptions): Promise<UpstreamResponse>
  /**
   * Runs the steps of one fetch method after the other until one is not blocked. Use it for data
   * whose form depends on the method. The context of a step uses only that step's method. The URL
   * names the host.
   */
  escalate<T>(url: string, steps: Steps<T, Input>): Promise<T>
  browse<R>(steps: (tab: Tab) => Promise<R>): Promise<R>
  /** Stores a file of the target as long as its items. Throws TooLarge above the limit. */
  keepFile(file: FileToKeep): Promise<StoredFile>
  /**
   * Adds a target to the run. Returns false if the run already has a target with this key (default:
   * the target itself).
   */
  follow(target: Target, key?: string): Promise<boolean>
  /**
   * Notes the error of a source that another one replaces. If the source's layout has changed, the
   * scraper's health names it.
   */
  replaced(error: unknown): void
  /** Writes a line to the run's log. A warning also states which data an item is missing. */
  log(message: string, level?: "info" | "warning"): void
  /** Waits as an upstream requested, such as for `backoff`. The reason is logged. */
  pause(seconds: number, why: string): Promise<void>
  now(): Date
  /** A small store of the account that outlives the runs of this scraper. Values are JSON. */
  readonly memory: {
    get<T = unknown>(key: string): Promise<T | undefined>
    set(key: string, value: unknown): Promise<void>
    /**
     * Returns the ID of the schedule or recipe that started the run, else "". A key that ends with
     * a space and the ID of a schedule is deleted with the schedule.
     */
    series(): Promise<string>
  }
  /**
   * Facts that the run needs after a restart. A note is stored at once, and deleted if its target
   * fails. `read` returns the notes of this target and of all finished targets, in order. Values
   * are JSON.
   */
  readonly notes: {
    read<T = unknown>(): Promise<T[]>
    add(value: unknown): void
  }
  /** Values that the targets of a run share, such as tokens. A restart clears them. */
  readonly shared: Map<string, unknown>
  /** Returns a secret or setting for an upstream, if the operator set it. */
  secret(name: SecretName): string | undefined
  /** Returns a site's constants, with the values that the operator changed. */
  upstream<T extends TableValues>(table: UpstreamTable<T>): T
  /** Throws Forbidden if no model is configured, or this run may not use it. */
  requireModel(): void
  /**
   * Sends a page to the operator's model and returns its response, which passes `check`. It costs
   * additional credits. Throws Forbidden as `requireModel` does, Timeout, Unreachable or
   * UpstreamError.
   */
  callModel(requested: ModelRequest): Promise<ModelResponse>
  /** Returns record data as text from the system's DNS resolver. Throws NotFound or Unreachable. */
  dns(name: string, type: string): Promise<unknown>
  /** Returns the certificates of a TLS handshake, valid or not. Throws Unreachable without one. */
  tls(host: string, port?: number, servername?: string): Promise<TlsPeer>
}
