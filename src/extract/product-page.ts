import { type Availability, availabilityInText } from "./availability.ts"
import type { Place } from "./currencies.ts"
import { textOf } from "./html.ts"
import { type Price, parsePrice } from "./prices.ts"
import { type Label, labelledValue, labelOf } from "./product-ids.ts"
import { foldSpace } from "./text.ts"
import { documentTitle, sharedWords } from "./title.ts"

/** Words of class names and ids, the whole word each, and what they say of a price. */
const words = {
  price:
    /^(?:price\w*|\w*price|cena|ceny|preis|prix|precio|prezzo|preco|valor|hinta|pris|prijs|pret|tarif|amount|kaina|cijena|fiyat|stoimost)$/,
  main: /^(?:now|current|sale|sales|special|final|actual|our|ourprice|offer|selling|buying|main|product|detail|today|discounted|pay|big|large|aktualni|aktuell|primary|value|buybox)$/,
  old: /^(?:old|was|list|listprice|regular|before|crossed|cross|strike|strikethrough|striked|through|original|rrp|msrp|uvp|pvp|retail|previous|prev|full|ancien|barre|stara|stary|alt|vorher|statt|compare|base|standard|oldprice)$/,
  other:
    /^(?:month|monthly|monthlyprice|installment|installments|instalment|instalments|rata|raty|rate|finance|financing|credit|leasing|unit|unitprice|per|grundpreis|points|bonus|shipping|delivery|versand|postage|save|saving|savings|discount|coupon|voucher|tax|net|netto|excl|exvat|novat|deposit|warranty|insurance|trade|range|filter|from|gift|loyalty|member|club|minimum|subtotal|total)$/,
} as const

/** Parts of a page that belong to other products or to no product. */
const elsewhere =
  /^(?:related|similar|recommend|recommended|recommendation|recommendations|recs|crosssell|cross-sell|upsell|upselling|alsobought|also|accessories|accessory|accesories|recently|viewed|history|bestseller|bestsellers|sponsored|sponsor|bundle|bundles|footer|nav|navigation|menu|megamenu|minicart|minibasket|compare|comparison|review|reviews|comments|question|questions|faq|newsletter|breadcrumb|breadcrumbs|alternatives|suggestions|suggested|suggest|upsells|sims|similarities|carousel|teaser|teasers|promo|banner|advert|ads|ad|header|topbar|search|autocomplete|popup|tooltip|swatch|twister|others|together|thumb|zusammen|ahnliche|podobne|podobné|related-products|products|listing|grid|tile|tiles)$/
const elsewhereElements = new Set(["footer", "nav", "aside", "header"])
const struckElements = new Set(["del", "s", "strike"])
const skipped = new Set([
  "script",
  "style",
  "noscript",
  "template",
  "svg",
  "option",
  "select",
  "head",
  "iframe",
])

export interface PagePrice {
  price: Price
  text: string
}

export interface ShownProduct {
  heading: string | null
  price: PagePrice | null
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

interface Inherited {
  struck: boolean
  elsewhere: boolean
  hidden: boolean
  old: boolean
  other: boolean
}

/** What a page shows of its product: the price next to its heading, and whether it can be had. */
export function readShown(document: Document, place: Place): ShownProduct {
  return new PageReader(document, place).read()
}

class PageReader {
  private readonly heading: Element | null
  private readonly candidates: Candidate[] = []
  private order = 0
  private headingAt = -1
  private readonly labelled: ShownProduct["labelled"] = {}
  private stock: { availability: Availability; weight: number } | null = null

  constructor(
    private readonly document: Document,
    private readonly place: Place,
  ) {
    this.heading = mainHeading(document)
  }

