import type { Field } from "./schema.ts"
import type { Candidate, Source, Thing } from "./things.ts"
import type { View } from "./view.ts"

/** Where a field is looked for. */
export interface Scope {
  things: readonly Thing[]
  /** The parent of the object, and the property: for example a city of an address. */
  owner: { things: readonly Thing[]; property: string } | null
  view: View | null
  /** The page as a whole, and what it is about. */
  isPage: boolean
  /** Of a page: what says least of what it is about, asked when nothing else answers. */
  fallbacks?: readonly Thing[]
  /** Of a page that is asked for an event: a day on it is likely the event's. */
  isOfEvent?: boolean
  /** Of a page that is asked for an organisation: the website that it names is the organisation's URL. */
  isOfOrganisation?: boolean
  /** Of labels within an object: the label of the object. */
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

/** What lists ask of the reader of their entries. */
export interface FieldReader {
  object(field: Field, scope: Scope): Read
  hinted(field: Field, scope: Scope): Iterable<Candidate>
  found(root: Document | Element, selector: string, most: number): Element[]
  labels(name: string, field: Field, scope: Scope): string[]
}

export function joined(name: string, path: string): string {
  if (path === "") return name
  return path.startsWith("[") ? name + path : `${name}.${path}`
}
