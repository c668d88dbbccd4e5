/** One page of a list, and the cursor of the next. */
export interface Part<T> {
  items: T[]
  total: number
  nextCursor: string | null
}

/** Where a part of a list is asked for; its first one without a cursor. */
export const partPath = (path: string, limit: number, cursor?: string) =>
  `${path}?${new URLSearchParams({ limit: String(limit), ...(cursor && { cursor }) })}`
