import { Type } from "@sinclair/typebox"
import { distinct, htmlToText } from "../../extract/core/index.ts"
import type { JsonReader } from "../../extract/embedded/index.ts"
import { fragmentMarkdown } from "../../extract/markdown/index.ts"
import {
  BadInput,
  byStars,
  Changed,
  countsByStars,
  defineScraper,
  discountOf,
  field,
  inputs,
  items,
  nonZeroOrNull,
  nullable,
  orNull,
  productFields,
  record,
} from "../kit/index.ts"
import { targetProduct, targetStock, targetUrl } from "./target.ts"

const review = record({
  id: field.of(
    items.requiredText("ID of the review; empty if Target provides none."),
    (row: JsonReader) => row.text("id") ?? "",
  ),
  title: field.title("title", "Title of the review."),
  text: field.text((row: JsonReader) => htmlToText(row.value("text")), "Text of the review."),
  author: field.title("author.nickname", "Name of the author."),
  rating: field.number("rating.value", "Number of stars (1-5)."),
  publishedAt: field.time("rating.submitted_at", "Time of the review (ISO 8601, UTC)."),
})

const productItem = record({
  input: items.requiredText("Product as written in the input."),
  url: items.requiredText("URL of the product's page."),
  tcin: items.requiredText("Target's ID of the product (TCIN)."),
  ...productFields("title", "brand"),
  dpci: field.trimmed("details.dpci", "Store item number (DPCI): department, class, item."),
  upc: field.trimmed("details.primary_barcode", "Barcode number (UPC), of 12 digits."),
  category: field.title("product.category.name", "Most specific category."),
  ...productFields("categories"),
  productType: items.text("Kind of product."),
  ...productFields("price", "currency"),
  regularPrice: items.number("Regular price, in the currency of `currency`."),
  ...productFields("discountPercent"),
  priceText: field.trimmed(
    "pricing.formatted_current_price",
    "Price as displayed, for example $12.99.",
  ),
  onSale: items.boolean("Whether the price is below the regular one."),
  ...productFields("priceMin", "priceMax", "rating", "ratingCount", "reviewCount"),
  ratingDistribution: byStars("Number of ratings by stars."),
  recommendedPercent: items.number("Percentage of reviewers who recommend the product."),
  questionCount: field.integer("statistics.question_count", "Number of questions from customers."),
  ...productFields("description"),
  descriptionMarkdown: items.text("Description as Markdown."),
  bullets: items.texts("Highlights of the product."),
  ...productFields("specs", "imageUrl", "images"),
  dimensions: nullable(
    Type.Record(Type.String(), Type.Union([Type.Number(), Type.String()]), {
      description: "Size and weight of the package, with their units.",
    }),
  ),
  variants: items.objects("Variants, for example colours and sizes.", {
    tcin: items.requiredText("Target's ID of the variant (TCIN)."),
    title: items.text("Name of the variant."),
    options: items.textsByName("Values of the variant's options, by option, for example Color."),
    price: items.number("Price of the variant."),
    available: items.boolean("Whether the variant can be bought now."),
    url: items.text("URL of the variant's page."),
    imageUrl: items.text("URL of the variant's image."),
  }),
  available: items.boolean("Whether the product can be bought now; null if the stock is unknown."),
  freeShipping: field.boolean("product.free_shipping.enabled", "Whether shipping is free."),
  purchaseLimit: field.integer(
    "details.fulfillment.purchase_limit",
    "Maximum number of units per order.",
  ),
  returnPolicy: items.text("Return policy in words."),
  badges: items.texts("Labels, for example Highly rated."),
  promotions: Type.Array(Type.Record(Type.String(), Type.Unknown()), {
    description: "Promotions, in the form of Target's data.",
  }),
  reviews: items.objects("Newest reviews.", review.fields),
  soldBy: items.requiredText("Name of the seller: a partner or Target."),
})

