import { afterEach, beforeEach, expect, test } from "bun:test"
import { QuotaExhausted } from "../../../../src/engine/runtime/workers/supervisor.ts"
import { freeQuotaUsed } from "../../../../src/store/accounts/free-quota.ts"
import { newId } from "../../../../src/store/db/ids.ts"
import { removeFolder, type Service, serve } from "./harness.ts"
import { acts } from "./scrapers.ts"

/** For tests that hang, not for slow ones: the machine may have other work. */
const waitLimit = 60_000
const quota = { subjects: ["ip:x"], day: "2026-01-02", limit: 100 }

let service: Service
beforeEach(async () => {
  // Anonymous callers have two slots: one that stays reserved is missed at once.
  service = await serve({ runsPerWorker: 1 })
  // A slot is reserved only of a worker that runs.
  await ended((await start([])).id)
})
afterEach(async () => {
  await service.stop(0)
  removeFolder(service.dataDir)
})

const start = (list: string[], more: object = {}) =>
  service.supervisor.start({
    ...{ scraper: acts, input: { acts: list }, accountId: null, caller: "a", origin: "keyless" },
    ...more,
  })

async function ended(id: string) {
  const run = await service.supervisor.wait(id, waitLimit)
  expect(run).toMatchObject({ status: "succeeded", attempt: 1 })
}

test("a call is stored as running if a slot is free, and as queued if none is", async () => {
  const first = await start(["sleep:1500"])
  const second = await start(["sleep:1500"])
  const third = await start([])
  expect([first, second, third]).toMatchObject([
    { status: "running", attempt: 1 },
    { status: "running", attempt: 1 },
    { status: "queued", attempt: 0 },
  ])
  for (const { id } of [first, second, third]) await ended(id)
})

test("a slot is free again after a call without quota, or one that cannot be stored", async () => {
  const id = newId("run")
  await ended((await start([], { id })).id)
  for (let time = 0; time < 4; time++) {
    const refused = await start([], { quota: { ...quota, limit: 0 } }).catch((error) => error)
    expect(refused).toBeInstanceOf(QuotaExhausted)
    const failed = await start([], { id, quota }).catch((error) => error)
    expect(failed).toBeInstanceOf(Error)
  }
  // The worker reports the end of the first run a moment after it is stored; the test has a limit.
  while (service.supervisor.state().running > 0) await Bun.sleep(10)
  expect(service.supervisor.state()).toMatchObject({ queued: 0, running: 0 })
  expect(await freeQuotaUsed(service.store.db, quota)).toBe(0)
  const runs = [await start(["sleep:300"], { quota }), await start(["sleep:300"], { quota })]
  expect(runs.map(({ status }) => status)).toEqual(["running", "running"])
  for (const run of runs) await ended(run.id)
  expect(await freeQuotaUsed(service.store.db, quota)).toBe(2)
})

test("a call that is aborted as soon as it started ends", async () => {
  const run = await start(["wait:30000"])
  await service.supervisor.abort(run.id)
  expect(await service.supervisor.wait(run.id, waitLimit)).toMatchObject({ status: "aborted" })
})

test("calls that start while the service stops are stored and wait for the next one", async () => {
  const starts = Array.from({ length: 8 }, () => start(["wait:20000"]).catch(() => undefined))
  await service.stop(0)
  const runs = (await Promise.all(starts)).filter((run) => run !== undefined)
  const next = await serve({ runsPerWorker: 1 }, service.dataDir)
  for (const { id } of runs) {
    await next.supervisor.abort(id)
    const run = await next.supervisor.wait(id, waitLimit)
    expect(run).toMatchObject({ status: "aborted", suspicion: 0 })
  }
  service = next
})
