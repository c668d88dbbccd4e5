import type { Db } from "../store/database.ts"
import type { StoredItem } from "../store/runs/items.ts"
import { sourcesOf } from "../store/runs/sources.ts"

/** An item's text with the row that was given beside its input, null where there is none. */
type Join = (item: Pick<StoredItem, "seq" | "body">) => string

const asIs: Join = ({ body }) => body

/** How the items of a run are joined to the rows of its input; as they are, where that is not asked for. */
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
