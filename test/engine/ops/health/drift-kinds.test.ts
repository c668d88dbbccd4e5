import { expect, test } from "bun:test"
import { exchangeBody, type ReplayCase } from "../../../../src/engine/fetch/replay/case.ts"
import { blockVendor } from "../../../../src/engine/net/http/challenge/detect.ts"
import type { Finding } from "../../../../src/store/health/verdicts.ts"
import { casesUnder, loadScraper, ownCases } from "../../../corpus-run.ts"
import { type Played, play, verdictOfProbe, verdictOfTraffic } from "../../../drift/drifted.ts"
import { type DriftKind, driftKinds, playDrifted } from "../../../drift/kinds.ts"

/** One scraper per site; first those that once reported a drift as a challenge. */
const slugs = `
  walmart-product-scraper walmart-search-scraper ebay-product-scraper ebay-search-scraper
  airbnb-listings-scraper youtube-video-metadata youtube-search-scraper amazon-product-scraper
  amazon-search-scraper trustpilot-reviews-scraper craigslist-search-scraper coingecko-coins-scraper
  bestbuy-product-scraper homedepot-product-scraper target-product-scraper aliexpress-product-scraper
  etsy-product-scraper yahoo-finance-quote-scraper stock-price-history-scraper redfin-listings-scraper
  zillow-property-scraper booking-hotel-scraper imdb-title-scraper goodreads-book-scraper
  tiktok-profile-scraper instagram-profile-scraper pinterest-search-scraper
  twitter-profile-scraper reddit-scraper reddit-comments-scraper linkedin-company-scraper
  bing-search-scraper duckduckgo-search-scraper google-search-scraper indeed-jobs-scraper
  glassdoor-company-scraper yelp-business-scraper bbb-business-scraper yellowpages-scraper
  github-repo-scraper npm-package-scraper pypi-package-scraper deezer-artist-scraper pubmed-scraper
  crossref-scraper crates-io-scraper rubygems-package-scraper docker-hub-scraper lever-jobs-scraper
  greenhouse-jobs-scraper gitlab-projects-scraper openalex-scraper semantic-scholar-scraper
  stack-overflow-scraper podcast-search-scraper musicbrainz-artist-scraper rotten-tomatoes-scraper
  apartments-listings-scraper remoteok-jobs-scraper capterra-reviews-scraper clutch-agencies-scraper
  bluesky-profile-scraper mastodon-profile-scraper telegram-channel-scraper
`
  .trim()
  .split(/\s+/)

/** Possible verdicts of a drift, by its kind; a challenge is never one. */
const expected: Record<DriftKind, readonly string[]> = {
  "renamed key": ["broken", "degraded"],
  "moved class": ["broken", "degraded"],
  "emptied list": ["broken", "degraded"],
  "sign-in page": ["needs"],
  "other currency": ["broken", "degraded"],
  "other version": ["broken", "degraded"],
}

interface Whole {
  recorded: ReplayCase
  played: Played
}

/** Returns whether a case contains neither a challenge nor another refusal. */
const isOpen = (recorded: ReplayCase) =>
  recorded.exchanges.every((exchange) => {
    const { url, status, headers } = exchange
    const html = new TextDecoder().decode(exchangeBody(recorded.folder, exchange))
    const suspect = { url, status, headers: new Headers(headers as Record<string, string>), html }
    return status < 400 && blockVendor(suspect) === undefined
  })

/** Returns the first case whose requests are all read. */
async function wholeCase(slug: string): Promise<Whole | undefined> {
  const scraper = (await loadScraper(slug))!
  for (const recorded of casesUnder(ownCases, slug)) {
    if (!isOpen(recorded)) continue
    const played = await play(recorded)
    const isWhole = played.good.length > 0 && played.good.length === played.items.length
    if (isWhole && verdictOfTraffic(scraper, played, played).verdict === "works") {
      return { recorded, played }
    }
  }
  return undefined
}

/**
 * A request caused by the drift that has no recording: an end of the replay, not an error of the
 * site.
 */
const isUnrecorded = ({ items }: Played) =>
  items.length > 0 && items.every(({ error }) => (error as { code: string })?.code === "connection")

const reported = (findings: Finding[], kind: DriftKind) =>
  findings.some(({ verdict }) => expected[kind].includes(verdict)) &&
  findings.every(({ verdict }) => verdict !== "blocked")

test("drifts of every kind are reported as what they are", async () => {
  const counts = Object.fromEntries(driftKinds.map((kind) => [kind, 0])) as Record<
    DriftKind,
    number
  >
  const wrong: string[] = []
  const reached = new Set<string>()
  for (const slug of slugs) {
    const scraper = (await loadScraper(slug))!
    const whole = await wholeCase(slug)
    if (!whole) continue
    const { recorded, played } = whole
    for (const kind of driftKinds) {
      const now = await playDrifted(kind, recorded, played)
      if (!now || isUnrecorded(now)) continue
      counts[kind]++
      reached.add(slug)
      const findings = [
        verdictOfTraffic(scraper, played, now),
        verdictOfProbe(scraper, played, now),
      ]
      if (reported(findings, kind)) continue
      const stated = findings.map(({ verdict, reason }) => `${verdict} (${reason})`).join(", ")
      wrong.push(`${slug}/${recorded.case}, ${kind}: ${stated}`)
    }
    // No false alarm for unchanged cases.
    const again = await play(recorded)
    for (const judge of [verdictOfTraffic, verdictOfProbe]) {
      const { verdict, reason } = judge(scraper, played, again)
      if (verdict !== "works")
        wrong.push(`${slug}/${recorded.case}, unchanged: ${verdict}: ${reason}`)
    }
  }
  expect(wrong).toEqual([])
  expect(reached.size).toBeGreaterThanOrEqual(40)
  for (const kind of driftKinds) expect(counts[kind], kind).toBeGreaterThanOrEqual(5)
  expect(counts["sign-in page"]).toBeGreaterThanOrEqual(40)
}, 120_000)

test("another currency is reported by the field's name", async () => {
  for (const slug of ["walmart-product-scraper", "homedepot-product-scraper"]) {
    const scraper = (await loadScraper(slug))!
    const whole = (await wholeCase(slug))!
    const now = await playDrifted("other currency", whole.recorded, whole.played)
    if (!now) continue
    const found = verdictOfProbe(scraper, whole.played, now)
    expect(found.fields).toContain("currency")
    expect(found.reason).toContain('currency only "USD"')
  }
})
