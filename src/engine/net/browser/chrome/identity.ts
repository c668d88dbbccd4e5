import type { Browser, CDPSession, Protocol } from "puppeteer-core"
import type { BrowserHeaders } from "../../http/identity.ts"

/** The identity of one Chrome: its request headers, and what its pages can read. */
export interface ChromeIdentity {
  /** "Chrome/156.0.8078.79" */
  version: string
  /** Chrome's own user agent. */
  agent: string
  /**
   * Override for a tab of a remote browser whose user agent contains Headless, which sites refuse.
   */
  override?: Protocol.Emulation.SetUserAgentOverrideRequest
  headers: BrowserHeaders
}

/** Storage of Chrome's identity, so that the next start does not need Chrome for it. */
export interface IdentityStore {
  load(): ChromeIdentity | undefined
  save(identity: ChromeIdentity): void
}

/** A URL that is never requested; its page is generated here. */
const nowhere = "https://identity.invalid"
const hints = [
  "architecture",
  "bitness",
  "fullVersionList",
  "model",
  "platformVersion",
  "uaFullVersion",
  "wow64",
  "formFactors",
]

interface Seen {
  userAgent: string
  languages: string[]
  hints: Protocol.Emulation.UserAgentMetadata & { uaFullVersion?: string }
}

/** Reads Chrome's identity from a page and a request that are answered here. */
export async function readIdentity(browser: Browser): Promise<ChromeIdentity> {
  const context = await browser.createBrowserContext()
  try {
    const page = await context.newPage()
    const cdp = await page.createCDPSession()
    const requests = await answeredHere(cdp)
    await page.goto(nowhere)
    const seen = (await page.evaluate(`(async () => ({
      userAgent: navigator.userAgent,
      languages: [...navigator.languages],
      hints: await navigator.userAgentData.getHighEntropyValues(${JSON.stringify(hints)}),
    }))()`)) as Seen
    const override = /Headless/.test(JSON.stringify(seen)) ? overrideOf(seen) : undefined
    if (override) await cdp.send("Emulation.setUserAgentOverride", override)
    requests.clear()
    await page.goto(nowhere)
    await page.evaluate(`fetch("/call").then((answer) => answer.text())`)
    const always = { "accept-language": acceptLanguage(seen.languages) }
    return {
      version: await browser.version(),
      agent: seen.userAgent,
      ...(override ? { override } : {}),
      headers: {
        navigation: { ...lowerCase(requests.get("/")), ...always },
        call: { ...withoutReferer(lowerCase(requests.get("/call"))), ...always },
      },
    }
  } finally {
    await context.close().catch(() => {})
  }
}

/** Request headers by path; the requests never reach the network. */
async function answeredHere(cdp: CDPSession) {
  const requests = new Map<string, Record<string, string>>()
  cdp.on("Fetch.requestPaused", ({ requestId, request }) => {
    requests.set(new URL(request.url).pathname, request.headers)
    const responseHeaders = [{ name: "content-type", value: "text/html" }]
    const body = btoa("<!doctype html><link rel=icon href=data:,>")
    cdp
      .send("Fetch.fulfillRequest", { requestId, responseCode: 200, responseHeaders, body })
      .catch(() => {})
  })
  await cdp.send("Fetch.enable", { patterns: [{ urlPattern: "*" }] })
  return requests
}

/**
 * Returns the identity of a Chrome with a window: without the word Headless, and with only the major
 * version in its user agent.
 */
function overrideOf({ userAgent, hints }: Seen): Protocol.Emulation.SetUserAgentOverrideRequest {
  const named = (brands: Protocol.Emulation.UserAgentBrandVersion[] = []) =>
    brands.map(({ brand, version }) => ({
      brand: brand === "HeadlessChrome" ? "Google Chrome" : brand,
      version,
    }))
  const { uaFullVersion, ...metadata } = hints
  return {
    userAgent: userAgent.replace(/HeadlessChrome\/(\d+)[\d.]*/, "Chrome/$1.0.0.0"),
    userAgentMetadata: {
      ...metadata,
      brands: named(hints.brands),
      fullVersionList: named(hints.fullVersionList),
      ...(uaFullVersion ? { fullVersion: uaFullVersion } : {}),
    },
  }
}

/** Formats languages as Chrome does, each with a weight 0.1 lower than the one before. */
function acceptLanguage(languages: string[]): string {
  return languages
    .map((language, index) =>
      index === 0 ? language : `${language};q=0.${Math.max(1, 10 - index)}`,
    )
    .join(",")
}

function lowerCase(headers: Record<string, string> = {}): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
  )
}

function withoutReferer({ referer: _, ...headers }: Record<string, string>) {
  return headers
}
