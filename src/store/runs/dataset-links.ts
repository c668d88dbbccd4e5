import type { Insertable, Selectable } from "kysely"
import type { Db } from "../db/database.ts"
import { type Listed, listed, type Page } from "../db/page.ts"
import type { DatasetLinksTable } from "../tables/schema.ts"

export type DatasetLinkRow = Selectable<DatasetLinksTable>

/** Returns false if the dataset has the maximum number of links. */
export async function createDatasetLink(
  db: Db,
  { maximum: max, ...link }: Insertable<DatasetLinksTable> & { maximum: number },
): Promise<boolean> {
  const now = link.created_at
  const { total } = await datasetLinks(db, link.dataset_id, now, { limit: 1, offset: 0 })
  if (total >= max) return false
  await db.insertInto("dataset_links").values(link).execute()
  return true
}

/** Returns the valid links to a dataset, newest first. */
export async function datasetLinks(
  db: Db,
  datasetId: string,
  now: string,
  page: Page,
): Promise<Listed<DatasetLinkRow>> {
  const query = db
    .selectFrom("dataset_links")
    .where("dataset_id", "=", datasetId)
    .where("expires_at", ">", now)
    .selectAll()
  return listed(query, page, "id")
}

/**
 * Returns the link to this dataset by the hash of its secret; undefined while its account is
 * locked.
 */
export async function openDatasetLink(
  db: Db,
  { hash, datasetId, now }: { hash: string; datasetId: string; now: string },
): Promise<DatasetLinkRow | undefined> {
  return db
    .selectFrom("dataset_links")
    .innerJoin("accounts", "accounts.id", "dataset_links.account_id")
    .selectAll("dataset_links")
    .where("locked_at", "is", null)
    .where("hash", "=", hash)
    .where("dataset_id", "=", datasetId)
    .where("expires_at", ">", now)
    .executeTakeFirst()
}

/** Returns whether the link existed. */
export async function revokeDatasetLink(
  db: Db,
  { id, datasetId }: { id: string; datasetId: string },
): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom("dataset_links")
    .where("id", "=", id)
    .where("dataset_id", "=", datasetId)
    .executeTakeFirstOrThrow()
  return numDeletedRows > 0n
}
