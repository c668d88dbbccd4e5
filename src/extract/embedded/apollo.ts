import { at } from "./json-in-text.ts"
import { JsonReader } from "./json-reader.ts"

/**
 * A normalised Apollo cache: its objects refer to each other by `{ "__ref": "Type:id" }`, and keys
 * of fields carry their arguments, as in `quotes({"limit":1})`.
 */
export class ApolloCache {
  constructor(private readonly objects: Record<string, unknown>) {}

  /** The object at a path; references are followed at each step. */
  at(from: JsonReader, ...path: (string | number)[]): JsonReader {
    let value = this.resolved(from.root)
    for (const step of path) value = this.resolved(at(value, step))
    return new JsonReader(value)
  }

  /** The objects of a list, references followed. */
  list(from: JsonReader, ...path: (string | number)[]): JsonReader[] {
    return this.at(from, ...path)
      .list()
      .map((item) => this.at(item))
  }

  /** The objects of one kind, by their keys. */
  ofType(type: string): JsonReader[] {
    return Object.entries(this.objects)
      .filter(([key]) => key.startsWith(`${type}:`))
      .map(([, value]) => new JsonReader(value))
  }

  get query(): JsonReader {
    return new JsonReader(this.objects.ROOT_QUERY)
  }

  private resolved(value: unknown): unknown {
    const key = at(value, "__ref")
    return typeof key === "string" ? this.objects[key] : value
  }
}

/** The cache in a page's state; undefined when the value is not one. */
export function apolloCache(value: unknown): ApolloCache | undefined {
  const known = typeof at(value, "ROOT_QUERY") === "object"
  return known ? new ApolloCache(value as Record<string, unknown>) : undefined
}

/** Returns the keys of a field in an object, with any arguments. */
export function fieldKeys(object: JsonReader, field: string): string[] {
  const { root } = object
  if (typeof root !== "object" || root === null) return []
  return Object.keys(root).filter((key) => key === field || key.startsWith(`${field}(`))
}
