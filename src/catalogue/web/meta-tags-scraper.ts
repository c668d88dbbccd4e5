import { Type } from "@sinclair/typebox"
import { absoluteUrl, baseUrl, foldSpace, textOrNull } from "../../extract/core/index.ts"
import { announcedFeeds } from "../../extract/feed/index.ts"
import { canonicalUrl } from "../../extract/links/index.ts"
import { keywordsOf } from "../../extract/metadata/index.ts"
import {
  documentTitle,
  flatTags,
  linkOf,
  type MetaTags,
  mediaObjects,
  metaContent,
  metaPairs,
  pageIcons,
  readMeta,
} from "../../extract/page/index.ts"
import { readJsonLd, typesOf } from "../../extract/structured/index.ts"
import {
  challengeOf,
  defineScraper,
  identifyPage,
  inputObject,
  itemObject,
  items,
  openPage,
  pageFields,
  pageUrls,
  readOnce,
  requireWhole,
  type UpstreamResponse,
} from "../kit/index.ts"

const texts = (description: string) => Type.Record(Type.String(), Type.String(), { description })

const mediaObject = itemObject({
  url: items.requiredText("URL of the image."),
  secureUrl: items.text("URL of the image over https."),
  type: items.text("Media type of the image, for example image/png."),
  width: items.integer("Width, in pixels."),
  height: items.integer("Height, in pixels."),
  alt: items.text("Alternative text."),
})

const item = itemObject({
  ...pageFields,
  title: items.text("Title of the page, as written."),
  description: items.text("Content of the description meta tag; never that of Open Graph."),
  keywords: items.texts("Keywords of the page."),
  canonicalUrl: items.text("Canonical URL in the page's metadata."),
  robots: items.text("Robots directives, comma-separated."),
  googlebot: items.text("Directives for Googlebot."),
  xRobotsTag: items.text("Robots directives in the header X-Robots-Tag."),
  viewport: items.text("Viewport settings for mobile devices."),
  charset: items.text("Declared encoding in lower case."),
  language: items.text("Declared language."),
  dir: items.text("Declared writing direction."),
  author: items.text("Author of the page."),
  generator: items.text("Software that generated the page."),
  applicationName: items.text("Name of the application."),
  publisher: items.text("Publisher of the page."),
  copyright: items.text("Copyright notice."),
  referrer: items.text("Referrer policy."),
  rating: items.text("Content rating, for example adult."),
  colorScheme: items.text("Supported colour schemes, for example light dark."),
  themeColor: items.text("First theme colour, as written."),
  themeColors: items.objects("All theme colours with their media queries.", {
    color: items.requiredText("Colour, as written."),
    media: items.text("Media query under which the colour applies."),
  }),
  openGraph: Type.Record(Type.String(), Type.Union([Type.String(), Type.Array(mediaObject)]), {
    description: "Open Graph tags without their prefix, with `images` as objects.",
  }),
  twitter: texts("Twitter card tags without their prefix."),
  article: texts("Tags of article:*."),
  product: texts("Tags of product:*."),
  fb: texts("Tags of fb:*."),
  appLinks: texts("Tags of al:*."),
  icons: items.objects("Icons in the page's metadata.", {
    url: items.requiredText("URL of the icon."),
    rel: items.requiredText("Relation of the link, for example icon or apple-touch-icon."),
    type: items.text("Media type of the icon, for example image/png."),
    sizes: items.text("Sizes of the icon in pixels, for example 32x32."),
  }),
  manifest: items.text("URL of the web app manifest."),
  amphtml: items.text("URL of the AMP version."),
  shortlink: items.text("Short URL of the page."),
  prev: items.text("URL of the previous page."),
  next: items.text("URL of the next page."),
  searchDescription: items.text("URL of the OpenSearch description."),
  alternates: items.objects("Versions of the page in other languages.", {
    hreflang: items.requiredText("Language of the version, for example en-GB or x-default."),
    url: items.requiredText("URL of the version."),
  }),
  feeds: items.objects("Feeds to which the page links.", {
    url: items.requiredText("URL of the feed."),
    title: items.text("Title of the link to the feed."),
    type: items.text("Media type of the feed, for example application/rss+xml."),
  }),
  verification: texts("Site verification codes by their meta names."),
  dublinCore: texts("Dublin Core meta tags by name."),
  httpEquiv: texts("Meta tags that replace headers (http-equiv), by name."),
  metaByName: texts("First content of each meta tag by its lower-case name or property."),
  metaTags: items.objects("All meta tags in document order, as written.", {
    name: items.text("Value of the attribute `name`."),
    property: items.text("Value of the attribute `property`."),
    httpEquiv: items.text("Value of the attribute `http-equiv`."),
    itemprop: items.text("Value of the attribute `itemprop`."),
    charset: items.text("Value of the attribute `charset`."),
    content: items.text("Value of the attribute `content`."),
  }),
  metaCount: items.integer("Number of meta tags."),
  jsonLdTypes: items.texts("Types of the page's JSON-LD."),
})

