/**
 * An expression for lines that begin with one of many words, whatever signs stand before. Only those
 * words are looked for that begin with the line's first letter.
 */
export class LineOpenings {
  private readonly alternatives: [expression: string, beginnings: string | null][]
  /** Null where no word begins so. */
  private readonly known = new Map<string, RegExp | null>()

  constructor(
    words: string,
    private readonly end = "",
  ) {
    this.alternatives = apart(words).map((one) => [one, beginningsOf(one)])
  }

  /** `first` is where the line's first letter or digit stands. */
  test(line: string, first: number): boolean {
    const letter = kindOf(line.charAt(first))
    const beginning = first === 0 ? letter : sign + letter
    let expression = this.known.get(beginning)
    if (expression === undefined) {
      expression = this.beginningWith(beginning)
      this.known.set(beginning, expression)
    }
    return expression?.test(line) ?? false
  }

  private beginningWith(beginning: string): RegExp | null {
    const own = this.alternatives.filter(
      ([, beginnings]) =>
        beginnings === null || [...beginning].some((one) => beginnings.includes(one)),
    )
    if (own.length === 0) return null
    const before = beginning.startsWith(sign) ? String.raw`[^\p{L}\p{N}]*` : ""
    const words = own.map(([expression]) => expression).join("|")
    return new RegExp(`^${before}(?:${words})${this.end}`, "iu")
  }
}

const plain = /^[a-z\d]$/
/** Stands for any other letter. */
const other = "*"
/** Stands for any sign. */
const sign = "."

function kindOf(character: string): string {
  const lower = character.toLowerCase()
  if (plain.test(lower)) return lower
  return /[\p{L}\p{N}]/u.test(lower) ? other : sign
}

/** The alternatives of an expression, without those within its groups. */
function apart(expression: string): string[] {
  const found: string[] = []
  let [from, depth] = [0, 0]
  for (const { 0: mark, index } of expression.matchAll(/\\.|\[(?:\\.|[^\]])*\]|[()|]/g)) {
    if (mark === "(") depth++
    else if (mark === ")") depth--
    else if (mark === "|" && depth === 0) {
      found.push(expression.slice(from, index))
      from = index + 1
    }
  }
  return [...found, expression.slice(from)]
}

/** How an expression begins: with a group that has no others in it, a letter, or an escaped sign. */
const part =
  /^(?:\(\?:(?<group>(?:\\.|[^()\\])*)\)|(?<letter>[\p{L}\p{N}])|\\(?:\(|u(?<code>[\dA-F]{4})))(?<optional>\?)?(?![?*{])/u

/** With what kinds of characters matches may begin; null where that is not known. */
function beginningsOf(expression: string): string | null {
  const { 0: whole = "", groups } = part.exec(expression) ?? {}
  if (!groups) return null
  const { group, letter, code = "28", optional } = groups
  const beginnings =
    group === undefined
      ? [kindOf(letter ?? String.fromCharCode(Number.parseInt(code, 16)))]
      : apart(group).map(beginningsOf)
  if (optional) beginnings.push(beginningsOf(expression.slice(whole.length)))
  return beginnings.includes(null) ? null : beginnings.join("")
}
