import { afterAll, expect, test } from "bun:test"
import { mkdtempSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type RawBuilder, sql } from "kysely"
import { isPostgres } from "../../../../src/store/db/database.ts"
import { diskIssue } from "../../../../src/store/db/disk/disk-error.ts"
import { itemBodies } from "../../../../src/store/runs/items.ts"
import { isOver } from "../../../../src/store/runs/runs.ts"
import { openStoreAt } from "../../../../src/store/store.ts"
import type { RunRow } from "../../../../src/store/tables/schema.ts"
import { freshDatabase } from "../../../postgres.ts"
import { isRunningAll, testOfAll } from "../../../samples.ts"
import { bundled, workerUrl } from "./bundled.ts"
import { removeFolder } from "./harness.ts"

/**
 * Milliseconds between checks of a process's progress: often enough to find a state, and little
 * work for this process.
 */
const pollMs = 5
const crawled = 60
/** Runs that get pages of the site. */
const paged = 20
const credits = 1_000_000

/** Number of requests by path, over all processes. */
const requested = new Map<string, number>()
const site: Bun.Server<undefined> = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  async fetch(request): Promise<Response> {
    const { pathname } = new URL(request.url)
    // A link that HEAD reports as dead is requested by GET, too.
    const key = request.method === "HEAD" ? `${pathname} ` : pathname
    requested.set(key, (requested.get(key) ?? 0) + 1)
    await Bun.sleep(1 + Math.random() * 20)
    if (pathname.startsWith("/linked")) return linkedPage(pathname)
    if (pathname.includes("missing")) return new Response("no", { status: 404 })
    if (!pathname.includes("/list/")) return new Response(pathname)
    const [, run, , number] = pathname.split("/")
    const links = Array.from({ length: 15 }, (_, index) => (Number(number) * 7 + index) % crawled)
    return Response.json(links.map((link) => `${site.url}${run}/list/${link}`))
  },
})

const linkedPages = 20
const linksPerPage = 6

/** A site of pages in sequence, each with links to its own files, the first of which is missing. */
function linkedPage(pathname: string): Response {
  const [, , number, file] = pathname.split("/")
  if (file) return new Response(file, { status: file === "0.zip" ? 404 : 200 })
  const next = Number(number) + 1
  const files = Array.from({ length: linksPerPage }, (_, index) => `/linked/${number}/${index}.zip`)
  const links = next < linkedPages ? [...files, `/linked/${next}`] : files
  const body = links.map((link) => `<p><a href="${link}">A link</a></p>`).join("")
  return new Response(body, { headers: { "content-type": "text/html" } })
}

/** Bundled as one script each: every kill needs a new process, and some kills have no effect. */
const [serverPath, worker] = await Promise.all([
  bundled(join(import.meta.dir, "server.ts"), ["store/writer/writer-thread.ts"]),
  workerUrl,
])
const dataDir = mkdtempSync(join(tmpdir(), "trawl-crash-"))
/** `TRAWL_TEST_STORE=postgres` repeats the kills with a PostgreSQL, which is not killed. */
const databaseUrl = process.env.TRAWL_TEST_STORE === "postgres" ? await freshDatabase() : undefined
const store = await openStoreAt({ dataDir, databaseUrl })
afterAll(async () => {
  site.stop(true)
  await store.close()
  removeFolder(dataDir)
})

interface Process {
  url: string
  kill(): Promise<void>
}

function spawn() {
  return Bun.spawn(
    [process.execPath, serverPath, dataDir, worker, ...(databaseUrl ? [databaseUrl] : [])],
    {
      stdout: "pipe",
      stderr: "inherit",
    },
  )
}

/** Killed before it serves: while it requeues the runs of the last process. */
async function startInVain(): Promise<void> {
  const child = spawn()
  const held = await look(heldRuns)
  const served = child.stdout.getReader().read()
  let serves = false
  void served.then(() => {
    serves = true
  })
  while (!serves && (await look(heldRuns)) === held) await Bun.sleep(pollMs)
  child.kill("SIGKILL")
  await child.exited
}

async function startProcess(): Promise<Process> {
  const child = spawn()
  const reader = child.stdout.getReader()
  const { value } = await reader.read()
  return {
    url: new TextDecoder().decode(value).trim(),
    async kill() {
      child.kill("SIGKILL")
      await child.exited
    },
  }
}

type Kind = "pages" | "many" | "crawl"

interface Expected {
  kind: Kind
  name: string
  aborted: boolean
}

const urlsOf = (name: string) =>
  Array.from(
    { length: paged },
    (_, number) => `${site.url}${name}/${number % 10 === 3 ? "missing" : "page"}/${number}`,
  )

/** More items than memory holds: they are stored in batches before their target is committed. */
const many = 1100
const manyUrls = (name: string) => urlsOf(name).slice(0, 1)