const verificationNames = [
  "google-site-verification",
  "msvalidate.01",
  "yandex-verification",
  "facebook-domain-verification",
  "p:domain_verify",
  "baidu-site-verification",
  "naver-site-verification",
  "norton-safeweb-site-verification",
  "ahrefs-site-verification",
]

export default defineScraper({
  slug: "meta-tags-scraper",
  name: "Meta Tags",
  tagline: "Every meta tag of a page: title, description, robots, icons, Open Graph, Twitter.",
  serves: [
    "title and description tags of a page",
    "meta tags and robots settings",
    "favicon and canonical URL of a page",
    "head of an HTML page",
    "what is the title and description of a page",
    "may search engines index a page",
    "canonical link, language and icon of a page",
    "noindex and hreflang of a page",
    "title, description and robots directives of a URL",
    "language and charset of a page",
    "page title and description as search engines show it",
  ],
  category: "web",
  tier: "free",
  fetchMethods: ["http", "browser-http", "browser"],
  input: inputObject({ urls: pageUrls(1000) }),
  item,
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
  pages: { ofTarget: 1 },
  targets: (input) => input.urls,
  identify: identifyPage,

  async *scrape(target, ctx) {
    const has = (response: UpstreamResponse) =>
      challengeOf(response) === null && isDescribed(metaOf(response))
    const { url, response } = await openPage(target, ctx, { has, what: "meta tags" })
    const meta = metaOf(response)
    if (!isDescribed(meta)) requireWhole(response)
    yield {
      url,
      finalUrl: response.url,
      statusCode: response.status,
      ...plainMetas(meta, response),
      ...families(meta, response),
      ...linkRelations(response),
      metaTags: meta.tags,
      metaCount: meta.tags.length,
    }
  },
})

const metaOf = readOnce(({ document }) => readMeta(document))

/**
 * An app shell has its own head. If that has only display settings, another fetch method may return
 * a better one.
 */
const isDescribed = (meta: MetaTags) =>
  [...meta.byName.keys()].some((name) => !/^(?:viewport|theme-color|referrer)$/.test(name))

