import {
  absoluteUrl,
  allTexts,
  distinct,
  firstAttribute,
  firstText,
  htmlToText,
  parseCount,
  plainText,
} from "../../extract/core/index.ts"
import { apolloData, at, JsonReader, mergeParts, parseLoose } from "../../extract/embedded/index.ts"
import { fragmentMarkdown } from "../../extract/markdown/index.ts"
import { availabilityInText, isInStock } from "../../extract/price/index.ts"
import { SchemaReader, schemaNodes } from "../../extract/structured/index.ts"
import {
  amountOf,
  Changed,
  type Context,
  discountOf,
  NotFound,
  namedValues,
  nonZeroOrNull,
  ratingOf,
  readOnce,
  stockOf as statedStock,
  type UpstreamResponse,
} from "../kit/index.ts"
import { componentProduct } from "./components.ts"

const dollars = { country: "US", currency: "USD" }

/** Returns a product from Apollo's data, then the visible page, then its structured data. */
export async function pageProduct(sku: string, url: string, ctx: Context) {
  const read = readOnce((response) => partsOf(response, sku))
  const response = await openPage(url, (response) => read(response) !== null, ctx)
  const parts = read(response)
  if (!parts) {
    if (!isGone(response)) throw response.explainMissing(what)
    const message = "Best Buy reports that this product is no longer available."
    throw new NotFound(message, { url, response })
  }
  const { document } = response
  const { a, block, specs, node, title } = parts
  const page = new JsonReader(
    parseLoose(firstAttribute(document, 'meta[name="analytics-metadata"]', "content") ?? ""),
  )
  const rated = firstText(document, ".c-ratings-reviews .visually-hidden")
  const address = urlOf(response, a, sku)
  const images = imagesOf(document, a, node)
  const crumbs = allTexts(document, 'nav[aria-label*="readcrumb"] a')
  const price =
    nonZeroOrNull(a.value("price", "customerPrice")) ??
    priceIn(block, "price-block-customer-price") ??
    nonZeroOrNull(node.value("offers", "price"))
  const regularPrice =
    nonZeroOrNull(a.value("price", "regularPrice")) ?? priceIn(block, "price-block-regular-price")
  const soldBySelector = '[data-testid="seller-details-first-party-sold-by-banner-container"]'
  return {
    url: address,
    sku: a.text("skuId") ?? sku,
    bsin:
      /\/product\/[^/]+\/([A-Z0-9]{8,12})(?![^/?#])/.exec(address)?.[1] ??
      page.text("product", "bsin") ??
      a.text("bsin"),
    model: a.text("manufacturer", "modelNumber") ?? specs["Model Number"] ?? node.text("model"),
    upc: a.text("upc") ?? specs.UPC ?? node.text("gtin13"),
    brand:
      a.title("brand") ??
      a.title("brand", "name") ??
      specs.Brand ??
      page.title("product", "brand") ??
      node.title("brand", "name"),
    title,
    price,
    currency: "USD",
    regularPrice,
    savings:
      nonZeroOrNull(a.value("price", "totalSavings")) ??
      priceIn(block, "price-block-total-savings") ??
      savingsOf(price, regularPrice),
    discountPercent: discountOf(price, regularPrice),
    rating:
      nonZeroOrNull(a.value("reviewInfo", "averageRating")) ??
      ratingOf(rated) ??
      nonZeroOrNull(node.value("aggregateRating", "ratingValue")),
    reviewCount:
      a.integer("reviewInfo", "reviewCount") ??
      parseCount(/with ([\d,]+) reviews?/i.exec(rated ?? "")?.[1]) ??
      node.integer("aggregateRating", "reviewCount"),
    ...stockOf(document, a, node, sku),
    pickupText: deliveryText(document, "pickup"),
    shippingText: deliveryText(document, "shipping"),
    description: htmlToText(a.value("description", "long")),
    descriptionMarkdown: fragmentMarkdown(a.value("description", "long")),
    features: a.list("features").flatMap((feature) => {
      const description = htmlToText(feature.value("description"))
      return description ? { title: feature.title("title"), description } : []
    }),
    specs,
    includedItems: plainTexts(a, "includedItems"),
    disclaimers: plainTexts(a, "disclaimers"),
    whatItIs: plainTexts(a, "whatItIs"),
    imageUrl: images[0],
    images,
    categories: (crumbs.length > 0 ? crumbs : page.texts("page", "breadcrumbs")).slice(1),
    buyingOptions: a.list("buyingOptions").flatMap((option) => {
      const type = option.text("type")
      return type ? { type, url: option.text("pdpUrl") } : []
    }),
    questions: a.list("questions", "results").flatMap((question) => {
      const requested = question.title("title")
      const answers = question
        .list("answers")
        .flatMap((reply) => htmlToText(reply.value("text")) ?? [])
      return requested ? { title: requested, answers } : []
    }),
    soldBy: firstText(document, soldBySelector)?.replace(/^Sold by\s*/i, "") || null,
  }
}

/** Returns the element with the facts of the product, or null if the page has none. */
function partsOf(response: UpstreamResponse, sku: string) {
  const { document } = response
  const a = stateOf(response, sku)
  const block = priceBlock(document)
  const specs = specsOf(document, a)
  const node = structuredOf(document, sku)
  const title = a.title("name", "short") ?? firstText(document, "h1") ?? node.title("name")
  const isKnown = a.has() || node.has() || block !== null || Object.keys(specs).length > 0
  return title && isKnown ? { a, block, specs, node, title } : null
}

const what = "the product"

/** Returns the page after the country selection that visitors from abroad get first. */
async function openPage(
  url: string,
  isKnown: (response: UpstreamResponse) => boolean,
  ctx: Context,
): Promise<UpstreamResponse> {
  const open = (address: string) =>
    ctx.page(address, {
      has: (response) => isKnown(response) || asksCountry(response) || isGone(response),
      what,
      // Akamai refuses requests or lets them time out.
      refusal: {
        statuses: [403],
        stalls: true,
        sign: /_sec\/cp_challenge|Pardon Our Interruption/i,
      },
      timeoutMs: 45_000,
      headers: { "accept-language": "en-US,en;q=0.9" },
      waitFor: '[data-testid="price-block-customer-price"]',
    })
  const response = await open(url)
  if (!asksCountry(response)) return response
  return open(`${url}${url.includes("?") ? "&" : "?"}intl=nosplash`)
}

const asksCountry = ({ document }: UpstreamResponse): boolean =>
  /select your country/i.test(`${document.title} ${firstText(document, "h1", "h2") ?? ""}`)

function isGone({ document }: UpstreamResponse): boolean {
  const text = plainText(document.body) ?? ""
  return /no longer available|we(?:'|’)re sorry, something went wrong/i.test(text.slice(0, 20_000))
}

/**
 * Merges the product's objects of all pushes. A page may contain other products as well. Older pages
 * have the states of their components instead.
 */
function stateOf(response: UpstreamResponse, sku: string): JsonReader {
  const products = apolloData(response.text()).flatMap(
    (data) => at<{ skuId?: string }>(data, "productBySkuId") ?? [],
  )
  const own = products.filter((product) => !product.skuId || product.skuId === sku)
  const parts = own.length > 0 ? own : products
  if (parts.length === 0) return componentProduct(response.document, sku)
  return new JsonReader(mergeParts(parts))
}

/** Returns the product's structured data for search engines; older layouts have nothing else. */
const structuredOf = (document: Document, sku: string): SchemaReader =>
  schemaNodes(document).find((node) => node.isOfType("Product") && node.text("sku") === sku) ??
  new SchemaReader(undefined)

/** Returns the product's own price block: the first one outside a carousel. */
function priceBlock(document: Document): Element | null {
  const blocks = [...document.querySelectorAll('[data-testid="price-block"]')]
  return (
    blocks.find((block) => block.querySelector('[data-testid="LARGE_profile"]')) ??
    blocks.find((block) => !block.querySelector('[data-testid="PRODUCT_CARD_PRICE_profile"]')) ??
    null
  )
}

/** Returns how far a price is below the regular one; null if it is not. */
const savingsOf = (price: number | null, regular: number | null): number | null =>
  price !== null && regular !== null && regular > price
    ? Number((regular - price).toFixed(2))
    : null

/** The price occurs twice, once for screen readers; other texts have words around it. */
function priceIn(block: Element | null, testId: string): number | null {
  if (!block) return null
  const place = `[data-testid="${testId}"]`
  return (
    amountOf(firstText(block, `${place} span`), dollars) ??
    amountOf(firstText(block, place), dollars)
  )
}

function specsOf(document: Document, a: JsonReader): Record<string, string> {
  const specs: Record<string, string> = {}
  for (const row of document.querySelectorAll("#key-specs-list div.items-center")) {
    const [name, value] = [...row.children].map(plainText)
    if (row.children.length === 2 && name && value) specs[name] = value
  }
  const stated = a.list("specificationGroups").flatMap((group) => group.list("specifications"))
  return { ...specs, ...namedValues(stated, "displayName", "value") }
}

function stockOf(document: Document, a: JsonReader, node: SchemaReader, sku: string) {
  const availability =
    firstText(document, `[data-testid^="pdp-add-to-cart-${sku}"]`) ??
    a.list("fulfillmentOptions", "buttonStates")[0]?.title("displayText") ??
    null
  if (availability === null) return statedStock(node.text("offers", "availability"))
  if (/add to cart/i.test(availability)) return { availability, available: true }
  if (/coming soon/i.test(availability)) return { availability, available: false }
  return { availability, available: isInStock(availabilityInText(availability)) }
}

/** Joins "Ready within 1 hour", which is split into two elements. */
function deliveryText(document: Document, fetchMethod: "pickup" | "shipping"): string | null {
  const parts = ["primary", "secondary"].map((part) =>
    firstText(document, `[data-testid^="pdp-${fetchMethod}-${part}-description"]`),
  )
  return parts.filter(Boolean).join(" ") || null
}

const plainTexts = (a: JsonReader, key: string): string[] =>
  a.texts(key).flatMap((text) => htmlToText(text) ?? [])

/** Finds `https://www.bestbuy.com/product/{slug}/{bsin}/sku/{sku}` anywhere in the page. */
function urlOf(response: UpstreamResponse, a: JsonReader, sku: string): string {
  const { document } = response
  const canonical = firstAttribute(document, 'link[rel="canonical"]', "href")
  const fresh = a.list("buyingOptions").find((option) => option.text("type") === "New")
  const candidates = [
    canonical,
    response.url,
    fresh?.text("pdpUrl") ?? null,
    firstAttribute(document, `a[href*="/sku/${sku}"]`, "href"),
  ]
  const form = new RegExp(`^https://www\\.bestbuy\\.com/product/.*?/sku/${sku}(?!\\d)`)
  const urls = candidates.map((candidate) => absoluteUrl(candidate, response.url) ?? "")
  const [url] = urls.flatMap((url) => form.exec(url)?.[0] ?? [])
  return url ?? canonical ?? response.url
}

/** Returns large images: the part after `;` requests a smaller size. */
function imagesOf(document: Document, a: JsonReader, node: SchemaReader): string[] {
  const named = [
    a.text("primaryImage", "piscesHref"),
    ...a.list("images").map((image) => image.text("piscesHref") ?? image.text("href")),
  ]
  const gallery = document.querySelectorAll(
    '[data-component-name="MediaGallery"] img[src*="pisces.bbystatic.com"]',
  )
  const visible = [...named, ...[...gallery].map((image) => image.getAttribute("src"))]
  // The structured data has the images in separate nodes.
  const objects = schemaNodes(document).filter((entity) => entity.isOfType("ImageObject"))
  const pictured = [...node.texts("image"), ...objects.map((image) => image.text("thumbnailUrl"))]
  const images = visible.some(Boolean) ? visible : node.has() ? pictured : []
  const large = (image: string | null) =>
    absoluteUrl(image?.replace(/;.*$/s, ""), "https://www.bestbuy.com")
  return distinct(images.flatMap((image) => large(image) ?? []))
}

/** Returns a product from Best Buy's official API, which needs an API key. */
export async function apiProduct(sku: string, key: string, ctx: Context) {
  const response = await ctx.json(`https://api.bestbuy.com/v1/products/${sku}.json`, {
    query: { apiKey: key, show: "all" },
  })
  const p = new JsonReader(response)
  const title = p.title("name")
  if (!title) throw new Changed("Best Buy's API returned a product without a name.")
  const available = p.flag("onlineAvailability")
  const images = [p.text("image"), ...p.list("images").map((image) => image.text("href"))]
  return {
    url: p.text("url")?.replace(/[?#].*$/s, "") ?? `https://www.bestbuy.com/site/${sku}.p`,
    sku: p.text("sku") ?? sku,
    bsin: p.text("bsin"),
    model: p.text("modelNumber"),
    upc: p.text("upc"),
    brand: p.title("manufacturer"),
    title,
    price: p.number("salePrice"),
    currency: "USD",
    regularPrice: p.number("regularPrice"),
    savings: p.number("dollarSavings") || null,
    discountPercent: discountOf(p.number("salePrice"), p.number("regularPrice")),
    rating: nonZeroOrNull(p.value("customerReviewAverage")),
    reviewCount: p.integer("customerReviewCount"),
    availability: p.title("onlineAvailabilityText") ?? p.text("orderable"),
    available,
    description: htmlToText(p.value("longDescription")) ?? htmlToText(p.value("shortDescription")),
    descriptionMarkdown:
      fragmentMarkdown(p.value("longDescription")) ?? fragmentMarkdown(p.value("shortDescription")),
    features: p.list("features").flatMap((feature) => {
      const description = htmlToText(feature.value("feature"))
      return description ? { title: null, description } : []
    }),
    specs: namedValues(p.list("details"), "name", "value"),
    includedItems: p.list("includedItemList").flatMap((item) => item.title("includedItem") ?? []),
    imageUrl: p.text("image"),
    images: distinct(images.filter((image) => image !== null)),
    categories: p
      .list("categoryPath")
      .slice(1)
      .flatMap((step) => step.title("name") ?? []),
    soldBy: p.title("seller", "name"),
  }
}
