import type { UnchangedReads } from "../../store/unchanged-reads.ts"

/** Items up to a token limit. */
export interface ItemPage {
  items: Record<string, unknown>[]
  texts: string[]
  /** Index of the first item. */
  from: number
  /** Items of the whole run so far. */
  total: number
  /**
   * Cursor of the rest; missing while the run is running, because its items have no final order
   * yet.
   */
  next?: string
  /** An item exceeded the limit on its own. */
  isShortened: boolean
}

/** In the URL of each file of a run. */
export const fileInPath = "/file_"

/** Pages that are read again as long as nothing changes. */
export type StoredPages = UnchangedReads<ItemPage>

/** Maximum characters of a page that stays in memory. */
const maxStoredChars = 20_000

/** Whether a page may stay in memory. URLs of files depend on the caller and the time. */
export const mayStay = ({ texts, isShortened }: ItemPage): boolean =>
  !isShortened &&
  texts.reduce((sum, { length }) => sum + length, 0) <= maxStoredChars &&
  !texts.some((text) => text.includes(fileInPath))
