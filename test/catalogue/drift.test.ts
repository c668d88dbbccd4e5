import { describe, expect, test } from "bun:test"
import { readCase } from "../../src/engine/fetch/replay/case.ts"
import { loadScraper, ownCases } from "../corpus-run.ts"
import { isLost, type Marker, play, renamed, verdictOf } from "../drift/drifted.ts"

/**
 * Own cases in which another source replaces a refused one, or the list fails later; with a name to
 * change in that source, and the field that is lost.
 */
const drifts: [slug: string, name: string, kind: Marker["kind"], marker: string, field: string][] =
  [
    ["bing-news-scraper", "list-in-place-of-feed", "attribute", "title", "title"],
    ["ebay-search-scraper", "second-page-by-chrome", "attribute", "s-card", "itemId"],
    ["exchange-rates-scraper", "mirror", "key", "USD", "rate"],
    ["frontpage-headlines-scraper", "live-blog-entries", "element", "title", "outletName"],
    ["reddit-comments-scraper", "feed-when-all-is-refused", "element", "id", "fullName"],
    ["rss-feed-reader", "announced-by-a-page", "element", "link", "feedLink"],
    ["wikipedia-search-scraper", "later-page-busy", "key", "pageid", "position"],
    ["youtube-playlist-scraper", "two-pages-gone-private", "key", "videoId", "videoId"],
  ]

describe("a renamed source of a field is reported by the field's name", () => {
  test.each(drifts)("%s/%s: %s %s", async (slug, name, kind, marker, field) => {
    const scraper = (await loadScraper(slug))!
    const recorded = readCase(`${ownCases}/${slug}/${name}`)
    const before = await play(recorded)
    const now = await play(renamed(recorded, { kind, name: marker }))
    expect(isLost(now, before, field)).toBeTrue()
    const { verdict, fields } = verdictOf(scraper, before, now)
    expect(["degraded", "broken", "blocked"]).toContain(verdict)
    expect(fields.filter((lost) => isLost(now, before, lost))).not.toEqual([])
    expect(verdictOf(scraper, before, before).fields).toEqual([])
  })
})
