import { textList } from "../core/index.ts"
import { at, findObjects, JsonReader, type Path } from "../embedded/index.ts"
import { readJsonLd } from "./json-ld.ts"
import { isNode, isOfType, typesOf } from "./structured-data.ts"

const firstOf = (value: unknown) => (Array.isArray(value) ? value[0] : value)
const allOf = (value: unknown) => (Array.isArray(value) ? value : [value])

/**
 * Reads a node of schema.org, in which every property may have one value or a list: a path follows the
 * first of several, and a single value is a list of one.
 */
export class SchemaReader extends JsonReader {
  override value<T = unknown>(...path: Path): T | undefined {
    let value: unknown = this.root
    for (const step of path) {
      value = at(typeof step === "number" ? allOf(value) : firstOf(value), step)
    }
    return value as T | undefined
  }

  override in(...path: Path): SchemaReader {
    return new SchemaReader(this.value(...path))
  }

  override single(...path: Path): unknown {
    const value = firstOf(this.value(...path))
    return isNode(value) ? value["@value"] : value
  }

  override texts(...path: Path): string[] {
    return textList(allOf(this.value(...path)))
  }

  override list(...path: Path): SchemaReader[] {
    return allOf(this.value(...path)).flatMap((value) =>
      isNode(value) ? new SchemaReader(value) : [],
    )
  }

  /** The short name of its type, the first of several. */
  get type(): string | null {
    return isNode(this.root) ? (typesOf(this.root)[0] ?? null) : null
  }

  /** Returns whether it is of one of these types; letter case does not count. */
  isOfType(...types: string[]): boolean {
    return isNode(this.root) && isOfType(this.root, ...types)
  }
}

/** The nodes of a page's JSON-LD. */
export const schemaNodes = (document: Document): SchemaReader[] =>
  readJsonLd(document).entities.map(({ data }) => new SchemaReader(data))

/** The same with those that are values of others' properties, each after the one that it is in. */
export const allSchemaNodes = (document: Document): SchemaReader[] => {
  const roots = readJsonLd(document).entities.map(({ data }) => data)
  return [...findObjects(roots, (node) => "@type" in node)].map((node) => new SchemaReader(node))
}

/** Returns the first node of one of these types, or an empty one. */
export const schemaNode = (document: Document, ...types: string[]): SchemaReader =>
  schemaNodes(document).find((node) => node.isOfType(...types)) ?? new SchemaReader(undefined)
