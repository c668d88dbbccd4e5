import { absoluteUrl, baseUrl, distinct, foldSpace, textOrNull } from "../../extract/core/index.ts"
import { canonicalUrl } from "../../extract/links/index.ts"
import { pageDate } from "../../extract/metadata/index.ts"
import {
  documentTitle,
  favicon,
  flatTags,
  type MediaObject,
  type MetaTags,
  mediaObjects,
  metaPairs,
  nestedTags,
  readMeta,
} from "../../extract/page/index.ts"
import {
  nodesOfType,
  readStructuredData,
  type StructuredData,
  valuesOf,
  valueUrl,
} from "../../extract/structured/index.ts"
import {
  defineScraper,
  field,
  items,
  nullable,
  pageUrls,
  readOnce,
  record,
  recordOf,
  type UpstreamResponse,
} from "../kit/index.ts"
import { mediaFields, metaTag } from "./page/meta.ts"
import { onePageEach, openPage, pageFacts, pageFields, requireWhole } from "./page/open.ts"
import { challengeOf } from "./page/readable.ts"

const tags = (name: string, description: string) =>
  field.of(nullable(items.valuesByName(description)), ({ pairs }: Page) => nestedTags(pairs, name))

const card = record({
  card: items.text("Kind of card, for example summary_large_image."),
  site: items.text("Account of the site, for example @github."),
  siteId: items.text("Numeric ID of the site's account."),
  creator: items.text("Account of the author, for example @github."),
  title: items.text("Title of the card."),
  description: items.text("Description of the card."),
  image: items.text("URL of the card's image."),
  imageAlt: items.text("Alternative text of the image."),
  player: items.object("Video or audio player of the card.", {
    url: items.requiredText("URL of the player."),
    width: items.integer("Width of the player, in pixels."),
    height: items.integer("Height of the player, in pixels."),
  }),
  app: nullable(
    items.valuesByName("Tags of twitter:app:*, for example the IDs of the app in the stores."),
  ),
  labels: items.objects("Additional labels with their values, at most four.", {
    label: items.requiredText("Name of the label, for example Reading time."),
    data: items.text("Value of the label, for example 5 minutes."),
  }),
})

interface Page {
  meta: MetaTags
  pairs: [string, string][]
}

const item = recordOf<Page>()({
  hasOpenGraph: items.requiredBoolean("Whether the page has at least one og: tag."),
  title: items.text("og:title, else the title of the Twitter card or the page."),
  type: field.text(metaTag("og:type"), "og:type, for example article."),
  description: items.text("og:description, else the description of the Twitter card or the page."),
  ogUrl: items.text("og:url: permanent URL of the page."),
  canonicalUrl: items.text("Canonical URL in the page's metadata."),
  siteName: items.text("og:site_name, else the name of the application."),
  locale: field.text(metaTag("og:locale"), "og:locale, for example en_US."),
  localeAlternates: items.texts("og:locale:alternate: other locales of the page."),
  determiner: field.text(
    metaTag("og:determiner"),
    "og:determiner: the word before the title in a sentence.",
  ),
  imageUrl: items.text("URL of the image that a preview displays."),
  images: items.objects("Open Graph images.", mediaFields("file")),
  videos: items.objects("Open Graph videos.", mediaFields("file")),
  audio: items.objects("Open Graph audio files.", mediaFields("file")),
  article: items.object("Tags of article:*.", {
    publishedTime: items.text("Time of publication (ISO 8601)."),
    modifiedTime: items.text("Time of the last change (ISO 8601)."),
    expirationTime: items.text("Time after which the article is out of date (ISO 8601)."),
    authors: items.texts("Authors: names or URLs of profiles."),
    section: items.text("Section of the site to which the article belongs."),
    tags: items.texts("Tags of the article."),
    publisher: items.text("Publisher: a name or the URL of a profile."),
  }),
  book: tags("book", "Tags of book:*."),
  profile: tags("profile", "Tags of profile:*."),
  music: tags("music", "Tags of music:*."),
  video: tags("video", "Tags of video:*."),
  product: tags("product", "Tags of product:*; product:price:amount is price.amount."),
  twitter: items.requiredObject("Tags of the Twitter card.", card.fields),
  facebook: items.requiredObject("Tags of fb:*.", {
    appId: items.text("ID of the site's Facebook app."),
    admins: items.text("IDs of the Facebook users who administer the page, comma-separated."),
    pages: items.text("IDs of the site's Facebook pages, comma-separated."),
  }),
  favicon: items.text("URL of the first icon."),
  logoUrl: items.text("URL of the site's logo."),
  themeColor: field.text(metaTag("theme-color"), "Theme colour, as written."),
  oembed: items.objects("URLs of the page's oEmbed descriptions.", {
    url: items.requiredText("URL of the description."),
    type: items.requiredText("Media type of the description."),
  }),
  raw: items.listsByName("All values of each such tag."),
  missing: items.texts("Required tags that are missing: og:title, og:type, og:image or og:url."),
})

const required = ["og:title", "og:type", "og:image", "og:url"]
const rawPrefixes = /^(?:og|twitter|article|book|profile|music|video|product|fb|al):/

