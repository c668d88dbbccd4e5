import { describe, expect, test } from "bun:test"
import crawler from "../../../src/catalogue/web/website-content-crawler.ts"
import { type Account, runOnce, type Site } from "./run-once.ts"

const site = "https://site.example"
const long =
  "This page has text enough to be read as one, though it says very little that anybody would want to know. "
const page = (title: string, body = "", head = "") =>
  `<html lang=en><head><title>${title}</title>${head}</head><body><main><h1>${title}</h1><p>${title}: ${long.repeat(3)}</p>${body}</main></body></html>`
const links = (...paths: string[]) => paths.map((path) => `<a href="${path}">x</a>`).join(" ")

const crawl = (input: Record<string, unknown>, pages: Site) =>
  runOnce(crawler, { startUrls: [`${site}/`], ...input }, pages)
const urls = (items: Record<string, unknown>[]) =>
  items.map((item) => String(item.url).replace(site, ""))

describe("website-content-crawler", () => {
  test("crawls breadth first, in the order of the links, to the requested depth", async () => {
    const pages = {
      [`${site}/`]: page("Home", links("/a", "/b")),
      [`${site}/a`]: page("A", links("/c", "/")),
      [`${site}/b`]: page("B", links("/d")),
      [`${site}/c`]: page("C", links("/e")),
      [`${site}/d`]: page("D"),
    }
    const { items } = await crawl({ maxDepth: 2 }, pages)
    expect(urls(items)).toEqual(["/", "/a", "/b", "/c", "/d"])
    expect(items.map((item) => item.depth)).toEqual([0, 1, 1, 2, 2])
    expect(items[3]).toMatchObject({ referrer: `${site}/a`, startUrl: `${site}/` })
  })

  test("maxPages is exact, and pages that fail count", async () => {
    const pages = {
      [`${site}/`]: page("Home", links("/gone", "/b", "/c", "/d")),
      [`${site}/gone`]: { status: 404 },
      [`${site}/b`]: page("B"),
      [`${site}/c`]: page("C"),
      [`${site}/d`]: page("D"),
    }
    const { items, requested } = await crawl({ maxPages: 3 }, pages)
    expect(urls(items)).toEqual(["/", "/gone", "/b"])
    expect(items[1]).toMatchObject({ error: { code: "not_found" }, referrer: `${site}/`, depth: 1 })
    expect(requested).not.toContain(`${site}/c`)
  })

  test("does not fetch other sites and files; fragments and tracking make no new pages", async () => {
    const { items, requested } = await crawl(
      {},
      {
        [`${site}/`]: page(
          "Home",
          links("https://o.example/", "/a.zip", "/a#x", "/a?utm_source=y", "mailto:a@b.c"),
        ),
        [`${site}/a`]: page("A"),
      },
    )
    expect(urls(items)).toEqual(["/", "/a"])
    expect(requested.filter((address) => !address.endsWith("robots.txt"))).toEqual([
      `${site}/`,
      `${site}/a`,
    ])
    expect(items[0]).toMatchObject({ linksInternal: 2, linksExternal: 1 })
  })

  test("applies robots.txt to links, not to given URLs", async () => {
    const { items } = await crawl(
      {},
      {
        [`${site}/robots.txt`]: {
          bytes: new TextEncoder().encode("User-agent: *\nDisallow: /"),
          headers: { "content-type": "text/plain" },
        },
        [`${site}/`]: page("Home", links("/a")),
        [`${site}/a`]: page("A"),
      },
    )
    expect(items[0]).toMatchObject({ title: "Home" })
    expect(items[1]).toMatchObject({ error: { code: "robots_disallowed" } })
  })

  test("follows stubs without returning them; a page with several URLs comes once", async () => {
    const { items } = await crawl(
      {},
      {
        [`${site}/`]: page("Home", links("/old", "/moved", "/new")),
        [`${site}/old`]:
          '<meta http-equiv=refresh content="0; url=/new"><title>Redirecting</title>',
        [`${site}/moved`]: { status: 301, headers: { location: `${site}/new` } },
        [`${site}/new`]: page("New"),
      },
    )
    expect(items).toHaveLength(2)
    expect(items[1]).toMatchObject({ finalUrl: `${site}/new`, title: "New" })
  })

  test("returns a page that redirects off the site without following it", async () => {
    const { items } = await crawl(
      {},
      {
        [`${site}/`]: page("Home", links("/out")),
        [`${site}/out`]: { status: 302, headers: { location: "https://o.example/" } },
        "https://o.example/": page("Other", links("/x", `${site}/y`)),
      },
    )
    expect(items.map((item) => item.finalUrl)).toEqual([`${site}/`, "https://o.example/"])
  })

  test("marks copies", async () => {
    const { items } = await crawl(
      {},
      {
        [`${site}/`]: page("Home", links("/a", "/b", "/c")),
        [`${site}/a`]: page("Same"),
        [`${site}/b`]: page("Same"),
        [`${site}/c`]: page("C", "", `<link rel=canonical href="/">`),
      },
    )
    expect(items.map((item) => item.duplicateOf)).toEqual([null, null, `${site}/a`, `${site}/`])
  })

  test("skips pages that a sitemap reports as older if an earlier crawl is named", async () => {
    const entry = (path: string, lastmod: string) =>
      `<url><loc>${site}${path}</loc>${lastmod && `<lastmod>${lastmod}</lastmod>`}</url>`
    const entries = entry("/old", "2026-01-01") + entry("/new", "2026-02-02") + entry("/any", "")
    const sitemap = `<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${entries}</urlset>`
    const pages = {
      [`${site}/sitemap.xml`]: {
        bytes: new TextEncoder().encode(sitemap),
        headers: { "content-type": "application/xml" },
      },
      [`${site}/old`]: page("Old"),
      [`${site}/new`]: page("New"),
      [`${site}/any`]: page("Any"),
    }
    const input = { startUrls: [`${site}/sitemap.xml`] }
    expect(urls((await crawl(input, pages)).items)).toEqual(["/old", "/new", "/any"])
    const since = { ...input, modifiedSince: "2026-02-01" }
    expect(urls((await crawl(since, pages)).items)).toEqual(["/new", "/any"])
  })

  describe("with onlyChanged", () => {
    const entry = (path: string, lastmod: string) =>
      `<url><loc>${site}${path}</loc><lastmod>${lastmod}</lastmod></url>`
    const sitemap = (...entries: string[]) => ({
      bytes: new TextEncoder().encode(
        `<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${entries.join("")}</urlset>`,
      ),
      headers: { "content-type": "application/xml" },
    })
    const tagged = (html: string, etag: string) => ({
      bytes: new TextEncoder().encode(html),
      headers: { "content-type": "text/html", etag },
    })
    const same = { status: 304, headers: {}, bytes: new Uint8Array() }
    const repeated = (account: Account, clock: string, pages: Site, input = {}) =>
      runOnce(crawler, { startUrls: [`${site}/`], onlyChanged: true, ...input }, pages, {
        account,
        clock,
      })

    test("pages that answer 304 return no item, and their links are crawled", async () => {
      const account: Account = new Map()
      const first = await repeated(account, "2026-03-01T00:00:00Z", {
        [`${site}/`]: tagged(
          page("Home", `${links("/a", "/b")}<a href="/trap" hidden>x</a>`),
          '"1"',
        ),
        [`${site}/a`]: tagged(page("A"), '"2"'),
        [`${site}/b`]: page("B"),
        [`${site}/trap`]: page("Trap"),
      })
      expect(urls(first.items)).toEqual(["/", "/a", "/b"])
      const second = await repeated(account, "2026-03-02T00:00:00Z", {
        [`${site}/`]: same,
        [`${site}/a`]: tagged(page("A, new"), '"3"'),
        // It has no validators, and the same content.
        [`${site}/b`]: page("B"),
        [`${site}/trap`]: page("Trap"),
      })
      expect(urls(second.items)).toEqual(["/a"])
      expect(second.requested).not.toContain(`${site}/trap`)
      const sent = Object.fromEntries(
        second.requested.map((url, at) => [
          url.replace(site, ""),
          second.sent[at]!.get("if-none-match"),
        ]),
      )
      expect(sent).toMatchObject({ "/": '"1"', "/a": '"2"', "/b": null })
      const third = await repeated(account, "2026-03-03T00:00:00Z", {
        [`${site}/`]: same,
        [`${site}/a`]: same,
        [`${site}/b`]: page("B"),
      })
      expect([third.items, third.end.error ?? null]).toEqual([[], null])
    })

    test("pages whose lastmod is older than their last visit are not requested", async () => {
      const account: Account = new Map()
      const input = { startUrls: [`${site}/sitemap.xml`] }
      const pages = {
        [`${site}/sitemap.xml`]: sitemap(entry("/old", "2026-01-01"), entry("/new", "2026-01-01")),
        [`${site}/old`]: page("Old", links("/deep")),
        [`${site}/new`]: page("New"),
        [`${site}/deep`]: page("Deep"),
      }
      const first = await repeated(account, "2026-03-01T00:00:00Z", pages, input)
      expect(urls(first.items)).toEqual(["/old", "/new", "/deep"])
      const second = await repeated(
        account,
        "2026-03-03T00:00:00Z",
        {
          ...pages,
          [`${site}/sitemap.xml`]: sitemap(
            entry("/old", "2026-01-01"),
            entry("/new", "2026-03-02"),
          ),
          [`${site}/new`]: page("New, changed"),
          [`${site}/deep`]: page("Deep, changed"),
        },
        input,
      )
      expect(urls(second.items)).toEqual(["/new", "/deep"])
      expect(second.requested).not.toContain(`${site}/old`)
    })
  })

  test("hidden links are not followed, and nofollow ones only on demand", async () => {
    const pages = {
      [`${site}/`]: page(
        "Home",
        `<a href="/trap" style="display:none">x</a><a href="/not" rel="nofollow">x</a>`,
      ),
      [`${site}/trap`]: page("Trap"),
      [`${site}/not`]: page("Not"),
    }
    expect(urls((await crawl({}, pages)).items)).toEqual(["/"])
    expect(urls((await crawl({ followNofollow: true }, pages)).items)).toEqual(["/", "/not"])
  })

  test("a sitemap as start stands for its pages", async () => {
    const sitemap = `<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>${site}/a</loc></url><url><loc>${site}/b</loc></url></urlset>`
    const { items } = await runOnce(
      crawler,
      { startUrls: [`${site}/sitemap.xml`] },
      {
        [`${site}/sitemap.xml`]: {
          bytes: new TextEncoder().encode(sitemap),
          headers: { "content-type": "application/xml" },
        },
        [`${site}/a`]: page("A"),
        [`${site}/b`]: page("B"),
      },
    )
    expect(urls(items)).toEqual(["/a", "/b"])
  })

  test("fetches only URLs that match the pattern", async () => {
    const { requested } = await crawl(
      { urlPattern: "/docs/" },
      {
        [`${site}/`]: page("Home", links("/docs/a", "/blog/b")),
        [`${site}/docs/a`]: page("A"),
      },
    )
    expect(requested).not.toContain(`${site}/blog/b`)
    expect(requested).toContain(`${site}/docs/a`)
  })

  test("reads text, and names other files", async () => {
    const { items } = await crawl(
      {},
      {
        [`${site}/`]: page("Home", links("/notes", "/data")),
        [`${site}/notes`]: {
          bytes: new TextEncoder().encode("# Notes\n\ntext"),
          headers: { "content-type": "text/markdown" },
        },
        [`${site}/data`]: {
          bytes: new TextEncoder().encode("{}"),
          headers: { "content-type": "application/json" },
        },
      },
    )
    expect(items[1]).toMatchObject({ title: "Notes", markdown: "# Notes\n\ntext\n" })
    expect(items[2]).toMatchObject({
      contentType: "application/json",
      error: { code: "unsupported_content" },
    })
  })
})
