import {
  canonicalUrl,
  headerRedirect,
  type NextHop,
  ownerDomain,
  pageRedirect,
} from "../../extract/links/index.ts"
import { documentTitle } from "../../extract/page/index.ts"
import {
  assertScrapeError,
  Changed,
  type Context,
  defineScraper,
  errorItem,
  field,
  items,
  pageUrls,
  record,
  required,
  TooManyRedirects,
  toPageUrl,
  type UpstreamResponse,
} from "../kit/index.ts"
import { identifyPage } from "./page/open.ts"

const maxHops = 20
const longChain = 3
/** Bytes of a response in which a redirect of the page is searched. The rest is not read. */
const maxBodyBytes = 64 * 1024

const hop = record({
  url: items.requiredText("URL of the request."),
  statusCode: required(field.integer("response.status", "HTTP status of the response.")),
  location: field.text("next.url", "Absolute URL of the next hop; null for the last one."),
  locationRaw: items.text("URL of the next hop as written."),
  type: items.requiredText(
    "Kind of redirect: http, refresh-header, meta-refresh, javascript, or final.",
  ),
  responseTimeMs: items.requiredInteger("Response time, in milliseconds."),
  server: items.text("Value of the header `server`."),
  setsCookies: items.requiredBoolean("Whether the response sets cookies."),
  hsts: items.requiredBoolean("Whether the response requires https for future requests (HSTS)."),
})

const chain = record({
  input: items.requiredText("Input as written."),
  url: items.requiredText("URL that was requested first."),
  finalUrl: items.requiredText("URL of the last response."),
  statusCode: field.integer("last.status", "HTTP status of the last response."),
  redirectCount: items.requiredInteger("Number of redirects."),
  hops: items.objects("All responses in order.", hop.fields),
  permanent: items.requiredBoolean("Whether all HTTP redirects are permanent ones."),
  httpsUpgrade: items.requiredBoolean("Whether the chain starts with http and ends with https."),
  httpsDowngrade: items.requiredBoolean("Whether a hop redirects from https to http."),
  hostChanged: items.requiredBoolean("Whether the chain ends on another host."),
  domainChanged: items.requiredBoolean("Whether the chain ends on another registered domain."),
  wwwChanged: items.requiredBoolean("Whether the first and last hosts differ only by www."),
  trailingSlashChanged: items.requiredBoolean(
    "Whether the first and last paths differ only by a trailing slash.",
  ),
  chain: items.requiredText("301 a -> 302 b -> 200 c"),
  finalContentType: field.text("last.contentType", "Media type of the last response."),
  finalTitle: items.text("Title of the last page."),
  totalTimeMs: items.requiredInteger("Total time of all responses in milliseconds."),
  canonicalUrl: items.text("Canonical URL in the last page's metadata."),
  issues: items.texts(
    "long_chain, mixed_permanent_temporary, downgrade, loop, client_side_redirect.",
  ),
})

type Hop = ReturnType<typeof hop.read>

interface Trail {
  hops: Hop[]
  /** The last requested URL, even if there was no response. */
  requestedUrl: string
  last: UpstreamResponse | null
}

export default defineScraper({
  slug: "redirect-tracker-scraper",
  name: "Redirect Tracker",
  tagline: "Follow every redirect hop of a URL, with status, target and timing.",
  category: "web",
  isCheck: true,
  fetchMethods: ["http"],
  input: { urls: pageUrls(1000, "URLs to follow") },
  item: chain,
  example: { urls: ["http://github.com"] },
  probe: {
    expect: [
      "items.length equals 1",
      'items[0].finalUrl matches "^https://github.com/"',
      "items[0].statusCode equals 200",
      "items[0].redirectCount gte 1",
      "items[0].httpsUpgrade equals true",
    ],
  },
  targets: (input) => input.urls,
  identify: identifyPage,

  async *scrape(target, ctx) {
    const start = new URL(toPageUrl(target)).href
    const trail: Trail = { hops: [], requestedUrl: start, last: null }
    try {
      await follow(start, trail, ctx)
      yield described(target, start, trail)
    } catch (error) {
      assertScrapeError(error, ctx)
      const issues = error.code === "too_many_redirects" ? ["loop"] : []
      yield errorItem(error, described(target, start, trail, issues))
    }
  },
})

/**
 * Requests one URL after the other and adds each response to the trail. After an error, the trail
 * has the responses before it.
 */