function inputOf({ kind, name }: Expected): { slug: string; input: Record<string, unknown> } {
  if (kind === "crawl") return { slug: "crawl", input: { start: `${site.url}${name}/list/0` } }
  if (kind === "many") return { slug: "pages", input: { urls: manyUrls(name), perTarget: many } }
  return { slug: "pages", input: { urls: urlsOf(name), perTarget: 2 } }
}

/** Returns the expected items of a run, each by a key. */
function expectedKeys({ kind, name }: Expected): string[] {
  if (kind === "crawl") {
    return Array.from({ length: crawled }, (_, n) => `${site.url}${name}/list/${n}`).sort()
  }
  const perTarget = kind === "many" ? many : 2
  const urls = kind === "many" ? manyUrls(name) : urlsOf(name)
  return urls
    .flatMap((url) =>
      url.includes("missing")
        ? [`not_found ${url}`]
        : Array.from({ length: perTarget }, (_, index) => `${url} ${index}`),
    )
    .sort()
}

function keyOf(item: Record<string, unknown>): string {
  if (item.error) return `${(item.error as { code: string }).code} ${item.input}`
  return item.index === undefined ? String(item.url) : `${item.url} ${item.index}`
}

const heldRuns = sql`SELECT count(*) AS n FROM runs WHERE status IN ('running', 'aborting')`

/** Returns a figure of the database as the process has it on disk. */
async function look(figure: RawBuilder<unknown>): Promise<number> {
  for (;;) {
    try {
      const { rows } = await figure.execute(store.db)
      return Number(Object.values(rows[0] as object)[0])
    } catch (error) {
      // A process that takes over from a killed one locks the database for a moment.
      if (!diskIssue(error)) throw error
      await Bun.sleep(pollMs)
    }
  }
}

const requestedInAll = async () => [...requested.values()].reduce((sum, count) => sum + count, 0)

interface Moment {
  name: string
  of(): Promise<number>
  /**
   * By how much it has grown since the process was asked to start runs; without it, any row counts.
   */
  by?: number
}

/** States in which a process is killed. */
const moments: Moment[] = [
  {
    name: "a target is running",
    of: () => look(sql`SELECT count(*) AS n FROM targets WHERE state = 'running'`),
  },
  { name: "the first pages are asked for", of: requestedInAll, by: 5 },
  {
    name: "a target has stored a part of its items",
    of: () => look(sql`SELECT count(*) AS n FROM staged_items`),
  },
  {
    name: "targets are done",
    of: () => look(sql`SELECT sum(targets_done) AS n FROM runs`),
    by: 10,
  },
  ...(isRunningAll ? [{ name: "many pages are asked for", of: requestedInAll, by: 60 }] : []),
  {
    name: "a run has ended",
    of: () => look(sql`SELECT count(*) AS n FROM runs WHERE status = 'succeeded'`),
    by: 1,
  },
  { name: "items are stored", of: () => look(sql`SELECT sum(item_count) AS n FROM runs`), by: 200 },
  { name: "pages are counted", of: () => look(sql`SELECT sum(page_count) AS n FROM runs`), by: 20 },
  { name: "runs are resumed", of: () => look(sql`SELECT sum(attempt) AS n FROM runs`), by: 3 },
]
/** Number of kills for each state, in a mixed order; `bun run crash` has more. */
const turns = Number(process.env.TRAWL_CRASH_TURNS ?? 1)
const rounds = turns * moments.length

const unended = sql`
  SELECT count(*) AS n FROM runs WHERE status IN ('queued', 'running', 'aborting')`

test(`after ${rounds} kills, ${turns} at each moment of work, each accepted run is complete`, async () => {
  const accountId = await createAccount()
  const accepted = new Map<string, Expected>()
  const missed: string[] = []
  for (let round = 0; round < rounds; round++) {
    if (round % 4 === 3) await startInVain()
    const server = await startProcess()
    const { name, of, by } = moments[round % moments.length]!
    const wanted = by === undefined ? 1 : (await of()) + by
    const before = accepted.size
    let isStarting = true
    const starting = startRuns(server.url, round, accountId, accepted).then(() => {
      isStarting = false
    })
    while (accepted.size === before) await Bun.sleep(pollMs)
    while ((await of()) < wanted) {
      // Without work the state would never occur.
      if (!isStarting && (await look(unended)) === 0) {
        missed.push(name)
        break
      }
      await Bun.sleep(pollMs)
    }
    await server.kill()
    await starting
  }
  expect(missed).toEqual([])
  const server = await startProcess()
  const runs = new Map<string, RunRow>()
  for (const id of accepted.keys()) runs.set(id, await ended(server.url, id))
  await server.kill()
  expect(accepted.size).toBeGreaterThanOrEqual(rounds)
  await judge(runs, accepted, accountId)
}, 600_000)

/** No time limit: a busy machine gives anonymous runs only the time that is left. */
async function ended(url: string, id: string): Promise<RunRow> {
  for (;;) {
    const response = await fetch(`${url}wait/${id}`)
    const run = (await response.json()) as RunRow
    if (!run?.id || isOver(run.status)) return run
  }
}

