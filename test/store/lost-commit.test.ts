import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Socket } from "bun"
import { sql } from "kysely"
import { accountById } from "../../src/store/accounts/accounts.ts"
import { runById } from "../../src/store/runs/runs.ts"
import { connectStore, openStoreAt } from "../../src/store/store.ts"
import { PostgresWriter } from "../../src/store/writer/postgres-writer.ts"
import { freshDatabase, hasPostgres } from "../postgres.ts"
import { at, commitOf, finished, good, newRun, runningRun } from "./harness.ts"

interface Method {
  client: Socket<Method>
  server?: Socket<Method>
}

/**
 * Loses the next COMMIT, or another `text`: it or its response is not forwarded, and both
 * connections end.
 */
type Loss = "commit" | "answer"

/** A proxy to a server that loses connections as a server does that stops at that moment. */
function losingProxy({ hostname, port }: URL) {
  const proxy = { loses: undefined as Loss | undefined, text: "COMMIT", lost: 0, isAway: false }
  const lose = (fetchMethod: Method) => {
    proxy.lost++
    fetchMethod.client.terminate()
    fetchMethod.server?.terminate()
  }
  const listener = Bun.listen<Method>({
    hostname: "127.0.0.1",
    port: 0,
    socket: {
      async open(client) {
        if (proxy.isAway) return client.terminate()
        const fetchMethod: Method = { client }
        client.data = fetchMethod
        client.pause()
        fetchMethod.server = await Bun.connect<Method>({
          hostname,
          port: Number(port),
          data: fetchMethod,
          socket: {
            data: (_, bytes) => void client.write(bytes),
            close: () => void client.end(),
          },
        })
        client.resume()
      },
      data({ data: fetchMethod }, bytes) {
        const { loses } = proxy
        if (!loses || !bytes.includes(proxy.text)) return void fetchMethod.server?.write(bytes)
        proxy.loses = undefined
        if (loses === "commit") return lose(fetchMethod)
        // The client does not get the response.
        fetchMethod.server!.reload({ socket: { data: () => lose(fetchMethod) } })
        fetchMethod.server!.write(bytes)
      },
      close: ({ data: fetchMethod }) => void fetchMethod?.server?.end(),
    },
  })
  return Object.assign(proxy, { port: listener.port, stop: () => listener.stop(true) })
}

describe.skipIf(!hasPostgres)("a lost PostgreSQL connection", () => {
  const dataDir = mkdtempSync(join(tmpdir(), "trawl-lost-"))
  let direct: string
  let proxy: ReturnType<typeof losingProxy>
  let through: string
  beforeAll(async () => {
    direct = await freshDatabase()
    await (await openStoreAt({ dataDir, databaseUrl: direct })).close()
    proxy = losingProxy(new URL(direct))
    through = Object.assign(new URL(direct), { host: `127.0.0.1:${proxy.port}` }).href
  })
  afterAll(() => {
    proxy?.stop()
    rmSync(dataDir, { recursive: true })
  })

  const account = (id: string, credits: number) => ({
    ...{ id, email: null, passwordHash: null, unlimited: false, credits, createdAt: at },
  })

  /**
   * Two changes in one transaction whose COMMIT is lost. Returns whether both or neither were made.
   */
  async function twoOfOne(loses: Loss, name: string) {
    const issues: string[] = []
    const writer = new PostgresWriter(through, (issue) => issues.push(issue))
    proxy.loses = loses
    const reported = await Promise.allSettled([
      writer.write("accounts.create", account(`acc_${name}`, 5)),
      writer.write("runs.create", newRun(`run_${name}`, ["a"], { accountId: `acc_${name}` })),
    ])
    // The next change succeeds as if nothing had happened.
    await writer.write("store.probe", null)
    await writer.close()
    const store = await openStoreAt({ dataDir, databaseUrl: direct })
    const there = [
      await accountById(store.db, `acc_${name}`),
      await runById(store.db, `run_${name}`),
    ].map((row) => row !== undefined)
    await store.close()
    return { reported, there, issues }
  }

  test("at a COMMIT that arrived returns afterwards what was created", async () => {
    const lost = proxy.lost
    const { reported, there, issues } = await twoOfOne("answer", "made")
    expect(proxy.lost).toBe(lost + 1)
    expect(issues).toEqual(["away"])
    expect(reported.map(({ status }) => status)).toEqual(["fulfilled", "fulfilled"])
    expect(there).toEqual([true, true])
  })

  test("before a COMMIT created nothing, and reports so", async () => {
    const lost = proxy.lost
    const { reported, there } = await twoOfOne("commit", "unmade")
    expect(proxy.lost).toBe(lost + 1)
    expect(reported.map((one) => one.status === "rejected" && one.reason.code)).toEqual([
      ...["POSTGRES_AWAY", "POSTGRES_AWAY"],
    ])
    expect(there).toEqual([false, false])
  })

  test.each(["commit", "answer"] as const)("ends a run once if its %s is lost", async (loses) => {
    const store = await openStoreAt({ dataDir, databaseUrl: direct })
    const [first, second] = [`run_first_${loses}`, `run_second_${loses}`]
    for (const id of [first, second]) {
      await store.write("runs.create", newRun(id, []))
      await store.write("runs.claim", { id, at })
    }
    const writer = new PostgresWriter(through)
    const end = { attempt: 1, status: "succeeded", error: null, capped: null, at } as const
    // Prepares the statement, so that the second one is executed by a single message.
    await writer.write("runs.finish", { ...end, id: first })
    const lost = proxy.lost
    Object.assign(proxy, { loses, text: second })
    expect(await writer.write("runs.finish", { ...end, id: second })).toMatchObject({
      ...{ id: second, status: "succeeded", attempt: 1, finished_at: at },
    })
    proxy.text = "COMMIT"
    expect(proxy.lost).toBe(lost + 1)
    await writer.close()
    await store.close()
  })

  test.each(["commit", "answer"] as const)(
    "stores a target once if its %s is lost",
    async (loses) => {
      const store = await openStoreAt({ dataDir, databaseUrl: direct })
      const run = await runningRun(store, `run_target_${loses}`, ["a", "b"])
      const writer = new PostgresWriter(through)
      const commit = (seq: number, value: string) =>
        writer.write(
          "targets.commit",
          commitOf(run, { finished: [finished(seq, { items: [good(value)] })] }),
        )
      // Prepares the statements, so that the last ones of the second commit are one message.
      expect(await commit(0, "first")).toMatchObject({ targetsDone: 1, itemCount: 1 })
      const lost = proxy.lost
      Object.assign(proxy, { loses, text: `second ${loses}` })
      expect(await commit(1, `second ${loses}`)).toMatchObject({ targetsDone: 2, itemCount: 2 })
      proxy.text = "COMMIT"
      expect(proxy.lost).toBe(lost + 1)
      const { rows } = await sql<{ items: number }>`
        SELECT count(*) AS items FROM items WHERE run_n = ${run.n}`.execute(store.db)
      expect(rows).toEqual([{ items: 2 }])
      await writer.close()
      await store.close()
    },
  )

  test("is waited for by a reading worker", async () => {
    const writer = new PostgresWriter(direct)
    await writer.write("runs.create", newRun("run_read", ["a"]))
    proxy.isAway = true
    const store = connectStore(through, writer)
    let isRead = false
    const reading = runById(store.db, "run_read").then((run) => {
      isRead = true
      return run
    })
    await Bun.sleep(300)
    expect(isRead).toBe(false)
    proxy.isAway = false
    expect(await reading).toMatchObject({ id: "run_read" })
    await store.close()
  })
})
