import { elementsAmong } from "../../core/index.ts"
import { findObjects } from "../../embedded/index.ts"
import { isOfType, type SchemaNode, textAt } from "../../structured/index.ts"
import type { PageSources } from "../page-sources.ts"
import { dateInText, pageDate } from "../text/dates-in-text.ts"
import type { ElementContext, PageLines } from "./lines.ts"

/** Every date on a page that might be that of its publication. */

export const dateKinds = [
  "main published",
  "main created",
  "main uploaded",
  "main modified",
  "meta published",
  "meta plain",
  "meta modified",
  "meta other",
  "page published",
  "page modified",
  "other published",
  "other modified",
  "item published",
  "item modified",
  "item other",
  "time",
  "address",
  "text",
] as const
export type DateKind = (typeof dateKinds)[number]

export interface StatedDate {
  /** ISO 8601, to the day or with its time. */
  value: string
  kind: DateKind
  /** The number of dates of its kind before it. */
  rank: number
  /** The position in the text of the page; null in its head and data. */
  visible: { line: number; context: ElementContext; text: string; before: string } | null
}

/** Limit the work on one page. */
const maxNodes = 20
const maxMetas = 500
const maxElements = 100
const maxTexts = 200

export function datesOf(sources: PageSources, page: PageLines): StatedDate[] {
  const dates: StatedDate[] = []
  const ranks = new Map<DateKind, number>()
  const add = (kind: DateKind, value: string | null, visible: StatedDate["visible"] = null) => {
    if (value === null || value < "1980" || value > "2100") return
    const rank = ranks.get(kind) ?? 0
    ranks.set(kind, rank + 1)
    dates.push({ value, kind, rank, visible })
  }
  for (const [kind, written] of nodeDates(sources)) {
    add(kind, pageDate(written) ?? (written && dateInText(written, null)))
  }
  add("address", addressDate(sources.pageUrl))
  elementDates(sources, page, add)
  textDates(sources, page, add)
  return dates
}

type Add = (kind: DateKind, value: string | null, visible?: StatedDate["visible"]) => void

const metaKinds: [kind: DateKind, names: RegExp][] = [
  ["meta modified", /modif|updat|revis|changed|expir/],
  ["meta published", /publish|pubdate|pub-date|issued|created|citation_.*date/],
  ["meta plain", /^(?:date|dc[.:]date|dcterms\.date|sailthru\.date)$/],
  ["meta other", /date|time/],
]
const maxContent = 60

function* nodeDates(sources: PageSources): Generator<[DateKind, string | null]> {
  const { structured, main, webPage, meta } = sources
  const at = (node: SchemaNode, property: string) => textAt(structured, node, property)
  if (main) {
    yield ["main published", at(main, "datePublished")]
    yield ["main created", at(main, "dateCreated")]
    yield ["main uploaded", at(main, "uploadDate")]
    yield ["main modified", at(main, "dateModified")]
  }
  for (const { name, property, content } of meta.tags.slice(0, maxMetas)) {
    for (const written of [name, property]) {
      const own = written?.trim().toLowerCase() ?? ""
      const kind = metaKinds.find(([, names]) => names.test(own))?.[0]
      if (kind && content && content.length <= maxContent) yield [kind, content]
    }
  }
  if (webPage) {
    yield ["page published", at(webPage, "datePublished")]
    yield ["page modified", at(webPage, "dateModified")]
  }
  const roots = structured.jsonLd.map(({ data }) => data)
  let seen = 0
  for (const node of findObjects(roots, isDated) as Iterable<SchemaNode>) {
    if (node === main || node === webPage || isOfType(node, "Comment", "Review", "Answer")) continue
    if (++seen > maxNodes) return
    yield [
      "other published",
      at(node, "datePublished") ?? at(node, "uploadDate") ?? at(node, "dateCreated"),
    ]
    yield ["other modified", at(node, "dateModified")]
  }
}

const isDated = (node: object) =>
  "datePublished" in node || "dateCreated" in node || "uploadDate" in node

/** The day in a URL such as `/2020/01/13/title`. */
function addressDate(pageUrl: string): string | null {
  const match = dayInPath.exec(new URL(pageUrl).pathname)
  if (!match) return null
  const [, year, month, day] = match.filter(Boolean) as [string, string, string, string]
  return pageDate(`${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`)
}

/** The digits of `/2020/12/title` are those of a month, and no day. */
const dayInPath = /\/((?:19|20)\d\d)(?:[/-](\d{1,2})[/-](\d{1,2})|(\d\d)(\d\d))(?=[/_.-]|$)/

