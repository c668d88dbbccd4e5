import { distinct, htmlToText, plainText } from "../../extract/core/index.ts"
import { JsonReader, jsonAfter } from "../../extract/embedded/index.ts"
import { fragmentMarkdown } from "../../extract/markdown/index.ts"
import { SchemaReader, schemaNodes } from "../../extract/structured/index.ts"
import {
  BadInput,
  Changed,
  type Context,
  defineScraper,
  discountOf,
  field,
  inputs,
  items,
  NotFound,
  namedValues,
  nonZeroOrNull,
  orByCall,
  productFields,
  type Refusal,
  readOnce,
  record,
  stockOf,
  type UpstreamResponse,
} from "../kit/index.ts"

const homedepot = "https://www.homedepot.com"

/** Akamai responds with 206, or not at all, instead of refusing. */
const refusal: Refusal = {
  statuses: [403],
  stalls: true,
  sign: (response) => {
    const html = response.text()
    return html.length < 5000 || /Oops!! Something went wrong|"?_abck"?|bm-verify/i.test(html)
  },
}

const review = record({
  rating: field.number("reviewRating.ratingValue", "Number of stars (1-5)."),
  title: field.title("headline|name", "Title."),
  text: field.text((row: JsonReader) => htmlToText(row.value("reviewBody")), "Text."),
  author: field.title("author.name|author", "Name of the author."),
  date: field.text("datePublished", "Date of the review, as the page displays it."),
})

const product = record({
  input: items.requiredText("Product as written in the input."),
  url: items.requiredText("URL of the product."),
  itemId: items.requiredText("Home Depot's ID of the product (internet number)."),
  ...productFields("title", "brand"),
  model: field.trimmed("l.model|b.identifiers.modelNumber", "The manufacturer's model number."),
  sku: field.trimmed("l.sku", "SKU."),
  upc: field.trimmed("l.gtin13|b.identifiers.upc", "Barcode number (UPC), of 12 digits."),
  storeSku: field.trimmed("b.identifiers.storeSkuNumber", "Store SKU number."),
  ...productFields("price", "currency", "originalPrice"),
  savingsPercent: items.number("Saving on the original price, in percent."),
  ...productFields("availability", "available", "rating", "reviewCount", "description"),
  descriptionMarkdown: items.text("Description as Markdown."),
  highlights: items.texts("Highlights."),
  ...productFields("imageUrl", "images"),
  width: field.trimmed("l.width", "Width."),
  height: field.trimmed("l.height", "Height."),
  depth: field.trimmed("l.depth", "Depth."),
  weight: field.trimmed("l.weight", "Weight."),
  color: field.title("l.color", "Color."),
  ...productFields("categories", "specs"),
  reviews: items.objects("Reviews on the page.", review.fields),
  discontinued: items.requiredBoolean("Whether the product is discontinued."),
})

export default defineScraper({
  slug: "homedepot-product-scraper",
  name: "Home Depot Products",
  tagline: "Home Depot products: price, specs, rating, dimensions, images, identifiers.",
  category: "ecommerce",
  tier: "premium",
  input: {
    urls: inputs.texts("Product URLs of www.homedepot.com, or nine-digit product IDs.", {
      max: 1000,
    }),
  },
  item: product,
  example: { urls: ["https://www.homedepot.com/p/319937634"] },
  probe: {
    expect: [
      "items.length equals 1",
      'items[0].itemId equals "319937634"',
      "items[0].title share 1",
      "items[0].brand share 1",
      "?items[0].price gte 0.01",
      "?items[0].specs share 1",
      'items[0].currency only "USD"',
    ],
  },
  rateLimit: { "homedepot.com": { perSecond: 0.3, concurrency: 1 } },
  fetchMethods: ["browser-http", "http", "browser", "unlocker"],
  unverified: ["productClientOnlyProduct"],
  concurrency: 1,
  targets: (input) => distinct(input.urls),

  async *scrape(target, ctx) {
    const { itemId, url } = urlOf(target)
    const parts = await ctx.escalate(url, {
      http: (ctx) =>
        orByCall(
          ctx,
          what,
          () => visibleProduct(itemId, url, ctx),
          () => calledProduct(itemId, url, ctx),
        ),
      browser: (ctx) => visibleProduct(itemId, url, ctx),
    })
    const { product: l, crumbs, b, title, shownAt, discontinued } = parts
    const offer = l.in("offers")
    const pricing = prefixed(b, "pricing")
    const price = nonZeroOrNull(offer.value("price")) ?? nonZeroOrNull(pricing.value("value"))
    const originalPrice =
      nonZeroOrNull(offer.value("priceSpecification", "price")) ??
      nonZeroOrNull(pricing.value("original"))
    const images = imagesOf(l, b)
    const path = b.text("identifiers", "canonicalUrl")
    yield product.read({
      l,
      b,
      input: target,
      url: path ? new URL(path, homedepot).href : (offer.text("url") ?? shownAt),
      itemId: l.text("productID") ?? b.text("itemId") ?? itemId,
      title,
      brand: l.title("brand", "name") ?? l.title("brand") ?? b.title("identifiers", "brandName"),
      price,
      currency: offer.text("priceCurrency") ?? (price === null ? null : "USD"),
      originalPrice,
      savingsPercent:
        nonZeroOrNull(pricing.value("promotion", "percentageOff")) ??
        discountOf(price, originalPrice),
      ...stockOf(availabilityIn(offer) ?? (discontinued ? "Discontinued" : null)),
      rating:
        nonZeroOrNull(l.value("aggregateRating", "ratingValue")) ??
        nonZeroOrNull(b.value("reviews", "ratingsReviews", "averageRating")),
      reviewCount:
        l.integer("aggregateRating", "reviewCount") ??
        b.integer("reviews", "ratingsReviews", "totalReviews"),
      description:
        htmlToText(l.value("description")) ?? htmlToText(b.value("details", "description")),
      descriptionMarkdown:
        fragmentMarkdown(l.value("description")) ??
        fragmentMarkdown(b.value("details", "description")),
      highlights: b
        .texts("details", "highlights")
        .flatMap((highlight) => htmlToText(highlight) ?? []),
      imageUrl: images[0] ?? null,
      images,
      categories: crumbs,
      specs: specsOf(b),
      reviews: l.list("review").map(review.read),
      discontinued,
    })
  },
})

