import { expect, setDefaultTimeout, test } from "bun:test"
import { Type } from "@sinclair/typebox"
import { defineScraper, once } from "../../../../src/catalogue/kit/index.ts"
import type { Environment } from "../../../../src/engine/fetch/environment.ts"
import { replayEnvironment } from "../../../../src/engine/fetch/replay/environment.ts"
import { DatabaseCheckpoints } from "../../../../src/engine/runtime/run/database-checkpoints.ts"
import { executeRun } from "../../../../src/engine/runtime/run/execute.ts"
import { TargetTurns } from "../../../../src/engine/runtime/run/in-time-slices.ts"
import { MemoryCheckpoints } from "../../../../src/engine/runtime/run/memory-checkpoints.ts"
import {
  Share,
  type SliceLimits,
  timeSlices,
} from "../../../../src/engine/runtime/run/time-slices.ts"
import type { Store } from "../../../../src/store/store.ts"
import type { RunRow } from "../../../../src/store/tables/schema.ts"

setDefaultTimeout(120_000)

/** Processor time of a time slice in these tests: short, because each of them is used up. */
const sliceMs = 100

/** Keeps the thread busy: forever, or for a number of milliseconds of its own time. */
function burn(milliseconds = Number.POSITIVE_INFINITY): void {
  const start = process.threadCpuUsage()
  for (;;) {
    const { user, system } = process.threadCpuUsage(start)
    if ((user + system) / 1000 >= milliseconds) return
  }
}

const endings: string[] = []

const scraper = defineScraper({
  slug: "burns",
  name: "Burns",
  tagline: "Keeps its thread busy",
  category: "web",
  tier: "free",
  concurrency: 2,
  input: Type.Object({ acts: Type.Array(Type.String()) }),
  item: Type.Object({}),
  example: { acts: [] },
  targets: (input) => input.acts,
  async *scrape(act, ctx) {
    const [command, milliseconds] = act.split(":")
    yield { act, part: 1 }
    await ctx.pause(0.001, "the test says so")
    try {
      if (command === "loop") burn()
      if (command === "burn") burn(Number(milliseconds))
      if (command === "tab") await ctx.memory.get("x").then(() => burn())
      if (command === "shared") {
        await once(ctx, "shared", async () => {
          await ctx.pause(0.001, "the test says so")
          burn()
        })
      }
      if (command === "parallel") {
        const requested = ctx.memory.get("x")
        burn()
        await requested
      }
      if (command === "step") {
        await ctx.browse(async (tab) => {
          await tab.click("a")
          burn()
        })
      }
      if (command === "many") for (let part = 3; part <= 700; part++) yield { act, part }
    } catch (error) {
      endings.push(String(error))
    } finally {
      endings.push(act)
    }
    yield { act, part: 2 }
  },
})

/** Tabs that the engine has leased. */
let lent = 0
const browser: Environment["browser"] = {
  async lease(_, steps) {
    lent++
    try {
      return await steps({ click: async () => true } as never)
    } finally {
      lent--
    }
  },
}

const recorded = { folder: "", slug: "", case: "", input: {}, env: {}, expect: [], exchanges: [] }

async function run(acts: string[], limits: SliceLimits, checkpoint = new MemoryCheckpoints(acts)) {
  const environment = { ...replayEnvironment(recorded), browser, sequential: false }
  const signal = new AbortController().signal
  const end = await executeRun({
    scraper,
    input: { acts },
    checkpoint,
    environment,
    signal,
    sliceLimits: limits,
  })
  const items: Record<string, unknown>[] = []
  for await (const item of checkpoint.items()) items.push(item)
  return { end, items }
}

test("a target that never stops ends as a timeout, keeps its items, and harms no other", async () => {
  endings.length = 0
  const [stuck, other] = await Promise.all([
    run(["good", "loop", "tab", "last"], { sliceMs }),
    run(["burn:5", "burn:6"], {}),
  ])
  const timeout = {
    code: "timeout",
    message: "Parsing the response took too much processor time.",
  }
  expect(stuck.end.status).toBe("succeeded")
  expect(stuck.items).toEqual([
    { act: "good", part: 1 },
    { act: "good", part: 2 },
    { act: "loop", part: 1 },
    { input: "loop", statusCode: null, error: timeout },
    { act: "tab", part: 1 },
    { input: "tab", statusCode: null, error: timeout },
    { act: "last", part: 1 },
    { act: "last", part: 2 },
  ])
  expect(other.items).toHaveLength(4)
  // Handlers of an interrupted target do not run either.
  expect(endings.sort()).toEqual(["burn:5", "burn:6", "good", "last"])
})

