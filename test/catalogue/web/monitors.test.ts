import { describe, expect, test } from "bun:test"
import keywordMonitor from "../../../src/catalogue/web/keyword-monitor.ts"
import pageMonitor from "../../../src/catalogue/web/page-change-monitor.ts"
import priceMonitor from "../../../src/catalogue/web/shops/price-monitor.ts"
import { type Account, runOnce, type Site } from "./run-once.ts"

const url = "https://site.example/page"
const filler = "<p>This line is always here, so that the page is long enough to be read as one.</p>"
const page = (main: string, aside = "quiet") =>
  `<html><head><title>Page</title></head><body><main><p>${main}</p>${filler}</main><aside>${aside}</aside></body></html>`

describe("page-change-monitor", () => {
  /** Checks a page once a day. */
  function monitor(selector?: string) {
    const account: Account = new Map()
    let day = 0
    return async (site: Site) => {
      const clock = `2026-03-0${++day}T00:00:00.000Z`
      const input = { urls: [url], ...(selector ? { selector } : {}) }
      const { items } = await runOnce(pageMonitor, input, site, { account, clock })
      return items[0] as Record<string, unknown>
    }
  }

  test("new, unchanged, changed, with the differing lines", async () => {
    const check = monitor()
    expect(await check({ [url]: page("one") })).toMatchObject({
      status: "new",
      changed: false,
      checks: 1,
    })
    expect(await check({ [url]: page("one") })).toMatchObject({
      status: "unchanged",
      checks: 2,
      changes: 0,
      previousCheckedAt: "2026-03-01T00:00:00.000Z",
      lastChangedAt: null,
    })
    expect(await check({ [url]: page("two") })).toMatchObject({
      status: "changed",
      changed: true,
      addedLines: ["two"],
      removedLines: ["one"],
      changePercent: 33.3,
      changes: 1,
      firstSeenAt: "2026-03-01T00:00:00.000Z",
      lastChangedAt: "2026-03-03T00:00:00.000Z",
    })
  })

  test("requests a page conditionally, and accepts a 304", async () => {
    const bytes = new TextEncoder().encode(page("one"))
    const headers = {
      "content-type": "text/html",
      etag: '"a"',
      "last-modified": "Sun, 01 Mar 2026 00:00:00 GMT",
    }
    const account: Account = new Map()
    const check = async (site: Site) => {
      const run = await runOnce(pageMonitor, { urls: [url] }, site, { account })
      return { ...run, item: run.items[0] as Record<string, unknown> }
    }
    const first = await check({ [url]: { bytes, headers } })
    expect(first.sent[0]!.get("if-none-match")).toBeNull()
    const second = await check({ [url]: { status: 304, headers: {}, bytes: new Uint8Array() } })
    expect(second.sent[0]!.get("if-none-match")).toBe('"a"')
    expect(second.sent[0]!.get("if-modified-since")).toBe(headers["last-modified"])
    const { pageHash, sourceHash, textLength, title } = first.item
    expect(second.item).toMatchObject({
      status: "unchanged",
      statusCode: 200,
      checks: 2,
      ...{ pageHash, sourceHash, textLength, title },
    })
    const third = await check({ [url]: page("two") })
    expect(third.item).toMatchObject({ status: "changed", addedLines: ["two"] })
    const fourth = await check({ [url]: page("two") })
    expect(fourth.sent[0]!.get("if-none-match")).toBeNull()
  })

  test("with a selector only the region counts", async () => {
    const check = monitor("main")
    await check({ [url]: page("one") })
    const aside = await check({ [url]: page("one", "loud") })
    expect(aside).toMatchObject({ status: "unchanged", changed: false, pageChanged: true })
    expect(await check({ [url]: page("two", "loud") })).toMatchObject({ status: "changed" })
  })

  test("white space and the order of attributes are not a change", async () => {
    const check = monitor()
    await check({ [url]: page("a  b") })
    const again = await check({ [url]: page("a\n b").replace("<main>", '<main class="x">') })
    expect(again.status).toBe("unchanged")
  })

  test("a failure keeps the stored state", async () => {
    const check = monitor()
    await check({ [url]: page("one") })
    expect(await check({ [url]: { status: 404 } })).toMatchObject({
      status: "error",
      error: { code: "not_found" },
    })
    const challenge = "<title>Just a moment...</title><script>window._cf_chl_opt={}</script>"
    expect(await check({ [url]: challenge })).toMatchObject({ error: { code: "blocked" } })
    expect(await check({ [url]: page("one") })).toMatchObject({ status: "unchanged", checks: 2 })
  })

  test("a missing region is named, and no longer compared", async () => {
    const check = monitor("main")
    await check({ [url]: page("one") })
    const gone = await check({ [url]: page("one").replaceAll("main", "div") })
    expect(gone).toMatchObject({
      status: "error",
      pageChanged: false,
      error: { code: "selector_not_found" },
    })
  })

  test("a redirect to another page is a change", async () => {
    const check = monitor()
    await check({ [url]: page("one") })
    const login = "https://site.example/login"
    const moved = await check({
      [url]: { status: 302, headers: { location: login } },
      [login]: page("one"),
    })
    expect(moved).toMatchObject({ status: "changed", pageChanged: false, finalUrlChanged: true })
  })
})

