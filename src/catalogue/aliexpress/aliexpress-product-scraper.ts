import { Type } from "@sinclair/typebox"
import { distinct } from "../../extract/core/index.ts"
import {
  booleanField,
  defineScraper,
  inputObject,
  inputs,
  integerField,
  itemObject,
  numberField,
  productFields,
  textField,
} from "../kit/index.ts"
import { aliexpressUrl, productNumber, visitor } from "./aliexpress.ts"
import { pageProduct } from "./page.ts"

const item = itemObject({
  input: Type.String({ description: "Product as written in the input." }),
  productId: Type.String({ description: "AliExpress's number of the product." }),
  url: Type.String({ description: "The product's page." }),
  country: Type.String({ description: "Country of the visitor; price and stock depend on it." }),
  ...productFields("title", "price", "currency", "originalPrice", "discountPercent"),
  ...productFields("priceMin", "priceMax", "rating", "reviewCount"),
  orders: integerField("Pieces sold, rounded."),
  available: booleanField("Whether it can be bought."),
  stock: integerField("Pieces in stock."),
  ...productFields("images", "specs"),
  variants: Type.Array(
    itemObject({
      skuId: Type.String(),
      options: Type.Record(Type.String(), Type.String()),
      price: numberField("Price."),
      originalPrice: numberField("Price that the shop strikes out."),
      stock: integerField("Pieces in stock."),
    }),
    { description: "Variants (SKUs)." },
  ),
  storeName: textField("Name of the store."),
  storeId: textField("Number of the store."),
  storeUrl: textField("Page of the store."),
  storePositiveRate: numberField("Percent of positive ratings of the store."),
  storeFollowers: integerField("Followers of the store."),
  shippingCost: numberField("Price of the shipping."),
  deliveryFrom: textField("Earliest day of delivery, as shown."),
  deliveryTo: textField("Latest day of delivery."),
  descriptionUrl: textField("Page of the description."),
})

export default defineScraper({
  slug: "aliexpress-product-scraper",
  name: "AliExpress Products",
  tagline: "AliExpress products with SKU prices, stock, rating, orders, store and shipping.",
  serves: [
    "price and shipping of an AliExpress item",
    "product from a Chinese online shop",
    "AliExpress stock, variants and store rating",
    "item shipped from China",
    "how many of an AliExpress product were sold",
    "AliExpress price with delivery",
  ],
  notServed: ["search AliExpress"],
  category: "ecommerce",
  tier: "premium",
  input: inputObject({
    urls: inputs.texts("AliExpress product URLs, short links or product IDs.", {
      max: 500,
    }),
  }),
  item,
  example: { urls: ["https://www.aliexpress.com/item/1005006143587642.html"] },
  probe: {
    input: { urls: ["https://www.aliexpress.com/item/1005006143587642.html"] },
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
    yield {
      input: target,
      productId,
      url: aliexpressUrl(productId),
      country: visitor.country,
      ...(await pageProduct(productId, ctx)),
    }
  },
})
