import { describe, expect, test } from "bun:test"
import crawler from "../../../src/catalogue/web/docs-crawler-scraper.ts"
import { type Account, runOnce, type Site } from "./run-once.ts"

const site = "https://docs.example"
const long =
  "Words enough for a page of documentation, which says at some length how a thing is used. "
const page = (title: string, body = "", head = "") =>
  `<html><head><title>${title} | Docs</title>${head}</head><body><nav class=sidebar><a href=/v2/b>B</a><a href=/v2/a>A</a></nav>
   <main><article><h1>${title}</h1><p>${title}. ${long.repeat(2)}</p>${body}</article></main></body></html>`
const text = (body: string, type = "text/plain") => ({
  bytes: new TextEncoder().encode(body),
  headers: { "content-type": type },
})
const crawl = async (pages: Site, input: Record<string, unknown> = {}) =>
  (await runOnce(crawler, { startUrl: `${site}/v2/`, ...input }, pages)).items

describe("docs-crawler-scraper", () => {
  test("the navigation sets the order; other versions, searches and print pages are left out", async () => {
    const start = page(
      "Start",
      "<a href=/v1/a>old</a><a href=c>C</a><a href=search>s</a><a href=print.html>p</a><a href=/blog>x</a>",
    )
    const items = await crawl({
      [`${site}/v2/`]: start,
      [`${site}/v2/a`]: page("A"),
      [`${site}/v2/b`]: page("B"),
      [`${site}/v2/c`]: page("C"),
    })
    expect(items.map((item) => item.title)).toEqual(["Start", "B", "A", "C"])
    expect(items.map((item) => item.order)).toEqual([1, 2, 3, 4])
  })

  test("a copy that names another page as canonical is left out", async () => {
    const items = await crawl({
      [`${site}/v2/`]: page("Start", "", "<link rel=canonical href=/v2/>"),
      [`${site}/v2/b`]: page("Start", "", "<link rel=canonical href=/v2/>"),
      [`${site}/v2/a`]: page("A", "", "<link rel=canonical href=/v2/>"),
    })
    expect(items.map((item) => item.title)).toEqual(["Start", "A"])
  })

  test("all tabs are kept, under their labels", async () => {
    const tabs = `<div role=tablist><button role=tab id=t1>npm</button><button role=tab id=t2>yarn</button></div>
      <div role=tabpanel aria-labelledby=t1><pre>npm i x</pre></div><div role=tabpanel aria-labelledby=t2 hidden><pre>yarn add x</pre></div>`
    const [item] = await crawl({ [`${site}/v2/`]: page("Start", tabs) }, { maxPages: 1 })
    expect(item!.markdown).toContain(
      "**npm**\n\n```\nnpm i x\n```\n\n**yarn**\n\n```\nyarn add x\n```",
    )
    expect(item!.codeBlocks).toBe(2)
  })

  test("a site that a script renders from Markdown files", async () => {
    const shell =
      '<html><body><div id="app"></div><script>window.$docsify = {}</script><script src="//cdn.example/docsify.min.js"></script></body></html>'
    const items = await crawl({
      [`${site}/v2/`]: shell,
      [`${site}/v2/_sidebar.md`]: text(
        "- [Home](/)\n- [Guide](guide.md)\n- [Out](https://o.example/)",
      ),
      [`${site}/v2/README.md`]: text("# Home\n\nSee the [API](api/)."),
      [`${site}/v2/guide.md`]: text("# Guide\n\n```js\nlet a\n```", "text/markdown"),
      [`${site}/v2/api/README.md`]: text("# API"),
    })
    expect(items.map((item) => item.title)).toEqual(["Home", "Guide", "API"])
    expect(items[1]).toMatchObject({
      url: `${site}/v2/#/guide`,
      languages: ["js"],
      generator: "docsify",
    })
  })

  describe("with onlyChanged", () => {
    const tagged = (html: string, etag: string) => ({
      bytes: new TextEncoder().encode(html),
      headers: { "content-type": "text/html", etag },
    })
    const same = { status: 304, headers: {}, bytes: new Uint8Array() }
    const sitemap = (b: string) =>
      text(
        `<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>${site}/v2/b</loc><lastmod>${b}</lastmod></url><url><loc>${site}/v2/d</loc></url></urlset>`,
        "application/xml",
      )
    const repeated = (account: Account, day: string, pages: Site) =>
      runOnce(crawler, { startUrl: `${site}/v2/`, onlyChanged: true }, pages, {
        account,
        clock: `2026-03-${day}T00:00:00Z`,
      })

    test("unchanged pages return no item, and keep their positions and their links", async () => {
      const account: Account = new Map()
      const first = await repeated(account, "01", {
        [`${site}/v2/`]: tagged(page("Start", "<a href=c>C</a>"), '"1"'),
        [`${site}/v2/a`]: tagged(page("A"), '"2"'),
        [`${site}/v2/b`]: page("B"),
        [`${site}/v2/c`]: page("C"),
        [`${site}/v2/d`]: page("D"),
        [`${site}/sitemap.xml`]: sitemap("2026-02-01"),
      })
      const positionsOf = (items: Record<string, unknown>[]) =>
        items.map(({ title, order }) => `${order} ${title}`)
      expect(positionsOf(first.items)).toEqual(["1 Start", "2 B", "3 A", "4 C", "5 D"])
      const second = await repeated(account, "02", {
        [`${site}/v2/`]: same,
        [`${site}/v2/a`]: same,
        // Neither has validators: one is skipped by its date, the other has the same text.
        [`${site}/v2/c`]: page("C"),
        [`${site}/v2/d`]: page("D, new"),
        [`${site}/sitemap.xml`]: sitemap("2026-02-01"),
      })
      expect(positionsOf(second.items)).toEqual(["5 D, new"])
      expect(second.requested).not.toContain(`${site}/v2/b`)
      const third = await repeated(account, "03", {
        [`${site}/v2/`]: same,
        [`${site}/v2/a`]: tagged(page("A, new"), '"3"'),
        [`${site}/v2/b`]: page("B, new"),
        [`${site}/v2/c`]: page("C"),
        [`${site}/v2/d`]: page("D, new"),
        [`${site}/sitemap.xml`]: sitemap("2026-03-02T12:00:00Z"),
      })
      expect(positionsOf(third.items)).toEqual(["2 B, new", "3 A, new"])
    })

    test("a schedule knows its pages separately from other crawls", async () => {
      const pages = { [`${site}/v2/`]: page("Start"), [`${site}/v2/a`]: page("A") }
      const account: Account = new Map()
      const crawled = async (series: string) => {
        const input = { startUrl: `${site}/v2/`, onlyChanged: true }
        return (await runOnce(crawler, input, pages, { account, series })).items.length
      }
      // The second page of the navigation is missing.
      expect([await crawled(""), await crawled("sch_1"), await crawled("sch_2")]).toEqual([3, 3, 3])
      expect([await crawled(""), await crawled("sch_1")]).toEqual([1, 1])
      expect([...account.keys()]).toContain(`page ${site}/v2/a sch_1`)
    })
  })
})
