import type { Span, Visible } from "../shown.ts"
import { termOf } from "../terms/terms.ts"
import type { Candidate, Source } from "../things.ts"
import {
  entriesOf,
  hasUnit,
  isMeasured,
  outermost,
  type Part,
  rowsOf,
  textsOf,
} from "./recipe-entries.ts"
import { following, type Section, sectionsOf } from "./recipe-sections.ts"

export type { Part } from "./recipe-entries.ts"

const maxHolders = 200
const maxLines = 5000
/** Minimum share of lines with amounts in a part without a heading. */
const minMeasured = 0.6
/** Lines in a row that do not. */
const maxPlain = 3
const maxLine = 200
const maxRuns = 10
/** Maximum distance to which a list continues next to such lines, in characters. */
const farthest = 3000
/** Maximum gap between groups of one list, with their headings, in characters. */
const widestGap = 200
/** Headings of how it is made that are no label: `Recipe`, `How we cook it`. */
const ofMaking =
  /recipe|rezept|recette|receta|receita|ricetta|recept|przepis|\b(?:make|cook|bake)\b/i
/** Minimum length of a step after the ingredients, without a heading. */
const minStep = 40

/** Classes of the elements of a part, in recipe plugins and on sites. */
const holders: Record<Part, RegExp> = {
  ingredients: /^(?:\w*ingredients|zutaten\w*|ingredientes|ingredienti|ingredienser|skladniki)$/,
  instructions: /^(?:\w*instructions|zubereitung\w*|preparazione|preparo)$/,
}
const single: Record<Part, RegExp> = {
  ingredients: /^(?:ingredient|zutat|ingrediente)$/,
  instructions: /^(?:instruction|step)$/,
}
/** These name other things as well: `payment-method`. */
const ofRecipes = /^(?:directions|method|steps|preparation)$/
const recipe = /^(?:\w*recipes?|rezept|recette|receta|ricetta)$/

export function recipePart(name: string): Part | null {
  const term = termOf(name)?.names[0]
  return term === "ingredients" || term === "instructions" ? term : null
}

/** A list that may be a part of a recipe. */
interface Choice extends Span {
  texts: string[]
  source: Source
  at: string
}

/** The ingredients and the steps of a recipe, all groups of them. */
export class Recipe {
  private readonly known = new Map<Part, Choice[]>()
  private readonly sections: (part: Part) => Section[][]

  constructor(private readonly visible: Visible) {
    this.sections = sectionsOf(visible)
  }

  /** Returns the possible entries of a part, the likeliest first. */
  entries(part: Part): Candidate[][] {
    return this.choices(part).map(({ texts, source, at }) =>
      texts.map((raw) => ({ raw, source, at })),
    )
  }

  private choices(part: Part): Choice[] {
    const known = this.known.get(part)
    if (known) return known
    const match = part === "ingredients" ? this.ingredients() : this.steps()
    this.known.set(part, match)
    return match
  }

  /** Returns the lists with the most amounts. */
  private ingredients(): Choice[] {
    const named = this.named("ingredients")
    const best = (choices: readonly Choice[]) => {
      const max = Math.max(...choices.map(({ texts }) => measuredIn(texts)))
      return choices.find(({ texts }) => measuredIn(texts) === max)
    }
    const [ofName, ofRun] = [best(named), best(this.runs())]
    const ranked = [ofName, ofRun].flatMap((one) => (one && measuredIn(one.texts) > 1 ? one : []))
    if (ranked.length === 2 && measuredIn(ofRun!.texts) > measuredIn(ofName!.texts) * 2)
      ranked.reverse()
    const plain = named.filter(({ texts }) => texts.length > 1)
    return [...new Set([...ranked, ...plain])]
  }

  /** Returns steps by their headings, those after the ingredients first; else the content after these. */
  private steps(): Choice[] {
    const [list] = this.choices("ingredients")
    const isReported = list !== undefined && measuredIn(list.texts) > 1
    const named = this.named("instructions").filter(
      ({ texts }) => texts.length > 0 && measuredIn(texts) <= texts.length / 5,
    )
    const later = isReported ? named.filter(({ from }) => from >= list.from) : named
    const after = isReported
      ? following(this.visible, list.to).flatMap((section) =>
          this.choice([section], "instructions", "block"),
        )
      : []
    const likely = after.filter(({ texts, at }) => {
      if (at !== "" && !ofMaking.test(at)) return false
      const length = texts.join("").length
      return length >= minStep * 2 && length >= texts.length * minStep
    })
    return [...new Set([...later, ...named, ...likely.slice(0, 1)])]
  }

  private named(part: Part): Choice[] {
    const held = this.held(part).flatMap((spans) => this.choice(spans, part, "markup"))
    const single = this.singles(part).flatMap((spans) =>
      choiceOf(textsOf(this.visible, spans, part), spans, part, "markup"),
    )
    const headed = this.sections(part).flatMap((spans) => this.choice(spans, part, "heading"))
    return [...[...held, ...single].filter(({ texts }) => texts.length > 1), ...headed]
  }

