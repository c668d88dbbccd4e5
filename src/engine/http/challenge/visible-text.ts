/** Elements whose content nobody sees. */
const unseen = new Set(["script", "style", "noscript", "template", "svg", "title", "textarea"])
/** Elements that a page with something to say has. */
const content = new Set(["a", "p", "h1", "h2", "h3", "li", "td", "img", "article", "video"])

export interface Glimpse {
  /** Characters of visible text, white space collapsed; no more than the limit are counted. */
  text: number
  /** Links, paragraphs, headings, pictures and the like. */
  content: number
}

/**
 * How much there is to see on a page, roughly: enough to tell a wall or a shell from a page. Goes
 * once through the markup without parsing it, and stops when `limit` characters were counted. The
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
  return plain.replace(/\s+/g, " ").trim().length
}

/** The place after the tag, comment or unseen element that begins at `open`. */
function skipTag(html: string, open: number, seen: Glimpse): number {
  if (html.startsWith("<!--", open)) return after(html, "-->", open + 2)
  const name = /^[a-z][a-z0-9]{0,10}/i.exec(html.slice(open + 1, open + 13))?.[0].toLowerCase()
  const end = after(html, ">", open)
  if (name === undefined) return end
  if (content.has(name)) seen.content++
  if (!unseen.has(name)) return end
  const close = new RegExp(`</${name}`, "gi")
  close.lastIndex = end
  return close.test(html) ? after(html, ">", close.lastIndex) : html.length
}

function after(html: string, what: string, from: number): number {
  const at = html.indexOf(what, from)
  return at < 0 ? html.length : at + what.length
}
