import { absoluteUrl } from "../core/index.ts"
import { isInStock, type Locale } from "../price/index.ts"
import {
  isOfType,
  nodesAt,
  type SchemaNode,
  type StructuredData,
  textAt,
  textOfAny,
  valuesOf,
  valueUrl,
} from "../structured/index.ts"
import { gtinAmong, mpnOf, skuAmong } from "./codes.ts"
import { known, type ProductFacts, type ProductVariant } from "./facts.ts"
import { isOfPage } from "./node.ts"
import { offersOf, readOffer, readOffers } from "./offers.ts"
import { attributesOf, imagesOf } from "./properties.ts"
import { spanOf } from "./span.ts"

const optionProperties = ["color", "size", "pattern", "material", "suggestedGender", "suggestedAge"]

/** The variants of a ProductGroup, or several offers of one product. */
export function variantsOf(
  data: StructuredData,
  product: SchemaNode,
  pageUrl: string,
  locale: Locale,
): ProductVariant[] {
  const variants = nodesAt(data, product, "hasVariant")
  if (variants.length > 0) return variants.map((node) => variant(data, node, pageUrl, locale))
  const offers = offersOf(data, product)
  const inner = offers.flatMap((offer) => nodesAt(data, offer, "offers"))
  const single = [...offers.filter((offer) => !isOfType(offer, "AggregateOffer")), ...inner]
  return single.length > 1 ? single.map((node) => offerVariant(data, node, pageUrl, locale)) : []
}

function variant(
  data: StructuredData,
  node: SchemaNode,
  pageUrl: string,
  locale: Locale,
): ProductVariant {
  const offers = readOffers(data, node, locale)
  const owners = withOnlyOffer(data, node)
  const availability = offers.availability ?? null
  return {
    name: textAt(data, node, "name"),
    sku: skuAmong(data, owners),
    gtin: gtinAmong(data, owners),
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
  locale: Locale,
): ProductVariant {
  const { price, currency, availability } = readOffer(data, node, locale)
  const item = nodesAt(data, node, "itemOffered")[0] ?? node
  return {
    name: textAt(data, node, "name") ?? textAt(data, item, "name"),
    sku: textOfAny(data, node, "sku", "mpn") ?? textAt(data, item, "sku"),
    gtin: gtinAmong(data, [node, item]),
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

/** Returns a product with its offer, if it has only one: shops write the number in either. */
export function withOnlyOffer(data: StructuredData, node: SchemaNode): SchemaNode[] {
  const offers = offersOf(data, node)
  return offers.length === 1 ? [node, ...offers] : [node]
}

/**
 * Returns the facts of a group by its variants: the one that the page's URL selects, else the price of
 * the first available one, and the group's own number.
 */
export function groupFacts(
  data: StructuredData,
  group: SchemaNode,
  pageUrl: string,
  locale: Locale,
): ProductFacts {
  const nodes = nodesAt(data, group, "hasVariant")
  const read = nodes.map((node) => variant(data, node, pageUrl, locale))
  const named = nodes.filter((node) => isOfPage(node, data, pageUrl))
  if (named.length === 1) {
    const { sku, gtin, price, currency, availability } = read[nodes.indexOf(named[0]!)]!
    return known({ sku, gtin, mpn: mpnOf(data, named[0]!), price, currency, availability })
  }
  const chosen = read.find((candidate) => candidate.inStock && candidate.price !== null) ?? read[0]
  return known({
    sku: textAt(data, group, "productGroupID"),
    ...spanOf(read),
    price: chosen?.price ?? null,
    currency: chosen?.currency ?? null,
    availability: chosen?.availability ?? null,
  })
}
