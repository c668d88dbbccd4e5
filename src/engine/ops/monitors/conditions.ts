import { type Condition, conditionKinds, type Watch } from "../../../catalogue/kit/index.ts"
import { at, type Item, linesWith, type Reading, sideOf, textAt, type Value } from "./readings.ts"

/** A condition that became true. */
export interface Fired {
  condition: Condition["when"]
  before: Value
  after: Value
  sentence: string
}

/** A watched entry, now and at the previous check. */
export interface Compared {
  item: Item
  watch: Watch
  now: Reading
  /** Null at the first check. */
  before: Pick<Reading, "sides" | "unit"> | null
}

/** The result of one condition: whether it holds now, and the change to announce. */
interface Verdict {
  holds: boolean
  sentence?: string | undefined
}

/**
 * Returns the conditions that are true, and those that became true: the first one per watched
 * value.
 */
export function evaluate(
  compared: Compared,
  conditions: readonly Condition[],
): { holding: Condition["when"][]; fired: Fired[] } {
  const holding: Condition["when"][] = []
  const fired = new Map<string, Fired>()
  for (const condition of conditions) {
    const side = sideOf(condition)
    const after = compared.now.sides[side] ?? null
    const before = compared.before?.sides[side] ?? null
    const { holds, sentence } = evaluations[condition.when]({
      ...compared,
      condition,
      after,
      prior: before,
    })
    if (holds) holding.push(condition.when)
    const { about } = conditionKinds[condition.when]
    const isReported = [...fired.values()].some((one) => one.sentence === sentence)
    if (sentence && !isReported && !fired.has(about)) {
      fired.set(about, { condition: condition.when, before, after, sentence })
    }
  }
  return { holding, fired: [...fired.values()] }
}

interface Question extends Compared {
  condition: Condition
  after: Value
  prior: Value
}

type Evaluation = (question: Question) => Verdict
const not: Verdict = { holds: false }

const limit =
  (isMet: (value: number, limit: number) => boolean, word: string): Evaluation =>
  (requested) => {
    const { after, prior, condition, now } = requested
    const line = condition.value!
    if (typeof after !== "number" || !isMet(after, line)) return not
    // Amounts in different currencies are not compared.
    const comparable = requested.before?.unit === now.unit
    if (typeof prior === "number" && comparable && isMet(prior, line)) return { holds: true }
    return { holds: true, sentence: `${moved(requested)}, ${word} ${amount(line, now.unit)}.` }
  }

const share =
  (sign: 1 | -1): Evaluation =>
  (requested) => {
    const { after, prior, condition, now } = requested
    if (typeof after !== "number" || typeof prior !== "number" || prior === 0) return not
    if (requested.before?.unit !== now.unit) return not
    const holds = (sign * (after - prior) * 100) / Math.abs(prior) >= condition.percent! - 1e-9
    return holds ? { holds, sentence: `${moved(requested)}.` } : not
  }

const stock =
  (wanted: boolean): Evaluation =>
  ({ item, watch, now, after, prior }) => {
    if (after !== wanted) return not
    if (prior !== !wanted) return { holds: true }
    const price = watch.value ? at(item, watch.value) : undefined
    const cost = wanted && typeof price === "number" ? ` at ${amount(price, now.unit)}` : ""
    return {
      holds: true,
      sentence: `${now.name} is ${wanted ? "back in" : "out of"} stock${cost}.`,
    }
  }

const text =
  (wanted: boolean): Evaluation =>
  ({ item, watch, now, before, condition, after, prior }) => {
    const own = condition.field === undefined
    if (own && !watch.text && watch.lines && condition.text !== undefined) {
      const came = linesWith(item, watch.lines.added, condition.text)
      const went = linesWith(item, watch.lines.removed, condition.text)
      const holds = wanted ? came.length > went.length : came.length < went.length
      if (!holds || before === null) return { holds }
      return {
        holds,
        sentence: textSentence(wanted, condition.text, now.name, came[0] ?? went[0]!),
      }
    }
    if (after !== wanted) return not
    if (prior !== !wanted) return { holds: true }
    const expected = (own && watch.text && textAt(item, watch.text.expected)) || condition.text
    return { holds: true, sentence: textSentence(wanted, expected ?? condition.field!, now.name) }
  }

function textSentence(came: boolean, expected: string, name: string, line?: string): string {
  const more = line === undefined ? "" : `: ${clip(line)}`
  return came
    ? `"${expected}" appeared on ${name}${more}`
    : `"${expected}" disappeared from ${name}${more}`
}

