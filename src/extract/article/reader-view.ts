import { isProbablyReaderable, Readability } from "@mozilla/readability"
import { blockText } from "../core/index.ts"
import { embeddedBody } from "./embedded-body.ts"
import { isOrdinary } from "./ordinary.ts"

/** The content of a browser's reader view. */
export interface ReaderView {
  /** The page looks like an article. */
  readable: boolean
  title: string | null
  byline: string | null
  siteName: string | null
  excerpt: string | null
  /** ltr or rtl. */
  dir: string | null
  /** As the page writes it. */
  published: string | null
  text: string
}

/** Shorter text is rarely an article: the page is an app shell. */
const shellTextChars = 250

/**
 * Reads a page as Firefox's reader view does; for an app shell, the content that its scripts receive.
 *
 * @throws RangeError if the page is too large
 */
export function readerView(document: Document, pageUrl: string): ReaderView {
  const view = viewOf(document)
  const body = view.text.length < shellTextChars ? embeddedBody(document, pageUrl) : null
  if (!body) return view
  const filled = document.cloneNode(true) as Document
  filled.body.append(filled.importNode(body, true))
  const full = viewOf(filled)
  return full.text.length > view.text.length ? full : view
}

function viewOf(document: Document): ReaderView {
  if (!isOrdinary(document.body)) {
    throw new RangeError("The page has more elements, or deeper ones, than a reader view can read.")
  }
  const readable = isProbablyReaderable(document)
  const article = new Readability<Element>(document.cloneNode(true) as Document, {
    serializer: (node) => node as Element,
  }).parse()
  return {
    readable,
    title: article?.title || null,
    byline: article?.byline || null,
    siteName: article?.siteName || null,
    excerpt: article?.excerpt || null,
    dir: article?.dir || document.body.getAttribute("dir") || document.documentElement.dir || null,
    published: article?.publishedTime || null,
    text: blockText(article?.content ?? document.body),
  }
}
