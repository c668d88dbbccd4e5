/** Formats of single cells of a sheet: numbers, dates and links. */

/** Styles by their index in `xl/styles.xml`. */
export const styles = { plain: 0, header: 1, day: 2, moment: 3, link: 4 } as const

const dayMs = 86_400_000
/** Day 0 of a workbook, which treats 1900 as a leap year. */
const epoch = Date.UTC(1899, 11, 30)
const firstDay = Date.UTC(1900, 2, 1)
const isoDay = /^\d{4}-\d{2}-\d{2}$/
const isoMoment = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})$/

/** Returns the number and style of a day or time (UTC); undefined for other texts. */
export function dateCell(text: string): { value: number; style: number } | undefined {
  const isDay = isoDay.test(text)
  if (!isDay && !isoMoment.test(text)) return undefined
  const at = Date.parse(text)
  if (Number.isNaN(at) || at < firstDay) return undefined
  const value = Math.round(((at - epoch) / dayMs) * 1e8) / 1e8
  return { value, style: isDay ? styles.day : styles.moment }
}

/** Maximum characters of a link; Excel reports longer ones as broken. */
const maxLink = 2_000

/** Whether a cell is a URL and nothing else. */
export const isLink = (text: string): boolean =>
  text.length <= maxLink && /^https?:\/\/[^\s"<>]+$/i.test(text) && URL.canParse(text)

const [narrowest, widest] = [8, 60]

/** Returns the widths of columns in characters, by their header and some of their cells. */
export function widthsOf(rows: readonly (readonly unknown[])[]): number[] {
  const widths: number[] = []
  for (const row of rows) {
    for (const [column, value] of row.entries()) {
      const text = value === null || value === undefined ? "" : String(value)
      const maxLine = text.split("\n", 20).reduce((max, line) => Math.max(max, line.length), 0)
      widths[column] = Math.min(widest, Math.max(widths[column] ?? narrowest, maxLine + 2))
    }
  }
  return widths
}
