import { BoundedMap } from "../../../base/bounded-map.ts"
import { foldSpace, wordSet } from "../../core/index.ts"

const unseen = wordSet("script style noscript template svg option select head iframe")
const struckElements = new Set(["del", "s", "strike"])

const namedBy = [
  "class",
  "id",
  "itemprop",
  "data-testid",
  "data-test",
  "data-qa",
  "data-component",
  "data-hook",
  "data-aut-id",
]
const knownMarks = new BoundedMap<string, string[]>(5000)

/** The words of an element's class, id, itemprop and test ids, lower case, camel case split. */
export function marksOf(element: Element): string[] {
  const written = namedBy.map((name) => element.getAttribute(name) ?? "").join(" ")
  if (written.trim() === "") return []
  let marks = knownMarks.get(written)
  if (!marks) {
    marks = written
      .replace(/([a-z])([A-Z])/g, "$1 $2")
      .toLowerCase()
      .split(/[^\p{L}]+/u)
      .filter((mark) => mark.length > 1)
    knownMarks.set(written, marks)
  }
  return marks
}

export function isStruck(element: Element): boolean {
  return (
    struckElements.has(element.localName) ||
    /line-through/i.test(element.getAttribute("style") ?? "")
  )
}

export function isHiddenElement(element: Element): boolean {
  return (
    element.hasAttribute("hidden") ||
    /display\s*:\s*none|visibility\s*:\s*hidden/i.test(element.getAttribute("style") ?? "")
  )
}

/**
 * Returns the text of an element without struck parts and elements of `isLeftOut`. Raised cents are set
 * apart (`12<sup>99</sup>` is 12.99), and white space is collapsed. It ends soon after `most` characters.
 */
export function visibleText(
  element: Element,
  max: number,
  isLeftOut: (inner: Element) => boolean = () => false,
): string {
  let text = ""
  const visit = (inner: Element): void => {
    if (isCents(inner) && /\d$/.test(text)) text += "."
    for (let child = inner.firstChild; child && text.length <= max; child = child.nextSibling) {
      if (child.nodeType === 3) text += (child.nodeValue ?? "").slice(0, maxNodeChars)
      if (child.nodeType !== 1) continue
      const childElement = child as Element
      if (
        !unseen.has(childElement.localName) &&
        !isStruck(childElement) &&
        !isLeftOut(childElement)
      )
        visit(childElement)
    }
  }
  visit(element)
  return foldSpace(text)
}

/** Maximum length of a text node: far more than callers need, with leading white space. */
const maxNodeChars = 10_000

/** Two digits in an element of their own, right after others: no group has two. */
function isCents(element: Element): boolean {
  if (element.firstElementChild) return false
  const text = element.textContent ?? ""
  if (text.length > 12) return false
  const raised = element.localName === "sup" || element.localName === "sub"
  return raised ? /^\s*\d{2}(?!\d)/.test(text) : /^\d{2}$/.test(text)
}
