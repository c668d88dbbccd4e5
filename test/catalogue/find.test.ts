import { describe, expect, test } from "bun:test"
import { findSlug } from "../../src/catalogue/find.ts"
import { catalogue } from "../../src/catalogue/index.ts"
import { scrapersFor } from "../../src/catalogue/which.ts"

const slugs = catalogue.map((scraper) => scraper.slug)

test("a scraper is found by its slug, and by its unique words", () => {
  for (const slug of slugs) expect(findSlug(slug, slugs)).toEqual({ slug })
  const short = {
    pypi: "pypi-package-scraper",
    "URL-to-Markdown": "url-to-markdown-scraper",
    "github trending": "github-trending-scraper",
    " meta-tags ": "meta-tags-scraper",
  }
  for (const [name, slug] of Object.entries(short)) expect(findSlug(name, slugs)).toEqual({ slug })
})

test("a name that matches several or none returns the nearest", () => {
  const near = (name: string) => {
    const found = findSlug(name, slugs)
    return "near" in found ? found.near : found.slug
  }
  expect(near("github")).toEqual(slugs.filter((slug) => slug.startsWith("github-")).slice(0, 3))
  expect(near("pypi-pakage-scraper")).toContain("pypi-package-scraper")
  for (const name of ["", " ", "scraper", "x".repeat(100_000), "__proto__"]) {
    expect(findSlug(name, slugs)).not.toHaveProperty("slug")
  }
})

test("a URL finds the scrapers made for it, with an input that they accept", () => {
  const found = (url: string) =>
    scrapersFor(url)
      .filter(({ input }) => input)
      .map(({ scraper }) => scraper.slug)
  expect(found("https://github.com/nodejs/node")).toContain("github-repo-scraper")
  expect(found("https://www.npmjs.com/package/elysia")[0]).toBe("npm-package-scraper")
  expect(found("https://unknown.example/page")).toEqual(["url-to-markdown-scraper"])
  expect(found("https://en.wikipedia.org/wiki/Trawling")[0]).toMatch(/^wikipedia-/)
})

describe("the first scraper for a page of a site with several", () => {
  const pages = {
    "https://github.com/oven-sh/bun": "github-repo-scraper",
    "https://github.com/oven-sh/bun/issues": "github-issues-scraper",
    "https://github.com/torvalds": "github-user-scraper",
    "https://github.com/trending": "github-trending-scraper",
    "https://www.reddit.com/r/rust/": "reddit-scraper",
    "https://www.reddit.com/r/rust/comments/abc/title/": "reddit-comments-scraper",
    "https://www.reddit.com/user/spez": "reddit-user-scraper",
    "https://www.tiktok.com/@khaby": "tiktok-profile-scraper",
    "https://www.tiktok.com/tag/booktok": "tiktok-hashtag-scraper",
    "https://www.instagram.com/nasa/": "instagram-profile-scraper",
    "https://youtu.be/dQw4w9WgXcQ": "youtube-video-metadata",
    "https://www.youtube.com/playlist?list=PLx": "youtube-playlist-scraper",
    "https://apps.apple.com/de/app/x/id123456789": "app-store-scraper",
    "https://www.google.de/maps/place/x": "google-maps-scraper",
    "https://www.amazon.co.uk/s?k=usb": "amazon-search-scraper",
    "https://www.amazon.de/dp/B0BSHF7WHW": "amazon-product-scraper",
    "https://www.ebay.de/itm/394839201122": "ebay-product-scraper",
    "https://www.ebay.com/sch/i.html?_nkw=x": "ebay-search-scraper",
    "https://stackoverflow.com/questions/tagged/rust": "stack-overflow-scraper",
    "https://stackoverflow.com/questions/123/x": "stackexchange-answers-scraper",
    "https://news.ycombinator.com/": "hacker-news-scraper",
    "https://news.ycombinator.com/item?id=1": "hacker-news-comments-scraper",
    "https://doi.org/10.1000/182": "crossref-scraper",
  }
  for (const [url, slug] of Object.entries(pages)) {
    test(`${url}: ${slug}`, () => expect(scrapersFor(url)[0]?.scraper.slug).toBe(slug))
  }
})
