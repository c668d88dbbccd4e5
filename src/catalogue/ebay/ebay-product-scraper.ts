import { distinct } from "../../extract/core/index.ts"
import {
  BadInput,
  defineScraper,
  inputs,
  items,
  NotFound,
  productFields,
  record,
  targetUrl,
  type UpstreamResponse,
} from "../kit/index.ts"
import { ebayPart, ebayRateLimit } from "./ebay.ts"
import { listingOf } from "./listing.ts"
import { variantsOf } from "./variants.ts"

const item = record({
  input: items.requiredText("Listing as written in the input."),
  itemId: items.requiredText("eBay's ID of the listing."),
  url: items.requiredText("URL of the listing, on the requested site."),
  ...productFields("title", "price", "currency"),
  convertedPrice: items.text("Approximate price in the site's currency, as displayed."),
  ...productFields("originalPrice", "discountPercent"),
  discountText: items.text("Discount, as displayed."),
  condition: items.text("Condition."),
  ...productFields("availability"),
  quantityAvailable: items.integer(
    "Number of units left; the minimum if the page shows only a lower bound.",
  ),
  quantitySold: items.integer("Number of units sold."),
  buyingFormat: items.text("buy_it_now, best_offer or auction."),
  bids: items.integer("Number of bids."),
  endsAt: items.text("End of an auction (ISO 8601, UTC)."),
  sellerName: items.text("Name of the seller."),
  sellerUrl: items.text("URL of the seller's page."),
  sellerFeedbackPercent: items.number("Percentage of positive ratings of the seller."),
  sellerFeedbackCount: items.integer("Number of ratings of the seller."),
  shipping: items.text("Shipping information, as displayed."),
  location: items.text("Location of the item."),
  returns: items.text("Return policy, as displayed."),
  ...productFields("images"),
  specifics: items.textsByName("Item specifics by name."),
  ...productFields("categories"),
  descriptionUrl: items.text("URL of the seller's description."),
  epid: items.text("eBay's ID of the catalogue product (EPID)."),
  upc: items.text("Barcode number (UPC), of 12 digits."),
  ean: items.text("EAN."),
  ...productFields("brand"),
  mpn: items.text("Manufacturer's part number."),
  variants: items.objects("Variations.", {
    id: items.requiredText("eBay's ID of the variation."),
    options: items.textsByName("Options of the variation by name, for example Size."),
    price: items.number("Price in the seller's currency."),
    currency: items.text("Its currency (ISO 4217)."),
    available: items.boolean("Whether the item can be bought now."),
    quantity: items.integer("Number of units left."),
    images: items.texts("URLs of the images of the variation."),
  }),
  ended: items.requiredBoolean("Whether the listing has ended."),
})

export default defineScraper({
  slug: "ebay-product-scraper",
  name: "eBay Listing",
  tagline: "One eBay listing in full: price, seller, item specifics, photos, variants, shipping.",
  notServed: ["search eBay by keyword"],
  category: "ecommerce",
  input: {
    urls: inputs.texts(
      "Listing URLs of any eBay site, or item numbers, for example 256789012345.",
      { max: 1000 },
    ),
    useUnlocker: inputs.useUnlocker(),
  },
  item,
  example: { urls: ["https://www.ebay.com/itm/206259394920"] },
  probe: {
    input: { urls: ["@ebay-search-scraper items[0].url"] },
    expect: [
      "items.length equals 1",
      "items[0].title share 1",
      'items[0].itemId matches "^\\\\d{9,15}$"',
      "items[0].images.length gte 1",
      "items[0].sellerName share 1",
      "?items[0].price gte 0.01",
      "?items[0].specifics share 1",
      '?items[0].currency only "USD"',
    ],
  },
  rateLimit: ebayRateLimit,
  fetchMethods: ["http", "browser-http", "browser", "unlocker"],
  concurrency: 2,
  pages: { ofTarget: 1 },
  targets: (input) => distinct(input.urls),

  async *scrape(target, ctx) {
    const requested = urlOf(target)
    const read = (response: UpstreamResponse) => listingIn(response, requested)
    const listing = await ebayPart(requested.url, { read, what: "the listing" }, ctx)
    yield item.read({ input: target, ...listing })
  },
})

interface Requested {
  itemId: string
  host: string
  url: string
}

function listingIn(response: UpstreamResponse, requested: Requested) {
  const { pathname, searchParams } = new URL(response.url)
  // A catalogue page belongs to this listing only if it contains its ID.
  if (!pathname.startsWith("/itm/") && searchParams.get("iid") !== requested.itemId) {
    const message = "eBay shows another page instead of this listing, which no longer exists."
    return new NotFound(message, { url: requested.url, response })
  }
  const { host, itemId } = requested
  const page = { document: response.document, html: response.text(), host, itemId }
  const listing = listingOf(page)
  return listing && { ...listing, variants: variantsOf(page, listing.images) }
}

function urlOf(target: string): Requested {
  const text = target.trim()
  if (/^\d{9,14}$/.test(text)) {
    return { itemId: text, host: "www.ebay.com", url: `https://www.ebay.com/itm/${text}` }
  }
  const url = targetUrl(target)
  const itemId =
    /\/itm\/(?:[^/?]+\/)?(\d{9,14})(?:\/|$)/.exec(url?.pathname ?? "")?.[1] ??
    /^\d{9,14}$/.exec(url?.searchParams.get("iid") ?? "")?.[0] ??
    /[?&]ViewItem\b.{0,500}[?&]item=(\d{9,14})(?!\d)/i.exec(url?.search ?? "")?.[1]
  if (!url || !itemId || !/^(?:[a-z]{1,6}\.){0,2}ebay\.[a-z.]+$/i.test(url.hostname)) {
    throw new BadInput(`"${target}" is not an eBay listing. Use a listing URL or an item number.`)
  }
  const host = url.hostname.toLowerCase().replace(/^(?:m\.|cgi\.)?(?=ebay\.)/, "www.")
  const variation = url.searchParams.get("var")
  const query = variation ? `?var=${encodeURIComponent(variation)}` : ""
  return { itemId, host, url: `https://${host}/itm/${itemId}${query}` }
}
