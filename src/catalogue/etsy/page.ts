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
import type { JsonReader } from "../../extract/embedded/index.ts"
import { parsePrice } from "../../extract/price/index.ts"
import { SchemaReader, schemaNodes } from "../../extract/structured/index.ts"
import {
  BadInput,
  type Context,
  field,
  NotFound,
  type Refusal,
  ratingOrNull,
  readOnce,
  record,
  stockOf,
  type UpstreamResponse,
} from "../kit/index.ts"
import { digitalDownload, unavailable } from "./words.json"

const refusal: Refusal = { statuses: [403] }
const digitalForm = new RegExp(
  `(?<!\\p{Script=Latin})(?:${words(digitalDownload)})(?!\\p{Script=Latin})`,
  "iu",
)
const unavailableForm = new RegExp(words(unavailable), "iu")

export const etsyUrl = (listingId: string) => `https://www.etsy.com/listing/${listingId}`

export function shopUrl(shop: string | null): string | null {
  return shop && `https://www.etsy.com/shop/${encodeURIComponent(shop)}`
}

export function listingNumber(target: string): string {
  const text = target.trim()
  if (/^\d{6,12}$/.test(text)) return text
  const match = /^(?:https?:\/\/)?(?:www\.|m\.)?etsy\.com\/(?:[a-z-]{2,8}\/)?listing\/(\d+)/i.exec(
    text,
  )
  if (match) return match[1]!
  throw new BadInput(`"${target}" is not an Etsy listing. Use a listing URL or a listing ID.`)
}

export const review = record({
  rating: field.number("reviewRating.ratingValue", "Number of stars (1-5)."),
  publishedAt: field.time("datePublished", "Day of the review (YYYY-MM-DD).", isoDay),
  text: field.text((row: JsonReader) => htmlToText(row.value("reviewBody")), "Text."),
  author: field.title("author.name|author", "Name of the author."),
})

/** Returns a listing from its page, whose JSON-LD contains nearly all fields. */
export async function pageListing(listingId: string, ctx: Context) {
  const what = "the listing's product data"
  const response = await ctx.page(etsyUrl(listingId), {
    has: (response) => partsOf(response) !== null || isGone(response),
    what,
    refusal,
    headers: { "accept-language": "en-US,en;q=0.9" },
  })
  const parts = partsOf(response)
  if (!parts) {
    if (!isGone(response)) throw response.explainMissing(what)
    throw new NotFound(`Etsy's listing ${listingId} is gone.`, {
      url: etsyUrl(listingId),
      statusCode: response.status,
    })
  }
  const { document } = response
  const { nodes, product, title, offers, shown: visible } = parts
  const offer = offers[0] ?? new SchemaReader(undefined)
  const price = priceOf(offer)
  const stocked =
    offers.find((candidate) => stockOf(candidate.text("availability")).available) ?? offer
  const categories = categoriesOf(product, nodes)
  const shop = product.title("brand", "name") ?? product.title("brand")
  return {
    url: etsyUrl(listingId),
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
    rating: ratingOrNull(product.value("aggregateRating", "ratingValue")),
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
const partsOf = readOnce(({ document }) => {
  const nodes = schemaNodes(document)
  const product =
    nodes.find((node) => node.isOfType("Product", "ProductGroup")) ?? new SchemaReader(undefined)
  const heading =
    firstText(document, "h1[data-buy-box-listing-title]") ??
    firstAttribute(document, 'meta[property="og:title"]', "content")?.replace(/ - Etsy.*$/, "")
  const title = product.title("name") ?? heading
  const offers = offersOf(product)
  const visible = parsePrice(firstText(document, '[data-selector="price-only"]') ?? "")
  return title && (offers.length > 0 || visible)
    ? { nodes, product, title, offers, shown: visible }
    : null
})

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

/**
 * Returns the seller's tags. The page's footer has unrelated links to searches of the same form.
 */
function tagsOf(document: Document): string[] {
  const links = [...document.querySelectorAll('a[href*="/market/"]')]
  const foot = 'footer, [id^="internal-link"], [data-appears-component-name^="seo_"]'
  return distinct(links.flatMap((link) => (link.closest(foot) ? [] : (plainText(link) ?? []))))
}

/**
 * Parses "Home & Living < Home Decor", widest category first; falls back to the breadcrumbs without
 * their root.
 */
function categoriesOf(product: SchemaReader, nodes: SchemaReader[]): string[] {
  const written = decodeEntities(product.text("category") ?? "").split("<")
  const categories = written.map((part) => part.trim()).filter(Boolean)
  if (categories.length > 0) return categories
  const crumbs = nodes.find((node) => node.isOfType("BreadcrumbList"))
  return (crumbs?.list("itemListElement") ?? [])
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
