/** A part of a list, as callers ask for it. */
export interface Page {
  limit: number
  offset: number
}

export interface Listed<Row> {
  rows: Row[]
  /** Of the whole list. */
  total: number
}
