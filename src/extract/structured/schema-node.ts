/**
 * A thing with properties. JSON-LD is as the page wrote it; microdata and RDFa are brought into the
 * same form: `@type`, `@id`, and properties with one value or an array of values.
 */
export type SchemaNode = Record<string, unknown>

/** A node that is not a value of another node's property. */
export interface Entity {
  format: "json-ld" | "microdata" | "rdfa"
  data: SchemaNode
  /** The vocabulary's host, such as schema.org. */
  context: string | null
  /** False when its block had to be repaired to be JSON. */
  valid: boolean
}

/** The result of the readers of the two attribute formats. */
export interface AttributeData {
  entities: Entity[]
  /** The element that each node was read from. */
  elements: Map<SchemaNode, Element>
}

/** A type's short name: `http://schema.org/Product` and `schema:Product` are `Product`. */
export function shortType(type: string): string {
  const name = type.trim().replace(/^schema:/i, "")
  return /^https?:\/\//i.test(name)
    ? name.replace(/(?<![/#])[/#]+$/, "").replace(/^.*[/#]/s, "")
    : name
}

/** Adds a property's value; a second one makes it an array. */
export function addValue(node: SchemaNode, property: string, value: unknown): void {
  const known = node[property]
  if (known === undefined) node[property] = value
  else if (Array.isArray(known)) known.push(value)
  else node[property] = [known, value]
}

/** The host of a URL, without `www.`; null if the text is not an http(s) URL. */
export function vocabularyHost(url: string | null | undefined): string | null {
  return /^\s*(?:https?:)?\/\/(?:www\.)?([^/\s#?]+)/i.exec(url ?? "")?.[1]?.toLowerCase() ?? null
}
