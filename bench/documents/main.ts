/**
 * Compares Trawl's reading of documents with poppler's, LibreOffice's, pandoc's and Gnumeric's:
 * `bun run bench documents FOLDER`, with pdftotext, soffice, pandoc and ssconvert on the PATH.
 * Prints a line for each kind, and the ten documents of each that differ most; `--each` prints all.
 */
import { statSync } from "node:fs"
import { basename } from "node:path"
import { parseArgs } from "node:util"
import { characterMap } from "../../src/engine/net/documents/character-maps.ts"
import { documentFormat } from "../../src/engine/net/documents/format.ts"
import { parseDocument } from "../../src/extract/core/index.ts"
import { type DocumentFormat, readDocument } from "../../src/extract/documents/index.ts"
import { toMarkdown } from "../../src/extract/markdown/index.ts"
import { compared, type Likeness, wordsOf } from "./compared.ts"
import { type Opinion, opinions } from "./opinions.ts"

const { values, positionals } = parseArgs({
  args: process.argv.slice(2),
  options: { each: { type: "boolean", default: false } },
  allowPositionals: true,
})
const [folder] = positionals
if (!folder) {
  console.log("Name a folder of documents: `bun run bench documents FOLDER`.")
  process.exit(1)
}

if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) {
  console.log(`There is no folder ${folder}. Name a folder of documents.`)
  process.exit(1)
}

const worst = 10
const maxPages = 20
/** Escapes of Markdown. Other backslashes are text, such as commands of TeX. */
const escapes = /\\([!-/:-@[-`{-~])/g

interface Row extends Likeness {
  path: string
  opinion: string
}

const rows: Row[] = []
const unread: string[] = []

/**
 * Returns our text by page, without Markdown syntax and URLs of links, which the others do not
 * write.
 */
async function ours(path: string): Promise<string[]> {
  const bytes = await Bun.file(path).bytes()
  const found = documentFormat({
    bytes,
    contentType: "",
    url: `https://files.example/${basename(path)}`,
  })
  if (!found || found === "legacy" || found === "encrypted")
    throw new Error(`The format is ${found ?? "unknown"}.`)
  const format: DocumentFormat = found
  const { html } = await readDocument(
    { bytes, format, url: "https://files.example/" },
    { characterMap },
  )
  const { body } = parseDocument(html)
  for (const link of body.querySelectorAll("a")) link.removeAttribute("href")
  for (const image of body.querySelectorAll("img")) image.remove()
  // Markdown syntax splits a word that is partly bold.
  for (const style of body.querySelectorAll("b, i, strong, em, u, s, del, sup, sub")) {
    style.replaceWith(...style.childNodes)
  }
  return [...body.querySelectorAll("section[data-part]")].map((part) =>
    toMarkdown(part, "https://files.example/").replace(escapes, "$1"),
  )
}

function likeness(mine: string[], others: string[]): Likeness {
  const isByPage = others.length > 1 && others.length === mine.length
  if (!isByPage) return compared([[wordsOf(mine.join("\n")), wordsOf(others.join("\n"))]])
  const step = Math.max(1, Math.floor(mine.length / maxPages))
  const pairs = mine
    .map((text, at) => [wordsOf(text), wordsOf(others[at]!)] as const)
    .filter((_, at) => at % step === 0)
  return compared(pairs)
}

async function compare(path: string, provided: Opinion[]): Promise<void> {
  let mine: string[]
  try {
    mine = await ours(path)
  } catch (error) {
    const { code = "thrown", message } = error as Error & { code?: string }
    unread.push(`${basename(path)}: ${code}: ${message}`)
    return
  }
  for (const { name, read } of provided) {
    const others = await read(path)
    if (others) rows.push({ path, opinion: name, ...likeness(mine, others) })
  }
}

const mean = (numbers: number[]) => numbers.reduce((sum, one) => sum + one, 0) / numbers.length
const figures = ({ recall, precision, order }: Likeness) =>
  `recall ${recall.toFixed(3)} precision ${precision.toFixed(3)} order ${order.toFixed(3)}`

function print(format: string, opinion: string): void {
  const all = rows.filter((row) => row.opinion === opinion && row.path.endsWith(`.${format}`))
  if (all.length === 0) return
  const figure = (key: keyof Likeness) => mean(all.map((row) => row[key]))
  const means = { recall: figure("recall"), precision: figure("precision"), order: figure("order") }
  console.log(`${format} ${opinion} (${all.length}) ${figures(means)}`)
  const sorted = all.toSorted((a, b) => a.recall + a.order - b.recall - b.order)
  for (const row of values.each ? sorted : sorted.slice(0, worst)) {
    console.log(`  ${figures(row)} ${row.path.slice(folder!.length + 1)}`)
  }
}

for (const [format, provided] of Object.entries(opinions)) {
  for (const path of await Array.fromAsync(new Bun.Glob(`**/*.${format}`).scan({ cwd: folder }))) {
    await compare(`${folder}/${path}`, provided)
  }
  for (const { name } of provided) print(format, name)
}
for (const line of unread) console.log(`not read: ${line}`)
