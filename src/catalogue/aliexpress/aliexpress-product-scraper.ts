import { distinct } from "../../extract/core/index.ts"
import { defineScraper, inputs, items, productFields } from "../kit/index.ts"
import { aliexpressUrl, productNumber, region } from "./aliexpress.ts"
import { pageProduct } from "./page.ts"
import { product } from "./product.ts"

export default defineScraper({
  slug: "aliexpress-product-scraper",
  name: "AliExpress Products",
  tagline: "AliExpress products with SKU prices, stock, rating, orders, store and shipping.",
  notServed: ["search AliExpress"],
  category: "ecommerce",
  tier: "premium",
  input: {
    urls: inputs.texts("AliExpress product URLs, short links or product IDs.", { max: 500 }),
  },
  item: {
    input: items.requiredText("Product as written in the input."),
    productId: items.requiredText("AliExpress's ID of the product."),
    url: items.requiredText("URL of the product."),
    country: items.requiredText(
      "Country that AliExpress assumes for the visitor; price and stock depend on it.",
    ),
    ...productFields("title"),
    ...product.fields,
  },
  example: { urls: ["https://www.aliexpress.com/item/1005006143587642.html"] },
  probe: {
    expect: [
      "items.length equals 1",
      'items[0].productId equals "1005006143587642"',
      "items[0].title share 1",
      "items[0].price gte 0.01",
      'items[0].currency equals "USD"',
      "?items[0].images.length gte 1",
      "?items[0].storeName share 1",
    ],
  },
  rateLimit: {
    "www.aliexpress.com": { perSecond: 0.2, concurrency: 1 },
    "www.aliexpress.us": { perSecond: 0.2, concurrency: 1 },
    "acs.aliexpress.com": { perSecond: 0.5, concurrency: 1 },
  },
  fetchMethods: ["browser-http", "http", "browser", "unlocker"],
  unverified: ["signed call"],
  concurrency: 1,
  targets: (input) => distinct(input.urls),

  async *scrape(target, ctx) {
    const productId = await productNumber(target, ctx)
    const { title, ...found } = await pageProduct(productId, ctx)
    yield {
      input: target,
      productId,
      url: aliexpressUrl(productId),
      country: region.country,
      ...product.read({ specs: {}, ...found }),
      title,
    }
  },
})
