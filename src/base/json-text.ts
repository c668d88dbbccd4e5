import { messageOf } from "./error-message.ts"

/** Maximum depth of lists and objects. Inputs need only a few levels. */
const deepest = 64

/** Characters before and after the error in its excerpt. */
const excerptBefore = 20
const excerptAfter = 20

/**
 * Returns a user's JSON. Its depth is limited, for readers that use recursion. Throws SyntaxError
 * with the line, the column, an excerpt and the fix if it is not JSON or nested too deep.
 * @example parseJson('{"a": [1]}') // { a: [1] }
 */
export function parseJson(text: string): unknown {
  const deep = tooDeepAt(text)
  if (deep >= 0) {
    throw new SyntaxError(placed(text, deep, `lists and objects nest more than ${deepest} levels`))
  }
  try {
    return JSON.parse(text)
  } catch (error) {
    const issue = issueIn(text)
    if (issue) throw new SyntaxError(placed(text, issue.at, issue.what))
    // The parser's own message repeats the whole invalid text, whatever its length.
    throw new SyntaxError(messageOf(error).slice(0, 200))
  }
}

/** Returns an error with its position, for example `line 1, column 9, near {"a": 1,}: …`. */
function placed(text: string, at: number, what: string): string {
  if (text.trim() === "") return "it is empty"
  const lineStart = text.lastIndexOf("\n", at - 1) + 1
  let line = 1
  for (let index = 0; index < lineStart; index++) if (text.charCodeAt(index) === newline) line++
  return `line ${line}, column ${at - lineStart + 1}, near ${excerptOf(text, at)}: ${what}`
}

function excerptOf(text: string, at: number): string {
  const from = Math.max(0, at - excerptBefore)
  const to = Math.min(text.length, at + excerptAfter)
  const part = text
    .slice(from, to)
    .toWellFormed()
    .replace(/[\s\p{Cc}]+/gu, " ")
    .trim()
  return `${from > 0 ? "…" : ""}${part}${to < text.length ? "…" : ""}`
}

interface SyntaxIssue {
  at: number
  what: string
}

const numberOrName =
  /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.+-])|(?:true|false|null)(?!\w)/y
const word = /[\w$.+-]+/y

/**
 * Returns the position and the fix of the first error of a text that the parser refuses. It reads
 * the text once, and only after the parser has failed.
 */
function issueIn(text: string): SyntaxIssue | undefined {
  const open: ("{" | "[")[] = []
  let at = 0
  let wants: "value" | "value-or-end" | "name" | "name-or-end" | "colon" | "next" = "value"
  // Each turn moves `at` forward or returns.
  for (;;) {
    while (isSpace(text.charCodeAt(at))) at++
    const char = text[at]
    const container = open.at(-1)
    const end = container === "{" ? "}" : "]"
    if (wants === "next" && container === undefined) {
      if (char === undefined) return undefined
      return { at, what: "remove the text after the end of the JSON value" }
    }
    if (char === undefined) {
      if (container === undefined) return { at, what: "a value is missing" }
      return { at, what: `the text ends before the closing "${end}"` }
    }
    if (char === "/" && /[/*]/.test(text[at + 1] ?? "")) {
      return { at, what: "remove the comment; JSON has none" }
    }
    if (wants === "colon") {
      if (char !== ":") return { at, what: 'write ":" between the name and its value' }
      at++
      wants = "value"
      continue
    }
    if (wants === "next") {
      if (char === end) open.pop()
      else if (char === ",") wants = container === "{" ? "name" : "value"
      else return { at, what: `write "," or "${end}" after the value` }
      at++
      continue
    }
    if (char === end && wants.endsWith("-or-end")) {
      open.pop()
      at++
      wants = "next"
      continue
    }
    if (char === end && container !== undefined && text[lastBefore(text, at)] === ",") {
      return { at: lastBefore(text, at), what: `remove the "," before "${end}"` }
    }
    if (char === '"') {
      const close = stringEnd(text, at)
      if (text.charCodeAt(close) !== quote) return stringIssue(text, at, close)
      at = close + 1
      wants = wants.startsWith("name") ? "colon" : "next"
      continue
    }
    if (/['`‘’“”„]/.test(char)) {
      return { at, what: `write straight double quotes (") instead of ${char}` }
    }
    if (wants.startsWith("name")) {
      return { at, what: 'write the name in double quotes, for example "name"' }
    }
    if (char === "{" || char === "[") {
      open.push(char)
      at++
      wants = char === "{" ? "name-or-end" : "value-or-end"
      continue
    }
    numberOrName.lastIndex = at
    if (!numberOrName.test(text)) return valueIssue(text, at)
    at = numberOrName.lastIndex
    wants = "next"
  }
}

/** Returns the position of the last character before `at` that is not a space. */
function lastBefore(text: string, at: number): number {
  let before = at - 1
  while (before >= 0 && isSpace(text.charCodeAt(before))) before--
  return before
}

/**
 * Returns the position at which the string that starts at `start` ends: at its quotation mark, or
 * at what a string cannot contain.
 */
function stringEnd(text: string, start: number): number {
  let index = start + 1
  for (; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (code === quote || code < 0x20) break
    if (code !== backslash) continue
    escapeForm.lastIndex = index
    if (!escapeForm.test(text)) break
    index = escapeForm.lastIndex - 1
  }
  return index
}

const escapeForm = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y

const isSpace = (code: number) =>
  code === 0x20 || code === newline || code === 0x0d || code === 0x09

function stringIssue(text: string, start: number, at: number): SyntaxIssue {
  const char = text[at]
  if (char === undefined) return { at: start, what: 'the text that starts here has no closing "' }
  if (char === "\n" || char === "\r") {
    return { at, what: 'close the text with ", or write the line break as \\n' }
  }
  if (char === "\\") {
    return { at, what: "this escape is not valid; write a backslash as \\\\" }
  }
  const code = char.charCodeAt(0).toString(16).padStart(4, "0")
  return { at, what: `write this control character as \\u${code}` }
}

function valueIssue(text: string, at: number): SyntaxIssue {
  word.lastIndex = at
  const wordAt = word.exec(text)?.[0].slice(0, 30)
  if (at === text.search(/\S/)) {
    return { at, what: 'write a JSON value, which starts with "{", "[" or a double quote' }
  }
  if (wordAt === undefined) return { at, what: "a value is missing" }
  const lower = wordAt.toLowerCase()
  if (["true", "false", "null"].includes(lower)) return { at, what: `write ${lower} in lower case` }
  if (["none", "undefined", "nan"].includes(lower))
    return { at, what: `write null instead of ${wordAt}` }
  if (/^[-+.]?\d/.test(wordAt)) {
    return { at, what: `"${wordAt}" is not a valid number; write a text in double quotes` }
  }
  return { at, what: `write the text "${wordAt}" in double quotes` }
}

const newline = 0x0a
const quote = 0x22
const backslash = 0x5c

/**
 * Returns the position at which a text has too many levels; -1 if it has not. It is checked before
 * parsing, because parsing deep JSON can exhaust the stack.
 */
function tooDeepAt(text: string): number {
  let depth = 0
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (code === quote) index = endOfText(text, index)
    else if (code === 0x5b || code === 0x7b) {
      if (++depth > deepest) return index
    } else if (code === 0x5d || code === 0x7d) depth--
  }
  return -1
}

/** Returns the position of the quotation mark that ends the text that starts at `start`. */
function endOfText(text: string, start: number): number {
  let index = start + 1
  while (index < text.length) {
    const code = text.charCodeAt(index)
    if (code === quote) break
    index += code === backslash ? 2 : 1
  }
  return index
}
