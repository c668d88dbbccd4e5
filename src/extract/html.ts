import { parseHTML } from "linkedom"
import { foldSpace } from "./text.ts"

/**
 * Parses a page into a document. linkedom keeps attribute names as written, so capitals are
 * lowered here once (`<A HREF>` is found as `href`), and text without any element becomes a body.
 */
export function parseDocument(html: string): Document {
  const source = /<(?:!doctype|html|head|body)\b/i.test(html.slice(0, 4096))
    ? html
    : `<!doctype html><html><head></head><body>${html}</body></html>`
  const { document } = parseHTML(source)
  return document as unknown as Document
}

/** The text of an element, white space folded; null when there is none. */
export function textOf(element: Element | null | undefined): string | null {
  const text = foldSpace(element?.textContent ?? "")
  return text === "" ? null : text
}

/** `address` made absolute against `base`; null when it is no http(s) address. */
export function absoluteUrl(address: string | null | undefined, base: string): string | null {
  if (!address) return null
  try {
    const url = new URL(address.trim(), base)
    return url.protocol === "http:" || url.protocol === "https:" ? url.href : null
  } catch {
    return null
  }
}

/** The address against which a page's relative addresses count: `<base href>`, else the page's. */
export function baseUrl(document: Document, pageUrl: string): string {
  return absoluteUrl(document.querySelector("base[href]")?.getAttribute("href"), pageUrl) ?? pageUrl
}
