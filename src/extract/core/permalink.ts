import { briefText } from "./brief-text.ts"
import { elementsWhere } from "./html.ts"

const permalinkClasses = new Set([
  "headerlink",
  "header-anchor",
  "anchor",
  "permalink",
  "anchorjs-link",
  "hash-link",
])
const editClasses = new Set(["mw-editsection", "editsection"])

/** A part of each of these names. */
const telling = /editsection|anchor|headerlink|permalink|hash-link/

const maxSign = 2
const maxButton = 30
const copies = /(?:^|[\s_-])copy|clipboard/i

const isNamedImage = (element: Element) =>
  element.localName === "img" && element.hasAttribute("alt")

/** Returns whether an element next to a heading is a link to it, a link to edit it or a copy button. */
export function isPermalink(element: Element): boolean {
  if (element.localName === "button") return isCopyButton(element)
  if (element.localName !== "a" && element.localName !== "span") return false
  const names = element.getAttribute("class")
  const classes = names && telling.test(names) ? names.split(/\s+/) : []
  if (classes.some((name) => editClasses.has(name))) return true
  if (element.localName !== "a") return false
  const isJump = (element.getAttribute("href") ?? "").includes("#")
  const isNamed = classes.some((name) => permalinkClasses.has(name))
  // The text comes last, for it may be long.
  if (!isJump && !isNamed) return false
  const text = briefText(element, maxSign)
  if (text === null) return false
  const isSign = /^(?:[#¶§∞🔗⚓]|)$/u.test(text)
  return isSign ? isJump && elementsWhere(element, isNamedImage).length === 0 : isNamed
}

function isCopyButton(button: Element): boolean {
  const labels = ["class", "id", "title", "aria-label"].map(
    (name) => button.getAttribute(name) ?? "",
  )
  const text = briefText(button, maxButton)
  return text !== null && copies.test([...labels, text].join(" "))
}