function plainMetas(meta: MetaTags, response: UpstreamResponse) {
  const { document } = response
  const contentOf = (...names: string[]) => {
    const content = metaContent(meta, ...names)
    return content === null ? null : textOrNull(foldSpace(content))
  }
  const root = document.documentElement
  const themeColors = [...document.querySelectorAll("meta[name=theme-color i]")].flatMap((tag) => {
    const color = textOrNull(tag.getAttribute("content")?.trim())
    return color === null ? [] : [{ color, media: tag.getAttribute("media") }]
  })
  return {
    title: documentTitle(document),
    description: contentOf("description"),
    keywords: keywords(meta),
    canonicalUrl: canonicalUrl(document, response.url),
    robots: meta.byName.get("robots")?.map(foldSpace).join(", ") ?? null,
    googlebot: contentOf("googlebot"),
    xRobotsTag: response.headers.get("x-robots-tag"),
    viewport: contentOf("viewport"),
    charset: charsetOf(meta, response),
    language: textOrNull(root.getAttribute("lang")),
    dir: textOrNull(root.getAttribute("dir") ?? document.body.getAttribute("dir")),
    author: contentOf("author"),
    generator: contentOf("generator"),
    applicationName: contentOf("application-name"),
    publisher: contentOf("publisher"),
    copyright: contentOf("copyright", "rights"),
    referrer: contentOf("referrer"),
    rating: contentOf("rating"),
    colorScheme: contentOf("color-scheme"),
    themeColor: themeColors[0]?.color ?? null,
    themeColors,
  }
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

function families(meta: MetaTags, { document, url }: UpstreamResponse) {
  const pairs = metaPairs(meta)
  const base = baseUrl(document, url)
  const openGraph: Record<string, string> = flatTags(pairs, "og:")
  for (const name of ["url", "image", "video", "audio"]) {
    if (openGraph[name]) openGraph[name] = absoluteUrl(openGraph[name], base) ?? openGraph[name]
  }
  const images = mediaObjects(pairs, "image", base)
  // `twitter:image:src` is the older name of the image tag.
  const twitter = flatTags(pairs, "twitter:")
  const named = (test: (name: string) => boolean) =>
    Object.fromEntries(pairs.filter(([name]) => test(name)).toReversed())
  return {
    openGraph: { ...openGraph, ...(images.length > 0 ? { images } : {}) },
    twitter: { ...(twitter.imageSrc ? { image: twitter.imageSrc } : {}), ...twitter },
    article: flatTags(pairs, "article:", "og:article:"),
    product: flatTags(pairs, "product:", "og:product:"),
    fb: flatTags(pairs, "fb:"),
    appLinks: flatTags(pairs, "al:"),
    verification: named((name) => verificationNames.includes(name)),
    dublinCore: named((name) => /^(?:dc|dcterms)[.:]\S+$/.test(name)),
    httpEquiv: headerMetas(meta),
    metaByName: firstContents(meta),
  }
}

function headerMetas(meta: MetaTags): Record<string, string> {
  const headers: Record<string, string> = {}
  for (const { httpEquiv, content } of meta.tags) {
    const name = httpEquiv?.trim().toLowerCase()
    if (name && content !== null) headers[name] ??= content
  }
  return headers
}

function firstContents(meta: MetaTags): Record<string, string> {
  return Object.fromEntries([...meta.byName].map(([name, contents]) => [name, contents[0]!]))
}

function linkRelations({ document, url }: UpstreamResponse) {
  const base = baseUrl(document, url)
  const alternates = [...document.querySelectorAll("link[rel~=alternate i][hreflang][href]")]
  return {
    icons: pageIcons(document, base),
    manifest: linkOf(document, "manifest", base),
    amphtml: linkOf(document, "amphtml", base),
    shortlink: linkOf(document, "shortlink", base),
    prev: linkOf(document, "prev", base) ?? linkOf(document, "previous", base),
    next: linkOf(document, "next", base),
    searchDescription: linkOf(document, "search", base),
    alternates: alternates.flatMap((link) => {
      const url = absoluteUrl(link.getAttribute("href"), base)
      const hreflang = link.getAttribute("hreflang")!.trim()
      return url === null || hreflang === "" ? [] : [{ hreflang, url: url }]
    }),
    feeds: announcedFeeds(document, url).map((feed) => ({
      url: feed.url,
      title: feed.title,
      type: feed.type,
    })),
    jsonLdTypes: [...new Set(readJsonLd(document).entities.flatMap(({ data }) => typesOf(data)))],
  }
}
