import {
  BadInput,
  busyIsRateLimit,
  Changed,
  type Context,
  RateLimited,
  ScrapeError,
  Unreachable,
} from "../kit/index.ts"

/** Wikimedia requires one request at a time, and a user agent with a contact. */
export const wikipediaRateLimit = { "wikipedia.org": { perSecond: 5, concurrency: 1 } }

export const languagePattern = "^[a-z]{2,3}(-[a-z]+)*$|^simple$"

const busy = new Set(["maxlag", "ratelimited", "cirrussearch-too-busy-error"])
const busyRetries = 2
const busySeconds = 5

interface Envelope {
  query?: Record<string, unknown>
  continue?: Record<string, string>
  error?: { code: string; info: string }
}

/**
 * Returns whether Wikipedia's host resolves. Without a network no name resolves, and the input is
 * not to blame.
 */
async function isWikipediaThere(ctx: Context): Promise<boolean> {
  try {
    await ctx.get("https://www.wikipedia.org/", { accept: "any", maxBytes: 0, truncate: true })
    return true
  } catch (error) {
    ctx.signal.throwIfAborted()
    if (error instanceof ScrapeError) return false
    throw error
  }
}

/**
 * Returns one response of a wiki's action API; errors have status 200.
 * @throws BadInput with the API's own message, RateLimited if it stays busy, Changed
 */
export async function mediawiki(
  language: string,
  parameters: Record<string, string | number>,
  ctx: Context,
): Promise<Envelope & { query: Record<string, unknown> }> {
  const url = `https://${language}.wikipedia.org/w/api.php`
  const query = { action: "query", format: "json", ...parameters }
  for (let attempt = 0; ; attempt++) {
    const body = await busyIsRateLimit(ctx.json<Envelope>(url, { query })).catch(async (error) => {
      if (error instanceof Unreachable && error.code === "dns" && (await isWikipediaThere(ctx)))
        throw new BadInput(`language: no Wikipedia exists in the language "${language}".`, { url })
      throw error
    })
    if (!body.error) {
      if (typeof body.query !== "object" || body.query === null)
        throw new Changed("Wikipedia's response has no query.", { url })
      return body as Envelope & { query: Record<string, unknown> }
    }
    const { code, info } = body.error
    if (!busy.has(code)) throw new BadInput(`Wikipedia reports: ${info}`, { url, statusCode: 200 })
    if (attempt >= busyRetries) throw new RateLimited(`Wikipedia is busy: ${info}`, null, { url })
    await ctx.pause(busySeconds * (attempt + 1), `Wikipedia is busy (${code}).`)
  }
}

/** Returns the URL of a page, as Wikipedia writes it. */
export function pageUrl(language: string, title: string): string {
  const path = encodeURI(title.replaceAll(" ", "_")).replace(/[?#&+]/g, encodeURIComponent)
  return `https://${language}.wikipedia.org/wiki/${path}`
}
