import { escaped, tableHtml } from "../pages/document-page.ts"
import { type Block, type BlockTag, bullet, numbering } from "./blocks.ts"
import type { Part } from "./tables.ts"

/** Heading styles of the whole document. */
export interface Headings {
  /** The text size of its body. */
  bodySize: number
  /** The level of each larger size, largest first. */
  levels: { size: number; level: number }[]
  /** Levels of the titles in its outline, by their bare text. */
  titles: Map<string, number>
  /** Whether the document's structure has headings, so that sizes do not count. */
  areTagged: boolean
}

export const bare = (text: string) => text.replace(/[^\p{L}\p{N}]+/gu, "").toLowerCase()

const maxHeadingChars = 250
const larger = 1.12

export function headingLevels(
  sizes: Map<number, number>,
  titles: Map<string, number>,
  areTagged: boolean,
): Headings {
  let bodySize = 0
  for (const [size, count] of sizes) if (count > (sizes.get(bodySize) ?? 0)) bodySize = size
  const above = [...sizes.keys()].filter((size) => size > bodySize * larger).sort((a, b) => b - a)
  const levels: Headings["levels"] = []
  for (const size of above) {
    const last = levels.at(-1)
    if (last && size > last.size * 0.95) continue
    if (levels.length < 6) levels.push({ size, level: levels.length + 1 })
  }
  return { bodySize, levels, titles, areTagged }
}

/** Returns a size in half points, so that similar sizes are equal. */
export const roundedSize = (size: number) => Math.round(size * 2) / 2

/** Returns the blocks of a page as HTML; consecutive list items are one list. */
export function blocksHtml(blocks: Block[], headings: Headings): string {
  const html: string[] = []
  let list = ""
  for (const [at, block] of blocks.entries()) {
    const wanted = listOf(blocks, at)
    if (wanted !== list) {
      if (list !== "") html.push(`</${list}>`)
      if (wanted !== "") html.push(`<${wanted}>`)
      list = wanted
    }
    if (block.kind === "table") {
      html.push(tableHtml(block.rows.map((row) => row.map(partsHtml))) ?? "")
    } else html.push(textHtml(block, headings, list))
  }
  if (list !== "") html.push(`</${list}>`)
  return html.join("\n")
}

const plain = (lines: Part[][]) =>
  lines.map((line) => line.map(({ text }) => text).join("")).join(" ")

const isPoint = ({ lines, tag }: { lines: Part[][]; tag?: BlockTag }) =>
  tag?.level === undefined &&
  (tag?.isItem || bullet.test(lines[0]!.map(({ text }) => text).join(""))) &&
  plain(lines).length > 2

/** Returns the kind of list that a block belongs to: bulleted, or numbered consecutively from 1. */
function listOf(blocks: Block[], at: number): "" | "ul" | "ol" {
  const block = blocks[at]!
  if (block.kind !== "text") return ""
  const isTagged = block.tag?.isItem === true
  if (isPoint(block) && !(isTagged && numberOf(block) > 0)) return "ul"
  let first = at
  while (
    numberOf(blocks[first]) > 1 &&
    numberOf(blocks[first - 1]) === numberOf(blocks[first]) - 1
  ) {
    first--
  }
  const isCounted = numberOf(blocks[first]) === 1 && numberOf(blocks[first + 1]) === 2
  return isCounted ? "ol" : isTagged ? "ul" : ""
}

const numberOf = (block: Block | undefined) =>
  block?.kind === "text" ? Number(/^\s*(\d{1,3})[.)]\s/.exec(plain(block.lines))?.[1] ?? 0) : 0

function textHtml(
  { lines, size, tag }: { lines: Part[][]; size: number; tag?: BlockTag },
  headings: Headings,
  list: string,
): string {
  const text = plain(lines)
  const byStyle = () =>
    tag && headings.areTagged ? undefined : levelOf(text, size, lines.length, headings)
  const level = list !== "" ? undefined : (tag?.level ?? byStyle())
  const html = partsHtml(flowing(lines))
  if (list !== "") return `<li>${html.replace(list === "ol" ? numbering : bullet, "")}</li>`
  return level ? `<h${level}>${html}</h${level}>` : `<p>${html}</p>`
}

function levelOf(
  text: string,
  size: number,
  lines: number,
  { levels, titles }: Headings,
): number | undefined {
  if (text.length > maxHeadingChars || lines > 4) return undefined
  const key = bare(text)
  if (key === "" || !/\p{L}/u.test(text)) return undefined
  const named = titles.get(key) ?? titles.get(key.replace(/^\d+/, ""))
  return levels.find((level) => roundedSize(size) >= level.size * 0.95)?.level ?? named
}

/** Returns lines as one text; a word that is hyphenated at a line's end becomes one word. */
function flowing(lines: Part[][]): Part[] {
  const parts: Part[] = []
  for (const line of lines) {
    const last = parts.at(-1)
    const first = line[0]
    if (last && first) {
      if (/\p{Ll}[-\u00ad]\s*$/u.test(last.text) && /^\s*\p{Ll}/u.test(first.text)) {
        last.text = last.text.replace(/[-\u00ad]\s*$/, "")
      } else if (!/\s$/.test(last.text) && !unspaced(last.text, first.text)) {
        parts.push({ text: " " })
      }
    }
    for (const part of line) parts.push({ ...part })
  }
  return parts
}

/** Scripts without spaces, which have none at a line's end either. */
const cjk = /[\u3000-\u30ff\u3400-\u9fff\uff00-\uffef]/
const unspaced = (before: string, after: string) =>
  cjk.test(before.at(-1) ?? "") && cjk.test(after[0] ?? "")

const spaceAt = (end: RegExp, text: string) => (end.test(text) ? " " : "")

function partsHtml(parts: readonly Part[]): string {
  const joined: Part[] = []
  for (const part of parts) {
    const last = joined.at(-1)
    if (last && (last.link === part.link || (part.text === " " && !part.link)))
      last.text += part.text
    else joined.push({ ...part })
  }
  return joined
    .map(({ text, link }) => {
      const written = escaped(text.normalize("NFC"))
      return link
        ? `${spaceAt(/^\s/, text)}<a href="${escaped(link)}">${written.trim()}</a>${spaceAt(/\s$/, text)}`
        : written
    })
    .join("")
    .trim()
}
