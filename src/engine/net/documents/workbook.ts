import type { Tenant } from "../../../base/fair-gate.ts"
import { documentsHere } from "./host.ts"
import { rowsOf } from "./rows-text.ts"

const rowsAtOnce = 1000

/**
 * Yields the rows of a workbook's first non-empty sheet, cell by cell. Another thread reads it,
 * with limits on time and memory.
 *
 * @throws Error with the reason why the workbook cannot be read
 */
export async function* workbookRows(
  bytes: Uint8Array<ArrayBuffer>,
  tenant: Tenant,
  signal = new AbortController().signal,
): AsyncGenerator<string[]> {
  const url = "file:///workbook.xlsx"
  const text = await documentsHere().rows({ bytes, format: "xlsx", url, tenant }, signal)
  let count = 0
  for (const row of rowsOf(text)) {
    if (++count % rowsAtOnce === 0) await new Promise((resolve) => setImmediate(resolve))
    yield row
  }
}