async function createAccount(): Promise<string> {
  await store.write("accounts.create", {
    id: "acc_crash",
    email: null,
    passwordHash: null,
    unlimited: false,
    credits,
    createdAt: new Date().toISOString(),
  })
  return "acc_crash"
}

async function startRuns(
  url: string,
  round: number,
  accountId: string,
  accepted: Map<string, Expected>,
): Promise<void> {
  const kinds: Kind[] = ["pages", "crawl", "pages", "many"]
  for (const [index, kind] of kinds.entries()) {
    const expected = { kind, name: `r${round}-${index}`, aborted: false }
    const body = JSON.stringify({ ...inputOf(expected), accountId: index % 2 ? accountId : null })
    const response = await fetch(`${url}start`, { method: "POST", body }).catch(() => undefined)
    const run = (await response?.json().catch(() => undefined)) as RunRow | undefined
    if (!run) return
    accepted.set(run.id, expected)
    if (round % 5 === 4 && index === 2) {
      expected.aborted = true
      await fetch(`${url}abort/${run.id}`).catch(() => undefined)
    }
  }
}

async function itemsOf({ n }: RunRow): Promise<Record<string, unknown>[]> {
  const bodies = await Array.fromAsync(itemBodies(store.db, n))
  return bodies.map((body) => JSON.parse(body))
}

async function judge(
  runs: Map<string, RunRow>,
  accepted: Map<string, Expected>,
  accountId: string,
): Promise<void> {
  for (const [id, expected] of accepted) {
    const run = runs.get(id)!
    expect(run, `run ${id} was accepted and is gone`).not.toBeNull()
    const keys = (await itemsOf(run)).map(keyOf)
    expect(run.item_count + run.error_count, `${expected.name}: the count of items`).toBe(
      keys.length,
    )
    if (expected.aborted && run.status === "aborted") {
      expect(new Set(keys).size).toBe(keys.length)
      continue
    }
    expect(run.status, `${expected.name}: ${run.error_message}`).toBe("succeeded")
    expect(keys.sort()).toEqual(expectedKeys(expected))
    expect(run.targets_done).toBe(run.targets_total)
  }
  // Runs are charged even if the caller never got the response.
  if (!isPostgres(store.db)) {
    const { rows } = await sql`PRAGMA integrity_check`.execute(store.db)
    expect(rows).toEqual([{ integrity_check: "ok" }])
  }
  expect(await look(sql`SELECT count(*) AS n FROM staged_items`)).toBe(0)
  expect(await look(unended)).toBe(0)
  const charged = await look(sql`SELECT sum(credits_charged) AS n FROM runs`)
  const balance = await look(sql`SELECT balance FROM accounts WHERE id = ${accountId}`)
  expect(balance).toBe(credits - charged)
  expect(charged).toBeGreaterThan(0)
  // Some kills must have hit running runs; otherwise the test shows nothing.
  const met = [...runs.values()].filter((run) => run.attempt > 1)
  expect(met.length).toBeGreaterThan(rounds / 5)
  // Each kill can repeat the request for a page at most once.
  expect(Math.max(...requested.values())).toBeLessThanOrEqual(rounds)
}

testOfAll(
  "a check of links that is killed half-way continues with the remaining links",
  async () => {
    const linked = () => [...requested].filter(([path]) => path.startsWith("/linked"))
    let server = await startProcess()
    const body = JSON.stringify({
      slug: "broken-link-checker",
      input: { startUrl: `${site.url}linked/0`, maxPages: 50, onlyBroken: false },
      accountId: null,
    })
    const run = (await (
      await fetch(`${server.url}start`, { method: "POST", body })
    ).json()) as RunRow
    // One kill among the pages, one among the files.
    for (const paths of [linkedPages / 2, linkedPages * 2]) {
      while (linked().length < paths) await Bun.sleep(pollMs)
      await server.kill()
      server = await startProcess()
    }
    const end = await ended(server.url, run.id)
    await server.kill()
    expect(end).toMatchObject({ status: "succeeded", attempt: 3 })
    const items = await itemsOf(end)
    const files = linkedPages * linksPerPage
    expect(items).toHaveLength(files + linkedPages)
    expect(items.at(-1)).toMatchObject({
      pagesCrawled: linkedPages,
      linksChecked: files + linkedPages - 1,
      brokenLinks: linkedPages,
    })
    expect(linked()).toHaveLength(files + linkedPages * 2)
    // A request that was running at a kill is sent again, because its response may not be on disk.
    const again = linked().reduce((sum, [, count]) => sum + count - 1, 0)
    expect(again).toBeLessThan(10)
    // Dead links cost nothing; requests of earlier attempts do.
    expect(end.page_count).toBeGreaterThanOrEqual(files)
  },
  600_000,
)
