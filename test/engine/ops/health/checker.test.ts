import { afterEach, beforeEach, describe, expect, test } from "bun:test"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { dayMs, hourMs, minuteMs } from "../../../../src/base/time.ts"
import {
  type AnyScraper,
  type FetchMethod,
  inputObject,
  inputs,
} from "../../../../src/catalogue/kit/index.ts"
import type { CheckOrder, CheckResult } from "../../../../src/engine/ops/health/check.ts"
import { Checker } from "../../../../src/engine/ops/health/checker.ts"
import { CallCounters } from "../../../../src/engine/ops/health/counters.ts"
import { HealthService } from "../../../../src/engine/ops/health/health-service.ts"
import { ProbeStore } from "../../../../src/engine/ops/health/probe-store.ts"
import { plannedChecks } from "../../../../src/store/health/counted.ts"
import { finding, type Verdict } from "../../../../src/store/health/verdicts.ts"
import { freshStore, type OpenStore } from "../../../store/harness.ts"

const scraperOf = (slug: string, fetchMethods: FetchMethod[], input = {}) =>
  ({
    slug,
    fetchMethods,
    input: inputObject({ limit: inputs.count("Items.", { max: 5, or: 5 }) }),
    item: { properties: { title: {} } },
    rateLimit: { "site.test": {} },
    targets: () => ["one"],
    probe: { input, expect: ["items.length gte 1"] },
  }) as unknown as AnyScraper

const open = scraperOf("open-scraper", ["http"])
const challenged = scraperOf("blocked-scraper", ["http", "browser-http", "browser", "unlocker"])
const chained = scraperOf("chained-scraper", ["http"], { urls: ["@open-scraper items[0].url"] })
const scrapers = [open, challenged, chained]

let at: OpenStore
let now: number
let health: HealthService
let orders: CheckOrder[]
let verdict: Verdict
let gate: PromiseWithResolvers<void> | undefined
beforeEach(async () => {
  at = freshStore()
  now = Date.parse("2026-11-22T12:00:00Z")
  orders = []
  verdict = "works"
  gate = undefined
  const scraper = (slug: string) => scrapers.find((one) => one.slug === slug)
  health = new HealthService({ store: at.store, scraper, now: () => now })
  await health.look()
})
afterEach(() => at.close())

const checkerOf = (more: Partial<ConstructorParameters<typeof Checker>[0]> = {}) =>
  new Checker({
    store: at.store,
    health,
    scrapers,
    dataDir: at.dataDir,
    async carryOut(order): Promise<CheckResult> {
      orders.push(order)
      await gate?.promise
      const { slug, fetchMethod = null } = order
      return {
        slug,
        fetchMethod,
        finding: finding(verdict),
        items: 1,
        milliseconds: 1,
        stored: null,
      }
    },
    isScheduled: true,
    now: () => now,
    random: () => 0.5,
    ...more,
  })

const done = async (checker: Checker) => {
  while (checker.pending().length > 0) await Bun.sleep(1)
}
const look = async (checker: Checker) => {
  await checker.lookAtPlan()
  await done(checker)
  return orders
    .splice(0)
    .map(({ slug, fetchMethod }) => [slug, fetchMethod].filter(Boolean).join(" "))
}
const dueIn = async (slug: string, fetchMethod = "all") => {
  const plan = await plannedChecks(at.store.db)
  return (
    Date.parse(plan.find((one) => one.slug === slug && one.fetchMethod === fetchMethod)!.dueAt) -
    now
  )
}

