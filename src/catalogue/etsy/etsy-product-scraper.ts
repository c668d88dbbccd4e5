import {
  decodeEntities,
  distinct,
  firstAttribute,
  firstText,
  htmlToText,
  isoDay,
  parseCount,
  plainText,
  textLines,
  words,
} from "../../extract/core/index.ts"
import { JsonReader } from "../../extract/embedded/index.ts"
import { parsePrice } from "../../extract/price/index.ts"
import { SchemaReader, schemaNodes } from "../../extract/structured/index.ts"
import {
  BadInput,
  Changed,
  type Context,
  defineScraper,
  field,
  inputs,
  items,
  NotFound,
  nonZeroOrNull,
  orNull,
  productFields,
  readPage,
  record,
  stockOf,
  type UpstreamResponse,
} from "../kit/index.ts"
import { digitalDownload, unavailable } from "./words.json"

const shopUrl = (shop: string | null): string | null =>
  shop && `https://www.etsy.com/shop/${encodeURIComponent(shop)}`

const review = record({
  rating: field.number("reviewRating.ratingValue", "Number of stars (1-5)."),
  publishedAt: field.time("datePublished", "Day of the review (YYYY-MM-DD).", isoDay),
  text: field.text((row: JsonReader) => htmlToText(row.value("reviewBody")), "Text."),
  author: field.title("author.name|author", "Name of the author."),
})

const listing = record({
  url: items.requiredText("URL of the listing."),
  canonicalUrl: items.text("URL that contains the title."),
  listingId: items.requiredText("Etsy's ID of the listing."),
  ...productFields("title", "description", "price", "priceMin", "priceMax", "currency"),
  quantity: items.integer("Number of units in stock."),
  ...productFields("available", "availability"),
  shippingCost: items.number("Shipping cost."),
  shippingCurrency: items.text("Its currency (ISO 4217)."),
  shipsFrom: items.text("Country that the item is shipped from (two letters)."),
  shopName: items.text("Name of the shop."),
  shopUrl: items.text("URL of the shop."),
  shopLogoUrl: items.text("URL of the shop's logo."),
  ...productFields("rating", "reviewCount"),
  category: items.text("Narrowest category."),
  ...productFields("categories", "images"),
  materials: items.texts("Materials."),
  reviews: items.objects("Newest reviews, at most four.", review.fields),
  likesCount: items.integer("Number of users who like the listing."),
  isDigital: items.boolean("Whether the item is a download; null if the page does not state it."),
  tags: items.texts("Tags."),
})

export default defineScraper({
  slug: "etsy-product-scraper",
  name: "Etsy Listings",
  tagline: "Etsy listings with price, shop, rating, photos, materials and recent reviews.",
  category: "ecommerce",
  input: {
    urls: inputs.texts(
      "Listing URLs, for example https://www.etsy.com/listing/949905096, or listing IDs.",
      { max: 500 },
    ),
    useUnlocker: inputs.useUnlocker(),
  },
  item: { input: items.requiredText("Listing as written in the input."), ...listing.fields },
  example: { urls: ["https://www.etsy.com/listing/949905096"] },
  probe: {
    expect: [
      "items.length equals 1",
      'items[0].listingId equals "949905096"',
      "items[0].title share 1",
      "items[0].shopName share 1",
      "?items[0].price gte 0.01",
      "?items[0].images.length gte 1",
      '?items[0].currency only "USD"',
    ],
  },
  rateLimit: {
    "www.etsy.com": { perSecond: 0.5, concurrency: 1 },
    "openapi.etsy.com": { perSecond: 5, concurrency: 2 },
  },
  fetchMethods: ["http", "browser-http", "browser", "unlocker"],
  concurrency: 2,
  targets: (input) => distinct(input.urls),

  async *scrape(target, ctx) {
    const listingId = listingNumber(target)
    const key = ctx.secret("ETSY_API_KEY")
    const request = (key: string) => () => apiListing(listingId, key, ctx).catch(gone)
    const known = key ? await orNull(ctx, "response of Etsy's API", request(key)) : null
    if (known instanceof NotFound) throw known
    yield { input: target, ...listing.read(known ?? (await pageListing(listingId, ctx))) }
  },
})

/** Returns a `NotFound` instead of throwing it: it is a valid result, not a failure of the API. */
function gone(error: unknown): NotFound {
  if (error instanceof NotFound) return error
  throw error
}

