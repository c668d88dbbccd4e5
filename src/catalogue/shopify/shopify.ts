import { distinct, htmlToText, retryAfterSeconds } from "../../extract/core/index.ts"
import { JsonReader, parseLoose } from "../../extract/embedded/index.ts"
import {
  BadInput,
  Changed,
  type Context,
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
  type UpstreamResponse,
} from "../kit/index.ts"

export const pageSize = 250

export interface Store {
  /** Scheme and host. */
  root: string
  collection?: string
  product?: string
}

/** What a caller wrote: a host, or an address with the part of the store that is wanted. */
export function storeOf(target: string): Store {
  const text = target.trim()
  const url = URL.parse(/^https?:\/\//i.test(text) ? text : `https://${text}`)
  if (!url?.hostname.includes(".")) throw new BadInput(`"${target}" is not a URL of a store.`)
  const root = url.origin
  const product = /\/products\/([^/]+?)(?:\.json|\/|$)/.exec(url.pathname)?.[1]
  if (product) return { root, product: decoded(product) }
  const collection = /\/collections\/([^/]+?)(?:\.json|\/|$)/.exec(url.pathname)?.[1]
  return collection ? { root, collection: decoded(collection) } : { root }
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}

/** Statuses by which a store says what it is; the others mean what they mean everywhere. */
const telling = [401, 402, 404, 430]

/** An answer of the storefront's JSON. @throws not_shopify, password_protected, store_closed. */
export async function storeJson(
  url: string,
  query: RequestOptions["query"],
  store: Store,
  ctx: Context,
): Promise<JsonReader> {
  const response = await askThroughChallenge(url, query, store, ctx)
  const details = { url: response.url, statusCode: response.status }
  const isWhole = !store.product && !store.collection
  if (isLocked(response)) {
    throw new Forbidden(`${store.root} is behind a password.`, {
      ...details,
      code: "password_protected",
    })
  }
  if (response.status === 402) {
    throw new NotFound(`${store.root} is closed.`, { ...details, code: "store_closed" })
  }
  if (response.status === 430) {
    throw new RateLimited(`${store.root} limits the rate of requests (status 430).`, null, details)
  }
  if (response.status === 404 && !isWhole) {
    throw new NotFound(`${store.root} has no such product or collection.`, details)
  }
  if (response.status === 404) throw notShopify(store, details)
  const { value, reader, isCatalogue } = jsonOf(response)
  if (isCatalogue) return reader
  if (value === undefined && /json/.test(response.contentType)) {
    throw new Changed(`${store.root} answered with JSON that cannot be read.`, details)
  }
  throw notShopify(store, details)
}

const isLocked = ({ status, url }: UpstreamResponse) =>
  status === 401 || /\/password\/?$/.test(new URL(url).pathname)

const jsonOf = readOnce((response) => {
  const value = parseLoose(response.text())
  const reader = new JsonReader(value)
  const isCatalogue = ["products", "product", "collections"].some((key) => reader.has(key))
  return { value, reader, isCatalogue }
})

function notShopify(store: Store, details: { url: string; statusCode: number }): BadInput {
  return new BadInput(
    `${store.root} does not serve a Shopify catalogue: it is not a Shopify store, or has switched the route off.`,
    { ...details, code: "not_shopify" },
  )
}

/** Seconds to wait after each refusal of a burst, unless the store says for how long. */
const backOff = [2, 4, 8]

/** Some stores have a bot protection that lets clients pass after Chrome has opened the store. */
function askThroughChallenge(
  url: string,
  query: RequestOptions["query"],
  store: Store,
  ctx: Context,
): Promise<UpstreamResponse> {
  const ask = async (ctx: Context) => {
    for (let attempt = 0; ; attempt++) {
      const response = await ctx.data(url, {
        query,
        identity: "browser",
        accept: telling,
        has: (response) =>
          telling.includes(response.status) || isLocked(response) || jsonOf(response).isCatalogue,
        what: "the store's products",
      })
      const wait = backOff[attempt]
      if (response.status !== 430 || wait === undefined) return response
      const requested = retryAfterSeconds(response.headers, ctx.now().getTime())
      await ctx.pause(requested ?? wait, `${store.root} limits the rate of requests`)
    }
  }
  return ctx.escalate(store.root, {
    http: ask,
    browser: async (ctx) => {
      await once(ctx, `opened ${store.root}`, () => ctx.page(store.root))
      return ask(ctx)
    },
  })
}

/** Name and currency, which the catalogue lacks. */
export async function shopOf(store: Store, ctx: Context) {
  const ask = (path: string) =>
    orNull(ctx, `currency from ${store.root}${path}`, async () => {
      const options = { identity: "browser", retries: 0 } as const
      return new JsonReader(await ctx.json(`${store.root}${path}`, options))
    })
  const meta = await ask("/meta.json")
  const currency = meta?.text("currency") ?? (await ask("/cart.js"))?.text("currency") ?? null
  return { storeName: meta?.title("name") ?? null, currency }
}

const createdAt = field.time("created_at", "When it was made (ISO 8601, UTC).")
const updatedAt = field.time("updated_at", "When it was last changed.")
const publishedAt = field.time("published_at", "When it was published.")

export const variant = record({
  id: required(field.integer("id")),
  title: field.title("title", "Name."),
  sku: field.text("sku", "SKU."),
  barcode: field.text("barcode", "Barcode, if the store shows it."),
  price: field.number("price", "Price."),
  compareAtPrice: field.number("compare_at_price", "Former price."),
  available: field.boolean("available", "Whether it can be bought now."),
  option1: field.title("option1", "Value of the first option."),
  option2: field.title("option2", "Value of the second option."),
  option3: field.title("option3", "Value of the third option."),
  grams: field.number("grams", "Weight in grams."),
  requiresShipping: field.boolean("requires_shipping", "Whether it is shipped."),
  taxable: field.boolean("taxable", "Whether it is taxed."),
  position: field.integer("position", "Place in the list."),
  imageUrl: field.text("featured_image.src", "Its own image."),
  createdAt: field.time("created_at", "When it was made."),
  updatedAt,
})

export const details = record({
  vendor: field.title("vendor", "Vendor or brand."),
  productType: field.title("product_type", "Kind of product."),
  description: productField.description((row: JsonReader) => htmlToText(row.value("body_html"))),
  descriptionHtml: field.text("body_html", "Description as HTML."),
  tags: field.texts((row: JsonReader) => tagsOf(row.value("tags")), "Tags."),
})

/** Of a product's or collection's HTML and page. */
export const described = record({
  descriptionMarkdown: field.markdown("html", "Description as Markdown.", "url"),
})

export const times = record({ createdAt, updatedAt, publishedAt })

export const options = record({
  options: field.objects(
    (row: JsonReader) => row.list("options").filter((option) => option.title("name")),
    "Options in which variants differ.",
    { name: required(field.title("name")), values: field.texts("values") },
  ),
})

export const collectionDetails = record({
  description: field.text(
    (row: JsonReader) => htmlToText(row.value("description")),
    "Description as plain text.",
  ),
  imageUrl: field.text("image.src", "Image."),
  productsCount: field.integer("products_count", "Products in it."),
  publishedAt,
  updatedAt,
})

/** Null when it lacks what every product has. */
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

/** Null when it lacks what every collection has. */
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

/** A list, or the same joined by commas. */
function tagsOf(tags: unknown): string[] {
  const list = typeof tags === "string" ? tags.split(",") : Array.isArray(tags) ? tags : []
  return distinct(list.map((tag) => String(tag).trim()).filter(Boolean))
}
