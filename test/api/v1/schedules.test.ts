import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { ScheduleClock } from "../../../src/engine/schedules/clock.ts"
import { dueTicks, nextTicks } from "../../../src/engine/schedules/ticks.ts"
import { TestApp } from "../app.ts"

let app: TestApp
let key: string
beforeAll(async () => {
  app = await TestApp.open()
  key = (await app.account()).key
})
afterAll(() => app.close())

const daily = { scraper: "words-scraper", input: { words: ["tick"] }, cron: "0 9 * * *" }

/** The clock of schedules, at a time. */
function clockAt(time: string): ScheduleClock {
  const { store, service } = app
  return new ScheduleClock({
    store,
    plans: service.plans,
    scraper: (slug) => service.scraper(slug),
    now: () => new Date(time),
  })
}

/** Makes a schedule whose next tick is at a time of the test's. */
async function made(body: object, nextAt: string, as = key): Promise<string> {
  const answer = await app.post("/api/v1/schedules", { key: as, body: { ...daily, ...body } })
  expect(answer.status).toBe(201)
  const owner = (await app.get("/api/v1/me", { key: as })).body.id
  await app.store.write("schedules.change", {
    id: answer.body.id,
    accountId: owner,
    set: { next_at: nextAt },
  })
  return answer.body.id
}

const read = async (id: string, as = key) =>
  (await app.get(`/api/v1/schedules/${id}`, { key: as })).body

describe("the API of schedules", () => {
  test("one is made with its defaults, and shows when it fires next", async () => {
    const { body } = await app.post("/api/v1/schedules", {
      key,
      body: { ...daily, name: "Mornings", timeZone: "Europe/Berlin" },
    })
    expect(body).toMatchObject({
      name: "Mornings",
      scraper: "words-scraper",
      input: { words: ["tick"], times: 1, loud: false },
      cron: "0 9 * * *",
      timeZone: "Europe/Berlin",
      missed: "skip",
      enabled: true,
      lastTicks: [],
    })
    expect(body.nextFireTimes).toHaveLength(5)
    const berlin = new Intl.DateTimeFormat("en-GB", {
      timeZone: "Europe/Berlin",
      hour: "2-digit",
      minute: "2-digit",
    })
    for (const time of body.nextFireTimes) expect(berlin.format(new Date(time))).toBe("09:00")
    const path = `/api/v1/schedules/${body.id}`
    const off = await app.call("PATCH", path, { key, body: { enabled: false } })
    expect(off.body).toMatchObject({ enabled: false, nextFireTimes: [] })
    const changed = await app.call("PATCH", path, {
      key,
      body: { enabled: true, cron: "*/5 * * * *", input: { words: ["new"] }, missed: "run_once" },
    })
    expect(changed.body).toMatchObject({
      enabled: true,
      cron: "*/5 * * * *",
      input: { words: ["new"] },
      missed: "run_once",
    })
    const refusals: [body: unknown, status: number][] = [
      [{ cron: "nope" }, 400],
      [{ timeZone: "Nowhere" }, 400],
      [{ input: { words: 7 } }, 400],
      [{ scraper: "news-scraper" }, 400],
      [{}, 400],
    ]
    for (const [change, status] of refusals) {
      expect((await app.call("PATCH", path, { key, body: change })).status).toBe(status)
    }
    const seconds = await app.call("PATCH", path, { key, body: { cron: "0 * * * * *" } })
    expect(seconds.body.error.message).toContain("too many fields. It has 5 fields")
    expect((await app.call("DELETE", path, { key })).status).toBe(204)
    expect((await app.get(path, { key })).status).toBe(404)
  })
})

describe("ticks", () => {
  test("a tick fires once, however many look", async () => {
    const id = await made({}, "2026-01-31T09:00:00.000Z")
    const clock = clockAt("2026-01-31T09:00:00.500Z")
    await Promise.all([clock.poll(), clock.poll(), clockAt("2026-01-31T09:00:01.000Z").poll()])
    const schedule = await read(id)
    expect(schedule.lastTicks).toMatchObject([
      { dueAt: "2026-01-31T09:00:00.000Z", outcome: "started", missed: 0 },
    ])
    expect(schedule.nextFireTimes[0]).toBe("2026-02-01T09:00:00.000Z")
    const run = await app.get(`/api/v1/runs/${schedule.lastTicks[0].runId}?waitForFinish=300`, {
      key,
    })
    expect(run.body).toMatchObject({ status: "succeeded", input: { words: ["tick"] } })
  })

  test("before its time nothing fires, and a schedule that is off never", async () => {
    const id = await made({}, "2026-01-31T09:00:00.000Z")
    await clockAt("2026-01-31T08:59:59.999Z").poll()
    expect((await read(id)).lastTicks).toEqual([])
    await app.call("PATCH", `/api/v1/schedules/${id}`, { key, body: { enabled: false } })
    await clockAt("2036-01-31T09:00:00.000Z").poll()
    expect((await read(id)).lastTicks).toEqual([])
  })

  test("skip: ticks that found the service stopped are stated and dropped", async () => {
    const id = await made({ missed: "skip" }, "2026-01-28T09:00:00.000Z")
    await clockAt("2026-01-31T12:00:00.000Z").poll()
    expect(await read(id)).toMatchObject({
      lastTicks: [
        { dueAt: "2026-01-31T09:00:00.000Z", outcome: "skipped", missed: 4, runId: null },
      ],
      nextFireTimes: ["2026-02-01T09:00:00.000Z", {}, {}, {}, {}].map((time) =>
        typeof time === "string" ? time : expect.any(String),
      ),
    })
  })

  test("run_once: one run makes up for all that were missed", async () => {
    const id = await made({ missed: "run_once" }, "2026-01-28T09:00:00.000Z")
    const before = (await app.get("/api/v1/runs", { key })).body.total
    await clockAt("2026-01-31T12:00:00.000Z").poll()
    await clockAt("2026-01-31T12:00:01.000Z").poll()
    expect((await read(id)).lastTicks).toMatchObject([{ outcome: "started", missed: 4 }])
    expect((await app.get("/api/v1/runs", { key })).body.total).toBe(before + 1)
  })

  test("an account without credits is told in the tick", async () => {
    const poor = await app.account({ credits: 0 })
    const id = await made({}, "2026-01-31T09:00:00.000Z", poor.key)
    await clockAt("2026-01-31T09:00:01.000Z").poll()
    expect((await read(id, poor.key)).lastTicks).toMatchObject([
      { outcome: "out_of_credit", runId: null },
    ])
  })

  test("a crash between firing and starting: the promised run is started, once", async () => {
    const id = await made({}, "2026-01-31T09:00:00.000Z")
    const schedule = await app.store.db
      .selectFrom("schedules")
      .selectAll()
      .where("id", "=", id)
      .executeTakeFirstOrThrow()
    await app.store.write("schedules.fire", {
      schedule,
      standingDueAt: "2026-01-31T09:00:00.000Z",
      dueAt: "2026-01-31T09:00:00.000Z",
      firedAt: "2026-01-31T09:00:00.000Z",
      nextAt: "2026-02-01T09:00:00.000Z",
      outcome: "started",
      missed: 0,
      runId: "run_promised",
      ending: null,
    })
    await app.service.plans.recover()
    await app.service.plans.recover()
    const run = await app.get("/api/v1/runs/run_promised?waitForFinish=300", { key })
    expect(run.body.status).toBe("succeeded")
    expect(await app.store.db.selectFrom("planned_runs").selectAll().execute()).toEqual([])
  })
})

