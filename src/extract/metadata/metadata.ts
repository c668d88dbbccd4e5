import { absoluteUrl, foldSpace, textOrNull } from "../core/index.ts"
import { canonicalUrl } from "../links/index.ts"
import { guessLanguage, type MetaTags, metaContent } from "../page/index.ts"
import { nodesOfType, textAt, valuesOf, valueUrl } from "../structured/index.ts"
import { readAuthors } from "./author.ts"
import type { PageSources } from "./page-sources.ts"
import { modifiedAt, publishedAt } from "./published.ts"
import { titleOf } from "./title.ts"

export interface PageMetadata {
  title: string | null
  description: string | null
  /** Several names are joined by ", ". */
  author: string | null
  /** ISO 8601 UTC, or `YYYY-MM-DD` if the page states no time. */
  publishedAt: string | null
  updatedAt: string | null
  siteName: string | null
  language: string | null
  /** Absolute. */
  imageUrl: string | null
  canonicalUrl: string | null
  keywords: string[]
}

/**
 * Returns the metadata of a page, each value from the most reliable source that has it.
 *
 * @example
 * ```ts
 * readMetadata(readSources(parseDocument("<title>Tides</title>"), "https://a.example/")).title // "Tides"
 * ```
 */
export function readMetadata(sources: PageSources): PageMetadata {
  return readSome(sources, ...allNames)
}

/**
 * Returns some of the metadata of a page. Authors and the date of publication take a third of the time of
 * a whole read, so do not ask for them without need.
 *
 * @example
 * ```ts
 * readSome(readSources(parseDocument("<title>Tides</title>"), "https://a.example/"), "title") // { title: "Tides" }
 * ```
 */
export function readSome<Name extends keyof PageMetadata>(
  sources: PageSources,
  ...names: readonly Name[]
): Pick<PageMetadata, Name> {
  let known: string | undefined
  const siteName = () => {
    known ??= siteNameOf(sources)
    return known
  }
  const values = names.map((name) => [name, readers[name](sources, siteName)])
  return Object.fromEntries(values) as Pick<PageMetadata, Name>
}

type Readers = {
  [Name in keyof PageMetadata]: (sources: PageSources, siteName: () => string) => PageMetadata[Name]
}

const readers: Readers = {
  title: (sources, siteName) => titleOf(sources, siteName()),
  description: descriptionOf,
  author: (sources, siteName) => {
    const authors = readAuthors(sources, siteName())
    return authors.length > 0 ? authors.map((author) => author.name).join(", ") : null
  },
  publishedAt,
  updatedAt: modifiedAt,
  siteName: (_, siteName) => siteName(),
  language: languageOf,
  imageUrl: imageOf,
  canonicalUrl: ({ document, pageUrl }) => canonicalUrl(document, pageUrl),
  keywords: ({ meta }) => keywordsOf(meta),
}
const allNames = Object.keys(readers) as (keyof PageMetadata)[]

function descriptionOf({ meta, main, structured }: PageSources): string | null {
  const written = metaContent(meta, "description", "og:description", "twitter:description")
  return titleOrText(written) ?? (main ? textAt(structured, main, "description") : null)
}

/** Folded, its entities already decoded by the parser. */
function titleOrText(content: string | null): string | null {
  return content === null ? null : textOrNull(foldSpace(content))
}

export function siteNameOf({ meta, main, structured, webPage, pageUrl }: PageSources): string {
  const named = titleOrText(metaContent(meta, "og:site_name"))
  if (named) return named
  for (const node of [main, webPage]) {
    const publisher = node && textAt(structured, node, "publisher")
    if (publisher) return publisher
  }
  const site = nodesOfType(structured, "WebSite")[0]
  return (
    (site && textAt(structured, site, "name")) ??
    titleOrText(metaContent(meta, "application-name")) ??
    new URL(pageUrl).host.replace(/^www\./, "")
  )
}

function languageOf({ document, meta }: PageSources): string | null {
  const declared = document.documentElement.getAttribute("lang")?.trim()
  if (declared) return declared
  const header = [...document.querySelectorAll("meta[http-equiv=content-language i]")]
    .map((element) => element.getAttribute("content")?.trim())
    .find(Boolean)
  const named = header ?? metaContent(meta, "content-language", "language")?.trim()
  if (named && /^[a-z]{2,3}(?:[-_][a-z0-9]+)*$/i.test(named)) return named
  const locale = metaContent(meta, "og:locale")?.trim()
  return locale ? locale.replace("_", "-") : guessLanguage(document)
}

function imageOf(sources: PageSources): string | null {
  for (const candidate of imagesOf(sources)) {
    const url = absoluteUrl(candidate, sources.base)
    if (url !== null) return url
  }
  return null
}

/** Yields images, the most reliable first; the others are searched only if these are not URLs. */
function* imagesOf({ main, structured, meta, document }: PageSources): Generator<string | null> {
  if (main) yield* valuesOf(structured, main, "image").map(valueUrl)
  yield metaContent(meta, "og:image:secure_url", "og:image", "og:image:url")
  yield metaContent(meta, "twitter:image", "twitter:image:src")
  yield document.querySelector("link[rel~=image_src i][href]")?.getAttribute("href") ?? null
  yield largeImage(document)
}

const largeImagePixels = 200

function largeImage(document: Document): string | null {
  const images = document.querySelectorAll("article img, main img, [role=main] img")
  for (const image of images) {
    const [width, height] = ["width", "height"].map((name) => Number(image.getAttribute(name)))
    if (width! >= largeImagePixels && height! >= largeImagePixels) {
      return image.getAttribute("src") ?? image.getAttribute("data-src")
    }
  }
  return null
}

/** The list of `<meta name=keywords>`, split at commas and semicolons. */
export function keywordsOf(meta: MetaTags): string[] {
  const content = metaContent(meta, "keywords", "news_keywords") ?? ""
  const words = content.split(/[,;،、]/).map(foldSpace)
  return [...new Set(words.filter((word) => word !== ""))]
}