const digitalForm = new RegExp(
  `(?<!\\p{Script=Latin})(?:${words(digitalDownload)})(?!\\p{Script=Latin})`,
  "iu",
)
const unavailableForm = new RegExp(words(unavailable), "iu")

const etsyUrl = (listingId: string) => `https://www.etsy.com/listing/${listingId}`

function listingNumber(target: string): string {
  const text = target.trim()
  if (/^\d{6,12}$/.test(text)) return text
  const form = /^(?:https?:\/\/)?(?:www\.|m\.)?etsy\.com\/(?:[a-z-]{2,8}\/)?listing\/(\d+)/i
  const id = form.exec(text)?.[1]
  if (id) return id
  throw new BadInput(`"${target}" is not an Etsy listing. Use a listing URL or a listing ID.`)
}

/** Returns a listing from its page, whose JSON-LD contains nearly all fields. */
async function pageListing(listingId: string, ctx: Context) {
  const url = etsyUrl(listingId)
  const read = (response: UpstreamResponse) =>
    partsOf(response.document) ??
    (isGone(response)
      ? new NotFound(`Etsy's listing ${listingId} is gone.`, { url, response })
      : null)
  const options = { refusal: { statuses: [403] }, headers: { "accept-language": "en-US,en;q=0.9" } }
  const what = "the listing's product data"
  const parts = await readPage(ctx, url, read, { ...options, what })
  const { document, nodes, product, title, offers, visible } = parts
  const offer = offers[0] ?? new SchemaReader(undefined)
  const price = priceOf(offer)
  const stocked =
    offers.find((candidate) => stockOf(candidate.text("availability")).available) ?? offer
  const categories = categoriesOf(product, nodes)
  const shop = product.title("brand", "name") ?? product.title("brand")
  return {
    url,
    canonicalUrl: product.text("url"),
    listingId: product.text("sku") ?? listingId,
    title,
    description: htmlToText(product.text("description")?.replaceAll("\n", "<br>")),
    price: price ?? visible?.amount ?? null,
    priceMin: offer.number("lowPrice") ?? offer.number("price"),
    priceMax: offer.number("highPrice") ?? (offers.length > 1 ? priceOf(offers.at(-1)!) : null),
    currency: price === null ? (visible?.currency ?? null) : offer.text("priceCurrency"),
    quantity: offer.integer("offerCount"),
    ...stockOf(stocked.text("availability")),
    shippingCost: offer.number("shippingDetails", "shippingRate", "value"),
    shippingCurrency: offer.text("shippingDetails", "shippingRate", "currency"),
    shipsFrom: offer.text("shippingDetails", "shippingOrigin", "addressCountry"),
    shopName: shop,
    shopUrl: shopUrl(shop),
    shopLogoUrl: product.text("logo"),
    rating: nonZeroOrNull(product.value("aggregateRating", "ratingValue")),
    reviewCount: product.integer("aggregateRating", "reviewCount"),
    category: categories.at(-1) ?? null,
    categories,
    images: imagesOf(product),
    materials: materialsOf(product),
    reviews: product.list("review").map(review.read),
    likesCount: parseCount(firstText(document, 'a[href*="/favoriters"]')),
    isDigital: textLines(document.body).some((line) => digitalForm.test(line)) ? true : null,
    tags: tagsOf(document),
  }
}

/** Returns the element with the facts of a listing, or null if the page has none. */
function partsOf(document: Document) {
  const nodes = schemaNodes(document)
  const product =
    nodes.find((node) => node.isOfType("Product", "ProductGroup")) ?? new SchemaReader(undefined)
  const heading =
    firstText(document, "h1[data-buy-box-listing-title]") ??
    firstAttribute(document, 'meta[property="og:title"]', "content")?.replace(/ - Etsy.*$/, "")
  const title = product.title("name") ?? heading
  const offers = offersOf(product)
  const visible = parsePrice(firstText(document, '[data-selector="price-only"]') ?? "")
  if (!title || (offers.length === 0 && !visible)) return null
  return { document, nodes, product, title, offers, visible }
}

