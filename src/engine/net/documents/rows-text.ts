import { decodeEntities } from "../../../extract/core/index.ts"

/** Control characters for records and units, which cells never contain. */
const [rowEnd, cellEnd] = ["\u001e", "\u001f"]

/**
 * Returns the rows of the first table in a workbook's HTML as one string, which `rowsOf` splits.
 */
export function rowsText(html: string): string {
  const table = /<table>([\s\S]*?)<\/table>/.exec(html)?.[1] ?? ""
  return table
    .split("<tr>")
    .slice(1)
    .map((row) => cellsOf(row).join(cellEnd))
    .join(rowEnd)
}

/** Cells contain only text, breaks and links. */
const cellsOf = (row: string) =>
  [...row.matchAll(/<t[hd]>([\s\S]*?)<\/t[hd]>/g)].map(([, cell = ""]) =>
    decodeEntities(cell.replaceAll("<br>", "\n").replace(/<[^<>]*>/g, ""))
      .replaceAll(rowEnd, " ")
      .replaceAll(cellEnd, " ")
      .trim(),
  )

/** Yields the rows of `rowsText`, cell by cell. */
export function* rowsOf(text: string): Generator<string[]> {
  for (let from = 0; from < text.length; ) {
    const end = text.indexOf(rowEnd, from)
    const row = text.slice(from, end < 0 ? undefined : end)
    yield row.split(cellEnd)
    if (end < 0) return
    from = end + 1
  }
}
