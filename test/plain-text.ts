/**
 * The judge's own reading of a page: its letters and signs without white space. It shares only the
 * HTML parser with the code under test, so a fault cannot be on both sides of a comparison.
 */

/** Elements whose content no browser draws as text of the page. */
const undrawn =
  "script, style, template, head, title, link, meta, object, embed, canvas, svg, iframe, frame, " +
  "noframes, noembed, audio, video, source, track, select, datalist, textarea, input, param, map, area"

const meansSwallowed = (element: Element) =>
  ["class", "id", "title", "aria-label"].map((name) => element.getAttribute(name) ?? "").join(" ")
const swallowedPage = 500
const maxSign = 2
const maxButton = 30
const textOf = (element: Element) => element.textContent!.trim()

/** A `noscript` that was never closed holds the page itself. */
const isShort = (noscript: Element) =>
  !noscript.querySelector("p") || textOf(noscript).length < swallowedPage

function isHidden(element: Element): boolean {
  if (element.localName === "noscript") return isShort(element)
  const style = (element.getAttribute("style") ?? "").toLowerCase().replace(/\s/g, "")
  return (
    (element.hasAttribute("hidden") && element.getAttribute("hidden") !== "until-found") ||
    element.getAttribute("aria-hidden") === "true" ||
    /(?:^|;)(?:display:none|visibility:hidden)/.test(style)
  )
}

/** Controls next to a page's text: the link of a heading, an edit link, a copy button. */
function isTool(element: Element): boolean {
  if (element.localName === "button") {
    const text = textOf(element)
    return (
      text.length <= maxButton &&
      /(?:^|[\s_-])copy|clipboard/i.test(`${meansSwallowed(element)} ${text}`)
    )
  }
  if (/(?:^|\s)(?:mw-)?editsection(?:\s|$)/.test(element.className)) return true
  if (element.localName !== "a" || textOf(element).length > maxSign) return false
  const names =
    /(?:^|\s)(?:headerlink|header-anchor|anchor|anchorjs-link|permalink|hash-link)(?:\s|$)/
  if (names.test(element.className)) return true
  return (
    element.getAttribute("href")?.includes("#") === true && /^[#¶§∞🔗⚓]?$/u.test(textOf(element))
  )
}

/**
 * Returns line numbers next to code: elements that look alike and contain consecutive numbers only.
 */
function lineNumbers(root: Element): Element[] {
  const columns = new Map<string, Element[]>()
  const blocks = root.querySelectorAll("pre, code, table")
  for (const [at, block] of [...blocks].entries()) {
    for (const element of block.querySelectorAll("[class]")) {
      if (!/^\d+(?:\s+\d+)*$/.test(textOf(element))) continue
      const look = `${at} ${element.localName}.${element.className}`
      columns.set(look, [...(columns.get(look) ?? []), element])
    }
  }
  return [...columns.values()].filter(isCounting).flat()
}

function isCounting(column: Element[]): boolean {
  const looksIt = /\bl(?:ine)?-?n(?:o|um|t|$)|gutter|\bln\b|nums?\b/i.test(column[0]!.className)
  const numbers = column.flatMap((element) => textOf(element).split(/\s+/).map(Number))
  return looksIt && numbers.every((number, at) => at === 0 || number === numbers[at - 1]! + 1)
}

/** Returns a copy of a part of a page with only the text that readers see. */
export function readPart(root: Element): Element {
  const copy = root.cloneNode(true) as Element
  for (const element of copy.querySelectorAll(undrawn)) element.remove()
  for (const element of lineNumbers(copy)) element.remove()
  for (const element of [...copy.querySelectorAll("*")]) {
    if (isHidden(element) || isTool(element)) element.remove()
  }
  return copy
}

/** Returns the text of a part of a page without white space and characters without width. */
export const plainText = (root: Element): string =>
  readPart(root).textContent!.replace(/[\s\p{Cc}\u00ad\u200b\u2060\ufeff]+/gu, "")