/** Elements marked as dates by their name or property. */
function elementDates({ document }: PageSources, page: PageLines, add: Add): void {
  const language = document.documentElement.getAttribute("lang")
  let seen = 0
  for (const element of elementsAmong(document, marks, isMarked)) {
    if (++seen > maxElements) return
    const property = `${element.getAttribute("itemprop") ?? ""} ${element.getAttribute("property") ?? ""}`
    // Other metas have been read.
    if (element.localName === "meta" && !element.hasAttribute("itemprop")) continue
    const text = (element.textContent ?? "").slice(0, 200).replace(/\s+/g, " ").trim()
    const value =
      pageDate(element.getAttribute("content")) ??
      pageDate(element.getAttribute("datetime")) ??
      (isInstant(element.getAttribute("title")) ? pageDate(element.getAttribute("title")) : null) ??
      pageDate(text) ??
      dateInText(text, language)
    add(kindOf(property), value, positionIn(page, element, text))
  }
}

/** Returns whether a title is an instant, as scripts for relative times require it. */
const isInstant = (title: string | null) => title !== null && /^\d{4}-\d\d-\d\d[T ]\d/.test(title)

const marks = { names: ["time"], attributes: ["datetime", "title", "itemprop", "property"] }

const isMarked = (element: Element) =>
  element.localName === "time" ||
  element.hasAttribute("datetime") ||
  isInstant(element.getAttribute("title")) ||
  /date|time|issued/i.test(element.getAttribute("itemprop") ?? "") ||
  /date|issued/i.test(element.getAttribute("property") ?? "")

function kindOf(property: string): DateKind {
  if (/modif|update/i.test(property)) return "item modified"
  if (/publish|creat|dc:date|issued/i.test(property)) return "item published"
  return /date|time/i.test(property) ? "item other" : "time"
}

function positionIn(
  { lines, at }: PageLines,
  element: Element,
  text: string,
): StatedDate["visible"] {
  const holder = at.has(element) ? element : element.parentElement
  const line = holder ? at.get(holder) : undefined
  const own = line === undefined ? undefined : lines[line]
  if (line === undefined || !own) return null
  const part = own.parts.find(({ context }) => context.element === element)
  const start = text === "" ? -1 : own.text.indexOf(text)
  const before = start > 0 ? own.text.slice(0, start) : lineAbove(lines, line)
  return { line, context: part?.context ?? own.context, text, before }
}

/** Separators of the dates of a line: "4.5.2021 | Updated: 6.5.2021". */
const divisions = new RegExp(
  String.raw`[|•·()]|\s[-–—]\s|(?=\b(?:last )?(?:${[
    "updated|modified|edited|published|posted|aktualisiert|zuletzt|stand|geändert|veröffentlicht",
    "erstellt|mis à jour|modifié|publié|actualizado",
  ].join("|")})\b)`,
  "i",
)
const maxDated = 220
const maxBeginning = 60
const maxPieces = 10

function textDates({ document }: PageSources, { lines }: PageLines, add: Add): void {
  const language = document.documentElement.getAttribute("lang")
  let count = 0
  for (const [at, line] of lines.entries()) {
    if (count >= maxTexts) return
    if (line.context.isData || !/\d/.test(line.text)) continue
    const text = line.text.length <= maxDated ? line.text : line.text.slice(0, maxBeginning)
    const seen = new Set<string>()
    let from = 0
    const pieces = text.split(divisions).slice(0, maxPieces)
    // Elements side by side may have no space between them.
    const parts = line.parts.length > 1 ? line.parts.slice(0, maxPieces) : []
    const wider = [text, ...parts.map(({ text: written }) => written)]
    const own = pieces.length > 1 ? pieces.length : 0
    for (const [index, piece] of [...pieces.slice(0, own), ...wider].entries()) {
      if (!/\d/.test(piece) || (index >= own && seen.size > 0)) continue
      const value = dateInText(piece, language)
      if (value === null || seen.has(value)) continue
      seen.add(value)
      count++
      const start = Math.max(0, line.text.indexOf(piece, from))
      from = start
      const digit = start + piece.search(/\d/)
      const before = line.text.slice(Math.max(0, digit - 60), digit)
      const part = line.parts.find(
        ({ text: written }) =>
          /\d/.test(written) && written.length >= 4 && piece.includes(written.slice(0, 12)),
      )
      add("text", value, {
        line: at,
        context: part?.context ?? line.context,
        text: piece,
        before: before.trim() === "" ? lineAbove(lines, at) : before,
      })
    }
  }
}

const maxLabel = 40

function lineAbove(lines: PageLines["lines"], line: number): string {
  const above = lines[line - 1]?.text ?? ""
  return above.length < maxLabel ? above : ""
}
