import { distinct, htmlToText, retryAfterSeconds } from "../../extract/core/index.ts"
import { JsonReader, parseLoose } from "../../extract/embedded/index.ts"
import {
  BadInput,
  Changed,
  type Context,
  decodedPath,
  discountOf,
  Forbidden,
  field,
  NotFound,
  once,
  orNull,
  priceRange,
  productField,
  RateLimited,
  type RequestOptions,
  readOnce,
  record,
  required,
  targetUrl,
  type UpstreamResponse,
} from "../kit/index.ts"

export const pageSize = 250

export interface Store {
  /** Scheme and host, for example https://www.allbirds.com. */
  root: string
  collection?: string
  product?: string
}

/** Parses a target: a host, or a URL with the requested part of the store. */
export function storeOf(target: string): Store {
  const url = targetUrl(target)
  if (!url?.hostname.includes("."))
    throw new BadInput(
      `"${target}" is not the URL of a store. Write a host, for example "www.allbirds.com".`,
    )
  const root = url.origin
  const product = /\/products\/([^/]+?)(?:\.json|\/|$)/.exec(url.pathname)?.[1]
  if (product) return { root, product: decodedPath(product) }
  const collection = /\/collections\/([^/]+?)(?:\.json|\/|$)/.exec(url.pathname)?.[1]
  return collection ? { root, collection: decodedPath(collection) } : { root }
}

/** Statuses that have a special meaning for stores. */
const storeStatuses = [401, 402, 404, 430]

/**
 * Returns a response of the storefront's JSON. @throws BadInput (not_shopify), Forbidden
 * (password_protected), NotFound (store_closed), RateLimited, Changed
 */
export async function storeJson(
  url: string,
  query: RequestOptions["query"],
  store: Store,
  ctx: Context,
): Promise<JsonReader> {
  const response = await fetchThroughChallenge(url, query, store, ctx)
  const isWhole = !store.product && !store.collection
  const { root } = store
  if (isLocked(response))
    throw new Forbidden(`${root} requires a password.`, { response, code: "password_protected" })
  if (response.status === 402)
    throw new NotFound(`${root} is closed.`, { response, code: "store_closed" })
  if (response.status === 430)
    throw new RateLimited(`${root} limits the rate of requests (status 430).`, null, { response })
  if (response.status === 404 && !isWhole)
    throw new NotFound(`${root} has no such product or collection.`, { response })
  if (response.status === 404) throw notShopify(root, response)
  const { value, reader, isCatalogue } = jsonOf(response)
  if (isCatalogue) return reader
  if (value === undefined && /json/.test(response.contentType))
    throw new Changed(`${root} returned malformed JSON.`, { response })
  throw notShopify(root, response)
}

const isLocked = ({ status, url }: UpstreamResponse) =>
  status === 401 || /\/password\/?$/.test(new URL(url).pathname)

const jsonOf = readOnce((response) => {
  const value = parseLoose(response.text())
  const reader = new JsonReader(value)
  const isCatalogue = ["products", "product", "collections"].some((key) => reader.has(key))
  return { value, reader, isCatalogue }
})

const notShopify = (root: string, response: UpstreamResponse): BadInput =>
  new BadInput(
    `${root} has no Shopify catalogue: it is not a Shopify store, or it has disabled the public catalogue.`,
    { response, code: "not_shopify" },
  )

/** Seconds to wait after each refusal of a burst, unless the store's response specifies a time. */
const backOff = [2, 4, 8]

/** Some stores have a bot protection that lets clients pass after Chrome has opened the store. */
function fetchThroughChallenge(
  url: string,
  query: RequestOptions["query"],
  store: Store,
  ctx: Context,
): Promise<UpstreamResponse> {
  const request = async (ctx: Context) => {
    for (let attempt = 0; ; attempt++) {
      const response = await ctx.data(url, {
        query,
        identity: "browser",
        accept: storeStatuses,
        has: (response) =>
          storeStatuses.includes(response.status) ||
          isLocked(response) ||
          jsonOf(response).isCatalogue,
        what: "the store's products",
      })
      const wait = backOff[attempt]
      if (response.status !== 430 || wait === undefined) return response
      const requested = retryAfterSeconds(response.headers, ctx.now().getTime())
      await ctx.pause(requested ?? wait, `${store.root} limits the rate of requests`)
    }
  }
  return ctx.escalate(store.root, {
    http: request,
    browser: async (ctx) => {
      await once(ctx, `opened ${store.root}`, () => ctx.page(store.root))
      return request(ctx)
    },
  })
}

/** Returns the store's name and currency, which the catalogue lacks. */
export async function shopOf(store: Store, ctx: Context) {
  const request = (path: string) =>
    orNull(ctx, `currency from ${store.root}${path}`, async () => {
      const options = { identity: "browser", retries: 0 } as const
      return new JsonReader(await ctx.json(`${store.root}${path}`, options))
    })
  const meta = await request("/meta.json")
  const currency = meta?.text("currency") ?? (await request("/cart.js"))?.text("currency") ?? null
  return { storeName: meta?.title("name") ?? null, currency }
}