export default defineScraper({
  slug: "opengraph-scraper",
  name: "Open Graph",
  tagline: "Link-preview data: Open Graph and Twitter cards of any URL.",
  category: "web",
  fetchMethods: ["http", "browser-http", "browser"],
  input: { urls: pageUrls(1000) },
  item: { ...pageFields, ...item.fields },
  example: { urls: ["https://ogp.me"] },
  probe: {
    expect: [
      "items.length equals 1",
      "items[0].hasOpenGraph equals true",
      'items[0].title matches "open graph protocol"',
      'items[0].type equals "website"',
      'items[0].imageUrl matches "^https?://"',
    ],
  },
  ...onePageEach,

  async *scrape(target, ctx) {
    const has = (response: UpstreamResponse) =>
      challengeOf(response) === null && isDescribed(previewOf(response))
    const { url, response } = await openPage(target, ctx, { has, what: "Open Graph tags" })
    const preview = previewOf(response)
    if (!isDescribed(preview)) requireWhole(response)
    yield { ...pageFacts({ url, response }), ...preview }
  },
})

const previewOf = readOnce(readPreview)

const isDescribed = ({ raw, description }: ReturnType<typeof readPreview>) =>
  Object.keys(raw).length > 0 || description !== null

function readPreview({ document, url }: UpstreamResponse) {
  const meta = readMeta(document)
  const base = baseUrl(document, url)
  const pairs = metaPairs(meta)
  const names = new Set(pairs.map(([name]) => name))
  const contentOf = (...names: string[]) => textOrNull(metaTag(...names)({ meta }))
  const images = mediaObjects(pairs, "image", base)
  const video = mediaObjects(pairs, "video", base)
  const twitter = twitterCard(pairs, base)
  const structured = readStructuredData(document, url)
  return item.read({
    meta,
    pairs,
    hasOpenGraph: [...names].some((name) => name.startsWith("og:")),
    title: contentOf("og:title", "twitter:title") ?? documentTitle(document),
    description: contentOf("og:description", "twitter:description", "description"),
    ogUrl: absoluteUrl(contentOf("og:url"), base),
    canonicalUrl: canonicalUrl(document, url),
    siteName: contentOf("og:site_name", "application-name"),
    localeAlternates: meta.byName.get("og:locale:alternate")?.map(foldSpace) ?? [],
    imageUrl: visibleImage(images) ?? twitter.image,
    images,
    videos: video,
    audio: mediaObjects(pairs, "audio", base),
    article: articleTags(pairs),
    twitter,
    facebook: {
      appId: contentOf("fb:app_id"),
      admins: contentOf("fb:admins"),
      pages: contentOf("fb:pages"),
    },
    favicon: favicon(document, base),
    logoUrl: absoluteUrl(contentOf("og:logo"), base) ?? siteLogo(structured, base),
    oembed: oembedLinks(document, base),
    raw: rawTags(pairs),
    missing: required.filter((name) => !names.has(name)),
  })
}

/** Returns the first image whose URL is not only a home page. */
function visibleImage(images: MediaObject[]): string | null {
  const visible = images.find((image) => new URL(image.url).pathname !== "/") ?? images[0]
  return visible ? (visible.secureUrl ?? visible.url) : null
}

function articleTags(pairs: [string, string][]) {
  if (!pairs.some(([name]) => /^(?:og:)?article:/.test(name))) return null
  const all = (name: string) => {
    const names = [`article:${name}`, `og:article:${name}`]
    return distinct(pairs.filter(([own]) => names.includes(own)).map(([, content]) => content))
  }
  return {
    publishedTime: pageDate(all("published_time")[0]),
    modifiedTime: pageDate(all("modified_time")[0]),
    expirationTime: pageDate(all("expiration_time")[0]),
    authors: all("author"),
    section: all("section")[0] ?? null,
    tags: all("tag"),
    publisher: all("publisher")[0] ?? null,
  }
}

function twitterCard(pairs: [string, string][], base: string) {
  const flat = flatTags(pairs, "twitter:")
  const nested = nestedTags(pairs, "twitter") ?? {}
  const player = absoluteUrl(flat.player ?? flat.playerUrl, base)
  const pixels = (text: string | undefined) => Number.parseInt(text ?? "", 10) || null
  return card.read({
    ...flat,
    image: absoluteUrl(flat.image ?? flat.imageSrc ?? flat.image0, base),
    player:
      player === null
        ? null
        : { url: player, width: pixels(flat.playerWidth), height: pixels(flat.playerHeight) },
    app: typeof nested.app === "object" && !Array.isArray(nested.app) ? nested.app : null,
    labels: [1, 2, 3, 4].flatMap((number) => {
      const label = flat[`label${number}`]
      return label === undefined ? [] : [{ label, data: flat[`data${number}`] ?? null }]
    }),
  })
}

function siteLogo(structured: StructuredData, base: string): string | null {
  const owners = nodesOfType(structured, "Organization", "NewsMediaOrganization", "Corporation")
  const logos = owners.map((owner) => valueUrl(valuesOf(structured, owner, "logo")[0] ?? null))
  return logos.map((logo) => absoluteUrl(logo, base)).find((logo) => logo !== null) ?? null
}

function oembedLinks(document: Document, base: string) {
  const links = document.querySelectorAll("link[type='application/json+oembed' i][href]")
  return [...links].flatMap((link) => {
    const url = absoluteUrl(link.getAttribute("href"), base)
    return url === null ? [] : [{ url, type: link.getAttribute("type")!.toLowerCase() }]
  })
}

function rawTags(pairs: [string, string][]): Record<string, string[]> {
  const raw: Record<string, string[]> = {}
  for (const [name, content] of pairs) {
    if (!rawPrefixes.test(name)) continue
    raw[name] ??= []
    raw[name].push(content)
  }
  return raw
}
