import {
  absoluteUrl,
  baseUrl,
  countWords,
  distinct,
  foldSpace,
  linkWithRel,
  textLines,
  textOf,
} from "../core/index.ts"
import { canonicalUrls, normaliseUrl, sameSite } from "../links/index.ts"
import {
  favicon,
  guessLanguage,
  linkOf,
  type MetaTags,
  metaContent,
  readMeta,
} from "../page/index.ts"
import { allEntities, readStructuredData, typesOf } from "../structured/index.ts"
import { frequentTerms, pixelWidth, readingEase } from "./text.ts"

export interface SeoInput {
  document: Document
  /** After redirects. */
  url: string
  headers: Headers
  status: number
  html: string
}

export type SeoPage = ReturnType<typeof readSeoPage>

/**
 * Returns the parts of a page that search engines evaluate.
 *
 * @example
 * ```ts
 * const html = "<title>Tides</title><p>The moon pulls the sea."
 * const response = { url: "https://a.example/", headers: new Headers(), status: 200, html }
 * readSeoPage({ document: parseDocument(html), ...response }).title.text // "Tides"
 * ```
 */
export function readSeoPage({ document, url, headers, status, html }: SeoInput) {
  const meta = readMeta(document)
  const base = baseUrl(document, url)
  const lines = document.body ? textLines(document.body) : []
  const text = lines.join("\n")
  const canonical = canonicalOf(document, url, headers)
  const robots = robotsOf(meta)
  const xRobotsTag = headers.get("x-robots-tag")
  const language = document.documentElement?.getAttribute("lang")?.trim() || null
  const forbidden = [robots, xRobotsTag].some((words) => forbidsIndex(words))
  return {
    title: titleOf(document),
    titleTags: titleElements(document).length,
    metaDescription: measured(metaContent(meta, "description")),
    canonical,
    robots,
    xRobotsTag,
    noindex: forbidden,
    indexable: status === 200 && !forbidden && canonical.selfReferencing !== false,
    language,
    charset: charsetOf(document, headers),
    viewport: metaContent(meta, "viewport"),
    favicon: favicon(document, base),
    amphtml: linkOf(document, "amphtml", base),
    hreflang: hreflangOf(document, base),
    headings: headingsOf(document),
    content: contentOf(document, text, html, language),
    keywords: frequentTerms(text),
    links: linksOf(document, url, base),
    images: imagesOf(document),
    openGraph: openGraphOf(meta, base),
    twitter: {
      card: metaContent(meta, "twitter:card"),
      title: metaContent(meta, "twitter:title"),
      image: absoluteUrl(metaContent(meta, "twitter:image", "twitter:image:src"), base),
    },
    structuredData: structuredDataOf(document, url),
    resources: resourcesOf(document),
    mixedContent: url.startsWith("https:") ? insecureResources(document, base) : [],
    emptyRoot:
      document.querySelector("#root:empty, #app:empty, #__next:empty, app-root:empty") !== null,
  }
}

/** An SVG has titles of its own. */
const titleElements = (document: Document) =>
  [...document.getElementsByTagName("title")].filter((title) => !title.closest("svg"))

function titleOf(document: Document) {
  const elements = titleElements(document)
  const own = elements.find((title) => title.parentElement?.localName === "head") ?? elements[0]
  const text = textOf(own)
  return { ...measured(text), pixelWidth: pixelWidth(text ?? "") }
}

/** Length in characters, as readers count them. */
function measured(written: string | null) {
  const text = written === null ? null : foldSpace(written) || null
  return { text, length: [...(text ?? "")].length }
}

function canonicalOf(document: Document, url: string, headers: Headers) {
  const header = absoluteUrl(linkWithRel(headers.get("link"), "canonical"), url)
  const elements = [...document.querySelectorAll("link[rel~=canonical i][href]")]
  const addresses = canonicalUrls(document, url)
  const first = addresses[0] ?? header
  return {
    url: first,
    selfReferencing: first === null ? null : normaliseUrl(first) === normaliseUrl(url),
    count: elements.length + (header === null ? 0 : 1),
    differ: distinct([...addresses, ...(header === null ? [] : [header])]).length > 1,
  }
}

function robotsOf(meta: MetaTags): string | null {
  const written = ["robots", "googlebot"].flatMap((name) => meta.byName.get(name) ?? [])
  return distinct(written.map(foldSpace)).join(", ") || null
}

/** `none` is `noindex, nofollow`; limits such as `max-snippet:-1` forbid nothing. */
const forbidsIndex = (words: string | null) =>
  (words ?? "").split(/[\s,;]+/).some((word) => /^(?:noindex|none)$/i.test(word))

