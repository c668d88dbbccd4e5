import { words } from "../core/index.ts"
import { type Availability, availabilityInText, isInStock } from "../price/index.ts"
import { buyNames } from "./marks.ts"
import { visibleText } from "./text/page-text.ts"
import { buyPhrases, buyStems, notifyPhrases } from "./text/words.ts"

/** Texts of the button that puts the product into the cart. */
const buyWords = new RegExp(
  `(?<!\\p{L})(?:${words(buyPhrases)})(?!\\p{L})|${words(buyStems)}`,
  "iu",
)

/** Texts of the button that replaces it while the product is unavailable. */
const notifyWords = new RegExp(`(?<!\\p{L})(?:${words(notifyPhrases)})(?!\\p{L})`, "iu")

/** A text with more than the button's words, such as that of a link around a whole product. */
const maxButtonChars = 140
/** More than "sold out" and a word or two. */
const maxStockButtonChars = 24

export function isButton(element: Element): boolean {
  const { localName } = element
  if (localName === "button" || localName === "a") return true
  if (localName === "input") return /submit|button|image/.test(element.getAttribute("type") ?? "")
  return element.getAttribute("role") === "button" || element.hasAttribute("onclick")
}

/** Returns the availability that a button states, and its weight; null if it states none. */
export function buttonStock(element: Element): { stated: Availability; weight: number } | null {
  const text = `${attributes(element, titleNames)} ${visibleText(element, 100)}`.trim()
  if (text.length > maxButtonChars) return null
  const stated = element.localName === "a" ? null : writtenOn(element)
  if (stated) return { stated, weight: 3 }
  if (notifyWords.test(text)) return { stated: "out_of_stock", weight: 3 }
  if (!buyWords.test(text) && !buyNames.test(attributes(element, ownNames))) return null
  return { stated: element.hasAttribute("disabled") ? "out_of_stock" : "in_stock", weight: 2 }
}

/** "Sold out" or "Pre-order" on the button itself; a size's or a link's has more or other words. */
function writtenOn(element: Element): Availability | null {
  const text = visibleText(element, maxStockButtonChars) || (element.getAttribute("value") ?? "")
  const stated = text.length <= maxStockButtonChars ? availabilityInText(text) : null
  return isInStock(stated) ? null : stated
}

const titleNames = ["value", "title", "aria-label", "alt"]
const ownNames = ["class", "id", "name", "data-testid", "data-action", "data-role", "onclick"]

const attributes = (element: Element, names: string[]) =>
  names.map((name) => element.getAttribute(name) ?? "").join(" ")
