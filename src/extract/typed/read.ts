import type { Field } from "./schema.ts"
import type { Candidate, Source, Thing } from "./things.ts"
import type { View } from "./view.ts"

/** The part of a page in which a field is searched. */
export interface Scope {
  things: readonly Thing[]
  /** The parent of the object, and the property: for example a city of an address. */
  owner: { things: readonly Thing[]; property: string } | null
  view: View | null
  /** Whether it is the page as a whole, with its subject. */
  isPage: boolean
  /** For a page: the least specific things, used if no other has a value. */
  fallbacks?: readonly Thing[]
  /** For a schema of an event: a day on the page is likely the event's. */
  isOfEvent?: boolean
  /** For a schema of an organisation: the website on the page is the organisation's URL. */
  isOfOrganisation?: boolean
  /** For labels within an object: the label of the object. */
  prefix: string
}

export interface Evidence {
  source: Source
  at: string
}

/** The result for a field; without a value if the search found none. */
export interface Read {
  value: unknown
  /** Paths below the field that are missing; "" is the field itself. */
  missing: string[]
  evidence: [path: string, Evidence][]
}

export const nothing: Read = { value: undefined, missing: [""], evidence: [] }

/** The functions of the reader that lists need for their entries. */
export interface FieldReader {
  object(field: Field, scope: Scope): Read
  hinted(field: Field, scope: Scope): Iterable<Candidate>
  found(root: Document | Element, selector: string, max: number): Element[]
  labels(name: string, field: Field, scope: Scope): string[]
}

export function joined(name: string, path: string): string {
  if (path === "") return name
  return path.startsWith("[") ? name + path : `${name}.${path}`
}
