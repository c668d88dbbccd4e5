import { Type } from "@sinclair/typebox"
import type { JsonReader } from "../../extract/json-reader.ts"
import { distinct } from "../../extract/text.ts"
import { partFailed } from "../calls.ts"
import { defineScraper } from "../define.ts"
import {
  booleanField,
  inputObject,
  integerField,
  itemObject,
  nullable,
  numberField,
  textField,
} from "../fields.ts"
import { inputs } from "../inputs.ts"
import { Changed } from "../outcome.ts"
import { productFields } from "./product-fields.ts"
import {
  collectionOf,
  pageSize,
  productOf,
  type Store,
  shopOf,
  storeJson,
  storeOf,
} from "./shopify.ts"

const id = Type.Integer({ description: "Shopify's number." })
const storeFields = {
  input: Type.String({ description: "The store as it was asked for." }),
  storeUrl: Type.String({ description: "The store's root." }),
}
const times = {
  createdAt: textField("When it was made (ISO 8601, UTC)."),
  updatedAt: textField("When it was last changed."),
  publishedAt: textField("When it was published."),
}

const product = itemObject({
  type: Type.Literal("product"),
  ...storeFields,
  storeName: textField("Name of the store."),
  ...productFields("currency"),
  id,
  handle: Type.String({ description: "Name in addresses." }),
  url: Type.String({ description: "The product's page." }),
  ...productFields("title"),
  vendor: textField("Vendor or brand."),
  productType: textField("Kind of product."),
  ...productFields("description"),
  descriptionHtml: textField("Description as HTML."),
  tags: Type.Array(Type.String(), { description: "Tags." }),
  ...productFields("priceMin", "priceMax"),
  compareAtPriceMin: numberField("Lowest former price of its variants."),
  available: booleanField("Whether any variant can be bought; null where the store does not say."),
  options: Type.Array(itemObject({ name: Type.String(), values: Type.Array(Type.String()) }), {
    description: "What variants differ in.",
  }),
  variants: Type.Array(
    itemObject({
      id: Type.Integer(),
      title: textField("Name."),
      sku: textField("SKU."),
      barcode: textField("Barcode, where the store shows it."),
      price: numberField("Price."),
      compareAtPrice: numberField("Former price."),
      available: booleanField("Whether it can be bought now."),
      option1: textField("Value of the first option."),
      option2: textField("Value of the second option."),
      option3: textField("Value of the third option."),
      grams: numberField("Weight in grams."),
      requiresShipping: booleanField("Whether it is shipped."),
      taxable: booleanField("Whether it is taxed."),
      position: integerField("Place in the list."),
      imageUrl: textField("Its own picture."),
      createdAt: textField("When it was made."),
      updatedAt: textField("When it was last changed."),
    }),
    { description: "Variants." },
  ),
  ...productFields("images", "image"),
  ...times,
})

const collection = itemObject({
  type: Type.Literal("collection"),
  ...storeFields,
  id,
  handle: Type.String({ description: "Name in addresses." }),
  url: Type.String({ description: "The collection's page." }),
  title: Type.String({ description: "Name of the collection." }),
  description: textField("Description as plain text."),
  image: textField("Picture."),
  productsCount: nullable(Type.Integer({ description: "Products in it." })),
  publishedAt: times.publishedAt,
  updatedAt: times.updatedAt,
})

export default defineScraper({
  slug: "shopify-products-scraper",
  name: "Shopify Products",
  tagline:
    "The whole catalogue of any Shopify store: products, variants, prices, stock, images, collections.",
  category: "ecommerce",
  tier: "free",
  input: inputObject({
    storeUrls: inputs.texts(
      "Stores, by host or address; /collections/{name} or /products/{name} in it limits to that.",
      { max: 100 },
    ),
    maxProducts: inputs.count("Cap for each store.", { max: 10_000, or: 250 }),
    includeCollections: inputs.flag("Adds the store's collections as items."),
  }),
  item: Type.Union([product, collection]),
  example: { storeUrls: ["https://www.allbirds.com"], maxProducts: 10 },
  pace: { "*": { perSecond: 1, concurrency: 1 } },
  targets: (input) => distinct(input.storeUrls),

  async *scrape(target, ctx) {
    const store = storeOf(target)
    const path = catalogueOf(store)
    const most = ctx.input.maxProducts
    const seen = new Set<number>()
    let shop: Awaited<ReturnType<typeof shopOf>> | undefined
    for (let page = 1; seen.size < most; page++) {
      let products: JsonReader[]
      try {
        const query = store.product ? {} : { limit: pageSize, page }
        const answer = await storeJson(`${store.root}${path}`, query, store, ctx)
        products = store.product ? [answer.in("product")] : answer.list("products")
      } catch (error) {
        if (page === 1) throw error
        yield partFailed(ctx, error, { input: target, storeUrl: store.root, page })
        break
      }
      if (products.length === 0) {
        if (page === 1) ctx.log(`${store.root} has no published products.`)
        break
      }
      shop ??= await shopOf(store, ctx)
      for (const one of products) {
        const item = productOf(one, store.root)
        if (!item) throw new Changed("A product of the store has no id, handle or title.")
        if (seen.has(item.id)) continue
        if (seen.size >= most) break
        seen.add(item.id)
        yield { type: "product" as const, input: target, storeUrl: store.root, ...shop, ...item }
      }
      if (store.product || products.length < pageSize) break
    }
    if (!ctx.input.includeCollections || store.product) return
    for (let page = 1; ; page++) {
      let collections: JsonReader[]
      try {
        const query = { limit: pageSize, page }
        const answer = await storeJson(`${store.root}/collections.json`, query, store, ctx)
        collections = answer.list("collections")
      } catch (error) {
        yield partFailed(ctx, error, { input: target, storeUrl: store.root, part: "collections" })
        return
      }
      for (const one of collections) {
        const item = collectionOf(one, store.root)
        if (!item || (store.collection && item.handle !== store.collection)) continue
        yield { type: "collection" as const, input: target, storeUrl: store.root, ...item }
      }
      if (collections.length < pageSize) return
    }
  },
})

function catalogueOf(store: Store): string {
  if (store.product) return `/products/${encodeURIComponent(store.product)}.json`
  if (store.collection) return `/collections/${encodeURIComponent(store.collection)}/products.json`
  return "/products.json"
}
