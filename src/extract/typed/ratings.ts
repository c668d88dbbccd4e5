import { foldSpace } from "../core/index.ts"
import { nameWords } from "../page/index.ts"
import { termOf } from "./terms/terms.ts"
import type { Candidate } from "./things.ts"

const outOf =
  /(?<![\d.,])(\d{1,2}(?:[.,]\d{1,2})?)\s*(?:stars?\s+)?(?:out of|\/|of|von|sur|de|su|van|av|z|из|av)\s*(?:5|10)(?![\d.,]\d|\d)/iu
const counted =
  /(?<![\d.,])(\d{1,3}(?:[.,\s\u00a0’']\d{3})*|\d{1,7})\s*\+?\s*(?:(?:customer|verified|global|user|product|total)\s+)?(?:reviews?|ratings?|bewertung(?:en)?|rezension(?:en)?|avis|reseñas?|opiniones|recensioni|valutazioni|beoordelingen|opinii|opinie|avaliações|valoraciones|omdömen)(?!\p{L})/iu
const ofRatings = /^(?:ratings?|stars?|reviews?|score)$/
const attributes = ["aria-label", "title", "alt"]
const maxElements = 3000
const maxText = 160

/** Yields the average rating, or the number of reviews, that the page writes next to its stars. */
export function* ratings(name: string, document: Document): Generator<Candidate> {
  const term = termOf(name)?.names[0]
  const pattern = term === "rating" ? outOf : term === "review count" ? counted : undefined
  if (!pattern) return
  let seen = 0
  // Ratings above the heading are those of the shop.
  let isBelow = document.body.querySelector("h1") === null
  for (const element of document.body.querySelectorAll(
    "h1, [aria-label], [title], [alt], [class*=rating i], [class*=star i], [class*=review i]",
  )) {
    if (++seen > maxElements) return
    isBelow ||= element.localName === "h1"
    if (!isBelow || element.closest("header, footer, nav, aside")) continue
    for (const text of textsOf(element)) {
      const [, number] = pattern.exec(text) ?? []
      if (number) yield { raw: number.replace(/[\s\u00a0’']/g, ""), source: "block", at: "rating" }
    }
  }
}

const aboutRatings = /star|rating|rated|review|étoile|estrella|stern|stell|gwiazd/i
/** A position in a slide show: `1 of 5`. */
const position = /^\D*\d{1,2}\s+(?:of|von|sur|de|su|van|av|z|из)\s+\d/iu

/** Returns the short texts of an element, if it or its text is about a rating. */
function textsOf(element: Element): string[] {
  const isNamed = nameWords(element).some((words) => words.some((word) => ofRatings.test(word)))
  const labels = attributes.map((attribute) => element.getAttribute(attribute) ?? "")
  const own = isNamed ? (element.textContent ?? "") : ""
  return [...labels, own]
    .filter((text) => text.length <= maxText * 4)
    .map((text) => foldSpace(text))
    .filter((text) => text.length <= maxText)
    .filter((text) => aboutRatings.test(text) || (isNamed && !position.test(text)))
}
