import type { Item } from "./keyless.ts"
import { post, requestJson } from "./request.ts"

/** The part of a shared dataset that is displayed. */
export interface SharedView {
  id: string
  /** Secret of the link. */
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

/** Returns the secret that opens the dataset after the link's password was entered. */
export const unlocked = async (id: string, link: string, password: string): Promise<string> =>
  (await post<{ link: string }>(`/api/v1/datasets/${id}/links/unlock`, { link, password })).link