const changed: Evaluation = (requested) => {
  const { item, watch, now, before, condition, after, prior } = requested
  if (before === null || after === prior || prior === null || after === null) return not
  const value = condition.field ?? (watch.mark ? undefined : watch.value)
  if (watch.lines && condition.field === undefined) {
    return { holds: true, sentence: linesSentence(item, watch.lines, now.name) }
  }
  if (value === undefined) return { holds: true, sentence: `${now.name} changed.` }
  if (typeof after === "number" && typeof prior === "number") {
    return { holds: true, sentence: `${moved(requested)}.` }
  }
  const visible = (one: Value) => (String(one).startsWith("#") ? "another text" : clip(String(one)))
  const from = String(prior).startsWith("#") ? "" : ` from ${visible(prior)}`
  return { holds: true, sentence: `${value} of ${now.name} changed${from} to ${visible(after)}.` }
}

function linesSentence(
  item: Item,
  { added, removed }: NonNullable<Watch["lines"]>,
  name: string,
): string {
  const lines = (field: string) => {
    const value = at(item, field)
    return Array.isArray(value) ? value.filter((line) => typeof line === "string") : []
  }
  const [came, went] = [lines(added), lines(removed)]
  const counts = [
    came.length > 0 && `${came.length} ${came.length === 1 ? "line" : "lines"} added`,
    went.length > 0 && `${went.length} removed`,
  ].filter(Boolean)
  const visible = [
    ...went.slice(0, 1).map((line) => `\n- ${clip(line)}`),
    ...came.slice(0, 1).map((line) => `\n+ ${clip(line)}`),
  ]
  return `${name} changed${counts.length > 0 ? `: ${counts.join(", ")}` : ""}.${visible.join("")}`
}

const status: Evaluation = ({ item, watch, now, after, prior }) => {
  if (prior === null || after === null || after === prior) return not
  const detail = watch.detail ? textAt(item, watch.detail) : null
  const why = detail === null ? "." : `: ${clip(detail)}`
  return { holds: true, sentence: `${now.name} is ${after}, was ${prior}${why}` }
}

const expires: Evaluation = ({ watch, now, condition, after, prior }) => {
  if (typeof after !== "number" || after >= condition.days!) return not
  if (typeof prior === "number" && prior < condition.days! && prior >= after) return { holds: true }
  const what = `${watch.expiring ?? condition.field ?? "The term"} of ${now.name}`
  const days = `${Math.abs(after)} ${Math.abs(after) === 1 ? "day" : "days"}`
  const when = after < 0 ? `ended ${days} ago` : after === 0 ? "ends today" : `ends in ${days}`
  return { holds: true, sentence: `${what} ${when}.` }
}

const evaluations: Record<Condition["when"], Evaluation> = {
  below: limit((value, line) => value < line, "below"),
  above: limit((value, line) => value > line, "above"),
  dropped: share(-1),
  rose: share(1),
  back_in_stock: stock(true),
  out_of_stock: stock(false),
  appears: text(true),
  vanishes: text(false),
  changed,
  status,
  expires,
}

/**
 * Formats a change: "Price of X fell from 20.00 to 15.00 EUR (-25 %)"; at the first check, the
 * current value.
 */
function moved({ watch, condition, now, before, after, prior }: Question): string {
  const what = `${condition.field ?? watch.label ?? watch.value} of ${now.name}`
  const current = amount(after as number, now.unit)
  if (typeof prior !== "number" || before?.unit !== now.unit) return `${what} is ${current}`
  const percent =
    prior === 0 ? null : Math.round((((after as number) - prior) / Math.abs(prior)) * 1000) / 10
  const share = percent === null ? "" : ` (${percent > 0 ? "+" : ""}${percent} %)`
  const command = (after as number) < prior ? "fell" : (after as number) > prior ? "rose" : "stayed"
  if (command === "stayed") return `${what} is ${current}`
  return `${what} ${command} from ${plain(prior, now.unit)} to ${current}${share}`
}

const plain = (value: number, unit: string | null) =>
  unit === null ? String(Math.round(value * 1e4) / 1e4) : value.toFixed(2)
const amount = (value: number, unit: string | null) =>
  unit === null ? plain(value, unit) : `${plain(value, unit)} ${unit}`

const clip = (line: string) => (line.length > 160 ? `${line.slice(0, 159)}…` : line)
