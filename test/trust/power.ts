import { Database } from "bun:sqlite"
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { openStore } from "../../src/store/store.ts"
import { at, commitOf, finished, good, newRun } from "../store/harness.ts"

/**
 * A model of power loss. A sequence of acknowledged changes is recorded with the bytes of database
 * and log after each. A cut is a possible state of the disk when the power fails between two
 * written pages. It must contain exactly the changes up to the last one whose bytes are complete.
 */
const headerBytes = 32
const frameHeaderBytes = 24

/** The log between two restarts of it, and the database that it belongs to. */
interface Epoch {
  database: Uint8Array
  log: Uint8Array
  /** For each acknowledged change: the length of the log, and the content of the store. */
  acknowledged: { length: number; state: string }[]
  /** The content of the store at the start. */
  before: string
}

export interface Cut {
  what: string
  database: Uint8Array
  log: Uint8Array
  /** The content that the store must have. */
  state: string
}

const states = `SELECT json_array((SELECT count(*) FROM runs), (SELECT coalesce(max(id), '') FROM runs),
  (SELECT count(*) FROM items), (SELECT coalesce(sum(length(body)), 0) FROM items),
  (SELECT coalesce(sum(item_count), 0) FROM runs), (SELECT coalesce(sum(balance), 0) FROM accounts)) AS state`

const stateOf = (sqlite: Database) => (sqlite.query(states).get() as { state: string }).state

/** Makes the given number of changes, and records the disk's content after each. */
export async function recordWrites(changes: number): Promise<Epoch[]> {
  const dataDir = mkdtempSync(join(tmpdir(), "trawl-power-"))
  const store = openStore(dataDir)
  const accountId = "acc_power"
  await store.write("accounts.create", {
    id: accountId,
    email: null,
    passwordHash: null,
    unlimited: false,
    credits: 1_000_000,
    createdAt: new Date().toISOString(),
  })
  const reading = new Database(store.database, { readonly: true })
  const epochs: Epoch[] = []
  const read = () => ({
    log: new Uint8Array(readFileSync(`${store.database}-wal`)),
    state: stateOf(reading),
  })
  let last = read()
  const begin = () =>
    epochs.push({
      database: new Uint8Array(readFileSync(store.database)),
      log: last.log,
      acknowledged: [{ length: writtenBytes(last.log), state: last.state }],
      before: last.state,
    })
  begin()
  const note = () => {
    const before = last
    last = read()
    const epoch = epochs.at(-1)!
    // Another salt: the log was restarted, over a database with all changes of the previous one.
    const isNew = !sameBytes(before.log.subarray(16, 24), last.log.subarray(16, 24))
    if (isNew) {
      epochs.push({
        database: new Uint8Array(readFileSync(store.database)),
        log: last.log,
        acknowledged: [],
        before: before.state,
      })
    }
    const current = isNew ? epochs.at(-1)! : epoch
    current.log = last.log
    const length = writtenBytes(last.log)
    current.acknowledged.push({ length, state: last.state })
  }
  for (let change = 0; change < changes; change += 3) {
    const id = `run_${String(change).padStart(6, "0")}`
    await store.write("runs.create", newRun(id, ["a"], { accountId }))
    note()
    const run = (await store.write("runs.claim", { id, at }))!
    note()
    const items = Array.from({ length: 1 + (change % 7) }, (_, n) =>
      good({ n, text: "tide ".repeat(40 * (change % 50)) }),
    )
    await store.write("targets.commit", commitOf(run, { finished: [finished(0, { items })] }))
    note()
  }
  reading.close()
  await store.close()
  rmSync(dataDir, { recursive: true, force: true })
  return epochs
}

const sameBytes = (a: Uint8Array, b: Uint8Array) => Buffer.compare(a, b) === 0
const pageSizeOf = (log: Uint8Array) => new DataView(log.buffer, log.byteOffset).getUint32(8)