function charsetOf(document: Document, headers: Headers): string | null {
  const header = /charset\s*=\s*["']?([^\s"';]+)/i.exec(headers.get("content-type") ?? "")?.[1]
  const element = document.querySelector("meta[charset]")?.getAttribute("charset")
  const old = document.querySelector("meta[http-equiv=content-type i]")?.getAttribute("content")
  const written = header ?? element ?? /charset\s*=\s*([^\s;]+)/i.exec(old ?? "")?.[1]
  return written?.trim().toLowerCase() || null
}

function hreflangOf(document: Document, base: string) {
  return [...document.querySelectorAll("link[rel~=alternate i][hreflang][href]")].flatMap(
    (link) => {
      const url = absoluteUrl(link.getAttribute("href"), base)
      return url ? [{ hreflang: link.getAttribute("hreflang")!.trim(), url }] : []
    },
  )
}

const levels = ["h1", "h2", "h3", "h4", "h5", "h6"] as const

/** Headings by level; the alternative text of an image counts, and an empty heading does too. */
function headingsOf(document: Document) {
  const headings: Record<(typeof levels)[number], string[]> = {
    h1: [],
    h2: [],
    h3: [],
    h4: [],
    h5: [],
    h6: [],
  }
  const order: number[] = []
  for (const element of document.querySelectorAll(levels.join(", "))) {
    const name = element.localName as (typeof levels)[number]
    const photo = element.querySelector("img[alt]")?.getAttribute("alt")?.trim()
    headings[name].push(textOf(element) ?? photo ?? "")
    order.push(Number(name[1]))
  }
  return { ...headings, order }
}

function contentOf(document: Document, text: string, html: string, language: string | null) {
  const isEnglish = language ? /^en\b/i.test(language) : guessLanguage(document) === "en"
  return {
    wordCount: countWords(text),
    textToHtmlRatio: html.length === 0 ? 0 : Math.round((text.length / html.length) * 1000) / 1000,
    readability: isEnglish ? readingEase(text) : null,
  }
}

function linksOf(document: Document, url: string, base: string) {
  const links = { internal: 0, external: 0, nofollow: 0, emptyAnchor: 0, unique: 0 }
  const addresses = new Set<string>()
  let nofollowInternal = 0
  for (const anchor of document.querySelectorAll("a[href]")) {
    const written = anchor.getAttribute("href")!.trim()
    const href = /^(?:#|javascript:)/i.test(written) ? null : absoluteUrl(written, base)
    if (href === null) continue
    const internal = sameSite(href, url)
    const nofollow = /(?:^|\s)nofollow(?:\s|$)/i.test(anchor.getAttribute("rel") ?? "")
    links[internal ? "internal" : "external"]++
    if (nofollow) links.nofollow++
    if (nofollow && internal) nofollowInternal++
    if (isEmptyAnchor(anchor)) links.emptyAnchor++
    addresses.add(normaliseUrl(href))
  }
  return { ...links, unique: addresses.size, nofollowInternal }
}

/** Nothing that a reader, or a screen reader, could follow. */
const isEmptyAnchor = (anchor: Element) =>
  textOf(anchor) === null &&
  !anchor.getAttribute("aria-label")?.trim() &&
  !anchor.getAttribute("title")?.trim() &&
  !anchor.querySelector("img[alt]:not([alt='']), svg title")

function imagesOf(document: Document) {
  const images = [...document.querySelectorAll("img")]
  const count = (test: (image: Element) => boolean) => images.filter(test).length
  return {
    total: images.length,
    missingAlt: count((image) => !image.hasAttribute("alt")),
    emptyAlt: count((image) => image.getAttribute("alt")?.trim() === ""),
    missingSize: count((image) => !image.hasAttribute("width") || !image.hasAttribute("height")),
    lazy: count(
      (image) =>
        image.getAttribute("loading")?.toLowerCase() === "lazy" ||
        image.hasAttribute("data-src") ||
        image.hasAttribute("data-lazy-src"),
    ),
  }
}

function openGraphOf(meta: MetaTags, base: string) {
  const isOpenGraph = ({ property, name }: { property: string | null; name: string | null }) =>
    /^og:/i.test((property ?? name ?? "").trim())
  return {
    count: meta.tags.filter(isOpenGraph).length,
    title: metaContent(meta, "og:title"),
    description: metaContent(meta, "og:description"),
    image: absoluteUrl(metaContent(meta, "og:image:secure_url", "og:image"), base),
    type: metaContent(meta, "og:type"),
    url: metaContent(meta, "og:url"),
  }
}

const visibleCharacters = 120

function structuredDataOf(document: Document, url: string) {
  const data = readStructuredData(document, url)
  const entities = allEntities(data)
  return {
    types: distinct(entities.flatMap((entity) => typesOf(entity.data))),
    formats: distinct(entities.map((entity) => entity.format as string)),
    errors: [
      ...data.unreadable.map((block) => `not JSON: ${block.slice(0, visibleCharacters)}`),
      ...(data.jsonLd.some((entity) => !entity.valid)
        ? ["JSON-LD that only a repair made readable"]
        : []),
    ],
  }
}

function resourcesOf(document: Document) {
  const count = (selector: string) => document.querySelectorAll(selector).length
  const scripts = [...document.querySelectorAll("script")]
  const isData = (script: Element) => /json|template/i.test(script.getAttribute("type") ?? "")
  return {
    scripts: scripts.filter((script) => script.hasAttribute("src")).length,
    stylesheets: count("link[rel~=stylesheet i][href]"),
    inlineScripts: scripts.filter((script) => !script.hasAttribute("src") && !isData(script))
      .length,
    inlineStyles: count("style"),
    blockingScripts: count("head script[src]:not([async]):not([defer]):not([type=module i])"),
  }
}

const loading =
  "script[src], link[rel~=stylesheet i][href], img[src], iframe[src], source[src], video[src], " +
  "audio[src], embed[src]"

/** Returns the resources that a secure page loads without encryption. */
function insecureResources(document: Document, base: string): string[] {
  const addresses = [...document.querySelectorAll(loading)].map((element) =>
    absoluteUrl(element.getAttribute("src") ?? element.getAttribute("href"), base),
  )
  return distinct(addresses.filter((url) => url?.startsWith("http:") === true) as string[])
}
