import { integerOrNull, isoDate, wordSet } from "../core/index.ts"
import { normaliseUrl } from "../links/index.ts"
import {
  type Availability,
  availabilityOf,
  currencyOf,
  isCurrencyCode,
  isInStock,
  type Locale,
  parsePrice,
} from "../price/index.ts"
import {
  isNode,
  isOfType,
  nodesAt,
  type SchemaNode,
  type StructuredData,
  textAt,
  textOfAny,
  valuesOf,
  valueUrl,
} from "../structured/index.ts"
import { type Condition, known, type ProductFacts } from "./facts.ts"

/** Currencies that have no smaller unit in use: three digits after a dot are a group. */
const withoutCents = wordSet(`
  CLP COP CRC HUF IDR IRR ISK JPY KRW PKR PYG RSD TZS UGX UZS VND XAF XOF
`)

/** Wix writes these two names with a capital. */
export const offersOf = (data: StructuredData, product: SchemaNode) => [
  ...nodesAt(data, product, "offers"),
  ...nodesAt(data, product, "Offers"),
]
const stockAt = (data: StructuredData, node: SchemaNode) =>
  availabilityOf(textOfAny(data, node, "availability", "Availability"))

export interface Offer {
  node: SchemaNode
  price: number | null
  currency: string | null
  priceText: string | null
  availability: Availability | null
}

/**
 * Returns the facts of a product's offers: the current price, the price range, the stock. If the page's
 * URL selects an offer, they are that offer's.
 */
export function readOffers(
  data: StructuredData,
  product: SchemaNode,
  locale: Locale,
  selected: SchemaNode | null = null,
): ProductFacts {
  const nodes = offersOf(data, product)
  const aggregates = nodes.filter((node) => isOfType(node, "AggregateOffer"))
  const inner = aggregates.flatMap((node) => nodesAt(data, node, "offers"))
  const single = [...nodes.filter((node) => !aggregates.includes(node)), ...inner]
  const offers = single.map((node) => readOffer(data, node, locale))
  const priced = offers.filter((offer) => offer.price !== null)
  const [aggregate] = aggregates
  const low = aggregate ? priceAt(data, aggregate, "lowPrice", locale) : null
  const high = aggregate ? priceAt(data, aggregate, "highPrice", locale) : null
  const chosen = chosenOffer(data, product, priced, selected)
  const aggregatePrice = aggregate ? priceAt(data, aggregate, "price", locale) : null
  const price =
    (selected && chosen) ??
    low ??
    aggregatePrice ??
    chosen ??
    priceAt(data, product, "price", locale)
  const prices = priced.map((offer) => offer.price!)
  const [first] = single
  const terms = [...single, ...aggregates]
  return known({
    price: price?.amount ?? null,
    currency: price?.currency ?? currencyIn(data, aggregate ?? first ?? product, locale),
    priceText: price?.text ?? null,
    listPrice: first ? listPrice(data, first, locale) : null,
    lowPrice: low?.amount ?? (prices.length > 1 ? Math.min(...prices) : null),
    highPrice: high?.amount ?? (prices.length > 1 ? Math.max(...prices) : null),
    offerCount:
      (aggregate && integerOrNull(textAt(data, aggregate, "offerCount"))) ??
      (offers.length > 1 ? offers.length : null),
    priceValidUntil: isoDate(first && textAt(data, first, "priceValidUntil")) ?? null,
    availability:
      (selected && stockAt(data, selected)) ??
      bestAvailability([
        ...offers.map((offer) => offer.availability),
        ...[...aggregates, product].map((node) => stockAt(data, node)),
      ]),
    condition: conditionOf(
      [...terms, product].map((node) => textAt(data, node, "itemCondition")).find(Boolean),
    ),
    seller: terms.map((node) => textOfAny(data, node, "seller", "offeredBy")).find(Boolean) ?? null,
    shipping: terms.map((node) => shippingOf(data, node, locale)).find(Boolean) ?? null,
  })
}

export function readOffer(data: StructuredData, node: SchemaNode, locale: Locale): Offer {
  const price = offerPrice(data, node, locale)
  return {
    node,
    price: price?.amount ?? null,
    currency: price?.currency ?? currencyIn(data, node, locale),
    priceText: price?.text ?? null,
    availability: stockAt(data, node),
  }
}

interface ReadPrice {
  amount: number
  currency: string | null
  /** The text that it was read from; null for a number. */
  text: string | null
}

/** The one of several offers that has the page's URL, which names a version. */
export function selectedOffer(
  data: StructuredData,
  product: SchemaNode,
  pageUrl: string,
): SchemaNode | null {
  const page = normaliseUrl(pageUrl)
  const all = offersOf(data, product).flatMap((node) => [node, ...nodesAt(data, node, "offers")])
  const named = all.filter((node) => {
    const href = valueUrl(valuesOf(data, node, "url")[0] ?? null)
    const url = href ? URL.parse(href, page) : null
    return url !== null && normaliseUrl(url.href) === page
  })
  return all.length > 1 && named.length === 1 && !isOfType(named[0]!, "AggregateOffer")
    ? named[0]!
    : null
}

