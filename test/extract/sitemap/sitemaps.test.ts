import { describe, expect, test } from "bun:test"
import { gzipSync } from "node:zlib"
import { decodeXml } from "../../../src/extract/core/index.ts"
import { readSitemap } from "../../../src/extract/sitemap/sitemaps.ts"
import { smallElements } from "../../../src/extract/sitemap/small-xml.ts"

const bytes = (text: string) => new TextEncoder().encode(text)
const read = (body: Uint8Array | string) =>
  readSitemap(typeof body === "string" ? bytes(body) : body, "https://site.example/s.xml", {
    maxBytes: 1_000_000,
  })
const urls = (body: Uint8Array | string) => [...read(body)!.urls()].map((one) => one.url)
const set = (inside: string) =>
  `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${inside}</urlset>`

describe("forms of sitemaps", () => {
  test.each([
    ["plain", set("<url><loc>https://site.example/a</loc></url>")],
    [
      "prefixed",
      '<s:urlset xmlns:s="x"><s:url><s:loc>https://site.example/a</s:loc></s:url></s:urlset>',
    ],
    ["CDATA and line breaks", set("<url><loc><![CDATA[\n https://site.example/a\n]]></loc></url>")],
    ["relative", set("<url><loc>/a</loc></url>")],
    [
      "text before it",
      `\n\n<br/>Notice: x\n${set("<url><loc>https://site.example/a</loc></url>")}`,
    ],
    ["list of addresses", "https://site.example/a\r\nno address\r\n"],
    [
      "RSS",
      "<rss><channel><title>T</title><item><link>https://site.example/a</link></item></channel></rss>",
    ],
  ])("%s", (_, text) => expect(urls(text)).toEqual(["https://site.example/a"]))

  test("gzip, detected by its first bytes", () => {
    expect(urls(gzipSync(set("<url><loc>https://site.example/a</loc></url>")))).toHaveLength(1)
  })

  test("an index names files", () => {
    const index =
      "<sitemapindex><sitemap><loc>/1.xml.gz</loc></sitemap><sitemap><loc>/2.xml</loc></sitemap></sitemapindex>"
    expect([...read(index)!.children()]).toEqual([
      "https://site.example/1.xml.gz",
      "https://site.example/2.xml",
    ])
  })

  test.each([
    ["<!doctype html><html><a href='https://site.example/'>x</a></html>"],
    ["hello"],
    ["<other/>"],
  ])("%s is not a sitemap", (text) => expect(read(text)).toBeNull())
})

test("details, without out-of-range values", () => {
  const [url] = [
    ...read(
      set(
        '<url><loc>/a?x=1&y=2</loc><lastmod>2026-01-02T03:04Z</lastmod><changefreq>NEVER</changefreq><priority>1.5</priority><xhtml:link rel="alternate" hreflang="fr" href="/fr"/></url>',
      ),
    )!.urls(),
  ]
  expect(url).toMatchObject({
    url: "https://site.example/a?x=1&y=2",
    lastmod: "2026-01-02T03:04Z",
    changefreq: "never",
    priority: null,
    alternates: [{ hreflang: "fr", href: "https://site.example/fr" }],
  })
})

describe("errors of a file", () => {
  const after = (text: string | Uint8Array) => {
    const sitemap = read(text)!
    const count = [...sitemap.urls()].length
    return { count, cutOff: sitemap.cutOff, foreign: sitemap.foreign }
  }
  const whole = set("<url><loc>/a</loc></url><url><loc>/b</loc></url>")
  test("nothing", () => expect(after(whole)).toEqual({ count: 2, cutOff: false, foreign: false }))
  test("empty is fine", () => {
    expect(after(set(""))).toEqual({ count: 0, cutOff: false, foreign: false })
    expect(after("<urlset/>")).toEqual({ count: 0, cutOff: false, foreign: false })
  })
  test("cut off", () => {
    expect(after(whole.slice(0, -30))).toEqual({ count: 1, cutOff: true, foreign: false })
  })
  test("entries without a URL", () => {
    expect(after(set("<url><zz>/a</zz></url>")).foreign).toBe(true)
    expect(after(set("<zz><loc>/a</loc></zz>")).foreign).toBe(true)
  })
  test("a decompression bomb is refused", () => {
    expect(() => read(gzipSync("a".repeat(2_000_000)))).toThrow(RangeError)
  })
})

test("hostile files end quickly", () => {
  const before = process.threadCpuUsage()
  for (const part of ["<url ", "<url><loc>", "<!--", "<![CDATA[", "<a", "&"]) {
    ;[...(read(`<urlset>${part.repeat(200_000)}`)?.urls() ?? [])]
  }
  expect(process.threadCpuUsage(before).user / 1000).toBeLessThan(3000)
})

test("small XML closes unclosed elements", () => {
  const root = smallElements('<a x="1 &amp; 2"><b>t<c/></a><d>e</d>')
  expect(root.children.map((child) => child.name)).toEqual(["a", "d"])
  expect(root.first("a")!.attribute("x")).toBe("1 & 2")
  expect(root.first("a")!.text("b")).toBe("t")
})

describe("encodings of XML", () => {
  const latin = Uint8Array.from("<t>M\u00e3e</t>", (sign) => sign.charCodeAt(0))
  const declared = (label: string) => bytes(`<?xml version="1.0" encoding="${label}"?><t>Mãe</t>`)
  test.each([
    ["named in the header", latin, "text/xml; charset=iso-8859-1"],
    ["labelled UTF-8, but Latin-1", latin, "text/xml; charset=utf-8"],
    ["named nowhere", latin, "text/xml"],
    [
      "UTF-8 that the declaration calls so, against the header",
      declared("UTF-8"),
      "text/xml; charset=iso-8859-1",
    ],
    ["byte order mark", Uint8Array.from([0xef, 0xbb, 0xbf, ...bytes("<t>Mãe</t>")]), ""],
  ])("%s", (_, body, contentType) => expect(decodeXml(body, contentType)).toContain("Mãe"))
})
