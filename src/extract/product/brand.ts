import { foldSpace, wordSet } from "../core/index.ts"
import { labelOf } from "./labels/labels.ts"
import { visibleText } from "./text/page-text.ts"

const brandMarks = wordSet(`
  brand brands brandname manufacturer vendor designer maker marka marke marque marca merk marchio
  vyrobce vyrobca znacka znamka proizvajalec producent hersteller fabricant fabricante tillverkare
`)
/** Folders of a brand's own page in a shop. */
const brandFolder =
  /\/(?:brands?|manufacturers?|vendors?|designers?|marken?|marques?|marcas?|merken?|hersteller|producenci|producent|vyrobce|znacky?|marki)[/=_-]/i
const maxChars = 30
const maxWords = 4
/** Elements between the heading and a brand that is next to it. */
const nearby = 8
const maxCandidates = 200

interface Candidate {
  name: string
  order: number
}

/** Collects the elements of a page that are named after brands, or link to a brand's page. */
export class BrandFinder {
  private readonly candidates: Candidate[] = []

  consider(element: Element, marks: string[], order: number): void {
    if (this.candidates.length >= maxCandidates || !isOfBrand(element, marks)) return
    const name = nameIn(element)
    if (name !== null) this.candidates.push({ name, order })
  }

  /** Returns the brand with which the heading begins, else the one that is nearest to it. */
  nextTo(heading: string | null, headingAt: number): string | null {
    if (heading === null) return null
    const begun = this.candidates.filter(({ name }) => begins(heading, name))
    if (begun.length > 0) return begun[0]!.name
    const near = this.candidates
      .map(({ name, order }) => ({ name, distance: Math.abs(order - headingAt) }))
      .filter(({ name, distance }) => distance <= nearby && !heading.includes(name))
      .sort((a, b) => a.distance - b.distance)
    return near[0]?.name ?? null
  }
}

const isOfBrand = (element: Element, marks: string[]) =>
  marks.some((mark) => brandMarks.has(mark)) ||
  (element.localName === "a" && brandFolder.test(element.getAttribute("href") ?? ""))

/** Returns the name that an element shows, or that its logo has as its text. */
function nameIn(element: Element): string | null {
  const text = visibleText(element, 2 * maxChars) || logoText(element)
  const [, label, rest] = /^([^:：]{2,20})[:：]\s*(.+)$/.exec(text) ?? []
  const name = foldSpace(label !== undefined && labelOf(label) === "brand" ? rest! : text)
  const isName =
    /\p{L}.*\p{L}/u.test(name) &&
    name.length <= maxChars &&
    name.split(" ").length <= maxWords &&
    labelOf(name) === null &&
    !/[.!?:;/|€$£]|\d{4}/u.test(name)
  return isName ? name : null
}

function logoText(element: Element): string {
  const image = element.localName === "img" ? element : element.querySelector("img[alt]")
  return (image?.getAttribute("alt") ?? "").replace(/\blogo\b/gi, "").trim()
}

/** Returns whether a text begins with whole words, and continues. */
function begins(text: string, words: string): boolean {
  const start = text.slice(0, words.length)
  return (
    text.length > words.length &&
    start.toLowerCase() === words.toLowerCase() &&
    /[^\p{L}\p{N}]/u.test(text[words.length]!)
  )
}
