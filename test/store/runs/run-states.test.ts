import { Database } from "bun:sqlite"
import { expect, test } from "bun:test"
import fc from "fast-check"
import { isOver, runById, runMoves } from "../../../src/store/runs/runs.ts"
import { databasePath, type Store } from "../../../src/store/store.ts"
import type { RunRow } from "../../../src/store/tables/schema.ts"
import { at, bad, commitOf, finished, freshStore, good, newRun } from "../harness.ts"

const keys = ["a", "b", "c", "d"]

/** What may happen to a run, in any order, also when it makes no sense. */
const event = fc.oneof(
  fc.constantFrom("claim", "abort", "resume").map((verb) => ({ verb }) as const),
  fc.record({
    verb: fc.constant("finish" as const),
    status: fc.constantFrom("succeeded", "failed", "timed_out", "aborted"),
    stale: fc.boolean(),
  }),
  fc.record({
    verb: fc.constant("requeue" as const),
    cause: fc.constantFrom("stop", "room", "worker", "process"),
    stale: fc.boolean(),
  }),
  fc.record({
    verb: fc.constant("commit" as const),
    seq: fc.nat({ max: 5 }),
    failed: fc.boolean(),
    follows: fc.boolean(),
    begun: fc.nat({ max: 5 }),
  }),
  fc.record({ verb: fc.constant("spill" as const), seq: fc.nat({ max: 5 }) }),
)
type Event = typeof event extends fc.Arbitrary<infer E> ? E : never

async function happen(store: Store, id: string, what: Event): Promise<void> {
  const run = (await runById(store.db, id))!
  const stale = "stale" in what && what.stale ? 1 : 0
  const attempt = run.attempt - stale
  switch (what.verb) {
    case "claim":
      return void (await store.write("runs.claim", { id, at }))
    case "abort":
      return void (await store.write("runs.abort", { id, at }))
    case "resume":
      return void (await store.write("runs.resume", { id }))
    case "finish": {
      const { status } = what
      const end = { id, attempt, status, error: null, capped: null, at }
      return void (await store.write("runs.finish", end))
    }
    case "requeue":
      return void (await store.write("runs.requeue", { id, attempt, cause: what.cause, at }))
    case "spill": {
      const spill = { runN: run.n, attempt, seq: what.seq, from: 0, items: [good("spilled")] }
      await store.write("items.discard", { runN: run.n, attempt, seq: what.seq })
      return store.write("items.spill", spill)
    }
    case "commit":
      return void (await store.write("targets.commit", commitFor(run, what)))
  }
}

function commitFor(run: RunRow, what: Extract<Event, { verb: "commit" }>) {
  const { seq, failed } = what
  const items = failed ? [bad("timeout")] : [good(seq), good("more")]
  const followed: [string, string][] = what.follows
    ? [
        [`f${seq}`, "1"],
        ["a", "1"],
      ]
    : []
  return commitOf(run, {
    begun: [what.begun],
    finished: [finished(seq, { items, failed, followed })],
  })
}

/** The counters tell what is stored, and times fit the state. */
function consistent(database: Database, run: RunRow): void {
  const one = (sql: string) => Object.values(database.query(sql).get(run.n) as object)[0]
  const items = "SELECT count(*) FROM items WHERE run_n = ?"
  const targets = "SELECT count(*) FROM targets WHERE run_n = ?"
  expect(run.item_count).toBe(one(`${items} AND is_error = 0`))
  expect(run.error_count).toBe(one(`${items} AND is_error = 1`))
  expect(run.targets_total).toBe(one(targets))
  expect(run.targets_done).toBe(one(`${targets} AND state IN ('done', 'failed')`))
  expect(run.targets_failed).toBe(one(`${targets} AND state = 'failed'`))
  expect(run.finished_at !== null).toBe(isOver(run.status))
  if (run.status === "queued") {
    expect(one(`${targets} AND state = 'running'`)).toBe(0)
    expect(one("SELECT count(*) FROM spilled_items WHERE run_n = ?")).toBe(0)
  }
}

test("whatever happens to a run, it makes only the moves of the table and its counters are true", async () => {
  const { store, dataDir, close } = freshStore()
  const database = new Database(databasePath(dataDir), { readonly: true })
  let number = 0
  await fc.assert(
    fc.asyncProperty(fc.array(event, { minLength: 5, maxLength: 40 }), async (events) => {
      const id = `run_${number++}`
      let before = await store.write("runs.create", newRun(id, keys))
      for (const what of events) {
        await happen(store, id, what).catch((error: Error) => {
          expect(error.name).toBe("AttemptGivenUp")
        })
        const after = (await runById(store.db, id))!
        if (after.status !== before.status) {
          expect(runMoves[before.status]).toContain(after.status)
        }
        if (isOver(before.status) && what.verb !== "resume") expect(after).toEqual(before)
        consistent(database, after)
        before = after
      }
    }),
    { numRuns: 300 },
  )
  database.close()
  await close()
}, 60_000)

test("a run never ends before it began, also when the clock was set back", async () => {
  const open = freshStore()
  const id = "run_back"
  await open.store.write("runs.create", newRun(id, ["a"]))
  await open.store.write("runs.claim", { id, at: "2026-01-02T04:20:00.000Z" })
  const end = { attempt: 1, status: "succeeded", error: null, capped: null } as const
  const run = await open.store.write("runs.finish", { id, ...end, at: "2026-01-02T03:20:00.000Z" })
  expect(run!.finished_at).toBe("2026-01-02T04:20:00.000Z")
  await open.close()
})
