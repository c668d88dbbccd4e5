import { describe, expect, test } from "bun:test"
import { parseDocument } from "../../../src/extract/core/index.ts"
import { readFeed } from "../../../src/extract/feed/feeds.ts"
import { announcedFeeds, linkedFeeds, serviceFeeds } from "../../../src/extract/feed/links.ts"
import { parseDuration } from "../../../src/extract/feed/podcasts.ts"
import {
  clip,
  feedPlainText,
  feedTitle,
  firstImage,
  personName,
} from "../../../src/extract/feed/text.ts"

const address = "https://site.example/feed"
const entriesOf = (text: string) => [...readFeed(text, address)!.entries()]
const rss = (item: string, attributes = "") =>
  `<rss version="2.0" ${attributes}><channel><title>T</title><link>https://site.example/</link><item>${item}</item></channel></rss>`

describe("kinds of feeds", () => {
  test.each([
    ["RSS 2.0", rss("<title>a</title>"), "rss"],
    [
      "RSS 0.91 with a document type",
      `<!DOCTYPE rss PUBLIC "-//N//DTD RSS 0.91//EN" "http://x/rss.dtd">${rss("")}`,
      "rss",
    ],
    [
      "RSS 1.0",
      '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/"><channel><title>T</title></channel><item><title>a</title></item></rdf:RDF>',
      "rdf",
    ],
    [
      "Atom 1.0",
      '<feed xmlns="http://www.w3.org/2005/Atom"><title>T</title><entry><title>a</title></entry></feed>',
      "atom",
    ],
    [
      "Atom 0.3",
      '<feed version="0.3" xmlns="http://purl.org/atom/ns#"><title>T</title><entry><title>a</title></entry></feed>',
      "atom",
    ],
    [
      "JSON Feed",
      '\ufeff {"version":"https://jsonfeed.org/version/1","title":"T","items":[{"id":1,"title":"a"}]}',
      "json",
    ],
    [
      "a warning before the feed",
      `<br />\n<b>Warning</b>: line 3\n<?xml version="1.0"?>${rss("<title>a</title>")}`,
      "rss",
    ],
  ])("%s", (_, text, type) => {
    const feed = readFeed(text, address)
    expect(feed?.type).toBe(type as never)
    expect(feed?.title).toBe("T")
    expect(feed?.entryCount).toBe(1)
  })

  test.each([
    ["HTML", "<!doctype html><html><body>no</body></html>"],
    ["other JSON", '{"version":"1","items":[]}'],
    ["a sitemap", '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"/>'],
    ["RSS without channel", '<rss version="2.0"><zz/></rss>'],
    ["text", "hello"],
  ])("%s is not a feed", (_, text) => expect(readFeed(text, address)).toBeNull())
})

describe("broken XML", () => {
  test("bare & and HTML entities", () => {
    expect(entriesOf(rss("<title>Fish & chips&nbsp;now</title>"))[0]!.title).toBe(
      "Fish & chips now",
    )
  })
  test("unclosed elements", () => {
    const feed = readFeed(
      "<rss><channel><title>T</title><item><title>One</title><description>a<br>b</description></item><item><title>Two",
      address,
    )!
    expect(feed.broken).toBe(true)
    expect([...feed.entries()].map((entry) => entry.title)).toEqual(["One", "Two"])
  })
})

describe("the link of an entry", () => {
  test.each([
    ["link", "<link>/a</link>", "https://site.example/a"],
    ["guid as the only link", "<guid>https://site.example/g</guid>", "https://site.example/g"],
    ["guid that is not a link", '<guid isPermaLink="false">https://site.example/g</guid>', null],
    [
      "feedburner",
      '<link>https://fb.example/1</link><fb:origLink xmlns:fb="http://rssnamespace.org/feedburner/ext/1.0">https://site.example/o</fb:origLink>',
      "https://site.example/o",
    ],
    [
      "atom:link in RSS",
      '<a:link xmlns:a="http://www.w3.org/2005/Atom" rel="self" href="https://site.example/s"/><a:link xmlns:a="http://www.w3.org/2005/Atom" href="https://site.example/p"/>',
      "https://site.example/p",
    ],
    [
      "link of another namespace",
      '<x:link xmlns:x="urn:x">https://elsewhere.example/</x:link><link>https://site.example/b</link>',
      "https://site.example/b",
    ],
  ])("%s", (_, item, url) => expect(entriesOf(rss(item))[0]!.url).toBe(url))

  test("xml:base and the alternate link in Atom", () => {
    const [entry] = entriesOf(
      '<feed xmlns="http://www.w3.org/2005/Atom" xml:base="https://base.example/x/"><entry><link rel="edit" href="/e"/><link rel="alternate" href="y"/></entry></feed>',
    )
    expect(entry!.url).toBe("https://base.example/x/y")
  })
})

