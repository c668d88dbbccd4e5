import { distinct, htmlToText } from "../../extract/core/index.ts"
import { JsonReader } from "../../extract/embedded/index.ts"
import { fragmentMarkdown } from "../../extract/markdown/index.ts"
import { Changed, type Context, discountOf, namedValues, ratingOrNull } from "../kit/index.ts"

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
    rating: ratingOrNull(p.value("customerReviewAverage")),
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
