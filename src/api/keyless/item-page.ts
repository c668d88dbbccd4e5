import { isErrorItem } from "../../engine/runtime/run/checkpoints.ts"
import { pick } from "../../export/table.ts"
import { itemBodies } from "../../store/runs/items.ts"
import type { RunRow } from "../../store/tables/schema.ts"
import { withLinks } from "../http/item-files.ts"
import { shortened } from "../items/shortened.ts"
import { tokensOf } from "../items/tokens.ts"
import type { Service } from "../service.ts"

type Item = Record<string, unknown>

/** The requested part of a run's items. */
export interface ItemWindow {
  /** Only these fields of the items. */
  pick?: string[] | undefined
  /** Approximate maximum tokens. Without it, all items are returned. */
  maxTokens?: number | undefined
  /** Number of items to skip. */
  cursor?: number | undefined
}

interface ItemPage {
  items: Item[]
  /** Position of the next page; undefined on the last page. */
  next?: number
  /** Tokens of an item that exceeded the limit on its own and was shortened. */
  wholeTokens?: number
}

/** Reads items up to the token limit, at least one, shortened if necessary. */
export async function pageOfItems(
  { store }: Pick<Service, "store">,
  run: RunRow,
  { pick: fields, maxTokens = Number.POSITIVE_INFINITY, cursor = 0 }: ItemWindow,
  { limit, root }: { limit: number; root: string },
): Promise<ItemPage> {
  const items: Item[] = []
  let left = maxTokens
  const whose = { root, accountId: run.account_id }
  const from = { offset: cursor, limit: Math.max(0, limit - cursor) }
  for await (const body of itemBodies(store.db, run.n, from)) {
    const linked = await withLinks(store.db, JSON.parse(body), whose)
    const isError = isErrorItem(linked)
    const item = pick(linked, fields && !isError ? { fields } : {})
    const cost = Number.isFinite(maxTokens) ? tokensOf(JSON.stringify(item)) : 0
    if (cost <= left) {
      items.push(item)
      left -= cost
      continue
    }
    if (items.length > 0) return { items, next: cursor + items.length }
    const total = Math.min(limit, run.item_count + run.error_count)
    const isMore = cursor + 1 < total
    return {
      items: [shortened(item, maxTokens)],
      wholeTokens: cost,
      ...(isMore && { next: cursor + 1 }),
    }
  }
  return { items }
}
