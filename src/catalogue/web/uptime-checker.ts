import { reasonPhrase } from "../../base/reason-phrases.ts"
import { dayMs } from "../../base/time.ts"
import { integerOrNull, textOrNull } from "../../extract/core/index.ts"
import {
  BadInput,
  type Context,
  defineScraper,
  field,
  type InputOf,
  inputs,
  items,
  NotFound,
  oneOf,
  record,
  ScrapeError,
  Timeout,
  TooManyRedirects,
  type UpstreamResponse,
} from "../kit/index.ts"
import { ifAvailable } from "./page/open.ts"

const maxRedirects = 10
/** Response time in milliseconds above which a site counts as degraded. */
const slowMs = 3000
/** Bytes in which the text is searched. Without a text, the body is not read. */
const searchedBytes = 2 * 1024 * 1024

const item = record({
  input: items.requiredText("URL as written in the input."),
  url: items.requiredText("URL, with https:// added if it has no scheme."),
  isUp: items.requiredBoolean(
    "Whether the last status is below 400 and the page contains the requested text.",
  ),
  status: oneOf(["up", "down", "degraded"], {
    description: `Status. It is degraded if it is up but took more than ${slowMs / 1000} seconds.`,
  }),
  statusCode: items.integer("HTTP status of the last response; null if there was no response."),
  statusText: items.text("Meaning of the HTTP status."),
  responseTimeMs: items.integer("Milliseconds to the end of the last response's headers."),
  totalTimeMs: items.integer("Total time in milliseconds."),
  finalUrl: items.text("URL after redirects."),
  redirectCount: items.requiredInteger("Number of redirects."),
  textFound: items.boolean(
    "Whether the page contains the requested text; null if none was requested.",
  ),
  contentType: field.text("response.contentType", "Media type of the response."),
  contentLength: items.integer("Length of the content in bytes, if the server states it."),
  server: items.text("Value of the header `server`."),
  ip: field.text("response.ip", "IP address of the connection, if known."),
  tlsDaysRemaining: items.integer("Days until the certificate expires, if known."),
  errorCode: items.text(
    "Error code if it is down, for example dns, connection, tls, timeout or http_error.",
  ),
  errorMessage: items.text("The error in one sentence."),
  checkedAt: items.requiredText("Time of this check (ISO 8601, UTC)."),
})

const input = {
  urls: inputs.texts("URLs to check; https:// may be left out.", { max: 500 }),
  containsText: inputs.optionalText(
    "Text that the page's source must contain, in any letter case.",
  ),
  timeoutSeconds: inputs.count("Timeout in seconds per URL, including redirects", {
    max: 60,
    or: 10,
  }),
}
type Input = InputOf<typeof input>

export default defineScraper({
  slug: "uptime-checker",
  name: "Uptime Checker",
  tagline: "Are your URLs up? Status, response time, redirects and an optional text check.",
  notServed: ["watch continuously on its own"],
  category: "network",
  isCheck: true,
  fetchMethods: ["http"],
  input,
  item,
  watch: {
    key: ["url"],
    name: ["url"],
    value: "responseTimeMs",
    label: "The response time",
    status: "status",
    detail: "errorMessage",
    days: "tlsDaysRemaining",
    expiring: "The certificate",
    conditions: [{ when: "status" }, { when: "expires", days: 14 }],
  },
  example: { urls: ["https://example.com/"] },
  probe: {
    expect: [
      "items.length equals 1",
      "items[0].isUp equals true",
      "items[0].statusCode equals 200",
      "?items[0].tlsDaysRemaining gte 1",
    ],
  },
  concurrency: 10,
  targets: ({ urls }) => urls,

  async *scrape(target, ctx) {
    const url = completed(target)
    const checkedAt = ctx.now().toISOString()
    const first = await visit(url, ctx)
    // A dropped connection is tried again once, so that a lost packet is not an outage.
    const isLost = ["connection", "dns", "timeout"].includes(codeOf(first.failure) ?? "")
    const result = isLost ? await visit(url, ctx) : first
    yield item.read({
      input: target,
      url,
      ...result,
      ...findings(result, ctx.input),
      tlsDaysRemaining: await tlsDaysRemaining(result, ctx),
      checkedAt,
    })
  },
})

