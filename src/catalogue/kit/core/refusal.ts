import type { Context, PageOptions, Refusal, UpstreamResponse } from "../context.ts"
import { Blocked, RateLimited, ScrapeError, Timeout } from "./errors.ts"

/**
 * Returns a failed request as Blocked if the site refuses bots in this way; else null.
 * @example throw refusedRequest(error, url, { statuses: [403] }) ?? error
 */
export function refusedRequest(error: unknown, url: string, refusal: Refusal): Blocked | null {
  if (!(error instanceof ScrapeError) || error instanceof Blocked) return null
  const { statusCode } = error
  // The page to which bots are redirected may not respond.
  if (refusal.address?.test(error.url ?? "")) return turnedAway(url, "", statusCode, refusal)
  if (error instanceof Timeout && refusal.stalls) {
    return turnedAway(error.url ?? url, "it does not respond", statusCode, refusal)
  }
  // A response that states when to retry is a rate limit, not a refusal.
  if (error instanceof RateLimited && error.retryAfter !== null) return null
  const refused = statusCode !== null && refusal.statuses?.includes(statusCode)
  return refused ? turnedAway(error.url ?? url, `status ${statusCode}`, statusCode, refusal) : null
}

/**
 * Returns Blocked if a response without its data has one of the site's signs of refusal; else null.
 * @example throw refusedPage(response, { sign: /captcha/i }) ?? response.explainMissing("the list")
 */
export function refusedPage(response: UpstreamResponse, refusal: Refusal): Blocked | null {
  const { url, status } = response
  const { sign, address: href } = refusal
  // Sites that refuse bots return nothing to some of them. No page is empty.
  if (status === 200 && response.text().trim() === "") {
    return turnedAway(url, "status 200 with an empty body", status, refusal)
  }
  const visible = typeof sign === "function" ? sign(response) : sign?.test(response.text())
  return visible || href?.test(url) ? turnedAway(url, `status ${status}`, status, refusal) : null
}

/**
 * Returns whether a response is markup although data was requested, which is a sign of refusal.
 * @example await ctx.data(url, { what: "the product", refusal: { sign: isMarkup } })
 */
export const isMarkup = (response: UpstreamResponse) =>
  /^\s*<(?!\?xml)/.test(response.text().slice(0, 1000))

/**
 * Returns whether the status means that this is not the requested page.
 * @example isErrorPage({ status: 404 }) // true
 */
export const isErrorPage = ({ status }: Pick<UpstreamResponse, "status">) => status >= 400

/** Minimum links by which a header or footer of the site is recognised. */
const furnitureLinks = 3

/**
 * Returns whether a page has no header or footer of its site. If its data is missing too, that is a
 * sign of refusal; a page that has them has changed its layout.
 * @example const refusal: Refusal = { statuses: [403], sign: isPlain }
 */
export const isPlain = (response: UpstreamResponse) => !hasFurniture(response)

function hasFurniture(response: UpstreamResponse): boolean {
  if (!/html/.test(response.contentType)) return false
  const { document, url, requestedUrl } = response
  const { hostname } = new URL(url)
  const site = hostname.split(".").slice(-2).join(".")
  const around = document.querySelectorAll(
    "nav, header, footer, [role=navigation], [role=contentinfo]",
  )
  let links = 0
  for (const part of around) {
    for (const link of part.querySelectorAll("a[href]")) {
      const target = URL.parse(link.getAttribute("href") ?? "", url)
      if (target?.hostname.endsWith(site) && target.pathname !== new URL(url).pathname) links++
      if (links >= furnitureLinks) return true
    }
  }
  const canonical = document.querySelector("link[rel=canonical]")?.getAttribute("href")
  const { pathname } = new URL(requestedUrl)
  return Boolean(canonical) && pathname !== "/" && URL.parse(canonical!, url)?.pathname === pathname
}

function turnedAway(url: string, how: string, statusCode: number | null, { vendor }: Refusal) {
  const message = `${new URL(url).host} blocked the request${how && ` (${how})`}.`
  return new Blocked(message, vendor ?? null, { url, statusCode })
}

/**
 * Returns a function that reads each response once, for code that checks for data before using it.
 * @example const rowsOf = readOnce(({ document }) => document.querySelectorAll(".row"))
 */
export function readOnce<T>(
  read: (response: UpstreamResponse) => T,
): (response: UpstreamResponse) => T {
  const known = new WeakMap<UpstreamResponse, { value: T }>()
  return (response) => {
    let match = known.get(response)
    if (!match) {
      match = { value: read(response) }
      known.set(response, match)
    }
    return match.value
  }
}

/**
 * Returns what `read` finds in a page. If it finds null or undefined, the next fetch method is
 * tried. If it returns an error, because the page states that there is no data, the error is thrown.
 * Throws the reason if no page has the data.
 * @example const rows = await readPage(ctx, url, rowsIn, { what: "the list" })
 */
export async function readPage<T extends object>(
  ctx: Context,
  url: string,
  read: (response: UpstreamResponse) => T | null | undefined,
  options: PageOptions & { what: string },
): Promise<Exclude<T, ScrapeError>> {
  const resultOf = readOnce(read)
  const has = (response: UpstreamResponse) => (resultOf(response) ?? null) !== null
  const response = await ctx.page(url, { ...options, has })
  const value = resultOf(response) ?? response.explainMissing(options.what)
  if (value instanceof ScrapeError) throw value
  return value as Exclude<T, ScrapeError>
}
