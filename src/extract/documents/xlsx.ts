import { Parser } from "htmlparser2"
import { textOrNull, type XmlElement } from "../core/index.ts"
import { Archive } from "./archive.ts"
import { type CellStyles, cellFormats, cellText } from "./cell-text.ts"
import { mainPart, officeMetadata, relationAttribute, relationsOf } from "./open-xml.ts"
import {
  columnsLeftOut,
  escaped,
  maxColumns,
  pagedFacts,
  type ReadDocument,
  sheetHtml,
  TextLength,
  tableHtml,
  UnreadableDocument,
  unreadable,
} from "./pages/document-page.ts"

const maxCells = 1_000_000

/** Reads a workbook: each visible sheet is a table under its name. */
export function readXlsx(bytes: Uint8Array): ReadDocument {
  const archive = Archive.open(bytes, (name) => /\.(?:xml|rels)$/i.test(name))
  const name = mainPart(archive, "xl/workbook.xml")
  if (/\.bin$/i.test(name))
    throw unreadable("The workbook has Excel's binary format. Save it as XLSX.")
  const workbook = archive.needXml(name)
  const relations = relationsOf(archive, name)
  const styles = stylesOf(archive, relations, workbook)
  const sheets = (workbook.first("sheets")?.all("sheet") ?? []).filter(
    (sheet) => !/hidden/i.test(sheet.attribute("state") ?? ""),
  )
  let cells = maxCells
  const length = new TextLength()
  const parts: string[] = []
  for (const sheet of sheets) {
    const part = relations.get(relationAttribute(sheet) ?? "")
    const text = part && archive.text(part.target)
    if (!text) continue
    const links = linksOf(archive, part.target, text)
    const { rows, width } = readSheet(text, styles, links, cells)
    cells -= rows.reduce((sum, row) => sum + row.length, 0)
    const table = tableHtml(rows, length)
    const content = table === null ? "" : table + columnsLeftOut(width)
    parts.push(sheetHtml(sheet.attribute("name"), content + drawnTexts(archive, part.target, text)))
  }
  return {
    metadata: officeMetadata(archive),
    parts,
    hasImages: archive.hasImages,
    facts: pagedFacts(sheets.length, parts),
  }
}

function stylesOf(
  archive: Archive,
  relations: ReturnType<typeof relationsOf>,
  workbook: XmlElement,
): CellStyles {
  const part = (type: string) => {
    const relation = [...relations.values()].find((relation) => relation.type === type)
    return relation && archive.xml(relation.target)
  }
  return {
    shared: (part("sharedStrings")?.all("si") ?? []).map(sharedText),
    formats: cellFormats(part("styles")),
    from1904: /^(?:1|true)$/.test(workbook.first("workbookPr")?.attribute("date1904") ?? ""),
  }
}

/** Returns a shared text without phonetic guides (`rPh`). */
function sharedText(item: XmlElement): string {
  const own = item.first("t")?.text ?? ""
  return (
    own +
    item
      .all("r")
      .map((run) => run.first("t")?.text ?? "")
      .join("")
  )
}

/** Returns the URLs of cells that are links, by the cells' names. */
function linksOf(archive: Archive, part: string, xml: string): Map<string, string> {
  const links = new Map<string, string>()
  if (!xml.includes("<hyperlink")) return links
  const relations = relationsOf(archive, part)
  for (const [tag] of xml.matchAll(/<(?:\w{1,10}:)?hyperlink\b[^<>]{0,2000}>/g)) {
    const cell = /\bref="([A-Z]+\d+)/.exec(tag)?.[1]
    const id = /\b\w{1,10}:id="([^"]+)"/.exec(tag)?.[1]
    const relation = id === undefined ? undefined : relations.get(id)
    if (cell && relation?.outside) links.set(cell, relation.target)
  }
  return links
}

/** Returns the texts of boxes and shapes that are drawn on a sheet. */
function drawnTexts(archive: Archive, part: string, xml: string): string {
  if (!/<(?:\w{1,10}:)?drawing\b/.test(xml)) return ""
  const relation = [...relationsOf(archive, part).values()].find(({ type }) => type === "drawing")
  const drawing = relation && archive.xml(relation.target)
  return [...(drawing?.within("txBody") ?? [])]
    .flatMap((body) => body.all("p"))
    .map((paragraph) => [...paragraph.within("t")].map((run) => run.text).join(""))
    .filter((text) => text.trim() !== "")
    .map((text) => `<p>${escaped(text)}</p>`)
    .join("\n")
}

/** Reads a sheet as a stream, because its tree could be very large. */
function readSheet(
  xml: string,
  styles: CellStyles,
  links: Map<string, string>,
  max: number,
): { rows: string[][]; width: number } {
  const rows: string[][] = []
  let width = 0
  let row: string[] = []
  let cell: { name: string; type: string; style: number; text: string } | undefined
  let isValue = false
  let count = 0
  const local = (name: string) => name.slice(name.indexOf(":") + 1)
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        const tag = local(name)
        if (tag === "row") row = []
        else if (tag === "c") {
          const { r = "", t = "n", s = "0" } = attributes
          cell = { name: r, type: t, style: Number(s), text: "" }
        } else if (tag === "v" || tag === "t") isValue = cell !== undefined
      },
      ontext(text) {
        if (isValue && cell) cell.text += text
      },
      onclosetag(name) {
        const tag = local(name)
        if (tag === "v" || tag === "t") isValue = false
        else if (tag === "c" && cell) {
          if (++count > max) throw tooManyCells()
          const at = columnOf(cell.name) ?? row.length
          const written = linked(cellText(cell, styles), links.get(cell.name))
          if (written !== "") width = Math.max(width, at + 1)
          if (at < maxColumns) {
            while (row.length < at) row.push("")
            row[at] = written
          }
          cell = undefined
        } else if (tag === "row") rows.push(row)
      },
    },
    { xmlMode: true },
  )
  parser.end(xml)
  return { rows, width }
}

function linked(text: string, url: string | undefined): string {
  const written = escaped(text).replace(/\n/g, "<br>")
  if (!url || textOrNull(text) === null) return written
  return `<a href="${escaped(url)}">${written}</a>`
}

const tooManyCells = () =>
  new UnreadableDocument("The workbook has more than a million cells.", "too_large")

/** Returns the index of a column from 0: 27 for `AB12`. */
function columnOf(name: string): number | undefined {
  const letters = /^[A-Z]{1,3}/.exec(name)?.[0]
  if (!letters) return undefined
  let number = 0
  for (const letter of letters) number = number * 26 + letter.charCodeAt(0) - 64
  return number - 1
}
