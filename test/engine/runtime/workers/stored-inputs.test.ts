import { afterEach, describe, expect, test } from "bun:test"
import { type TObject, Type } from "@sinclair/typebox"
import { systemClock } from "../../../../src/base/clock.ts"
import { catalogue } from "../../../../src/catalogue/index.ts"
import {
  type AnyScraper,
  checkInput,
  defineScraper,
  ScrapeError,
  type Target,
} from "../../../../src/catalogue/kit/index.ts"
import { loadConfig } from "../../../../src/config/config.ts"
import type { Environment } from "../../../../src/engine/fetch/environment.ts"
import { replayEnvironment } from "../../../../src/engine/fetch/replay/environment.ts"
import { runOrder } from "../../../../src/engine/ops/health/check.ts"
import { targetKey } from "../../../../src/engine/runtime/run/checkpoints.ts"
import { RunWorker } from "../../../../src/engine/runtime/workers/loop.ts"
import { newId } from "../../../../src/store/db/ids.ts"
import { itemBodies } from "../../../../src/store/runs/items.ts"
import { logLines } from "../../../../src/store/runs/run-log.ts"
import { runById } from "../../../../src/store/runs/runs.ts"
import { casesUnder, corpus, ownCases } from "../../../corpus-run.ts"
import { everyNth } from "../../../samples.ts"
import { freshStore, newRun, type OpenStore } from "../../../store/harness.ts"

const folders: OpenStore[] = []
afterEach(async () => {
  for (const open of folders.splice(0)) await open.close()
})

/** Executes a run whose input is stored as given, and returns how it ended. */
async function execute(
  scraper: AnyScraper,
  input: Record<string, unknown>,
  environment: Environment,
  targets: readonly Target[] = ["a"],
) {
  const open = freshStore()
  folders.push(open)
  const { store, dataDir } = open
  const id = newId("run")
  const keys = [...new Map(targets.map((target) => [targetKey(target), target]))]
  await store.write("runs.create", {
    ...newRun(id, []),
    slug: scraper.slug,
    input,
    timeoutSeconds: 300,
    targets: keys.map(([key, target]) => ({ key, target: JSON.stringify(target) })),
  })
  const run = (await store.write("runs.claim", { id, at: new Date().toISOString() }))!
  const worker = new RunWorker(
    { check: runOrder, scraperBySlug: () => scraper, environment: async () => environment },
    false,
  )
  await worker.start({
    database: store.database,
    settings: {},
    writer: store.connect(),
    services: {},
    files: { ...loadConfig({}), dataDir },
    unresponsiveMs: 1000,
    isFree: false,
    isTraced: false,
  })
  await worker.execute(run, () => {})
  await worker.end()
  const ended = (await runById(store.db, id))!
  const items = await Array.fromAsync(itemBodies(store.db, ended.n))
  const lines = await logLines(store.db, ended.n, { after: 0, limit: 10 })
  return { run: ended, items: items.map((body) => JSON.parse(body)), lines }
}

/** Returns the input without the schema's defaults, as the oldest version stored it. */
function smallest({ properties }: TObject, input: Record<string, unknown>) {
  return Object.fromEntries(
    Object.entries(input).filter(
      ([name, value]) => !Bun.deepEquals(properties[name]?.default, value),
    ),
  )
}

/** Returns the case with the fewest requests whose input is accepted. */
function quickCase(scraper: AnyScraper) {
  const cases = [ownCases, corpus]
    .flatMap((root) => casesUnder(root, scraper.slug))
    .sort((one, other) => one.exchanges.length - other.exchanges.length)
  for (const recorded of cases) {
    const checked = checkInput(scraper.input, recorded.input)
    if (!checked.ok) continue
    try {
      return { recorded, input: checked.input, targets: scraper.targets(checked.input) }
    } catch (error) {
      if (!(error instanceof ScrapeError)) throw error
    }
  }
  throw new Error(`No case of ${scraper.slug} has an input that is accepted.`)
}

describe("the smallest stored input runs as the complete one does", () => {
  for (const scraper of everyNth(catalogue, 8)) {
    test(scraper.slug, async () => {
      const { recorded, input, targets } = quickCase(scraper)
      const world = () => replayEnvironment({ clock: "2026-06-01T12:00:00Z", ...recorded })
      const whole = await execute(scraper, input, world(), targets)
      const small = await execute(scraper, smallest(scraper.input, input), world(), targets)
      expect(small.items).toEqual(whole.items)
      expect([small.run.status, small.run.error_message]).toEqual([
        whole.run.status,
        whole.run.error_message,
      ])
    })
  }
})

const world = {
  clock: systemClock,
  http: { send: () => Promise.reject(new Error("no network in tests")) },
  dns: () => Promise.reject(new Error("no DNS in tests")),
  tls: () => Promise.reject(new Error("no connections in tests")),
  env: {},
} as unknown as Environment

/** Two versions of a scraper; the later one has one more option. */
function version(options: Record<string, ReturnType<typeof Type.Integer>>, most = 10) {
  return defineScraper({
    slug: "grown-scraper",
    name: "Grown",
    tagline: "For the tests of stored inputs",
    category: "web",
    tier: "free",
    input: Type.Object(
      {
        words: Type.Array(Type.String()),
        limit: Type.Integer({ default: 3, maximum: most }),
        ...options,
      },
      { additionalProperties: false },
    ),
    item: Type.Object({}),
    example: { words: ["a"], limit: 3 },
    targets: ({ words }) => words,
    async *scrape(word, ctx) {
      const { depth, limit } = ctx.input as { depth?: number; limit: number }
      yield {
        word,
        limit: limit.toFixed(0),
        ...(depth !== undefined && { depth: depth.toFixed(0) }),
      }
    },
  }) as AnyScraper
}

const before = version({})
const after = version({ depth: Type.Integer({ default: 2 }) })

describe("an input that another version has stored", () => {
  test("lacks an option: it has its default", async () => {
    const { items, run, lines } = await execute(after, { words: ["a"] }, world)
    expect(items).toEqual([{ word: "a", limit: "3", depth: "2" }])
    expect([run.status, lines]).toEqual(["succeeded", []])
  })

  test("has an option that this version lacks: the run continues without it and logs it", async () => {
    const { items, run, lines } = await execute(before, { words: ["a"], limit: 3, depth: 2 }, world)
    expect(items).toEqual([{ word: "a", limit: "3" }])
    expect(run.status).toBe("succeeded")
    expect(lines.map(({ level, message }) => [level, message])).toEqual([
      ["warning", "Ignored input fields, which this version of the scraper does not have: depth."],
    ])
  })

  test("no longer fits: the run fails and names the field", async () => {
    const narrower = version({}, 5)
    const { items, run } = await execute(narrower, { words: ["a"], limit: 9 }, world)
    expect(items).toEqual([])
    expect(run).toMatchObject({ status: "failed", error_code: "invalid_input", targets_done: 0 })
    expect(run.error_message).toContain("grown-scraper")
    expect(run.error_message).toContain('"limit" must be an integer of at most 5, not 9')
  })

  test("lacks what is required: the run fails and names the field", async () => {
    const { run } = await execute(before, { limit: 1 }, world)
    expect(run.status).toBe("failed")
    expect(run.error_message).toContain('"words" is required')
  })
})
