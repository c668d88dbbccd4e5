import { isInStock } from "./availability.ts"
import type { Place } from "./currencies.ts"
import { absoluteUrl } from "./html.ts"
import { numberOrNull } from "./numbers.ts"
import { parseAmount } from "./prices.ts"
import { known, type ProductFacts, type ProductVariant } from "./product-facts.ts"
import { gtinOf, isPlaceholder } from "./product-ids.ts"
import { readOffer, readOffers } from "./product-offers.ts"
import {
  isOfType,
  nodesAt,
  nodesOfType,
  type SchemaNode,
  type StructuredData,
  textAt,
  textOfAny,
  valuesOf,
  valueText,
  valueUrl,
} from "./structured-data.ts"
import { distinct, foldSpace, htmlToText } from "./text.ts"

const gtinProperties = [
  "gtin13",
  "gtin14",
  "gtin12",
  "gtin8",
  "gtin",
  "isbn",
  "ean",
  "ean13",
  "upc",
  "barcode",
]

/** What a Product node of JSON-LD, microdata or RDFa says. */
export function structuredFacts(
  data: StructuredData,
  node: SchemaNode,
  pageUrl: string,
  place: Place,
): ProductFacts {
  const [rating] = [...nodesAt(data, node, "aggregateRating"), ...nodesAt(data, node, "rating")]
  return known({
    name: textAt(data, node, "name"),
    brand: brandOf(data, node),
    description: htmlToText(textAt(data, node, "description")),
    sku: skuOf(data, node),
    mpn: textOfAny(data, node, "mpn", "model"),
    gtin: gtinAmong(data, node),
    ...readOffers(data, node, place),
    rating: rating ? ratingNumber(textAt(data, rating, "ratingValue")) : null,
    reviewCount: rating ? countNumber(textOfAny(data, rating, "reviewCount", "ratingCount")) : null,
    ratingBest: rating ? ratingNumber(textAt(data, rating, "bestRating")) : null,
    images: imagesOf(data, node, pageUrl),
    category: categoryOf(data, node),
    breadcrumbs: breadcrumbsOf(data),
    variants: variantsOf(data, node, pageUrl, place),
    attributes: attributesOf(data, node),
  })
}

function brandOf(data: StructuredData, node: SchemaNode): string | null {
  for (const property of ["brand", "manufacturer"]) {
    for (const value of valuesOf(data, node, property)) {
      const name = valueText(value)
      if (name && !/^https?:/i.test(name) && !isPlaceholder(name)) return name
    }
  }
  return null
}