async function follow(start: string, trail: Trail, ctx: Context): Promise<void> {
  const states = new Set<string>()
  const cookies = new Map<string, string>()
  for (let url = start; ; ) {
    // Some sites redirect a client to the same URL until it sends a cookie, so only the same URL
    // with the same cookies is a loop.
    const state = `${url.replace(/#.*$/s, "")}\n${[...cookies.values()].join("\n")}`
    if (states.has(state)) {
      const message = `${url} is requested again with the same cookies, so the redirects are a loop.`
      throw new Changed(message, { code: "too_many_redirects", url, response: trail.last! })
    }
    states.add(state)
    trail.requestedUrl = url
    const response = await ctx.get(url, {
      redirect: "manual",
      accept: "any",
      retries: 0,
      identity: "browser",
      maxBytes: maxBodyBytes,
      truncate: true,
    })
    reuseCookies(response, cookies)
    const next = nextHop(response)
    trail.last = response
    trail.hops.push(hopOf(url, response, next))
    if (next === null) return
    if (next.url === null) {
      const message = `${url} redirects to "${next.raw}", which is not a URL.`
      throw new Changed(message, { code: "invalid_input", url, response })
    }
    if (trail.hops.length >= maxHops) {
      throw new TooManyRedirects(`More than ${maxHops} redirects.`, { url: start, response })
    }
    url = inheritedFragment(next.url, url)
  }
}

function nextHop(response: UpstreamResponse): NextHop | null {
  const { status, headers, url } = response
  const byHeader = headerRedirect(status, headers, url)
  if (byHeader || status >= 300 || !isPage(response)) return byHeader
  return pageRedirect(response.document, url)
}

const isPage = ({ contentType, bytes }: UpstreamResponse) =>
  /html|^$/.test(contentType) && bytes.length > 0

function inheritedFragment(next: string, previous: string): string {
  const { hash } = new URL(previous)
  return hash !== "" && !next.includes("#") ? `${next}${hash}` : next
}

function reuseCookies(response: UpstreamResponse, cookies: Map<string, string>): void {
  const { host } = new URL(response.url)
  for (const cookie of response.headers.getSetCookie()) {
    const pair = cookie.split(";", 1)[0]!
    cookies.set(`${host} ${pair.split("=", 1)[0]}`, `${host} ${pair}`)
  }
}

function hopOf(url: string, response: UpstreamResponse, next: NextHop | null) {
  return hop.read({
    url,
    response,
    next,
    locationRaw: next?.raw || null,
    type: next?.type ?? "final",
    responseTimeMs: Math.round(response.timing.total),
    server: response.headers.get("server"),
    setsCookies: response.headers.getSetCookie().length > 0,
    hsts: asksForHttps.test(response.headers.get("strict-transport-security") ?? ""),
  })
}

/** Matches an age greater than 0. An age of 0 revokes the requirement (RFC 6797, 6.1.1). */
const asksForHttps = /(?:^|;)\s*max-age\s*=\s*"?0*[1-9]/i

const plainHost = (url: URL) => url.host.replace(/^www\./, "")
const plainSlash = (url: URL) => url.pathname.replace(/\/$/, "")

function described(target: string, start: string, trail: Trail, issues: string[] = []) {
  const { hops, requestedUrl: requested, last } = trail
  const first = new URL(start)
  const final = new URL(requested)
  const redirects = hops.filter((step) => step.type !== "final")
  const byStatus = redirects.filter((redirect) => redirect.type === "http")
  const permanent = byStatus.filter(({ statusCode: code }) => code === 301 || code === 308).length
  const page = last !== null && isPage(last) ? last : null
  const downgrade = redirects.some(
    ({ url, location }) => url.startsWith("https:") && location?.startsWith("http:"),
  )
  return chain.read({
    last,
    input: target,
    url: start,
    finalUrl: final.href,
    redirectCount: redirects.length,
    hops,
    permanent: byStatus.length > 0 && permanent === byStatus.length,
    httpsUpgrade: first.protocol === "http:" && final.protocol === "https:",
    httpsDowngrade: downgrade,
    hostChanged: first.host !== final.host,
    domainChanged: ownerDomain(first.hostname) !== ownerDomain(final.hostname),
    wwwChanged: first.host !== final.host && plainHost(first) === plainHost(final),
    trailingSlashChanged:
      first.pathname !== final.pathname &&
      plainHost(first) === plainHost(final) &&
      plainSlash(first) === plainSlash(final),
    chain: hops.map(({ statusCode, url }) => `${statusCode} ${url}`).join(" -> "),
    finalTitle: page ? documentTitle(page.document) : null,
    totalTimeMs: hops.reduce((sum, step) => sum + step.responseTimeMs, 0),
    canonicalUrl: page ? canonicalUrl(page.document, page.url) : null,
    issues: [
      ...(redirects.length > longChain ? ["long_chain"] : []),
      ...(permanent > 0 && permanent < byStatus.length ? ["mixed_permanent_temporary"] : []),
      ...(downgrade ? ["downgrade"] : []),
      ...issues,
      ...(redirects.length > byStatus.length ? ["client_side_redirect"] : []),
    ],
  })
}
