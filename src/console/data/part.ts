/** Some of a list, and where it goes on. */
export interface Part<T> {
  items: T[]
  total: number
  nextCursor: string | null
}
