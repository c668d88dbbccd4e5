import { isNode, nodesOfType, typesOf } from "../structured/index.ts"
import { coerce } from "./coerce.ts"
import { stateLists, stateThing } from "./main-things.ts"
import type { Page } from "./page.ts"
import { type Evidence, type FieldReader, nothing, type Read, type Scope } from "./read.ts"
import { recipePart, withoutCopies } from "./recipes/recipes.ts"
import type { Field } from "./schema.ts"
import { familyOf, isGeneral, plainName, typesNamed } from "./terms/terms.ts"
import type { Candidate, Thing } from "./things.ts"
import { marksFor, View } from "./view.ts"

const maxEntries = 200
/** Entries by which a list is judged. */
const tried = 3

/** A list of things that may be the requested one. */
interface Choice {
  scopes: Scope[]
  /** Its score in addition to its entries' score. */
  bonus: number
  /** Only its entries identify it as a list: they need more fields than any link has. */
  isGuess?: boolean
}

/** Lists of values and of objects. */
export class ListReader {
  private readonly views = new WeakMap<Element, View>()

  constructor(
    private readonly page: Page,
    private readonly reader: FieldReader,
  ) {}

  /** All values of the first source that has some. */
  values(name: string, field: Field, scope: Scope): Read {
    const items = field.items!
    const { base, place } = this.page
    const isRecipe = recipePart(name) !== null
    for (const source of this.sources(name, field, scope)) {
      const value: unknown[] = []
      const evidence: [string, Evidence][] = []
      for (const { raw, source: from, at } of divided(source)) {
        const one = coerce(raw, items, { name: plainName(name), base, place })
        if (one === undefined || (!isRecipe && value.includes(one))) continue
        if (evidence.length === 0) evidence.push(["", { source: from, at }])
        value.push(one)
        if (value.length === Math.min(maxEntries, field.maximum ?? maxEntries)) break
      }
      if (value.length > 0 && value.length >= (field.minimum ?? 0))
        return { value: isRecipe ? withoutCopies(value) : value, missing: [], evidence }
    }
    return nothing
  }

  private *sources(name: string, field: Field, scope: Scope): Generator<Candidate[]> {
    if (field.selector || field.jsonLd) {
      yield [...this.reader.hinted(field, scope)]
      return
    }
    const items = field.items!
    if (items.selector || items.jsonLd) {
      yield [...this.reader.hinted({ ...items, items }, scope)]
      return
    }
    const { lookup } = this.page
    for (const thing of scope.things) {
      const byPath = Map.groupBy(lookup.values(thing, name), ({ at }) => at)
      yield* byPath.values()
    }
    const { view } = scope
    if (!view) return
    const part = scope.prefix === "" && field.labels.length === 0 ? recipePart(name) : null
    if (part) yield* view.recipe(part)
    if (scope.prefix === "") yield view.listed(marksFor(name, scope.isPage))
    yield view.entries(this.reader.labels(name, field, scope))
    if (scope.prefix === "")
      yield [...view.named(marksFor(name, scope.isPage), items, scope.isPage)]
    if (!scope.isPage) yield [...view.plain(name, this.page.place)]
    if (scope.isPage) yield [...lookup.values(this.page.about, name)]
  }

  /** Returns the list whose entries have the most requested fields. */
  objects(name: string, field: Field, scope: Scope): Read {
    const items = field.items!
    const isTelling = items.properties.some(([own]) => !isGeneral(own))
    let best: { choice: Choice; score: number } | null = null
    for (const choice of this.choices(name, field, scope)) {
      const reads = choice.scopes.slice(0, tried).map((one) => this.reader.object(items, one))
      if (choice.isGuess && isTelling && !reads.some(isSpecific)) continue
      const some = reads.map(evidenceCount)
      const share = Math.max(0, ...some) / items.properties.length
      const score = share + choice.bonus + Math.min(choice.scopes.length, 20) / 200
      const min = items.properties.length === 1 ? 0.9 : 0.35
      if (share >= min && (!best || score > best.score)) best = { choice, score }
    }
    return best ? this.entries(items, field, best.choice.scopes) : nothing
  }

  private entries(items: Field, field: Field, scopes: Scope[]): Read {
    const reads = scopes.slice(0, maxEntries).map((scope) => this.reader.object(items, scope))
    const max = Math.max(...reads.map(evidenceCount))
    const good = reads.filter((read) => evidenceCount(read) >= Math.max(1, max * 0.4))
    const stored = distinct(good).slice(0, field.maximum ?? maxEntries)
    if (stored.length === 0 || stored.length < (field.minimum ?? 0)) return nothing
    return {
      value: stored.map(({ value }) => value),
      missing: missingOf(stored),
      evidence: stored.flatMap(({ evidence }, index) =>
        evidence.map(([path, from]): [string, Evidence] => [`[${index}].${path}`, from]),
      ),
    }
  }

