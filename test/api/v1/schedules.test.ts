import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { ScheduleClock } from "../../../src/engine/runtime/schedules/clock.ts"
import { dueScheduledRuns, nextRuns } from "../../../src/engine/runtime/schedules/due-times.ts"
import type { ScheduledRun } from "../../../src/store/automation/schedules.ts"
import { idOf } from "../../../src/store/db/ids.ts"
import { type QueuedRun, queuedRuns } from "../../../src/store/runs/runs.ts"
import { TestApp } from "../app.ts"

let app: TestApp
let key: string
beforeAll(async () => {
  app = await TestApp.open()
  key = (await app.account()).key
})
afterAll(() => app.close())

const daily = { scraper: "words-scraper", input: { words: ["tick"] }, cron: "0 9 * * *" }

const onError = (message: string) => expect(message).toBeUndefined()

/** The scheduler at a given time. */
function clockAt(time: string): ScheduleClock {
  const { store, service } = app
  return new ScheduleClock({
    store,
    runs: app.runs,
    onError,
    scraper: (slug) => service.scraper(slug),
    now: () => new Date(time),
  })
}

/** Creates a schedule whose next run is at the given time. */
async function made(body: object, nextAt: string, as = key): Promise<string> {
  const response = await app.post("/api/v1/schedules", { key: as, body: { ...daily, ...body } })
  expect(response.status).toBe(201)
  const owner = (await app.get("/api/v1/me", { key: as })).body.id
  await app.store.write("schedules.change", {
    id: response.body.id,
    accountId: owner,
    set: { next_at: nextAt },
  })
  return response.body.id
}

const read = async (id: string, as = key) =>
  (await app.get(`/api/v1/schedules/${id}`, { key: as })).body

describe("the API of schedules", () => {
  test("one is created with its defaults, and shows its next time", async () => {
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
      misfirePolicy: "skip",
      enabled: true,
      recentRuns: [],
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
      body: {
        enabled: true,
        cron: "*/5 * * * *",
        input: { words: ["new"] },
        misfirePolicy: "run_once",
      },
    })
    expect(changed.body).toMatchObject({
      enabled: true,
      cron: "*/5 * * * *",
      input: { words: ["new"] },
      misfirePolicy: "run_once",
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
    expect(seconds.body.error.message).toContain("it has 6 fields instead of five")
    expect((await app.call("DELETE", path, { key })).status).toBe(204)
    expect((await app.get(path, { key })).status).toBe(404)
  })
})

