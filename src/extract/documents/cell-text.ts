import type { XmlElement } from "../core/index.ts"

export interface CellStyles {
  /** Texts that cells share. */
  shared: string[]
  /**
   * Per style: the parts of a time that its format displays, or a percentage; undefined for a
   * number.
   */
  formats: (Format | undefined)[]
  /** Whether days are counted from 1904, as on old Macs. */
  from1904: boolean
}

type DateVisible = "date" | "time" | "both"
type Format = DateVisible | "percent"

/** Returns the displayed text of a cell. */
export function cellText(
  { type, style, text }: { type: string; style: number; text: string },
  { shared, formats, from1904 }: CellStyles,
): string {
  if (type === "s") return shared[Number(text)] ?? ""
  if (type === "b") return text === "1" ? "TRUE" : "FALSE"
  if (type !== "n" || text === "") return text
  const visible = formats[style]
  const value = Number(text)
  if (!Number.isFinite(value)) return text
  if (visible === undefined) return numberText(value)
  return visible === "percent"
    ? `${numberText(value * 100)}%`
    : momentText(value, visible, from1904)
}

/** Returns a number without rounding errors of binary fractions: 0.3 for 0.1 + 0.2. */
const numberText = (value: number) =>
  Math.abs(value) >= 1e15 ? String(value) : String(Number(value.toPrecision(15)))

const dayMs = 86_400_000

function momentText(days: number, visible: DateVisible, from1904: boolean): string {
  // Excel counts 29 February 1900, a day that did not exist.
  const since = from1904 ? Date.UTC(1904, 0, 1) : Date.UTC(1899, 11, days < 60 ? 31 : 30)
  const moment = new Date(since + Math.round((days * dayMs) / 1000) * 1000)
  if (Number.isNaN(moment.getTime())) return String(days)
  const [date, time] = moment.toISOString().slice(0, 19).split("T") as [string, string]
  // Less than a day is a time of day, whatever the format is.
  if (visible === "time" || (days < 1 && !from1904)) return time
  return visible === "date" || time === "00:00:00" ? date : `${date} ${time}`
}

/** Number formats that every workbook has, by number. */
const builtIn = new Map<number, Format>([
  [9, "percent"],
  [10, "percent"],
  ...[14, 15, 16, 17, 27, 28, 29, 30, 31, 36, 50, 51, 52, 53, 54, 57, 58].map(
    (id) => [id, "date"] as const,
  ),
  ...[18, 19, 20, 21, 32, 33, 34, 35, 45, 46, 47, 55, 56].map((id) => [id, "time"] as const),
  [22, "both"],
])

export function cellFormats(styles: XmlElement | undefined): (Format | undefined)[] {
  const own = new Map<number, Format | undefined>()
  for (const format of styles?.first("numFmts")?.all("numFmt") ?? []) {
    own.set(Number(format.attribute("numFmtId")), formatOf(format.attribute("formatCode") ?? ""))
  }
  return (styles?.first("cellXfs")?.all("xf") ?? []).map((style) => {
    const id = Number(style.attribute("numFmtId") ?? 0)
    return own.has(id) ? own.get(id) : builtIn.get(id)
  })
}

/** Returns the kind of a number format by its letters, without quoted texts, colours and conditions. */
function formatOf(code: string): Format | undefined {
  const letters = code
    .replace(/"[^"]*"|\\.|_.|\*.|\[(?!h+\]|m+\]|s+\])[^\]]*\]/gi, "")
    .split(";")[0]!
    .replace(/AM\/PM|A\/P/gi, "h")
  const date = /[dy]/i.test(letters) || /mmm/i.test(letters)
  const time = /[hs]/i.test(letters)
  if (date && time) return "both"
  if (date) return "date"
  if (time) return "time"
  return letters.includes("%") ? "percent" : undefined
}
