import { foldSpace, htmlToText, textOrNull, titleOrNull } from "../core/index.ts"
import { escaped, plainFacts, type ReadDocument, unreadable } from "./pages/document-page.ts"

interface Cell {
  cell_type?: string
  source?: string | string[]
  input?: string | string[]
  outputs?: Output[]
}

interface Output {
  text?: string | string[]
  data?: Record<string, string | string[]>
  ename?: string
  evalue?: string
}

interface Notebook {
  cells?: Cell[]
  worksheets?: { cells?: Cell[] }[]
  metadata?: {
    title?: unknown
    authors?: unknown
    language_info?: { name?: string }
    kernelspec?: { language?: string }
  }
}

const maxOutputChars = 20_000

/** Reads a Jupyter notebook: its texts, its code, and the output of the code. */
export function readNotebook(text: string): ReadDocument {
  let notebook: Notebook
  try {
    notebook = JSON.parse(text)
  } catch {
    throw unreadable("The notebook is not valid JSON.")
  }
  const cells = notebook.cells ?? notebook.worksheets?.flatMap((sheet) => sheet.cells ?? [])
  if (!Array.isArray(cells)) throw unreadable("The notebook has no cells.")
  const metadata = notebook.metadata ?? {}
  const language = metadata.language_info?.name ?? metadata.kernelspec?.language ?? ""
  const html = cells
    .filter((cell) => cell !== null && typeof cell === "object")
    .map((cell) => cellHtml(cell, language))
    .filter((part) => part !== "")
  return {
    metadata: {
      title: titleOf(metadata.title),
      author: authorsOf(metadata.authors),
    },
    parts: [html.join("\n")],
    hasImages: cells.some((cell) => outputsOf(cell).some(isImage)),
    facts: plainFacts,
  }
}

/**
 * Returns the names of the authors: a list of people by the format, a text in notebooks of some
 * programs.
 */
function authorsOf(authors: unknown): string | null {
  const names = (Array.isArray(authors) ? authors : [authors]).map(
    (author) => (author as { name?: unknown } | null | undefined)?.name ?? author,
  )
  return textOrNull(names.filter((name) => typeof name === "string").join(", "))
}

/**
 * Returns the title without its markup: notebooks that were made from HTML have markup there, but
 * `<T>` is text.
 */
function titleOf(title: unknown): string | null {
  if (typeof title !== "string") return null
  const isMarkup = /<(?:\/[a-z][^<>]*|br\s*\/?)>/i.test(title)
  return isMarkup ? foldSpace(htmlToText(title) ?? "") || null : titleOrNull(title)
}

const joined = (text: string | string[] | undefined) =>
  Array.isArray(text) ? text.join("") : typeof text === "string" ? text : ""

function cellHtml(cell: Cell, language: string): string {
  const source = joined(cell.source ?? cell.input)
  if (cell.cell_type === "markdown") return Bun.markdown.html(source)
  if (cell.cell_type !== "code") return source.trim() === "" ? "" : codeHtml(source, "")
  const outputs = outputsOf(cell).map(outputHtml)
  const code = source.trim() === "" ? "" : codeHtml(source, language)
  return [code, ...outputs].filter((part) => part !== "").join("\n")
}

const outputsOf = (cell: Cell | null): Output[] =>
  Array.isArray(cell?.outputs) ? cell.outputs.filter(Boolean) : []

const isImage = ({ data }: Output) =>
  Object.keys(data ?? {}).some((type) => type.startsWith("image/"))

/** Returns the richest form of an output that is text: a table, Markdown or plain text. */
function outputHtml({ text, data: provided, ename, evalue }: Output): string {
  const data = provided ?? {}
  const html = joined(data["text/html"])
  if (/<table\b/i.test(html) && html.length <= maxOutputChars * 10) return html
  const markdown = joined(data["text/markdown"])
  if (markdown !== "") return Bun.markdown.html(markdown)
  const plain = joined(text) || joined(data["text/plain"]) || (ename ? `${ename}: ${evalue}` : "")
  if (plain.trim() === "") return ""
  return codeHtml(
    plain.length > maxOutputChars ? `${plain.slice(0, maxOutputChars)}\n…` : plain,
    "",
  )
}

function codeHtml(code: string, language: string): string {
  const named = language ? ` class="language-${escaped(language)}"` : ""
  return `<pre><code${named}>${escaped(code)}</code></pre>`
}
