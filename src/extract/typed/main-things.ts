import { titleOrNull } from "../core/index.ts"
import { findObjects, pageStates } from "../embedded/index.ts"
import { sharedWords } from "../page/index.ts"
import {
  allEntities,
  isNode,
  type SchemaNode,
  type StructuredData,
  textAt,
  typesOf,
} from "../structured/index.ts"
import type { Field } from "./schema.ts"
import { familyOf, isGeneral, plainName, type Term, termOf } from "./terms/terms.ts"
import type { Lookup, Thing } from "./things.ts"

/** Nodes and objects that are looked at; a page that has more is a list of something else. */
const maxNodes = 400
const maxObjects = 20_000
const maxBelieved = 4
/** Types that describe the frame of pages, not their subject. */
const frames = new Set([
  "WebPage",
  "WebSite",
  "Organization",
  "Person",
  "ImageObject",
  "SearchAction",
  "ListItem",
  "CollectionPage",
  "ItemPage",
])
const never = new Set(["BreadcrumbList", "SearchAction", "SiteNavigationElement", "EntryPoint"])

/** The nodes of a page's structured data, the outer ones first. */
export function structuredThings(structured: StructuredData): Thing[] {
  const things: Thing[] = []
  for (const { data, format } of allEntities(structured)) {
    for (const node of findObjects(data, (one) => one["@type"] !== undefined)) {
      if (things.length === maxNodes) return things
      const types = typesOf(node)
      if (types.some((type) => never.has(type))) continue
      things.push({ node, source: format, name: types[0] ?? "Thing" })
    }
  }
  return things
}

export interface Wanted {
  field: Field
  /** Types that the schema itself speaks of. */
  types: readonly string[]
}

/** Returns how many requested fields a thing has; 0 if it is more likely about something else. */
function scoreOf(thing: Thing, { field, types }: Wanted, lookup: Lookup): number {
  const names = field.properties.map(([name]) => name).slice(0, 60)
  const answered = names.filter((name) => !lookup.values(thing, name).next().done)
  const telling = answered.filter((name) => !isGeneral(name)).length
  const families = typesOf(thing.node).map(familyOf)
  const isNamed = families.some((family) => types.includes(family))
  const isFrame = families.some((family) => frames.has(family))
  if (types.length > 0 && !isNamed && families.length > 0 && telling * 2 < names.length) return 0
  if (isFrame && !isNamed && answered.length * 2 < names.length) return 0
  if (
    answered.length === 0 ||
    (telling === 0 && !isNamed && names.some((name) => !isGeneral(name)))
  )
    return 0
  return answered.length + telling + (isNamed ? names.length : 0)
}

/** The thing that a page is about, as far as a schema asks for it, and others that are the same. */
export function mainThings(
  things: readonly Thing[],
  wanted: Wanted,
  structured: StructuredData,
  lookup: Lookup,
  heading: string | null,
): Thing[] {
  let best: { thing: Thing; score: number } | null = null
  for (const thing of things) {
    const score = scoreOf(thing, wanted, lookup)
    if (score === 0) continue
    const near = sharedWords(textAt(structured, thing.node, "name") ?? "", heading) > 0 ? 0.5 : 0
    if (!best || score + near > best.score) best = { thing, score: score + near }
  }
  if (!best) return []
  const { thing } = best
  const same = things.filter((other) => other !== thing && isSame(thing, other, structured))
  return [thing, ...same].slice(0, maxBelieved)
}

/** Returns whether two things have the same type and name: JSON-LD and microdata often repeat one. */
function isSame(one: Thing, other: Thing, structured: StructuredData): boolean {
  const [family] = typesOf(one.node).map(familyOf)
  if (!typesOf(other.node).map(familyOf).includes(family!)) return false
  const name = (thing: Thing) => plainName(textAt(structured, thing.node, "name") ?? "")
  return name(one) !== "" && name(one) === name(other)
}

/** Returns the objects in the page's state with the most requested fields, the best first. */
export function stateThings(
  states: readonly unknown[],
  field: Field,
  heading: string | null,
): Thing[] {
  const terms = new Map(field.properties.map(([name]) => [name, namesFor(name, termOf(name))]))
  const min = Math.max(2, Math.ceil(field.properties.length / 2))
  const matches: { thing: Thing; score: number }[] = []
  let seen = 0
  for (const object of findObjects(states, () => ++seen <= maxObjects)) {
    const keys = new Set(Object.keys(object).slice(0, 200).map(plainName))
    const answered = [...terms.values()].filter((names) =>
      names.some((name) => keys.has(name)),
    ).length
    if (answered < min) continue
    const near = sharedWords(titleOrNull(object.name ?? object.title) ?? "", heading)
    if (near > 0) matches.push({ thing: stateThing(object), score: answered + near })
  }
  return matches
    .sort((one, other) => other.score - one.score)
    .slice(0, 1)
    .map(({ thing }) => thing)
}

/** Returns the lists of objects in the page's state with the most fields of a list's entries. */
export function stateLists(states: readonly unknown[], items: Field): SchemaNode[][] {
  const terms = items.properties.map(([name]) => namesFor(name, termOf(name)))
  const min = Math.max(Math.min(2, terms.length), Math.ceil(terms.length / 2))
  const lists: SchemaNode[][] = []
  const stack: unknown[] = [...states]
  for (let seen = 0; stack.length > 0 && seen < maxObjects && lists.length < 20; seen++) {
    const value = stack.pop()
    if (typeof value !== "object" || value === null) continue
    if (Array.isArray(value)) {
      const nodes = value.filter(isNode)
      const [first] = nodes
      const keys = new Set(first ? Object.keys(first).slice(0, 200).map(plainName) : [])
      const answered = terms.filter((names) => names.some((name) => keys.has(name))).length
      if (nodes.length > 1 && answered >= min) lists.push(nodes)
    }
    const children = Array.isArray(value) ? value : Object.values(value)
    for (const child of children.slice(0, 2000)) stack.push(child)
  }
  return lists
}

export const stateThing = (node: SchemaNode): Thing => ({ node, source: "state", name: "state" })

function namesFor(name: string, term: Term | null): string[] {
  const steps = (term?.paths ?? []).flatMap(({ steps }) => (steps.length === 1 ? steps : []))
  return [...new Set([plainName(name), ...(term?.names ?? []).map(plainName), ...steps])]
}

export const readStates = (document: Document): unknown[] => [...pageStates(document)]
