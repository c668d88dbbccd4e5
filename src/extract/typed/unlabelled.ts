import { dateIn } from "../core/index.ts"
import { forHowMany } from "./recipes/recipe-entries.ts"
import type { Field } from "./schema.ts"
import type { Span, Visible } from "./shown.ts"
import { termOf } from "./terms/terms.ts"
import type { Candidate } from "./things.ts"

const longest = 120
const maxChip = 60
const maxLooked = 2000

const employment =
  /^(?:(?:permanent|temporary|regular)[,\s]+)?(?:full[- ]?time|part[- ]?time|permanent|temporary|fixed[- ]term|contract(?:or)?|freelance|internship|apprenticeship|working student|vollzeit|teilzeit|festanstellung|werkstudent|praktikum|temps plein|temps partiel|cdi|cdd|stage|jornada completa|tiempo completo|media jornada|tempo pieno|part[- ]?time|voltijd|deeltijd)\b/i
const amount = /(?:[$€£¥]|\b(?:USD|EUR|GBP|CHF)\b)\s?\d|\d\s?(?:[$€£¥k]|\b(?:USD|EUR|GBP|CHF)\b)/i
const period =
  /(?:\b(?:per|an?|pro|im|par|al|à l[’'])\s|\/\s?)(?:annum|year|yr|month|mo|week|hour|hr|day|jahr|monat|stunde|an|mois|heure|año|mes|hora|anno|mese)\b|\b(?:yearly|monthly|hourly|annually)\b/i
/** Names of inputs for servings: `wprm-recipe-servings`, `recipe-yield`. */
const ofServings = /^(?:servings?|yield|portion\w*|person\w*|porc\w*|porz\w*|racion\w*)$/
/** After the heading of the ingredients: `Zutaten für 4 Personen`, `Ingredients (serves 4)`. */
const behind =
  /(?:^|[\s(])((?:serves|makes|for|für|pour|para|per|voor|till|til)\s(?:about |ca\.? )?\d{1,3}(?:\s?[-–]\s?\d{1,3})?(?:\s\p{L}+){0,3})\)?\s*[:：]?$/iu
/** For how many: `Serves 4`, `4 Portionen`, `Für 4 Personen`. */
const servings =
  /^(?:(?:serves|makes|yields|feeds|für|ergibt|pour|para|per|voor)\s+(?:about |ca\.? )?\d{1,3}(?:\s?(?:-|–|to|bis|à|a)\s?\d{1,3})?(?:\s\p{L}+){0,3}|\d{1,3}(?:\s?(?:-|–|to|bis|à|a)\s?\d{1,3})?\s(?:servings?|portions?|people|persons?|portionen|personen|stück|personnes|parts|raciones|personas|porciones|porzioni|persone|porties|porcji))$/iu
/** Words at days of the page rather than of its subject. */
const ofPage =
  /publish|posted|updated|modified|changed|veröffentlicht|aktualisiert|publié|publicado|©/i

const ofEvents = new Set([
  "start date",
  "end date",
  "venue",
  "organizer",
  "performers",
  "event status",
  "tickets url",
])

/** Returns whether a schema is of an event, by the types that it names, else by two of its fields. */
export function isOfEvent(field: Field, types: readonly string[]): boolean {
  if (types.length > 0) return types.includes("Event")
  const terms = new Set(field.properties.map(([name]) => termOf(name)?.names[0] ?? ""))
  return [...ofEvents].filter((name) => terms.has(name)).length > 1
}

/** Yields unlabelled values of a page about a job or an event that have an unmistakable form. */
export function* unlabelled(
  name: string,
  visible: Visible,
  isEvent: boolean,
): Generator<Candidate> {
  const provided = (raw: string, at: string): Candidate => ({ raw, source: "block", at })
  switch (termOf(name)?.names[0]) {
    case "employment type":
      for (const text of chips(visible)) if (employment.test(text)) yield provided(text, "text")
      return
    case "servings":
      for (const { value, words } of visible.adjustable)
        if (words.some((word) => ofServings.test(word))) yield provided(value, "input")
      for (const text of chips(visible))
        if (servings.test(text)) yield provided(text, "text")
        else if (forHowMany.test(text)) yield provided(behind.exec(text)?.[1] ?? text, "text")
      for (const heading of visible.headings.slice(0, maxLooked)) {
        const [, reported] = behind.exec(visible.line(heading, longest) ?? "") ?? []
        if (reported) yield provided(reported, "heading")
      }
      return
    case "salary":
      for (const text of chips(visible))
        if (amount.test(text) && period.test(text)) yield provided(text, "amount")
      return
    case "start date":
      if (isEvent) yield* days(visible, provided)
      return
    default:
  }
}

/** Short texts: lines, and pieces of lines that elements of their own hold. */
function* chips(visible: Visible): Generator<string> {
  const pieces: Span[] = visible.named.filter(({ outside }) => !outside).slice(0, maxLooked)
  for (const piece of [...pieces, ...linesOf(visible)]) {
    if (piece.to - piece.from > maxChip * 2) continue
    const text = visible.line(piece)
    if (text !== null && text.length <= maxChip) yield text
  }
}

/** The first day below the heading, by a time element or a short line. */
function* days(
  visible: Visible,
  provided: (raw: string, at: string) => Candidate,
): Generator<Candidate> {
  const top = visible.headings.find(({ level }) => level === 1)?.from ?? 0
  const times = visible.times.slice(0, maxLooked)
  const end = visible.frames.find((from) => from > top) ?? visible.text.length
  for (const line of linesOf(visible)) {
    if (line.from < top || line.from >= end || line.to - line.from > longest * 2) continue
    const text = visible.line(line)
    if (text === null || text.length > longest || ofPage.test(text)) continue
    const time = times.find(({ from, to }) => from >= line.from && to <= line.to)
    if (time) yield provided(time.value, "time")
    else if (dateIn(text)) yield provided(text, "date")
  }
}

function* linesOf({ text }: Visible): Generator<Span> {
  let from = 0
  for (let count = 0; from < text.length && count < maxLooked; count++) {
    const end = text.indexOf("\n", from)
    const to = end < 0 ? text.length : end
    if (to > from) yield { from, to }
    from = to + 1
  }
}
