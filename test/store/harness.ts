import { describe } from "bun:test"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type Db, kyselyOn, kyselyOver, openSqlite } from "../../src/store/db/database.ts"
import { openPostgres } from "../../src/store/db/postgres/client.ts"
import type { NewRun } from "../../src/store/runs/runs.ts"
import type { FinishedTarget, TargetCommit } from "../../src/store/runs/targets.ts"
import { type OwnStore, openStore, openStoreAt, type Store } from "../../src/store/store.ts"
import type { RunRow } from "../../src/store/tables/schema.ts"
import { providedDatabase } from "../migrated.ts"
import { emptyDatabase, freshDatabase, hasPostgres } from "../postgres.ts"
import { processFolder } from "../temporary.ts"

export interface OpenStore {
  store: OwnStore
  dataDir: string
  /** Opens a connection that writes without the store's commands. */
  writing(): Db
  close(): Promise<void>
}

type FreshStore = () => Promise<OpenStore>

export function freshStore(): OpenStore {
  const dataDir = mkdtempSync(join(tmpdir(), "trawl-store-"))
  const store = openStore(providedDatabase(dataDir))
  return {
    store,
    dataDir,
    writing: () => kyselyOver(openSqlite(store.database, "write")),
    async close() {
      await store.close()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

let place: ReturnType<typeof postgresPlace> | undefined

/** One database and one store for all tests of a process: a store's connections take more than a test. */
async function postgresPlace() {
  const where = { databaseUrl: await freshDatabase(), dataDir: processFolder("trawl-store-") }
  return { ...where, store: await openStoreAt(where) }
}

async function freshPostgres(): Promise<OpenStore> {
  const isFirst = place === undefined
  place ??= postgresPlace()
  const { databaseUrl, dataDir, store } = await place
  if (!isFirst) await emptyDatabase(databaseUrl)
  return {
    store,
    dataDir,
    writing: () => kyselyOn(openPostgres(databaseUrl, 1)),
    close: async () => {},
  }
}

/** Declares the same tests on SQLite and on PostgreSQL. */
export function onEachStore(tests: (freshStore: FreshStore) => void): void {
  describe("on SQLite", () => tests(async () => freshStore()))
  describe.skipIf(!hasPostgres)("on PostgreSQL", () => tests(freshPostgres))
}

export const at = "2026-01-02T03:04:05.678Z"

export function newRun(id: string, keys: string[], more: Partial<NewRun> = {}): NewRun {
  return {
    id,
    datasetId: `ds_${id}`,
    slug: "any",
    input: {},
    accountId: null,
    origin: "api",
    maxItems: null,
    maxPages: null,
    timeoutSeconds: 60,
    createdAt: at,
    targets: keys.map((key) => ({ key, target: JSON.stringify(key) })),
    ...more,
  }
}

/** Starts a run with these targets, and claims it for a worker. */
export async function runningRun(
  store: Store,
  id: string,
  keys: string[],
  more: Partial<NewRun> = {},
): Promise<RunRow> {
  await store.write("runs.create", newRun(id, keys, more))
  return (await store.write("runs.claim", { id, at }))!
}

export function finished(seq: number, more: Partial<FinishedTarget> = {}): FinishedTarget {
  return {
    seq,
    failed: false,
    staged: 0,
    items: [],
    followed: [],
    pages: 1,
    unlockerPages: 0,
    bytes: 0,
    remembered: {},
    tables: [],
    ...more,
  }
}

export function commitOf(run: RunRow, more: Partial<TargetCommit>): TargetCommit {
  return {
    runN: run.n,
    attempt: run.attempt,
    started: [],
    notes: [],
    finished: [],
    runId: run.id,
    accountId: run.account_id,
    memoryOwner: run.account_id ?? "",
    keyId: run.key_id,
    slug: run.slug,
    tier: "free",
    at,
    ...more,
  }
}

export const good = (value: unknown) => ({ body: JSON.stringify(value), isError: false })
export const bad = (code: string) => ({
  body: JSON.stringify({ error: { code, message: "It did not work." } }),
  isError: true,
})
