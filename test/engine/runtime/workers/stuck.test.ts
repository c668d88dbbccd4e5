import { afterEach, expect, setDefaultTimeout, test } from "bun:test"
import { logLines } from "../../../../src/store/runs/run-log.ts"
import { testOfAll } from "../../../samples.ts"
import { removeFolder, type Service, serve } from "./harness.ts"
import { acts } from "./scrapers.ts"

/** For tests that hang: each test ends by an event, however slow the machine is. */
const waitLimit = 60_000
setDefaultTimeout(2 * waitLimit)

const own: Service[] = []
afterEach(async () => {
  for (const one of own.splice(0)) {
    await one.stop(0)
    removeFolder(one.dataDir)
  }
})
async function ownService(...settings: Parameters<typeof serve>): Promise<Service> {
  const one = await serve(...settings)
  own.push(one)
  return one
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await Bun.sleep(20)
}

/** Milliseconds of processor time without a response after which a worker counts as hung. */
const hangMs = 150

/**
 * Runs of an account, because anonymous runs have a lower priority than all other work of the
 * machine.
 */
const request = { scraper: acts, accountId: "acc_a", origin: "api" } as const

test("a worker in an endless loop is replaced; its run continues without the target that hung", async () => {
  const { supervisor, items, troubles } = await ownService({ hangMs })
  const start = (acts: string[]) => supervisor.start({ ...request, input: { acts } })
  const other = await start(["wait:3"])
  const stuck = await start(["a", "loop", "b"])
  const end = await supervisor.wait(stuck.id, waitLimit)
  expect(end).toMatchObject({
    status: "succeeded",
    attempt: 3,
    item_count: 2,
    error_count: 1,
    targets_done: 3,
  })
  const stored = await items(stuck.id)
  expect(stored.map((item) => item.act ?? item.input)).toEqual(["a", "loop", "b"])
  expect(stored[1]).toMatchObject({ error: { code: "crashed" } })
  expect(troubles.filter((trouble) => trouble.includes("does not respond")).length).toBe(2)
  // The run in the other worker was never disturbed.
  expect(await supervisor.wait(other.id, waitLimit)).toMatchObject({
    status: "succeeded",
    attempt: 1,
  })
  const { heaps } = supervisor.state()
  expect(heaps.some((bytes) => bytes > 1_000_000)).toBe(true)
})

test("a worker that takes too much memory is replaced; its run continues without the target that took it", async () => {
  const memoryBytes = process.memoryUsage.rss() + 250_000_000
  const { supervisor, items, troubles } = await ownService({ memoryBytes })
  const start = (acts: string[]) => supervisor.start({ ...request, input: { acts } })
  const other = await start(["wait:6"])
  const heavy = await start(["a", "grow", "b"])
  const end = await supervisor.wait(heavy.id, waitLimit)
  expect(end).toMatchObject({ status: "succeeded", attempt: 3, item_count: 2, error_count: 1 })
  const stored = await items(heavy.id)
  expect(stored[1]).toMatchObject({ input: "grow", error: { code: "crashed" } })
  expect(troubles.filter((trouble) => trouble.includes("too much memory")).length).toBe(2)
  expect(await supervisor.wait(other.id, waitLimit)).toMatchObject({ attempt: 1 })
})

test("a worker that waits for the processor, or for anything else, does not count as hung", async () => {
  const { supervisor, troubles } = await ownService({ hangMs })
  const run = await supervisor.start({ ...request, input: { acts: ["block:2000", "b"] } })
  expect(await supervisor.wait(run.id, waitLimit)).toMatchObject({
    status: "succeeded",
    attempt: 1,
  })
  expect(troubles).toEqual([])
})