describe("the plan", () => {
  test("open APIs daily, challenged sites weekly, each fetch method weekly, no unlocker", async () => {
    const checker = checkerOf()
    expect(await look(checker)).toEqual([])
    expect(await dueIn("open-scraper")).toBe(dayMs / 2)
    expect(await dueIn("blocked-scraper")).toBe(3.5 * dayMs)
    now += dayMs / 2
    expect(await look(checker)).toEqual(["open-scraper", "chained-scraper"])
    expect(await dueIn("open-scraper")).toBe(dayMs)
    now += 3 * dayMs
    expect((await look(checker)).filter((one) => one.startsWith("blocked"))).toEqual([
      "blocked-scraper",
      "blocked-scraper http",
      "blocked-scraper browser-http",
      "blocked-scraper browser",
    ])
    expect(await dueIn("blocked-scraper", "browser")).toBe(7 * dayMs)
    expect(await look(checker)).toEqual([])
  })

  test("an open API with two fetch methods: daily, and each method weekly", async () => {
    const double = scraperOf("open-scraper", ["http", "browser-http"])
    const checker = checkerOf({ scrapers: [double] })
    expect(await look(checker)).toEqual([])
    expect(await dueIn("open-scraper", "http")).toBe(3.5 * dayMs)
    now += 3.5 * dayMs
    expect(await look(checker)).toEqual([
      "open-scraper",
      "open-scraper http",
      "open-scraper browser-http",
    ])
    expect(await dueIn("open-scraper")).toBe(dayMs)
    expect(await dueIn("open-scraper", "http")).toBe(7 * dayMs)
  })

  test("a first failure is checked again soon; a known one is not", async () => {
    const checker = checkerOf({ scrapers: [open] })
    await look(checker)
    now += dayMs
    verdict = "broken"
    await look(checker)
    expect(await dueIn("open-scraper")).toBe(hourMs)
    now += hourMs
    await look(checker)
    expect(health.of("open-scraper").state).toBe("broken")
    expect(await dueIn("open-scraper")).toBe(dayMs)
  })

  test("a check is skipped if callers' runs of the last hour had the same result", async () => {
    const checker = checkerOf({ scrapers: [open] })
    await look(checker)
    now += dayMs
    await look(checker)
    const counts = new CallCounters()
    const end = { fetchMethod: "http" as const, challenges: new Map(), errors: [], milliseconds: 5 }
    for (let count = 0; count < 5; count++)
      counts.of(open).target({ ...end, failure: null, good: 1 })
    now += dayMs
    health.count(counts.take())
    expect(await look(checker)).toEqual([])
    expect(await dueIn("open-scraper")).toBe(dayMs)
    now += dayMs
    expect(await look(checker)).toEqual(["open-scraper"])
  })

  test("a check waits if little is left of a host's quota", async () => {
    let left = 14
    const quotas = () => [{ host: "site.test", requests: 60, left }]
    const checker = checkerOf({ scrapers: [open], quotas })
    await look(checker)
    now += dayMs
    expect(await look(checker)).toEqual([])
    expect(await dueIn("open-scraper")).toBe(hourMs)
    left = 15
    now += hourMs
    expect(await look(checker)).toEqual(["open-scraper"])
  })

  test("a check that cannot run waits, and is reported", async () => {
    const reported: string[] = []
    const carryOut = () => Promise.reject(new Error("All workers are busy."))
    const checker = checkerOf({
      scrapers: [open],
      carryOut,
      onError: (line) => reported.push(line),
    })
    await look(checker)
    now += dayMs
    await look(checker)
    expect(reported).toEqual(["All workers are busy."])
    expect(await dueIn("open-scraper")).toBe(3 * hourMs)
    expect(health.of("open-scraper").state).toBe("unknown")
  })

  test("none without the setting", async () => {
    const checker = checkerOf({ isScheduled: false })
    checker.runChecks([{ slug: "open-scraper" }])
    await done(checker)
    expect(await plannedChecks(at.store.db)).toEqual([])
    expect(health.of("open-scraper").state).toBe("works")
  })
})

describe("checks", () => {
  test("run one at a time, each once, with the probes that they depend on", async () => {
    const checker = checkerOf({ isScheduled: false })
    gate = Promise.withResolvers()
    const requested = ["chained-scraper", "open-scraper", "open-scraper"].map((slug) => ({ slug }))
    checker.runChecks(requested)
    checker.runChecks([{ slug: "chained-scraper" }])
    expect(orders.map(({ slug }) => slug)).toEqual(["chained-scraper"])
    expect(Object.keys(orders[0]!.probes)).toEqual(["chained-scraper", "open-scraper"])
    gate.resolve()
    await done(checker)
    expect(orders.map(({ slug }) => slug)).toEqual(["chained-scraper", "open-scraper"])
  })

  test("end with the service", async () => {
    const aborted = Promise.withResolvers<never>()
    const checker = checkerOf({
      carryOut: (_, signal) => {
        signal.addEventListener("abort", () => aborted.reject(signal.reason))
        return aborted.promise
      },
    })
    checker.runChecks([{ slug: "open-scraper" }, { slug: "blocked-scraper" }])
    await checker.stop()
    expect(checker.pending()).toEqual([])
  })
})

describe("probes.json", () => {
  const bookOf = (content: unknown) => {
    const path = join(at.dataDir, "probes.json")
    writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content))
    return new ProbeStore(scrapers, path, () => (now += minuteMs))
  }

  test("overrides the definitions, and is read again when it changes", () => {
    const own = { input: {}, expect: ['items[0].title equals "x"'] }
    const book = bookOf({ "open-scraper": own, "blocked-scraper": null })
    expect(book.issues()).toEqual([])
    expect(book.probe("open-scraper")).toEqual(own)
    expect(book.probe("blocked-scraper")).toBeUndefined()
    expect(book.probe("chained-scraper")).toBe(chained.probe)
    bookOf({ "open-scraper": { ...own, expect: ["items[0].titel share 1"] } })
    expect(book.issues()).toHaveLength(1)
    expect(book.probe("open-scraper")).toEqual(own)
    expect(book.probe("blocked-scraper")).toBe(challenged.probe)
  })

  for (const [name, content, issue] of [
    ["a misspelt scraper", { "opne-scraper": null }, 'Did you mean "open-scraper"?'],
    [
      "a misspelt field",
      { "open-scraper": { input: {}, expect: ["items[0].titel share 1"] } },
      'Did you mean "title"?',
    ],
    ["no expectations", { "open-scraper": { input: {} } }, "open-scraper.expect must be a list"],
    [
      "a wrong operator",
      { "open-scraper": { input: {}, expect: ["items[0].title is 1"] } },
      '"is" is not one of',
    ],
    [
      "an unknown part",
      { "open-scraper": { input: {}, expected: [] } },
      "open-scraper.expected is unknown",
    ],
    ["a list", { "open-scraper": [] }, 'must be {"input"'],
    ["no JSON", "{bad", "probes.json cannot be read"],
    ["a list in all", "[]", "must hold one group per scraper"],
  ] as const) {
    test(`reports ${name}`, () => expect(bookOf(content).issues().join(" ")).toContain(issue))
  }
})
