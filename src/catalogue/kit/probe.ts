/**
 * A call with a roughly known result, by which a scraper is tried against its upstream.
 *
 * An expectation is a line `path operator value`: a path into `{ items }` (`items.length`,
 * `items[0].author.name`, `items[*].price`), an operator, and a JSON value. `equals`, `contains`
 * and `matches` (a regular expression without case) hold if any of the values fits, `only` if every
 * value that is not empty fits, `gte` and `lte` if all do, `share 0.8` if that share of them is not
 * empty, `fresh 7` if the newest is at most that number of days old. A line that begins with `?` is
 * a lesser failure: the scraper works, but returns less than it could. Lines that begin with `!`
 * are for scrapers that report an absent target by an item: if all of them hold, the target is
 * gone.
 *
 * A text of the input that begins with `@` is read from the items of another scraper's probe:
 * `@ebay-search-scraper items[0].url`.
 */
export interface Probe {
  readonly input: Readonly<Record<string, unknown>>
  readonly expect: readonly string[]
}

const expectationOperators = [
  "equals",
  "only",
  "contains",
  "matches",
  "gte",
  "lte",
  "share",
  "fresh",
] as const
type Operator = (typeof expectationOperators)[number]

export interface ProbeExpectation {
  path: string
  operator: Operator
  value: unknown
  soft: boolean
  /** It shows that the target is gone, and is not required. */
  gone: boolean
  /** As written. */
  line: string
}

const pathPattern = /^items(?:\.[\w$-]+|\[(?:\d+|\*)\])+$/
const form = 'path operator value, for example items[0].title matches "word"'

/**
 * Returns one line as an expectation, or a sentence on what is wrong with it.
 * @example readExpectation("items.length gte 3") // { path: "items.length", operator: "gte", value: 3, … }
 */
export function readExpectation(line: string): ProbeExpectation | string {
  const [, mark, path, operator, text] = /^([?!]?)(\S+) (\S+) (.+)$/s.exec(line) ?? []
  if (!path || !operator || !text) return `"${line}" must be ${form}.`
  if (!pathPattern.test(path)) return `"${line}": the path "${path}" must begin at items.`
  if (!isOperator(operator)) {
    return `"${line}": the operator "${operator}" is not one of ${expectationOperators.join(", ")}.`
  }
  const value = jsonOf(text)
  const wrong = mismatch(operator, value)
  if (wrong) return `"${line}": ${wrong}`
  return { path, operator, value, soft: mark === "?", gone: mark === "!", line }
}

const isOperator = (name: string): name is Operator =>
  (expectationOperators as readonly string[]).includes(name)

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function mismatch(operator: Operator, value: unknown): string | undefined {
  if (value === undefined) return "the value must be JSON."
  if (operator === "equals" || operator === "only" || operator === "contains") return undefined
  if (operator === "matches") {
    return typeof value === "string" && isExpression(value)
      ? undefined
      : "matches takes a regular expression as a JSON text."
  }
  if (typeof value !== "number") return `${operator} takes a number.`
  if (operator === "share" && !(value >= 0 && value <= 1))
    return "share takes a number from 0 to 1."
  return undefined
}

function isExpression(text: string): boolean {
  try {
    new RegExp(text)
    return true
  } catch {
    return false
  }
}
