import type { Scalar } from "./flatten.ts"
import { dateCell, isLink, styles, widthsOf } from "./sheet-cells.ts"
import { type TableOptions, table } from "./table.ts"
import { ZipWriter } from "./zip.ts"

/** Maximum rows of a sheet, including its header. */
const maxRows = 1_048_576
const maxColumns = 16_383
/** Maximum characters of a cell; Excel reports files with longer ones as broken. */
const maxText = 32_767
/** Maximum bytes of an uncompressed sheet: an archive stores the size of an entry in 32 bits. */
const maxSheet = 2_000_000_000
/** Maximum links of one sheet; Excel allows 65,530. */
const maxLinks = 65_000
/** Number of rows that determine the widths of columns. */
const rowsMeasured = 200
/** Larger whole numbers have more digits than a cell stores. */
const maxExact = 999_999_999_999_999

/** Yields an Excel workbook of items as a stream; rows beyond the limit of a sheet continue on the next. */
export async function* xlsx(
  items: AsyncIterable<Record<string, unknown>>,
  options: TableOptions,
  limits: { rows?: number } = {},
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const zip = new ZipWriter()
  const rows = table(items, { ...options, maxColumns })
  const { value: header } = await rows.next()
  const head = header ?? []
  const measured: Scalar[][] = []
  let next = await rows.next()
  for (; !next.done && measured.length < rowsMeasured; next = await rows.next()) {
    measured.push(next.value)
  }
  const widths = widthsOf([head, ...measured])
  let sheets = 0
  do {
    yield zip.begin(`xl/worksheets/sheet${++sheets}.xml`)
    let size = 0
    const links = new Links()
    let text = `${sheetHead(widths)}${rowXml(1, head, links, styles.header)}`
    let number = 2
    for (; measured.length > 0 || !next.done; number++) {
      if (number > (limits.rows ?? maxRows) || size > maxSheet) break
      const row = measured.shift()
      text += rowXml(number, row ?? next.value!, links)
      if (text.length > 64 * 1024) {
        size += text.length
        yield zip.write(text)
        text = ""
      }
      if (!row) next = await rows.next()
    }
    yield zip.write(`${text}</sheetData>`)
    if (head.length > 0 && number > 2) {
      yield zip.write(`<autoFilter ref="A1:${columnName(head.length - 1)}${number - 1}"/>`)
    }
    yield zip.write(`${links.hyperlinks()}</worksheet>`)
    yield zip.end()
    if (links.count > 0) {
      yield zip.begin(`xl/worksheets/_rels/sheet${sheets}.xml.rels`)
      yield zip.write(links.relationships())
      yield zip.end()
    }
  } while (measured.length > 0 || !next.done)
  for (const [name, text] of Object.entries(parts(sheets))) {
    yield zip.begin(name)
    yield zip.write(text)
    yield zip.end()
  }
  yield zip.directory()
}

const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
const relations = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
const packaging = "http://schemas.openxmlformats.org/package/2006"

/** Returns the start of a sheet, whose header stays visible while scrolling. */
function sheetHead(widths: readonly number[]): string {
  const columns = widths.map((width, at) => {
    return `<col min="${at + 1}" max="${at + 1}" width="${width}" customWidth="1"/>`
  })
  const cols = columns.length > 0 ? `<cols>${columns.join("")}</cols>` : ""
  return `${declaration}<worksheet xmlns="${main}" xmlns:r="${relations}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>${cols}<sheetData>`
}

/** The links of a sheet's cells. */
class Links {
  private readonly places = new Map<string, string>()

  get count(): number {
    return this.places.size
  }

  /** Returns whether the sheet has room for the link. */
  add(cell: string, url: string): boolean {
    if (this.places.size >= maxLinks) return false
    this.places.set(cell, url)
    return true
  }

  hyperlinks(): string {
    if (this.count === 0) return ""
    const all = [...this.places.keys()].map((cell, at) => {
      return `<hyperlink ref="${cell}" r:id="rId${at + 1}"/>`
    })
    return `<hyperlinks>${all.join("")}</hyperlinks>`
  }

  relationships(): string {
    const all = [...this.places.values()].map((url, at) => {
      return `<Relationship Id="rId${at + 1}" Type="${relations}/hyperlink" Target="${escaped(url).replaceAll('"', "&quot;")}" TargetMode="External"/>`
    })
    return `${declaration}<Relationships xmlns="${packaging}/relationships">${all.join("")}</Relationships>`
  }
}

