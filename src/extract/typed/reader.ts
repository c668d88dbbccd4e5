import { SelectorError } from "../core/index.ts"
import { attributeOf, FieldError } from "../page/index.ts"
import { typesOf } from "../structured/index.ts"
import { coerce } from "./coerce.ts"
import { ListReader } from "./lists.ts"
import { mainThings, stateThings } from "./main-things.ts"
import { authorLinks, bylines } from "./near-heading.ts"
import { isOfOrganisation } from "./organisation.ts"
import type { Page } from "./page.ts"
import { picturesOf } from "./pictures.ts"
import { ratings } from "./ratings.ts"
import { reachedBy } from "./reached.ts"
import { type FieldReader, joined, nothing, type Read, type Scope } from "./read.ts"
import { recipePart } from "./recipes/recipes.ts"
import type { Field } from "./schema.ts"
import { familyOf, isGeneral, plainName, termOf, typesNamed, wordsOf } from "./terms/terms.ts"
import { type Candidate, type Source, type Thing, thingOf } from "./things.ts"
import { isOfEvent, unlabelled } from "./unlabelled.ts"
import { isProse, labelsFor, marksFor } from "./view.ts"

/** Fields that are read of one page, those of all entries together. */
const maxReads = 20_000
const maxMatches = 200
/** Maximum number of a schema's objects for which all of the page's things are searched. */
const maxSubjects = 20

const visibleSources = new Set<Source>(["label", "markup", "metadata", "table", "block"])

