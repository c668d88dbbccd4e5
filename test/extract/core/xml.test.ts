import { describe, expect, test } from "bun:test"
import { parseBrokenXml, parseXml, TooDeepXml } from "../../../src/extract/core/xml.ts"

describe("parseXml", () => {
  test("names are local, and namespaces are URIs whatever the prefix", () => {
    const root = parseXml(`\ufeff
      <?xml version="1.0"?>
      <f:feed xmlns:f="urn:feed" xmlns="urn:other" xmlns:x="urn:x">
        <f:entry x:id="7" id="8"><title>Own</title><f:title>Feed's</f:title></f:entry>
      </f:feed>`)!
    expect([root.name, root.namespace]).toEqual(["feed", "urn:feed"])
    const entry = root.first("entry", "urn:feed")!
    expect(entry.attribute("id")).toBe("8")
    expect(entry.attribute("id", "urn:x")).toBe("7")
    expect(entry.attribute("missing")).toBeNull()
    expect(entry.all("title").map((title) => title.text)).toEqual(["Own", "Feed's"])
    expect(entry.first("title", "URN:FEED")?.text).toBe("Feed's")
    expect(entry.first("title", "urn:other")?.text).toBe("Own")
  })

  test("a declaration applies below its element only", () => {
    const root = parseXml(`<a><b xmlns="urn:b"><c/></b><c/></a>`)!
    expect([...root.within("c")].map((one) => one.namespace)).toEqual(["urn:b", ""])
  })

  test("text is that of all children in order, with CDATA and references resolved", () => {
    const root = parseXml("<t>H<sub>2</sub>O &amp; <![CDATA[<b>&amp;</b>]]>&#233;</t>")!
    expect(root.text).toBe("H2O & <b>&amp;</b>é")
  })

  test("HTML entities, bare ampersands and control characters are repaired", () => {
    const root = parseXml("<t a='x & y'>caf&eacute; &nbsp;R&D &lt;i&gt; &unknown;\u0001&#1;</t>")!
    expect(root.text).toBe("café \u00a0R&D <i> &unknown;")
    expect(root.attribute("a")).toBe("x & y")
  })

  test.each(["", "no xml", "<a><b></a>", "<feed><entry><id>1</id></ent", "<a/>more"])(
    "%p is not well-formed",
    (text) => expect(parseXml(text)).toBeNull(),
  )
})

describe("parseBrokenXml", () => {
  test("returns the readable part of a document with unclosed elements", () => {
    const root = parseBrokenXml(`<rss xmlns:m="urn:m"><item><m:t>A & B</m:t><br></item></rss>`)!
    expect(root.first("item")?.first("t", "urn:m")?.text).toBe("A & B")
  })

  test("a text without any element returns nothing", () => {
    expect(parseBrokenXml("Service unavailable")).toBeNull()
  })
})

describe("deep XML", () => {
  const deep = (levels: number) => "<a>x".repeat(levels)

  test("is refused by name beyond a depth that no feed has, complete or broken", () => {
    for (const levels of [6_001, 24_000, 200_000]) {
      expect(() => parseXml(deep(levels) + "</a>".repeat(levels))).toThrow(TooDeepXml)
      expect(() => parseBrokenXml(deep(levels))).toThrow("more than 6,000 levels deep")
    }
  })

  test("is read up to it", () => {
    const root = parseBrokenXml(deep(6_000))!
    expect(root.text).toHaveLength(6_000)
    expect([...root.within("a")]).toHaveLength(5_999)
  })

  test("many closed elements are not deep", () => {
    expect(parseBrokenXml(`<r>${"<b/><i>x</i><!-- -->".repeat(10_000)}`)!.elements()).toHaveLength(
      20_000,
    )
  })
})
