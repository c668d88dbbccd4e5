import { fileLink } from "../../accounts/file-links.ts"
import { shotForms } from "../../catalogue/kit/index.ts"
import { filePath } from "../../engine/net/files/files.ts"
import type { Db } from "../../store/db/database.ts"
import { fileById } from "../../store/files/files.ts"

type Item = Record<string, unknown>

/** A file named in an item. */
export interface ItemFile {
  /** Field of the item. */
  field: string
  id: string
  url: string
  contentType: string
  bytes: number
}

/** Paths in the data folder end like the API's URLs: with the file ID. */
const named = /\/(file_[0-9a-f]{32})(?:\?|$)/

/** The files named in an item. */
export function filesOf(item: Item): ItemFile[] {
  return shotForms.flatMap((field) => {
    const file = item[field] as ItemFile | undefined
    const [, id] = named.exec(String(file?.url ?? "")) ?? []
    return file && id ? [{ ...file, field, id }] : []
  })
}

/** Returns an item with file URLs that need no key: links that are valid for a day. */
export async function withLinks(
  db: Db,
  item: Item,
  { root, accountId }: { root: string; accountId: string | null },
): Promise<Item> {
  const linked = { ...item }
  const now = new Date()
  for (const { field, id, ...file } of filesOf(item)) {
    // A scraped page could name the file of another account.
    const row = await fileById(db, id, now.toISOString())
    if (row?.account_id !== accountId) continue
    const query = accountId === null ? "" : `?${await fileLink(db, id, now)}`
    linked[field] = { ...file, url: root + filePath(id) + query }
  }
  const { actionScreenshots } = item
  if (!Array.isArray(actionScreenshots)) return linked
  const whose = { root, accountId }
  const images = actionScreenshots.map((screenshot) => withLinks(db, { screenshot }, whose))
  const fileLinks = await Promise.all(images)
  return { ...linked, actionScreenshots: fileLinks.map(({ screenshot }) => screenshot) }
}
