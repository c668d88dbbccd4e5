import { htmlToText, numberOrNull } from "../core/index.ts"
import { type Locale, parseAmount } from "../price/index.ts"
import {
  nodesAt,
  nodesOfType,
  type SchemaNode,
  type StructuredData,
  textAt,
  textOfAny,
  valuesOf,
  valueText,
} from "../structured/index.ts"
import { gtinAmong, mpnOf, skuAmong } from "./codes.ts"
import { known, type ProductFacts } from "./facts.ts"
import { labelOf } from "./labels/labels.ts"
import { readOffers, selectedOffer } from "./offers.ts"
import { attributesOf, imagesOf } from "./properties.ts"
import { isPlaceholder } from "./text/ids.ts"
import { groupFacts, variantsOf, withOnlyOffer } from "./variants.ts"

/** Returns the facts of a Product node of JSON-LD, microdata or RDFa. */
export function structuredFacts(
  data: StructuredData,
  node: SchemaNode,
  pageUrl: string,
  locale: Locale,
): ProductFacts {
  const selected = selectedOffer(data, node, pageUrl)
  const offers = readOffers(data, node, locale, selected)
  const owners = selected ? [node, selected] : withOnlyOffer(data, node)
  const [rating] = [...nodesAt(data, node, "aggregateRating"), ...nodesAt(data, node, "rating")]
  return known({
    name: textAt(data, node, "name"),
    brand: brandOf(data, node),
    description: htmlToText(textAt(data, node, "description")),
    ...groupFacts(data, node, pageUrl, locale),
    ...known({
      sku: skuAmong(data, owners),
      mpn: mpnOf(data, node),
      gtin: gtinAmong(data, owners),
    }),
    ...offers,
    rating: rating ? ratingNumber(textAt(data, rating, "ratingValue")) : null,
    reviewCount: rating ? countNumber(textOfAny(data, rating, "reviewCount", "ratingCount")) : null,
    ratingBest: rating ? ratingNumber(textAt(data, rating, "bestRating")) : null,
    images: imagesOf(data, node, pageUrl),
    category: categoryOf(data, node),
    breadcrumbs: breadcrumbsOf(data),
    variants: variantsOf(data, node, pageUrl, locale),
    attributes: attributesOf(data, node),
  })
}

function brandOf(data: StructuredData, node: SchemaNode): string | null {
  for (const property of ["brand", "manufacturer"]) {
    for (const value of valuesOf(data, node, property)) {
      const name = withoutLabel(valueText(value) ?? "")
      if (name && !/^https?:/i.test(name) && !isPlaceholder(name)) return name
    }
  }
  return null
}

/** Microdata may hold the label as well: "More of the brand: Works" is Works. */
function withoutLabel(text: string): string {
  const [, label, name] = /^(?:.*\s)?(\S+)\s*[:：]\s*(.+)$/.exec(text) ?? []
  return name && labelOf(label!) === "brand" ? name : text
}

const ratingNumber = (text: string | null) => {
  const number = text === null ? null : (numberOrNull(text) ?? parseAmount(text.trim()))
  return number !== null && number >= 0 ? number : null
}

const countNumber = (text: string | null) => {
  const number =
    text === null ? null : parseAmount(/(?<![\d.,' ])[\d.,' ]*\d/.exec(text)?.[0].trim() ?? "")
  return number === null ? null : Math.trunc(number)
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
