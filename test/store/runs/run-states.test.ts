import { expect, test } from "bun:test"
import fc from "fast-check"
import { sql } from "kysely"
import { type Db, isPostgres } from "../../../src/store/db/database.ts"
import { isOver, runById, runMoves } from "../../../src/store/runs/runs.ts"
import { queuedTargets } from "../../../src/store/runs/targets.ts"
import type { Store } from "../../../src/store/store.ts"
import type { RunRow } from "../../../src/store/tables/schema.ts"
import { isRunningAll } from "../../samples.ts"
import { at, bad, commitOf, finished, good, newRun, onEachStore, runningRun } from "../harness.ts"

const keys = ["a", "b", "c", "d"]

/** Events of a run, in any order, even if it makes no sense. */
const event = fc.oneof(
  fc.constantFrom("claim", "abort", "resume").map((command) => ({ command }) as const),
  fc.record({
    command: fc.constant("finish" as const),
    status: fc.constantFrom("succeeded", "failed", "timed_out", "aborted"),
    stale: fc.boolean(),
  }),
  fc.record({
    command: fc.constant("requeue" as const),
    cause: fc.constantFrom("stop", "room", "worker", "process"),
    stale: fc.boolean(),
  }),
  fc.record({
    command: fc.constant("commit" as const),
    seq: fc.nat({ max: 5 }),
    failed: fc.boolean(),
    follows: fc.boolean(),
    begun: fc.nat({ max: 5 }),
  }),
  fc.record({ command: fc.constant("spill" as const), seq: fc.nat({ max: 5 }) }),
)
type Event = typeof event extends fc.Arbitrary<infer E> ? E : never

async function happen(store: Store, id: string, what: Event): Promise<void> {
  const run = (await runById(store.db, id))!
  const stale = "stale" in what && what.stale ? 1 : 0
  const attempt = run.attempt - stale
  switch (what.command) {
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
      const stage = { runN: run.n, attempt, seq: what.seq, from: 0, items: [good("spilled")] }
      await store.write("items.discard", { runN: run.n, attempt, seq: what.seq })
      return store.write("items.stage", stage)
    }
    case "commit":
      return void (await store.write("targets.commit", commitFor(run, what)))
  }
}

function commitFor(run: RunRow, what: Extract<Event, { command: "commit" }>) {
  const { seq, failed } = what
  const items = failed ? [bad("timeout")] : [good(seq), good("more")]
  const followed: [string, string][] = what.follows
    ? [
        [`f${seq}`, "1"],
        ["a", "1"],
      ]
    : []
  return commitOf(run, {
    started: [what.begun],
    finished: [finished(seq, { items, failed, followed })],
  })
}

/** Expects that the counters match the stored rows, and that times match the state. */
async function consistent(db: Db, run: RunRow): Promise<void> {
  const { rows } = await sql<Record<string, number>>`
    SELECT
      (SELECT count(*) FROM items WHERE run_n = ${run.n} AND is_error = 0) AS items,
      (SELECT count(*) FROM items WHERE run_n = ${run.n} AND is_error = 1) AS errors,
      (SELECT count(*) FROM staged_items WHERE run_n = ${run.n}) AS staged,
      count(*) AS total,
      count(*) FILTER (WHERE state IN ('done', 'failed')) AS done,
      count(*) FILTER (WHERE state = 'failed') AS failed,
      count(*) FILTER (WHERE state = 'running') AS running
    FROM targets WHERE run_n = ${run.n}`.execute(db)
  const [stored] = rows
  expect(stored).toMatchObject({
    items: run.item_count,
    errors: run.error_count,
    total: run.targets_total,
    done: run.targets_done,
    failed: run.targets_failed,
    ...(run.status === "queued" && { running: 0, staged: 0 }),
  })
  expect(run.finished_at !== null).toBe(isOver(run.status))
}

onEachStore((freshStore) => {
  test("whatever happens to a run, it makes only the listed transitions and its counters are right", async () => {
    const { store, close } = await freshStore()
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
          if (isOver(before.status) && what.command !== "resume") expect(after).toEqual(before)
          await consistent(store.db, after)
          before = after
        }
      }),
      // The same commands; each is slower by the round trip to the other process.
      { numRuns: (isPostgres(store.db) ? 20 : 60) * (isRunningAll ? 5 : 2) },
    )
    await close()
  }, 240_000)

  test("a run never ends before it started, also when the clock was set back", async () => {
    const open = await freshStore()
    const id = "run_back"
    await open.store.write("runs.create", newRun(id, ["a"]))
    await open.store.write("runs.claim", { id, at: "2026-01-02T04:20:00.000Z" })
    const end = { attempt: 1, status: "succeeded", error: null, capped: null } as const
    const run = await open.store.write("runs.finish", {
      id,
      ...end,
      at: "2026-01-02T03:20:00.000Z",
    })
    expect(run!.finished_at).toBe("2026-01-02T04:20:00.000Z")
    await open.close()
  })

  test("a run that lost some of its targets in the database continues with them", async () => {
    const open = await freshStore()
    const { store } = open
    const id = "run_lost"
    const run = await runningRun(store, id, ["a", "b"])
    await store.write("targets.commit", commitOf(run, { started: [0, 1], finished: [finished(0)] }))
    const end = { id, attempt: 1, status: "succeeded", error: null, capped: null, at } as const
    const lost = await store.write("runs.finish", { ...end, done: 2 })
    expect(lost).toMatchObject({ status: "queued", targets_done: 1, suspicion: 0 })
    await store.write("runs.claim", { id, at })
    const left = await queuedTargets(store.db, { runN: run.n, after: -1, limit: 9 })
    expect(left).toMatchObject([{ seq: 1, suspicion: 0 }])
    await store.write(
      "targets.commit",
      commitOf({ ...run, attempt: 2 }, { finished: [finished(1)] }),
    )
    const ended = await store.write("runs.finish", { ...end, attempt: 2, done: 2 })
    expect(ended).toMatchObject({ status: "succeeded", targets_done: 2 })
    await open.close()
  })

  test("a result is promised only for an existing run", async () => {
    const { store, close } = await freshStore()
    await store.write("runs.create", newRun("run_there", ["a"]))
    const promise = { tokenHash: "one", runId: "run_there", request: "{}", expiresAt: at }
    expect(await store.write("keyless.save", promise)).toBe(true)
    const other = { ...promise, tokenHash: "other", runId: "run_gone" }
    expect(await store.write("keyless.save", other)).toBe(false)
    const rows = await store.db.selectFrom("keyless_results").selectAll().execute()
    expect(rows).toMatchObject([{ token_hash: "one", run_id: "run_there", request: "{}" }])
    await close()
  })
})
