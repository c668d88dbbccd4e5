import { readFileSync } from "node:fs"
import { join } from "node:path"
import { foldOf, folds } from "../../scripts/reading/pages.ts"
import { decodeBody } from "../../src/engine/net/http/charset.ts"
import { parseDocument } from "../../src/extract/core/index.ts"
import { type Product, readProduct } from "../../src/extract/product/index.ts"
import { readSchema, readTyped } from "../../src/extract/typed/index.ts"
import { pageBytes } from "./pages.ts"

const attributes = ["price", "availability", "sku", "gtin", "mpn", "brand"] as const
type Attribute = (typeof attributes)[number]

/** One page of the set: its URL, and the accepted values of each displayed attribute. */
type Truth = { url: string } & { [A in Attribute]?: string[] }

export interface ProductScore {
  attribute: Attribute
  f1: number
  precision: number
  recall: number
  /** F1 of the sites of each fold, NaN if it has none. */
  byFold: number[]
  /** Pages with a wrong, missing or excess value: ID, URL, expected, actual. */
  differences: { id: string; url: string; wanted: string[]; found: string | null }[]
}

/**
 * Scores the product reading over a folder of pages, as its README describes; `only` selects a part
 * of them.
 */
export function productQuality(
  folder: string,
  only = (_id: string, _index: number) => true,
  read: (document: Document, url: string) => Facts | null = readProduct,
) {
  const truth: Record<string, Truth> = JSON.parse(readFileSync(join(folder, "truth.json"), "utf8"))
  const ids = Object.keys(truth).sort().filter(only)
  const found = new Map(ids.map((id) => [id, productIn(folder, id, truth[id]!.url, read)]))
  return attributes.map((attribute): ProductScore => {
    const counts = Array.from({ length: folds }, () => ({ tp: 0, fp: 0, fn: 0 }))
    const differences: ProductScore["differences"] = []
    for (const id of ids) {
      const wanted = truth[id]![attribute] ?? []
      const value = attributeValue(found.get(id) ?? null, attribute)
      if (value === null && wanted.length === 0) continue
      const count = counts[foldOf(truth[id]!.url)]!
      if (value !== null && wanted.some((one) => same(attribute, one, value))) {
        count.tp++
        continue
      }
      if (value !== null) count.fp++
      if (wanted.length > 0) count.fn++
      differences.push({ id, url: truth[id]!.url, wanted, found: value })
    }
    const sum = (key: "tp" | "fp" | "fn") => counts.reduce((all, count) => all + count[key], 0)
    const [tp, fp, fn] = [sum("tp"), sum("fp"), sum("fn")]
    const precision = tp / Math.max(tp + fp, 1)
    const recall = tp / Math.max(tp + fn, 1)
    const f1 = (2 * tp) / Math.max(2 * tp + fp + fn, 1)
    const byFold = counts.map((count) => (2 * count.tp) / (2 * count.tp + count.fp + count.fn))
    return { attribute, f1, precision, recall, byFold, differences }
  })
}

/** `products price F1 0.923 precision 0.930 recall 0.917` */
export function productLine({ attribute, f1, precision, recall }: ProductScore): string {
  const figures = `F1 ${f1.toFixed(3)} precision ${precision.toFixed(3)} recall ${recall.toFixed(3)}`
  return `products ${attribute} ${figures}`
}

/** `products price by fold 0.889 1.000 1.000 0.875 1.000` */
export const productFoldLine = ({ attribute, byFold }: ProductScore): string =>
  `products ${attribute} by fold ${byFold.map((f1) => f1.toFixed(3)).join(" ")}`

type Facts = Pick<Product, Attribute | "inStock">

function productIn(
  folder: string,
  id: string,
  url: string,
  read: (document: Document, url: string) => Facts | null,
): Facts | null {
  return read(parseDocument(decodeBody(pageBytes(folder, id), "text/html")), url)
}

const text = { type: "string" }
const requested = readSchema({
  type: "object",
  properties: {
    price: { type: "number" },
    availability: { type: "string", enum: ["InStock", "OutOfStock"] },
    sku: text,
    gtin: text,
    mpn: text,
    brand: text,
  },
})

/** Scores the same attributes read by a JSON Schema only, as users of `extract` request them. */
export function factsBySchema(document: Document, url: string): Facts {
  const { availability, ...data } = readTyped(document, url, requested).data
  const isKnown = availability !== undefined
  return {
    ...(data as Omit<Facts, "inStock" | "availability">),
    ...(isKnown ? { availability: "unknown" } : {}),
    inStock: isKnown ? availability === "InStock" : null,
  }
}

function attributeValue(product: Facts | null, attribute: Attribute): string | null {
  if (!product) return null
  if (attribute === "price") return product.price === undefined ? null : String(product.price)
  if (attribute !== "availability") return product[attribute] ?? null
  if (product.availability === undefined) return null
  return product.inStock ? "InStock" : "OutOfStock"
}

function same(attribute: Attribute, wanted: string, found: string): boolean {
  if (attribute === "price") return Number(wanted.trim()) === Number(found)
  return wanted.trim().toLowerCase() === found.trim().toLowerCase()
}