/** An offer for the product's own sku, else one that can be had, else the first. */
function chosenOffer(
  data: StructuredData,
  product: SchemaNode,
  priced: Offer[],
  selected: SchemaNode | null,
): ReadPrice | null {
  const sku = textAt(data, product, "sku")
  const offer =
    priced.find(({ node }) => node === selected) ??
    priced.find(({ node }) => sku !== null && textAt(data, node, "sku") === sku) ??
    priced.find(({ availability, price }) => isInStock(availability) && price! > 0) ??
    priced[0]
  return offer ? { amount: offer.price!, currency: offer.currency, text: offer.priceText } : null
}

function offerPrice(data: StructuredData, offer: SchemaNode, locale: Locale): ReadPrice | null {
  const own = priceAt(data, offer, "price", locale) ?? priceAt(data, offer, "lowPrice", locale)
  if (own && own.amount > 0) return own
  const specifications = nodesAt(data, offer, "priceSpecification")
  const current = specifications.filter((specification) => !isListPrice(data, specification))
  for (const specification of [...current, ...specifications]) {
    const price =
      priceAt(data, specification, "price", locale) ??
      priceAt(data, specification, "minPrice", locale)
    if (price) return price
  }
  return own
}

const isListPrice = (data: StructuredData, specification: SchemaNode) =>
  /(?:ListPrice|StrikethroughPrice|MSRP|SRP|RegularPrice)/i.test(
    textAt(data, specification, "priceType") ?? "",
  )

function listPrice(data: StructuredData, offer: SchemaNode, locale: Locale): number | null {
  const listed = nodesAt(data, offer, "priceSpecification").find((specification) =>
    isListPrice(data, specification),
  )
  return (listed && priceAt(data, listed, "price", locale)?.amount) ?? null
}

function priceAt(
  data: StructuredData,
  node: SchemaNode,
  property: string,
  locale: Locale,
): ReadPrice | null {
  const currency = currencyIn(data, node, locale)
  for (const value of valuesOf(data, node, property)) {
    if (typeof value === "number") return { amount: value, currency, text: null }
    if (isNode(value)) {
      const nested = priceAt(data, value, "price", locale) ?? priceAt(data, value, "value", locale)
      if (nested) return nested
    }
    if (typeof value !== "string") continue
    if (isPlainNumber(value, currency, writtenForMachines(data, node, property))) {
      return { amount: Number(value), currency, text: null }
    }
    const price = parsePrice(value, { ...locale, currency })
    if (price)
      return { amount: price.amount, currency: currency ?? price.currency, text: value.trim() }
  }
  return null
}

/** In data for machines the dot is the decimal sign; in a shown text `1.144` may be thousands. */
function isPlainNumber(text: string, currency: string | null, forMachines: boolean): boolean {
  if (!/^\s*\d+(?:\.\d+)?\s*$/.test(text)) return false
  if (!/\.\d{3}\s*$/.test(text)) return true
  return forMachines && !withoutCents.has(currency ?? "")
}

function writtenForMachines(data: StructuredData, node: SchemaNode, property: string): boolean {
  const scope = data.elements.get(node)
  const element = scope?.querySelector(`[itemprop~="${property}"], [property~="${property}"]`)
  return !element || element.hasAttribute("content")
}

function currencyIn(data: StructuredData, node: SchemaNode, locale: Locale): string | null {
  const written =
    textOfAny(data, node, "priceCurrency", "currency") ??
    nodesAt(data, node, "priceSpecification")
      .map((specification) => textAt(data, specification, "priceCurrency"))
      .find(Boolean) ??
    null
  const code = written?.toUpperCase() ?? null
  return isCurrencyCode(code) ? currencyOf(code) : currencyOf(written, locale)
}

const inOrder: Availability[] = [
  "in_stock",
  "limited",
  "online_only",
  "in_store_only",
  "preorder",
  "backorder",
]

/** One offer in stock makes the product available. */
function bestAvailability(availabilities: (Availability | null)[]): Availability | null {
  return (
    inOrder.find((availability) => availabilities.includes(availability)) ??
    availabilities.find((availability) => availability !== null) ??
    null
  )
}

export function conditionOf(written: string | null | undefined): Condition | null {
  const word = /(new|used|refurbished|damaged)/i.exec(written ?? "")?.[1]?.toLowerCase()
  return (word as Condition | undefined) ?? null
}

function shippingOf(data: StructuredData, offer: SchemaNode, locale: Locale) {
  const [details] = nodesAt(data, offer, "shippingDetails")
  const rate = details && nodesAt(data, details, "shippingRate")[0]
  if (!rate) return null
  const price = priceAt(data, rate, "value", locale)
  return {
    price: price?.amount ?? null,
    currency: price?.currency ?? currencyIn(data, rate, locale),
  }
}
