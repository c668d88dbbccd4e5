import type { Refusal, UpstreamResponse } from "./context.ts"
import { Blocked, RateLimited, ScrapeError, Timeout } from "./errors.ts"

/** What a failed request is where the site is known to refuse in this way; null when it is not that. */
export function refusedRequest(error: unknown, url: string, refusal: Refusal): Blocked | null {
  if (!(error instanceof ScrapeError) || error instanceof Blocked) return null
  const { statusCode } = error
  // The page that robots are sent to may not answer them.
  if (refusal.address?.test(error.url ?? "")) return turnedAway(url, "", statusCode, refusal)
  if (error instanceof Timeout && refusal.stalls) {
    return turnedAway(error.url ?? url, "it does not answer", statusCode, refusal)
  }
  // A site that says when to come again limits the rate.
  if (error instanceof RateLimited && error.retryAfter !== null) return null
  const refused = statusCode !== null && refusal.statuses?.includes(statusCode)
  return refused ? turnedAway(error.url ?? url, `status ${statusCode}`, statusCode, refusal) : null
}

/** What an answer without its data is by the site's own signs; null when it shows none. */
export function refusedPage(response: UpstreamResponse, refusal: Refusal): Blocked | null {
  const { url, status } = response
  const { sign, address } = refusal
  const visible = typeof sign === "function" ? sign(response) : sign?.test(response.text())
  return visible || address?.test(url) ? turnedAway(url, `status ${status}`, status, refusal) : null
}

/** A sign of refusal where data was asked for: a page in its place. */
export const isMarkup = (response: UpstreamResponse) =>
  /^\s*<(?!\?xml)/.test(response.text().slice(0, 1000))

/** Links that a site's header or footer has at least. */
const furnitureLinks = 3

/**
 * A sign of refusal: a page without the data and without what its site's pages have around it. One that
 * has that has changed.
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
  const message = `${new URL(url).host} turns robots away${how && ` (${how})`}.`
  return new Blocked(message, vendor ?? null, { url, statusCode })
}

/** What is read of an answer both to see whether it has the data and to use it: worked out once. */
export function readOnce<T>(
  read: (response: UpstreamResponse) => T,
): (response: UpstreamResponse) => T {
  const known = new WeakMap<UpstreamResponse, { value: T }>()
  return (response) => {
    let found = known.get(response)
    if (!found) {
      found = { value: read(response) }
      known.set(response, found)
    }
    return found.value
  }
}
