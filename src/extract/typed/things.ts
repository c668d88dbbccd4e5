import {
  isNode,
  type SchemaNode,
  type StructuredData,
  typesOf,
  valuesOf,
} from "../structured/index.ts"
import { familyOf, plainName, type Term, termOf } from "./terms/terms.ts"

/** The names of a value's sources in evidence. */
export type Source =
  | "json-ld"
  | "microdata"
  | "rdfa"
  | "microformats"
  | "state"
  | "product"
  | "metadata"
  | "selector"
  | "table"
  | "definition list"
  | "label"
  | "icon"
  | "contact"
  | "heading"
  | "markup"
  | "block"

/** An entity that a page describes by properties, in any form. */
export interface Thing {
  node: SchemaNode
  source: Source
  /** Its name in evidence: its type, or its path in another thing. */
  name: string
}

export interface Candidate {
  raw: unknown
  source: Source
  at: string
}

/** Maximum number of values of one property; a page may list thousands. */
const maxValues = 500

/** Looks up properties by name in any spelling, and by the terms of schema.org. */
export class Lookup {
  private readonly keys = new WeakMap<SchemaNode, Map<string, string>>()
  private readonly terms = new Map<string, Term | null>()

  constructor(private readonly structured: StructuredData) {}

  /** The values that a thing has for a field, the likeliest first. */
  *values(thing: Thing, name: string): Generator<Candidate> {
    const term = this.term(name)
    const types = typesOf(thing.node).map(familyOf)
    const own = [plainName(name)]
    yield* this.at(thing, own)
    for (const { type, steps } of term?.paths ?? []) {
      const isOther = type !== null && !types.includes(type)
      if (!isOther && (steps.length > 1 || steps[0] !== own[0])) yield* this.at(thing, steps)
    }
    // Names in the state of shops and applications.
    if (thing.source !== "state") return
    for (const other of term?.names ?? []) yield* this.at(thing, [plainName(other)])
  }

  /** All values at a path of bare names; a number takes one of a list. */
  *at(thing: Thing, steps: readonly string[]): Generator<Candidate> {
    let matches: { value: unknown; at: string }[] = [{ value: thing.node, at: thing.name }]
    for (const step of steps) {
      matches = /^\d+$/.test(step)
        ? matches.slice(Number(step), Number(step) + 1)
        : matches.flatMap(({ value, at }) => this.step(value, at, step)).slice(0, maxValues)
      if (matches.length === 0) return
    }
    for (const { value, at } of matches) yield { raw: value, source: thing.source, at }
  }

  private step(value: unknown, at: string, step: string): { value: unknown; at: string }[] {
    if (!isNode(value)) return []
    const key = this.keysOf(value).get(step)
    if (key === undefined) return []
    return valuesOf(this.structured, { [key]: value[key] }, key)
      .slice(0, maxValues)
      .map((one) => ({ value: one, at: `${at}.${key}` }))
  }

  private keysOf(node: SchemaNode): Map<string, string> {
    let keys = this.keys.get(node)
    if (!keys) {
      keys = new Map()
      for (const key of Object.keys(node).slice(0, maxValues)) {
        const plain = plainName(key.replace(/^schema:/, ""))
        const isEmpty = node[key] === null || node[key] === ""
        if (!keys.has(plain) && !isEmpty) keys.set(plain, key)
      }
      this.keys.set(node, keys)
    }
    return keys
  }

  term(name: string): Term | null {
    if (!this.terms.has(name)) this.terms.set(name, termOf(name))
    return this.terms.get(name)!
  }
}

/** Things as the values of another's property; a bare text or number counts as its name and amount. */
export function thingOf({ raw, source, at }: Candidate): Thing | null {
  if (isNode(raw)) return { node: raw, source, name: at }
  if (typeof raw !== "string" && typeof raw !== "number") return null
  return { node: { name: raw, value: raw, text: raw, amount: raw }, source, name: at }
}