describe("keyword-monitor", () => {
  test("counts are compared with those of the last run", async () => {
    const account: Account = new Map()
    const check = async (main: string) => {
      const input = { sources: [url], keywords: ["lamp", "bench"] }
      const { items } = await runOnce(keywordMonitor, input, { [url]: page(main) }, { account })
      return items
    }
    const [first] = await check("A lamp.")
    expect(first).toMatchObject({ count: 1, previousCount: null, countChange: null, isNew: false })
    const [lamp, bench] = await check("A lamp, a lamp and a bench.")
    expect(lamp).toMatchObject({ count: 2, previousCount: 1, countChange: 1, isNew: false })
    expect(bench).toMatchObject({ count: 1, previousCount: 0, countChange: 1, isNew: true })
  })

  test("an empty list of keywords is refused before anything is fetched", () => {
    const run = runOnce(keywordMonitor, { sources: [url], keywords: [" "] }, {})
    expect(run).rejects.toThrow(/keywords/)
  })
})

describe("a source that answers 304", () => {
  const unchanged = { [url]: { status: 304, headers: {}, bytes: new Uint8Array() } }
  const sent = (html: string) => ({
    [url]: {
      bytes: new TextEncoder().encode(html),
      headers: { "content-type": "text/html", etag: '"a"' },
    },
  })

  test("keeps the matches of keywords, and is read again for others", async () => {
    const account: Account = new Map()
    const check = (keywords: string[], site: Site) =>
      runOnce(keywordMonitor, { sources: [url], keywords }, site, { account })
    const first = await check(["lamp"], sent(page("One lamp and another lamp")))
    const second = await check(["lamp"], unchanged)
    expect(second.sent[0]!.get("if-none-match")).toBe('"a"')
    const { count, snippets, sourceTitle } = first.items[0] as Record<string, unknown>
    expect(count).toBe(2)
    expect(second.items[0]).toMatchObject({ count, snippets, sourceTitle, previousCount: 2 })
    const third = await check(["lamp", "table"], sent(page("One lamp and a table")))
    expect(third.sent[0]!.get("if-none-match")).toBeNull()
    expect(third.items).toMatchObject([{ count: 1 }, { count: 1 }])
  })

  test("keeps the price of a product", async () => {
    const account: Account = new Map()
    const check = (site: Site) => runOnce(priceMonitor, { productUrls: [url] }, site, { account })
    const product = {
      "@context": "https://schema.org",
      "@type": "Product",
      name: "Lamp",
      offers: { "@type": "Offer", price: "19.90", priceCurrency: "EUR" },
    }
    const shop = (price: string) =>
      `<html><head><title>Lamp</title><script type="application/ld+json">${JSON.stringify(product).replace("19.90", price)}</script></head><body><h1>Lamp</h1>${filler}</body></html>`
    const first = await check(sent(shop("19.90")))
    expect(first.items[0]).toMatchObject({ price: 19.9, status: "first_check" })
    const second = await check(unchanged)
    expect(second.sent[0]!.get("if-none-match")).toBe('"a"')
    expect(second.items[0]).toMatchObject({
      ...{ name: "Lamp", price: 19.9, currency: "EUR", statusCode: 200 },
      ...{ status: "unchanged", checks: 2 },
    })
    const third = await check(sent(shop("9.90")))
    expect(third.items[0]).toMatchObject({ price: 9.9, status: "price_drop", checks: 3 })
  })
})
