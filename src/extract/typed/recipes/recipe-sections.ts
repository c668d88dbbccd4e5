import { words } from "../../core/index.ts"
import type { Span, Visible } from "../shown.ts"
import { plainName, termOf } from "../terms/terms.ts"
import { labelsOf } from "../terms/words.ts"
import { counter, group, type Part } from "./recipe-entries.ts"

const maxLines = 5000
const maxSections = 20
const maxLabel = 80
/** Headings that are looked at for the end of one section. */
const maxPassed = 300

/** A line that heads something: marked as a heading, in bold, or by its words alone. */
interface Mark extends Span {
  level: number
  text: string
  /** The part that its words name, or the content after the parts of a recipe. */
  part: Part | "other" | null
}

export interface Section extends Span {
  label: string
}

const boldLevel = 7
const plainLevel = 8

const otherLabels = words({
  en: "nutrition(?:al)?(?: facts| information| info)?|notes?|recipe notes|tips?|comments?|reviews?|video|equipment|difficulty|related(?: recipes)?|share this|you may also like|did you make this recipe",
  de: "schwierigkeit(?:sgrad)?|nährwerte?|notizen|tipps?|kommentare|video|bewertungen",
  fr: "difficulté|notes?|conseils?|astuces?|commentaires?|valeurs nutritionnelles|ustensiles|matériel",
  es: "dificultad|notas?|consejos?|comentarios?|información nutricional|utensilios",
  it: "difficoltà|note|consigli|commenti|conservazione|valori nutrizionali",
  nl: "tips?|reacties|voedingswaarden?",
  pt: "dicas?|comentários?|informações nutricionais",
  pl: "wskazówki|komentarze|uwagi",
  sv: "tips|kommentarer|näringsvärde",
  da: "tips|kommentarer|næringsindhold",
  nb: "tips|kommentarer|næringsinnhold",
})
const other = new RegExp(`^(?:${otherLabels})$`, "i")
/** Continuations of a label: `Ingredients for 4 people`, `Zutaten (4 Portionen)`. */
const more =
  /^(?:\s*[:：([–-].*|\s+(?:for|of|für|pour|para|per|voor|till|til|do|na|de la|della|yourself)\s.*|\s+\d.*)?$/i

const labels = (part: Part) => {
  const { names } = termOf(part)!
  const all = [...names, ...labelsOf(names)].filter(
    (name) => name.length > 2 || /\P{ASCII}/u.test(name),
  )
  return [...new Set(all.map((name) => name.toLowerCase()))].sort(
    (one, two) => two.length - one.length,
  )
}
const known: [Part, string[], Set<string>][] = (["ingredients", "instructions"] as const).map(
  (part) => [part, labels(part), new Set(labels(part).map(plainName))],
)

/** Returns the part that a heading names, or a whole line if it is not a heading. */
function partOf(text: string, isHeading: boolean): Mark["part"] {
  const plain = text.replace(/\s*[:：]\s*$/, "").trim()
  const trimmed = plainName(plain)
  for (const [part, , names] of known) if (names.has(trimmed)) return part
  if (other.test(plain)) return "other"
  const lower = plain.toLowerCase()
  for (const [part, names] of known) {
    const name = names.find((one) => lower.startsWith(one))
    if (name && more.test(plain.slice(name.length))) return part
  }
  if (!isHeading) return null
  for (const [part, names] of known) {
    // `Recipe ingredients`, `Plum cake ingredients`
    if (names.some((one) => lower.endsWith(` ${one}`)) && plain.split(" ").length <= 6) return part
    const phrase = names.find((one) => one.includes(" ") && lower.includes(one))
    if (phrase && part === "instructions") return part
  }
  return null
}

function marksOf(visible: Visible): Mark[] {
  const marks = new Map<number, Mark>()
  const add = (span: Span, level: number, isHeading: boolean): void => {
    if (span.to - span.from > maxLabel * 3 || marks.has(span.from)) return
    const text = visible.line(span)
    if (text === null || text.length > maxLabel) return
    const part = partOf(text, isHeading)
    if (isHeading || part) marks.set(span.from, { ...span, level, text, part })
  }
  for (const heading of visible.headings) add(heading, heading.level, true)
  for (const line of visible.bold) add(line, boldLevel, true)
  let from = 0
  for (const line of visible.text.split("\n", maxLines)) {
    const start = from + line.length - line.trimStart().length
    const isFree = !marks.has(from) && !marks.has(start)
    if (line.trim().length > 2 && isFree)
      add({ from: start, to: from + line.length }, plainLevel, false)
    from += line.length + 1
  }
  return [...marks.values()].sort((one, two) => one.from - two.from)
}

/** Below the headings that name a part; several that name groups of it, each of its own, are one list. */
export function sectionsOf(visible: Visible): (part: Part) => Section[][] {
  const marks = marksOf(visible)
  return (part) => {
    const sections: Section[] = []
    for (const [index, mark] of marks.entries()) {
      if (mark.part !== part || sections.length === maxSections) continue
      const section = { label: mark.text, from: mark.to, to: endOf(visible, marks, index) }
      if (visible.line(section) !== null) sections.push(section)
    }
    const groups = sections.filter(({ label }) => /\s/.test(label))
    const isDivided = groups.length > 1 && new Set(groups.map(({ label }) => label)).size > 1
    return [...(isDivided ? [groups] : []), ...sections.map((one) => [one])]
  }
}

/** Up to the next heading that is none of a group or a step. */
function endOf(visible: Visible, marks: readonly Mark[], index: number): number {
  const { level, to, part } = marks[index]!
  const isEmpty = (at: number) => visible.line({ from: to, to: at }, maxLabel * 4) === null
  const end = marks.slice(index + 1, index + 1 + maxPassed).find((mark) => {
    if (mark.part !== null) return mark.part !== part || !isEmpty(mark.from)
    const isSub = group.test(mark.text) || counter.test(mark.text) || isEmpty(mark.from)
    return mark.level <= Math.min(level, boldLevel - 1) && !isSub
  })
  const frame = visible.frames.find((from) => from >= to)
  return Math.min(end?.from ?? visible.text.length, frame ?? visible.text.length)
}

/** Returns the first few parts after a position, divided by their headings. */
export function following(visible: Visible, at: number): Section[] {
  const next = visible.headings.filter(({ from }) => from >= at).slice(0, 4)
  const starts = [{ from: at, to: at }, ...next]
  return starts.slice(0, -1).map((start, index) => ({
    label: visible.line(start) ?? "",
    from: start.to,
    to: starts[index + 1]!.from,
  }))
}
