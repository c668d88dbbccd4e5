import { Type } from "@sinclair/typebox"
import { distinct } from "../../extract/core/index.ts"
import type { JsonReader } from "../../extract/embedded/index.ts"
import {
  Changed,
  type Context,
  defineScraper,
  inputs,
  itemObject,
  items,
  numbered,
  partFailed,
  productFields,
  readRows,
} from "../kit/index.ts"
import {
  collectionDetails,
  collectionOf,
  described,
  details,
  options,
  pageSize,
  productOf,
  type Store,
  shopOf,
  storeJson,
  storeOf,
  times,
  variant,
} from "./shopify.ts"

/** More collections than any store has. */
const maxCollections = 25_000

const id = items.requiredInteger("Shopify ID.")
const kindOfItem = { description: "Kind of the item: product or collection." }
const storeFields = {
  input: items.requiredText("Store as written in the input."),
  storeUrl: items.requiredText("Root URL of the store."),
}

const product = itemObject({
  type: Type.Literal("product", kindOfItem),
  ...storeFields,
  storeName: items.text("Name of the store."),
  ...productFields("currency"),
  id,
  handle: items.requiredText("Name in URLs."),
  url: items.requiredText("URL of the product's page."),
  ...productFields("title"),
  ...details.fields,
  ...described.fields,
  ...productFields("priceMin", "priceMax"),
  compareAtPriceMin: items.number("Lowest price before a discount among the variants."),
  available: items.boolean(
    "Whether any variant can be bought; null if the store does not report it.",
  ),
  ...options.fields,
  variants: items.objects("Variants of the product.", variant.fields),
  ...productFields("images", "imageUrl"),
  ...times.fields,
})

const collection = itemObject({
  type: Type.Literal("collection", kindOfItem),
  ...storeFields,
  id,
  handle: items.requiredText("Name in URLs."),
  url: items.requiredText("URL of the collection's page."),
  title: items.requiredText("Name of the collection."),
  ...collectionDetails.fields,
  ...described.fields,
})

export default defineScraper({
  slug: "shopify-products-scraper",
  name: "Shopify Products",
  tagline:
    "The whole catalogue of any Shopify store: products, variants, prices, stock, images, collections.",
  notServed: ["shops that are not Shopify"],
  category: "ecommerce",
  fetchMethods: ["http", "browser-http", "browser"],
  input: {
    storeUrls: inputs.texts(
      "Store hosts or URLs, for example www.allbirds.com; /collections/{name} or /products/{name} limits the run to that part.",
      { max: 100 },
    ),
    maxProducts: inputs.count("Maximum products per store", { max: 10_000, or: 250 }),
    includeCollections: inputs.flag("Whether to add the store's collections as items."),
  },
  item: Type.Union([product, collection]),
  example: { storeUrls: ["https://kith.com"], maxProducts: 10 },
  probe: {
    input: { storeUrls: ["https://kith.com"], maxProducts: 5 },
    expect: [
      "items.length equals 5",
      "items[*].title share 1",
      "items[*].priceMin gte 1",
      'items[*].currency only "USD"',
      "items[*].variants share 1",
      "items[*].images share 0.8",
    ],
  },
  rateLimit: { "*": { perSecond: 1, concurrency: 1 } },
  targets: (input) => distinct(input.storeUrls),

  async *scrape(target, ctx) {
    const store = storeOf(target)
    const source = { input: target, storeUrl: store.root }
    let page = 1
    try {
      const request = (number: number) => {
        page = number
        return productsOn(page, store, ctx)
      }
      const last = store.product ? 1 : Number.POSITIVE_INFINITY
      const cap = ctx.input.maxProducts
      let shop: Awaited<ReturnType<typeof shopOf>> | undefined
      const rows = numbered(request, { pageSize, last, cap, keyOf: (row) => row.text("id") })
      for await (const item of readRows(rows, (row) => productIn(row, store), ctx)) {
        shop ??= await shopOf(store, ctx)
        yield { type: "product" as const, ...source, ...shop, ...item }
      }
    } catch (error) {
      if (page === 1) throw error
      yield partFailed(ctx, error, { ...source, page })
    }
    if (!ctx.input.includeCollections || store.product) return
    try {
      for await (const row of collectionsOf(store, ctx)) {
        const item = collectionOf(row, store.root)
        if (!item || (store.collection && item.handle !== store.collection)) continue
        yield { type: "collection" as const, ...source, ...item }
      }
    } catch (error) {
      yield partFailed(ctx, error, { ...source, part: "collections" })
    }
  },
})

async function productsOn(page: number, store: Store, ctx: Context) {
  const query = store.product ? {} : { limit: pageSize, page }
  const response = await storeJson(`${store.root}${catalogueOf(store)}`, query, store, ctx)
  const rows = store.product ? [response.in("product")] : response.list("products")
  if (page === 1 && rows.length === 0) ctx.log(`${store.root} has no published products.`)
  return rows
}

function productIn(row: JsonReader, store: Store) {
  const item = productOf(row, store.root)
  if (!item) throw new Changed("The store's response has a product without an ID, handle or title.")
  return item
}

function collectionsOf(store: Store, ctx: Context): AsyncGenerator<JsonReader> {
  const request = async (page: number) => {
    const query = { limit: pageSize, page }
    const response = await storeJson(`${store.root}/collections.json`, query, store, ctx)
    return response.list("collections")
  }
  return numbered(request, { pageSize, cap: maxCollections, keyOf: (row) => row.text("id") })
}

function catalogueOf(store: Store): string {
  if (store.product) return `/products/${encodeURIComponent(store.product)}.json`
  if (store.collection) return `/collections/${encodeURIComponent(store.collection)}/products.json`
  return "/products.json"
}
