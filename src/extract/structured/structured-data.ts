import { baseUrl, foldSpace, titleOrNull } from "../core/index.ts"
import { findObjects } from "../embedded/index.ts"
import { readJsonLd } from "./json-ld.ts"
import { readMicrodata } from "./microdata.ts"
import { readRdfa } from "./rdfa.ts"
import { type Entity, type SchemaNode, shortType } from "./schema-node.ts"

export type { Entity, SchemaNode }

export interface StructuredData {
  jsonLd: Entity[]
  microdata: Entity[]
  rdfa: Entity[]
  /** JSON-LD blocks that stay unreadable even after a repair, as written. */
  unreadable: string[]
  /** JSON-LD nodes by `@id`, at any depth; bare references are not among them. */
  byId: Map<string, SchemaNode>
  /** The element that a microdata or RDFa node was read from. */
  elements: Map<SchemaNode, Element>
}

/**
 * Returns all structured data of a page: JSON-LD, microdata and RDFa Lite. It sends no requests.
 *
 * @example
 * ```ts
 * const html = '<script type="application/ld+json">{"@type": "Article", "name": "Tides"}</script>'
 * const data = readStructuredData(parseDocument(html), "https://a.example/")
 * textAt(data, nodesOfType(data, "Article")[0], "name") // "Tides"
 * ```
 */
export function readStructuredData(document: Document, pageUrl: string): StructuredData {
  const base = baseUrl(document, pageUrl)
  const { entities: jsonLd, unreadable } = readJsonLd(document)
  const microdata = readMicrodata(document, base)
  const rdfa = readRdfa(document, base)
  return {
    jsonLd,
    microdata: microdata.entities,
    rdfa: rdfa.entities,
    unreadable,
    byId: indexById(jsonLd),
    elements: new Map([...microdata.elements, ...rdfa.elements]),
  }
}

function indexById(entities: Entity[]): Map<string, SchemaNode> {
  const byId = new Map<string, SchemaNode>()
  const nodes = findObjects(
    entities.map((entity) => entity.data),
    (node) => typeof node["@id"] === "string",
  )
  for (const node of nodes) {
    const id = node["@id"] as string
    const size = Object.keys(node).length
    if (size > 1 && size > Object.keys(byId.get(id) ?? {}).length) byId.set(id, node)
  }
  return byId
}

/** Every entity of the page: JSON-LD first, then microdata, then RDFa. */
export function allEntities(data: StructuredData): Entity[] {
  return [...data.jsonLd, ...data.microdata, ...data.rdfa]
}

/** The short names of a node's types, each once. */
export function typesOf(node: SchemaNode): string[] {
  const written = node["@type"]
  const types = Array.isArray(written) ? written : [written]
  const names = types.flatMap((type) => (typeof type === "string" ? shortType(type) : []))
  return [...new Set(names.filter((name) => name !== ""))]
}

/** Returns whether a node is of one of these types; letter case does not count. */
export function isOfType(node: SchemaNode, ...types: string[]): boolean {
  const wanted = types.map((type) => type.toLowerCase())
  return typesOf(node).some((type) => wanted.includes(type.toLowerCase()))
}

/** The nodes of these types at any depth, in document order: JSON-LD, then microdata, then RDFa. */
export function nodesOfType(data: StructuredData, ...types: string[]): SchemaNode[] {
  const roots = allEntities(data).map((entity) => entity.data)
  return [...new Set(findObjects(roots, (node) => isOfType(node, ...types)))]
}

export function isNode(value: unknown): value is SchemaNode {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}

/** Returns the node of a bare `{ "@id": … }` on the page; every other value unchanged. */
function resolve(data: StructuredData, value: unknown): unknown {
  if (!isNode(value) || typeof value["@id"] !== "string") return value
  return Object.keys(value).length === 1 ? (data.byId.get(value["@id"]) ?? value) : value
}

/** The values of a node's property: lists opened, references resolved, nulls left out. */
export function valuesOf(data: StructuredData, node: SchemaNode, property: string): unknown[] {
  return flatten(node[property] ?? node[`schema:${property}`]).map((value) => resolve(data, value))
}

function flatten(value: unknown): unknown[] {
  if (value === null || value === undefined) return []
  if (Array.isArray(value)) return value.flatMap(flatten)
  if (!isNode(value)) return [value]
  if ("@value" in value) return flatten(value["@value"])
  if ("@list" in value) return flatten(value["@list"])
  return "@set" in value ? flatten(value["@set"]) : [value]
}

/** The values of a property that are nodes themselves. */
export function nodesAt(data: StructuredData, node: SchemaNode, property: string): SchemaNode[] {
  return valuesOf(data, node, property).filter(isNode)
}

/** A value as text: texts with entities decoded and white space folded, nodes by their name. */
export function valueText(value: unknown): string | null {
  if (typeof value === "number" || typeof value === "boolean") return String(value)
  if (typeof value === "string") return titleOrNull(value)
  if (Array.isArray(value)) return firstText(value)
  if (!isNode(value)) return null
  return firstText([value["@value"], value.name, value["schema:name"]])
}

function firstText(values: unknown[]): string | null {
  for (const value of values) {
    const text = valueText(value)
    if (text !== null) return text
  }
  return null
}

/** The first text among a property's values. */
export function textAt(data: StructuredData, node: SchemaNode, property: string): string | null {
  return firstText(valuesOf(data, node, property))
}

/** The first text of the first of these properties that has one. */
export function textOfAny(
  data: StructuredData,
  node: SchemaNode,
  ...properties: string[]
): string | null {
  for (const property of properties) {
    const text = textAt(data, node, property)
    if (text !== null) return text
  }
  return null
}

/** A URL among a value's forms: a text, or a node's `url`, `contentUrl` or `@id`. */
export function valueUrl(value: unknown): string | null {
  if (typeof value === "string") return foldSpace(value) || null
  if (Array.isArray(value)) return value.map(valueUrl).find((url) => url !== null) ?? null
  if (!isNode(value)) return null
  return valueUrl(value.url ?? value.contentUrl ?? value["@id"] ?? null)
}