function rowXml(
  number: number,
  cells: readonly Scalar[],
  links: Links,
  style: number = styles.plain,
): string {
  let xml = `<row r="${number}">`
  for (const [column, value] of cells.entries()) {
    if (value === null || value === "") continue
    xml += cellXml(`${columnName(column)}${number}`, value, links, style)
  }
  return `${xml}</row>`
}

const styled = (style: number) => (style === styles.plain ? "" : ` s="${style}"`)

function cellXml(cell: string, value: Exclude<Scalar, null>, links: Links, style: number): string {
  const own = `<c r="${cell}"`
  if (typeof value === "boolean") return `${own} t="b"><v>${value ? 1 : 0}</v></c>`
  if (typeof value === "number" && !(Number.isInteger(value) && Math.abs(value) > maxExact)) {
    return `${own}><v>${value}</v></c>`
  }
  const text = String(value)
  const date = style === styles.plain ? dateCell(text) : undefined
  if (date) return `${own}${styled(date.style)}><v>${date.value}</v></c>`
  const isLinked = style === styles.plain && isLink(text) && links.add(cell, text)
  const whole = text.length > maxText ? `${text.slice(0, maxText - 1)}…` : text
  return `${own}${styled(isLinked ? styles.link : style)} t="inlineStr"><is><t xml:space="preserve">${escaped(whole)}</t></is></c>`
}

const names: string[] = []

/** A, B … Z, AA … */
function columnName(column: number): string {
  names[column] ??=
    (column >= 26 ? columnName(Math.floor(column / 26) - 1) : "") +
    String.fromCharCode(65 + (column % 26))
  return names[column]
}

const entities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", "\r": "&#13;" }

/** Escapes text: removes characters that XML forbids, and protects text that Excel would read as `_xHHHH_`. */
function escaped(text: string): string {
  return (
    text
      // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
      .replace(/[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g, "")
      .replace(/_(?=x[0-9a-f]{4}_)/gi, "_x005F_")
      .replace(/[&<>\r]/g, (character) => entities[character]!)
  )
}

const font = (before: string, after = "") =>
  `<font>${before}<sz val="11"/>${after}<name val="Calibri"/></font>`

/** Returns the parts of the workbook other than the sheets. */
function parts(sheets: number): Record<string, string> {
  const numbers = Array.from({ length: sheets }, (_, index) => index + 1)
  const sheetType = "application/vnd.openxmlformats-officedocument.spreadsheetml"
  const each = (one: (number: number) => string) => numbers.map(one).join("")
  return {
    "[Content_Types].xml": `${declaration}<Types xmlns="${packaging}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${sheetType}.sheet.main+xml"/><Override PartName="/xl/styles.xml" ContentType="${sheetType}.styles+xml"/>${each((n) => `<Override PartName="/xl/worksheets/sheet${n}.xml" ContentType="${sheetType}.worksheet+xml"/>`)}</Types>`,
    "_rels/.rels": `${declaration}<Relationships xmlns="${packaging}/relationships"><Relationship Id="rId1" Type="${relations}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    "xl/workbook.xml": `${declaration}<workbook xmlns="${main}" xmlns:r="${relations}"><sheets>${each((n) => `<sheet name="Items${n > 1 ? ` ${n}` : ""}" sheetId="${n}" r:id="rId${n}"/>`)}</sheets></workbook>`,
    "xl/_rels/workbook.xml.rels": `${declaration}<Relationships xmlns="${packaging}/relationships">${each((n) => `<Relationship Id="rId${n}" Type="${relations}/worksheet" Target="worksheets/sheet${n}.xml"/>`)}<Relationship Id="rId${sheets + 1}" Type="${relations}/styles" Target="styles.xml"/></Relationships>`,
    "xl/styles.xml": `${declaration}<styleSheet xmlns="${main}"><numFmts count="2"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd"/><numFmt numFmtId="165" formatCode="yyyy\\-mm\\-dd\\ hh:mm:ss"/></numFmts><fonts count="3">${font("")}${font("<b/>")}${font("<u/>", '<color rgb="FF0563C1"/>')}</fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="5"><xf fontId="0" xfId="0"/><xf fontId="1" xfId="0" applyFont="1"/><xf numFmtId="164" fontId="0" xfId="0" applyNumberFormat="1"/><xf numFmtId="165" fontId="0" xfId="0" applyNumberFormat="1"/><xf fontId="2" xfId="0" applyFont="1"/></cellXfs></styleSheet>`,
  }
}
