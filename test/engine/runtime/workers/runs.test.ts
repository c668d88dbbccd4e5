import { afterAll, afterEach, beforeAll, expect, test } from "bun:test"
import { logLines } from "../../../../src/store/runs/run-log.ts"
import { runById } from "../../../../src/store/runs/runs.ts"
import type { RunRow } from "../../../../src/store/tables/schema.ts"
import { removeFolder, type Service, serve } from "./harness.ts"
import { acts, challenged, counts, crawl, pages } from "./scrapers.ts"

/** For tests that hang, not for slow ones: the machine may have other work. */
const waitLimit = 60_000

const gate = { open: true, requested: 0 }

const site: Bun.Server<undefined> = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  async fetch(request): Promise<Response> {
    const { pathname } = new URL(request.url)
    if (pathname.startsWith("/gate/")) {
      gate.requested++
      if (gate.open) return new Response(pathname)
      if (pathname === "/gate/slow") await Bun.sleep(60_000)
      return new Response("no", { status: 404 })
    }
    if (pathname.startsWith("/missing")) return new Response("no", { status: 404 })
    const number = Number(pathname.split("/").at(-1))
    if (pathname.startsWith("/list/")) {
      const links = Array.from({ length: 20 }, (_, index) => (number * 7 + index * 13) % 300)
      return Response.json(links.map((link) => `${site.url}list/${link}`))
    }
    await Bun.sleep(5)
    return new Response(`page ${number}`)
  },
})
const page = (number: number) => `${site.url}page/${number}`

let service: Service
beforeAll(async () => {
  service = await serve()
})
afterAll(async () => {
  await service.stop()
  removeFolder(service.dataDir)
  site.stop(true)
})

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

const request = { accountId: null, origin: "api" } as const

async function until(condition: () => unknown, ms = 5000): Promise<void> {
  const end = Date.now() + ms
  while (!(await condition())) {
    if (Date.now() > end) throw new Error("The condition was not met in time.")
    await Bun.sleep(10)
  }
}

test("a run is on disk when it is accepted, and its items are in order when it has finished", async () => {
  const { supervisor, items } = service
  const urls = Array.from({ length: 40 }, (_, number) => page(number))
  const input = { urls: [...urls, urls[0]], perTarget: 2 }
  const run = await supervisor.start({ ...request, scraper: pages, input })
  expect(run).toMatchObject({ status: "queued", targets_total: 40 })
  const end = await supervisor.wait(run.id, waitLimit)
  expect(end).toMatchObject({
    status: "succeeded",
    item_count: 80,
    error_count: 0,
    targets_done: 40,
    attempt: 1,
    page_count: 40,
  })
  const stored = await items(run.id)
  expect(stored.map((item) => item.url)).toEqual(urls.flatMap((url) => [url, url]))
  expect(stored[3]).toEqual({ url: urls[1]!, index: 1, text: "page 1" })
})

test("followed targets run once each", async () => {
  const { supervisor, items } = service
  const input = { start: `${site.url}list/0` }
  const run = await supervisor.start({ ...request, scraper: crawl, input })
  const end = await supervisor.wait(run.id, waitLimit)
  const stored = await items(run.id)
  expect(end?.status).toBe("succeeded")
  expect(end?.targets_total).toBe(300)
  expect(new Set(stored.map((item) => item.url)).size).toBe(300)
  expect(stored.length).toBe(300)
})

test("a failed target leaves an error item in its position; a run of nothing else fails", async () => {
  const { supervisor, items } = service
  const urls = [page(1), `${site.url}missing`, page(2)]
  const mixed = await supervisor.start({ ...request, scraper: pages, input: { urls } })
  expect(await supervisor.wait(mixed.id, waitLimit)).toMatchObject({
    status: "succeeded",
    item_count: 2,
    error_count: 1,
    targets_failed: 1,
  })
  expect((await items(mixed.id))[1]).toMatchObject({ error: { code: "not_found" } })
  const bad = await supervisor.start({
    ...request,
    scraper: pages,
    input: { urls: [`${site.url}missing`] },
  })
  expect(await supervisor.wait(bad.id, waitLimit)).toMatchObject({
    status: "failed",
    error_code: "not_found",
  })
})

test("the operator's unlocker passes challenges for accounts, which pay for it, and not without a key", async () => {
  const { supervisor, items, store } = service
  const id = "acc_unlocks"
  const createdAt = new Date().toISOString()
  const account = { id, email: null, passwordHash: null, unlimited: true, credits: 0, createdAt }
  await store.write("accounts.create", account)
  const input = { urls: [page(1)] }
  for (const [accountId, item] of [
    [id, { text: `unlocked ${page(1)}` }],
    [null, { error: { code: "blocked" } }],
  ] as const) {
    const run = await supervisor.start({ accountId, origin: "api", scraper: challenged, input })
    await supervisor.wait(run.id, waitLimit)
    expect((await items(run.id))[0]).toMatchObject(item)
  }
})

