import {
  byStars,
  Changed,
  defineScraper,
  inputs,
  items,
  nullable,
  productFields,
  record,
} from "../kit/index.ts"
import {
  amazonPage,
  amazonRateLimit,
  amazonTargets,
  domainInput,
  identifyProduct,
  productPart,
  productUrl,
  resolveTarget,
} from "./amazon.ts"
import { productOf } from "./product.ts"

const item = record({
  input: items.requiredText("Product as written in the input."),
  url: items.requiredText("URL of the product."),
  domain: items.requiredText("Marketplace."),
  asin: items.requiredText("ASIN."),
  parentAsin: items.text("ASIN that all variants have in common."),
  ...productFields("title", "brand"),
  authors: items.texts("Authors; only for books."),
  byline: items.text("Line under the title."),
  ...productFields("price", "currency"),
  listPrice: items.number("Crossed-out list price in `currency`."),
  ...productFields("discountPercent", "rating", "ratingCount"),
  ratingDistribution: byStars(
    "Percentage of the ratings per number of stars (1-5).",
    "Percentage of the ratings",
  ),
  boughtPastMonth: items.text(
    "Sales of the last month, as displayed, for example 50+ bought in past month.",
  ),
  ...productFields("availability", "available", "seller", "sellerId"),
  inStock: items.boolean("Same as `available`."),
  sellerUrl: items.text("URL of the seller."),
  ...productFields("imageUrl", "images"),
  features: items.texts("Bullet points under About this item."),
  ...productFields("description", "categories", "specs"),
  bestSellersRanks: items.objects("Ranks among the best sellers, by category.", {
    rank: items.requiredInteger("Rank in the category, from 1."),
    category: items.requiredText("Name of the category."),
  }),
  variants: items.objects("Variants of the product, for example by color or size.", {
    asin: items.requiredText("ASIN of the variant."),
    options: items.textsByName("Options of the variant, by dimension."),
    price: items.number("Price in `currency`; null if the page does not show it."),
  }),
  selectedVariant: nullable(items.textsByName("Options of this product, by dimension.")),
  fetchedAt: items.requiredText("Time at which the page was fetched (ISO 8601, UTC)."),
})

export default defineScraper({
  slug: "amazon-product-scraper",
  name: "Amazon Products",
  tagline: "Title, price, rating, images, specs, seller and variants of any Amazon product.",
  notServed: ["customer review texts", "search by keyword"],
  category: "ecommerce",
  tier: "premium",
  input: {
    products: inputs.texts("Product URLs or ASINs, for example B08N5WRWNW.", { max: 1000 }),
    domain: domainInput(", for bare ASINs"),
  },
  item,
  example: { products: ["B0DR8G428S"] },
  probe: {
    input: { products: ["0141439513"] },
    expect: [
      "items.length equals 1",
      'items[0].asin equals "0141439513"',
      'items[0].title matches "pride and prejudice"',
      "items[0].rating gte 4",
      "items[0].ratingCount gte 1000",
      'items[0].imageUrl matches "^https"',
      "?items[0].price gte 1",
      "?items[0].categories.length gte 1",
      "?items[0].specs share 1",
      'items[0].currency only "USD"',
    ],
  },
  rateLimit: amazonRateLimit,
  fetchMethods: ["browser-http", "http", "browser", "unlocker"],
  concurrency: 2,
  targets: (input) => amazonTargets(input.products, input.domain),
  identify: identifyProduct,

  async *scrape(target, ctx) {
    const { input, asin, domain } = await resolveTarget(target, ctx)
    const url = productUrl(domain, asin)
    const response = await amazonPage(`${url}?th=1&psc=1`, domain, productPart, ctx)
    const product = productOf(response, asin, domain)
    if (!product) throw new Changed("Amazon's page has no title.", { url })
    yield item.read({
      input,
      url: productUrl(domain, product.asin),
      domain,
      ...product,
      inStock: product.available,
      fetchedAt: ctx.now().toISOString(),
    })
  },
})