describe("the content of an entry", () => {
  test("the order of sources, whatever the prefixes", () => {
    const [entry] = entriesOf(
      rss(
        "<z:creator>Ann</z:creator><description>Short</description><e:encoded>&lt;p&gt;Long&lt;/p&gt;</e:encoded><z:date>2026-01-02T03:04:05Z</z:date><z:subject>sea</z:subject>",
        'xmlns:z="http://purl.org/dc/elements/1.1/" xmlns:e="http://purl.org/rss/1.0/modules/content/"',
      ),
    )
    expect(entry).toMatchObject({
      author: "Ann",
      summary: "Short",
      content: "<p>Long</p>",
      publishedAt: "2026-01-02T03:04:05.000Z",
      categories: ["sea"],
    })
  })

  test("undeclared prefixes keep their usual meaning", () => {
    expect(entriesOf("<rss><channel><item><dc:creator>Ann</dc:creator><b>")[0]!.author).toBe("Ann")
  })

  test("an invalid date is null", () => {
    expect(entriesOf(rss("<pubDate>0000-00-00</pubDate>"))[0]!.publishedAt).toBeNull()
  })

  test("media:description is not a summary, and the largest image counts", () => {
    const [entry] = entriesOf(
      rss(
        '<description/><m:description>Of the picture</m:description><m:group><m:content url="/s.jpg" width="10"/><m:content url="/l.jpg" width="90"/></m:group>',
        'xmlns:m="http://search.yahoo.com/mrss/"',
      ),
    )
    expect(entry).toMatchObject({ summary: null, imageUrl: "https://site.example/l.jpg" })
  })

  test("an entry without an ID gets a stable one", () => {
    const [first] = entriesOf(rss("<title>A</title>"))
    const [again] = entriesOf(rss("<title>A</title>"))
    expect(first!.guid).toMatch(/^[0-9a-f]{40}$/)
    expect(again!.guid).toBe(first!.guid)
  })
})

test.each([
  ["Fish &amp; <b>chips</b>", "Fish & chips"],
  ["a < b", "a < b"],
  ["  ", null],
])("title %j", (text, title) => expect(feedTitle(text)).toBe(title))

test.each([
  ["mail@site.example (Ann Roe)", "Ann Roe"],
  ["Ann Roe <mail@site.example>", "Ann Roe"],
  ["mail@site.example", "mail@site.example"],
])("person %j", (text, name) => expect(personName(text)).toBe(name))

test.each([
  ["<img src='/t.gif' height='1' width='1'><img src=/p.jpg>", "/p.jpg"],
  ['<img src="https://feeds.feedburner.com/~r/x">', null],
  ['<img src="data:image/gif;base64,x"><img data-src="/lazy.jpg">', "/lazy.jpg"],
])("first image of %j", (html, image) => expect(firstImage(html)).toBe(image))

test("plain text keeps its lines, and a cut ends at a word", () => {
  expect(feedPlainText("one\ntwo &amp; three")).toBe("one\ntwo & three")
  expect(clip("a text of several words", 12)).toBe("a text of…")
})

test.each([
  ["3600", 3600],
  ["3600.0", 3600],
  ["1:5", 65],
  ["01:09:50", 4190],
  ["00:00", 0],
  ["1h 2m", 3720],
  ["soon", null],
  ["", null],
])("duration %j", (text, seconds) => expect(parseDuration(text)).toBe(seconds))

describe("feeds of pages", () => {
  const links = (html: string) => announcedFeeds(parseDocument(html), "https://site.example/x")
  test.each([
    ['<link rel="alternate" type="application/rss+xml" href="/f">', ["rss"]],
    ['<link rel="ALTERNATE" type="application/atom+xml; charset=utf-8" href="/f">', ["atom"]],
    ['<link rel="alternate" type="application/json" href="/f.json">', ["json"]],
    ['<link rel="alternate" type="application/json" href="/wp-json/wp/v2/posts/1">', []],
    ['<link rel="alternate" type="application/json+oembed" href="/f">', []],
    ['<link rel="alternate" type="application/rss+xml" href="">', []],
    ['<link rel="alternate" hreflang="de" href="/de">', []],
    ['<link rel="feed" href="/f">', ["unknown"]],
  ])("%s", (html, types) => expect(links(html).map((link) => link.type)).toEqual(types))

  test("anchors that look like feeds", () => {
    const html =
      '<a href="/rss">x</a><a href="/a.atom">x</a><a href="/news">RSS</a><a href="/about">About</a><a href="feed:https://b.example/f">x</a>'
    expect(
      linkedFeeds(parseDocument(html), "https://site.example/").map((link) => link.url),
    ).toEqual([
      "https://site.example/rss",
      "https://site.example/a.atom",
      "https://site.example/news",
      "https://b.example/f",
    ])
  })

  test.each([
    ["https://github.com/a/b/issues", "https://github.com/a/b/releases.atom"],
    ["https://www.reddit.com/r/x/", "https://www.reddit.com/r/x/.rss"],
    ["https://medium.com/@ann", "https://medium.com/feed/@ann"],
    [
      "https://www.youtube.com/channel/UCaaaaaaaaaaaaaaaaaaaaaa",
      "https://www.youtube.com/feeds/videos.xml?channel_id=UCaaaaaaaaaaaaaaaaaaaaaa",
    ],
    ["https://a.blogspot.com/", "https://a.blogspot.com/feeds/posts/default"],
    ["https://social.example/@ann", "https://social.example/@ann.rss"],
  ])("service of %s", (url, feed) => {
    expect(serviceFeeds(parseDocument(""), url)[0]?.url).toBe(feed)
  })
})