/** Reads the fields of a schema from all data of a page. */
/** URLs of images, unlike those of menus and galleries. */
const imageFile = /\.(?:avif|gif|jpe?g|png|svg|webp)(?:[?#]|$)/i

export class Reader implements FieldReader {
  private reads = 0
  private subjects = 0
  private readonly lists: ListReader

  constructor(private readonly page: Page) {
    this.lists = new ListReader(page, this)
  }

  root(field: Field): Read {
    return this.object(field, this.pageScope(field, field.title ? typesNamed(field.title) : []))
  }

  /** Returns the subject of the page, as far as an object requests it. */
  private pageScope(field: Field, types: readonly string[]): Scope {
    const { page } = this
    const { structured, lookup, heading } = page
    const wanted = { field, types }
    const main = mainThings(page.things, wanted, structured, lookup, heading)
    const product = isOfProducts(field, types) ? page.product : null
    const isLacking = field.properties.some(([name]) =>
      main.every((thing) => lookup.values(thing, name).next().done),
    )
    const states = isLacking ? stateThings(page.states, field, heading) : []
    // The price of an event comes from its own data, not from the product reader.
    const isOther = main.some(
      ({ node }) => typesOf(node).length > 0 && !typesOf(node).map(familyOf).includes("Product"),
    )
    const sold = product ? [product] : []
    const things = [...(isOther ? [...main, ...sold] : [...sold, ...main]), ...states]
    const fallbacks = [
      ...(isOfOrganisation(field, types) ? [page.organisation] : []),
      ...(types.includes("Person") ? page.writer : []),
      ...(isOfRecipe(field, types) ? page.recipe : []),
      isOfOrganisation(field, types) ? page.aboutOrganisation : page.about,
    ]
    return {
      things,
      owner: null,
      view: page.view,
      isPage: true,
      fallbacks,
      isOfEvent: isOfEvent(field, types),
      isOfOrganisation: isOfOrganisation(field, types),
      prefix: "",
    }
  }

  object(field: Field, scope: Scope): Read {
    const value: Record<string, unknown> = {}
    const missing: string[] = []
    const evidence: Read["evidence"] = []
    for (const [name, child] of field.properties) {
      const read = this.field(name, child, scope)
      if (read.value !== undefined) value[name] = read.value
      else if (child.nullable) value[name] = null
      for (const path of read.missing) missing.push(joined(name, path))
      for (const [path, from] of read.evidence) evidence.push([joined(name, path), from])
    }
    return evidence.length === 0 ? nothing : { value, missing, evidence }
  }

  field(name: string, field: Field, scope: Scope): Read {
    if (++this.reads > maxReads) return nothing
    switch (field.kind) {
      case "object":
        return this.nested(name, field, scope)
      case "array":
        return field.items?.kind === "object"
          ? this.lists.objects(name, field, scope)
          : this.lists.values(name, field, scope)
      default:
        return this.first(name, field, this.candidates(name, field, scope))
    }
  }

  private first(name: string, field: Field, candidates: Iterable<Candidate>): Read {
    const { base, place } = this.page
    for (const { raw, source, at } of candidates) {
      const isVisible = visibleSources.has(source)
      const value = coerce(raw, field, { name: plainName(name), base, place, isVisible })
      if (value !== undefined) return { value, missing: [], evidence: [["", { source, at }]] }
    }
    return nothing
  }

  /** Yields from the schema's hints only if it has some, else from each source in turn. */
  *candidates(name: string, field: Field, scope: Scope): Generator<Candidate> {
    const { page } = this
    if (field.selector || field.jsonLd) {
      yield* this.hinted(field, scope)
      return
    }
    const [first] = scope.things
    if (first?.source === "product" && settled.has(plainName(name))) {
      yield* page.lookup.values(first, name)
      return
    }
    for (const thing of scope.things) yield* page.lookup.values(thing, name)
    if (scope.owner && isPart(scope.owner.property, name)) {
      for (const thing of scope.owner.things) yield* page.lookup.values(thing, name)
    }
    const term = termOf(name)?.names[0]
    const isDescription = term === "description"
    const isImage = term === "image"
    if (scope.view) {
      for (const candidate of scope.view.labelled(this.labels(name, field, scope), field)) {
        const written = String(candidate.raw)
        // On a page, "About" and "Photos" are often entries of a menu.
        const isMenu =
          scope.isPage &&
          ((isDescription && !isProse(written)) || (isImage && !imageFile.test(written)))
        if (!isMenu) yield candidate
      }
      if (scope.isOfOrganisation && termOf(name)?.names[0] === "url") {
        yield* scope.view.labelled(labelsFor("website", field), field)
      }
      if (scope.isPage) yield* authorLinks(name, page.view.visible)
      if (scope.prefix === "") {
        yield* scope.view.named(marksFor(name, scope.isPage), field, scope.isPage)
      }
      if (!scope.isPage) yield* scope.view.plain(name, page.place)
    }
    if (!scope.isPage) return
    yield* unlabelled(name, page.view.visible, scope.isOfEvent ?? false)
    for (const thing of scope.fallbacks ?? []) yield* page.lookup.values(thing, name)
    yield* bylines(name, page.view.visible)
    yield* reachedBy(name, page.document)
    yield* ratings(name, page.document)
    if (isImage) yield* picturesOf(page.view.visible, page.base)
    if (isDescription) yield* page.view.lead()
  }

  /** Within an object, a label has the object's name before its own, unless it can be nothing else. */
  labels(name: string, field: Field, { prefix, owner }: Scope): string[] {
    if (prefix === "") return labelsFor(name, field)
    const own = owner && isPart(owner.property, name) && !isGeneral(name)
    return [...labelsFor(name, field, prefix), ...(own ? labelsFor(name, field) : [])]
  }

  /** @throws FieldError naming the selector that takes too long */
  *hinted({ selector, jsonLd, items }: Field, scope: Scope): Generator<Candidate> {
    const { page } = this
    if (selector) {
      const max = items ? maxMatches : 1
      const root = scope.view && !scope.isPage ? scope.view.root : page.document
      for (const element of this.found(root, selector.selector, max)) {
        const raw = attributeOf(element, selector, page.base)
        if (raw !== null) yield { raw, source: "selector", at: selector.selector }
      }
    }
    if (jsonLd) {
      const [first, ...rest] = jsonLd.map(plainName)
      const typed = page.things.filter(({ name }) => plainName(name) === first)
      for (const thing of scope.isPage ? [] : scope.things)
        yield* page.lookup.at(thing, jsonLd.map(plainName))
      for (const thing of typed) yield* page.lookup.at(thing, rest)
      if (typed.length > 0 || !scope.isPage) return
      for (const thing of [...scope.things, ...page.things]) {
        yield* page.lookup.at(thing, jsonLd.map(plainName))
      }
    }
  }

  found(root: Document | Element, selector: string, max: number): Element[] {
    if (selector === "")
      return [root.nodeType === 9 ? (root as Document).documentElement : (root as Element)]
    try {
      return this.page.finder.find(root, selector, max)
    } catch (error) {
      if (error instanceof SelectorError) throw new FieldError(`x-selector: ${error.message}`)
      throw error
    }
  }

  private nested(name: string, field: Field, scope: Scope): Read {
    const things = this.parts(name, field, scope)
    const types = [...typesNamed(name), ...(field.title ? typesNamed(field.title) : [])]
    if (things.length === 0 && scope.isPage && this.subjects++ < maxSubjects) {
      const about = this.pageScope(field, types)
      const isAbout = about.things.length > 0 || this.isWrapper(name)
      if (isAbout) return this.object(field, about)
    }
    const isDomain = field.selector !== null
    const [element] = isDomain ? this.found(this.page.document, field.selector!.selector, 1) : []
    return this.object(field, {
      things,
      owner: { things: scope.things, property: name },
      view: element ? this.lists.viewOf(element) : scope.view && scope.isPage ? scope.view : null,
      isPage: false,
      prefix: element ? "" : wordsOf(name),
    })
  }

  private wrappers: ReadonlySet<string> = new Set()
  /** Marks objects that only wrap the page's subject. */
  wrapping(field: Field): void {
    const inner = field.properties.filter(([, { kind }]) => kind === "object")
    if (inner.length === 1 && field.properties.length === 1) this.wrappers = new Set([inner[0]![0]])
  }

  private isWrapper(name: string): boolean {
    return this.wrappers.has(name)
  }

  /** Returns the things of a property; also a bare name or amount if it has no object. */
  private parts(name: string, field: Field, scope: Scope): Thing[] {
    const result = field.jsonLd
      ? [...this.hinted(field, scope)]
      : scope.things.flatMap((thing) => [...this.page.lookup.values(thing, name)])
    const labelled =
      scope.view && scope.isPage
        ? [...scope.view.labelled(this.labels(name, field, scope), { ...field, kind: "string" })]
        : []
    const things = [...result, ...labelled]
      .slice(0, maxMatches)
      .flatMap((one) => thingOf(one) ?? [])
    const whole = things.filter(
      ({ node }) => node["@type"] !== undefined || Object.keys(node).length > 4,
    )
    return [...whole, ...things.filter((thing) => !whole.includes(thing))].slice(0, 8)
  }
}

/** Returns whether the value of one name contains the other's: `address` the city, `price` its currency. */
function isPart(property: string, name: string): boolean {
  const heads = (one: string) =>
    (termOf(one)?.paths ?? []).flatMap(({ steps }) => (steps.length > 1 ? [steps[0]!] : []))
  const own = new Set([plainName(property), ...heads(property)])
  return heads(name).some((head) => own.has(head))
}

const productNames = new Set(
  "price currency sku brand availability instock gtin ean mpn listprice pricecurrency condition model".split(
    " ",
  ),
)

const isOfRecipe = (field: Field, types: readonly string[]) =>
  types.length > 0 ? types.includes("Recipe") : field.properties.some(([name]) => recipePart(name))

/** Fields for which other readers would return values that the product reader rejected. */
const settled = new Set(
  ["price", "currency", "brand", "gtin", "mpn"]
    .flatMap((name) => termOf(name)!.names.map(plainName))
    .filter((name) => !name.startsWith("model")),
)

/** Returns whether a schema requests facts of products. */
function isOfProducts(field: Field, types: readonly string[]): boolean {
  if (types.includes("Product")) return true
  if (types.length > 0) return false
  const trimmed = field.properties.map(([name]) => plainName(name))
  return trimmed.filter((name) => productNames.has(name)).length > 0
}