test("work of a run between two targets is in no time slice, and never interrupted", async () => {
  const turnMs = 1000
  class SlowCheckpoint extends MemoryCheckpoints {
    override finish(...end: Parameters<MemoryCheckpoints["finish"]>) {
      if (end[0] === 0) Bun.sleepSync(1.5 * turnMs)
      return super.finish(...end)
    }
  }
  const acts = ["one", "other"]
  const { end, items } = await run(acts, { timeLeftMs: () => turnMs }, new SlowCheckpoint(acts))
  expect(end.status).toBe("succeeded")
  expect(items.map(({ act, part }) => `${act} ${part}`)).toEqual([
    "one 1",
    "one 2",
    "other 1",
    "other 2",
  ])
})

test("an interrupted time slice takes nothing of the run with it", async () => {
  const checkpoint = new MemoryCheckpoints(["good"])
  const finish = checkpoint.finish.bind(checkpoint)
  // As on a machine so busy that the last time slice has expired when the target ends.
  checkpoint.finish = (seq, result) => {
    burn(2 * sliceMs)
    return finish(seq, result)
  }
  const ran = run(["good"], { sliceMs }, checkpoint)
  const ended = await Promise.race([ran, Bun.sleep(20_000)])
  expect(ended?.end.status).toBe("succeeded")
  expect(ended?.items).toHaveLength(2)
})

test("shared work of an interrupted target fails with it, and no other target waits for it", async () => {
  endings.length = 0
  const { items } = await run(["shared:1", "shared:2"], { sliceMs })
  expect(items[1]).toMatchObject({ input: "shared:1", error: { code: "timeout" } })
  expect(endings).toEqual([expect.stringContaining("too much processor time"), "shared:2"])
})

test("requests to the engine finish, although their time slice was interrupted", async () => {
  let running = 0
  class Locking extends MemoryCheckpoints {
    override async memoryGet() {
      running++
      for (let step = 0; step < 3; step++) await Promise.resolve()
      running--
    }
  }
  const acts = ["parallel", "good"]
  const { items } = await run(acts, { sliceMs }, new Locking(acts))
  expect(items).toHaveLength(4)
  expect(running).toBe(0)
})

test("the engine's part of a step continues after its time slice was interrupted", async () => {
  const { items } = await run(["step", "good"], { sliceMs })
  expect(items[1]).toMatchObject({ input: "step", error: { code: "timeout" } })
  while (lent > 0) await Bun.sleep(1)
})

test("a log line of an interrupted time slice is stored", async () => {
  const stored: unknown[] = []
  const store = {
    async write(_: string, { notes }: { notes: { body: string }[] }) {
      burn(2 * sliceMs)
      stored.push(...notes.map(({ body }) => body))
    },
  } as unknown as Store
  const checkpoint = new DatabaseCheckpoints({
    store,
    run: {} as RunRow,
    tier: "free",
    concurrency: 4,
  })
  await new Promise<void>((resolve) => {
    timeSlices.enter({
      share: new Share({ sliceMs }),
      go() {
        checkpoint.note({ seq: 0, pages: 0, unlockerPages: 0, value: "kept" })
        setImmediate(resolve)
      },
      onOverrun: resolve,
    })
  })
  await checkpoint.settle()
  expect(stored).toEqual(['"kept"'])
})

test("storing items is in no time slice, however long it takes", async () => {
  class Spilling extends MemoryCheckpoints {
    override stage(...items: Parameters<MemoryCheckpoints["stage"]>) {
      burn(2 * sliceMs)
      return super.stage(...items)
    }
  }
  const { end, items } = await run(["many"], { sliceMs }, new Spilling(["many"]))
  expect(end.status).toBe("succeeded")
  expect(items.filter(({ error }) => error)).toEqual([])
  expect(items).toHaveLength(700)
})