  read(): ShownProduct {
    const body = this.document.body
    if (body) this.walk(body)
    const current = this.candidates.filter((one) => !one.old)
    const olds = this.candidates.filter((one) => one.old)
    // "Old" may be no more than a class name of the only price.
    const best = highest(current) ?? highest(olds)
    const old = best && highest(olds.filter(({ price }) => price.amount > best.price.amount))
    return {
      heading: textOf(this.heading),
      price: best && best.score >= 3 ? { price: best.price, text: best.text } : null,
      listPrice: old?.price ?? null,
      availability: this.stock?.availability ?? null,
      labelled: this.labelled,
    }
  }

  /** One pass in document order; an explicit stack, since pages may nest without end. */
  private walk(root: Element): void {
    const none = { struck: false, elsewhere: false, hidden: false, old: false, other: false }
    const stack: { element: Element; inherited: Inherited }[] = [{ element: root, inherited: none }]
    while (stack.length > 0) {
      const { element, inherited } = stack.pop()!
      if (skipped.has(element.localName)) continue
      this.order++
      if (element === this.heading) this.headingAt = this.order
      const marks = marksOf(element)
      const own = this.inherit(element, marks, inherited)
      this.consider(element, marks, own)
      this.considerStock(element, marks, own)
      if (!own.elsewhere) this.considerLabel(element)
      const { children } = element
      for (let index = children.length - 1; index >= 0; index--) {
        stack.push({ element: children[index]!, inherited: own })
      }
    }
  }

  private inherit(element: Element, marks: string[], inherited: Inherited): Inherited {
    const holdsHeading = this.heading !== null && element.contains(this.heading)
    const isPrice = marks.some((mark) => words.price.test(mark))
    return {
      struck:
        inherited.struck ||
        struckElements.has(element.localName) ||
        /line-through/i.test(element.getAttribute("style") ?? ""),
      elsewhere:
        inherited.elsewhere ||
        (!holdsHeading &&
          (elsewhereElements.has(element.localName) || marks.some((mark) => elsewhere.test(mark)))),
      hidden: inherited.hidden || isHiddenElement(element),
      old: inherited.old || (isPrice && marks.some((mark) => words.old.test(mark))),
      other: inherited.other || (isPrice && marks.some((mark) => words.other.test(mark))),
    }
  }

  private consider(element: Element, marks: string[], own: Inherited): void {
    if (own.elsewhere) return
    const isPrice = marks.some((mark) => words.price.test(mark))
    if (!isPrice && element.children.length > 3) return
    const text = foldSpace(shownText(element, 200))
    if (text === "" || text.length > (isPrice ? 80 : 32)) return
    const price = parsePrice(text, this.place)
    if (!price || price.amount <= 0) return
    if (
      !isPrice &&
      (price.sign === null ||
        !/^[^\p{L}\d]*(?:\p{L}{1,4}[.$]?\s*)?[\d\s.,'’]+[^\p{L}\d]*(?:\p{L}{1,5}\.?)?[^\p{L}\d]*$/u.test(
          text,
        ))
    )
      return
    const score = this.score(element, marks, own, price, isPrice)
    const old = own.struck || own.old
    this.candidates.push({ price, text, score, old })
  }

  private score(
    element: Element,
    marks: string[],
    own: Inherited,
    price: Price,
    isPrice: boolean,
  ): number {
    let score = isPrice ? 3 : 0
    if (price.sign !== null) score += 1.5
    if (marks.some((mark) => words.main.test(mark))) score += 1
    if (own.other || marks.some((mark) => words.other.test(mark))) score -= 4
    if (own.hidden) score -= 3
    if (element.getAttribute("itemprop") === "price") score += 3
    if (/font[^;]*\b(?:2[2-9]|[3-9]\d)px/i.test(element.getAttribute("style") ?? "")) score += 2
    if (this.headingAt > 0) {
      const distance = this.order - this.headingAt
      score += distance < 150 ? 2.5 : distance < 400 ? 2 : distance < 1000 ? 1 : 0
    } else if (this.heading) score -= 0.5
    return score
  }