testOfAll(
  "a target that holds the thread beyond its run's time ends; other runs of the worker continue",
  async () => {
    const { supervisor, items, troubles } = await ownService({ runsPerWorker: 8 })
    const start = (acts: string[], timeoutSeconds?: number) =>
      supervisor.start({ ...request, input: { acts }, timeoutSeconds })
    const others = await Promise.all(Array.from({ length: 6 }, () => start(["wait:3", "b"])))
    const stuck = await start(["a", "loop", "b"], 1)
    expect(await supervisor.wait(stuck.id, waitLimit)).toMatchObject({
      status: "timed_out",
      attempt: 1,
      error_code: "timeout",
    })
    expect((await items(stuck.id)).map((item) => item.act)).toEqual(["a"])
    for (const { id } of others) {
      expect(await supervisor.wait(id, waitLimit)).toMatchObject({
        status: "succeeded",
        attempt: 1,
      })
    }
    expect(troubles).toEqual([])
  },
)

test("anonymous runs have threads of their own, with a lower priority than those of accounts", async () => {
  const { supervisor, items } = await ownService()
  const acts = ["standing", "wait:1"]
  const [free, paid] = await Promise.all(
    [null, "acc_a"].map((accountId) =>
      supervisor.start({ ...request, accountId, input: { acts } }),
    ),
  )
  for (const run of [free!, paid!]) await supervisor.wait(run.id, waitLimit)
  const [behind] = await items(free!.id)
  const [before] = await items(paid!.id)
  if (process.platform === "linux")
    expect(behind!.priority).toBeGreaterThan(Number(before!.priority))
})

test.skipIf(process.platform !== "linux")(
  "eight running free runs cost a run of an account at most a fifth of one processor",
  async () => {
    const { supervisor, items } = await ownService()
    const free = await Promise.all(
      Array.from({ length: 8 }, () =>
        supervisor.start({ ...request, accountId: null, input: { acts: ["crowd", "burn:500"] } }),
      ),
    )
    await until(async () => supervisor.state().running === free.length)
    const paid = await supervisor.start({ ...request, input: { acts: ["crowd", "burn:600"] } })
    expect(await supervisor.wait(paid.id, waitLimit)).toMatchObject({ status: "succeeded" })
    const { ownMs, behindMs } = (await items(paid.id)).at(-1) as Record<string, number>
    // The others needed processor time, too, and got some.
    expect(behindMs!).toBeGreaterThan(1)
    expect((ownMs! + behindMs!) / ownMs!).toBeLessThan(1.2)
  },
)

test("a worker that ends is replaced, and the target that ended it is left out", async () => {
  const { supervisor } = await ownService()
  const run = await supervisor.start({ ...request, input: { acts: ["exit", "b"] } })
  expect(await supervisor.wait(run.id, waitLimit)).toMatchObject({
    status: "succeeded",
    attempt: 3,
    item_count: 1,
    error_count: 1,
  })
})

testOfAll("a run that ends worker after worker fails after three attempts", async () => {
  const { supervisor } = await ownService()
  const input = { acts: ["exit:1", "exit:2", "exit:3"] }
  const run = await supervisor.start({ ...request, input })
  expect(await supervisor.wait(run.id, waitLimit)).toMatchObject({
    status: "failed",
    attempt: 3,
    error_code: "crashed",
  })
})

test("runs that shared a worker with a crash continue, each alone", async () => {
  const { supervisor } = await ownService({ runsPerWorker: 8, runsPerAccount: 16 })
  const good = await Promise.all(
    Array.from({ length: 10 }, () =>
      supervisor.start({ ...request, input: { acts: ["wait:0.4", "b"] } }),
    ),
  )
  const bad = await Promise.all(
    Array.from({ length: 2 }, () => supervisor.start({ ...request, input: { acts: ["exit"] } })),
  )
  for (const { id } of good) {
    const end = await supervisor.wait(id, waitLimit)
    expect(end).toMatchObject({ status: "succeeded", item_count: 2 })
    expect(end!.attempt).toBeLessThanOrEqual(2)
  }
  for (const { id } of bad) {
    expect(await supervisor.wait(id, waitLimit)).toMatchObject({
      status: "failed",
      error_count: 1,
    })
  }
})

test("an aborted run in a stuck worker ends when the worker is replaced", async () => {
  const { supervisor } = await ownService({ hangMs })
  const run = await supervisor.start({ ...request, input: { acts: ["loop"] } })
  while ((await supervisor.wait(run.id, 20))?.status !== "running");
  await supervisor.abort(run.id)
  expect(await supervisor.wait(run.id, waitLimit)).toMatchObject({ status: "aborted" })
})

