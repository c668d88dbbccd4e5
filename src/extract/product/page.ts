import { textOf, wordSet, words } from "../core/index.ts"
import {
  type Availability,
  availabilityInText,
  currencyOfCountry,
  isInStock,
  type Locale,
  type Price,
  parsePrice,
  signAlone,
} from "../price/index.ts"
import { BrandFinder } from "./brand.ts"
import { buttonStock, isButton } from "./buttons.ts"
import { productHeading } from "./heading.ts"
import type { Label } from "./labels/label-names.ts"
import { cellNames, labelPairs } from "./labels/label-pairs.ts"
import { labelledValue, labelOf } from "./labels/labels.ts"
import {
  apartMarks,
  elsewhereElements,
  elsewhereMarks,
  isOtherPrice,
  isPriceMark,
  priceMarks,
  stockMarks,
} from "./marks.ts"
import { isHiddenElement, isStruck, marksOf, visibleText } from "./text/page-text.ts"
import { otherAmounts } from "./text/words.ts"

/** The visible facts of a product: the price near its heading, the stock, labelled numbers. */
export interface VisibleProduct {
  heading: string | null
  price: { price: Price; text: string } | null
  listPrice: Price | null
  availability: Availability | null
  /** Values next to a label such as `SKU:` or `Marke`, in the order of the page. */
  labelled: Labelled
  /** The same in tables of parts that may be lists of other products. */
  labelledApart: Labelled
  /** The text or logo of an element named after brands, if the heading begins with it or is next to it. */
  brand: string | null
}

type Labelled = Record<Label, string[]>

interface Candidate {
  element: Element
  price: Price
  text: string
  score: number
  old: boolean
}

/** Properties that an element inherits from its ancestors. */
interface Surroundings {
  struck: boolean
  elsewhere: boolean
  /** Lists of products, but also frames of the product's own details. */
  apart: boolean
  hidden: boolean
  old: boolean
  other: boolean
  price: boolean
  /** A button may hold every text it can show, of which CSS shows one. */
  button: boolean
}

const nothing: Surroundings = {
  struck: false,
  elsewhere: false,
  apart: false,
  hidden: false,
  old: false,
  other: false,
  price: false,
  button: false,
}
const skipped = wordSet("script style noscript template svg option select head iframe")
/**
 * Scores are weighed by hand. On the 68 product pages of the quality set (2026-11) a price is read
 * otherwise on at most two when `believed` is anything from 1 to 4, but on fourteen at 4.5;
 * on two when `namedScore` is from 3.6 to 8, but on six at 3; on one when `bareScore` is from 0.5
 * to 2.5, but on eight at 0.
 */
const believed = 3
/** The initial score of a price in an element named after prices, and in any other. */
const namedScore = 4.5
const plainScore = 1.5

/** Longer texts are more than a price, in an element named after prices and in any other. */
const maxPriceChars = 80
const maxPlainChars = 32
/** Old prices whose frames are looked for: a product has one or two. */
const maxFramed = 20

export function readVisible(document: Document, locale: Locale): VisibleProduct {
  return new PageReader(document, locale).read()
}

class PageReader {
  private readonly heading: Element | null
  private readonly candidates: Candidate[] = []
  private readonly labelled: Labelled = { sku: [], gtin: [], mpn: [], brand: [] }
  private readonly labelledApart: Labelled = { sku: [], gtin: [], mpn: [], brand: [] }
  private readonly brands = new BrandFinder()
  private stock: { availability: Availability; weight: number } | null = null
  private order = 0
  private headingAt = -1

  constructor(
    private readonly document: Document,
    private readonly locale: Locale,
  ) {
    this.heading = productHeading(document)
  }

  read(): VisibleProduct {
    if (this.document.body) this.walk(this.document.body)
    const likely = this.candidates.filter(({ score }) => score >= believed)
    const olds = this.candidates.filter((candidate) => candidate.old)
    const framed = olds.slice(0, maxFramed)
    for (const candidate of likely)
      candidate.old ||= framed.some((inner) => isFrameOf(candidate, inner))
    // "Old" may just be a class name on the only price.
    const best = highest(likely.filter((candidate) => !candidate.old)) ?? highest(likely)
    const old = best && highest(olds.filter(({ price }) => price.amount > best.price.amount))
    return {
      heading: textOf(this.heading),
      price: best && { price: best.price, text: best.text },
      listPrice: old?.price ?? null,
      availability: this.stock?.availability ?? null,
      labelled: this.labelled,
      labelledApart: this.labelledApart,
      brand: this.brands.nextTo(textOf(this.heading), this.headingAt),
    }
  }

