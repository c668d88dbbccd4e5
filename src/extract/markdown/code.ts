import { isBlock, isUnseen, trimLineEnds, wordSet } from "../core/index.ts"

/** Class names, as whole words, of the columns of line numbers next to code. */
const gutterClasses = new Set([
  "linenos",
  "lineno",
  "linenumbers",
  "line-numbers-rows",
  "line-number",
  "line-numbers",
  "linenodiv",
  "gutter",
  "rouge-gutter",
  "blob-num",
  "hljs-ln-numbers",
  "lnt",
  "ln",
  "crayon-nums",
])

const classesOf = (element: Element) => (element.getAttribute("class") ?? "").split(/\s+/)

/** Returns whether an element is a column of line numbers. */
export function isGutter(element: Element): boolean {
  return classesOf(element).some((name) => gutterClasses.has(name))
}

/** The lines of code in an element, without line numbers and buttons; null if it is blank. */
export function codeText(block: Element): string | null {
  const reader = new CodeReader()
  reader.readChildren(block)
  const text = trimLineEnds(
    reader.text
      .replace(/\r\n?/g, "\n")
      .replaceAll("\u00a0", " ")
      .replace(/^(?:[ \t]*\n)+/, "")
      .trimEnd(),
  )
  return text.trim() === "" ? null : text
}

/** Returns whether code outside of `pre` is a block: it has line breaks, or is styled as one. */
export function isCodeBlock(code: Element): boolean {
  if (code.localName !== "code") return false
  if (code.getElementsByTagName("br").length > 0) return true
  const styles = `${code.getAttribute("style") ?? ""} ${code.getAttribute("class") ?? ""}`
  return /white-?space:?\s?-?pre/i.test(styles) && code.textContent!.trim().includes("\n")
}

/** A cell that holds lines of code. */
export const isCodeCell = (cell: Element) =>
  classesOf(cell).some((name) => /^(?:code|blob-code|crayon-code)$/.test(name))

class CodeReader {
  private readonly pieces: string[] = []
  private atLineStart = true

  get text(): string {
    return this.pieces.join("")
  }

  readChildren(parent: Node): void {
    for (let child = parent.firstChild; child; child = child.nextSibling) {
      if (child.nodeType === 3) this.add(child.nodeValue ?? "")
      else if (child.nodeType === 1) this.readElement(child as Element)
    }
  }

  private readElement(element: Element): void {
    const name = element.localName
    if (name === "br") this.add("\n")
    if (name === "br" || name === "button" || isUnseen(element) || isGutter(element)) return
    const ownLine = isCodeLine(element) || (isBlock(element) && name !== "td" && name !== "th")
    if (ownLine) this.endLine()
    this.readChildren(element)
    if (ownLine && element.nextElementSibling && !breakFollows(element)) this.endLine()
  }

  private add(text: string): void {
    if (text === "") return
    this.pieces.push(text)
    this.atLineStart = text.endsWith("\n")
  }

  private endLine(): void {
    if (!this.atLineStart) this.add("\n")
  }
}

/** One `<code>` a line, as some highlighters write it. */
function isCodeLine(element: Element): boolean {
  return (
    element.localName === "code" &&
    element.parentElement?.localName === "pre" &&
    (element.nextElementSibling?.localName === "code" ||
      element.previousElementSibling?.localName === "code")
  )
}

function breakFollows(element: Element): boolean {
  const next = element.nextSibling
  return next?.nodeType === 3 && /^[ \t]*\r?\n/.test(next.nodeValue ?? "")
}

const languageClass =
  /^(?:lang(?:uage)?|highlight-source|highlight-text|highlight|brush|code|src)[-:]([\w+#.-]+)(?:;.*)?$/i
const languageAttributes = ["data-lang", "data-language", "data-enlighter-language"]
/** Highlighters that name the language in a class of its own: `hljs python`, `highlight js`. */
const languageNames = wordSet(`
  actionscript apache bash batch c clojure cmake coffeescript console cpp csharp css d dart diff
  dockerfile elixir elm erlang fortran fsharp go graphql groovy haskell html http ini java javascript
  js json jsx julia kotlin latex less lisp lua makefile markdown matlab nginx nix objc objectivec ocaml
  pascal perl php powershell prolog properties protobuf py python r rb ruby rust sass scala scheme scss
  sh shell sql swift tcl toml ts tsx typescript vb vbnet vhdl vim xml yaml yml zig zsh
`)
const highlighters = wordSet("hljs highlight syntaxhighlighter sourcecode rust prettyprint")
const noLanguage = wordSet("text plain plaintext txt none default nohighlight notranslate")
/** Elements around a code block that may name its language, tables' own parts not counted. */
const levelsAround = 2
const tableParts = wordSet("td tr tbody table")

/** The language that a code block names in its classes or those around it; "" for none. */
export function codeLanguage(block: Element): string {
  const code = block.querySelector("code")
  const around: Element[] = []
  let element = block.parentElement
  for (let level = 0; element && level < levelsAround; element = element.parentElement) {
    around.push(element)
    if (!tableParts.has(element.localName)) level++
  }
  for (const element of [code, block, ...around]) {
    if (!element) continue
    const language = languageOf(element)
    if (language !== "") return noLanguage.has(language) ? "" : language
  }
  return ""
}

function languageOf(element: Element): string {
  const isCode = element.localName === "pre" || element.localName === "code"
  for (const name of languageAttributes) {
    const named = element.getAttribute(name)
    if (named && /^[\w+#.-]+$/.test(named)) return named.toLowerCase()
  }
  // `lang` names a human language as well as a programming language.
  const lang = isCode ? element.getAttribute("lang")?.toLowerCase() : undefined
  if (lang && languageNames.has(lang)) return lang
  const classes = classesOf(element)
  for (const [index, name] of classes.entries()) {
    const match = languageClass.exec(name)
    if (match) return match[1]!.toLowerCase()
    if (/^brush:$/i.test(name)) return (classes[index + 1] ?? "").replace(/;.*$/s, "").toLowerCase()
    if (name === "sourceCode" && classes[index + 1]) return classes[index + 1]!.toLowerCase()
  }
  const isHighlighter = isCode || classes.some((name) => highlighters.has(name.toLowerCase()))
  return (isHighlighter && classes.find((name) => languageNames.has(name))) || ""
}

/** A fenced block; its fence is longer than any run of backticks inside. */
export function fence(text: string, language: string): string {
  const marks = maxRun(text, 3)
  return `${marks}${language}\n${text}\n${marks}`
}

/** Returns a code span on one line. */
export const codeSpan = (written: string): string => codeLine(written.replace(/\s+/g, " ").trim())

/** A line of code as a span, with the space before it. */
export function codeLine(line: string): string {
  const text = line.trimEnd()
  if (text === "") return ""
  const marks = maxRun(text, 1)
  const padding = text.startsWith("`") || text.endsWith("`") ? " " : ""
  return `${marks}${padding}${text}${padding}${marks}`
}

function maxRun(text: string, min: number): string {
  const runs = text.match(/`+/g)?.map((run) => run.length) ?? []
  if (min === 1) {
    let length = 1
    while (runs.includes(length)) length++
    return "`".repeat(length)
  }
  return "`".repeat(runs.reduce((max, run) => Math.max(max, run + 1), min))
}
