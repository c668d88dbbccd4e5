import { textOf } from "../core/index.ts"
import { findObjects } from "../embedded/index.ts"
import { normaliseUrl } from "../links/index.ts"
import { documentTitle, sharedWords } from "../page/index.ts"
import {
  allEntities,
  type Entity,
  isNode,
  isOfType,
  type SchemaNode,
  type StructuredData,
  textAt,
  valuesOf,
  valueUrl,
} from "../structured/index.ts"
import { offersOf } from "./offers.ts"

const productTypes = [
  "Product",
  "ProductGroup",
  "IndividualProduct",
  "ProductModel",
  "Vehicle",
  "Car",
  "Motorcycle",
  "Book",
  "SomeProducts",
]

/** Properties that hold products other than the page's own. */
const otherProducts = new Set([
  "isRelatedTo",
  "isSimilarTo",
  "isConsumableFor",
  "isAccessoryOrSparePartFor",
  "hasVariant",
  "isVariantOf",
  // An article is part of a product: the newspaper's subscription.
  "isPartOf",
  "itemListElement",
  "review",
  "reviews",
  "itemReviewed",
  "recommendations",
])

export interface ProductNode {
  node: SchemaNode
  format: Entity["format"]
}

/** More products than this, none matching the page by name or URL, are a listing. */
const maxUnnamed = 3

/**
 * The nodes that describe the product of a page, one a format: of several, the one that has the
 * page's heading as its name, or its URL. Null if the page is a list of products.
 */
export function productNodes(
  data: StructuredData,
  document: Document,
  pageUrl: string,
): ProductNode[] | null {
  const nodes = candidates(data)
  const main: ProductNode[] = []
  for (const format of ["json-ld", "microdata", "rdfa"] as const) {
    const own = nodes.filter((candidate) => candidate.format === format)
    const chosen = mainOf(own, data, document, pageUrl)
    if (chosen) main.push(chosen)
  }
  return main.length === 0 && nodes.length > maxUnnamed ? null : main
}

function candidates(data: StructuredData): ProductNode[] {
  return allEntities(data).flatMap(({ data: root, format }) => {
    const others = new Set<unknown>()
    const nodes = [...findObjects(root, () => true)].filter((node) => {
      if (others.has(node)) {
        markChildren(node, others, true)
        return false
      }
      markChildren(node, others, false)
      return isOfType(node, ...productTypes)
    })
    return nodes.map((node) => ({ node, format }))
  })
}

/** Marks the nodes under properties that hold other products, with all their descendants. */
function markChildren(node: SchemaNode, others: Set<unknown>, all: boolean): void {
  for (const [property, value] of Object.entries(node)) {
    if (!all && !otherProducts.has(property)) continue
    for (const child of Array.isArray(value) ? value : [value]) if (isNode(child)) others.add(child)
  }
}

function mainOf(
  nodes: ProductNode[],
  data: StructuredData,
  document: Document,
  pageUrl: string,
): ProductNode | null {
  if (nodes.length <= 1) return nodes[0] ?? null
  const headings = [...document.getElementsByTagName("h1")].map(textOf)
  const title = documentTitle(document)
  const scored = nodes.map((candidate, index) => {
    const name = textAt(data, candidate.node, "name") ?? ""
    const words = name.split(/\s+/).length
    const nearness = Math.max(
      ...[title, ...headings].map((text) => sharedWords(name, text) / Math.max(words, 2)),
    )
    const holdsHeading = data.elements.get(candidate.node)?.querySelector("h1") != null
    // Set by hand: the page's URL or heading outweighs any similarity of names, which is 0 to 1.
    const score =
      (isOfPage(candidate.node, data, pageUrl) ? 2 : 0) +
      (holdsHeading ? 2 : 0) +
      nearness +
      (offersOf(data, candidate.node).length > 0 ? 0.5 : 0) -
      index * 0.001
    return { candidate, score }
  })
  const best = scored.reduce((a, b) => (b.score > a.score ? b : a))
  return best.score < 1 && nodes.length > maxUnnamed ? null : best.candidate
}

/** Returns whether a node, or one of its offers, has the URL of its page, which is not the shop's own. */
export function isOfPage(node: SchemaNode, data: StructuredData, pageUrl: string): boolean {
  const page = normaliseUrl(pageUrl)
  const offered = offersOf(data, node).flatMap((offer) => valuesOf(data, offer, "url"))
  return [...valuesOf(data, node, "url"), node["@id"], ...offered].some((value) => {
    const href = valueUrl(value)
    const url = href ? URL.parse(href, page) : null
    return url !== null && normaliseUrl(url.href) === page && url.href !== new URL("/", page).href
  })
}
