import { blockText, indexPage } from "../core/index.ts"
import { type MetaTags, metaContent, readMeta } from "../page/index.ts"
import { currencyOfCountry, isInStock, type Locale } from "../price/index.ts"
import { nodesOfType, readStructuredData, type StructuredData } from "../structured/index.ts"
import { known, type ProductFacts, type ProductSource } from "./facts.ts"
import { orderedSku } from "./forms.ts"
import { productName } from "./heading.ts"
import { metaFacts } from "./meta.ts"
import { productNodes } from "./node.ts"
import { selectedOffer } from "./offers.ts"
import { readVisible, type VisibleProduct } from "./page.ts"
import { shopFacts } from "./shop.ts"
import { chosenSku, compact, type StatedSkus } from "./sku.ts"
import { stateFacts } from "./state.ts"
import { breadcrumbsOf, structuredFacts } from "./structured.ts"
import { trackerFacts } from "./trackers.ts"

export interface Product extends ProductFacts {
  inStock: boolean | null
  /** The source of the price. */
  extractedFrom: ProductSource
  /** The price next to the page's heading, also if `price` comes from the page's data. */
  visiblePrice: { amount: number; text: string } | null
}

interface Sourced {
  source: ProductSource
  facts: ProductFacts
}

/**
 * Returns the product that a page sells, merged from all its sources: structured data first, then meta
 * tags, the shop's own state, and visible text. Null if the page does not sell one: it has no name, or
 * none of price, SKU, GTIN and availability.
 *
 * @example
 * ```ts
 * const html = '<meta property="og:type" content="product"><h1>Lamp</h1><p class="price">€19.99</p><button>Add to cart</button>'
 * readProduct(parseDocument(html), "https://a.example/lamp").price // 19.99
 * ```
 */
export function readProduct(
  document: Document,
  pageUrl: string,
  structured: StructuredData = readStructuredData(document, pageUrl),
): Product | null {
  indexPage(document)
  const meta = readMeta(document)
  const locale = localeOf(document, meta, pageUrl)
  const nodes = productNodes(structured, document, pageUrl)
  if (nodes === null) return null
  const sources: Sourced[] = []
  for (const { node, format } of nodes) {
    sources.push({ source: format, facts: structuredFacts(structured, node, pageUrl, locale) })
  }
  sources.push({ source: "meta", facts: metaFacts(meta, pageUrl, locale) })
  const visible = readVisible(document, locale)
  sources.push({ source: "state", facts: stateFacts(document, pageUrl, visible.heading) })
  sources.push({ source: "state", facts: trackerFacts(document) })
  const shop = shopFacts(document, pageUrl, locale)
  if (nodes.length === 0 && !shop && isArticle(document, structured, meta)) return null
  const skus: StatedSkus = {
    stated: sources.flatMap(({ facts }) => facts.sku ?? []),
    labelled: shop?.sku ? [shop.sku] : visible.labelled.sku,
    apart: visible.labelledApart.sku,
    hidden: () => orderedSku(document),
  }
  const seen = shop ? { ...labelledFacts(visible), ...shop } : visibleFacts(visible)
  sources.push({ source: "selectors", facts: seen })
  const isSelected = nodes.some(({ node }) => selectedOffer(structured, node, pageUrl) !== null)
  const product = merged(sources, skus, pageUrl, isSelected)
  if (product?.name) {
    const siteName = metaContent(meta, "og:site_name")
    product.name = productName(product.name, siteName, pageUrl)
  }
  if (product && !product.breadcrumbs) product.breadcrumbs = breadcrumbsOf(structured)
  if (product?.mpn && isOwnNumber(product.mpn, document)) delete product.mpn
  return product
}

/** Returns whether a maker's number is digits that no customer sees: a shop's number of the variant. */
const isOwnNumber = (mpn: string, { body }: Document) =>
  /^\d+$/.test(mpn) && !blockText(body).includes(mpn)

function visibleFacts(visible: VisibleProduct): ProductFacts {
  const { heading, price, listPrice, availability } = visible
  return known({
    name: heading,
    price: price?.price.amount ?? null,
    currency: price?.price.currency ?? null,
    priceText: price?.text ?? null,
    listPrice: listPrice?.amount ?? null,
    availability,
    ...labelledFacts(visible),
  })
}