/** For a removed listing, Etsy shows the seller's shop or a notice. */
function isGone({ document, url }: UpstreamResponse): boolean {
  const isShop = /^\/(?:[a-z-]{2,8}\/)?shop\//i.test(new URL(url).pathname)
  const title = `${document.title} ${firstText(document, "h1", "h2") ?? ""}`
  return isShop || unavailableForm.test(title)
}

const priceOf = (offer: SchemaReader) => offer.number("price") ?? offer.number("lowPrice")

/** Returns the listing's own offer, or those of its variants, cheapest first. */
function offersOf(product: SchemaReader): SchemaReader[] {
  const own = product.in("offers")
  if (own.has()) return [own]
  const variants = product.list("hasVariant").map((variant) => variant.in("offers"))
  const priced = variants.filter((offer) => priceOf(offer) !== null)
  return priced.toSorted((a, b) => priceOf(a)! - priceOf(b)!)
}

/** Returns the seller's tags, without the unrelated links to searches in the footer. */
function tagsOf(document: Document): string[] {
  const links = [...document.querySelectorAll('a[href*="/market/"]')]
  const foot = 'footer, [id^="internal-link"], [data-appears-component-name^="seo_"]'
  return distinct(links.flatMap((link) => (link.closest(foot) ? [] : (plainText(link) ?? []))))
}

/** Parses "Home & Living < Home Decor", widest first, or the breadcrumbs without their root. */
function categoriesOf(product: SchemaReader, nodes: SchemaReader[]): string[] {
  const written = decodeEntities(product.text("category") ?? "").split("<")
  const categories = written.map((part) => part.trim()).filter(Boolean)
  if (categories.length > 0) return categories
  return (nodes.find((node) => node.isOfType("BreadcrumbList"))?.list("itemListElement") ?? [])
    .filter((crumb) => !/\/c\/+(?:\?|$)/.test(crumb.text("item") ?? ""))
    .flatMap((crumb) => crumb.title("name") ?? [])
}

/** The images are objects with a URL, or URLs; older pages have a single one. */
function imagesOf(product: SchemaReader): string[] {
  const objects = product
    .list("image")
    .flatMap(
      (image) => image.text("contentURL") ?? image.text("contentUrl") ?? image.text("url") ?? [],
    )
  return distinct([...product.texts("image"), ...objects])
}

function materialsOf(product: SchemaReader): string[] {
  const materials = product.texts("material").flatMap((text) => decodeEntities(text).split(/[/,]/))
  return distinct(materials.map((material) => material.trim()).filter(Boolean))
}

/** Returns a listing from Etsy's official API, which needs an API key. */
async function apiListing(listingId: string, key: string, ctx: Context) {
  const response = await ctx.json(`https://openapi.etsy.com/v3/application/listings/${listingId}`, {
    query: { includes: "Images,Shop" },
    headers: { "x-api-key": key },
  })
  const listing = new JsonReader(response)
  const title = listing.title("title")
  if (!title) throw new Changed("Etsy's API returned a listing without a title.")
  const price = amount(listing.in("price"))
  const shop = listing.title("shop", "shop_name")
  const quantity = listing.integer("quantity")
  const state = listing.text("state")
  const available = state === null ? null : state === "active" && quantity !== 0
  return {
    url: etsyUrl(listingId),
    canonicalUrl: listing.text("url"),
    listingId,
    title,
    description: htmlToText(listing.text("description")?.replaceAll("\n", "<br>")),
    price,
    priceMin: price,
    currency: listing.text("price", "currency_code"),
    quantity,
    available,
    availability: available === null ? null : available ? "InStock" : "SoldOut",
    shopName: shop,
    shopUrl: shopUrl(shop),
    shopLogoUrl: listing.text("shop", "icon_url_fullxfull"),
    rating: nonZeroOrNull(listing.value("shop", "review_average")),
    reviewCount: listing.integer("shop", "review_count"),
    images: listing.list("images").flatMap((image) => image.text("url_fullxfull") ?? []),
    materials: listing.texts("materials"),
    likesCount: listing.integer("num_favorers"),
    isDigital: listing.has("listing_type")
      ? listing.text("listing_type") !== "physical"
      : listing.flag("is_digital"),
    tags: listing.texts("tags"),
  }
}

/** Parses `{ amount: 7200, divisor: 100 }`. */
function amount(price: JsonReader): number | null {
  const value = price.number("amount")
  return value === null ? null : value / (price.number("divisor") || 1)
}
