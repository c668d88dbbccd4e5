import { describe, expect, test } from "bun:test"
import { parseDocument } from "../../../src/extract/core/index.ts"
import { parseJsonLd } from "../../../src/extract/structured/json-ld.ts"
import {
  allEntities,
  nodesAt,
  nodesOfType,
  readStructuredData,
  textAt,
  textOfAny,
  typesOf,
  valuesOf,
} from "../../../src/extract/structured/structured-data.ts"

const page = "https://shop.example/dir/page.html"
const read = (html: string) => readStructuredData(parseDocument(html), page)
const jsonLd = (text: string) => read(`<script type="application/ld+json">${text}</script>`)

describe("JSON-LD text", () => {
  const object = { a: "https://x.example/" }
  const rows: [string, string, unknown, boolean][] = [
    ["plain", '{"a":"https://x.example/"}', object, true],
    ["byte order mark", '\ufeff{"a":"https://x.example/"}', object, true],
    ["HTML comment", '<!-- {"a":"https://x.example/"} -->', object, true],
    ["CDATA", '<![CDATA[{"a":"https://x.example/"}]]>', object, true],
    ["CDATA in comments", '/* <![CDATA[ */\n{"a":"https://x.example/"}\n/* ]]> */', object, true],
    ["CDATA in line comments", '//<![CDATA[\n{"a":"https://x.example/"}\n//]]>', object, true],
    ["semicolon", '{"a":"https://x.example/"};', object, true],
    ["trailing comma", '{"a":"https://x.example/",}', object, false],
    ["line comment inside", '{"a":"https://x.example/" // note\n}', object, false],
    ["block comment inside", '{/* note */"a":"https://x.example/"}', object, false],
    ["raw line break", '{"a":"one\ntwo"}', { a: "one\ntwo" }, false],
    ["escaped quotes", "{&quot;a&quot;:&quot;b&quot;}", { a: "b" }, false],
    ["two objects", '{"a":1}\n{"a":2}', [{ a: 1 }, { a: 2 }], false],
    ["empty", "  ", null, true],
    ["false", "false", false, true],
  ]
  for (const [name, text, value, valid] of rows) {
    test(name, () => expect(parseJsonLd(text)).toEqual({ value, valid }))
  }
  test("text that is not JSON", () => expect(parseJsonLd("hello world")).toBeUndefined())
})

describe("JSON-LD", () => {
  test("opens arrays and @graph, drops @context", () => {
    const data = jsonLd(
      '{"@context":"https://schema.org","@graph":[{"@type":"WebSite","name":"A"},[{"@type":["Person","Thing"]}]]}',
    )
    expect(data.jsonLd.map((entity) => entity.data)).toEqual([
      { "@type": "WebSite", name: "A" },
      { "@type": ["Person", "Thing"] },
    ])
    expect(data.jsonLd[0]!.context).toBe("schema.org")
  })

  test("accepts any letter case and parameters of the type", () => {
    const data = read(
      '<script type="application/LD+JSON; charset=utf-8">{"@type":"Thing"}</script>',
    )
    expect(data.jsonLd).toHaveLength(1)
  })

  test("returns nothing for blocks without an object, and keeps unreadable ones", () => {
    const data = read(
      '<script type="application/ld+json">null</script><script type="application/ld+json">oops</script>',
    )
    expect(data.jsonLd).toEqual([])
    expect(data.unreadable).toEqual(["oops"])
  })

  test("resolves references within the page, also if they form a ring", () => {
    const data = jsonLd(
      `{"@graph":[{"@type":"Article","@id":"#a","author":{"@id":"#p"}},
       {"@type":"Person","@id":"#p","name":"Ann","worksFor":{"@id":"#a"}}]}`,
    )
    const [article] = nodesOfType(data, "article")
    const [author] = nodesAt(data, article!, "author")
    expect(textAt(data, article!, "author")).toBe("Ann")
    expect(nodesAt(data, author!, "worksFor")[0]).toBe(article!)
  })

  test.each([
    ["https://schema.org", "schema.org"],
    ["http://www.schema.org/", "schema.org"],
    ["schema.org", "schema.org"],
    [["https://schema.org", { "@language": "en" }], "schema.org"],
    [{ "@vocab": "http://schema.org/" }, "schema.org"],
    [7, null],
  ])("context %j", (context, host) => {
    const data = jsonLd(JSON.stringify({ "@context": context, "@type": "Thing" }))
    expect(data.jsonLd[0]!.context).toBe(host)
  })

  test.each([
    ["Product", ["Product"]],
    ["http://schema.org/Product", ["Product"]],
    ["schema:Product", ["Product"]],
    [["Product", "https://schema.org/Product", 3], ["Product"]],
    [undefined, []],
  ])("types of %j", (type, names) => expect(typesOf({ "@type": type })).toEqual(names))

  test("opens value objects and lists", () => {
    const data = jsonLd(
      '{"name":{"@value":"N","@language":"en"},"keywords":{"@list":["a",["b"]]},"url":null}',
    )
    const node = data.jsonLd[0]!.data
    expect(textOfAny(data, node, "headline", "name")).toBe("N")
    expect(valuesOf(data, node, "keywords")).toEqual(["a", "b"])
    expect(valuesOf(data, node, "url")).toEqual([])
  })
})