function labelledFacts({ labelled, labelledApart, brand }: VisibleProduct): ProductFacts {
  return known({
    sku: labelled.sku[0] ?? null,
    gtin: labelled.gtin[0] ?? labelledApart.gtin[0] ?? null,
    mpn: labelled.mpn[0] ?? labelledApart.mpn[0] ?? null,
    brand: labelled.brand[0] ?? labelledApart.brand[0] ?? brand,
  })
}

/** `isSelected`: the page's URL names one of the offers. */
function merged(
  sources: Sourced[],
  skus: StatedSkus,
  pageUrl: string,
  isSelected: boolean,
): Product | null {
  const facts: ProductFacts = {}
  for (const source of sources.toReversed()) Object.assign(facts, source.facts)
  const visible = sources.at(-1)!.facts
  settlePrice(facts, visible, isSelected)
  const { name, price, sku, gtin } = facts
  if (name === undefined || (price ?? sku ?? gtin ?? facts.availability) === undefined) return null
  const source = sources.find(({ facts }) => facts.price === price) ?? sources[0]!
  facts.priceText = source.facts.priceText
  facts.sku = chosenSku(skus, pageUrl) ?? undefined
  // Shops that have no number of the maker repeat another.
  const others = [facts.sku, gtin].map((code) => compact(code ?? ""))
  if (facts.mpn && others.includes(compact(facts.mpn))) delete facts.mpn
  // A page with a price that does not mention stock has the product for sale.
  if (price !== undefined) facts.availability ??= "in_stock"
  return {
    ...facts,
    inStock: isInStock(facts.availability ?? null),
    extractedFrom: source.source,
    visiblePrice:
      visible.price === undefined ? null : { amount: visible.price, text: visible.priceText ?? "" },
  }
}

/**
 * Some shops' data states the price before the reduction, which the page strikes through; and a price of
 * zero on a product that cannot be bought is an empty field. Of several offers in the data, the one that
 * the page shows is the product's: the others belong to other versions or sellers.
 */
function settlePrice(facts: ProductFacts, visible: ProductFacts, isSelected: boolean): void {
  const { price, lowPrice, highPrice } = facts
  const isStruck = price !== undefined && price === visible.listPrice && visible.price !== undefined
  if (isStruck && visible.price! < price) {
    facts.price = visible.price
    facts.listPrice = price
  } else if (!isSelected && isOfSpan(visible, facts.currency, lowPrice, highPrice)) {
    facts.price = visible.price
  } else if (price === 0 && facts.availability !== "in_stock") {
    delete facts.price
  }
}

/** Whether a price is shown in a currency, from the least to the greatest of several. */
const isOfSpan = (
  { price, currency }: ProductFacts,
  wanted: string | undefined,
  low: number | undefined,
  high: number | undefined,
) =>
  price !== undefined &&
  low !== undefined &&
  high !== undefined &&
  low < high &&
  price >= low &&
  price <= high &&
  (currency === undefined || wanted === undefined || currency === wanted)

const articleTypes = (
  "Article NewsArticle BlogPosting Report ReportageNewsArticle TechArticle Recipe " +
  "PodcastEpisode"
).split(" ")

/** Classes of the body of a product's page: of WooCommerce, of Magento. */
const productPage = /(?:^|\s)(?:single-product|catalog-product-view)(?:\s|$)/

/** Articles and recipes show amounts too, and sell nothing. WordPress calls all of its pages articles. */
function isArticle({ body }: Document, structured: StructuredData, meta: MetaTags): boolean {
  const type = metaContent(meta, "og:type") ?? ""
  if (/product/i.test(type) || productPage.test(body?.className ?? "")) return false
  return /article|blog|recipe/i.test(type) || nodesOfType(structured, ...articleTypes).length > 0
}

/** The country and language of a shop: its domain's ending, or the region of its language tag. */
function localeOf(document: Document, meta: MetaTags, pageUrl: string): Locale {
  const ending = new URL(pageUrl).hostname.split(".").at(-1)!.toUpperCase()
  const tag = document.documentElement?.getAttribute("lang") || metaContent(meta, "og:locale") || ""
  const [language, region] = tag.split(/[-_]/)
  const country = currencyOfCountry(ending)
    ? ending
    : region?.length === 2
      ? region.toUpperCase()
      : null
  return { country, language: language?.toLowerCase() || null }
}
