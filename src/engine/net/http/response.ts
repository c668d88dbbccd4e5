import {
  Changed,
  type FetchMethod,
  type JsonReading,
  type ScrapeError,
  TooLarge,
  type UpstreamResponse,
} from "../../../catalogue/kit/index.ts"
import { parseDocument, TooManyElements } from "../../../extract/core/index.ts"
import { explainPage } from "./challenge/detect.ts"
import { decodeBody } from "./charset.ts"

export interface ResponseParts {
  url: string
  requestedUrl: string
  status: number
  headers: Headers
  redirects?: UpstreamResponse["redirects"]
  via: FetchMethod
  bytes: Uint8Array
  timing?: UpstreamResponse["timing"]
  ip?: UpstreamResponse["ip"]
}

/** Quotes integers above 2^53 in JSON text, so that they become strings. */
function quoteBigIntegers(text: string): string {
  return text.replace(/"(?:[^"\\]|\\.)*"|-?\d{16,}(?![\d.eE])/g, (token) =>
    token.startsWith('"') || Number.isSafeInteger(Number(token)) ? token : `"${token}"`,
  )
}

/** Prefixes that prevent a JSON response from being executed as a script. */
const jsonPrefix = /^\s*(?:\)\]\}'?,?|while\s*\(1\);?|for\s*\(;;\);?)\s*/

const isMediaType = (text: string) => /[^\s/]\/[^\s/]/.test(text)

export class HttpResponse implements UpstreamResponse {
  readonly url: string
  readonly requestedUrl: string
  readonly status: number
  readonly headers: Headers
  readonly redirects: UpstreamResponse["redirects"]
  readonly via: FetchMethod
  readonly bytes: Uint8Array
  readonly timing: UpstreamResponse["timing"]
  readonly ip: UpstreamResponse["ip"]
  #text?: string
  #document?: Document

  constructor(parts: ResponseParts) {
    this.url = parts.url.replace(/#.*$/s, "")
    this.requestedUrl = parts.requestedUrl
    this.status = parts.status
    this.headers = parts.headers
    this.redirects = parts.redirects ?? []
    this.via = parts.via
    this.bytes = parts.bytes
    this.timing = parts.timing ?? { total: 0, firstByte: null }
    this.ip = parts.ip ?? null
  }

  get contentType(): string {
    // Repeated headers are joined by commas; as in browsers, the last value counts.
    const last = (this.headers.get("content-type") ?? "").split(",").findLast(isMediaType) ?? ""
    return last.split(";")[0]!.trim().toLowerCase()
  }

  text(): string {
    this.#text ??= this.decoded()
    return this.#text
  }

  protected decoded(): string {
    return decodeBody(this.bytes, this.headers.get("content-type") ?? "")
  }

  json<T>({ bigIntegers, scalars }: JsonReading = {}): T {
    const text = this.text().replace(jsonPrefix, "")
    const value = this.parsedJson(bigIntegers ? quoteBigIntegers(text) : text)
    if (scalars || (typeof value === "object" && value !== null)) return value as T
    const scalar = JSON.stringify(value).slice(0, 60)
    // A query may contain the operator's key.
    const url = this.url.replace(/\?.*$/s, "")
    throw new Changed(`The response of ${url} is ${scalar} instead of a JSON object or list.`, {
      url: this.url,
      statusCode: this.status,
    })
  }

  private parsedJson(text: string): unknown {
    try {
      return JSON.parse(text)
    } catch {
      const scrapeError = this.explainMissing("JSON")
      throw scrapeError.kind === "EmptyShell"
        ? new Changed(scrapeError.message, scrapeError)
        : scrapeError
    }
  }

  get document(): Document {
    this.#document ??= this.parse()
    return this.#document
  }

  private parse(): Document {
    try {
      return parseDocument(this.text())
    } catch (error) {
      if (!(error instanceof TooManyElements)) throw error
      throw new TooLarge(error.message, { url: this.url, statusCode: this.status })
    }
  }

  explainMissing(what: string): ScrapeError {
    const { url, requestedUrl, status, headers } = this
    return explainPage({ url, requestedUrl, status, headers, html: this.text() }, what)
  }
}