function urlOf(target: string): { itemId: string; url: string } {
  const text = target.trim()
  if (/^\d{9}$/.test(text)) return { itemId: text, url: `${homedepot}/p/${text}` }
  const match =
    /^(?:https?:\/\/)?(?:www\.|m\.)?homedepot\.com\/([ps]\/(?:[^/?#]+\/)?(\d{6,12}))(?:[/?#]|$)/i.exec(
      text,
    )
  if (match) return { itemId: match[2]!, url: `${homedepot}/${match[1]}` }
  throw new BadInput(
    /homedepot\.(?:ca|com\.mx)/i.test(text)
      ? `"${target}" is on another Home Depot site; only www.homedepot.com is supported.`
      : `"${target}" is not a www.homedepot.com product. Use a product URL or product ID.`,
  )
}

const what = "the product"

type Parts = NonNullable<ReturnType<typeof partsOf>> & {
  /** URL of the page. */
  shownAt: string
  discontinued: boolean
}

async function visibleProduct(itemId: string, url: string, ctx: Context): Promise<Parts> {
  const read = readOnce((response) => partsOf(response, itemId))
  const response = await ctx.page(url, {
    has: (response) => read(response) !== null || isGone(response),
    what,
    refusal,
    headers: { "accept-language": "en-US,en;q=0.9" },
    waitFor: "script#thd-helmet__script--productStructureData",
  })
  const parts = isElsewhere(response) ? null : read(response)
  if (parts) {
    return { ...parts, shownAt: response.url, discontinued: isDiscontinued(response, parts.b) }
  }
  if (!isGone(response)) throw response.explainMissing(what)
  const details = { url: `${homedepot}/p/${itemId}`, statusCode: response.status }
  throw new NotFound(`Home Depot has no product ${itemId}.`, details)
}

async function calledProduct(itemId: string, url: string, ctx: Context): Promise<Parts> {
  const b = await productByCall(itemId, url, ctx)
  const title = b.title("identifiers", "productLabel")
  if (!title) throw new Changed("Home Depot returned a product without a name.", { url })
  const crumbs = b.list("taxonomy", "breadCrumbs").flatMap((crumb) => crumb.title("label") ?? [])
  const discontinued = b.flag("availabilityType", "discontinued") === true
  return { product: new SchemaReader(undefined), crumbs, b, title, shownAt: url, discontinued }
}

/** Returns the product from the structured data and from the state, or null if both lack it. */
function partsOf(response: UpstreamResponse, itemId: string) {
  const { product, crumbs } = jsonLdOf(response)
  const b = catalogOf(response, itemId)
  const title = product.title("name") ?? b.title("identifiers", "productLabel")
  const isKnown = product.has("offers") || product.has("productID") || b.has("identifiers")
  return title && isKnown ? { product, crumbs, b, title } : null
}

const isElsewhere = ({ url }: UpstreamResponse) => !/^\/[ps]\//.test(new URL(url).pathname)

function isGone(response: UpstreamResponse): boolean {
  const text = (plainText(response.document.body) ?? "").slice(0, 20_000)
  return isElsewhere(response) || /sorry, we couldn(?:'|’)t find/i.test(text)
}

function jsonLdOf(response: UpstreamResponse) {
  const nodes = schemaNodes(response.document)
  const product = nodes.find((node) => node.isOfType("Product")) ?? new SchemaReader(undefined)
  const page = nodes.find((node) => node.has("breadcrumb") || node.isOfType("BreadcrumbList"))
  const list = page?.has("breadcrumb") ? page.in("breadcrumb") : page
  const crumbs = (list?.list("itemListElement") ?? [])
    .flatMap((crumb) => crumb.title("item", "name") ?? crumb.title("name") ?? [])
    .filter((name) => !/^home$/i.test(name))
  return { product, crumbs }
}

/** Returns the product in Apollo's state: `base-catalog-{itemId}`. */
function catalogOf(response: UpstreamResponse, itemId: string): JsonReader {
  const state = new JsonReader(jsonAfter(response.text(), "window.__APOLLO_STATE__"))
  const exact = state.in(`base-catalog-${itemId}`)
  if (exact.has()) return exact
  const match = state.entries().find(([key]) => key.startsWith("base-catalog-"))
  return match?.[1] ?? new JsonReader(undefined)
}

/** Returns a field whose key contains its arguments: `pricing({"storeId":"121"})`. */
function prefixed(b: JsonReader, name: string): JsonReader {
  const match = b.entries().find(([key]) => key === name || key.startsWith(`${name}(`))
  return match?.[1] ?? new JsonReader(undefined)
}

function imagesOf(l: SchemaReader, b: JsonReader): string[] {
  const media = b.list("media", "images").flatMap((image) => image.text("url") ?? [])
  const named = l.texts("image")
  return distinct((named.length > 0 ? named : media).map(largest))
}

/** Returns schema.org's availability of the offer, or of the first offer in an AggregateOffer. */
const availabilityIn = (offer: JsonReader) =>
  [offer, offer.in("offers")]
    .flatMap((node) => node.text("availability") ?? node.text("availability", "@id") ?? [])
    .at(0)

/** Image URLs contain the size: `<SIZE>` in the state, `-64_100.jpg` elsewhere. */
const largest = (image: string) =>
  image.replace("<SIZE>", "1000").replace(/_(?:65|100|145|300|400|600)(\.\w{3,4})$/, "_1000$1")

function specsOf(b: JsonReader): Record<string, string> {
  const specs = b.list("specificationGroup").flatMap((group) => group.list("specifications"))
  return namedValues(specs, "specName", "specValue")
}

function isDiscontinued(response: UpstreamResponse, b: JsonReader): boolean {
  const type = b.text("info", "productSubType", "name") ?? b.text("info", "productSubType") ?? ""
  const text = plainText(response.document.body) ?? ""
  return /discontinued/i.test(type) || /This item has been discontinued/i.test(text)
}

const endpoint = "https://apionline.homedepot.com/federation-gateway/graphql"
const operationName = "productClientOnlyProduct"
/** Default store of the site's visitors. */
const storeId = "121"
const query = `query ${operationName}($itemId: String!, $storeId: String) {
  product(itemId: $itemId) {
    itemId
    identifiers { productLabel canonicalUrl brandName modelNumber storeSkuNumber }
    availabilityType { type discontinued }
    details { description highlights }
    media { images { url } }
    pricing(storeId: $storeId) { value original promotion { percentageOff } }
    reviews { ratingsReviews { averageRating totalReviews } }
    specificationGroup { specifications { specName specValue } }
    taxonomy { breadCrumbs { label } }
  }
}`

/** Returns a product from the call of the page's scripts, in the format of the page's state. */
async function productByCall(itemId: string, referer: string, ctx: Context): Promise<JsonReader> {
  const response = await ctx.data(`${endpoint}?opname=${operationName}`, {
    refusal: { statuses: [206, 403] },
    what,
    identity: "browser",
    headers: {
      origin: homedepot,
      referer,
      "x-experience-name": "general-merchandise",
      "apollographql-client-name": "general-merchandise",
      "apollographql-client-version": "0.0.0",
      "sec-fetch-dest": "empty",
      "sec-fetch-mode": "cors",
      "sec-fetch-site": "same-site",
    },
    json: { operationName, variables: { itemId, storeId }, query },
  })
  const data = new JsonReader(response.json()).in("data")
  const product = data.in("product")
  if (product.has("identifiers")) return product
  const details = { url: referer, statusCode: response.status }
  if (data.value("product") === null) {
    throw new NotFound(`Home Depot has no product ${itemId}.`, details)
  }
  throw new Changed("Home Depot's response has no product.", details)
}
