import { Type } from "@sinclair/typebox"
import { availabilities } from "../../extract/availability.ts"
import { canonicalUrl } from "../../extract/canonical.ts"
import { round } from "../../extract/numbers.ts"
import type { Product } from "../../extract/product.ts"
import { defineScraper } from "../define.ts"
import { inputObject, itemObject, nullable, numberField, oneOf, textField } from "../fields.ts"
import { inputs } from "../inputs.ts"
import { identifyPage, pageAddresses, pageFields } from "../web/pages.ts"
import { openShopPage } from "./shop-page.ts"

const item = itemObject({
  ...pageFields,
  canonicalUrl: textField("The address that the page names as its own."),
  name: Type.String({ description: "The product's name." }),
  brand: textField("Brand, or maker."),
  description: textField("Description as plain text."),
  sku: textField("The shop's own number of the product."),
  mpn: textField("The maker's number."),
  gtin: textField("GTIN, EAN, UPC or ISBN; digits."),
  price: numberField("What it costs now; the lowest of several offers."),
  currency: textField("ISO 4217 code."),
  priceText: textField("The price as the page writes it, where it was read from a text."),
  listPrice: numberField("The price before a reduction."),
  discountPercent: numberField("The reduction in percent."),
  lowPrice: numberField("Lowest price of all offers or variants."),
  highPrice: numberField("Highest price of all offers or variants."),
  offerCount: numberField("Number of offers."),
  priceValidUntil: textField("Until when the price holds."),
  availability: nullable(oneOf(availabilities, { description: "Whether it can be had." })),
  inStock: nullable(Type.Boolean({ description: "It can be bought now." })),
  condition: textField("new, used, refurbished or damaged."),
  rating: numberField("Average rating."),
  ratingBest: numberField("The best rating there is, such as 5."),
  reviewCount: numberField("Number of reviews or ratings."),
  images: Type.Array(Type.String(), { description: "Pictures." }),
  category: textField("The shop's category."),
  breadcrumbs: Type.Array(Type.String(), { description: "The page's place in the shop." }),
  seller: textField("Who sells it."),
  variants: Type.Array(
    itemObject({
      name: nullable(Type.String()),
      sku: nullable(Type.String()),
      gtin: nullable(Type.String()),
      price: nullable(Type.Number()),
      currency: nullable(Type.String()),
      availability: nullable(oneOf(availabilities)),
      inStock: nullable(Type.Boolean()),
      url: nullable(Type.String()),
      image: nullable(Type.String()),
      options: Type.Record(Type.String(), Type.String()),
    }),
    { description: "Sizes, colours and other versions." },
  ),
  shipping: nullable(
    itemObject(
      { price: nullable(Type.Number()), currency: nullable(Type.String()) },
      { description: "Cost and place of delivery, where the page tells." },
    ),
  ),
  attributes: Type.Record(Type.String(), Type.String(), { description: "Further properties." }),
  extractedFrom: Type.String({
    description: "Where the price stood: json-ld, microdata, rdfa, meta, state or selectors.",
  }),
  fetchedAt: Type.String({ description: "When the page was read." }),
})

export default defineScraper({
  slug: "ecommerce-product-scraper",
  name: "Product Pages",
  tagline: "Name, price, stock, images and ids from any product page.",
  category: "ecommerce",
  tier: "free",
  access: ["http", "browser", "unlocker"],
  input: inputObject({
    urls: pageAddresses(1000, "Product pages of any shop"),
    useUnlocker: inputs.flag(
      "Goes through the operator's unlocking proxy, for shops with a bot wall.",
    ),
  }),
  item,
  example: { urls: ["https://www.ikea.com/gb/en/p/moeckelby-table-oak-00293772/"] },
  targets: (input) => input.urls,
  identify: identifyPage,

  async *scrape(target, ctx) {
    const { url, answer, product } = await openShopPage(target, ctx)
    yield {
      url,
      finalUrl: answer.url,
      statusCode: answer.status,
      canonicalUrl: canonicalUrl(answer.document, answer.url),
      ...productFields(product),
      fetchedAt: ctx.now().toISOString(),
    }
  },
})

function productFields(product: Product) {
  const { price, listPrice } = product
  const reduced = price !== undefined && listPrice !== undefined && listPrice > price
  return {
    name: product.name!,
    brand: product.brand ?? null,
    description: product.description ?? null,
    sku: product.sku ?? null,
    mpn: product.mpn ?? null,
    gtin: product.gtin ?? null,
    price: price ?? null,
    currency: product.currency ?? null,
    priceText: product.priceText ?? null,
    listPrice: listPrice ?? null,
    discountPercent: reduced ? round((1 - price / listPrice) * 100, 1) : null,
    lowPrice: product.lowPrice ?? null,
    highPrice: product.highPrice ?? null,
    offerCount: product.offerCount ?? null,
    priceValidUntil: product.priceValidUntil ?? null,
    availability: product.availability ?? null,
    inStock: product.inStock,
    condition: product.condition ?? null,
    rating: product.rating ?? null,
    ratingBest: product.ratingBest ?? null,
    reviewCount: product.reviewCount ?? null,
    images: product.images ?? [],
    category: product.category ?? null,
    breadcrumbs: product.breadcrumbs ?? [],
    seller: product.seller ?? null,
    variants: product.variants ?? [],
    shipping: product.shipping ?? null,
    attributes: product.attributes ?? {},
    extractedFrom: product.extractedFrom,
  }
}
