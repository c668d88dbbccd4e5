/** One page of a list, and the cursor of the next. */
export interface Part<T> {
  items: T[]
  total: number
  nextCursor: string | null
}

/** Returns the path of a page of a list; the first page without a cursor. */
export const partPath = (path: string, limit: number, cursor?: string) =>
  `${path}?${new URLSearchParams({ limit: String(limit), ...(cursor && { cursor }) })}`