  private *choices(name: string, field: Field, scope: Scope): Generator<Choice> {
    const items = field.items!
    const { page } = this
    const { lookup } = page
    const own = field.selector ?? items.selector
    if (own) {
      const root = scope.view && !scope.isPage ? scope.view.root : page.document
      const elements = this.reader.found(root, own.selector, maxEntries)
      yield { scopes: elements.map((element) => this.block(element, [])), bonus: 0 }
      return
    }
    const hint = field.jsonLd ? field : items.jsonLd ? items : null
    if (hint) {
      yield this.ofValues([...this.reader.hinted({ ...hint, items }, scope)], 0)
      return
    }
    for (const thing of scope.things) yield this.ofValues([...lookup.values(thing, name)], 0.5)
    if (!scope.isPage) return
    const types = [...typesNamed(name), ...(items.title ? typesNamed(items.title) : [])]
    yield* this.structured(types)
    for (const nodes of stateLists(page.states, items)) {
      yield {
        scopes: nodes.slice(0, maxEntries).map((node) => entryScope(stateThing(node))),
        bonus: 0,
      }
    }
    const labels = new Set(this.reader.labels(name, field, scope).map(plainName))
    for (const { elements, headers, heading } of page.blocks) {
      const isNamed = heading !== null && labels.has(plainName(heading))
      const scopes = elements.slice(0, maxEntries).map((element) => this.block(element, headers))
      yield { scopes, bonus: isNamed ? 0.3 : -0.1, isGuess: !isNamed }
    }
  }

  /** Yields nodes of the types that a list's name means, and the content of their lists. */
  private *structured(types: readonly string[]): Generator<Choice> {
    const { things, structured, lookup } = this.page
    const own = things.filter(({ node }) =>
      typesOf(node).some((type) => types.includes(familyOf(type))),
    )
    if (own.length > 0) yield { scopes: own.slice(0, maxEntries).map(entryScope), bonus: 0.3 }
    for (const node of nodesOfType(structured, "ItemList").slice(0, 5)) {
      const list: Thing = { node, source: "json-ld", name: "ItemList" }
      yield this.ofValues([...lookup.at(list, ["itemlistelement"])], 0)
    }
  }

  private ofValues(values: Candidate[], bonus: number): Choice {
    const scopes = values.flatMap(({ raw, source, at }) => {
      if (!isNode(raw)) return []
      const node = isNode(raw.item) ? raw.item : raw
      return [entryScope({ node, source, name: at })]
    })
    return { scopes: scopes.slice(0, maxEntries), bonus }
  }

  private block(element: Element, headers: readonly string[]): Scope {
    const view = this.viewOf(element, headers)
    return { things: [], owner: null, view, isPage: false, prefix: "" }
  }

  /** Several fields may ask for the same entries. */
  viewOf(element: Element, headers: readonly string[] = []): View {
    const view = this.views.get(element) ?? new View(element, this.page.base, headers)
    this.views.set(element, view)
    return view
  }
}

const entryScope = (thing: Thing): Scope => ({
  things: [thing],
  owner: null,
  view: null,
  isPage: false,
  prefix: "",
})

/** A list that is written as one text, and lists within lists (sections of steps). */
function divided(source: Candidate[]): Candidate[] {
  const all = source.flatMap((one) => {
    const steps = isNode(one.raw) ? one.raw.itemListElement : undefined
    return Array.isArray(steps) ? steps.map((raw) => ({ ...one, raw })) : [one]
  })
  const [only] = all
  if (all.length !== 1 || typeof only!.raw !== "string") return all
  const lines = only!.raw.split(/\r?\n|<br\s*\/?>|<\/li>/i).filter((line) => line.trim() !== "")
  const short = only!.raw.length < 500 ? only!.raw.split(/\s*[,;]\s*/) : []
  const parts = lines.length > 1 ? lines : short.every((part) => part.length <= 60) ? short : []
  return parts.length > 1 ? parts.map((raw) => ({ ...only!, raw })) : all
}

const evidenceCount = ({ evidence }: Read) =>
  new Set(evidence.map(([path]) => path.split(/[.[]/)[0])).size

/** Returns whether an entry has more than a name and a URL. */
const isSpecific = ({ evidence }: Read) =>
  evidence.some(([path]) => !isGeneral(path.split(/[.[]/)[0]!))

function distinct(reads: Read[]): Read[] {
  const seen = new Set<string>()
  return reads.filter(({ value }) => {
    const key = JSON.stringify(value)
    if (seen.has(key)) return false
    seen.add(key)
    return true
  })
}

/** A field that all entries lack is reported once: `[].price`; else for each entry: `[3].price`. */
function missingOf(reads: Read[]): string[] {
  const counts = new Map<string, number>()
  for (const { missing } of reads) {
    for (const path of missing) counts.set(path, (counts.get(path) ?? 0) + 1)
  }
  const whole = [...counts].filter(([, count]) => count === reads.length).map(([path]) => path)
  const partly = reads.flatMap(({ missing }, index) =>
    missing.filter((path) => !whole.includes(path)).map((path) => `[${index}].${path}`),
  )
  return [...whole.map((path) => `[].${path}`), ...partly]
}
