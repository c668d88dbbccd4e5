import { Type } from "@sinclair/typebox"
import { absoluteUrl, baseUrl, foldSpace, textOrNull, wordSet } from "../../extract/core/index.ts"
import { announcedFeeds } from "../../extract/feed/index.ts"
import { canonicalUrl } from "../../extract/links/index.ts"
import { keywordsOf } from "../../extract/metadata/index.ts"
import {
  documentTitle,
  flatTags,
  linkOf,
  type MetaTags,
  mediaObjects,
  metaPairs,
  pageIcons,
  readMeta,
} from "../../extract/page/index.ts"
import { readJsonLd, typesOf } from "../../extract/structured/index.ts"
import {
  defineScraper,
  field,
  itemObject,
  items,
  pageUrls,
  readOnce,
  recordOf,
  type UpstreamResponse,
} from "../kit/index.ts"
import { mediaFields, metaTag } from "./page/meta.ts"
import { onePageEach, openPage, pageFacts, pageFields, requireWhole } from "./page/open.ts"
import { challengeOf } from "./page/readable.ts"

const mediaObject = itemObject(mediaFields("image"))

interface Head {
  meta: MetaTags
  document: Document
  base: string
  pairs: [string, string][]
}

const link =
  (relation: string) =>
  ({ document, base }: Head) =>
    linkOf(document, relation, base)
const family = (description: string, ...prefixes: string[]) =>
  field.of(items.textsByName(description), ({ pairs }: Head) => flatTags(pairs, ...prefixes))

const head = recordOf<Head>()({
  title: field.text(({ document }) => documentTitle(document), "Title of the page, as written."),
  description: items.text("Content of the description meta tag; never that of Open Graph."),
  keywords: field.texts(({ meta }) => keywords(meta), "Keywords of the page."),
  canonicalUrl: items.text("Canonical URL in the page's metadata."),
  robots: items.text("Robots directives, comma-separated."),
  googlebot: field.text(metaTag("googlebot"), "Directives for Googlebot."),
  xRobotsTag: items.text("Robots directives in the header X-Robots-Tag."),
  viewport: field.text(metaTag("viewport"), "Viewport settings for mobile devices."),
  charset: items.text("Declared encoding in lower case."),
  language: items.text("Declared language."),
  dir: items.text("Declared writing direction."),
  author: field.text(metaTag("author"), "Author of the page."),
  generator: field.text(metaTag("generator"), "Software that generated the page."),
  applicationName: field.text(metaTag("application-name"), "Name of the application."),
  publisher: field.text(metaTag("publisher"), "Publisher of the page."),
  copyright: field.text(metaTag("copyright", "rights"), "Copyright notice."),
  referrer: field.text(metaTag("referrer"), "Referrer policy."),
  rating: field.text(metaTag("rating"), "Content rating, for example adult."),
  colorScheme: items.text("Supported colour schemes, for example light dark."),
  themeColor: field.text("themeColors.0.color", "First theme colour, as written."),
  themeColors: items.objects("All theme colours with their media queries.", {
    color: items.requiredText("Colour, as written."),
    media: items.text("Media query under which the colour applies."),
  }),
  openGraph: Type.Record(Type.String(), Type.Union([Type.String(), Type.Array(mediaObject)]), {
    description: "Open Graph tags without their prefix, with `images` as objects.",
  }),
  twitter: items.textsByName("Twitter card tags without their prefix."),
  article: family("Tags of article:*.", "article:", "og:article:"),
  product: family("Tags of product:*.", "product:", "og:product:"),
  fb: family("Tags of fb:*.", "fb:"),
  appLinks: family("Tags of al:*.", "al:"),
  icons: items.objects("Icons in the page's metadata.", {
    url: items.requiredText("URL of the icon."),
    rel: items.requiredText("Relation of the link, for example icon or apple-touch-icon."),
    type: items.text("Media type of the icon, for example image/png."),
    sizes: items.text("Sizes of the icon in pixels, for example 32x32."),
  }),
  manifest: field.text(link("manifest"), "URL of the web app manifest."),
  amphtml: field.text(link("amphtml"), "URL of the AMP version."),
  shortlink: field.text(link("shortlink"), "Short URL of the page."),
  prev: items.text("URL of the previous page."),
  next: field.text(link("next"), "URL of the next page."),
  searchDescription: field.text(link("search"), "URL of the OpenSearch description."),
  alternates: items.objects("Versions of the page in other languages.", {
    hreflang: items.requiredText("Language of the version, for example en-GB or x-default."),
    url: items.requiredText("URL of the version."),
  }),
  feeds: items.objects("Feeds to which the page links.", {
    url: items.requiredText("URL of the feed."),
    title: items.text("Title of the link to the feed."),
    type: items.text("Media type of the feed, for example application/rss+xml."),
  }),
  verification: items.textsByName("Site verification codes by their meta names."),
  dublinCore: items.textsByName("Dublin Core meta tags by name."),
  httpEquiv: items.textsByName("Meta tags that replace headers (http-equiv), by name."),
  metaByName: items.textsByName(
    "First content of each meta tag by its lower-case name or property.",
  ),
  metaTags: field.objects("meta.tags", "All meta tags in document order, as written.", {
    name: items.text("Value of the attribute `name`."),
    property: items.text("Value of the attribute `property`."),
    httpEquiv: items.text("Value of the attribute `http-equiv`."),
    itemprop: items.text("Value of the attribute `itemprop`."),
    charset: items.text("Value of the attribute `charset`."),
    content: items.text("Value of the attribute `content`."),
  }),
  metaCount: field.integer("meta.tags.length", "Number of meta tags."),
  jsonLdTypes: items.texts("Types of the page's JSON-LD."),
})

