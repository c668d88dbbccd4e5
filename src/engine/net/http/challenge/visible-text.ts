/** Elements whose content is not visible. */
const unseen = new Set(["script", "style", "noscript", "template", "svg", "title", "textarea"])
/** Elements of pages with content. */
const content = new Set(["a", "p", "h1", "h2", "h3", "li", "td", "img", "article", "video"])

export interface Glimpse {
  /** Characters of visible text with collapsed white space, up to the limit. */
  text: number
  /** Number of links, paragraphs, headings and images. */
  content: number
}

/**
 * Estimates how much text is visible on a page: enough to distinguish a challenge or an app shell
 * from a page. Scans the markup once without parsing it, and stops after `limit` characters. The
 * texts are added to `texts`.
 */
export function glimpse(html: string, limit: number, texts: string[] = []): Glimpse {
  const seen: Glimpse = { text: 0, content: 0 }
  let at = 0
  while (at < html.length && seen.text < limit) {
    const open = html.indexOf("<", at)
    const end = open < 0 ? html.length : open
    const text = html.slice(at, Math.min(end, at + limit * 20))
    const length = visibleLength(text)
    if (length > 0) texts.push(text)
    seen.text += length
    if (open < 0) break
    at = skipTag(html, open, seen)
  }
  return seen
}

function visibleLength(text: string): number {
  const plain = text.includes("&")
    ? text.replace(/&(?:nbsp|#160|#xa0);/gi, " ").replace(/&#?\w{1,12};/g, "x")
    : text
  let length = 0
  let isAfterSpace = true
  for (let at = 0; at < plain.length; at++) {
    const isHere = isSpace(plain.charCodeAt(at))
    if (!isHere || !isAfterSpace) length++
    isAfterSpace = isHere
  }
  return isAfterSpace && length > 0 ? length - 1 : length
}

const rareSpaces = new Set([0xa0, 0x1680, 0x2028, 0x2029, 0x202f, 0x205f, 0x3000, 0xfeff])

/** White space as in regular expressions. */
function isSpace(code: number): boolean {
  if (code < 0xa0) return code === 32 || (code >= 9 && code <= 13)
  return (code >= 0x2000 && code <= 0x200a) || rareSpaces.has(code)
}

/** Returns the position after the tag, comment or invisible element that starts at `open`. */
function skipTag(html: string, open: number, seen: Glimpse): number {
  if (html.startsWith("<!--", open)) return after(html, "-->", open + 2)
  const name = nameAt(html, open + 1)
  const end = after(html, ">", open)
  if (name === undefined) return end
  if (content.has(name)) seen.content++
  if (!unseen.has(name)) return end
  const close = new RegExp(`</${name}`, "gi")
  close.lastIndex = end
  return close.test(html) ? after(html, ">", close.lastIndex) : html.length
}

const maxNameChars = 11

/**
 * Returns the letters and digits at the start of a tag's name, in lower case; undefined if no tag
 * starts here.
 */
function nameAt(html: string, start: number): string | undefined {
  let end = start
  while (end < start + maxNameChars && isNameChar(html.charCodeAt(end), end > start)) end++
  return end > start ? html.slice(start, end).toLowerCase() : undefined
}

function isNameChar(code: number, mayBeDigit: boolean): boolean {
  const lower = code | 0x20
  return (lower >= 0x61 && lower <= 0x7a) || (mayBeDigit && code >= 0x30 && code <= 0x39)
}

function after(html: string, what: string, from: number): number {
  const at = html.indexOf(what, from)
  return at < 0 ? html.length : at + what.length
}
