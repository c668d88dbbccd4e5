import { dateIn } from "../core/index.ts"
import { type Locale, parsePrice } from "../price/index.ts"
import { type Labelled, Pairs } from "./pairs.ts"
import { type Part, Recipe } from "./recipes/recipes.ts"
import type { Field } from "./schema.ts"
import { type Span, Visible } from "./shown.ts"
import { isGeneral, plainName, termOf, wordsOf } from "./terms/terms.ts"
import { labelsOf } from "./terms/words.ts"
import type { Candidate } from "./things.ts"

const maxLines = 300
const maxLinks = 2000
/** Elements of one name that are looked into for a list. */
const maxListed = 20
const maxValue = 5_000
/** Prompts of forms, or punctuation only. */
const prompt = /^(?:please|enter|select|choose|type|search)\s|^[^\p{L}\p{N}]*$/iu
/** Longer texts in an element that is named like a field are more than its value. */
const maxNamed = 400

/** In characters: shorter lines are bylines and labels. */
const minLead = 60
const [minSummary, maxSummary] = [40, 600]
const ofSummaries =
  /(?:standfirst|dek|deck|subtitle|subhead(?:ing|line)?|leadtext|lede|teaser|intro|excerpt|sapo|chapo|bajada|entradilla)$/

/** Returns whether a line has a sentence, unlike the entries of a menu. */
export const isProse = (line: string) => /[.!?…]["”’]?(?:\s|$)/.test(line)

/** Minimum share of the text next to a label that its rows cover. */
const minCovered = 0.8

const isWithin = (inner: Span, outer: Span) => inner.from >= outer.from && inner.to <= outer.to

/** The visible content of a part of a page, by names of fields. */
export class View {
  private readonly known: {
    visible?: Visible
    pairs?: Pairs
    named?: Map<string, Span[]>
    recipe?: Recipe
  } = {}

  constructor(
    readonly root: Element,
    private readonly base: string,
    private readonly headers: readonly string[] = [],
  ) {}

  get visible(): Visible {
    this.known.visible ??= new Visible(this.root, this.base)
    return this.known.visible
  }

  private get pairs(): Pairs {
    this.known.pairs ??= new Pairs(this.visible, this.headers)
    return this.known.pairs
  }

  /** Yields the values next to labels that name a field. */
  *labelled(labels: readonly string[], field: Field): Generator<Candidate> {
    for (const match of this.pairs.find(labels)) {
      for (const span of match.spans) yield* this.values(span, field, match)
    }
    if (field.format === "uri") yield* this.linksAfter(labels)
  }

  /** Yields links right after a label anywhere in a line: `Fax: 12, URL: <a>`. */
  private *linksAfter(labels: readonly string[]): Generator<Candidate> {
    const { links, text } = this.visible
    const wanted = new Set(labels.map(plainName))
    for (const { value, from } of links.slice(0, maxLinks)) {
      const [, label] =
        /(?:^|[\n,;.(|])\s*([^\n,;.(|]{2,40}?)\s*[:：]\s*$/.exec(
          text.slice(Math.max(0, from - 60), from),
        ) ?? []
      if (label && wanted.has(plainName(label))) yield { raw: value, source: "label", at: label }
    }
  }

  /** Returns the entries next to a label: of a list, of lines, or of one line with commas. */
  entries(labels: readonly string[]): Candidate[] {
    for (const { spans, source, label } of this.pairs.find(labels)) {
      const [first] = spans
      const list = first ? this.listFrom(first) : []
      if (list.length > 1) return list.map((raw) => ({ raw, source, at: label }))
      const texts =
        spans.length > 1
          ? spans.flatMap((span) => this.visible.line(span) ?? [])
          : this.parts(spans[0]!)
      const entries = texts.filter((text) => text.length <= maxValue).slice(0, maxLines)
      if (entries.length > 0) return entries.map((raw) => ({ raw, source, at: label }))
    }
    return []
  }

  /** The entries of the list that begins with a part of the page, as below a label of its own. */
  private listFrom({ from, to }: Span): string[] {
    const { visible } = this
    for (const [element, span] of visible.spans) {
      if (element.localName !== "ul" && element.localName !== "ol") continue
      const isFirst = span.from <= from && span.to >= to && span.to > to
      if (isFirst && visible.text.slice(span.from, from).trim() === "") return this.itemsIn(span)
    }
    return []
  }

  /** Returns the entries of a list whose class or ID names a field, or of its container. */
  listed(names: readonly string[]): Candidate[] {
    for (const name of names) {
      for (const span of (this.byName.get(name) ?? []).slice(0, maxListed)) {
        const texts = this.itemsIn(span)
        if (texts.length > 1) return texts.map((raw) => ({ raw, source: "markup", at: name }))
      }
    }
    return []
  }

  /** Ingredients or steps, as recipes have them. */
  recipe(part: Part): Candidate[][] {
    this.known.recipe ??= new Recipe(this.visible)
    return this.known.recipe.entries(part)
  }

  private parts(span: Span): string[] {
    const { visible } = this
    const items = this.itemsIn(span)
    if (items.length > 0) return items
    const rows = this.rowsOf(span)
    if (rows.length > 0) return rows.flatMap((row) => visible.line(row) ?? [])
    const lines = visible.lines(span, maxLines)
    return lines.length === 1 ? lines[0]!.split(/\s*[,;•|]\s+/) : lines
  }

  /** The entries of lists, not those of lists within them. */
  private itemsIn(span: Span): string[] {
    const { visible } = this
    const inside = ({ from, to }: Span) => from >= span.from && to <= span.to
    const items = visible.items.filter(inside).slice(0, maxLines)
    const outer = items.filter(
      (one) =>
        !items.some(
          (other) =>
            other !== one &&
            other.from <= one.from &&
            other.to >= one.to &&
            other.to - other.from > one.to - one.from,
        ),
    )
    return outer.flatMap((item) => visible.line(item) ?? [])
  }

  /** Returns repeated pairs such as an amount and its unit; none if a row has more than two parts. */
  private rowsOf(span: Span): Span[] {
    const couples = this.visible.couples
      .map(({ label, value }) => ({ from: label.from, to: value.to }))
      .filter(({ from, to }) => from >= span.from && to <= span.to)
      .slice(0, maxLines)
    const inner = couples
      .filter((one) => !couples.some((other) => other !== one && isWithin(other, one)))
      .sort((one, other) => one.from - other.from)
    const letters = ({ from, to }: Span) =>
      this.visible.text.slice(from, to).replace(/\s+/g, "").length
    const covered = inner.reduce((sum, couple) => sum + letters(couple), 0)
    return inner.length > 1 && covered >= letters(span) * minCovered ? inner : []
  }

  private *values(span: Span, field: Field, { source, label }: Labelled): Generator<Candidate> {
    for (const raw of this.inside(span, field)) {
      if (!prompt.test(raw)) yield { raw, source, at: label }
    }
  }

  /** Yields the value of a text for a field: a URL, a time, else its words. */
  private *inside(span: Span, { kind, format, others }: Field): Generator<string> {
    const { visible } = this
    const within = (one: Span) => one.from >= span.from && one.to <= span.to + 1
    if (format === "uri") {
      for (const { value } of visible.links.filter(within)) yield value
      for (const { value } of visible.images.filter(within)) yield value
    }
    if (format?.startsWith("date"))
      for (const { value } of visible.times.filter(within)) yield value
    const isLong = kind === "string" && others.length === 0 && format === null
    const lines = visible.lines(
      { from: span.from, to: Math.min(span.to, span.from + maxValue) },
      maxLines,
    )
    if (isLong && lines.length > 0) yield lines.join(" ")
    else yield* lines.slice(0, 3)
  }

  /** Yields the text of elements whose class or ID names a field; of several only if all are alike. */
  *named(names: readonly string[], field: Field, isAlone: boolean): Generator<Candidate> {
    for (const name of names) {
      const spans = this.byName.get(name) ?? []
      const texts = new Set(spans.slice(0, 20).map((span) => this.visible.line(span, maxNamed + 1)))
      const [text] = texts
      if (!text || text.length > maxNamed || (isAlone && texts.size > 1)) continue
      for (const raw of this.inside(spans[0]!, field)) yield { raw, source: "markup", at: name }
    }
  }

  private get byName(): Map<string, Span[]> {
    if (this.known.named) return this.known.named
    const named = new Map<string, Span[]>()
    for (const { words, outside, from, to } of this.visible.named) {
      if (outside) continue
      for (let count = 1; count <= Math.min(3, words.length); count++) {
        const key = words.slice(-count).join("")
        const known = named.get(key)
        if (known) known.push({ from, to })
        else named.set(key, [{ from, to }])
      }
    }
    this.known.named = named
    return named
  }

  /** The summary below the page's heading, by its class, or else the first paragraph. */
  *lead(): Generator<Candidate> {
    const { visible } = this
    const [top] = visible.headings.filter(({ level }) => level === 1)
    if (!top) return
    const end = visible.frames.find((from) => from > top.to) ?? visible.text.length
    const summary = visible.named.find(
      ({ from, to, words, outside }) =>
        !outside &&
        from >= top.to &&
        from < Math.min(end, top.to + maxValue) &&
        to - from >= minSummary &&
        to - from <= maxSummary &&
        ofSummaries.test(words.join("")),
    )
    if (summary) yield { raw: visible.line(summary), source: "block", at: "summary" }
    const lines = visible.lines({ from: top.to, to: Math.min(end, top.to + maxValue) }, maxLines)
    const paragraph = lines.find((line) => line.length >= minLead && isProse(line))
    if (paragraph) yield { raw: paragraph, source: "block", at: "first paragraph" }
  }

  /** Yields unlabelled values of a list's entry: its heading, link, image, an amount, a day. */
  *plain(name: string, place: Locale): Generator<Candidate> {
    const { visible } = this
    const [heading] = visible.headings
    const lines = () => visible.lines({ from: 0, to: visible.text.length }, maxLines)
    const provided = (raw: unknown, at: string): Candidate => ({ raw, source: "block", at })
    switch (termOf(name)?.names[0]) {
      case "name":
      case "title":
      case "job title": {
        const title = heading ?? visible.links.find((link) => (visible.line(link)?.length ?? 0) > 2)
        if (title) yield provided(visible.line(title), heading ? "heading" : "link")
        else if (lines()[0]) yield provided(lines()[0], "first line")
        return
      }
      case "url":
      case "website": {
        const own =
          heading && visible.links.find(({ from, to }) => from <= heading.to && to >= heading.from)
        const link = own ?? visible.links[0]
        if (link) yield provided(link.value, "link")
        return
      }
      case "image":
      case "logo":
        for (const { value } of visible.images.slice(0, 1)) yield provided(value, "picture")
        return
      case "description": {
        const [longest] = lines().sort((one, other) => other.length - one.length)
        if (longest && longest.length > 40) yield provided(longest, "text")
        return
      }
      case "price":
      case "currency":
        for (const line of lines()) {
          const price = line.length <= 80 ? parsePrice(line, place) : null
          if (price?.sign && !price.isOld) yield provided(line, "amount")
        }
        return
      case "date":
      case "start date":
      case "date published":
      case "date posted":
        for (const { value } of visible.times) yield provided(value, "time")
        for (const line of lines()) if (dateIn(line)) yield provided(line, "date")
        return
      default:
    }
  }
}

/** An amount is written with its currency. */
const amountLabels = ["price", "salary"].flatMap((name) =>
  labelsOf(termOf(name)!.names).concat(termOf(name)!.names),
)

/** Returns the labels of a field on pages, the caller's own words first. */
export function labelsFor(name: string, field: Field, prefix = ""): string[] {
  const names = termOf(name)?.names ?? []
  const own = [
    wordsOf(name),
    ...(field.title ? [field.title] : []),
    ...names,
    ...labelsOf([name, ...names]),
  ]
  if (/currency/i.test(name)) own.push(...amountLabels)
  const called = prefix === "" ? own : own.map((label) => `${prefix} ${label}`)
  return [...new Set([...field.labels, ...called])]
}

/** Names that mean a name if they are the only word before it: `company-name`. */
const whose = new Set(["company", "employer", "organizer", "organiser", "venue", "author", "brand"])

/** Returns the classes and IDs of a field. General names identify nothing on a whole page. */
export function marksFor(name: string, isPage: boolean): string[] {
  if (isPage && isGeneral(name)) return []
  const names = [name, ...(termOf(name)?.names ?? [])].map(plainName)
  return [
    ...new Set([...names, ...names.filter((one) => whose.has(one)).map((one) => `${one}name`)]),
  ]
}
