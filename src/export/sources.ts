import type { Db } from "../store/db/database.ts"
import type { StoredItem } from "../store/runs/items.ts"
import { sourcesOf } from "../store/runs/sources.ts"

/** Returns the JSON of an item with the row of its input, or null without a row. */
type Join = (item: Pick<StoredItem, "seq" | "body">) => string

const asIs: Join = ({ body }) => body

/** Returns the function that joins the items of a run to the rows of its input, if requested. */
export async function joiner(
  db: Db,
  runN: number,
  isRequested: boolean | undefined,
): Promise<Join> {
  if (!isRequested) return asIs
  const sources = await sourcesOf(db, runN)
  return ({ seq, body }) => {
    const source = `{"source":${sources.get(seq) ?? "null"}`
    return body === "{}" ? `${source}}` : `${source},${body.slice(1)}`
  }
}
