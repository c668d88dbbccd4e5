import { describe, expect, test } from "bun:test"
import { Type } from "@sinclair/typebox"
import { dayMs, hourMs, minuteMs } from "../../../../src/base/time.ts"
import {
  type AnyScraper,
  Blocked,
  Changed,
  type FetchMethod,
  itemObject,
  NotFound,
  nullable,
  type ScrapeError,
  Timeout,
} from "../../../../src/catalogue/kit/index.ts"
import { CallCounters, type TargetEnd } from "../../../../src/engine/ops/health/counters.ts"
import { medianMs } from "../../../../src/engine/ops/health/counts.ts"
import { Rolling } from "../../../../src/engine/ops/health/rolling.ts"
import { Traffic } from "../../../../src/engine/ops/health/traffic.ts"

const item = itemObject({
  title: Type.String(),
  price: nullable(Type.Number()),
  tags: Type.Array(Type.String()),
})
const scraperOf = (slug: string, host: string) =>
  ({ slug, item, rateLimit: { [host]: {} } }) as unknown as AnyScraper
const shop = scraperOf("shop-scraper", "shop.test")
const anyPage = scraperOf("page-scraper", "*")

const end = (more: Partial<TargetEnd> = {}): TargetEnd => ({
  fetchMethod: "http",
  challenges: new Map(),
  failure: null,
  errors: [],
  good: 1,
  milliseconds: 100,
  ...more,
})
const failed = (failure: ScrapeError, more: Partial<TargetEnd> = {}) =>
  end({ failure, good: 0, ...more })

class World {
  now = Date.parse("2026-11-22T12:00:00Z")
  readonly traffic: Traffic
  private readonly counts = new CallCounters()

  constructor(private readonly scraper = shop) {
    this.traffic = new Traffic(
      (slug) => [shop, anyPage].find((one) => one.slug === slug),
      () => this.now,
    )
  }

  /** Returns the given number of targets that ended alike; each good one returned an item. */
  ended(times: number, one: TargetEnd = end(), provided: Record<string, unknown> = whole): this {
    const counter = this.counts.of(this.scraper)
    for (let count = 0; count < times; count++) {
      if (one.good > 0) counter.item(provided, one.fetchMethod)
      counter.target(one)
    }
    this.traffic.add(this.counts.take())
    return this
  }

  judged() {
    const [judged] = this.traffic.evaluate()
    return judged
  }
}

const whole = { title: "Lamp", price: 5, tags: ["new"] }
const cloudflare = new Blocked("A challenge.", "Cloudflare")
const noTitle = new Changed("The answer has no title.", { field: "title" })

describe("counts", () => {
  test("are separate for each fetch method: a challenge that another method passed is that method's", () => {
    const challenges = new Map<FetchMethod, string | null>([["http", "Cloudflare"]])
    const { traffic } = new World().ended(4, end({ fetchMethod: "browser", challenges }))
    const [http, browser] = traffic
      .figures(shop.slug)
      .map(({ fetchMethod, windows }) => [fetchMethod, windows.hour])
    expect(http).toMatchObject(["http", { targets: 4, good: 0, sentOn: 4 }])
    expect(http![1]).toMatchObject({ codes: { "theirs:blocked/Cloudflare": 4 } })
    expect(browser).toMatchObject(["browser", { targets: 4, good: 4, items: 4, codes: {} }])
  })

  test("leave the hour, the day and the week in time", () => {
    const world = new World().ended(3)
    const targets = () =>
      (["hour", "day", "week"] as const).map((one) => world.traffic.over(shop.slug, one).targets)
    expect(targets()).toEqual([3, 3, 3])
    for (const [passes, left] of [
      [50 * minuteMs, [3, 3, 3]],
      [20 * minuteMs, [0, 3, 3]],
      [23 * hourMs, [0, 0, 3]],
      [7 * dayMs, [0, 0, 0]],
    ] as const) {
      world.now += passes
      expect(targets()).toEqual([...left])
    }
  })

  test("are bounded, however long they grow and whatever the codes", () => {
    const world = new World()
    for (let hour = 0; hour < 400; hour++) {
      world.now += hourMs
      world.ended(1, failed(new Blocked("A challenge.", `vendor ${hour}`)))
    }
    const [stored] = world.traffic.takeUnsaved()
    const parts = Object.values(stored!.counts!)
    expect(parts.map((one) => one.length).every((length) => length <= 25)).toBe(true)
    expect(Object.keys(world.traffic.over(shop.slug, "week").codes).length).toBeLessThan(42)
  })

  test("are the same after another process resumes them", () => {
    const world = new World().ended(3).ended(2, failed(cloudflare))
    const stored = JSON.parse(JSON.stringify(world.traffic.takeUnsaved()))
    const other = new World()
    other.traffic.load(stored)
    expect(other.traffic.figures(shop.slug)).toEqual(world.traffic.figures(shop.slug))
    expect(world.traffic.takeUnsaved()).toEqual([])
  })

  test("have the median of times to about a tenth", () => {
    const times = [5, 90, 400, 410, 420, 3000, 60_000]
    const world = new World()
    for (const milliseconds of times) world.ended(1, end({ milliseconds }))
    const median = medianMs(world.traffic.over(shop.slug, "hour"))!
    expect(Math.abs(median / 410 - 1)).toBeLessThan(0.13)
  })

  test("of a clock that is set back go into the newest part", () => {
    const rolling = new Rolling()
    const { traffic } = new World().ended(1)
    const counts = traffic.over(shop.slug, "hour")
    rolling.add(counts, 10 * dayMs)
    rolling.add(counts, 10 * dayMs - hourMs)
    expect(rolling.over("day", 10 * dayMs).targets).toBe(2)
  })
})