describe("scheduled runs", () => {
  test("each starts once, however many processes look", async () => {
    const id = await made({}, "2026-01-31T09:00:00.000Z")
    const clock = clockAt("2026-01-31T09:00:00.500Z")
    await Promise.all([clock.poll(), clock.poll(), clockAt("2026-01-31T09:00:01.000Z").poll()])
    const schedule = await read(id)
    expect(schedule.recentRuns).toMatchObject([
      { dueAt: "2026-01-31T09:00:00.000Z", outcome: "started", missed: 0 },
    ])
    expect(schedule.nextFireTimes[0]).toBe("2026-02-01T09:00:00.000Z")
    const run = await app.get(`/api/v1/runs/${schedule.recentRuns[0].runId}?waitForFinish=300`, {
      key,
    })
    expect(run.body).toMatchObject({ status: "succeeded", input: { words: ["tick"] } })
  })

  test("none starts before its time, and none of a disabled schedule", async () => {
    const id = await made({}, "2026-01-31T09:00:00.000Z")
    await clockAt("2026-01-31T08:59:59.999Z").poll()
    expect((await read(id)).recentRuns).toEqual([])
    await app.call("PATCH", `/api/v1/schedules/${id}`, { key, body: { enabled: false } })
    await clockAt("2036-01-31T09:00:00.000Z").poll()
    expect((await read(id)).recentRuns).toEqual([])
  })

  test("skip: runs missed while the service was stopped are recorded and skipped", async () => {
    const id = await made({ misfirePolicy: "skip" }, "2026-01-28T09:00:00.000Z")
    await clockAt("2026-01-31T12:00:00.000Z").poll()
    expect(await read(id)).toMatchObject({
      recentRuns: [
        { dueAt: "2026-01-31T09:00:00.000Z", outcome: "skipped", missed: 4, runId: null },
      ],
      nextFireTimes: ["2026-02-01T09:00:00.000Z", {}, {}, {}, {}].map((time) =>
        typeof time === "string" ? time : expect.any(String),
      ),
    })
  })

  test("run_once: one run replaces all missed ones", async () => {
    const id = await made({ misfirePolicy: "run_once" }, "2026-01-28T09:00:00.000Z")
    const before = (await app.get("/api/v1/runs", { key })).body.total
    await clockAt("2026-01-31T12:00:00.000Z").poll()
    await clockAt("2026-01-31T12:00:01.000Z").poll()
    expect((await read(id)).recentRuns).toMatchObject([{ outcome: "started", missed: 4 }])
    expect((await app.get("/api/v1/runs", { key })).body.total).toBe(before + 1)
  })

  test("an account without credits is recorded in the scheduled run", async () => {
    const poor = await app.account({ credits: 0 })
    const id = await made({}, "2026-01-31T09:00:00.000Z", poor.key)
    await clockAt("2026-01-31T09:00:01.000Z").poll()
    expect((await read(id, poor.key)).recentRuns).toMatchObject([
      { outcome: "out_of_credit", runId: null },
    ])
  })

  test("the run is queued in one transaction with the scheduled run, before any worker knows of it", async () => {
    const id = await made({}, "2026-01-31T09:00:00.000Z")
    const queued: QueuedRun[] = []
    const { store, service } = app
    await new ScheduleClock({
      store,
      runs: { queued: (runs) => void queued.push(...runs) },
      scraper: (slug) => service.scraper(slug),
      now: () => new Date("2026-01-31T09:00:01Z"),
      onError,
    }).poll()
    const { runId } = (await read(id)).recentRuns[0]
    expect(queued.map((run) => run.id)).toContain(runId)
    const waiting = await app.get(`/api/v1/runs/${runId}`, { key })
    expect(waiting.body).toMatchObject({ status: "queued", targetsTotal: 0 })
    // A process that starts later claims it.
    app.runs.queued(await queuedRuns(store.db))
    const run = await app.get(`/api/v1/runs/${runId}?waitForFinish=300`, { key })
    expect(run.body).toMatchObject({ status: "succeeded", targetsTotal: 1, itemCount: 1 })
  })

  test("the run's ID derives from the schedule and the due time", async () => {
    const due = "2026-01-31T09:00:00.000Z"
    const id = await made({}, due)
    await clockAt("2026-01-31T09:00:01.000Z").poll()
    const { runId } = (await read(id)).recentRuns[0]
    expect(runId).toBe(idOf("run", Date.parse(due), `${id} ${due}`))
    expect(runId).toMatch(/^run_[0-9a-f]{12}7[0-9a-f]{3}8[0-9a-f]{15}$/)
  })

  test("one that fails delays no other, and continues with its next time after some tries", async () => {
    const bad = await made({}, "2026-05-01T09:00:00.000Z")
    const good = await made({}, "2026-05-01T09:00:00.001Z")
    const reported: string[] = []
    let time = Date.parse("2026-05-01T09:00:05Z")
    const { store, service, runs } = app
    const clock = new ScheduleClock({
      store,
      runs,
      scraper: (slug) => service.scraper(slug),
      now: () => new Date(time),
      onError: (message) => reported.push(message),
    })
    const requested = store.write.bind(store)
    store.write = (async (command: never, scheduledRun: ScheduledRun) => {
      const isBad = command === "schedules.fire" && scheduledRun.schedule.id === bad
      if (isBad && scheduledRun.outcome !== "failed") throw new Error("it broke")
      return requested(command, scheduledRun as never)
    }) as typeof store.write
    await clock.poll()
    expect((await read(good)).recentRuns).toMatchObject([{ outcome: "started" }])
    for (const until = time + 30_000; time <= until; time += 1000) await clock.poll()
    store.write = requested
    expect(reported).toHaveLength(5)
    expect(reported[0]).toContain(`Schedule ${bad} of account `)
    expect(await read(bad)).toMatchObject({
      enabled: true,
      recentRuns: [{ dueAt: "2026-05-01T09:00:00.000Z", outcome: "failed", runId: null }],
    })
    expect((await read(bad)).nextFireTimes[0]).toBe("2026-05-02T09:00:00.000Z")
  })

  test("a full disk does not count as a failure of a schedule", async () => {
    const id = await made({}, "2026-05-03T09:00:00.000Z")
    let time = Date.parse("2026-05-03T09:00:05Z")
    const { store, service, runs } = app
    const scraper = (slug: string) => service.scraper(slug)
    const clock = new ScheduleClock({ store, runs, scraper, now: () => new Date(time), onError })
    const requested = store.write.bind(store)
    const full = Object.assign(new Error("database or disk is full"), { code: "SQLITE_FULL" })
    store.write = () => Promise.reject(full)
    store.hasReported = (error) => error === full
    try {
      for (const until = time + 30_000; time <= until; time += 1000) await clock.poll()
    } finally {
      store.write = requested
      store.hasReported = () => false
    }
    expect((await read(id)).recentRuns).toEqual([])
    await clock.poll()
    expect((await read(id)).recentRuns).toMatchObject([{ outcome: "started" }])
  })

  test("an input that the scraper no longer accepts fails its run and marks the schedule", async () => {
    const id = await made({}, "2026-06-01T09:00:00.000Z")
    const { id: accountId } = (await app.get("/api/v1/me", { key })).body
    const input = JSON.stringify({ words: ["tick"], times: "often" })
    await app.store.write("schedules.change", { id, accountId, set: { input } })
    await clockAt("2026-06-01T09:00:01.000Z").poll()
    const { runId } = (await read(id)).recentRuns[0]
    const run = await app.get(`/api/v1/runs/${runId}?waitForFinish=300`, { key })
    expect(run.body.status).toBe("failed")
    expect(run.body.error.message).toContain('"times" must be')
    expect(await read(id)).toMatchObject({ enabled: true, inputError: run.body.error.message })
    await app.call("PATCH", `/api/v1/schedules/${id}`, { key, body: { input: { words: ["a"] } } })
    expect(await read(id)).toMatchObject({ inputError: null })
  })
})