test("a target with very many items is stored in batches and counted once", async () => {
  const { supervisor, items } = service
  const run = await supervisor.start({
    ...request,
    scraper: acts,
    input: { acts: ["many:1700", "once"] },
  })
  const end = await supervisor.wait(run.id, waitLimit)
  expect(end).toMatchObject({ status: "succeeded", item_count: 1701 })
  const stored = await items(run.id)
  expect(stored.slice(0, 1700).map((item) => item.index)).toEqual([...Array(1700).keys()])
  const { spilled } = await service.store.db
    .selectFrom("staged_items")
    .select((eb) => eb.fn.countAll<number>().as("spilled"))
    .executeTakeFirstOrThrow()
  expect(spilled).toBe(0)
})

test("maxItems and maxPages cap a run exactly", async () => {
  const { supervisor } = service
  const urls = Array.from({ length: 30 }, (_, number) => page(number))
  const items = await supervisor.start({
    ...request,
    scraper: pages,
    input: { urls },
    maxItems: 7,
  })
  expect(await supervisor.wait(items.id, waitLimit)).toMatchObject({
    item_count: 7,
    capped: "items",
  })
  const together = await supervisor.start({
    ...request,
    scraper: counts,
    input: { counts: [3, 4, 5] },
    maxItems: 5,
  })
  expect(await supervisor.wait(together.id, waitLimit)).toMatchObject({
    item_count: 5,
    capped: "items",
  })
})

test("a scraper's memory is kept between runs of one account", async () => {
  const { supervisor, items } = service
  const once = async () => {
    const run = await supervisor.start({
      scraper: acts,
      input: { acts: ["remember"] },
      accountId: null,
      origin: "api",
    })
    await supervisor.wait(run.id, waitLimit)
    return (await items(run.id))[0]!.before
  }
  expect([await once(), await once(), await once()]).toEqual([null, 1, 2])
})

test("waiting ends with the run, with the time, or with the caller", async () => {
  const { supervisor } = service
  expect(await supervisor.wait("run_none", 1000)).toBeUndefined()
  const run = await supervisor.start({ ...request, scraper: acts, input: { acts: ["wait:60"] } })
  const started = Date.now()
  const still = await supervisor.wait(run.id, 300)
  expect(still && ["queued", "running"].includes(still.status)).toBe(true)
  const caller = new AbortController()
  setTimeout(() => caller.abort(), 50)
  await supervisor.wait(run.id, waitLimit, caller.signal)
  // Half the time of the run, and of the caller's maximum wait.
  expect(Date.now() - started).toBeLessThan(30_000)
  await supervisor.abort(run.id)
  expect((await supervisor.wait(run.id, waitLimit))?.status).toBe("aborted")
})

test("a listener of a run gets its progress and its log at each change", async () => {
  const { supervisor, store } = service
  const run = await supervisor.start({
    ...request,
    scraper: acts,
    input: { acts: ["a", "sleep:700", "b", "sleep:701", "c"] },
  })
  const looks: Promise<{ isOver: boolean; row: RunRow; lines: string[] }>[] = []
  const unsubscribe = supervisor.subscribe(run.id, (isOver) => {
    const look = async () => {
      const row = (await runById(store.db, run.id))!
      const lines = await logLines(store.db, run.n, { after: 0, limit: 100 })
      return { isOver, row, lines: lines.map(({ message }) => message) }
    }
    looks.push(look())
  })
  await supervisor.wait(run.id, waitLimit)
  unsubscribe()
  const seen = await Promise.all(looks)
  expect(seen.map(({ isOver }) => isOver)).toEqual([...Array(seen.length - 1).fill(false), true])
  expect(seen[0]!.row.status).toBe("running")
  expect(seen.at(-1)!.row.status).toBe("succeeded")
  expect(seen.at(-1)!.lines).toEqual(["Did a", "Did sleep:700", "Did b", "Did sleep:701", "Did c"])
  // While the run continues, its progress is sent, but not each single step.
  const between = seen.slice(1, -1)
  expect(between.some(({ row }) => row.targets_done > 0 && row.targets_done < 5)).toBe(true)
  expect(between.some(({ lines }) => lines.length > 0 && lines.length < 5)).toBe(true)
  expect(between.length).toBeLessThan(7)
})