const verificationNames = wordSet(`
  google-site-verification msvalidate.01 yandex-verification facebook-domain-verification
  p:domain_verify baidu-site-verification naver-site-verification norton-safeweb-site-verification
  ahrefs-site-verification
`)

export default defineScraper({
  slug: "meta-tags-scraper",
  name: "Meta Tags",
  tagline: "Every meta tag of a page: title, description, robots, icons, Open Graph, Twitter.",
  category: "web",
  fetchMethods: ["http", "browser-http", "browser"],
  input: { urls: pageUrls(1000) },
  item: { ...pageFields, ...head.fields },
  example: { urls: ["https://example.com"] },
  probe: {
    input: { urls: ["https://github.com/"] },
    expect: [
      "items.length equals 1",
      'items[0].title matches "github"',
      "items[0].openGraph share 1",
      'items[0].canonicalUrl matches "github.com"',
      "items[0].viewport share 1",
    ],
  },
  ...onePageEach,

  async *scrape(target, ctx) {
    const has = (response: UpstreamResponse) =>
      challengeOf(response) === null && isDescribed(metaOf(response))
    const { url, response } = await openPage(target, ctx, { has, what: "meta tags" })
    const meta = metaOf(response)
    if (!isDescribed(meta)) requireWhole(response)
    yield { ...pageFacts({ url, response }), ...headOf(meta, response) }
  },
})

const metaOf = readOnce(({ document }) => readMeta(document))

/** An app shell has its own head. If it has only display settings, another method may have more. */
const isDescribed = (meta: MetaTags) =>
  [...meta.byName.keys()].some((name) => !/^(?:viewport|theme-color|referrer)$/.test(name))