describe("callers' runs", () => {
  const visible: [string, World, object | undefined][] = [
    ["too little data", new World().ended(4), undefined],
    ["it works", new World().ended(5), { verdict: "works" }],
    [
      "it works where things are not there",
      new World().ended(5).ended(50, failed(new NotFound("Gone."))),
      { verdict: "works" },
    ],
    ["absence alone", new World().ended(50, failed(new NotFound("Gone."))), undefined],
    [
      "it is broken by a field's name",
      new World().ended(1).ended(9, failed(noTitle)),
      { verdict: "broken", fields: ["title"], reason: expect.stringContaining("9 of 10 targets") },
    ],
    [
      "it is degraded where some fail by a change",
      new World().ended(6).ended(4, failed(noTitle)),
      { verdict: "degraded", fields: ["title"], reason: expect.stringContaining("4 of 10") },
    ],
    ["odd pages are none", new World().ended(8).ended(2, failed(noTitle)), { verdict: "works" }],
    [
      "a challenge, its vendor and fetch method",
      new World().ended(6, failed(cloudflare, { challenges: new Map([["http", "Cloudflare"]]) })),
      { verdict: "blocked", vendor: "Cloudflare", fetchMethod: "http" },
    ],
    [
      "no response, which means nothing",
      new World().ended(9, failed(new Timeout("Late."))),
      undefined,
    ],
    [
      "errors that the scraper gives itself",
      new World().ended(
        6,
        end({ good: 0, errors: [{ code: "layout_changed", message: "No list." }] }),
      ),
      { verdict: "broken", reason: "6 of 6 targets failed: No list." },
    ],
  ]
  for (const [name, world, whole] of visible) {
    test(name, () => {
      const judged = world.judged()
      if (whole) expect(judged?.whole).toMatchObject(whole)
      else expect(judged).toBeUndefined()
    })
  }

  test("count for each fetch method", () => {
    const challenges = new Map<FetchMethod, string | null>([["http", "Cloudflare"]])
    const { whole, methods } = new World()
      .ended(6, end({ fetchMethod: "browser", challenges }))
      .judged()!
    expect(whole.verdict).toBe("works")
    expect(methods).toMatchObject({
      http: { verdict: "blocked", vendor: "Cloudflare" },
      browser: { verdict: "works" },
    })
  })

  test("of pages that callers choose do not count against the scraper", () => {
    expect(new World(anyPage).ended(20, failed(cloudflare)).judged()).toBeUndefined()
    expect(new World(anyPage).ended(20, failed(noTitle)).judged()).toBeUndefined()
    expect(new World(anyPage).ended(20).judged()?.whole.verdict).toBe("works")
  })
})

describe("drift", () => {
  const before = () => {
    const world = new World().ended(40)
    world.judged()
    return world
  }
  const without = { ...whole, price: null }

  test("a field with under half of its weekly share over 20 items is named", () => {
    expect(before().ended(20, end(), without).judged()?.whole).toMatchObject({
      verdict: "degraded",
      fields: ["price"],
    })
  })

  test("not over fewer items, nor with half of them left", () => {
    expect(before().ended(19, end(), without).judged()?.whole.verdict).toBe("works")
    expect(before().ended(10).ended(10, end(), without).judged()?.whole.verdict).toBe("works")
  })

  test("a field that was rarely filled is not missed", () => {
    const world = new World().ended(10).ended(90, end(), without)
    world.judged()
    expect(world.ended(30, end(), without).judged()?.whole.verdict).toBe("works")
  })

  test("stays until the field is back, however many items come without it", () => {
    const world = before()
    for (let count = 0; count < 10; count++) {
      expect(world.ended(20, end(), without).judged()?.whole.fields).toEqual(["price"])
    }
    expect(world.ended(20).judged()?.whole.verdict).toBe("works")
  })

  test("a week later the week's own share has fallen", () => {
    const world = before()
    for (let day = 0; day < 9; day++) {
      world.ended(20, end(), without).judged()
      world.now += dayMs
    }
    expect(world.ended(20, end(), without).judged()?.whole.verdict).toBe("works")
  })

  test("an empty list counts like null", () => {
    const none = { ...whole, tags: [] }
    expect(before().ended(25, end(), none).judged()?.whole.fields).toEqual(["tags"])
  })
})