test("an aborted run ends, whether it waits, runs, or ignores the abort", async () => {
  const one = await ownService({ runsPerAccount: 1 })
  const account = { ...request, accountId: "acc_x" }
  const first = await one.supervisor.start({
    ...account,
    scraper: acts,
    input: { acts: ["a", "wait:60"] },
  })
  const second = await one.supervisor.start({ ...account, scraper: acts, input: { acts: ["b"] } })
  await until(async () => (await one.items(first.id)).length === 1)
  expect(await one.supervisor.abort(second.id)).toMatchObject({ status: "aborted" })
  expect(await one.supervisor.abort(first.id)).toMatchObject({ status: "aborting" })
  const end = await one.supervisor.wait(first.id, waitLimit)
  expect(end).toMatchObject({ status: "aborted", item_count: 1 })
  expect(end?.finished_at).toBeString()
  expect(await one.supervisor.abort(first.id)).toMatchObject({ status: "aborted" })
  expect(await one.supervisor.abort("run_none")).toBeUndefined()
})

test("an account's own limit of runs replaces the general one; targets are reported", async () => {
  const reported: [slug: string, code: string, targets: number][] = []
  const one = await ownService({
    runsPerAccount: 10,
    runsAtOnceOf: (id) => (id === "acc_narrow" ? 1 : undefined),
    onTargets: (slug, tallies) => {
      for (const { code, targets } of tallies) reported.push([slug, code, targets])
    },
  })
  const start = (accountId: string, ...todo: string[]) =>
    one.supervisor.start({ ...request, accountId, scraper: acts, input: { acts: todo } })
  const first = await start("acc_narrow", "wait:60")
  const second = await start("acc_narrow", "a", "b")
  const other = await start("acc_wide", "a")
  await one.supervisor.wait(other.id, waitLimit)
  while ((await one.supervisor.wait(first.id, 0))?.status === "queued") await Bun.sleep(20)
  expect((await one.supervisor.wait(first.id, 0))?.status).toBe("running")
  expect((await one.supervisor.wait(second.id, 0))?.status).toBe("queued")
  await one.supervisor.abort(first.id)
  expect((await one.supervisor.wait(second.id, waitLimit))?.status).toBe("succeeded")
  const sum = reported.reduce((total, [, , targets]) => total + targets, 0)
  expect([sum, [...new Set(reported.map(([slug, code]) => `${slug} ${code}`))]]).toEqual([
    3,
    [`${acts.slug} ok`],
  ])
})

test("a run that ignores its abort is abandoned after a while", async () => {
  const one = await ownService({ unresponsiveMs: 300 })
  const run = await one.supervisor.start({ ...request, scraper: acts, input: { acts: ["deaf"] } })
  await until(async () => (await one.supervisor.wait(run.id, 0))?.status === "running")
  await one.supervisor.abort(run.id)
  expect(await one.supervisor.wait(run.id, waitLimit)).toMatchObject({ status: "aborted" })
})

test("a run that takes too long is timed out, and keeps its items", async () => {
  const run = await service.supervisor.start({
    ...request,
    scraper: acts,
    input: { acts: ["a", "wait:60"] },
    timeoutSeconds: 1,
  })
  expect(await service.supervisor.wait(run.id, waitLimit)).toMatchObject({
    status: "timed_out",
    item_count: 1,
    error_code: "timeout",
  })
})

test("a resumed run keeps its finished targets, and repeats the failed and missing ones", async () => {
  const { supervisor, items } = service
  const urls = [page(1), `${site.url}gate/missing`, `${site.url}gate/slow`, page(2)]
  gate.open = false
  const run = await supervisor.start({
    ...request,
    scraper: pages,
    input: { urls },
    timeoutSeconds: 4,
  })
  expect(await supervisor.wait(run.id, waitLimit)).toMatchObject({
    status: "timed_out",
    item_count: 2,
    error_count: 1,
  })
  gate.open = true
  const requested = gate.requested
  const again = await supervisor.resume(run.id)
  expect(again).toMatchObject({
    status: "queued",
    targets_done: 2,
    error_count: 0,
    error_code: null,
  })
  expect(await supervisor.wait(run.id, waitLimit)).toMatchObject({
    status: "succeeded",
    attempt: 2,
    item_count: 4,
    error_count: 0,
    targets_done: 4,
    targets_failed: 0,
  })
  expect((await items(run.id)).map((item) => item.url)).toEqual(urls)
  expect(gate.requested - requested).toBe(2)
  expect((await supervisor.resume(run.id))?.status).toBe("succeeded")
})
