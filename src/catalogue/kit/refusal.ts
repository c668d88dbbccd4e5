import type { Answer, Refusal } from "./context.ts"
import { Blocked, Outcome, RateLimited, Timeout } from "./outcome.ts"

/** What a failed request is where the site is known to refuse in this way; null when it is not that. */
export function refusedRequest(error: unknown, url: string, refusal: Refusal): Blocked | null {
  if (!(error instanceof Outcome) || error instanceof Blocked) return null
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
export function refusedPage(answer: Answer, refusal: Refusal): Blocked | null {
  const { url, status } = answer
  const { sign, address } = refusal
  const shown = typeof sign === "function" ? sign(answer) : sign?.test(answer.text())
  return shown || address?.test(url) ? turnedAway(url, `status ${status}`, status, refusal) : null
}

/** A sign of refusal where data was asked for: a page in its place. */
export const isMarkup = (answer: Answer) => /^\s*<(?!\?xml)/.test(answer.text().slice(0, 1000))

/** Links that a site's header or footer has at least. */
const furnitureLinks = 3

/**
 * A sign of refusal: a page without the data and without what its site's pages have around it. One that
 * has that has changed.
 */
export const isBare = (answer: Answer) => !hasFurniture(answer)

function hasFurniture(answer: Answer): boolean {
  if (!/html/.test(answer.contentType)) return false
  const { document, url, requestedUrl } = answer
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
export function readOnce<T>(read: (answer: Answer) => T): (answer: Answer) => T {
  const known = new WeakMap<Answer, { value: T }>()
  return (answer) => {
    let found = known.get(answer)
    if (!found) {
      found = { value: read(answer) }
      known.set(answer, found)
    }
    return found.value
  }
}
