import { type Availability, availabilityInText, isInStock } from "./availability.ts"
import { currencyOfCountry, type Place } from "./currencies.ts"
import { textOf } from "./html.ts"
import { type Price, parsePrice } from "./prices.ts"
import { type Label, labelledValue, labelOf } from "./product-ids.ts"
import { isHiddenElement, isStruck, marksOf, shownText } from "./product-page-text.ts"
import {
  buyNames,
  buyWords,
  elsewhereElements,
  elsewhereMarks,
  notifyWords,
  otherAmounts,
  priceMarks,
  stockMarks,
} from "./product-words.ts"
import { documentTitle, sharedWords } from "./title.ts"

/** What a page shows of its product: the price near its heading, the stock, labelled numbers. */
export interface ShownProduct {
  heading: string | null
  price: { price: Price; text: string } | null
  listPrice: Price | null
  availability: Availability | null
  /** Values that stand beside a label such as `SKU:` or `Marke`. */
  labelled: Partial<Record<Label, string>>
}

interface Candidate {
  price: Price
  text: string
  score: number
  old: boolean
}

/** What an element is told by those around it. */
interface Surroundings {
  struck: boolean
  elsewhere: boolean
  hidden: boolean
  old: boolean
  other: boolean
  /** A button may hold all that it could say, of which a style shows one. */
  button: boolean
}

const nothing: Surroundings = {
  struck: false,
  elsewhere: false,
  hidden: false,
  old: false,
  other: false,
  button: false,
}
const skipped = new Set("script style noscript template svg option select head iframe".split(" "))
/** A price is believed from this score on. */
const believed = 3

export function readShown(document: Document, place: Place): ShownProduct {
  return new PageReader(document, place).read()
}

class PageReader {
  private readonly heading: Element | null
  private readonly candidates: Candidate[] = []
  private readonly labelled: ShownProduct["labelled"] = {}
  private stock: { availability: Availability; weight: number } | null = null
  private order = 0
  private headingAt = -1

  constructor(
    private readonly document: Document,
    private readonly place: Place,
  ) {
    this.heading = mainHeading(document)
  }

  read(): ShownProduct {
    if (this.document.body) this.walk(this.document.body)
    const likely = this.candidates.filter(({ score }) => score >= believed)
    const olds = this.candidates.filter((one) => one.old)
    // "Old" may be no more than a class name of the only price.
    const best = highest(likely.filter((one) => !one.old)) ?? highest(likely)
    const old = best && highest(olds.filter(({ price }) => price.amount > best.price.amount))
    return {
      heading: textOf(this.heading),
      price: best && { price: best.price, text: best.text },
      listPrice: old?.price ?? null,
      availability: this.stock?.availability ?? null,
      labelled: this.labelled,
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
      // Nothing inside is the product's; what holds the heading is never taken for "elsewhere".
      if (own.elsewhere) continue
      this.considerPrice(element, marks, own)
      if (!own.hidden && !around.button) this.considerStock(element, marks)
      this.considerLabel(element)
      const { children } = element
      for (let index = children.length - 1; index >= 0; index--) {
        stack.push({ element: children[index]!, around: own })
      }
    }
  }

  private surroundings(element: Element, marks: string[], around: Surroundings): Surroundings {
    const isPrice = marks.some((mark) => priceMarks.price.test(mark))
    const isElsewhere =
      elsewhereElements.has(element.localName) || marks.some((mark) => elsewhereMarks.test(mark))
    return {
      struck: around.struck || isStruck(element),
      elsewhere: isElsewhere && !(this.heading && element.contains(this.heading)),
      hidden: around.hidden || isHiddenElement(element),
      old: around.old || (isPrice && marks.some((mark) => priceMarks.old.test(mark))),
      other: around.other || (isPrice && marks.some((mark) => priceMarks.other.test(mark))),
      button: around.button || isButton(element),
    }
  }

  private considerPrice(element: Element, marks: string[], own: Surroundings): void {
    const isPrice = marks.some((mark) => priceMarks.price.test(mark))
    if (!isPrice && element.children.length > 3) return
    const text = shownText(element, 200)
    if (text === "" || text.length > (isPrice ? 80 : 32)) return
    const price = parsePrice(text, this.place)
    if (!price || price.amount <= 0 || !this.isMoney(price)) return
    if (!isPrice && !barePrice.test(text)) return
    const score = this.score(element, marks, own, text) + (isPrice ? 4.5 : 1.5)
    this.candidates.push({ price, text, score, old: own.struck || own.old || price.isOld })
  }

  /** Single letters (`84K`, `1 P`) are money only where they are the country's own. */
  private isMoney({ sign, currency }: Price): boolean {
    if (sign === null) return false
    return !/^[a-z]$/i.test(sign) || currency === currencyOfCountry(this.place.country ?? "")
  }

