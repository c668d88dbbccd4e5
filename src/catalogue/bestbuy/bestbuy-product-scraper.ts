import { distinct } from "../../extract/core/index.ts"
import {
  BadInput,
  type Context,
  defineScraper,
  inputs,
  items,
  NotFound,
  orNull,
  productFields,
  record,
  targetUrl,
  Unreachable,
} from "../kit/index.ts"
import { apiProduct, pageProduct } from "./product.ts"

const product = record({
  url: items.requiredText("URL of the product."),
  sku: items.requiredText("Best Buy's ID of the product."),
  bsin: items.text("Best Buy's ID of the product, the same for all its conditions."),
  model: items.text("The manufacturer's model number."),
  upc: items.text("Barcode number (UPC), of 12 digits."),
  ...productFields("brand", "title", "price", "currency"),
  regularPrice: items.number("Regular or comparable price; not necessarily an earlier price."),
  savings: items.number("Difference to the regular price."),
  discountPercent: items.number("Percent by which `price` is below `regularPrice`."),
  ...productFields("rating", "reviewCount", "availability", "available"),
  pickupText: items.text("Pickup information, as displayed."),
  shippingText: items.text("Shipping information, as displayed."),
  ...productFields("description"),
  descriptionMarkdown: items.text("Description as Markdown."),
  features: items.objects("Features.", {
    title: items.text("Title."),
    description: items.requiredText("Text of the feature, without markup."),
  }),
  ...productFields("specs"),
  includedItems: items.texts("Contents of the package."),
  disclaimers: items.texts("Disclaimers."),
  whatItIs: items.texts("Types of product."),
  ...productFields("imageUrl", "images", "categories"),
  buyingOptions: items.objects("Available conditions.", {
    type: items.requiredText("Condition, as Best Buy names it."),
    url: items.text("URL of the offer."),
  }),
  questions: items.objects("Customers' questions with their answers.", {
    title: items.requiredText("Question."),
    answers: items.texts("Answers, without markup."),
  }),
  soldBy: items.text("Seller."),
})

export default defineScraper({
  slug: "bestbuy-product-scraper",
  name: "Best Buy Products",
  tagline: "Best Buy products: price, savings, specs, rating, availability, images.",
  category: "ecommerce",
  tier: "premium",
  input: {
    urls: inputs.texts("Product URLs of www.bestbuy.com that end in .p or in /sku/ and a number.", {
      max: 500,
    }),
  },
  item: { input: items.requiredText("Product as written in the input."), ...product.fields },
  example: {
    urls: [
      "https://www.bestbuy.com/site/sony-playstation-5-dualsense-wireless-controller-white/6430163.p?skuId=6430163",
    ],
  },
  probe: {
    expect: [
      "items.length equals 1",
      'items[0].sku equals "6430163"',
      'items[0].title matches "dualsense"',
      '?items[0].brand matches "sony|playstation"',
      "?items[0].rating gte 1",
      "?items[0].price gte 1",
      'items[0].currency only "USD"',
    ],
  },
  rateLimit: {
    "www.bestbuy.com": { perSecond: 0.3, concurrency: 1 },
    "api.bestbuy.com": { perSecond: 4, concurrency: 1 },
  },
  fetchMethods: ["browser", "unlocker"],
  concurrency: 1,
  targets: (input) => distinct(input.urls),

  async *scrape(target, ctx) {
    const { sku, url } = urlOf(target)
    yield { input: target, ...product.read(await productOf(sku, url, ctx)) }
  },
})

/** Uses the API if there is an API key. The API has no discontinued products. */
async function productOf(sku: string, url: string, ctx: Context) {
  const key = ctx.secret("BESTBUY_API_KEY")
  if (!key) return pageProduct(sku, url, ctx)
  let isUnknown = false
  const product = await orNull(ctx, "response of Best Buy's API", () =>
    apiProduct(sku, key, ctx).catch((error) => {
      isUnknown = error instanceof NotFound
      throw error
    }),
  )
  if (product) return product
  return pageProduct(sku, url, ctx).catch((error) => {
    if (!(error instanceof Unreachable && isUnknown)) throw error
    throw new NotFound(`Best Buy's API has no product ${sku}.`, { url, statusCode: 404 })
  })
}

function urlOf(target: string): { sku: string; url: string } {
  const url = targetUrl(target)
  const sku =
    /\/site\/(?:[^?#]{0,500}\/)?(\d{5,9})\.p|\/product\/[^?#]{0,500}\/sku\/(\d{5,9})/.exec(
      url?.pathname ?? "",
    ) ?? /[?&]skuId=()(\d{5,9})/.exec(url?.search ?? "")
  const number = sku?.[1] || sku?.[2]
  if (!url || !number || !/^(?:www\.)?bestbuy\.com$/i.test(url.hostname)) {
    throw new BadInput(`"${target}" is not a product URL of www.bestbuy.com.`)
  }
  const query = url.pathname.startsWith("/product/") ? "" : `?skuId=${number}`
  return { sku: number, url: `https://www.bestbuy.com${url.pathname}${query}` }
}
