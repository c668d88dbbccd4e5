import { isoDate, plainTime } from "../../extract/dates.ts"
import { parseLoose } from "../../extract/embedded.ts"
import { JsonReader } from "../../extract/json-reader.ts"
import { numberOrNull } from "../../extract/numbers.ts"
import { retryAfterSeconds } from "../../extract/retry-after.ts"
import { distinct, htmlToText } from "../../extract/text.ts"
import { orNull } from "../calls.ts"
import type { Answer, Context, RequestOptions } from "../context.ts"
import { BadInput, Blocked, Changed, Forbidden, NotFound, RateLimited } from "../outcome.ts"
import { priceRange } from "./product-fields.ts"

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
  let url: URL
  try {
    url = new URL(/^https?:\/\//i.test(text) ? text : `https://${text}`)
  } catch {
    throw new BadInput(`"${target}" is no address of a store.`)
  }
  if (!url.hostname.includes(".")) throw new BadInput(`"${target}" is no address of a store.`)
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
  const answer = await askThroughWall(url, { query, accept: telling }, store, ctx)
  const details = { url: answer.url, statusCode: answer.status }
  const isWhole = !store.product && !store.collection
  if (answer.status === 401 || /\/password\/?$/.test(new URL(answer.url).pathname)) {
    throw new Forbidden(`${store.root} is behind a password.`, {
      ...details,
      code: "password_protected",
    })
  }
  if (answer.status === 402) {
    throw new NotFound(`${store.root} is closed.`, { ...details, code: "store_closed" })
  }
  if (answer.status === 430) {
    throw new RateLimited(`${store.root} limits the rate of requests (status 430).`, null, details)
  }
  if (answer.status === 404 && !isWhole) {
    throw new NotFound(`${store.root} has no such product or collection.`, details)
  }
  if (answer.status === 404) throw notShopify(store, details)
  const value = parseLoose(answer.text())
  const reader = new JsonReader(value)
  if (["products", "product", "collections"].some((key) => reader.has(key))) return reader
  const outcome = answer.lacks("the store's products")
  if (outcome instanceof Blocked) throw outcome
  if (value === undefined && /json/.test(answer.contentType)) {
    throw new Changed(`${store.root} answered with JSON that cannot be read.`, details)
  }
  throw notShopify(store, details)
}

function notShopify(store: Store, details: { url: string; statusCode: number }): BadInput {
  return new BadInput(
    `${store.root} serves no Shopify catalogue: it is no Shopify store, or has the route off.`,
    { ...details, code: "not_shopify" },
  )
}

/** Seconds to wait after each refusal of a burst, unless the store says for how long. */
const backOff = [2, 4, 8]

/** Some stores stand behind a wall that opens once Chrome has been at the door. */
async function askThroughWall(
  url: string,
  options: RequestOptions,
  store: Store,
  ctx: Context,
): Promise<Answer> {
  const ask = async () => {
    for (let attempt = 0; ; attempt++) {
      const answer = await ctx.get(url, {
        identity: "browser",
        headers: { accept: "application/json" },
        ...options,
      })
      const wait = backOff[attempt]
      if (answer.status !== 430 || wait === undefined) return answer
      const asked = retryAfterSeconds(answer.headers, ctx.now().getTime())
      await ctx.pause(asked ?? wait, `${store.root} limits the rate of requests`)
    }
  }
  try {
    return await ask()
  } catch (error) {
    if (!(error instanceof Blocked)) throw error
    const opened = await orNull(ctx, `way through the wall of ${store.root}`, () =>
      ctx.render(store.root),
    )
    if (!opened) throw error
    return ask()
  }
}

/** Name and currency, which the catalogue does not tell. */
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

/** Null when it lacks what every product has. */
export function productOf(product: JsonReader, root: string) {
  const id = product.integer("id")
  const handle = product.text("handle")
  const title = product.title("title")
  if (id === null || !handle || !title) return null
  const variants = product.list("variants").flatMap(variantOf)
  const images = product.list("images").flatMap((image) => image.text("src") ?? [])
  const stock = variants.map((variant) => variant.available)
  return {
    id,
    handle,
    url: `${root}/products/${encodeURIComponent(handle)}`,
    title,
    vendor: product.title("vendor"),
    productType: product.title("product_type"),
    description: htmlToText(product.value("body_html")),
    descriptionHtml: product.text("body_html"),
    tags: tagsOf(product.value("tags")),
    ...priceRange(variants.map((variant) => variant.price)),
    compareAtPriceMin: priceRange(variants.map((variant) => variant.compareAtPrice)).priceMin,
    available: stock.includes(true) ? true : stock.includes(false) ? false : null,
    options: product.list("options").flatMap((option) => {
      const name = option.title("name")
      return name ? { name, values: option.texts("values") } : []
    }),
    variants,
    images,
    image: images[0] ?? product.text("image", "src"),
    createdAt: timeOf(product.text("created_at")),
    updatedAt: timeOf(product.text("updated_at")),
    publishedAt: timeOf(product.text("published_at")),
  }
}

function variantOf(variant: JsonReader) {
  const id = variant.integer("id")
  if (id === null) return []
  return {
    id,
    title: variant.title("title"),
    sku: variant.text("sku"),
    barcode: variant.text("barcode"),
    price: numberOrNull(variant.value("price")),
    compareAtPrice: numberOrNull(variant.value("compare_at_price")),
    available: variant.flag("available"),
    option1: variant.title("option1"),
    option2: variant.title("option2"),
    option3: variant.title("option3"),
    grams: variant.number("grams"),
    requiresShipping: variant.flag("requires_shipping"),
    taxable: variant.flag("taxable"),
    position: variant.integer("position"),
    imageUrl: variant.text("featured_image", "src"),
    createdAt: timeOf(variant.text("created_at")),
    updatedAt: timeOf(variant.text("updated_at")),
  }
}

const timeOf = (written: string | null) => plainTime(isoDate(written))

/** A list, or the same joined by commas. */
function tagsOf(tags: unknown): string[] {
  const list = typeof tags === "string" ? tags.split(",") : Array.isArray(tags) ? tags : []
  return distinct(list.map((tag) => String(tag).trim()).filter(Boolean))
}

/** Null when it lacks what every collection has. */
export function collectionOf(collection: JsonReader, root: string) {
  const id = collection.integer("id")
  const handle = collection.text("handle")
  const title = collection.title("title")
  if (id === null || !handle || !title) return null
  return {
    id,
    handle,
    url: `${root}/collections/${encodeURIComponent(handle)}`,
    title,
    description: htmlToText(collection.value("description")),
    image: collection.text("image", "src"),
    productsCount: collection.integer("products_count"),
    publishedAt: timeOf(collection.text("published_at")),
    updatedAt: timeOf(collection.text("updated_at")),
  }
}
