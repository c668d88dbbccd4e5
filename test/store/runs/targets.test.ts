import { afterEach, beforeEach, describe, expect, test } from "bun:test"
import { itemBodies, itemErrors } from "../../../src/store/runs/items.ts"
import { remembered } from "../../../src/store/runs/memory.ts"
import { notesFor } from "../../../src/store/runs/notes.ts"
import { runById } from "../../../src/store/runs/runs.ts"
import { queuedTargets } from "../../../src/store/runs/targets.ts"
import {
  at,
  bad,
  commitOf,
  finished,
  good,
  type OpenStore,
  onEachStore,
  runningRun,
} from "../harness.ts"

onEachStore((freshStore) => {
  let open: OpenStore
  beforeEach(async () => {
    open = await freshStore()
  })
  afterEach(() => open.close())

  async function bodies(runN: number, selection = {}): Promise<unknown[]> {
    const all: unknown[] = []
    for await (const body of itemBodies(open.store.db, runN, selection)) all.push(JSON.parse(body))
    return all
  }

  describe("a commit", () => {
    test("stores states, items, followed targets, memory and counters together", async () => {
      const { store } = open
      const run = await runningRun(store, "run_a", ["a", "b", "c"])
      const counts = await store.write(
        "targets.commit",
        commitOf(run, {
          started: [2],
          finished: [
            finished(1, { items: [bad("not_found")], failed: true, pages: 0 }),
            finished(0, {
              items: [good(1), good(2)],
              followed: [
                ["b", '"b"'],
                ["d", '"d"'],
              ],
              remembered: { seen: "7" },
            }),
          ],
        }),
      )
      expect(counts).toEqual({
        itemCount: 2,
        errorCount: 1,
        pageCount: 1,
        targetsDone: 2,
        targetsFailed: 1,
        targetsTotal: 4,
        outOfCredit: false,
      })
      expect(await bodies(run.n)).toEqual([1, 2, { error: expect.anything() }])
      expect(await bodies(run.n, { clean: true, offset: 1 })).toEqual([2])
      expect(await itemErrors(store.db, run.n, 10)).toEqual([
        { code: "not_found", message: "It did not work." },
      ])
      // "c" is running; "d" is after all others.
      const waiting = await queuedTargets(store.db, { runN: run.n, after: -1, limit: 10 })
      expect(waiting.map(({ target }) => target)).toEqual(['"d"'])
      expect(waiting[0]!.seq).toBeGreaterThan(2)
      const place = { owner: "", slug: "any", key: "seen" }
      expect(await remembered(store.db, place)).toBe(7)
    })

    test("keeps memory until its target fails, or cannot be paid for", async () => {
      const { store } = open
      const run = await runningRun(store, "run_a", ["a", "b", "c"])
      const note = (seq: number, body: string) => ({ seq, pages: 1, unlockerPages: 0, body })
      const notes = [note(0, "1"), note(1, "2"), note(2, "3")]
      await store.write("targets.commit", commitOf(run, { started: [0, 1, 2], notes }))
      const read = async (seq: number) =>
        (await notesFor(store.db, run.n, seq)).map(({ body }) => body)
      expect(await read(0)).toEqual(["1"])
      await store.write(
        "targets.commit",
        commitOf(run, { finished: [finished(2)], notes: [note(0, "4"), note(2, "5")] }),
      )
      expect(await read(0)).toEqual(["1", "3", "4", "5"])
      await store.write("runs.requeue", { id: run.id, attempt: 1, cause: "process", at })
      expect(await read(0)).toEqual(["1", "3", "4", "5"])
      const again = (await store.write("runs.claim", { id: run.id, at }))!
      await store.write(
        "targets.commit",
        commitOf(again, { finished: [finished(0, { failed: true, items: [bad("timeout")] })] }),
      )
      expect(await read(0)).toEqual(["3", "5"])
      const account = { email: null, passwordHash: null, unlimited: false, credits: 0 }
      await store.write("accounts.create", { id: "acc_a", ...account, createdAt: at })
      await store.write(
        "targets.commit",
        commitOf({ ...again, account_id: "acc_a" }, { finished: [finished(1)] }),
      )
      expect(await read(1)).toEqual(["3", "5"])
    })

    test("that is repeated changes nothing", async () => {
      const { store } = open
      const run = await runningRun(store, "run_a", ["a"])
      const commit = commitOf(run, {
        finished: [finished(0, { items: [good(1)], followed: [["b", '"b"']] })],
      })
      const first = await store.write("targets.commit", commit)
      expect(await store.write("targets.commit", commit)).toEqual(first)
      expect(await bodies(run.n)).toEqual([1])
    })

    test("of an abandoned attempt is refused as a whole", async () => {
      const { store } = open
      const run = await runningRun(store, "run_a", ["a"])
      await store.write("runs.requeue", { id: run.id, attempt: 1, cause: "worker", at })
      const late = commitOf(run, { finished: [finished(0, { items: [good("late")] })] })
      expect(store.write("targets.commit", late)).rejects.toThrow("given up")
      const again = (await store.write("runs.claim", { id: run.id, at }))!
      expect(store.write("targets.commit", late)).rejects.toThrow("given up")
      await store.write(
        "targets.commit",
        commitOf(again, { finished: [finished(0, { items: [good("new")] })] }),
      )
      expect(await bodies(run.n)).toEqual(["new"])
    })

    test("charges the account in the same transaction, and keeps nothing unpaid", async () => {
      const { store } = open
      await store.write("accounts.create", {
        id: "acc_a",
        email: null,
        passwordHash: null,
        unlimited: false,
        credits: 3,
        createdAt: at,
      })
      const run = { ...(await runningRun(store, "run_a", ["a", "b", "c"])), account_id: "acc_a" }
      const counts = await store.write(
        "targets.commit",
        commitOf(run, {
          finished: [0, 1, 2].map((seq) => finished(seq, { items: [good(seq)], pages: 2 })),
        }),
      )
      expect(counts).toMatchObject({ itemCount: 2, targetsDone: 2, outOfCredit: true })
      expect(await runById(store.db, run.id)).toMatchObject({ credits_charged: 3 })
      const left = await queuedTargets(store.db, { runN: run.n, after: -1, limit: 10 })
      expect(left.map(({ seq }) => seq)).toEqual([2])
    })
  })

  describe("staged items", () => {
    test("count once their target is finished, and come before its last ones", async () => {
      const { store } = open
      const run = await runningRun(store, "run_a", ["a"])
      const { n: runN, attempt } = run
      await store.write("items.stage", {
        runN,
        attempt,
        seq: 0,
        from: 0,
        items: [good(0), good(1)],
      })
      expect(await bodies(runN)).toEqual([])
      const counts = await store.write(
        "targets.commit",
        commitOf(run, { finished: [finished(0, { staged: 2, items: [good(2)] })] }),
      )
      expect(counts.itemCount).toBe(3)
      expect(await bodies(runN)).toEqual([0, 1, 2])
    })

    test("are dropped when the target is retried, and when the run is requeued", async () => {
      const { store } = open
      const { n: runN, attempt, id } = await runningRun(store, "run_a", ["a"])
      const stage = { runN, attempt, seq: 0, from: 0, items: [good(0)] }
      await store.write("items.stage", stage)
      await store.write("items.discard", { runN, attempt, seq: 0 })
      await store.write("items.stage", stage)
      await store.write("runs.requeue", { id, attempt, cause: "stop", at })
      await store.write("runs.claim", { id, at })
      await store.write("items.stage", { ...stage, attempt: attempt + 1 })
    })
  })

  test("items are read in pages, from any position", async () => {
    const { store } = open
    const run = await runningRun(store, "run_a", ["a", "b"])
    const many = Array.from({ length: 1300 }, (_, index) => good(index))
    await store.write(
      "targets.commit",
      commitOf(run, {
        finished: [finished(0, { items: many }), finished(1, { items: [good("b")] })],
      }),
    )
    expect((await bodies(run.n)).length).toBe(1301)
    expect(await bodies(run.n, { offset: 1299 })).toEqual([1299, "b"])
    expect(await bodies(run.n, { offset: 700, limit: 3 })).toEqual([700, 701, 702])
    expect(await bodies(run.n, { offset: 2000 })).toEqual([])
  })
})
