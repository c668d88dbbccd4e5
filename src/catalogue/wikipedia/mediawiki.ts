import {
  BadInput,
  busyIsRateLimit,
  Changed,
  type Context,
  RateLimited,
  ScrapeError,
  Unreachable,
} from "../kit/index.ts"

/** Wikimedia asks for one request at a time, and for a user agent that names a contact. */
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

/** Whether names are resolved at all: without a network, no name is, and the input is not to blame. */
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
 * One answer of a wiki's action API; errors come with status 200.
 * @throws BadInput with the API's own message, RateLimited when it stays busy, Changed
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
      const isUnknownName = error instanceof Unreachable && error.code === "dns"
      if (isUnknownName && (await isWikipediaThere(ctx))) {
        throw new BadInput(`language: there is no Wikipedia in the language "${language}".`, {
          url,
        })
      }
      throw error
    })
    if (!body?.error) {
      if (body?.query === undefined)
        throw new Changed("Wikipedia's answer holds no query.", { url })
      return body as Envelope & { query: Record<string, unknown> }
    }
    const { code, info } = body.error
    if (!busy.has(code)) throw new BadInput(`Wikipedia says: ${info}`, { url, statusCode: 200 })
    if (attempt >= busyRetries) throw new RateLimited(`Wikipedia is busy: ${info}`, null, { url })
    await ctx.pause(busySeconds * (attempt + 1), `Wikipedia is busy (${code}).`)
  }
}

/** The page's address, as Wikipedia itself writes it. */
export function pageUrl(language: string, title: string): string {
  const path = encodeURI(title.replaceAll(" ", "_")).replace(/[?#&+]/g, encodeURIComponent)
  return `https://${language}.wikipedia.org/wiki/${path}`
}
