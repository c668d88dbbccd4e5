import type { Shown, Span } from "./shown.ts"
import { bareName, termOf } from "./terms.ts"
import type { Candidate, Source } from "./things.ts"
import { labelsOf } from "./words.ts"

const mostEntries = 300
const mostHolders = 50
const mostSections = 20
/** Longer lines are prose around the ingredients. */
const longestIngredient = 250
const longestCounter = 40
/** Of a section, what its lists make up where they are its entries. */
const leastListed = 0.5

export type Part = "ingredients" | "instructions"

/** Classes of what holds a part, as recipe plugins and sites name them. */
const holders: Record<Part, ReadonlySet<string>> = {
  ingredients: new Set("ingredients zutaten ingredientes ingredienti".split(" ")),
  instructions: new Set("instructions zubereitung".split(" ")),
}
/** These name other things as well: `payment-method`. */
const ofRecipes = /^(?:directions|method|steps|preparation)$/
const recipe = /^(?:\w*recipes?|rezept|recette|receta|ricetta)$/

/** Headings of groups within a part: `For the dough`, `Sauce:`. */
const group = /^(?:for|für|pour|para|per|voor|zum|zur)\s.{1,60}$|^.{1,60}[:：]$/i
const numbered = String.raw`(?:step|schritt|étape|etape|paso|passo|passaggio|stap|krok)\s*\d{1,2}`
const counter = new RegExp(String.raw`^(?:${numbered}|\d{1,2})\s*[.:)]?$`, "i")
const leadingCounter = new RegExp(String.raw`^(?:${numbered}\s*[.:)–-]?\s+|\d{1,2}[.)]\s+)`, "i")
/** Boxes to tick and bullets that are written out. */
const box = /^[▢☐□☑✓✔•·●◦*–-]\s*/u

export function recipePart(name: string): Part | null {
  const term = termOf(name)?.names[0]
  return term === "ingredients" || term === "instructions" ? term : null
}

/** The ingredients or the steps of a recipe, all groups of them: by their class, then below a heading. */
export function recipeEntries(shown: Shown, part: Part): Candidate[][] {
  const items = [...shown.items].sort((one, other) => one.from - other.from || other.to - one.to)
  const given = (texts: string[], source: Source, at: string) =>
    texts.map((raw) => ({ raw, source, at }))
  const byClass = [
    ...new Set(
      holdersOf(shown, part).flatMap((span) => entriesOf(shown, within(items, span), part)),
    ),
  ]
  const found = byClass.length > 1 ? [given(byClass, "markup", part)] : []
  for (const { label, span } of sections(shown, part)) {
    const inside = within(items, span)
    const isList = lengthOf(inside) >= (span.to - span.from) * leastListed
    // Ingredients are in lists, or in rows that are read elsewhere.
    const entries = isList || part === "ingredients" ? inside : linesOf(shown, span)
    found.push(given(entriesOf(shown, entries, part), "heading", label))
  }
  return found.filter(({ length }) => length > 0)
}

/** The outermost elements that are named so. */
function holdersOf(shown: Shown, part: Part): Span[] {
  const isHolder = (words: readonly string[]) =>
    words.some((word) => holders[part].has(word)) ||
    (part === "instructions" &&
      words.some((word) => ofRecipes.test(word)) &&
      words.some((word) => recipe.test(word)))
  const named = shown.named
    .filter(({ words, outside }) => !outside && isHolder(words))
    .sort((one, other) => one.from - other.from || other.to - one.to)
  return outermost(named).slice(0, mostHolders)
}

function* sections(shown: Shown, part: Part): Generator<{ label: string; span: Span }> {
  const names = termOf(part)!.names
  const wanted = new Set([...names, ...labelsOf(names)].map(bareName))
  let count = 0
  for (const [index, heading] of shown.headings.entries()) {
    const label = shown.line(heading, 100)?.replace(/[:：]$/, "")
    if (!label || !wanted.has(bareName(label.replace(/\([^()]*\)/g, " ")))) continue
    yield { label, span: { from: heading.to, to: sectionEnd(shown, index) } }
    if (++count === mostSections) return
  }
}

/** Up to the next heading that is none of a group or a step. */
function sectionEnd(shown: Shown, index: number): number {
  const { headings, frames, text } = shown
  const { level, to } = headings[index]!
  const next = headings.slice(index + 1, index + 1 + mostEntries).find((heading) => {
    const label = shown.line(heading, 100) ?? ""
    return heading.level <= level && !group.test(label) && !counter.test(label)
  })
  const frame = frames.find((from) => from >= to)
  return Math.min(next?.from ?? text.length, frame ?? text.length)
}

const within = (items: readonly Span[], { from, to }: Span) =>
  outermost(items.filter((item) => item.from >= from && item.to <= to)).slice(0, mostEntries)

/** Of spans by where they begin, those that are in no other. */
function outermost(spans: readonly Span[]): Span[] {
  let end = -1
  return spans.filter(({ from, to }) => {
    if (from < end || to <= from) return false
    end = to
    return true
  })
}

const lengthOf = (spans: readonly Span[]) => spans.reduce((sum, { from, to }) => sum + to - from, 0)

/** The lines of a section without its headings, marked or in bold. */
function linesOf({ text, headings, bold }: Shown, span: Span): Span[] {
  const titles = new Set([...headings, ...bold].map(({ from }) => from))
  const lines: Span[] = []
  let from = span.from
  for (const line of text.slice(span.from, span.to).split("\n", mostEntries * 4)) {
    if (line.trim() !== "" && !titles.has(from)) lines.push({ from, to: from + line.length })
    from += line.length + 1
  }
  return lines.slice(0, mostEntries)
}

function entriesOf(shown: Shown, spans: readonly Span[], part: Part): string[] {
  // What stands above the first of counted steps is none: how long it takes, how hard it is.
  const isCounted = ({ from, to }: Span) =>
    to - from < longestCounter && counter.test(shown.text.slice(from, to).trim())
  const first = part === "instructions" ? spans.findIndex(isCounted) : -1
  return spans.slice(Math.max(0, first)).flatMap((span) => {
    const plain = shown.line(span)?.replace(box, "")
    if (!plain || counter.test(plain)) return []
    if (part === "ingredients") return plain.length <= longestIngredient ? [plain] : []
    return group.test(plain) ? [] : [plain.replace(leadingCounter, "")]
  })
}

/** What a recipe's own card calls it, where plugins make one. */
export function recipeName(shown: Shown): string | null {
  const card = shown.named.find(
    ({ words, outside }) =>
      !outside &&
      /^(?:name|title)$/.test(words.at(-1) ?? "") &&
      /^(?:\w*recipes?|create)$/.test(words.at(-2) ?? "") &&
      words.length > 2,
  )
  return card ? shown.line(card, 200) : null
}
