import { expect, setDefaultTimeout, test } from "bun:test"
import { Type } from "@sinclair/typebox"
import { defineScraper } from "../../../src/catalogue/kit/index.ts"
import { replayEnvironment } from "../../../src/engine/replay/environment.ts"
import { executeRun } from "../../../src/engine/run/execute.ts"
import { MemoryJournal } from "../../../src/engine/run/memory-journal.ts"
import { Share, type TurnLimits, turns } from "../../../src/engine/run/turns.ts"

setDefaultTimeout(120_000)

/** Keeps the thread busy: for ever, or for a number of milliseconds of its own time. */
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
    const [verb, milliseconds] = act.split(":")
    yield { act, part: 1 }
    await ctx.pause(0.001, "the test says so")
    try {
      if (verb === "loop") burn()
      if (verb === "burn") burn(Number(milliseconds))
      if (verb === "tab") await ctx.memory.get("x").then(() => burn())
    } catch (error) {
      endings.push(String(error))
    } finally {
      endings.push(act)
    }
    yield { act, part: 2 }
  },
})

async function run(acts: string[], limits: TurnLimits, journal = new MemoryJournal(acts)) {
  const recorded = { folder: "", slug: "", case: "", input: {}, env: {}, expect: [], exchanges: [] }
  const { sequential: _, ...environment } = replayEnvironment(recorded)
  const signal = new AbortController().signal
  const end = await executeRun({
    scraper,
    input: { acts },
    journal,
    environment,
    signal,
    turns: limits,
  })
  const items: Record<string, unknown>[] = []
  for await (const item of journal.items()) items.push(item)
  return { end, items }
}

test("a target that never stops ends as a timeout, keeps its items, and harms no other", async () => {
  endings.length = 0
  const [stuck, other] = await Promise.all([
    run(["good", "loop", "tab", "last"], { turnMs: 200 }),
    run(["burn:5", "burn:6"], {}),
  ])
  const timeout = {
    code: "timeout",
    message: "Reading what was answered took too much processor time.",
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
  // Not even its own handlers are run in a target that was ended.
  expect(endings.sort()).toEqual(["burn:5", "burn:6", "good", "last"])
})

test("what a run does between two targets belongs to no turn, and is never ended", async () => {
  const turnMs = 1000
  class SlowJournal extends MemoryJournal {
    override finish(...end: Parameters<MemoryJournal["finish"]>) {
      if (end[0] === 0) Bun.sleepSync(1.5 * turnMs)
      return super.finish(...end)
    }
  }
  const acts = ["one", "other"]
  const { end, items } = await run(acts, { timeLeftMs: () => turnMs }, new SlowJournal(acts))
  expect(end.status).toBe("succeeded")
  expect(items.map(({ act, part }) => `${act} ${part}`)).toEqual([
    "one 1",
    "one 2",
    "other 1",
    "other 2",
  ])
})

test("a turn that is ended takes nothing of the run itself with it", async () => {
  const journal = new MemoryJournal(["good"])
  const finish = journal.finish.bind(journal)
  // As on a machine so busy that the time of the last turn is up when the target ends.
  journal.finish = (seq, result) => {
    burn(400)
    return finish(seq, result)
  }
  const ran = run(["good"], { turnMs: 200 }, journal)
  const ended = await Promise.race([ran, Bun.sleep(20_000)])
  expect(ended?.end.status).toBe("succeeded")
  expect(ended?.items).toHaveLength(2)
})

test("a run has so much processor time in all, and no target goes on when it is used", async () => {
  const { items, end } = await run(["burn:120", "burn:121", "burn:122", "burn:123", "burn:124"], {
    totalMs: 200,
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

test("of the runs that wait, the one goes first that has used least", async () => {
  const order: string[] = []
  const heavy = new Share()
  const light = new Share()
  const none = () => {}
  for (let turn = 0; turn < 3; turn++) {
    turns.enter({
      share: heavy,
      go: () => {
        order.push("heavy")
        burn(20)
      },
      onOverrun: none,
    })
  }
  for (let turn = 0; turn < 5; turn++) {
    turns.enter({ share: light, go: () => void order.push("light"), onOverrun: none })
  }
  while (order.length < 8) await Bun.sleep(1)
  expect(order).toEqual(["heavy", "light", "light", "light", "light", "light", "heavy", "heavy"])
  expect(heavy.usedMs).toBeGreaterThanOrEqual(60)
  expect(light.usedMs).toBeLessThan(heavy.usedMs)
})
