/**
 * Compares starting, claiming and finishing runs with pg-boss and graphile-worker on one PostgreSQL
 * with its default durability. They take turns, so that other work of the machine affects all of
 * them.
 *
 *     cd $(mktemp -d) && bun add --exact pg-boss@12.38.0 graphile-worker@0.18.0
 *     bun bench/cluster/rivals.ts --packages <that folder> [--jobs 1000] [--rounds 5]
 */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { openStoreAt } from "../../src/store/store.ts"
import { freshDatabase, PostgresServer } from "../../test/postgres.ts"
import { newRun } from "../../test/store/harness.ts"
import { databaseSeconds, postmasterOf } from "./database-time.ts"

const { values } = parseArgs({
  options: {
    packages: { type: "string" },
    jobs: { type: "string", default: "1000" },
    rounds: { type: "string", default: "5" },
  },
})
if (!values.packages)
  throw new Error("Set --packages to a folder with pg-boss and graphile-worker.")
const jobs = Number(values.jobs)
/** Number of concurrent producers, and of concurrent consumers. */
const callers = 32
const taken = 16
const packageOf = (name: string) => import(Bun.resolveSync(name, join(values.packages!, "x")))

interface Queue {
  name: string
  /** Adds one job; resolves once it is on disk. */
  start(n: number): Promise<unknown>
  /** Claims and finishes the jobs of a round; resolves when all are finished. */
  work(): Promise<void>
  close(): Promise<unknown>
}

/** Executes empty jobs in 16 slots: jobs are claimed for the free slots while others finish. */
async function inSlots<Job>(
  claim: (most: number) => Promise<Job[]>,
  end: (job: Job) => Promise<unknown>,
): Promise<void> {
  let [left, free] = [jobs, taken]
  let isFreed = Promise.withResolvers<void>()
  const ends: Promise<void>[] = []
  while (left > 0) {
    isFreed = Promise.withResolvers()
    const claimed = free > 0 ? await claim(Math.min(free, left)) : []
    left -= claimed.length
    free -= claimed.length
    for (const job of claimed) {
      ends.push(
        end(job).then(() => {
          free++
          isFreed.resolve()
        }),
      )
    }
    if (left > 0 && free === 0) await isFreed.promise
  }
  await Promise.all(ends)
}

async function trawl(databaseUrl: string, dataDir: string): Promise<Queue> {
  const store = await openStoreAt({ dataDir, databaseUrl })
  const at = new Date().toISOString()
  const id = "bench"
  await store.write("processes.join", { id, folder: id, leaseMs: 3_600_000 })
  return {
    name: "Trawl",
    start: (n) =>
      store.write("runs.create", newRun(`run_${n}`, ["a"], { accountId: `acc_${n % 8}` })),
    work: () =>
      inSlots(
        async (most) => {
          const limits = { maxKeyless: most, perAccount: 1000, limits: {} }
          return (await store.write("runs.take", { id, max: most, ...limits, after: "", at })).runs
        },
        ({ id, attempt }) => {
          const end = { status: "succeeded", error: null, capped: null, at } as const
          return store.write("runs.finish", { id, attempt, ...end })
        },
      ),
    close: () => store.close(),
  }
}

async function pgBoss(databaseUrl: string): Promise<Queue> {
  const { PgBoss } = await packageOf("pg-boss")
  const boss = new PgBoss(databaseUrl)
  await boss.start()
  await boss.createQueue("runs")
  return {
    name: "pg-boss",
    start: (n) => boss.send("runs", { n, target: "a" }),
    work: () =>
      inSlots<{ id: string }>(
        (most) => boss.fetch("runs", { batchSize: most }),
        ({ id }) => boss.complete("runs", id),
      ),
    close: () => boss.stop({ graceful: false }),
  }
}

async function graphileWorker(databaseUrl: string): Promise<Queue> {
  const { makeWorkerUtils, run, Logger } = await packageOf("graphile-worker")
  const logger = new Logger(() => () => {})
  const utils = await makeWorkerUtils({ connectionString: databaseUrl, logger })
  await utils.migrate()
  return {
    name: "graphile-worker",
    start: (n) => utils.addJob("run", { n, target: "a" }),
    async work() {
      const { promise, resolve } = Promise.withResolvers<void>()
      let ended = 0
      const runner = await run({
        ...{ connectionString: databaseUrl, logger, noHandleSignals: true },
        ...{ concurrency: taken, taskList: { run: async () => {} } },
      })
      runner.events.on("job:complete", () => {
        if (++ended === jobs) resolve()
      })
      await promise
      await runner.stop()
    },
    close: () => utils.release(),
  }
}

const folder = mkdtempSync(join(tmpdir(), "trawl-rivals-"))
const server = await PostgresServer.start()
const postmaster = await postmasterOf(server.url)
const database = () => freshDatabase(server.url)
const queues = [
  await trawl(await database(), folder),
  await pgBoss(await database()),
  await graphileWorker(await database()),
]

interface Cost {
  perSecond: number
  databaseMs: number
  callerMs: number
}

async function measured(work: () => Promise<unknown>): Promise<Cost> {
  const [began, cpu, before] = [performance.now(), process.cpuUsage(), databaseSeconds(postmaster)]
  await work()
  const seconds = (performance.now() - began) / 1000
  const { user, system } = process.cpuUsage(cpu)
  const databaseMs = ((databaseSeconds(postmaster) - before) * 1000) / jobs
  return { perSecond: jobs / seconds, databaseMs, callerMs: (user + system) / 1000 / jobs }
}

const middle = (costs: Cost[], of: keyof Cost) =>
  costs.map((cost) => cost[of]).sort((a, b) => a - b)[costs.length >> 1]!

let next = 0
const found = new Map(
  queues.map(({ name }) => [name, { starts: [] as Cost[], ends: [] as Cost[] }]),
)
// The first round fills caches, and does not count.
for (let round = 0; round <= Number(values.rounds); round++) {
  for (const { name, start, work } of queues) {
    const last = next + jobs
    const starts = await measured(() =>
      Promise.all(
        Array.from({ length: callers }, async () => {
          while (next < last) await start(next++)
        }),
      ),
    )
    const ends = await measured(work)
    if (round === 0) continue
    found.get(name)!.starts.push(starts)
    found.get(name)!.ends.push(ends)
  }
}
console.table(
  Object.fromEntries(
    [...found].map(([name, { starts, ends }]) => [
      name,
      {
        "starts/s": Math.round(middle(starts, "perSecond")),
        "taken and ended/s": Math.round(middle(ends, "perSecond")),
        "database ms a start": middle(starts, "databaseMs").toFixed(2),
        "database ms an end": middle(ends, "databaseMs").toFixed(2),
        "caller ms a start": middle(starts, "callerMs").toFixed(2),
        "caller ms an end": middle(ends, "callerMs").toFixed(2),
      },
    ]),
  ),
)
for (const queue of queues) await queue.close()
rmSync(folder, { recursive: true, force: true })
process.exit(0)
