import { ApiError } from "../../http/errors.ts"
import { notOffered } from "../common/refusal.ts"

const forms = ["content", "markdown", "html", "text", "screenshot", "pageshot"] as const
type Form = (typeof forms)[number] | "no-content"

/** The options of a reader call, from its headers. */
export interface ReaderCall {
  form: Form
  targetSelectors: string[]
  removeSelectors: string[]
  waitForSelector: string | undefined
  waitMs: number | undefined
  /** Maximum age of a cached result in milliseconds. */
  maxAgeMs: number | undefined
  /** Headers of the request for the page. */
  headers: Record<string, string>
  country: string | undefined
  rendered: boolean
  robots: boolean
  links: "each" | "all" | undefined
  images: boolean
  /** Images are replaced by their alternative texts. */
  alt: boolean
  /** Maximum tokens of the page; a longer page is an error. */
  budget: number | undefined
  /** Tokens after which the content is truncated. */
  maxTokens: number | undefined
  response: "text" | "json" | "stream"
  /** Options that were accepted but have no effect. */
  ignored: string[]
}

const maxSeconds = 180

/**
 * Headers that Trawl does not support. They are refused, because ignoring them would change the
 * meaning of the response.
 */
const refused = ["x-proxy-url", "x-html", "x-pdf", "x-inject-page-script", "x-inject-frame-script"]
/** Documented headers without an effect here. */
const withoutEffect = [
  "x-base",
  "x-keep-img-data-url",
  "x-md-bullet-list-marker",
  "x-md-em-delimiter",
  "x-md-heading-style",
  "x-md-hr",
  "x-md-link-reference-style",
  "x-md-link-style",
  "x-md-strong-delimiter",
  "x-no-gfm",
  "x-respond-timing",
  "x-viewport",
  "x-with-generated-alt",
  "x-with-iframe",
  "x-with-shadow-dom",
]
const engines = ["auto", "browser", "cf-browser-rendering", "curl", "direct"]
/** Headers of the page's request by the reader headers that set them. */
const passedOn: Record<string, string> = {
  "x-set-cookie": "Cookie",
  "x-locale": "Accept-Language",
  "x-user-agent": "User-Agent",
  "x-referer": "Referer",
}

/** Reads the options of a call. @throws ApiError 400 naming the header */
export function readerCall(headers: Headers): ReaderCall {
  for (const name of refused) {
    if (headers.has(name)) throw notOffered(`The header ${name}`)
  }
  const retained = headers.get("x-retain-images")?.trim().toLowerCase() ?? "all"
  const engine = headers.get("x-engine")?.trim().toLowerCase() ?? "auto"
  const robots = headers.get("x-robots-txt")
  const proxy = headers.get("x-proxy")?.trim() ?? ""
  const links = headers.get("x-with-links-summary")
  const country = /^[a-z]{2}$/i.test(proxy) ? proxy : undefined
  const ignored = [
    ...withoutEffect.filter((name) => isWanted(headers.get(name))),
    ...(["all", "none", "alt"].includes(retained) ? [] : [`x-retain-images: ${retained}`]),
    ...(engines.includes(engine) ? [] : [`x-engine: ${engine}`]),
    ...(country || ["", "none", "auto"].includes(proxy) ? [] : [`x-proxy: ${proxy}`]),
    ...(isWanted(robots) && !isFlag(robots) ? [`the robot's name in x-robots-txt`] : []),
  ].map((name) => name.slice(0, 60))
  return {
    form: formOf(headers.get("x-respond-with") ?? headers.get("x-return-format")),
    targetSelectors: listOf(headers.get("x-target-selector")),
    removeSelectors: [
      ...listOf(headers.get("x-remove-selector")),
      ...(retained === "none" ? ["img, picture, svg"] : []),
    ],
    waitForSelector: headers.get("x-wait-for-selector")?.trim() || undefined,
    waitMs: waitOf(headers.get("x-timeout")),
    maxAgeMs: isWanted(headers.get("x-no-cache")) ? 0 : ageOf(headers.get("x-cache-tolerance")),
    headers: Object.fromEntries(
      Object.entries(passedOn).flatMap(([name, theirs]) => {
        const value = headers.get(name)
        return value === null ? [] : [[theirs, cookieOf(theirs, value)]]
      }),
    ),
    country,
    rendered: engine === "browser" || engine === "cf-browser-rendering",
    robots: isWanted(robots),
    links: !isWanted(links) ? undefined : links!.trim().toLowerCase() === "all" ? "all" : "each",
    images: isWanted(headers.get("x-with-images-summary")),
    alt: /^alt(?:_p)?$/.test(retained),
    budget: tokensOf(headers, "x-token-budget"),
    maxTokens: tokensOf(headers, "x-max-output-tokens") ?? tokensOf(headers, "x-max-tokens"),
    response: responseOf(headers.get("accept") ?? ""),
    ignored,
  }
}

/** A list of selectors is a valid selector. */
const listOf = (written: string | null) => (written?.trim() ? [written.trim()] : [])

const isWanted = (written: string | null) =>
  written !== null && !["", "false", "0"].includes(written.trim().toLowerCase())

const isFlag = (written: string | null) => /^(?:1|true|yes|on)$/i.test(written?.trim() ?? "")

function tokensOf(headers: Headers, name: string): number | undefined {
  const written = headers.get(name)?.trim()
  if (!written) return undefined
  const tokens = Number(written)
  if (Number.isInteger(tokens) && tokens > 0) return tokens
  throw new ApiError(
    400,
    `${name} must be a whole number greater than 0, not "${written.slice(0, 40)}".`,
  )
}

function formOf(written: string | null): Form {
  const form = written?.trim().toLowerCase() || "content"
  if (form === "no-content" || (forms as readonly string[]).includes(form)) return form as Form
  throw notOffered(
    `x-respond-with: ${form.slice(0, 40)}`,
    `It takes ${forms.join(", ")} and no-content (only for a search).`,
  )
}

function waitOf(written: string | null): number | undefined {
  if (written === null) return undefined
  const seconds = Number(written)
  if (seconds >= 1 && seconds <= maxSeconds) return seconds * 1000
  throw new ApiError(400, `x-timeout must be a number of seconds from 1 to ${maxSeconds}.`)
}

const maxAgeSeconds = 86_400

function ageOf(written: string | null): number | undefined {
  if (written === null) return undefined
  const seconds = Number(written)
  if (seconds >= 0) return Math.min(seconds, maxAgeSeconds) * 1000
  throw new ApiError(400, "x-cache-tolerance must be a number of seconds, for example 3600.")
}

/** Cookies may be written with attributes. Only their names and values are sent. */
const cookieOf = (header: string, value: string) =>
  header !== "Cookie"
    ? value
    : value
        .split(/,(?=\s*[^;,=\s]+=)/)
        .map((cookie) => cookie.split(";", 1)[0]!.trim())
        .join("; ")

function responseOf(accept: string): ReaderCall["response"] {
  if (/text\/event-stream/i.test(accept)) return "stream"
  return /application\/json/i.test(accept) ? "json" : "text"
}
