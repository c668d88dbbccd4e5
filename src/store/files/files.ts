import { type Expression, type ExpressionBuilder, type SqlBool, sql } from "kysely"
import { type Db, isPostgres } from "../db/database.ts"
import type { Listed, Page } from "../db/page.ts"
import { type Attempt, addCounts } from "../db/run-counts.ts"
import type { FilesTable, Tables } from "../tables/schema.ts"

export type FileRow = FilesTable

export interface NewFile extends Attempt {
  /** ID of a new file; a file that exists keeps its ID. */
  id: string
  seq: number
  name: string
  mediaType: string
  bytes: number
  sha256: string
  storage: FileRow["place"]
  at: string
  expiresAt: string | null
  /**
   * Maximum bytes of all files of a run and of an account; 0 means no limit. Files of anonymous
   * callers count together.
   */
  maxOfRun: number
  maxOfAccount: number
}

/** ID for storing the contents, or whose quota is exceeded. */
export type AddedFile = { id: string } | { full: "run" | "account" }

/**
 * Stores the row of a file before its contents, so that no contents remain without a row. A repeated
 * target gets the same file and ID again. @throws AttemptGivenUp
 */
export async function addFile(db: Db, file: NewFile): Promise<AddedFile> {
  await addCounts(db, file, {})
  const { runN, seq, name, maxOfRun, maxOfAccount } = file
  const { account_id: account } = await db
    .selectFrom("runs")
    .select("account_id")
    .where("n", "=", runN)
    .executeTakeFirstOrThrow()
  const before = await db
    .selectFrom("files")
    .select(["id", "bytes"])
    .where("run_n", "=", runN)
    .where("seq", "=", seq)
    .where("name", "=", name)
    .where("removed_at", "is", null)
    .executeTakeFirst()
  const more = file.bytes - (before?.bytes ?? 0)
  const isBelowLimit = async (max: number, of: Expression<SqlBool>) =>
    max === 0 || (await bytesOf(db, of)) + more <= max
  if (!(await isBelowLimit(maxOfRun, sql<SqlBool>`run_n = ${runN}`))) return { full: "run" }
  // With concurrent writers, the files of an account are counted one after the other.
  if (account !== null) await heldAccount(db, account)
  const ofAccount =
    account === null ? sql<SqlBool>`account_id IS NULL` : sql<SqlBool>`account_id = ${account}`
  if (!(await isBelowLimit(maxOfAccount, ofAccount))) return { full: "account" }
  const contents = {
    media_type: file.mediaType,
    bytes: file.bytes,
    sha256: file.sha256,
    place: file.storage,
    created_at: file.at,
    expires_at: file.expiresAt,
  }
  if (before) {
    await db.updateTable("files").set(contents).where("id", "=", before.id).execute()
    return { id: before.id }
  }
  const { id } = file
  await db
    .insertInto("files")
    .values({ id, account_id: account, run_n: runN, seq, name, removed_at: null, ...contents })
    .execute()
  return { id }
}

async function heldAccount(db: Db, id: string): Promise<void> {
  if (!isPostgres(db)) return
  await db.selectFrom("accounts").select("id").where("id", "=", id).forNoKeyUpdate().execute()
}

async function bytesOf(db: Db, of: Expression<SqlBool>): Promise<number> {
  const { bytes } = await db
    .selectFrom("files")
    .select((row) => row.fn.sum<number | null>("bytes").as("bytes"))
    .where("removed_at", "is", null)
    .where(of)
    .executeTakeFirstOrThrow()
  return bytes ?? 0
}

/** Selects the files that can be read: neither they nor their run are deleted or expired. */
const readable = (db: Db, now: string) =>
  db
    .selectFrom("files")
    .innerJoin("runs", "runs.n", "files.run_n")
    .where("files.removed_at", "is", null)
    .where("runs.deleted_at", "is", null)
    .where(({ or, eb }: ExpressionBuilder<Tables, "files" | "runs">) =>
      or([eb("files.expires_at", "is", null), eb("files.expires_at", ">", now)]),
    )

export async function fileById(db: Db, id: string, now: string): Promise<FileRow | undefined> {
  return readable(db, now).selectAll("files").where("files.id", "=", id).executeTakeFirst()
}

/** Returns the files of a run in the order of its targets. */
export async function filesOfRun(
  db: Db,
  runN: number,
  { limit, offset, cursor, now }: Page & { now: string },
): Promise<Listed<FileRow>> {
  const ofRun = readable(db, now).where("files.run_n", "=", runN)
  const [, seq, name] = /^(\d+)\.(.+)$/.exec(cursor ?? "") ?? []
  const rows = await ofRun
    .selectAll("files")
    .$if(seq !== undefined, (some) =>
      some.where(sql<boolean>`(files.seq, files.name) > (${Number(seq)}, ${name})`),
    )
    .orderBy("files.seq")
    .orderBy("files.name")
    // One additional row shows whether there is a next page.
    .limit(limit + 1)
    .offset(offset)
    .execute()
  const { total } = await ofRun
    .select((row) => row.fn.countAll<number>().as("total"))
    .executeTakeFirstOrThrow()
  const last = rows.length > limit ? rows.splice(limit) && rows.at(-1) : undefined
  return { rows, total, nextCursor: last ? `${last.seq}.${last.name}` : null }
}

/** Hides a file; returns whether it existed. */
export async function removeFile(db: Db, { id, at }: { id: string; at: string }): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable("files")
    .set({ removed_at: at })
    .where("id", "=", id)
    .where("removed_at", "is", null)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/** Hides all files of a run. */
export async function removeFilesOf(db: Db, runN: number, at: string): Promise<void> {
  await db
    .updateTable("files")
    .set({ removed_at: at })
    .where("run_n", "=", runN)
    .where("removed_at", "is", null)
    .execute()
}

/**
 * Returns IDs of hidden or expired files of a storage backend, whose contents are to be removed.
 */
export async function removableFiles(
  db: Db,
  { storage, now, limit }: { storage: FileRow["place"]; now: string; limit: number },
): Promise<string[]> {
  const ids = db.selectFrom("files").select("id").where("place", "=", storage).limit(limit)
  const lists = [ids.where("removed_at", "is not", null), ids.where("expires_at", "<=", now)]
  const removable = new Set<string>()
  for (const list of lists) for (const { id } of await list.execute()) removable.add(id)
  return [...removable]
}

/** Deletes the rows of files whose contents were removed. */
export async function dropFiles(db: Db, { ids }: { ids: string[] }): Promise<void> {
  await db.deleteFrom("files").where("id", "in", ids).execute()
}
