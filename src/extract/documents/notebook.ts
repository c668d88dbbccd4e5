import { foldSpace, htmlToText, titleOrNull } from "../core/index.ts"
import { escaped, plainFacts, type ReadDocument, unreadable } from "./document-page.ts"

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
    authors?: { name?: string }[]
    language_info?: { name?: string }
    kernelspec?: { language?: string }
  }
}

const mostOutputChars = 20_000

/** A Jupyter notebook: its texts, its code, and what that gave. */
export function readNotebook(text: string): ReadDocument {
  let notebook: Notebook
  try {
    notebook = JSON.parse(text)
  } catch (error) {
    throw unreadable(`The notebook is no JSON (${(error as Error).message}).`)
  }
  const cells = notebook.cells ?? notebook.worksheets?.flatMap((sheet) => sheet.cells ?? [])
  if (!Array.isArray(cells)) throw unreadable("The notebook has no cells.")
  const { metadata = {} } = notebook
  const language = metadata.language_info?.name ?? metadata.kernelspec?.language ?? ""
  const html = cells
    .filter((cell) => cell !== null && typeof cell === "object")
    .map((cell) => cellHtml(cell, language))
    .filter((part) => part !== "")
  return {
    metadata: {
      title: titleOf(metadata.title),
      author: metadata.authors?.map(({ name }) => name).join(", "),
    },
    parts: [html.join("\n")],
    facts: plainFacts,
  }
}

/** Notebooks that were made from HTML have its markup there; a bare `<T>` is none. */
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
  const outputs = (Array.isArray(cell.outputs) ? cell.outputs : []).filter(Boolean).map(outputHtml)
  const code = source.trim() === "" ? "" : codeHtml(source, language)
  return [code, ...outputs].filter((part) => part !== "").join("\n")
}

/** The richest form that is text: a table, Markdown, plain text. */
function outputHtml({ text, data: given, ename, evalue }: Output): string {
  const data = given ?? {}
  const html = joined(data["text/html"])
  if (/<table\b/i.test(html) && html.length <= mostOutputChars * 10) return html
  const markdown = joined(data["text/markdown"])
  if (markdown !== "") return Bun.markdown.html(markdown)
  const plain = joined(text) || joined(data["text/plain"]) || (ename ? `${ename}: ${evalue}` : "")
  if (plain.trim() === "") return ""
  return codeHtml(
    plain.length > mostOutputChars ? `${plain.slice(0, mostOutputChars)}\n…` : plain,
    "",
  )
}

function codeHtml(code: string, language: string): string {
  const named = language ? ` class="language-${escaped(language)}"` : ""
  return `<pre><code${named}>${escaped(code)}</code></pre>`
}