/** Returns the end of the frames with the log's salt; frames after them are from an earlier log. */
function writtenBytes(log: Uint8Array): number {
  const frame = frameHeaderBytes + pageSizeOf(log)
  const salt = log.subarray(16, 24)
  let end = headerBytes
  while (end + frame <= log.length && sameBytes(log.subarray(end + 8, end + 16), salt)) end += frame
  return end
}

/**
 * Returns every cut at a page of the log, with three kinds of torn end, and of the database during
 * a checkpoint.
 */
export function* cutsOf(epochs: readonly Epoch[]): Generator<Cut> {
  for (const [index, epoch] of epochs.entries()) {
    // Changes before the recording are not cut.
    const first = index === 0 ? epoch.acknowledged[0]!.length : headerBytes
    const { database, log, acknowledged, before } = epoch
    const frame = frameHeaderBytes + pageSizeOf(log)
    const end = acknowledged.at(-1)?.length ?? headerBytes
    const earlier = epochs[index - 1]?.log
    for (let length = first, n = 0; length <= end; length += frame, n++) {
      const state = acknowledged.findLast((one) => one.length <= length)?.state ?? before
      const whole = log.subarray(0, length)
      const kinds: [string, Uint8Array][] = [
        ["cut", whole],
        ["torn", log.subarray(0, Math.min(end, length + Math.floor(frame / 3)))],
        ["zeros", joined(whole, new Uint8Array(frame * 2))],
        // The content of the log before it was restarted.
        ...(earlier
          ? [["old end", joined(whole, earlier.subarray(length))] as [string, Uint8Array]]
          : []),
      ]
      const [kind, cut] = kinds[n % kinds.length]!
      yield { what: `log ${index}, page ${n}, ${kind}`, database, log: cut, state }
    }
    const next = epochs[index + 1]
    if (next) yield* copyCuts(epoch, next, index)
  }
}

/**
 * A checkpoint writes pages to the database in any order; the log is complete until it has ended.
 */
function* copyCuts(epoch: Epoch, next: Epoch, index: number): Generator<Cut> {
  const size = pageSizeOf(epoch.log)
  const pages = Math.ceil(next.database.length / size)
  const changed = Array.from({ length: pages }, (_, page) => page).filter(
    (page) =>
      !sameBytes(
        epoch.database.subarray(page * size, (page + 1) * size),
        next.database.subarray(page * size, (page + 1) * size),
      ),
  )
  const state = epoch.acknowledged.at(-1)?.state ?? epoch.before
  for (let done = 0; done <= changed.length; done++) {
    const database = new Uint8Array(done > 0 ? next.database.length : epoch.database.length)
    database.set(epoch.database)
    // Every other time from the end, with half of the last page.
    const order = done % 2 ? changed : changed.toReversed()
    for (const [n, page] of order.slice(0, done).entries()) {
      const to = page * size + (n === done - 1 && done % 3 === 0 ? size / 2 : size)
      database.set(next.database.subarray(page * size, to), page * size)
    }
    yield { what: `copy ${index}, page ${done}`, database, log: epoch.log, state }
  }
}

function joined(...parts: Uint8Array[]): Uint8Array {
  return new Uint8Array(Buffer.concat(parts))
}

/** Returns what is wrong with the store after a cut; null if nothing is. */
export function issueAfter({ what, database, log, state }: Cut, folder: string): string | null {
  const path = join(folder, "trawl.db")
  for (const file of [path, `${path}-wal`, `${path}-shm`]) if (existsSync(file)) rmSync(file)
  writeFileSync(path, database)
  writeFileSync(`${path}-wal`, log)
  const sqlite = new Database(path)
  try {
    const sound = (sqlite.query("PRAGMA integrity_check").get() as { integrity_check: string })
      .integrity_check
    if (sound !== "ok") return `${what}: ${sound}`
    const found = stateOf(sqlite)
    return found === state ? null : `${what}: ${found} instead of ${state}`
  } catch (error) {
    return `${what}: ${error}`
  } finally {
    sqlite.close()
  }
}
