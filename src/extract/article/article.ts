import { absoluteUrl, htmlToText, lineText, proseLines, textLines } from "../core/index.ts"
import { imageText, imageUrlOf, playerUrl } from "../page/index.ts"
import { type SchemaNode, type StructuredData, valuesOf } from "../structured/index.ts"
import { embeddedBody } from "./embedded-body.ts"
import { mainContent } from "./main-content.ts"
import type { PageType } from "./reading/page-type.ts"
import { unshownProduct } from "./unshown-product.ts"

export interface Article {
  /** In a copy of the page. */
  root: Element
  /** A line for each paragraph, heading and item, without the captions of images unless they are most of it. */
  text: string
  pageUrl: string
  pageType: PageType | null
}

/** The sources of an article, a part of those of a page's metadata. */
interface ArticleSources {
  document: Document
  /** After redirects. */
  pageUrl: string
  structured: StructuredData
  main: SchemaNode | null
}

/** Shorter text is rarely an article: the page is an app shell. */
const shellTextChars = 250
/** Captions of fewer characters in all are those of a few images. */
const captionedChars = 400

/**
 * Returns the article of a page: its content, or the text of its structured data if that is far longer.
 * For an app shell, it is the article that the scripts receive.
 *
 * @example
 * ```ts
 * const html = "<title>Tides</title><h1>Tides</h1><p>The moon pulls the sea.</p>"
 * readArticle(readSources(parseDocument(html), "https://a.example/")).text // "Tides\nThe moon pulls the sea."
 * ```
 */
export function readArticle(sources: ArticleSources): Article {
  const { document, pageUrl } = sources
  const { root, pageType } = mainContent(document, pageUrl)
  const text = [...linesOf(root), ...unshownDescription(document, pageUrl, pageType)].join("\n")
  const stated = statedBody(sources)
  const isLonger = stated !== null && stated.length > text.length * 1.5
  const article = { root, text: isLonger ? stated : text, pageUrl, pageType }
  if (article.text.length >= shellTextChars) return article
  const embedded = embeddedBody(document, pageUrl)
  if (!embedded) return article
  return { root: embedded, text: proseLines(embedded).join("\n"), pageUrl, pageType }
}

/** Captions are text if there is little else, as in a series of images. */
function linesOf(root: Element): string[] {
  const prose = proseLines(root)
  if (root.querySelector("figcaption") === null) return prose
  const all = textLines(root)
  const length = lengthOf(all)
  return length >= captionedChars && lengthOf(prose) < length / 3 ? all : prose
}

const lengthOf = (lines: readonly string[]) => lines.reduce((sum, line) => sum + line.length, 0)

/** Returns a shop's description of its product that is only in the page's data. */
function unshownDescription(
  document: Document,
  pageUrl: string,
  pageType: PageType | null,
): string[] {
  if (pageType !== "product") return []
  const paragraph = unshownProduct(document, pageUrl, {
    root: document.body,
    pageType,
  })?.querySelector(":scope > p")
  return paragraph ? proseLines(paragraph) : []
}

/** The text that structured data gives. */
function statedBody({ main, structured }: ArticleSources): string | null {
  const bodies = main ? valuesOf(structured, main, "articleBody") : []
  const body = bodies.find((value) => typeof value === "string")
  if (typeof body !== "string") return null
  const text = plainText(body)
  // Some sites escape the tags of their text a second time.
  return text !== null && beginsWithTag.test(text) ? plainText(text) : text
}

const beginsWithTag = /^<(?:p|div|h[1-6]|ul|ol|section|figure|span|strong|em)\b[^<>]*>/i
/** Links in Markdown, and the images of Condé Nast, whose sites write them there. */
const markdownLink = /\[([^[\]]*)\]\([^()\s]*\)(?:\{:[^{}]*\})?/g
const imageMark = /\[#image:[^[\]]*\](?:\|{3}[^|]*\|{3})?/g

const plainText = (html: string) =>
  htmlToText(html.replaceAll("\n", "<br>"))?.replace(markdownLink, "$1").replace(imageMark, "") ??
  null

export interface ArticleImage {
  url: string
  alt: string | null
  caption: string | null
}

/** The images in an article, each once, in order. */
export function articleImages(root: Element, base: string): ArticleImage[] {
  const images = new Map<string, ArticleImage>()
  for (const image of root.getElementsByTagName("img")) {
    const url = imageUrlOf(image, base)
    if (url === null || images.has(url)) continue
    const caption = image.closest("figure")?.querySelector("figcaption")
    images.set(url, {
      url,
      alt: imageText(image) || null,
      caption: (caption && lineText(caption)) || null,
    })
  }
  return [...images.values()]
}

/** The videos in an article: players of known hosts, and `video` elements. */
export function articleVideos(root: Element, base: string): string[] {
  const players = [...root.querySelectorAll("iframe, video, embed")]
  const addresses = players.map((element) => playerUrl(element, base))
  return [...new Set(addresses.filter((url) => url !== null))]
}

/** The links in an article, each URL once. */
export function articleLinks(root: Element, base: string): { url: string; text: string }[] {
  const links = new Map<string, string>()
  for (const link of root.querySelectorAll("a[href]")) {
    const href = link.getAttribute("href")!
    const address = href.startsWith("#") ? null : absoluteUrl(href, base)
    const text = lineText(link)
    if (address !== null && text !== "" && !links.has(address)) links.set(address, text)
  }
  return [...links].map(([url, text]) => ({ url, text }))
}

const unsafe =
  "script, style, form, input, button, select, textarea, object, embed, link, meta, base, template"

/** The HTML of an article without scripts, styles, forms and event handlers. Changes the article. */
export function cleanHtml(root: Element): string {
  for (const element of [...root.querySelectorAll(unsafe)]) element.remove()
  for (const element of root.querySelectorAll("*")) {
    for (const name of element.getAttributeNames()) {
      const isScript = /^\s*(?:javascript|vbscript|data:text)/i.test(
        element.getAttribute(name) ?? "",
      )
      if (name.startsWith("on") || name === "style" || name === "srcdoc" || isScript) {
        element.removeAttribute(name)
      }
    }
  }
  return root.innerHTML.trim()
}