  /** One pass in document order; an explicit stack, since pages may nest without end. */
  private walk(root: Element): void {
    const stack: { element: Element; around: Surroundings }[] = [{ element: root, around: nothing }]
    while (stack.length > 0) {
      const { element, around } = stack.pop()!
      if (skipped.has(element.localName)) continue
      this.order++
      if (element === this.heading) this.headingAt = this.order
      const marks = marksOf(element)
      const own = this.surroundings(element, marks, around)
      // Its content is not the product's; an ancestor of the heading is never "elsewhere".
      if (own.elsewhere) continue
      if (!own.hidden) this.brands.consider(element, marks, this.order)
      if (own.apart) {
        if (cellNames.has(element.localName)) considerLabels(element, this.labelledApart)
      } else {
        this.considerPrice(element, marks, own)
        if (!own.hidden && !around.button) this.considerStock(element, marks)
        considerLabels(element, this.labelled)
      }
      const { children } = element
      for (let index = children.length - 1; index >= 0; index--) {
        stack.push({ element: children[index]!, around: own })
      }
    }
  }

  private surroundings(element: Element, marks: string[], around: Surroundings): Surroundings {
    const isPrice = marks.some((mark) => isPriceMark(mark))
    const isElsewhere =
      elsewhereElements.has(element.localName) || marks.some((mark) => elsewhereMarks.has(mark))
    const isApart = element.localName === "aside" || marks.some((mark) => apartMarks.has(mark))
    const holdsHeading = (isElsewhere || isApart) && this.heading && element.contains(this.heading)
    return {
      struck: around.struck || isStruck(element),
      elsewhere: isElsewhere && !holdsHeading,
      apart: around.apart || (isApart && !holdsHeading),
      hidden: around.hidden || isHiddenElement(element),
      old:
        around.old ||
        (isPrice && marks.some((mark) => priceMarks.old.has(mark))) ||
        (around.price && isSurelyOld(element)),
      other: around.other || (isPrice && isOtherPrice(marks)),
      price: around.price || isPrice,
      button: around.button || isButton(element),
    }
  }

  private considerPrice(element: Element, marks: string[], own: Surroundings): void {
    const isPrice = marks.some((mark) => isPriceMark(mark))
    if (!isPrice && element.children.length > 3) return
    const text = withAdjacentSign(element, this.priceText(element, own))
    if (text === "" || text.length > (isPrice ? maxPriceChars : maxPlainChars)) return
    if (surcharge.test(text)) return
    const price = parsePrice(text, this.locale)
    if (!price || price.amount <= 0 || !this.isMoney(price)) return
    if (!isPrice && !plainPrice.test(text)) return
    const score = this.score(element, marks, own, text) + (isPrice ? namedScore : plainScore)
    const old = own.struck || own.old || price.isOld
    this.candidates.push({ element, price, text, score, old })
  }

  /** A frame around the old and the new price means the new one. */
  private priceText(element: Element, own: Surroundings): string {
    const text = visibleText(element, 200)
    if (!own.price || own.old || text.length > maxPriceChars || !/\d\D+\d/.test(text)) return text
    const current = visibleText(element, 200, isSurelyOld)
    return /\d/.test(current) ? current : text
  }

  /** Single letters (`84K`, `1 P`) are money only if they are the country's own. */
  private isMoney({ sign, currency }: Price): boolean {
    if (sign === null) return false
    return !/^[a-z]$/i.test(sign) || currency === currencyOfCountry(this.locale.country ?? "")
  }

