import { expect, test } from "bun:test"
import { findSlug } from "../../src/catalogue/find.ts"
import { catalogue } from "../../src/catalogue/index.ts"
import { scrapersFor } from "../../src/catalogue/which.ts"

const slugs = catalogue.map((scraper) => scraper.slug)

test("a scraper is found by its slug, and by the words that it alone has", () => {
  for (const slug of slugs) expect(findSlug(slug, slugs)).toEqual({ slug })
  const short = {
    pypi: "pypi-package-scraper",
    "URL-to-Markdown": "url-to-markdown-scraper",
    "github trending": "github-trending-scraper",
    " meta-tags ": "meta-tags-scraper",
  }
  for (const [name, slug] of Object.entries(short)) expect(findSlug(name, slugs)).toEqual({ slug })
})

test("a name that fits several or none is answered with the nearest", () => {
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

test("an address finds the scrapers made for it, with an input that they take", () => {
  const found = (url: string) =>
    scrapersFor(url)
      .filter(({ input }) => input)
      .map(({ scraper }) => scraper.slug)
  expect(found("https://github.com/nodejs/node")).toContain("github-repo-scraper")
  expect(found("https://www.npmjs.com/package/elysia")[0]).toBe("npm-package-scraper")
  expect(found("https://nobody.example/page")).toEqual(["url-to-markdown-scraper"])
  expect(found("https://en.wikipedia.org/wiki/Trawling")[0]).toMatch(/^wikipedia-/)
})