test("a run has a limit of processor time, and no target continues after it", async () => {
  const { items, end } = await run(["burn:60", "burn:61", "burn:62", "burn:63", "burn:64"], {
    totalMs: 100,
  })
  const failed = items.filter((item) => item.error !== undefined)
  expect(failed.length).toBeGreaterThanOrEqual(2)
  for (const { error } of failed) {
    expect(error).toMatchObject({
      code: "timeout",
      message: expect.stringContaining("processor time"),
    })
  }
  expect(end.status).toBe("succeeded")
})

test("requests that did not start when the run is aborted never start", async () => {
  const run = new AbortController()
  const work = new TargetTurns(new Share(), run.signal)
  let isRequested = false
  const requested = work.call(async () => {
    isRequested = true
  })
  run.abort(new Error("aborted"))
  await expect(requested).rejects.toThrow("aborted")
  expect(isRequested).toBe(false)
})

test("of the waiting runs, the one that has used least goes first", async () => {
  const order: string[] = []
  const heavy = new Share()
  const light = new Share()
  const none = () => {}
  for (let turn = 0; turn < 3; turn++) {
    timeSlices.enter({
      share: heavy,
      go: () => {
        order.push("heavy")
        burn(20)
      },
      onOverrun: none,
    })
  }
  for (let turn = 0; turn < 5; turn++) {
    timeSlices.enter({ share: light, go: () => void order.push("light"), onOverrun: none })
  }
  while (order.length < 8) await Bun.sleep(1)
  expect(order).toEqual(["heavy", "light", "light", "light", "light", "light", "heavy", "heavy"])
  expect(heavy.usedMs).toBeGreaterThanOrEqual(60)
  expect(light.usedMs).toBeLessThan(heavy.usedMs)
})

test("while started work waits to continue, little new starts, and then all of it", async () => {
  const share = new Share()
  const until = performance.now() + 400
  const stretch = Promise.withResolvers<number>()
  const go = () => {
    burn(2)
    if (performance.now() < until) timeSlices.enter({ share, go, onOverrun: () => {} })
    else stretch.resolve(begun)
  }
  let begun = 0
  const since = performance.now()
  timeSlices.enter({ share, go, onOverrun: () => {} })
  const all = Array.from({ length: 200 }, async () => {
    await timeSlices.begin(new Share())
    begun++
  })
  const meanwhile = await stretch.promise
  expect(meanwhile).toBeGreaterThan(0)
  // One each 50 ms, and the first.
  expect(meanwhile).toBeLessThanOrEqual((performance.now() - since) / 50 + 1)
  await Promise.all(all)
})

test("no more targets of a run start than its thread can end", async () => {
  let open = 0
  let most = 0
  const busy = defineScraper({
    slug: "busy",
    name: "Busy",
    tagline: "Reads a page that comes at once",
    category: "web",
    tier: "free",
    concurrency: 50,
    input: Type.Object({ acts: Type.Array(Type.String()) }),
    item: Type.Object({}),
    example: { acts: [] },
    targets: (input) => input.acts,
    async *scrape(act, ctx) {
      most = Math.max(most, ++open)
      await ctx.memory.get("page")
      burn(2)
      open--
      yield { act }
    },
  })
  const acts = Array.from({ length: 60 }, (_, n) => `act ${n}`)
  const end = await executeRun({
    scraper: busy,
    input: { acts },
    checkpoint: new MemoryCheckpoints(acts),
    environment: { ...replayEnvironment(recorded), sequential: false },
    signal: new AbortController().signal,
  })
  expect(end.status).toBe("succeeded")
  expect(most).toBeLessThan(10)
})

test("targets that wait for their responses are begun as fast as the thread works, not all at once", async () => {
  const targets = 50
  let open = 0
  let most = 0
  const one = async () => {
    const share = new Share()
    await timeSlices.begin(share)
    most = Math.max(most, ++open)
    await Bun.sleep(25)
    await new Promise<void>((resolve) => {
      const go = () => {
        burn(5)
        open--
        timeSlices.end()
        resolve()
      }
      timeSlices.enter({ share, go, onOverrun: () => {} })
    })
  }
  // From other targets, the thread knows how long one takes.
  for (let n = 0; n < 15; n++) await one()
  await Promise.all(Array.from({ length: targets }, one))
  // Those of 25 ms and those that may start ahead, and as many again for a busy machine.
  expect(most).toBeLessThanOrEqual(20)
}, 60_000)
