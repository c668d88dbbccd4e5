import { round } from "../../../extract/core/index.ts"
import { canonicalUrl } from "../../../extract/links/index.ts"
import { availabilities } from "../../../extract/price/index.ts"
import type { Product } from "../../../extract/product/index.ts"
import {
  defineScraper,
  field,
  items,
  nullable,
  oneOf,
  pageUrls,
  record,
  required,
} from "../../kit/index.ts"
import { onePageEach, pageFacts, pageFields } from "../page/open.ts"
import { openShopPage, useUnlocker } from "./shop-page.ts"

type Variant = NonNullable<Product["variants"]>[number]

/** The product in the page's data or text. */
const item = record({
  ...pageFields,
  canonicalUrl: items.text("Canonical URL in the page's metadata."),
  name: required(field.text("name", "Name of the product.")),
  brand: field.text("brand", "Brand or manufacturer."),
  description: field.text("description", "Description as plain text."),
  sku: field.text("sku", "The shop's own number of the product (SKU)."),
  mpn: field.text("mpn", "The manufacturer's part number (MPN)."),
  gtin: field.text("gtin", "GTIN, EAN, UPC or ISBN; digits."),
  price: field.number("price", "Current price; the lowest of several offers."),
  currency: field.text("currency", "Currency of the prices (ISO 4217)."),
  priceText: field.text("priceText", "Price as written on the page, if it was read from a text."),
  listPrice: field.number("listPrice", "Price before a reduction."),
  discountPercent: field.number(discountOf, "Reduction in percent."),
  lowPrice: field.number("lowPrice", "Lowest price of all offers or variants."),
  highPrice: field.number("highPrice", "Highest price of all offers or variants."),
  offerCount: field.number("offerCount", "Number of offers."),
  priceValidUntil: field.text("priceValidUntil", "Time until which the price is valid."),
  availability: field.of(
    nullable(oneOf(availabilities, { description: "Availability of the product." })),
    ({ availability }: Product) => availability ?? null,
  ),
  available: field.boolean("inStock", "Whether it can be bought now."),
  condition: field.text("condition", "new, used, refurbished or damaged."),
  rating: field.number("rating", "Average rating on the scale of `ratingBest`."),
  ratingBest: field.number("ratingBest", "Highest possible rating, for example 5."),
  reviewCount: field.number("reviewCount", "Number of reviews or ratings."),
  images: field.texts("images", "URLs of images of the product."),
  category: field.text("category", "Category in the shop."),
  breadcrumbs: field.texts("breadcrumbs", "Categories on the path to the page, from the top."),
  seller: field.text("seller", "Name of the seller."),
  variants: field.objects("variants", "Sizes, colours and other versions.", {
    name: field.text("name", "Name of the variant."),
    sku: field.text("sku", "The shop's own number of the variant (SKU)."),
    gtin: field.text("gtin", "GTIN, EAN, UPC or ISBN; digits."),
    price: field.number("price", "Current price of the variant."),
    currency: field.text("currency", "Currency of the price (ISO 4217)."),
    availability: field.of(
      nullable(oneOf(availabilities, { description: "Availability of the variant." })),
      ({ availability }: Variant) => availability,
    ),
    available: field.boolean("inStock", "Whether the variant can be bought now."),
    url: field.text("url", "URL of the variant's page."),
    imageUrl: field.text("image", "URL of an image of the variant."),
    options: field.of(
      items.textsByName("Options of the variant by name, for example its size or colour."),
      ({ options }: Variant) => options,
    ),
  }),
  shipping: field.object("shipping", "Cost and destination of delivery, if the page has them.", {
    price: field.number("price", "Price of the delivery."),
    currency: field.text("currency", "Currency of the price (ISO 4217)."),
  }),
  attributes: field.of(
    items.textsByName("Further properties by name."),
    ({ attributes }: Product) => attributes ?? {},
  ),
  extractedFrom: required(
    field.text(
      "extractedFrom",
      "Source of the price: json-ld, microdata, rdfa, meta, state or selectors.",
    ),
  ),
  fetchedAt: items.requiredText("Time of reading (ISO 8601)."),
})

export default defineScraper({
  slug: "ecommerce-product-scraper",
  name: "Product Pages",
  tagline: "Name, price, stock, images and ids from any product page.",
  notServed: ["watching a price over time"],
  category: "ecommerce",
  fetchMethods: ["http", "browser-http", "browser", "unlocker"],
  input: { urls: pageUrls(1000, "Product page URLs of any shop"), useUnlocker },
  item,
  example: { urls: ["https://www.ikea.com/gb/en/p/moeckelby-table-oak-00293772/"] },
  probe: {
    input: { urls: ["https://www.ikea.com/gb/en/p/billy-bookcase-white-00263850/"] },
    expect: [
      "items.length equals 1",
      'items[0].name matches "billy"',
      "items[0].price gte 5",
      'items[0].currency equals "GBP"',
      "items[0].availability share 1",
      "?items[0].sku share 1",
    ],
  },
  ...onePageEach,

  async *scrape(target, ctx) {
    const shopPage = (await openShopPage(target, ctx))!
    const { response, product } = shopPage
    yield item.read({
      ...product,
      ...pageFacts(shopPage),
      canonicalUrl: canonicalUrl(response.document, response.url),
      fetchedAt: ctx.now().toISOString(),
    })
  },
})

function discountOf({ price, listPrice }: Product): number | null {
  const isReduced = price !== undefined && listPrice !== undefined && listPrice > price
  return isReduced ? round((1 - price / listPrice) * 100, 1) : null
}