describe("a clock that is set back or ahead", () => {
  const hourly = { cron: "0 * * * *" }
  const due = "2026-03-01T04:00:00.000Z"
  const at = (seconds: number) => new Date(Date.parse(due) + seconds * 1000)
  const scheduledRunsOf = async (id: string) => (await read(id)).recentRuns

  /** A process's clock, which the test sets. */
  function process(start: Date) {
    const clock = { now: start }
    const { store, service, runs } = app
    const scraper = (slug: string) => service.scraper(slug)
    const schedules = new ScheduleClock({ store, runs, scraper, now: () => clock.now, onError })
    return {
      async at(now: Date) {
        clock.now = now
        await schedules.poll()
      },
    }
  }

  for (const seconds of [30, 7_200]) {
    test(`a process whose clock is ${seconds} s behind repeats no scheduled run`, async () => {
      const id = await made(hourly, due)
      await process(at(5)).at(at(5))
      const [first] = await scheduledRunsOf(id)
      const late = process(at(5 - seconds))
      await late.at(at(5 - seconds))
      expect((await read(id)).nextFireTimes[0] > due).toBe(true)
      for (let at_ = 5 - seconds; at_ <= 5; at_ += seconds / 5) await late.at(at(at_))
      expect(await scheduledRunsOf(id)).toEqual([first])
      const runs = await app.store.db
        .selectFrom("scheduled_runs")
        .selectAll()
        .where("schedule_id", "=", id)
        .execute()
      expect(runs).toHaveLength(1)
      await app.call("DELETE", `/api/v1/schedules/${id}`, { key })
    })

    test(`one that was set back by ${seconds} s continues after its last scheduled run`, async () => {
      const id = await made(hourly, due)
      const one = process(at(5))
      for (const time of [at(5), at(5 - seconds), at(1), at(3_601)]) await one.at(time)
      expect(
        (await scheduledRunsOf(id)).map((scheduledRun: { dueAt: string }) => scheduledRun.dueAt),
      ).toEqual([at(3_600).toISOString(), due])
      await app.call("DELETE", `/api/v1/schedules/${id}`, { key })
    })

    test(`one that is ${seconds} s ahead starts each scheduled run once`, async () => {
      const id = await made(hourly, due)
      await process(at(5)).at(at(5 + seconds))
      await process(at(5)).at(at(5))
      await process(at(5)).at(at(6 + seconds))
      const fired = (await scheduledRunsOf(id)).map(
        (scheduledRun: { dueAt: string }) => scheduledRun.dueAt,
      )
      expect(new Set(fired).size).toBe(fired.length)
      await app.call("DELETE", `/api/v1/schedules/${id}`, { key })
    })
  }

  test("a schedule that was moved far ahead returns to its next time", async () => {
    const id = await made(hourly, "2026-03-01T09:00:00.000Z")
    await clockAt("2026-03-01T06:30:00Z").poll()
    await clockAt("2026-03-01T07:00:01Z").poll()
    expect(
      (await scheduledRunsOf(id)).map((scheduledRun: { dueAt: string }) => scheduledRun.dueAt),
    ).toEqual(["2026-03-01T07:00:00.000Z"])
    await app.call("DELETE", `/api/v1/schedules/${id}`, { key })
  })

  test("runs of a clock years ahead do not block later ones", async () => {
    const id = await made(hourly, due)
    const one = process(at(5))
    await one.at(new Date("2036-01-01T00:00:05Z"))
    await one.at(at(5))
    await one.at(at(3_601))
    expect(
      (await scheduledRunsOf(id)).map((scheduledRun: { dueAt: string }) => scheduledRun.dueAt),
    ).toContain(at(3_600).toISOString())
    await app.call("DELETE", `/api/v1/schedules/${id}`, { key })
  })
})

