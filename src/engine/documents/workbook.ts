import { decodeEntities } from "../../extract/core/index.ts"
import { documentsHere } from "./host.ts"

/**
 * The rows of a workbook's first sheet that holds any, cell by cell. It is read in a thread of its own,
 * within limits of time and memory. @throws Error that says what is wrong with it
 */
export async function workbookRows(
  bytes: Uint8Array<ArrayBuffer>,
  signal = new AbortController().signal,
): Promise<string[][]> {
  const url = "file:///workbook.xlsx"
  const { html } = await documentsHere().read({ bytes, format: "xlsx", url }, signal)
  const table = /<table>([\s\S]*?)<\/table>/.exec(new TextDecoder().decode(html))?.[1] ?? ""
  return table.split("<tr>").slice(1).map(cellsOf)
}

/** Cells hold text, breaks and links, and nothing else. */
const cellsOf = (row: string) =>
  [...row.matchAll(/<t[hd]>([\s\S]*?)<\/t[hd]>/g)].map(([, cell = ""]) =>
    decodeEntities(cell.replaceAll("<br>", "\n").replace(/<[^<>]*>/g, "")).trim(),
  )
