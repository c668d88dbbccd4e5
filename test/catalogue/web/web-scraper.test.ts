import { describe, expect, test } from "bun:test"
import { ownFieldsOf } from "../../../src/catalogue/kit/index.ts"
import scraper from "../../../src/catalogue/web/web-scraper.ts"
import { runOnce, type Site } from "./run-once.ts"

const shop = "https://shop.example"
const card = (name: string, more = "") =>
  `<div class="card"><h3><a href="/p/${name}">${name}</a></h3><b class="price">${name.length} €</b>${more}</div>`
const list = (names: string[], next = "") =>
  `<html lang=en><head><title>Lamps</title></head><body><main>${names.map((name) => card(name)).join("")}</main>${next}</body></html>`
const detail = (name: string) =>
  `<html lang=en><head><title>${name}</title></head><body><h1>${name}</h1><p class="sku">SKU-${name}</p></body></html>`
const fields = ["name: h3", "url: h3 a @href", "price: .price @number"]
const base = { urls: [`${shop}/lamps`], rows: ".card", fields }

const run = (input: Record<string, unknown>, site: Site) => runOnce(scraper, input, site)
const names = (items: Record<string, unknown>[]) =>
  items.map(({ data }) => (data as Record<string, unknown> | undefined)?.name)
const inChrome = (html: string) => ({
  via: "browser" as const,
  bytes: new TextEncoder().encode(html),
})
const issueOf = (input: Record<string, unknown>) => {
  try {
    scraper.targets({ ...base, maxPages: 10, formats: [], ...input } as never)
  } catch (error) {
    return (error as Error).message
  }
}

describe("nextPage", () => {
  test("a link is followed to the last page, and pages are numbered", async () => {
    const next = (page: number) => `<ul><li class=next><a href="?page=${page}">Next</a></li></ul>`
    const site = {
      [`${shop}/lamps`]: list(["oak", "ash"], next(2)),
      [`${shop}/lamps?page=2`]: list(["elm"], next(3)),
      [`${shop}/lamps?page=3`]: list(["fir"], "<ul><li class=next>Next</li></ul>"),
    }
    const { items } = await run({ ...base, nextPage: "li.next a" }, site)
    expect(names(items)).toEqual(["oak", "ash", "elm", "fir"])
    expect(items.map(({ page }) => page)).toEqual([1, 1, 2, 3])
    expect(items[3]).toMatchObject({ url: `${shop}/lamps?page=3`, statusCode: 200 })
    // A selector of the element around the link finds the same pages.
    const around = await run({ ...base, nextPage: "li.next", maxPages: 2 }, site)
    expect(names(around.items)).toEqual(["oak", "ash", "elm"])
  })

  test("a link that leads back, or is disabled, ends the list", async () => {
    const site = {
      [`${shop}/lamps`]: list(["oak"], '<a class=next href="?page=2">Next</a>'),
      [`${shop}/lamps?page=2`]: list(["elm"], '<a class=next href="?page=2#top">Next</a>'),
    }
    expect(names((await run({ ...base, nextPage: ".next" }, site)).items)).toEqual(["oak", "elm"])
    const circle = {
      ...site,
      [`${shop}/lamps?page=2`]: list(["elm"], "<a class=next href='/lamps'>N"),
    }
    expect(names((await run({ ...base, nextPage: ".next" }, circle)).items)).toEqual(["oak", "elm"])
    const disabled = {
      [`${shop}/lamps`]: list(["oak"], '<a class="next is-disabled" href="?page=2">Next</a>'),
    }
    expect(names((await run({ ...base, nextPage: ".next" }, disabled)).items)).toEqual(["oak"])
  })

  test("a URL pattern counts from its first page, and ends without an error", async () => {
    const site = {
      [`${shop}/lamps?p=0`]: list(["oak"]),
      [`${shop}/lamps?p=1`]: list(["elm"]),
      [`${shop}/lamps?p=2`]: { status: 404 },
    }
    const input = { ...base, urls: [`${shop}/lamps?p=0`], nextPage: "?p={page}" }
    const { items, end } = await run(input, site)
    expect(names(items)).toEqual(["oak", "elm"])
    expect(end.status).toBe("succeeded")
    for (const last of [list([]), list(["elm"])]) {
      const other = await run(input, { ...site, [`${shop}/lamps?p=2`]: last })
      expect(names(other.items)).toEqual(["oak", "elm"])
    }
    const missing = await run(input, { [`${shop}/lamps?p=0`]: list([]) })
    expect(missing.items[0]).toMatchObject({ error: { code: "layout_changed" } })
  })

  test("a button is clicked in Chrome, and rows that stay are returned once", async () => {
    const button = "<button class=more>More</button>"
    const site = {
      [`${shop}/lamps`]: [
        list(["oak", "ash"], button),
        inChrome(list(["oak", "ash", "elm"], button)),
        inChrome(list(["oak", "ash", "elm", "fir"])),
      ],
    }
    const { items } = await run({ ...base, nextPage: ".more" }, site)
    expect(names(items)).toEqual(["oak", "ash", "elm", "fir"])
    const replaced = {
      [`${shop}/lamps`]: [
        list(["oak", "ash"], button),
        inChrome(list(["elm"], button)),
        inChrome(list(["elm"], button)),
      ],
    }
    expect(names((await run({ ...base, nextPage: ".more" }, replaced)).items)).toEqual([
      "oak",
      "ash",
      "elm",
    ])
  })

  test("errors name the input", () => {
    expect(issueOf({ nextPage: "a[" })).toStartWith("nextPage: ")
    expect(issueOf({ nextPage: "?p={n}" })).toContain("{page}")
    expect(issueOf({ nextPage: "ftp://shop.example/{page}" })).toContain("not an http or https URL")
    expect(issueOf({ nextPage: "/lamps/{page}" })).toBeUndefined()
  })
})

