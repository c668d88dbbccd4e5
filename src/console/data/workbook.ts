import { strFromU8, unzipSync } from "fflate"

/**
 * Maximum unpacked bytes of a sheet; larger ones are refused, so that a compressed file cannot fill
 * the memory.
 */
const maxUnpacked = 100_000_000

/** Returns the rows of a workbook's first sheet as texts. @throws Error */
export function rowsOfWorkbook(file: Uint8Array): string[][] {
  const parts = partsOf(file)
  const sheet = Object.keys(parts)
    .filter((path) => path.startsWith("xl/worksheets/"))
    .sort((a, b) => a.localeCompare(b, "en", { numeric: true }))[0]
  if (!sheet) throw new Error("The workbook has no sheet.")
  const shared = parts["xl/sharedStrings.xml"]
  const texts = shared ? [...all(xml(shared), "si")].map(textOf) : []
  return [...all(xml(parts[sheet]!), "row")].map((row) => {
    const cells: string[] = []
    for (const cell of all(row, "c")) {
      const column = columnOf(cell.getAttribute("r")) ?? cells.length
      while (cells.length < column) cells.push("")
      cells[column] = cellText(cell, texts)
    }
    return cells
  })
}

function partsOf(file: Uint8Array): Record<string, Uint8Array> {
  let left = maxUnpacked
  try {
    return unzipSync(file, {
      filter: ({ name, originalSize }) => {
        if (!/^xl\/(?:sharedStrings|worksheets\/[^/]+)\.xml$/.test(name)) return false
        left -= originalSize
        if (left < 0) throw new Error("large")
        return true
      },
    })
  } catch {
    throw new Error("The workbook could not be read. Save it as CSV and drop the CSV file.")
  }
}

const xml = (part: Uint8Array) =>
  new DOMParser().parseFromString(strFromU8(part), "application/xml")

const all = (parent: Document | Element, name: string) => parent.getElementsByTagNameNS("*", name)

const textOf = (element: Element) => [...all(element, "t")].map((t) => t.textContent).join("")

function cellText(cell: Element, texts: string[]): string {
  const type = cell.getAttribute("t")
  if (type === "inlineStr") return textOf(cell)
  const value = all(cell, "v")[0]?.textContent ?? ""
  return type === "s" ? (texts[Number(value)] ?? "") : value
}

/**
 * Returns the number of a cell's column, for example 28 for `AB12`. A sheet has at most 16,384
 * columns.
 */
function columnOf(reference: string | null): number | undefined {
  const letters = /^[A-Z]{1,3}(?=\d)/.exec(reference ?? "")?.[0]
  if (!letters) return undefined
  return [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1
}