function headOf(meta: MetaTags, response: UpstreamResponse) {
  const { document } = response
  const base = baseUrl(document, response.url)
  const pairs = metaPairs(meta)
  const parts = { meta, document, base, pairs }
  const root = document.documentElement
  const themeColors = [...document.querySelectorAll("meta[name=theme-color i]")].flatMap((tag) => {
    const color = textOrNull(tag.getAttribute("content")?.trim())
    return color === null ? [] : [{ color, media: tag.getAttribute("media") }]
  })
  // `twitter:image:src` is the older name of the image tag.
  const twitter = flatTags(pairs, "twitter:")
  const named = (test: (name: string) => boolean) =>
    Object.fromEntries(pairs.filter(([name]) => test(name)).toReversed())
  return head.read({
    ...parts,
    description: textOrNull(metaTag("description")(parts)),
    canonicalUrl: canonicalUrl(document, response.url),
    robots: meta.byName.get("robots")?.map(foldSpace).join(", "),
    xRobotsTag: response.headers.get("x-robots-tag"),
    charset: charsetOf(meta, response),
    language: textOrNull(root.getAttribute("lang")),
    dir: textOrNull(root.getAttribute("dir") ?? document.body.getAttribute("dir")),
    colorScheme: textOrNull(metaTag("color-scheme")(parts)),
    themeColors,
    openGraph: openGraphOf(parts),
    twitter: { ...(twitter.imageSrc ? { image: twitter.imageSrc } : {}), ...twitter },
    icons: pageIcons(document, base),
    prev: linkOf(document, "prev", base) ?? linkOf(document, "previous", base),
    alternates: alternatesOf(parts),
    feeds: announcedFeeds(document, response.url),
    verification: named((name) => verificationNames.has(name)),
    dublinCore: named((name) => /^(?:dc|dcterms)[.:]\S+$/.test(name)),
    httpEquiv: headerMetas(meta),
    metaByName: Object.fromEntries(meta.byName.entries().map(([name, [first]]) => [name, first!])),
    jsonLdTypes: [...new Set(readJsonLd(document).entities.flatMap(({ data }) => typesOf(data)))],
  })
}

/** Returns the page's keywords. Some pages write them as http-equiv. */
function keywords(meta: MetaTags): string[] {
  const named = keywordsOf(meta)
  if (named.length > 0) return named
  const header = meta.tags.find((tag) => tag.httpEquiv?.trim().toLowerCase() === "keywords")
  return keywordsOf({ tags: [], byName: new Map([["keywords", [header?.content ?? ""]]]) })
}

function charsetOf(meta: MetaTags, response: UpstreamResponse): string | null {
  const declared = meta.tags.find((tag) => tag.charset)?.charset
  if (declared) return declared.trim().toLowerCase()
  const contentType = meta.tags.find((tag) => /^content-type$/i.test(tag.httpEquiv?.trim() ?? ""))
  for (const text of [contentType?.content, response.headers.get("content-type")]) {
    const named = /charset\s*=\s*["']?([\w.:-]+)/i.exec(text ?? "")?.[1]
    if (named) return named.toLowerCase()
  }
  return null
}

function openGraphOf({ pairs, base }: Head) {
  const openGraph: Record<string, string> = flatTags(pairs, "og:")
  for (const name of ["url", "image", "video", "audio"]) {
    if (openGraph[name]) openGraph[name] = absoluteUrl(openGraph[name], base) ?? openGraph[name]
  }
  const images = mediaObjects(pairs, "image", base)
  return { ...openGraph, ...(images.length > 0 ? { images } : {}) }
}

function headerMetas(meta: MetaTags): Record<string, string> {
  const headers: Record<string, string> = {}
  for (const { httpEquiv, content } of meta.tags) {
    const name = httpEquiv?.trim().toLowerCase()
    if (name && content !== null) headers[name] ??= content
  }
  return headers
}

function alternatesOf({ document, base }: Head) {
  const links = document.querySelectorAll("link[rel~=alternate i][hreflang][href]")
  return [...links].flatMap((link) => {
    const url = absoluteUrl(link.getAttribute("href"), base)
    const hreflang = link.getAttribute("hreflang")!.trim()
    return url === null || hreflang === "" ? [] : [{ hreflang, url }]
  })
}