  private score(element: Element, marks: string[], own: Surroundings, text: string): number {
    let score = 0
    if (marks.some((mark) => priceMarks.main.test(mark))) score += 1
    if (own.other || marks.some((mark) => priceMarks.other.test(mark))) score -= 4
    if (otherAmounts.test(text)) score -= 4
    if (marks.some((mark) => priceMarks.button.test(mark))) score -= 1
    if (own.hidden) score -= 3
    if (element.getAttribute("itemprop") === "price") score += 3
    if (largeFont.test(element.getAttribute("style") ?? "")) score += 2
    score -= Math.min(2, (text.match(/\d[\d.,\s]*/g)?.length ?? 1) - 1) * 0.75
    if (this.headingAt < 0) return score - (this.heading ? 0.5 : 0)
    const distance = this.order - this.headingAt
    return score + (distance < 150 ? 2.5 : distance < 400 ? 2 : distance < 1000 ? 1 : 0)
  }

  private considerStock(element: Element, marks: string[]): void {
    if (isButton(element)) {
      const text = buttonText(element)
      if (text.length > 140) return
      if (notifyWords.test(text)) this.note("out_of_stock", 3)
      else if (buyWords.test(text) || buyNames.test(namesOf(element))) {
        this.note(element.hasAttribute("disabled") ? "out_of_stock" : "in_stock", 2)
      }
      return
    }
    const speaks = marks.some((mark) => stockMarks.test(mark))
    if (!speaks && element.children.length > 0) return
    const text = shownText(element, 160)
    if (text === "" || text.length > 140) return
    const found = availabilityInText(text)
    if (!found) return
    const near = this.headingAt > 0 && this.order - this.headingAt < 600
    if (speaks) this.note(found, near ? 5 : 4)
    // A template keeps "sold out" at hand, hidden by a style: the button to buy says more.
    else if (near && text.length < 60) this.note(found, isInStock(found) ? 2.5 : 1.5)
  }

  private note(availability: Availability, weight: number): void {
    if (!this.stock || weight > this.stock.weight) this.stock = { availability, weight }
  }

  private considerLabel(element: Element): void {
    const pair = labelPair(element)
    const label = pair && labelOf(pair[0])
    if (!label || this.labelled[label] !== undefined) return
    const value = labelledValue(label, pair[1])
    if (value !== null) this.labelled[label] = value
  }
}

const largeFont = /font[^;]*\b(?:2[2-9]|[3-9]\d)px/i

/** An amount with its sign, and little else. */
const barePrice =
  /^[^\p{L}\d]*(?:\p{L}{1,6}[.$:]?\s*){0,2}[^\p{L}\d]*[\d\s.,'’]+[^\p{L}\d]*(?:\p{L}{1,5}\.?)?[^\p{L}\d]*(?:\/\s*\p{L}{1,5})?[^\p{L}\d]*$/u

const highest = (candidates: Candidate[]): Candidate | null =>
  candidates.reduce<Candidate | null>(
    (best, one) => (best && best.score >= one.score ? best : one),
    null,
  )

/** The `h1` that shares most words with the page's title; else a lesser one that begins it. */
function mainHeading(document: Document): Element | null {
  const title = documentTitle(document)
  let best: Element | null = null
  let most = -1
  for (const heading of document.getElementsByTagName("h1")) {
    const text = textOf(heading)
    const shared = sharedWords(text ?? "", title)
    if (text === null || shared <= most) continue
    best = heading
    most = shared
  }
  return best ?? lesserHeading(document, title)
}

function lesserHeading(document: Document, title: string | null): Element | null {
  if (!title) return null
  for (const element of document.querySelectorAll("h2, h3, h4, [class*=title], [class*=name]")) {
    const text = textOf(element)
    if (text !== null && text.length > 5 && title.startsWith(text)) return element
  }
  return null
}

/** A label and its value: two cells of a row, a term and its description, `Label: value`. */
function labelPair(element: Element): [label: string, value: string] | null {
  const { localName, children } = element
  if (localName === "dt") {
    const next = element.nextElementSibling
    return next?.localName === "dd" ? [shownText(element, 60), shownText(next, 120)] : null
  }
  if (children.length > 6) return null
  const text = shownText(element, 140)
  if (text.length > 120) return null
  if (children.length >= 2) {
    const label = shownText(children[0]!, 60)
    const value = shownText(children[1]!, 120)
    if (label !== "" && value !== "" && labelOf(label)) return [label, value]
  }
  const written = /^(.{2,40}?)\s*[:：#]\s*(.{2,80})$/.exec(text)
  return written ? [written[1]!, written[2]!] : null
}

function isButton(element: Element): boolean {
  const { localName } = element
  if (localName === "button" || localName === "a") return true
  if (localName === "input") return /submit|button|image/.test(element.getAttribute("type") ?? "")
  return element.getAttribute("role") === "button" || element.hasAttribute("onclick")
}

const attributes = (element: Element, names: string[]) =>
  names.map((name) => element.getAttribute(name) ?? "").join(" ")

const buttonText = (element: Element) =>
  `${attributes(element, ["value", "title", "aria-label", "alt"])} ${shownText(element, 100)}`.trim()

const namesOf = (element: Element) =>
  attributes(element, ["class", "id", "name", "data-testid", "data-action", "data-role", "onclick"])
