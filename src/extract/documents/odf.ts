import { isoDate, textOrNull, type XmlElement } from "../core/index.ts"
import { Archive } from "./archive.ts"
import { named, rowsOf } from "./odf-names.ts"
import { objectsOf } from "./odf-objects.ts"
import { OdfSlides } from "./odf-slides.ts"
import { OdfText } from "./odf-text.ts"
import {
  type DocumentMetadata,
  escaped,
  pagedFacts,
  plainFacts,
  type ReadDocument,
  sheetHtml,
  TextLength,
  tableHtml,
  UnreadableDocument,
} from "./pages/document-page.ts"

/** Maximum repeats of a cell or row: at a sheet's end, they only fill it. */
const maxRepeats = 200
const maxRows = 100_000

/** Reads texts, sheets and slides of OpenDocument. */
export function readOdf(bytes: Uint8Array): ReadDocument {
  const archive = Archive.open(bytes, (name) => /\.xml$/.test(name))
  if (archive.text("META-INF/manifest.xml")?.includes("encryption-data")) {
    throw new UnreadableDocument(
      "The document is encrypted and opens only with a password.",
      "encrypted_document",
    )
  }
  const content = archive.needXml("content.xml")
  const { hasImages } = archive
  const body = content.first("body")
  const metadata = odfMetadata(archive.xml("meta.xml"))
  const styles = archive.xml("styles.xml")
  const text = new OdfText(objectsOf(archive), content, styles)
  const sheets = body?.first("spreadsheet")
  if (sheets) {
    const length = new TextLength()
    const parts = visibleSheets(sheets, content).map((sheet) => tableOf(sheet, text, length))
    return { metadata, parts, hasImages, facts: pagedFacts(parts.length, parts) }
  }
  const slides = body?.first("presentation")
  if (slides) {
    const parts = new OdfSlides(slides, text, content, styles).html()
    return { metadata, parts, hasImages, facts: pagedFacts(parts.length, parts) }
  }
  const html = text.blocks(body?.first("text") ?? content)
  return { metadata, parts: [html + text.notes.list()], hasImages, facts: plainFacts }
}

function odfMetadata(root: XmlElement | undefined): DocumentMetadata {
  const meta = root?.first("meta")
  const text = (name: string) => textOrNull(meta?.first(name)?.text ?? "")
  return {
    title: text("title"),
    author: text("initial-creator") ?? text("creator"),
    description: text("description") ?? text("subject"),
    keywords: textOrNull((meta?.all("keyword") ?? []).map((keyword) => keyword.text).join(", ")),
    language: text("language"),
    createdAt: isoDate(text("creation-date")),
    modifiedAt: isoDate(text("date")),
  }
}

/** Returns the sheets that their style does not hide, as for other workbooks. */
function visibleSheets(sheets: XmlElement, content: XmlElement): XmlElement[] {
  const styles = content.first("automatic-styles")?.all("style") ?? []
  const hidden = new Set(
    styles
      .filter((style) => {
        const properties = style.first("table-properties")
        return properties && named(properties, "display") === "false"
      })
      .map((style) => named(style, "name")),
  )
  return sheets.all("table").filter((sheet) => !hidden.has(named(sheet, "style-name") ?? ""))
}

/**
 * Returns a cell's content: a day or an hour by its value, because its text may be `5/12/26`;
 * otherwise its displayed or stored text.
 */
function cellHtml(cell: XmlElement, text: OdfText): string {
  const date = /^(\d{4}-\d\d-\d\d)(?:T(\d\d:\d\d:\d\d))?/.exec(named(cell, "date-value") ?? "")
  if (date) {
    const [, day, time = "00:00:00"] = date
    return time === "00:00:00" ? day! : `${day} ${time}`
  }
  const time = /^PT(\d+)H(\d+)M(\d+)(?:[.,]\d+)?S$/.exec(named(cell, "time-value") ?? "")
  if (time)
    return time
      .slice(1)
      .map((part) => part.padStart(2, "0"))
      .join(":")
  const visible = text.cell(cell)
  if (visible !== "") return visible
  const stored = named(cell, "value") ?? named(cell, "string-value")
  return escaped(stored ?? named(cell, "boolean-value")?.toUpperCase() ?? "")
}

function tableOf(sheet: XmlElement, text: OdfText, length: TextLength): string {
  const rows: string[][] = []
  for (const row of rowsOf(sheet)) {
    const cells: string[] = []
    for (const cell of row.elements()) {
      if (cell.name !== "table-cell" && cell.name !== "covered-table-cell") continue
      const written = cellHtml(cell, text)
      const repeats = Number(named(cell, "number-columns-repeated") ?? 1)
      const times = Math.min(written === "" ? maxRepeats : repeats, repeats, maxRepeats)
      for (let time = 0; time < times; time++) cells.push(written)
    }
    const repeats = Number(named(row, "number-rows-repeated") ?? 1)
    const isEmpty = cells.every((cell) => cell === "")
    for (let time = 0; time < (isEmpty ? 1 : Math.min(repeats, maxRepeats)); time++) {
      rows.push(cells)
    }
    if (rows.length > maxRows) {
      throw new UnreadableDocument("The sheet has more than 100,000 rows.", "too_large")
    }
  }
  const shapes = sheet.first("shapes")
  const drawn = shapes ? text.cell(shapes) : ""
  const table = tableHtml(rows, length) ?? ""
  return sheetHtml(named(sheet, "name"), drawn === "" ? table : `${table}<p>${drawn}</p>`)
}
