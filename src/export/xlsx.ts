import type { Scalar } from "./flatten.ts"
import { type TableOptions, table } from "./table.ts"
import { ZipWriter } from "./zip.ts"

/** What a sheet holds at most, its header included. */
const mostRows = 1_048_576
const mostColumns = 16_383
/** Characters of a cell; Excel takes a file with longer ones for broken. */
const longestText = 32_767
/** Of one sheet before it is packed: an entry of the archive has its size in 32 bits. */
const largestSheet = 2_000_000_000
/** Whole numbers above have more digits than a cell keeps. */
const largestExact = 999_999_999_999_999

/** Items as an Excel workbook, made while it is sent; what one sheet cannot hold stands on the next. */
export async function* xlsx(
  items: AsyncIterable<Record<string, unknown>>,
  options: TableOptions,
  limits: { rows?: number } = {},
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const zip = new ZipWriter()
  const rows = table(items, { ...options, mostColumns })
  const { value: header } = await rows.next()
  let next = await rows.next()
  let sheets = 0
  do {
    yield zip.begin(`xl/worksheets/sheet${++sheets}.xml`)
    let size = 0
    let text = `${sheetHead}${rowXml(1, header ?? [], ' s="1"')}`
    for (let number = 2; !next.done; number++) {
      if (number > (limits.rows ?? mostRows) || size > largestSheet) break
      text += rowXml(number, next.value)
      if (text.length > 64 * 1024) {
        size += text.length
        yield zip.write(text)
        text = ""
      }
      next = await rows.next()
    }
    yield zip.write(`${text}</sheetData></worksheet>`)
    yield zip.end()
  } while (!next.done)
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

/** The header stays in sight. */
const sheetHead = `${declaration}<worksheet xmlns="${main}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><sheetData>`

function rowXml(number: number, cells: readonly Scalar[], style = ""): string {
  let xml = `<row r="${number}">`
  for (const [column, value] of cells.entries()) {
    if (value === null || value === "") continue
    xml += cellXml(`r="${columnName(column)}${number}"${style}`, value)
  }
  return `${xml}</row>`
}

function cellXml(attributes: string, value: Exclude<Scalar, null>): string {
  if (typeof value === "boolean") return `<c ${attributes} t="b"><v>${value ? 1 : 0}</v></c>`
  if (typeof value === "number" && !(Number.isInteger(value) && Math.abs(value) > largestExact)) {
    return `<c ${attributes}><v>${value}</v></c>`
  }
  const text = String(value)
  const whole = text.length > longestText ? `${text.slice(0, longestText - 1)}…` : text
  return `<c ${attributes} t="inlineStr"><is><t xml:space="preserve">${escaped(whole)}</t></is></c>`
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

/** What XML cannot hold is left out; what Excel would read as a character's number is told apart. */
function escaped(text: string): string {
  return (
    text
      // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
      .replace(/[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g, "")
      .replace(/_(?=x[0-9a-f]{4}_)/gi, "_x005F_")
      .replace(/[&<>\r]/g, (character) => entities[character]!)
  )
}

/** All beside the sheets. */
function parts(sheets: number): Record<string, string> {
  const numbers = Array.from({ length: sheets }, (_, index) => index + 1)
  const sheetType = "application/vnd.openxmlformats-officedocument.spreadsheetml"
  const each = (one: (number: number) => string) => numbers.map(one).join("")
  return {
    "[Content_Types].xml": `${declaration}<Types xmlns="${packaging}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${sheetType}.sheet.main+xml"/><Override PartName="/xl/styles.xml" ContentType="${sheetType}.styles+xml"/>${each((n) => `<Override PartName="/xl/worksheets/sheet${n}.xml" ContentType="${sheetType}.worksheet+xml"/>`)}</Types>`,
    "_rels/.rels": `${declaration}<Relationships xmlns="${packaging}/relationships"><Relationship Id="rId1" Type="${relations}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    "xl/workbook.xml": `${declaration}<workbook xmlns="${main}" xmlns:r="${relations}"><sheets>${each((n) => `<sheet name="Items${n > 1 ? ` ${n}` : ""}" sheetId="${n}" r:id="rId${n}"/>`)}</sheets></workbook>`,
    "xl/_rels/workbook.xml.rels": `${declaration}<Relationships xmlns="${packaging}/relationships">${each((n) => `<Relationship Id="rId${n}" Type="${relations}/worksheet" Target="worksheets/sheet${n}.xml"/>`)}<Relationship Id="rId${sheets + 1}" Type="${relations}/styles" Target="styles.xml"/></Relationships>`,
    "xl/styles.xml": `${declaration}<styleSheet xmlns="${main}"><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="2"><xf fontId="0" xfId="0"/><xf fontId="1" xfId="0" applyFont="1"/></cellXfs></styleSheet>`,
  }
}
