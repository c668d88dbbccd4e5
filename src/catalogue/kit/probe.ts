/**
 * A call with a roughly known result that tests a scraper against its upstream.
 *
 * An expectation is a line `path operator value`: a path into `{ items }` (`items.length`,
 * `items[0].author.name`, `items[*].price`), an operator, and a JSON value. `equals`, `contains`
 * and `matches` (a case-insensitive regular expression) pass if any of the values fits, `only` if
 * every non-empty value fits, and `gte` and `lte` if all values fit. `share 0.8` passes if at least
 * that share of the values is not empty. `fresh 7` passes if the newest value is at most that
 * number of days old. A line that starts with `?` is a minor failure: the scraper works, but
 * returns less than it could. Lines that start with `!` are for scrapers that report a missing
 * target by an item: if all of them pass, the target no longer exists.
 *
 * A text of the input that starts with `@` is read from the items of another scraper's probe:
 * `@ebay-search-scraper items[0].url`.
 */
export interface Probe {
  readonly input: Readonly<Record<string, unknown>>
  readonly expect: readonly string[]
}

const operators = ["equals", "only", "contains", "matches", "gte", "lte", "share", "fresh"] as const
type Operator = (typeof operators)[number]

export interface ProbeExpectation {
  path: string
  operator: Operator
  value: unknown
  soft: boolean
  /** Whether the line describes a target that no longer exists, and is not required. */
  gone: boolean
  /** The line as written. */
  line: string
}

const pathPattern = /^items(?:\.[\w$-]+|\[(?:\d+|\*)\])+$/
const form = 'path operator value, for example items[0].title matches "word"'

/**
 * Returns one line as an expectation, or a sentence on its error.
 * @example readExpectation("items.length gte 3") // { path: "items.length", operator: "gte", … }
 */
export function readExpectation(line: string): ProbeExpectation | string {
  const [, mark, path, operator, text] = /^([?!]?)(\S+) (\S+) (.+)$/s.exec(line) ?? []
  if (!path || !operator || !text) return `"${line}" must be ${form}.`
  if (!pathPattern.test(path)) return `"${line}": the path "${path}" must start with items.`
  if (!isOperator(operator)) {
    return `"${line}": the operator "${operator}" is not one of ${operators.join(", ")}.`
  }
  const value = jsonOf(text)
  const wrong = mismatch(operator, value)
  if (wrong) return `"${line}": ${wrong}`
  return { path, operator, value, soft: mark === "?", gone: mark === "!", line }
}

const isOperator = (name: string): name is Operator =>
  (operators as readonly string[]).includes(name)

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
      : "matches requires a regular expression as a JSON text."
  }
  if (typeof value !== "number") return `${operator} takes a number.`
  const isShare = value >= 0 && value <= 1
  return operator === "share" && !isShare ? "share requires a number from 0 to 1." : undefined
}

function isExpression(text: string): boolean {
  try {
    new RegExp(text)
    return true
  } catch {
    return false
  }
}