const createdAt = field.time("created_at", "Time of creation (ISO 8601, UTC).")
const updatedAt = field.time("updated_at", "Time of the last change (ISO 8601, UTC).")
const publishedAt = field.time("published_at", "Time of publication (ISO 8601, UTC).")

export const variant = record({
  id: required(field.integer("id", "Shopify ID of the variant.")),
  title: field.title("title", "Name of the variant."),
  sku: field.text("sku", "Stock keeping unit (SKU)."),
  barcode: field.text("barcode", "Barcode; null if the store does not publish it."),
  price: field.number("price", "Price in the store's currency."),
  compareAtPrice: field.number("compare_at_price", "Price before a discount."),
  discountPercent: field.number(
    (row: JsonReader) => discountOf(row.number("price"), row.number("compare_at_price")),
    "Percent by which `price` is below `compareAtPrice`.",
  ),
  available: field.boolean("available", "Whether the variant can be bought now."),
  option1: field.title("option1", "Value of the first option."),
  option2: field.title("option2", "Value of the second option."),
  option3: field.title("option3", "Value of the third option."),
  grams: field.number("grams", "Weight in grams."),
  requiresShipping: field.boolean("requires_shipping", "Whether the variant needs shipping."),
  taxable: field.boolean("taxable", "Whether the variant is taxed."),
  position: field.integer("position", "Position in the product's list of variants, from 1."),
  imageUrl: field.text("featured_image.src", "URL of the variant's own image."),
  createdAt,
  updatedAt,
})

export const details = record({
  vendor: field.title("vendor", "Vendor or brand."),
  productType: field.title("product_type", "Kind of product."),
  description: productField.description((row: JsonReader) => htmlToText(row.value("body_html"))),
  descriptionHtml: field.text("body_html", "Description as HTML."),
  tags: field.texts((row: JsonReader) => tagsOf(row.value("tags")), "Tags of the product."),
})

/** Description fields of a product or collection. */
export const described = record({
  descriptionMarkdown: field.markdown("html", "Description as Markdown.", "url"),
})

export const times = record({ createdAt, updatedAt, publishedAt })

export const options = record({
  options: field.objects(
    (row: JsonReader) => row.list("options").filter((option) => option.title("name")),
    "Options in which the variants differ, for example Size.",
    {
      name: required(field.title("name", "Name of the option, for example Size.")),
      values: field.texts("values", "Values of the option, for example S, M and L."),
    },
  ),
})

export const collectionDetails = record({
  description: field.text(
    (row: JsonReader) => htmlToText(row.value("description")),
    "Description as plain text.",
  ),
  imageUrl: field.text("image.src", "URL of the collection's image."),
  productsCount: field.integer("products_count", "Number of products in the collection."),
  publishedAt,
  updatedAt,
})

/** Returns null for a product without the fields that all products have. */
export function productOf(product: JsonReader, root: string) {
  const identity = identityOf(product, `${root}/products`)
  if (!identity) return null
  const rows = product.list("variants").filter((row) => row.integer("id") !== null)
  const variants = rows.map((row) => variant.read(row))
  const images = product.list("images").flatMap((image) => image.text("src") ?? [])
  const stock = variants.map(({ available }) => available)
  return {
    ...identity,
    ...details.read(product),
    ...described.read({ html: product.value("body_html"), url: identity.url }),
    ...priceRange(variants.map(({ price }) => price)),
    compareAtPriceMin: priceRange(variants.map(({ compareAtPrice }) => compareAtPrice)).priceMin,
    available: stock.includes(true) ? true : stock.includes(false) ? false : null,
    ...options.read(product),
    variants,
    images,
    imageUrl: images[0] ?? product.text("image", "src"),
    ...times.read(product),
  }
}

/** Returns null for a collection without the fields that all collections have. */
export function collectionOf(collection: JsonReader, root: string) {
  const identity = identityOf(collection, `${root}/collections`)
  if (!identity) return null
  return {
    ...identity,
    ...collectionDetails.read(collection),
    ...described.read({ html: collection.value("description"), url: identity.url }),
  }
}

function identityOf(row: JsonReader, folder: string) {
  const id = row.integer("id")
  const handle = row.text("handle")
  const title = row.title("title")
  if (id === null || !handle || !title) return null
  return { id, handle, url: `${folder}/${encodeURIComponent(handle)}`, title }
}

/** Returns tags from a list or from a comma-separated string. */
function tagsOf(tags: unknown): string[] {
  const list = typeof tags === "string" ? tags.split(",") : Array.isArray(tags) ? tags : []
  return distinct(list.map((tag) => String(tag).trim()).filter(Boolean))
}