  private score(element: Element, marks: string[], own: Surroundings, text: string): number {
    let score = 0
    if (marks.some((mark) => priceMarks.main.has(mark))) score += 1
    if (own.other || isOtherPrice(marks)) score -= 4
    if (otherAmount.test(text)) score -= 4
    if (marks.some((mark) => priceMarks.button.has(mark))) score -= 1
    if (own.hidden) score -= 3
    if (element.getAttribute("itemprop") === "price") score += 3
    if (hasLargeFont(element.getAttribute("style") ?? "")) score += 2
    score -= Math.min(2, (text.match(/\d[\d.,\s]*/g)?.length ?? 1) - 1) * 0.75
    if (this.headingAt < 0) return score - (this.heading ? 0.5 : 0)
    const distance = this.order - this.headingAt
    // Counted in elements, and chosen by hand.
    return score + (distance < 150 ? 2.5 : distance < 400 ? 2 : distance < 1000 ? 1 : 0)
  }

  private considerStock(element: Element, marks: string[]): void {
    if (isButton(element)) {
      const stock = buttonStock(element)
      if (stock) this.note(stock.stated, stock.weight)
      return
    }
    const speaks = marks.some((mark) => stockMarks.has(mark))
    if (!speaks && element.children.length > 0) return
    const text = visibleText(element, 160)
    if (text === "" || text.length > 140) return
    const availability = availabilityInText(text)
    if (!availability) return
    const near = this.headingAt > 0 && this.order - this.headingAt < 600
    if (speaks) this.note(availability, near ? 5 : 4)
    // A template may contain a hidden "sold out": the buy button is more reliable.
    else if (near && text.length < 60) this.note(availability, isInStock(availability) ? 2.5 : 1.5)
  }

  private note(availability: Availability, weight: number): void {
    if (!this.stock || weight > this.stock.weight) this.stock = { availability, weight }
  }
}

function considerLabels(element: Element, labelled: Labelled): void {
  for (const [label, text] of labelPairs(element)) {
    const value = labelledValue(label, text)
    if (value !== null) labelled[labelOf(label)!].push(value)
  }
}

/** Marked as the price before a reduction, and not also as the one to pay. */
function isSurelyOld(element: Element): boolean {
  const marks = marksOf(element)
  // `price--non-sale` is shown next to the sale price.
  if (marks.includes("non")) return true
  return (
    marks.some((mark) => priceMarks.surelyOld.has(mark)) &&
    !marks.some((mark) => priceMarks.main.has(mark))
  )
}

/** Returns whether an element has no text beyond that of one inside it. */
const isFrameOf = (outer: Candidate, inner: Candidate) =>
  outer !== inner && outer.text === inner.text && outer.element.contains(inner.element)

/** An amount that an option adds to the price, or a voucher takes off. */
const surcharge = /^\(?\s*[+\u2212–-]\s*\p{Sc}?\s*\d/u

/** Texts of an amount that is an instalment, the delivery or the saving. */
const otherAmount = new RegExp(words(otherAmounts), "i")

const hasLargeFont = (style: string) =>
  style
    .split(";")
    .some((declaration) =>
      /\b(?:2[2-9]|[3-9]\d)px/.test(declaration.slice(declaration.search(/font|$/i))),
    )

/** An amount with its sign, and little else. */
const plainPrice = new RegExp(
  [
    String.raw`^[^\p{L}\d]*(?:\p{L}{1,6}[.$:]?\s*){0,2}`,
    String.raw`[^\p{L}\d]*[\d\s.,'’]+`,
    String.raw`[^\p{L}\d]*(?:\p{L}{1,5}\.?)?[^\p{L}\d]*(?:\/\s*\p{L}{1,5})?[^\p{L}\d]*$`,
  ].join(""),
  "u",
)

/** Handles `<b>294</b><span>元</span>` among other elements: a bare number next to its sign. */
function withAdjacentSign(element: Element, text: string): string {
  if (!/^[\d.,' ]{1,14}[-–—]{0,2}$/.test(text)) return text
  const before = signOf(element.previousSibling)
  const after = before ? null : signOf(element.nextSibling)
  return before ? `${before} ${text}` : after ? `${text} ${after}` : text
}

/** The currency sign that is all that a node holds. */
function signOf(node: Node | null): string | null {
  const text = node?.nodeType === 1 ? visibleText(node as Element, 8) : (node?.nodeValue ?? "")
  return text.length <= 8 ? signAlone(text) : null
}

const highest = (candidates: Candidate[]): Candidate | null =>
  candidates.reduce<Candidate | null>(
    (best, candidate) => (best && best.score >= candidate.score ? best : candidate),
    null,
  )
