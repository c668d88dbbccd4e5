import { attributeType, linked, nextKey, valueKey } from "./linked-nodes.ts"
import { wordSet } from "./word-table.ts"

/** Elements that never show text of the page. */
const invisible = wordSet(`
  area audio base basefont bgsound canvas col colgroup datalist embed frame frameset head iframe
  input link map meta noembed noframes object param script select source style svg template textarea
  title track video
`)

const hidingStyle = /(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*hidden)/i

/** Returns whether an element hides its content by an attribute or inline style of its own. */
export function isHidden(element: Element): boolean {
  let isHiding = false
  let node = linked(element)[nextKey]!
  for (; node.nodeType === attributeType; node = node[nextKey]!) {
    const { localName } = node
    const value = () => node[valueKey] as unknown as string
    if (localName === "hidden") return value().toLowerCase() !== "until-found"
    if (localName === "aria-hidden") isHiding ||= value().toLowerCase() === "true"
    else if (localName === "style") isHiding ||= hidingStyle.test(value())
  }
  return isHiding
}

/** A `noscript` this long is the page itself: it was never closed. */
const swallowedPageChars = 500

/** Returns whether readers see nothing of an element. Images and players have no text. */
export function isUnseen(element: Element): boolean {
  const name = element.localName
  if (invisible.has(name)) return true
  if (name === "noscript") {
    return !hasParagraph(element) || lengthWithoutStyles(element) < swallowedPageChars
  }
  return isHidden(element)
}

function lengthWithoutStyles(element: Element): number {
  const styles = [...element.getElementsByTagName("style")]
  const length = element.textContent!.trim().length
  return styles.reduce((left, style) => left - style.textContent!.length, length)
}

function hasParagraph(parent: Element): boolean {
  for (let child = parent.firstElementChild; child; child = child.nextElementSibling) {
    if (child.localName === "p" || hasParagraph(child)) return true
  }
  return false
}

const blockNames = wordSet(`
  address article aside blockquote body caption center dd details dialog dir div dl dt fieldset
  figcaption figure footer form frameset h1 h2 h3 h4 h5 h6 header hgroup hr html legend li main menu
  nav noscript ol optgroup option p pre search section summary table tbody td tfoot th thead tr ul
`)

/** Returns whether an element starts a new line. */
export function isBlock(element: Element): boolean {
  return blockNames.has(element.localName)
}

/** Zero-width characters that no script needs for spelling: soft hyphens, zero-width spaces. */
export const zeroWidth = /[\u00ad\u200b\u2060\ufeff]/g
