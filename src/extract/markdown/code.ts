import { isBlock, isUnseen, trimLineEnds } from "../core/index.ts"

/** Class names, as whole words, of the columns of line numbers beside code. */
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
])

const classesOf = (element: Element) => (element.getAttribute("class") ?? "").split(/\s+/)

/** Whether an element is a column of line numbers. */
export function isGutter(element: Element): boolean {
  return classesOf(element).some((name) => gutterClasses.has(name))
}

/** The lines of a `pre`, without line numbers and buttons; null when it is blank. */
export function codeText(pre: Element): string | null {
  const reader = new CodeReader()
  reader.readChildren(pre)
  const text = trimLineEnds(
    reader.text
      .replace(/\r\n?/g, "\n")
      .replace(/^(?:[ \t]*\n)+/, "")
      .trimEnd(),
  )
  return text.trim() === "" ? null : text
}

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
    (element.nextElementSibling?.localName === "code" ||
      element.previousElementSibling?.localName === "code")
  )
}

function breakFollows(element: Element): boolean {
  const next = element.nextSibling
  return next?.nodeType === 3 && /^[ \t]*\r?\n/.test(next.nodeValue ?? "")
}

const languageClass =
  /^(?:lang(?:uage)?|highlight-source|highlight-text|highlight|brush|code)[-:]([\w+#.-]+);?$/i
const noLanguage = new Set([
  "text",
  "plain",
  "plaintext",
  "txt",
  "none",
  "default",
  "nohighlight",
  "notranslate",
])

/** The language that a code block names in its classes or those around it; "" for none. */
export function codeLanguage(pre: Element): string {
  const code = pre.querySelector("code")
  const around = [pre.parentElement, pre.parentElement?.parentElement]
  for (const element of [code, pre, ...around]) {
    if (!element) continue
    const language = languageOf(element)
    if (language !== "") return noLanguage.has(language) ? "" : language
  }
  return ""
}

function languageOf(element: Element): string {
  const named = element.getAttribute("data-lang") ?? element.getAttribute("data-language")
  if (named && /^[\w+#.-]+$/.test(named)) return named.toLowerCase()
  const classes = classesOf(element)
  for (const [index, name] of classes.entries()) {
    const match = languageClass.exec(name)
    if (match) return match[1]!.toLowerCase()
    if (/^brush:$/i.test(name)) return (classes[index + 1] ?? "").replace(/;.*$/s, "").toLowerCase()
    if (name === "sourceCode" && classes[index + 1]) return classes[index + 1]!.toLowerCase()
  }
  return ""
}

/** A fenced block; its fence is longer than any run of backticks inside. */
export function fence(text: string, language: string): string {
  const ticks = longestRun(text, 3)
  return `${ticks}${language}\n${text}\n${ticks}`
}

/** A code span; what it holds is on one line. */
export function codeSpan(written: string): string {
  const text = written.replace(/\s+/g, " ").trim()
  if (text === "") return ""
  const ticks = longestRun(text, 1)
  const padding = text.startsWith("`") || text.endsWith("`") ? " " : ""
  return `${ticks}${padding}${text}${padding}${ticks}`
}

function longestRun(text: string, least: number): string {
  const runs = text.match(/`+/g)?.map((run) => run.length) ?? []
  if (least === 1) {
    let length = 1
    while (runs.includes(length)) length++
    return "`".repeat(length)
  }
  return "`".repeat(runs.reduce((most, run) => Math.max(most, run + 1), least))
}
