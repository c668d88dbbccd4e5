import { readdirSync, readFileSync } from "node:fs"
import { cpus, tmpdir } from "node:os"
import { join } from "node:path"
import { gunzipSync } from "node:zlib"
import { decodeBody } from "../../src/engine/net/http/charset.ts"
import { mainContent, withHeading } from "../../src/extract/article/index.ts"
import { baseUrl, parseDocument } from "../../src/extract/core/index.ts"
import { toMarkdown } from "../../src/extract/markdown/index.ts"
import { readMetadata, readSources } from "../../src/extract/metadata/index.ts"
import { openStoreAt, type Store } from "../../src/store/store.ts"
import { freshDatabase } from "../../test/postgres.ts"
import { commitOf, finished, good, runningRun } from "../../test/store/harness.ts"
import { databaseSeconds, postmasterOf } from "../cluster/database-time.ts"
import type { Costs, MeasuredCosts } from "./costs.ts"

const url = "https://site.example/page"
/** Uses every 24th page of ../shared/quality/pages. */
const everyPage = 24

/** Measures all costs as processor time, which other work on the machine increases a little. */
export async function measure(): Promise<MeasuredCosts> {
  const short = await clusterRun({ runs: 400, targets: 1 })
  const long = await clusterRun({ runs: 60, targets: 60 })
  const engine = (long.trawlMs - short.trawlMs) / (long.targets - short.targets)
  const database = await databaseCosts()
  const costs: Costs = {
    page: engine + readingMs(),
    run: short.trawlMs - engine,
    // The cost of a run's targets is measured in full groups; this is the cost of everything that
    // happens once.
    databaseRun: short.databaseMs - database.databaseCommit - database.databaseTarget,
    ...database,
  }
  const rounded = Object.entries(costs).map(([name, ms]) => [name, Number(ms.toFixed(3))])
  return {
    measured: new Date().toISOString().slice(0, 10),
    machine: `${cpus().length} cores, ${cpus()[0]?.model.trim() ?? "unknown"}`,
    costs: Object.fromEntries(rounded),
  }
}

/** Two processes and their database with this number of runs, in milliseconds of a core per run. */
async function clusterRun({ runs, targets }: { runs: number; targets: number }) {
  const command = [process.execPath, join(import.meta.dir, "../cluster/main.ts"), "--json"]
  const options = ["--kill", "0", "--runs", `${runs}`, "--targets", `${targets}`]
  const child = Bun.spawn([...command, ...options], { stdout: "pipe", stderr: "inherit" })
  const output = await new Response(child.stdout).text()
  if ((await child.exited) !== 0) throw new Error(`The cluster did not work: ${output}`)
  const { trawlMs, databaseMs } = JSON.parse(output.trim().split("\n").at(-2)!)
  return { targets, trawlMs, databaseMs }
}

/** Reads a page: parse, metadata, main content, Markdown. */
function readingMs(): number {
  const folder = join(import.meta.dir, "../../../shared/quality/pages")
  const pages = readdirSync(folder)
    .filter((name) => name.endsWith(".html.gz"))
    .filter((_, index) => index % everyPage === 0)
    .map((name) => decodeBody(gunzipSync(readFileSync(join(folder, name))), "text/html"))
  const read = (html: string) => {
    const document = parseDocument(html)
    const { title } = readMetadata(readSources(document, url))
    const { root } = mainContent(document, url)
    return withHeading(toMarkdown(root, baseUrl(document, url)), document, title)
  }
  // The second time, as in a process that has worked for a while.
  for (const html of pages) read(html)
  const before = process.threadCpuUsage()
  for (const html of pages) read(html)
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1000 / pages.length
}

async function databaseCosts() {
  const databaseUrl = await freshDatabase()
  const store = await openStoreAt({ dataDir: join(tmpdir(), "none"), databaseUrl })
  const each = costsAt(await postmasterOf(databaseUrl))
  const single = await each(300, commits(store, "single", 1))
  const full = await each(100, commits(store, "full", 32))
  const target = (full - single) / 31
  await store.write("processes.join", { id: "one", folder: "one", leaseMs: 10_000 })
  const lease = {
    ...{ id: "host.example", processId: "one", intervalMs: 100, count: 5 },
    ...{ concurrency: 8, inFlight: 0, wanted: 5 },
  }
  const taking = { id: "one", max: 16, maxKeyless: 12, perAccount: 8, limits: {}, after: "" }
  const costs = {
    databaseCommit: single - target,
    databaseTarget: target,
    databaseLease: await each(500, () => store.write("rateLimits.lease", { ...lease, soft: true })),
    databaseBeat: await each(500, () =>
      store.write("processes.beat", { id: "one", leaseMs: 10_000 }),
    ),
    databaseLook: await each(500, () =>
      store.write("runs.take", { ...taking, at: new Date().toISOString() }),
    ),
  }
  await store.close()
  return costs
}

/** Commits `count` targets with one item each. */
function commits(store: Store, id: string, targets: number) {
  const keys = Array.from({ length: 4000 }, (_, n) => `${n}`)
  const started = runningRun(store, `run_${id}`, keys)
  let seq = 0
  return async () => {
    const items = [good({ url, title: "A title", markdown: "Some words of a page. ".repeat(100) })]
    const done = Array.from({ length: targets }, () => finished(seq++, { items }))
    await store.write("targets.commit", commitOf(await started, { finished: done }))
  }
}

/**
 * Returns the milliseconds of the database's processor time for each of a number of sequential
 * changes.
 */
const costsAt =
  (postmaster: number) =>
  async (times: number, change: () => Promise<unknown>): Promise<number> => {
    await change()
    const before = databaseSeconds(postmaster)
    for (let n = 0; n < times; n++) await change()
    return ((databaseSeconds(postmaster) - before) * 1000) / times
  }