describe("a clock that was set back", () => {
  const hourly = { cron: "0 * * * *" }
  const fired = async (id: string) =>
    (await read(id)).lastTicks.map((tick: { dueAt: string }) => tick.dueAt)

  test("schedules fire at their next time by it, and not when the old time comes again", async () => {
    const id = await made(hourly, "2026-03-01T04:00:00.000Z")
    let time = "2026-03-01T04:00:05Z"
    const { store, service } = app
    const clock = new ScheduleClock({
      store,
      plans: service.plans,
      scraper: (slug) => service.scraper(slug),
      now: () => new Date(time),
    })
    await clock.poll()
    expect(await fired(id)).toEqual(["2026-03-01T04:00:00.000Z"])
    for (time of ["2026-03-01T01:50:00Z", "2026-03-01T02:00:01Z"]) await clock.poll()
    expect(await fired(id)).toContain("2026-03-01T02:00:00.000Z")
    // The old time once more, for the first time by this clock.
    for (time of ["2026-03-01T03:00:01Z", "2026-03-01T04:00:01Z"]) await clock.poll()
    const ticks = (await read(id)).lastTicks
    expect(ticks).toHaveLength(3)
    expect(ticks[0]).toMatchObject({ dueAt: "2026-03-01T04:00:00.000Z", outcome: "started" })
    expect((await app.get(`/api/v1/runs/${ticks[0].runId}`, { key })).status).toBe(200)
    await app.call("DELETE", `/api/v1/schedules/${id}`, { key })
  })

  test("also when it was set back while the service was down", async () => {
    const id = await made(hourly, "2026-03-01T09:00:00.000Z")
    await clockAt("2026-03-01T06:30:00Z").poll()
    await clockAt("2026-03-01T07:00:01Z").poll()
    expect(await fired(id)).toEqual(["2026-03-01T07:00:00.000Z"])
    await app.call("DELETE", `/api/v1/schedules/${id}`, { key })
  })
})

describe("time", () => {
  const at = (text: string) => new Date(text)

  test("spring: a time that does not exist moves on by the gap; autumn: it fires once", () => {
    const berlin = (from: string, count: number) =>
      nextTicks("30 2 * * *", "Europe/Berlin", at(from), count).map((tick) => tick.toISOString())
    expect(berlin("2026-03-28T12:00:00Z", 2)).toEqual([
      "2026-03-29T01:30:00.000Z",
      "2026-03-30T00:30:00.000Z",
    ])
    expect(berlin("2026-10-24T12:00:00Z", 2)).toEqual([
      "2026-10-25T00:30:00.000Z",
      "2026-10-26T01:30:00.000Z",
    ])
  })

  test("what is due after a long pause is counted", () => {
    const due = dueTicks("0 * * * *", "UTC", at("2026-01-01T00:00:00Z"), at("2026-01-08T00:30:00Z"))
    expect(due).toEqual({
      latest: at("2026-01-08T00:00:00Z"),
      earlier: 168,
      next: at("2026-01-08T01:00:00Z"),
    })
  })

  test("a clock that jumps ahead or back fires each tick at most once", () => {
    let next: Date | null = at("2026-01-01T00:00:00Z")
    const fired: string[] = []
    for (const now of [
      "2026-01-01T00:00:01Z",
      "2026-01-01T05:00:01Z",
      "2026-01-01T04:00:01Z",
      "2026-01-01T05:30:00Z",
      "2026-01-01T06:00:00Z",
    ]) {
      if (next === null || next > at(now)) continue
      const due = dueTicks("0 * * * *", "UTC", next, at(now))
      fired.push(due.latest.toISOString().slice(11, 13))
      next = due.next
    }
    expect(fired).toEqual(["00", "05", "06"])
  })
})
