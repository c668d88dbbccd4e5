import { words } from "../core/index.ts"

/** Escapes text for CommonMark and GFM, only if it would be read as markup. */

const special = /\\|`|\*+|_+|\[|\]|<|&|~+|\||!$/g
const hasSpecial = /[\\`*_[\]<&~|]|!$/
const entity = /^&(?:#\d{1,7}|#x[0-9a-f]{1,6}|[a-z][a-z0-9]*);/i

export interface TextContext {
  /** The character before the text; "" at the start of a line. */
  before: string
  /** The character after the text; "" at the end of a line. */
  after: string
  inTable: boolean
  /** The text of a link whose brackets do not pair up. */
  escapeBrackets: boolean
  /** A link or image follows, so that a closing "!" would make an image of it. */
  linkFollows: boolean
  /** Within the text of a link, in which a URL is not autolinked. */
  inLink: boolean
}

/** Text that GFM autolinks; escapes in it would be literal. */
const plainAddress = /\b(?:https?:\/\/|www\.)(?:\([^\s<>()]*\)|[^\s<>()])+/gi
const ends = new Set("?!.,:;*_~'\"]")

export function escapeText(text: string, context: TextContext): string {
  if (!hasSpecial.test(text)) return text
  if (context.inLink || !/https?:\/\/|www\./i.test(text))
    return escapePart(text, 0, text.length, context)
  let written = ""
  let at = 0
  for (const { 0: address, index } of text.matchAll(plainAddress)) {
    let length = address.length
    while (ends.has(address[length - 1]!)) length--
    const url = address.slice(0, length)
    const end = index + url.length
    const escaped = escapePart(text, index, end, context)
    if (escaped === url) continue
    written += escapePart(text, at, index, context)
    written += /^w/i.test(url) ? escaped.replace(".", "\\.") : autolink(url, context)
    at = end
  }
  return written + escapePart(text, at, text.length, context)
}

const autolink = (url: string, { inTable }: TextContext) =>
  `<${inTable ? url.replaceAll("|", "\\|") : url}>`

function escapePart(text: string, from: number, to: number, context: TextContext): string {
  return text.slice(from, to).replace(special, (run: string, offset: number) => {
    const at = from + offset
    const previous = text[at - 1] ?? context.before
    const next = text[at + run.length] ?? context.after
    return mustEscape(run, previous, next, text, at, context) ? run.replace(/./g, "\\$&") : run
  })
}

function mustEscape(
  run: string,
  previous: string,
  next: string,
  text: string,
  at: number,
  context: TextContext,
): boolean {
  switch (run[0]) {
    case "\\":
      return next === "" || /[!-/:-@[-`{-~\n]/.test(next)
    case "`":
      return true
    case "*":
      return !(isSpace(previous) && isSpace(next))
    case "_":
      return !(isSpace(previous) && isSpace(next)) && !(isWord(previous) && isWord(next))
    case "~":
      return run.length > 1 || !isSpace(previous)
    case "[":
      return (
        context.escapeBrackets ||
        (next === "^" && !context.inLink) ||
        (context.before === "" && at === 0 && isTaskBox(text))
      )
    case "]":
      return context.escapeBrackets || next === "("
    case "<":
      return /[a-z/!?]/i.test(next)
    case "&":
      return entity.test(text.slice(at, at + 40))
    case "|":
      return context.inTable
    default:
      return context.linkFollows && at + run.length === text.length
  }
}

/** "[ ] " at the start of an item, which would be read as a box to tick. */
const isTaskBox = (text: string) => /^\[[ x]\](?:\s|$)/i.test(text)

export const isSpace = (char: string) => char === "" || /\s/.test(char)
export const isPunctuation = (char: string) => /[\p{P}\p{S}]/u.test(char)
const isWord = (char: string) => !isSpace(char) && !isPunctuation(char)

const lineStart = new RegExp(
  `^(?:${words(
    String.raw`(#{1,6})(?=\s|$)|(>)|([-+*])(?=\s|$)|(\d{1,9})([.)])(?=\s|$)`,
    String.raw`(?:([*_-])(?:[ \t]*\6){2,}|=+|-+)\s*$|([|:-])(?=[|:\s-]*$)`,
    String.raw`(\[)(?=(?:[^[\]\\]|\\.)*\]:)`,
  )})`,
)

/** Escapes markup of a heading, list, quote, rule, table or definition at the start of a line. */
export function escapeLineStart(line: string): string {
  const match = lineStart.exec(line)
  if (!match) return line
  const number = match[4]
  if (number === undefined) return `\\${line}`
  return `${number}\\${line.slice(number.length)}`
}

/** Brackets that pair up need no escape inside the text of a link. */
export function bracketsPair(text: string): boolean {
  let depth = 0
  for (const char of text) {
    if (char === "[") depth++
    else if (char === "]" && --depth < 0) return false
  }
  return depth === 0
}

/** A URL inside `(…)` of a link. */
export function linkDestination(url: string): string {
  const escaped = url
    .replace(/[\s<>]/g, (char) => encodeURIComponent(char))
    .replaceAll("|", "%7C")
    .replace(/&(?=#?\w+;)/g, "&amp;")
  return parenthesesPair(escaped) ? escaped : escaped.replace(/[()]/g, "\\$&")
}

function parenthesesPair(text: string): boolean {
  let depth = 0
  for (const char of text) {
    if (char === "(") depth++
    else if (char === ")" && --depth < 0) return false
    if (depth > 30) return false
  }
  return depth === 0
}