export default defineScraper({
  slug: "target-product-scraper",
  name: "Target Products",
  tagline:
    "Target products from the store's own API: price, rating, specs, variants, stock, images.",
  category: "ecommerce",
  tier: "premium",
  input: {
    urls: inputs.texts(
      "Product URLs of www.target.com, or product IDs (TCIN), which are the numbers after A-.",
      { max: 1000 },
    ),
  },
  item: productItem,
  example: { urls: ["https://www.target.com/p/-/A-91803751"] },
  probe: {
    expect: [
      "items.length equals 1",
      'items[0].tcin equals "91803751"',
      "items[0].title share 1",
      "items[0].price gte 0.01",
      "?items[0].rating share 1",
      "?items[0].available share 1",
      'items[0].currency equals "USD"',
    ],
  },
  rateLimit: {
    "redsky.target.com": { perSecond: 1, concurrency: 1 },
    "www.target.com": { perSecond: 0.5 },
  },
  fetchMethods: ["browser-http", "http", "browser", "unlocker"],
  unverified: ["Chrome"],
  concurrency: 1,
  targets: (input) => distinct(input.urls),

  async *scrape(target, ctx) {
    const requested = tcinOf(target)
    const product = await targetProduct(requested, ctx)
    const details = product.in("item")
    const description = details.in("product_description")
    const title = description.title("title")
    if (!title) throw new Changed("Target's product has no title.", { url: targetUrl(requested) })
    const tcin = product.text("tcin") ?? requested
    const children = product.list("children").flatMap((child) => child.text("tcin") ?? [])
    const stock = await orNull(ctx, `stock of ${tcin}`, () => targetStock([tcin, ...children], ctx))
    const pricing = product.in("price")
    const now = nonZeroOrNull(
      pricing.value("current_retail") ?? pricing.value("current_retail_min"),
    )
    const regular = nonZeroOrNull(pricing.value("reg_retail") ?? pricing.value("reg_retail_min"))
    const statistics = product.in("ratings_and_reviews", "statistics")
    const saleType = pricing.text("formatted_current_price_type")
    const images = details.in("enrichment", "image_info")
    yield productItem.read({
      details,
      product,
      pricing,
      statistics,
      input: target,
      url: details.text("enrichment", "buy_url") ?? targetUrl(tcin),
      tcin,
      title,
      brand: details.title("primary_brand", "name"),
      categories: product
        .list("category", "breadcrumbs")
        .filter((step) => step.text("category_id") !== "root")
        .flatMap((step) => step.title("name") ?? []),
      productType:
        details.title("product_classification", "product_type_name") ??
        details.title("product_classification", "item_type", "name"),
      price: now,
      currency: "USD",
      regularPrice: regular,
      discountPercent: discountOf(now, regular),
      onSale: saleType === null ? null : saleType !== "reg",
      priceMin: nonZeroOrNull(pricing.value("current_retail_min")),
      priceMax: nonZeroOrNull(pricing.value("current_retail_max")),
      rating: nonZeroOrNull(statistics.value("rating", "average")),
      ratingCount: statistics.integer("rating", "count"),
      reviewCount: statistics.integer("review_count"),
      ratingDistribution: countsByStars(
        [1, 2, 3, 4, 5].map((stars) =>
          statistics.integer("rating", "distribution", `rating${stars}`),
        ),
      ),
      recommendedPercent: statistics.number("recommended_percentage"),
      description: htmlToText(description.value("downstream_description")),
      descriptionMarkdown: fragmentMarkdown(description.value("downstream_description")),
      bullets: description
        .texts("soft_bullets", "bullets")
        .flatMap((bullet) => htmlToText(bullet) ?? []),
      specs: specsOf(description.texts("bullet_descriptions")),
      imageUrl: absolute(images.text("primary_image", "url")),
      images: distinct(
        [images.in("primary_image"), ...images.list("alternate_images")].flatMap(
          (image) => absolute(image.text("url")) ?? [],
        ),
      ),
      dimensions: measuresOf(details.value("package_dimensions")),
      variants: variantsOf(product, stock),
      available: stock?.get(tcin) ?? null,
      returnPolicy: htmlToText(details.value("return_policies_guest_message")),
      badges: distinct(
        [...product.list("ornaments"), ...product.list("desirability_cues")].flatMap(
          (badge) => badge.title("display") ?? [],
        ),
      ),
      promotions: product
        .list("promotions")
        .map((promotion) => promotion.root as Record<string, unknown>),
      reviews: product.list("ratings_and_reviews", "most_recent").map(review.read),
      soldBy:
        details.list("product_vendors").flatMap((vendor) => vendor.title("vendor_name") ?? [])[0] ??
        "Target",
    })
  },
})

function tcinOf(target: string): string {
  const text = target.trim()
  if (/^(?:A-)?\d{6,12}$/i.test(text)) return text.replace(/^A-/i, "")
  const page = /^(?:https?:\/\/)?(?:www\.)?target\.com\/p\/(?:[^?#]*\/)?A-(\d{6,12})/i.exec(text)
  if (!page) throw new BadInput(`"${target}" is not a Target product. Write its URL or product ID.`)
  return /[?&]preselect=(\d{6,12})/.exec(text)?.[1] ?? page[1]!
}

/** Adds the scheme to a URL, which Target sometimes omits. */
const absolute = (address: string | null) =>
  address?.startsWith("//") ? `https:${address}` : address

/** Returns "<B>Name:</B> value" lines as names and values. */
function specsOf(lines: string[]): Record<string, string> {
  const specs: Record<string, string> = {}
  for (const line of lines) {
    const text = htmlToText(line) ?? ""
    const colon = text.indexOf(":")
    if (colon > 0) specs[text.slice(0, colon).trim()] = text.slice(colon + 1).trim()
  }
  return specs
}

function measuresOf(value: unknown): Record<string, string | number> | null {
  if (typeof value !== "object" || value === null) return null
  const measures = Object.entries(value).filter(
    (entry): entry is [string, string | number] =>
      typeof entry[1] === "string" || typeof entry[1] === "number",
  )
  return measures.length > 0 ? Object.fromEntries(measures) : null
}

/** Returns the children, with their options from the hierarchy of variations. */
function variantsOf(product: JsonReader, stock: Map<string, boolean> | null) {
  const options = new Map<string, Record<string, string>>()
  const visit = (nodes: JsonReader[], above: Record<string, string>) => {
    for (const node of nodes) {
      const name = node.title("name")
      const value = node.title("value")
      const own = name && value ? { ...above, [name]: value } : above
      const tcin = node.text("tcin")
      if (tcin) options.set(tcin, own)
      visit(node.list("variation_hierarchy"), own)
    }
  }
  visit(product.list("variation_hierarchy"), {})
  return product.list("children").flatMap((child) => {
    const tcin = child.text("tcin")
    if (!tcin) return []
    return {
      tcin,
      title: child.title("item", "product_description", "title"),
      options: options.get(tcin) ?? {},
      price: nonZeroOrNull(child.value("price", "current_retail")),
      available: stock?.get(tcin) ?? null,
      url: child.text("item", "enrichment", "buy_url"),
      imageUrl: absolute(
        child.text("item", "enrichment", "image_info", "primary_image", "url") ??
          child.text("item", "enrichment", "images", "primary_image_url"),
      ),
    }
  })
}
