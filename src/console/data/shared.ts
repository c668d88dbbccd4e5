import type { Item } from "./keyless.ts"
import { post, requestJson } from "./request.ts"

/** What of a shared dataset is looked at. */
export interface SharedView {
  id: string
  /** The secret of its URL. */
  link: string
  filter: string
  sort: string
}

export function sharedPath(
  { id, link, filter, sort }: SharedView,
  more: Record<string, string>,
): string {
  const query = new URLSearchParams({
    link,
    ...(filter && { filter }),
    ...(sort && { sort }),
    ...more,
  })
  return `/api/v1/datasets/${id}/items?${query}`
}

export const sharedItems = (view: SharedView, offset: number, limit: number, signal: AbortSignal) =>
  requestJson<{ items: Item[]; total: number }>(
    sharedPath(view, { columns: "filled", offset: String(offset), limit: String(limit) }),
    signal,
  )

/** Returns the link's secret as it opens the items, once its password was given. */
export const unlocked = async (id: string, link: string, password: string): Promise<string> =>
  (await post<{ link: string }>(`/api/v1/datasets/${id}/links/unlock`, { link, password })).link