/** `sku:123` and `productID: 123` are 123. */
function skuOf(data: StructuredData, node: SchemaNode): string | null {
  const offers = nodesAt(data, node, "offers")
  const own = textOfAny(data, node, "sku", "productID", "productId")
  const written = own ?? (offers.length === 1 ? textAt(data, offers[0]!, "sku") : null)
  if (!written) return null
  return (
    foldSpace(written.replace(/^(?:sku|product\s?id|mpn|art\.?|ref\.?)\s*[:#]\s*/i, "")) || null
  )
}

function gtinAmong(data: StructuredData, node: SchemaNode): string | null {
  const offers = nodesAt(data, node, "offers")
  for (const owner of offers.length === 1 ? [node, ...offers] : [node]) {
    for (const property of gtinProperties) {
      const gtin = gtinOf(textAt(data, owner, property))
      if (gtin) return gtin
    }
  }
  return null
}

const ratingNumber = (text: string | null) => {
  const number = text === null ? null : (numberOrNull(text) ?? parseAmount(text.trim()))
  return number !== null && number >= 0 ? number : null
}

const countNumber = (text: string | null) => {
  const number = text === null ? null : parseAmount(/[\d.,' ]*\d/.exec(text)?.[0].trim() ?? "")
  return number === null ? null : Math.trunc(number)
}

function imagesOf(data: StructuredData, node: SchemaNode, pageUrl: string): string[] {
  const urls = valuesOf(data, node, "image").map((value) => absoluteUrl(valueUrl(value), pageUrl))
  return distinct(urls.filter((url) => url !== null))
}

function categoryOf(data: StructuredData, node: SchemaNode): string | null {
  const text = textAt(data, node, "category")
  return text && !/^https?:/i.test(text) ? text : null
}

/** The names of the page's breadcrumb trail, in order. */
export function breadcrumbsOf(data: StructuredData): string[] {
  const [list] = nodesOfType(data, "BreadcrumbList")
  if (!list) return []
  const entries = nodesAt(data, list, "itemListElement").map((entry, index) => ({
    position: numberOrNull(textAt(data, entry, "position")) ?? index,
    name: textAt(data, entry, "name") ?? textAt(data, entry, "item"),
  }))
  return entries
    .toSorted((a, b) => a.position - b.position)
    .flatMap(({ name }) => (name && !/^https?:/i.test(name) ? [name] : []))
}

const optionProperties = ["color", "size", "pattern", "material", "suggestedGender", "suggestedAge"]

/** The variants of a ProductGroup, or several offers of one product. */
function variantsOf(
  data: StructuredData,
  product: SchemaNode,
  pageUrl: string,
  place: Place,
): ProductVariant[] {
  const variants = nodesAt(data, product, "hasVariant")
  if (variants.length > 0) return variants.map((node) => variant(data, node, pageUrl, place))
  const offers = nodesAt(data, product, "offers")
  const inner = offers.flatMap((offer) => nodesAt(data, offer, "offers"))
  const single = [...offers.filter((offer) => !isOfType(offer, "AggregateOffer")), ...inner]
  return single.length > 1 ? single.map((node) => offerVariant(data, node, pageUrl, place)) : []
}

function variant(
  data: StructuredData,
  node: SchemaNode,
  pageUrl: string,
  place: Place,
): ProductVariant {
  const offers = readOffers(data, node, place)
  const availability = offers.availability ?? null
  return {
    name: textAt(data, node, "name"),
    sku: skuOf(data, node),
    gtin: gtinAmong(data, node),
    price: offers.price ?? null,
    currency: offers.currency ?? null,
    availability,
    inStock: isInStock(availability),
    url: urlOf(data, node, pageUrl),
    image: imagesOf(data, node, pageUrl)[0] ?? null,
    options: optionsOf(data, node),
  }
}

function offerVariant(
  data: StructuredData,
  node: SchemaNode,
  pageUrl: string,
  place: Place,
): ProductVariant {
  const { price, currency, availability } = readOffer(data, node, place)
  const item = nodesAt(data, node, "itemOffered")[0] ?? node
  return {
    name: textAt(data, node, "name") ?? textAt(data, item, "name"),
    sku: textOfAny(data, node, "sku", "mpn") ?? textAt(data, item, "sku"),
    gtin: gtinAmong(data, node) ?? gtinAmong(data, item),
    price,
    currency,
    availability,
    inStock: isInStock(availability),
    url: urlOf(data, node, pageUrl),
    image: imagesOf(data, item, pageUrl)[0] ?? null,
    options: optionsOf(data, item),
  }
}

const urlOf = (data: StructuredData, node: SchemaNode, pageUrl: string) =>
  absoluteUrl(valueUrl(valuesOf(data, node, "url")[0] ?? null), pageUrl)

function optionsOf(data: StructuredData, node: SchemaNode): Record<string, string> {
  const pairs = optionProperties.map(
    (property) => [property, textAt(data, node, property)] as const,
  )
  return {
    ...Object.fromEntries(pairs.filter((pair): pair is [string, string] => pair[1] !== null)),
    ...attributesOf(data, node),
  }
}

function attributesOf(data: StructuredData, node: SchemaNode): Record<string, string> {
  const attributes: Record<string, string> = {}
  for (const property of nodesAt(data, node, "additionalProperty")) {
    const name = textOfAny(data, property, "name", "propertyID")
    const value = valuesOf(data, property, "value").map(valueText).filter(Boolean).join(", ")
    if (name && value) attributes[name] ??= value
  }
  return attributes
}
