import { describe, expect, test } from "bun:test"
import { parseDocument } from "../../../src/extract/core/index.ts"
import {
  completeUrl,
  isPageUrl,
  isTrapAddress,
  normaliseUrl,
  sameSite,
  TrapDetector,
} from "../../../src/extract/links/frontier.ts"
import { pageLinks, refreshTarget, robotsMeta } from "../../../src/extract/links/page-links.ts"

const each = <A, B>(pairs: [A, B][], check: (a: A, b: B) => void) => {
  for (const [provided, wanted] of pairs) test(String(provided), () => check(provided, wanted))
}

describe("URLs are completed by a scheme and otherwise unchanged", () => {
  each<string, string | null>(
    [
      ["example.com", "https://example.com"],
      [" example.com/A%20b#c ", "https://example.com/A%20b#c"],
      ["//example.com/x", "https://example.com/x"],
      ["HTTP://example.com", "HTTP://example.com"],
      ["localhost:8080/x", "https://localhost:8080/x"],
      ["ftp://example.com", null],
      ["javascript:alert(1)", null],
      ["not an address", null],
      ["", null],
    ],
    (provided, wanted) => expect(completeUrl(provided)).toBe(wanted),
  )
})

describe("URLs of one page are normalised alike", () => {
  each(
    [
      ["HTTPS://Example.COM:443/A/../b?x=1#y", "https://example.com/b?x=1"],
      ["https://e.com/?utm_source=a&b=2&gclid=3&a=1", "https://e.com/?b=2&a=1"],
      ["https://e.com/?fbclid=1", "https://e.com/"],
      ["https://e.com/x/", "https://e.com/x/"],
    ],
    (provided, wanted) => expect(normaliseUrl(provided)).toBe(wanted),
  )
})

test("the same site", () => {
  expect(sameSite("https://www.e.com/a", "http://e.com/b")).toBe(true)
  expect(sameSite("https://blog.e.com/", "https://e.com/")).toBe(false)
  expect(sameSite("https://blog.e.co.uk/", "https://e.co.uk/", true)).toBe(true)
  expect(sameSite("https://a.github.io/", "https://b.github.io/", true)).toBe(false)
  expect(sameSite("https://e.com:8080/", "https://e.com/")).toBe(false)
})

test("files are not pages", () => {
  expect(isPageUrl("https://e.com/a.PDF")).toBe(false)
  expect(isPageUrl("https://e.com/a.html")).toBe(true)
  expect(isPageUrl("https://e.com/v1.2/notes")).toBe(true)
})

test("endless URL spaces are left", () => {
  expect(isTrapAddress(`https://e.com/${"a/".repeat(12)}`)).toBe(true)
  expect(isTrapAddress(`https://e.com/${"x".repeat(2_000)}`)).toBe(true)
  const guard = new TrapDetector()
  const days = Array.from({ length: 150 }, (_, day) => `https://e.com/calendar?day=${day}`)
  expect(days.filter((address) => guard.admits(address))).toHaveLength(100)
  expect(guard.admits(days[0]!)).toBe(true)
  expect(guard.admits("https://e.com/other?day=1")).toBe(true)
})

test("the links of a page, in order, against its base", () => {
  const document =
    parseDocument(`<base href="/docs/"><a href="a#x">1</a><a href="mailto:a@b.c">m</a>
    <area href="b?utm_source=z"><link rel="next" href="c"><a href="http://o.example">2</a><a name=x>3</a>
    <a rel="nofollow" href="javascript:void 0">4</a><A HREF="d">5</A>`)
  expect(pageLinks(document, "https://e.com/x").map((link) => link.url)).toEqual([
    "https://e.com/docs/a",
    "https://e.com/docs/b",
    "https://e.com/docs/c",
    "http://o.example/",
    "https://e.com/docs/d",
  ])
  expect(pageLinks(document, "https://e.com/x")[0]!.address).toBe("https://e.com/docs/a#x")
})

describe("the URL of a meta refresh", () => {
  each<string, string | null>(
    [
      ["0; url=/new/", "https://e.com/new/"],
      ["3;URL='b'", "https://e.com/a/b"],
      ["0,/c", "https://e.com/c"],
      ["300; url=/live", null],
      ["5", null],
      ["0; url=/a/", null],
    ],
    (content, wanted) => {
      const document = parseDocument(`<meta http-equiv="Refresh" content="${content}"><p>x`)
      expect(refreshTarget(document, "https://e.com/a/")).toBe(wanted)
    },
  )
})

test("a page's robots directives", () => {
  const meta = (content: string) =>
    robotsMeta(parseDocument(`<META NAME="ROBOTS" content="${content}">`))
  expect(meta("NOINDEX, follow")).toEqual({ noindex: true, nofollow: false })
  expect(meta("none")).toEqual({ noindex: true, nofollow: true })
  expect(meta("max-image-preview:large")).toEqual({ noindex: false, nofollow: false })
})
