import { objectList, retryAfterSeconds, textOrNull } from "../../extract/core/index.ts"
import {
  assertScrapeError,
  Changed,
  type Context,
  Forbidden,
  RateLimited,
  ScrapeError,
  Timeout,
  UpstreamError,
} from "../kit/index.ts"

/** A certificate or precertificate in the logs. Times are UTC, without a zone. */
export interface LoggedCertificate {
  id: number
  issuer_ca_id?: number
  issuer_name?: string
  common_name?: string
  /** Host names and email addresses, one per line. */
  name_value?: string
  entry_timestamp?: string | null
  not_before: string
  not_after: string
  /** Serial number in hex; missing before about 2021. */
  serial_number?: string
  result_count?: number
}

export interface Search {
  /** A host name; `%.name` searches all names below it. */
  name: string
  excludeExpired: boolean
}

/** Pauses in seconds before retries: crt.sh is slow, and its gateway often fails. */
const pauses = [5, 15, 30]
const maxWait = 60
const timeoutMs = 90_000
const maxBytes = 50 * 1024 * 1024

/**
 * Returns the certificates of a name at crt.sh.
 * A 404, 429, 5xx or HTML page is a failure of crt.sh, also for names with certificates. It never
 * means that there are none.
 * @throws RateLimited, Timeout, UpstreamError once all tries have failed; Forbidden, Changed
 */
export async function searchLogs(search: Search, ctx: Context): Promise<LoggedCertificate[]> {
  for (let attempt = 0; ; attempt++) {
    const found = await request(search, ctx)
    if (!(found instanceof ScrapeError)) return found
    // Names with very many certificates below them exceed the time limit of crt.sh's database.
    if (found instanceof Timeout && search.name.startsWith("%.") && !search.excludeExpired) {
      const message = `crt.sh is too slow for ${search.name}; retrying without expired certificates.`
      ctx.log(message, "warning")
      return searchLogs({ ...search, excludeExpired: true }, ctx)
    }
    const pause = pauses[attempt]
    const requested = found instanceof RateLimited ? (found.retryAfter ?? 0) : 0
    if (pause === undefined || requested > maxWait) throw found
    await ctx.pause(Math.max(pause, requested), found.message)
  }
}

/** Makes one request. Returns a temporary error and throws any other. */
async function request(search: Search, ctx: Context): Promise<LoggedCertificate[] | ScrapeError> {
  const exclude = search.excludeExpired ? "&exclude=expired" : ""
  const url = `https://crt.sh/?q=${encodeURIComponent(search.name)}&output=json&deduplicate=Y${exclude}`
  const headers = { accept: "application/json" }
  const call = ctx.get(url, { headers, accept: "any", retries: 0, timeoutMs, maxBytes })
  const response = await call.catch((error) => {
    assertScrapeError(error, ctx)
    if (error instanceof Timeout) return error
    if (error.code !== "connection") throw error
    return new UpstreamError(`crt.sh failed to respond (${error.message})`, { url, cause: error })
  })
  if (response instanceof ScrapeError) return response
  const details = { url, response }
  if (response.status === 403) {
    throw new Forbidden(`crt.sh refused access: ${response.text().trim().slice(0, 200)}`, details)
  }
  if (response.status === 429) {
    const seconds = retryAfterSeconds(response.headers, ctx.now().getTime())
    return new RateLimited("crt.sh limits the rate of requests (429).", seconds, details)
  }
  const body = response.text().trim()
  if (response.status !== 200 || body === "" || body.startsWith("<")) {
    return new UpstreamError(`crt.sh failed to respond (${response.status}).`, details)
  }
  return certificatesIn(body, url)
}

/** Until about 2019 a row grouped several records and had the name of the first one. */
function withTodaysNames(
  row: LoggedCertificate & { min_cert_id?: number; min_entry_timestamp?: string },
): LoggedCertificate {
  if (row?.min_cert_id === undefined) return row
  const { min_cert_id: id, min_entry_timestamp: logged, ...rest } = row
  return { ...rest, id: rest.id ?? id, entry_timestamp: rest.entry_timestamp ?? logged ?? null }
}

function certificatesIn(body: string, url: string): LoggedCertificate[] {
  let list: unknown
  try {
    // Until 2018 there were no commas between the objects.
    list = JSON.parse(body.startsWith("{") ? `[${body.replace(/\}\s*\{/g, "},{")}]` : body)
  } catch {
    list = undefined
  }
  const certificates = objectList<LoggedCertificate>(Array.isArray(list) ? list : [])
    .map(withTodaysNames)
    .filter(({ id, not_before: start }) => typeof id === "number" && textOrNull(start))
  if (!Array.isArray(list) || (list.length > 0 && certificates.length === 0)) {
    const message = "The response of crt.sh is not a list of certificates."
    throw new Changed(message, { url, statusCode: 200 })
  }
  return certificates
}