describe("detail", () => {
  const site = {
    [`${shop}/lamps`]: list(["oak", "gone"], "<div class=card><h3>no link</h3></div>"),
    [`${shop}/p/oak`]: detail("oak"),
    [`${shop}/p/gone`]: { status: 404 },
  }

  test("an item has the fields of its row and of its page", async () => {
    const input = { ...base, detail: { link: "url", fields: ["sku: .sku", "stock: .stock"] } }
    const { items } = await run(input, site)
    expect(items).toHaveLength(3)
    const [withoutLink, oak, gone] = items
    expect(withoutLink).toMatchObject({
      url: `${shop}/lamps`,
      data: { name: "no link", url: null, sku: null, stock: null },
      missing: ["url", "price", "sku", "stock"],
    })
    expect(oak).toMatchObject({
      url: `${shop}/p/oak`,
      listUrl: `${shop}/lamps`,
      data: { name: "oak", url: `${shop}/p/oak`, price: 3, sku: "SKU-oak", stock: null },
      missing: ["stock"],
    })
    expect(gone).toMatchObject({
      input: `${shop}/lamps`,
      url: `${shop}/p/gone`,
      error: { code: "not_found" },
    })
    expect(ownFieldsOf(scraper, input).map(({ name }) => name)).toEqual([
      "name",
      "price",
      "sku",
      "stock",
    ])
  })

  test("all links of a list field are followed without rows, with typed data of each page", async () => {
    const { items } = await run(
      {
        urls: [`${shop}/lamps`],
        fields: ["[]links: h3 a @href"],
        detail: { link: "links", fields: ["sku: .sku"] },
        includePageInfo: true,
      },
      { ...site, [`${shop}/p/gone`]: detail("gone") },
    )
    expect(items.map(({ data }) => data)).toEqual([
      { links: `${shop}/p/oak`, sku: "SKU-oak" },
      { links: `${shop}/p/gone`, sku: "SKU-gone" },
    ])
    expect(items[0]).toMatchObject({ pageInfo: { title: "oak" } })
  })

  test("errors name the field", () => {
    const of = (link: string, ...lines: string[]) => issueOf({ detail: { link, fields: lines } })
    expect(of("href", "a: b")).toBe(
      'detail.link: there is no field "href". Use one of name, url, price.',
    )
    expect(of("price", "a: b")).toContain("is not a URL")
    expect(of("url", "name: b")).toContain('the name "name" is also in fields')
    expect(of("url", "nothing")).toStartWith("detail.fields: Line 1")
    expect(of("url")).toStartWith("detail.fields: ")
  })
})

describe("headers and cookies", () => {
  const site = {
    [`${shop}/lamps`]: list(["oak"]).replace("/p/oak", "https://other.example/oak"),
    "https://other.example/oak": detail("oak"),
    [`${shop}/p/oak`]: detail("oak"),
  }
  const identified = {
    ...base,
    headers: { "x-team": "blue", "accept-language": "de" },
    cookies: { session: "abc" },
    detail: { link: "url", fields: ["sku: .sku"] },
  }

  test("are sent to the page's own host only", async () => {
    const { sent, requested } = await run(identified, site)
    const headersTo = (url: string) => sent[requested.indexOf(url)]!
    expect(headersTo(`${shop}/lamps`).get("x-team")).toBe("blue")
    expect(headersTo(`${shop}/lamps`).get("cookie")).toBe("session=abc")
    expect(headersTo("https://other.example/oak").get("x-team")).toBeNull()
    expect(headersTo("https://other.example/oak").get("cookie")).toBeNull()
    expect(headersTo("https://other.example/oak").get("accept-language")).toBe("de")
  })

  test("a cookie that no header can contain is refused by its name", () => {
    expect(issueOf({ cookies: { "a b": "1" } })).toStartWith("cookies.a b: ")
    expect(issueOf({ cookies: { a: "1; b=2" } })).toStartWith("cookies.a: ")
    expect(issueOf({ headers: { host: "x" } })).toStartWith("headers.host: ")
  })
})

describe("renderScripts", () => {
  const site = {
    [`${shop}/p/1`]: [
      "<html><body><h1>Oak</h1><p id=stock></p><p>A lamp made of wood, for a table or alone.</p></body></html>",
      inChrome("<html><body><h1>Oak</h1><p id=stock>12</p></body></html>"),
    ],
  }
  const wanted = { urls: [`${shop}/p/1`], fields: ["title: h1", "stock: #stock @number"] }

  test("pages are read with Chrome, so that fields drawn by scripts are found", async () => {
    const { items } = await run({ ...wanted, renderScripts: true }, site)
    expect(items).toMatchObject([{ data: { title: "Oak", stock: 12 }, missing: [] }])
  })

  test("without it, a page that has some of the fields is read as sent", async () => {
    const { items } = await run(wanted, site)
    expect(items).toMatchObject([{ data: { title: "Oak", stock: null }, missing: ["stock"] }])
  })
})
