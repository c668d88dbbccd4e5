import { foldSpace, textOf } from "../core/index.ts"
import { type SchemaNode, type StructuredData, textAt } from "../structured/index.ts"
import { labelOf } from "./labels/labels.ts"
import { compact } from "./sku.ts"
import { gtinOf, isPlaceholder, statedGtin } from "./text/ids.ts"

const gtinProperties = [
  "gtin13",
  "gtin14",
  "gtin12",
  "gtin8",
  "gtin",
  "isbn",
  "ean",
  "ean13",
  "upc",
  "barcode",
]

/**
 * The number that the first of some nodes has, a product and its only offer: `sku:123` and
 * `productID: 123` are 123; a page's URL and "N/A" are no number.
 */
export function skuAmong(data: StructuredData, nodes: SchemaNode[]): string | null {
  for (const node of nodes) {
    for (const property of ["sku", "productID", "productId"]) {
      const written = textAt(data, node, property) ?? ""
      const sku = withoutLabel(foldSpace(written))
      if (sku === "" || isPlaceholder(sku) || /^https?:/i.test(sku)) continue
      return printedForm(data, node, property, sku) ?? sku
    }
  }
  return null
}

/** `sku:123`, and of a shown text `Art.-Nr.: 123.` is 123. */
function withoutLabel(text: string): string {
  const [, label, code] = /^([^:#]{2,30})[:#]\s*(.+)$/.exec(text) ?? []
  if (!code || !(labelOf(label!) || /^product\s?id$/i.test(label!.trim()))) return text
  return code.replace(/[.,;]$/, "")
}

/** Returns the number as customers read it: `466/7999` if the content is 4667999. */
function printedForm(
  data: StructuredData,
  node: SchemaNode,
  property: string,
  sku: string,
): string | null {
  const element = data.elements.get(node)?.querySelector(`[itemprop~="${property}"][content]`)
  const text = textOf(element)
  return text !== null && compact(text) === compact(sku) ? text : null
}

export function mpnOf(data: StructuredData, node: SchemaNode): string | null {
  const mpn = textAt(data, node, "mpn")
  if (mpn && !isPlaceholder(mpn)) return mpn
  // The model may also be a name: "Indego 400".
  const model = textAt(data, node, "model")
  return model && isCode.test(model) && !isPlaceholder(model) ? model : null
}

const isCode = /^(?=.*\d)\S+$/

/** Returns the first GTIN with a valid check digit, else the first stated one. */
export function gtinAmong(data: StructuredData, nodes: SchemaNode[]): string | null {
  const stated = nodes.flatMap((node) =>
    gtinProperties.flatMap((property) => statedGtin(textAt(data, node, property)) ?? []),
  )
  return stated.find((code) => gtinOf(code) !== null) ?? stated[0] ?? null
}
