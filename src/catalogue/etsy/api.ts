import { htmlToText } from "../../extract/core/index.ts"
import { JsonReader } from "../../extract/embedded/index.ts"
import { Changed, type Context, ratingOrNull } from "../kit/index.ts"
import { etsyUrl, shopUrl } from "./page.ts"

/** Returns a listing from Etsy's official API, which needs an API key. */
export async function apiListing(listingId: string, key: string, ctx: Context) {
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
    rating: ratingOrNull(listing.value("shop", "review_average")),
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