  private considerStock(element: Element, marks: string[], own: Inherited): void {
    if (own.elsewhere || own.hidden) return
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
    const text = foldSpace(shownText(element, 160))
    if (text === "" || text.length > 140) return
    const found = availabilityInText(text)
    if (!found) return
    const near = this.headingAt > 0 && this.order - this.headingAt < 600
    if (speaks) this.note(found, near ? 5 : 4)
    else if (near && text.length < 60) this.note(found, 2.5)
  }

  private considerLabel(element: Element): void {
    const pair = labelPair(element)
    const label = pair && labelOf(pair[0])
    if (!label || this.labelled[label] !== undefined) return
    const value = labelledValue(label, pair[1])
    if (value !== null) this.labelled[label] = value
  }

  private note(availability: Availability, weight: number): void {
    if (!this.stock || weight > this.stock.weight) this.stock = { availability, weight }
  }
}

/** An amount with its sign, and little else. */
const barePrice =
  /^[^\p{L}\d]*(?:\p{L}{1,6}[.$:]?\s*){0,2}[^\p{L}\d]*[\d\s.,'’]+[^\p{L}\d]*(?:\p{L}{1,5}\.?)?[^\p{L}\d]*(?:\/\s*\p{L}{1,5})?[^\p{L}\d]*$/u

const stockMarks =
  /^(?:availability|available|stock|instock|outofstock|inventory|dostupnost|verfugbarkeit|disponibilidad|disponibilite|lieferbarkeit|lager|sklad|voorraad|soldout)$/

const buyWords =
  /(?<!\p{L})(?:add to (?:shopping )?(?:cart|bag|basket|trolley)|buy(?: it)? now|add to order|in den (?:warenkorb|einkaufswagen)|(?:ajouter|mettre) (?:au|dans (?:le|mon)) panier|j'achète|acheter|añadir (?:al carrito|a la cesta|a la bolsa)|agregar al carr\w+|comprar|aggiungi al carrello|acquista|(?:adicionar|colocar) (?:ao|no) carrinho|(?:dodaj )?do koszyka|kup teraz|(?:vložit |vložiť |pridať |přidat )?do (?:košíku|košíka)|koupit|kúpiť|(?:dodaj )?v (?:košarico|voziček)|kosárba|(?:adauga|adaugă) [iî]n co[sș]|lisa (?:ostu)?korvi|osta|(?:ielikt|pievienot) groz\w+|pirkt|į krepšelį|pirkti|(?:toevoegen aan|in) winkel(?:wagen|mand)\w*|lägg i varukorg\w*|köp|læg i kurv|legg i handlekurv\w*|lisää ostoskoriin|sepete ekle|satın al)(?!\p{L})|в корзину|купить|до кошика|купити|加入購物車|加入购物车|放入購物車|我要購買|直接購買|立即購買|立即购买|カートに入れる|購入|장바구니|구매하기|바로구매|הוסף לסל|הוספה לסל|קנה עכשיו|أضف إلى|اشتر/iu
const buyNames =
  /add[-_ ]?to[-_ ]?(?:cart|bag|basket|trolley)|buy[-_ ]?(?:now|button|btn|it)|(?:btn|button)[-_ ]?(?:cart|buy|basket)|(?:cart|basket)[-_ ]?(?:add|button|btn|submit)|single_add_to_cart|add2cart|product-form__submit/i
const notifyWords =
  /\b(?:notify me|email me when|benachrichtigen|me prévenir|avísame|avvisami|avise-me|hlídat dostupnost|strážiť dostupnosť|powiadom o dostępności)\b/iu

function isButton(element: Element): boolean {
  const { localName } = element
  if (localName === "button" || localName === "a") return true
  if (localName === "input") return /submit|button|image/.test(element.getAttribute("type") ?? "")
  return element.getAttribute("role") === "button" || element.hasAttribute("onclick")
}

const buttonText = (element: Element) =>
  foldSpace(
    ["value", "title", "aria-label", "alt"]
      .map((name) => element.getAttribute(name) ?? "")
      .join(" ") + ` ${shownText(element, 100)}`,
  )

const namesOf = (element: Element) =>
  ["class", "id", "name", "data-testid", "data-action", "data-role", "onclick"]
    .map((name) => element.getAttribute(name) ?? "")
    .join(" ")

/** A label and its value: two cells of a row, a term and its description, `Label: value`. */
function labelPair(element: Element): [label: string, value: string] | null {
  const { localName, children } = element
  if (localName === "dt") {
    const next = element.nextElementSibling
    return next?.localName === "dd"
      ? [shownText(element, 60), foldSpace(shownText(next, 120))]
      : null
  }
  if (children.length > 6) return null
  const text = foldSpace(shownText(element, 140))
  if (text.length > 120) return null
  if (children.length >= 2) {
    const [first, second] = children
    const label = foldSpace(shownText(first!, 60))
    const value = foldSpace(shownText(second!, 120))
    if (label !== "" && value !== "" && labelOf(label)) return [label, value]
  }
  const written = /^(.{2,40}?)\s*[:：#]\s*(.{2,80})$/.exec(text)
  return written ? [written[1]!, written[2]!] : null
}

const highest = (candidates: Candidate[]): Candidate | null =>
  candidates.reduce<Candidate | null>(
    (best, one) => (best && best.score >= one.score ? best : one),
    null,
  )

/** The `h1` that shares most words with the page's title; else a lesser one that holds its start. */
function mainHeading(document: Document): Element | null {
  const title = documentTitle(document)
  let best: Element | null = null
  let most = -1
  for (const heading of document.getElementsByTagName("h1")) {
    const shared = sharedWords(textOf(heading) ?? "", title)
    if (shared > most && textOf(heading) !== null) {
      best = heading
      most = shared
    }
  }
  return best ?? lesserHeading(document, title)
}

function lesserHeading(document: Document, title: string | null): Element | null {
  if (!title) return null
  const headings = document.querySelectorAll("h2, h3, h4, [class*=title], [class*=name]")
  for (const element of headings) {
    const text = textOf(element)
    if (text !== null && text.length > 5 && title.startsWith(text)) return element
  }
  return null
}

const markCache = new Map<string, string[]>()

/** The words of an element's class, id, itemprop and test ids, lower case, camel case split. */
function marksOf(element: Element): string[] {
  const written = [
    "class",
    "id",
    "itemprop",
    "data-testid",
    "data-test",
    "data-qa",
    "data-component",
    "data-hook",
  ]
    .map((name) => element.getAttribute(name) ?? "")
    .join(" ")
  if (written.trim() === "") return []
  let marks = markCache.get(written)
  if (!marks) {
    marks = written
      .replace(/([a-z])([A-Z])/g, "$1 $2")
      .toLowerCase()
      .split(/[^\p{L}]+/u)
      .filter((mark) => mark.length > 1)
    if (markCache.size > 5000) markCache.clear()
    markCache.set(written, marks)
  }
  return marks
}

function isHiddenElement(element: Element): boolean {
  return (
    element.hasAttribute("hidden") ||
    /display\s*:\s*none|visibility\s*:\s*hidden/i.test(element.getAttribute("style") ?? "")
  )
}

/** The text of an element without struck parts, raised cents set apart; stops after `most`. */
function shownText(element: Element, most: number): string {
  let text = ""
  const stack: Node[] = [element]
  while (stack.length > 0 && text.length <= most) {
    const node = stack.pop()!
    if (node.nodeType === 3) text += node.nodeValue ?? ""
    else if (node.nodeType === 1) {
      const inner = node as Element
      const isCents = inner.localName === "sup" || inner.localName === "sub"
      if (isCents && /\d\s*$/.test(text) && /^\s*\d{2}\b/.test(inner.textContent ?? "")) text += ","
      if (
        inner !== element &&
        (skipped.has(inner.localName) || struckElements.has(inner.localName))
      )
        continue
      for (let child = inner.lastChild; child; child = child.previousSibling) stack.push(child)
    }
  }
  return text
}