test("a stop lets running targets end, requeues the rest, and fails nothing", async () => {
  const first = await serve()
  const waiting = new Set<string>()
  const runs = await Promise.all(
    Array.from({ length: 6 }, async (_, index) => {
      const run = await first.supervisor.start({
        ...request,
        input: { acts: ["a", "wait:2", "b", "wait:60"].slice(0, index % 2 ? 3 : 4) },
      })
      first.supervisor.subscribe(run.id, async () => {
        const lines = await logLines(first.store.db, run.n, { after: 0, limit: 100 })
        if (lines.some(({ message }) => message.includes("Waiting 2 s"))) waiting.add(run.id)
      })
      return run
    }),
  )
  await until(async () => waiting.size === runs.length)
  const started = Date.now()
  await first.stop(waitLimit / 2)
  expect(Date.now() - started).toBeLessThan(waitLimit / 2)
  expect(first.supervisor.start({ ...request, input: { acts: [] } })).rejects.toThrow(
    "shutting down",
  )

  const second = await ownService({}, first.dataDir)
  const states = await Promise.all(runs.map((run) => second.supervisor.wait(run.id, 0)))
  for (const run of states) expect(["queued", "running", "succeeded"]).toContain(run!.status)
  for (const [index, { id }] of runs.entries()) {
    if (index % 2 === 0) await second.supervisor.abort(id)
    const end = await second.supervisor.wait(id, waitLimit)
    expect(end).toMatchObject({ status: index % 2 ? "succeeded" : "aborted", error_count: 0 })
    const acts = (await second.items(id)).map((item) => item.act)
    expect(acts.slice(0, 2)).toEqual(["a", "wait:2"])
    expect(new Set(acts).size).toBe(acts.length)
  }
})

test("accounts take turns, and none has more runs at once than allowed", async () => {
  const { supervisor } = await ownService({
    runsPerAccount: 2,
    runsPerWorker: 2,
  })
  let seen = 0
  const order: string[] = []
  const start = async (accountId: string, count: number) => {
    const runs = await Promise.all(
      Array.from({ length: count }, () =>
        supervisor.start({ ...request, accountId, input: { acts: ["wait:0.1"] } }),
      ),
    )
    for (const run of runs) {
      let isRunning = false
      supervisor.subscribe(run.id, (isOver) => {
        if (isOver) done.push(accountId)
        else if (!isRunning) {
          isRunning = true
          order.push(accountId)
          const now = order.filter((one) => one === accountId).length
          seen = Math.max(seen, now - done.filter((one) => one === accountId).length)
        }
      })
    }
    return runs
  }
  const done: string[] = []
  const many = await start("acc_many", 20)
  const few = await start("acc_few", 3)
  for (const { id } of few) expect((await supervisor.wait(id, waitLimit))?.status).toBe("succeeded")
  // The few did not have to wait for the many.
  expect(done.filter((one) => one === "acc_many").length).toBeLessThan(12)
  for (const { id } of many)
    expect((await supervisor.wait(id, waitLimit))?.status).toBe("succeeded")
  expect(seen).toBe(2)
})

test("a second service is kept out of the data folder", async () => {
  const { dataDir } = await ownService()
  expect(serve({}, dataDir)).rejects.toThrow("Another Trawl")
})

test("idle workers end, and start again with the next run", async () => {
  const { supervisor } = await ownService({ hangMs: 400, idleMs: 300 })
  const run = await supervisor.start({ ...request, input: { acts: ["a"] } })
  await supervisor.wait(run.id, waitLimit)
  expect(supervisor.state().workers).toBeGreaterThan(0)
  await until(async () => supervisor.state().workers === 0)
  expect(supervisor.state()).toEqual({ queued: 0, running: 0, workers: 0, heaps: [] })
  const again = await supervisor.start({ ...request, input: { acts: ["a"] } })
  expect(await supervisor.wait(again.id, waitLimit)).toMatchObject({ status: "succeeded" })
})