  private choice(
    spans: readonly (Span & { label?: string })[],
    part: Part,
    source: Source,
  ): Choice[] {
    const texts = spans.flatMap((span) => entriesOf(this.visible, span, part))
    return choiceOf(texts, spans, part, source)
  }

  /** Elements that are named so, those close to each other together. */
  private held(part: Part): Span[][] {
    const isHolder = (words: readonly string[]) =>
      words.some((word) => holders[part].test(word)) ||
      (part === "instructions" &&
        words.some((word) => ofRecipes.test(word)) &&
        words.some((word) => recipe.test(word)))
    const named = this.visible.named.filter(({ words }) => isHolder(words))
    const whole = outermost(named)
    const outer = new Set(whole)
    const inner = outermost(named.filter((span) => !outer.has(span)))
    return [whole, inner].flatMap((spans) => groups(spans.slice(0, maxHolders)))
  }

  /** Elements of which each is named as one entry. */
  private singles(part: Part): Span[][] {
    const ones = this.visible.named.filter(({ words }) => single[part].test(words.at(-1) ?? ""))
    return groups(outermost(ones)).filter(({ length }) => length > 2)
  }

  /** Returns a span widened to the list or rows that contain its lines, and the lines next to them. */
  private widened({ from, to }: Span): Span {
    const { items } = this.visible
    const near = items.filter((item) => item.to > from - farthest && item.from < to + farthest)
    const rows = rowsOf(this.visible, { from: from - maxLine, to: to + maxLine })
    const units = outermost([...near, ...rows])
    let [start, end] = [from, to]
    for (const unit of units) if (unit.to > end && unit.from <= end + 3) end = unit.to
    for (const unit of units.reverse())
      if (unit.from < start && unit.to >= start - 3) start = unit.from
    // One that holds much more is the page's layout.
    return end - start > (to - from) * 2 + maxLine * 2 ? { from, to } : { from: start, to: end }
  }

  /** Returns consecutive lines with amounts, if no heading names them. */
  private runs(): Choice[] {
    const matches: (Span & { count: number })[] = []
    const titles = new Set(this.visible.headings.map(({ from }) => from))
    let run: (Span & { count: number }) | null = null
    let plain = 0
    let from = 0
    const close = (done: typeof run): null => {
      if (done) matches.push(done)
      return null
    }
    for (const line of this.visible.text.split("\n", maxLines)) {
      const to = from + line.length
      const text = line.trim().replace(/^[▢☐•*–-]\s*/u, "")
      if (isMeasured(text)) {
        const span: Span & { count: number } = run ?? { from, to, count: 0 }
        run = { from: span.from, to, count: span.count + 1 }
        plain = 0
      } else if (run && text !== "") {
        const isOver = text.length > maxLine || titles.has(from) || ++plain > maxPlain
        if (isOver) run = close(run)
      }
      from = to + 1
    }
    close(run)
    const longest = matches.sort((one, two) => two.count - one.count).slice(0, maxRuns)
    const choices = longest.flatMap((one) =>
      this.choice([this.widened(one)], "ingredients", "block"),
    )
    return choices.filter(({ texts }) => {
      const measured = texts.filter(isMeasured).length
      return (
        texts.length > 2 &&
        measured >= texts.length * minMeasured &&
        texts.filter(hasUnit).length * 3 >= texts.length
      )
    })
  }
}

/** Returns the number of lines with amounts, at a lower limit if other lists have none. */
function measuredIn(texts: readonly string[]): number {
  const measured = texts.filter(isMeasured).length
  return texts.length === 0 ? 0 : (measured * measured) / texts.length
}

function groups(spans: readonly Span[]): Span[][] {
  const matches: Span[][] = []
  for (const span of spans) {
    const last = matches.at(-1)
    if (last && span.from - last.at(-1)!.to <= widestGap) last.push(span)
    else matches.push([span])
  }
  return matches
}

function choiceOf(
  texts: readonly string[],
  spans: readonly (Span & { label?: string })[],
  part: Part,
  source: Source,
): Choice[] {
  if (texts.length === 0) return []
  const [{ from, label }, { to }] = [spans[0]!, spans.at(-1)!]
  return [{ texts: withoutCopies([...texts]), source, at: label ?? part, from, to }]
}

/** Maximum share of identical entries in a list: recipes use salt twice. */
const maxAlike = 0.25

/** A recipe's list without its copies, as pages have them for small screens and for print. */
export function withoutCopies<Entry>(list: Entry[]): Entry[] {
  const different = [...new Set(list)]
  return list.length - different.length > list.length * maxAlike ? different : list
}

/** Returns the name on a recipe card of a plugin. */
export function recipeName(visible: Visible): string | null {
  const card = visible.named.find(
    ({ words, outside }) =>
      !outside &&
      /^(?:name|title)$/.test(words.at(-1) ?? "") &&
      /^(?:\w*recipes?|create)$/.test(words.at(-2) ?? "") &&
      words.length > 2,
  )
  return card ? visible.line(card, 200) : null
}