describe("time", () => {
  const at = (text: string) => new Date(text)

  test("spring: a time that does not exist moves by the gap; autumn: it runs once", () => {
    const berlin = (from: string, count: number) =>
      nextRuns("30 2 * * *", "Europe/Berlin", at(from), count).map((scheduledRun) =>
        scheduledRun.toISOString(),
      )
    expect(berlin("2026-03-28T12:00:00Z", 2)).toEqual([
      "2026-03-29T01:30:00.000Z",
      "2026-03-30T00:30:00.000Z",
    ])
    expect(berlin("2026-10-24T12:00:00Z", 2)).toEqual([
      "2026-10-25T00:30:00.000Z",
      "2026-10-26T01:30:00.000Z",
    ])
  })

  test("missed runs after a long pause are counted", () => {
    const due = dueScheduledRuns(
      "0 * * * *",
      "UTC",
      at("2026-01-01T00:00:00Z"),
      at("2026-01-08T00:30:00Z"),
    )
    expect(due).toEqual({
      latest: at("2026-01-08T00:00:00Z"),
      earlier: 168,
      next: at("2026-01-08T01:00:00Z"),
    })
  })

  test("a clock that jumps ahead or back starts each scheduled run at most once", () => {
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
      const due = dueScheduledRuns("0 * * * *", "UTC", next, at(now))
      fired.push(due.latest.toISOString().slice(11, 13))
      next = due.next
    }
    expect(fired).toEqual(["00", "05", "06"])
  })
})