describe("microdata", () => {
  const first = (html: string) => read(html).microdata[0]?.data

  test("reads values by element, content first", () => {
    const data = first(`<div itemscope itemtype="https://schema.org/Product" itemid="#it">
      <meta itemprop="sku" content="S1"><span itemprop="price" content="9.50">9,50 €</span>
      <img itemprop="image" src=" a.png "><a itemprop="url" href="/p">x</a>
      <link itemprop="availability" href="https://schema.org/InStock">
      <data itemprop="weight" value="7">seven</data><time itemprop="releaseDate" datetime="2020-01-02">x</time>
      <p itemprop="description"> two
        words </p><meta itemprop="empty" content=""></div>`)
    expect(data).toEqual({
      "@type": "Product",
      "@id": `${page}#it`,
      sku: "S1",
      price: "9.50",
      image: "https://shop.example/dir/a.png",
      url: "https://shop.example/p",
      availability: "https://schema.org/InStock",
      weight: "7",
      releaseDate: "2020-01-02",
      description: "two words",
    })
  })

  test("nests scopes, repeats values, and gives one element two properties", () => {
    const data = first(`<div itemscope itemtype="http://schema.org/Product">
      <h1 itemprop="name alternateName">N</h1>
      <div itemprop="offers" itemscope itemtype="http://schema.org/Offer"><b itemprop="price">1</b></div>
      <div itemprop="offers" itemscope itemtype="http://schema.org/Offer"><b itemprop="price">2</b></div></div>`)
    expect(data).toEqual({
      "@type": "Product",
      name: "N",
      alternateName: "N",
      offers: [
        { "@type": "Offer", price: "1" },
        { "@type": "Offer", price: "2" },
      ],
    })
  })

  test("follows itemref, also in a ring, and counts the referenced item once", () => {
    const data = read(`<div itemscope itemtype="http://schema.org/Product" itemref="o n"></div>
      <div id="o" itemprop="offers" itemscope itemref="o"><b itemprop="price">1</b></div><p id="n"><b itemprop="name">N</b></p>`)
    expect(data.microdata.map((entity) => entity.data)).toEqual([
      { "@type": "Product", offers: { price: "1" }, name: "N" },
    ])
  })

  test("reads a scope with itemprop but no enclosing scope as an item", () => {
    const data = first('<div itemprop="x" itemscope><b itemprop="name">N</b></div>')
    expect(data).toEqual({ name: "N" })
  })

  test("leaves out properties outside any scope", () => {
    expect(read('<b itemprop="name">N</b>').microdata).toEqual([])
  })
})

describe("RDFa Lite", () => {
  test("reads vocab, typeof, property, resource and nested items", () => {
    const data = read(`<div vocab="https://schema.org/" typeof="Product" resource="#p">
      <span property="name">N</span><img property="image" src="i.png">
      <div property="offers" typeof="Offer"><meta property="price" content="3"></div></div>`)
    expect(data.rdfa.map(({ data, context }) => ({ data, context }))).toEqual([
      {
        context: "schema.org",
        data: {
          "@type": "Product",
          "@id": `${page}#p`,
          name: "N",
          image: "https://shop.example/dir/i.png",
          offers: { "@type": "Offer", price: "3" },
        },
      },
    ])
  })

  test("drops schema.org's prefix, keeps others, and reads no Open Graph", () => {
    const data = read(`<html prefix="s: http://schema.org/"><body typeof="s:WebPage foaf:Document">
      <meta property="og:title" content="x"><b property="s:name">N</b><i property="dc:title">T</i></body></html>`)
    expect(data.rdfa[0]!.data).toEqual({
      "@type": ["WebPage", "foaf:Document"],
      name: "N",
      "dc:title": "T",
    })
  })

  test("a page with Open Graph alone has no RDFa", () => {
    expect(read('<meta property="og:title" content="x">').rdfa).toEqual([])
  })
})

test("entities come as JSON-LD, microdata, RDFa", () => {
  const data = read(`<div vocab="http://schema.org/" typeof="Thing"><b property="name">3</b></div>
    <div itemscope><b itemprop="name">2</b></div><script type="application/ld+json">{"name":"1"}</script>`)
  expect(allEntities(data).map((entity) => entity.data.name)).toEqual(["1", "2", "3"])
})

test("deep nesting and long item rings end", () => {
  const depth = 3000
  const html = `${'<div itemscope itemprop="x">'.repeat(depth)}<b itemprop="name">N</b>${"</div>".repeat(depth)}`
  expect(read(html).microdata.length).toBe(1)
})