function completed(target: string): string {
  const text = target.trim()
  const url = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `https://${text}`
  const parsed = URL.parse(url)
  if (parsed?.hostname && /^https?:$/.test(parsed.protocol)) return url
  throw new BadInput(`"${target}" is not an http or https URL.`)
}

/**
 * Returns the days until the certificate expires. It is read after the visit, so that it does not
 * use the visit's time. It is also read if an expired certificate prevented the response.
 */
async function tlsDaysRemaining({ response, failure, finalUrl }: Visit, ctx: Context<Input>) {
  const { protocol, hostname, port } = new URL(finalUrl)
  // A response through a proxy has no IP address. Its host is not contacted directly.
  const isDirect = response ? response.ip !== null : failure?.code === "tls"
  if (protocol !== "https:" || !isDirect) return null
  const host = hostname.replace(/^\[|\]$/g, "")
  // For an IP address, no server name is sent.
  const isAddress = host.includes(":") || /^[\d.]+$/.test(host)
  const name = isAddress ? "" : host
  const peer = await ifAvailable(ctx, () => ctx.tls(host, Number(port || 443), name))
  const ends = Date.parse((peer?.peerCertificate as { valid_to?: string } | null)?.valid_to ?? "")
  return Number.isNaN(ends) ? null : Math.floor((ends - ctx.now().getTime()) / dayMs)
}

type Visit = Awaited<ReturnType<typeof visit>>

/** Returns the result of a visit: a response, or the error. */
async function visit(url: string, ctx: Context<Input>) {
  const timeoutMs = ctx.input.timeoutSeconds * 1000
  const result = { finalUrl: url, redirectCount: 0, responseMs: 0, totalMs: 0 }
  try {
    for (;;) {
      const left = timeoutMs - result.totalMs
      if (left <= 0) throw new Timeout(`No response within ${timeoutMs / 1000} s.`, { url })
      const response = await ctx.get(result.finalUrl, {
        // A reused connection would make the time shorter than a visitor's.
        headers: { "cache-control": "no-cache", connection: "close" },
        redirect: "manual",
        accept: "any",
        retries: 0,
        timeoutMs: left,
        maxBytes: ctx.input.containsText ? searchedBytes : 0,
        truncate: true,
      })
      const { total, firstByte } = response.timing
      result.responseMs = result.totalMs + (firstByte ?? total)
      result.totalMs += total
      const next = redirectOf(response)
      if (next === null) return { ...result, response, failure: undefined }
      if (++result.redirectCount > maxRedirects) {
        throw new TooManyRedirects(`More than ${maxRedirects} redirects.`, { url })
      }
      result.finalUrl = next
    }
  } catch (error) {
    ctx.signal.throwIfAborted()
    // A limit of this server is not an outage of the site.
    if (!(error instanceof ScrapeError) || error.code === "too_many_open_files") throw error
    return { ...result, response: undefined, failure: error }
  }
}

function redirectOf({ status, headers, url }: UpstreamResponse): string | null {
  const location = headers.get("location")
  if (![301, 302, 303, 307, 308].includes(status) || !location) return null
  return URL.parse(location, url)?.href ?? null
}

function findings({ response, failure, responseMs, totalMs }: Visit, { containsText }: Input) {
  const textFound = response && containsText ? contains(response, containsText) : null
  const refused = response !== undefined && response.status >= 400
  const isUp = response !== undefined && !refused && textFound !== false
  const responseTimeMs = response ? Math.round(responseMs) : null
  return {
    isUp,
    status: isUp ? ((responseTimeMs ?? 0) > slowMs ? "degraded" : "up") : "down",
    statusCode: response?.status,
    statusText: response ? reasonPhrase(response.status) : null,
    responseTimeMs,
    totalTimeMs: response ? Math.round(totalMs) : null,
    textFound,
    contentLength: integerOrNull(response?.headers.get("content-length")),
    server: textOrNull(response?.headers.get("server")),
    errorCode: refused ? "http_error" : codeOf(failure),
    errorMessage: refused
      ? `The server responded with status ${response.status}.`
      : failure?.message,
  } as const
}

function contains(response: UpstreamResponse, text: string): boolean {
  return response.text().toLowerCase().includes(text.toLowerCase())
}

/** Returns the error code. A host name that does not resolve is `dns`, not a missing page. */
function codeOf(failure: ScrapeError | undefined): string | null {
  if (!failure) return null
  return failure instanceof NotFound ? "dns" : failure.code
}
