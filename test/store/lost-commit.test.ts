import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Socket } from "bun"
import { accountById } from "../../src/store/accounts/accounts.ts"
import { PostgresWriter } from "../../src/store/postgres/writer.ts"
import { runById } from "../../src/store/runs/runs.ts"
import { connectStore, openStoreAt } from "../../src/store/store.ts"
import { freshDatabase, hasPostgres } from "../postgres.ts"
import { at, newRun } from "./harness.ts"

interface Way {
  client: Socket<Way>
  server?: Socket<Way>
}

/** What becomes of the next COMMIT: it is not passed on, or its answer is not. Both connections end. */
type Loss = "commit" | "answer"

/** Leads to a server, and loses connections as a server does that ends at that moment. */
function losingProxy({ hostname, port }: URL) {
  const proxy = { loses: undefined as Loss | undefined, lost: 0, isAway: false }
  const lose = (way: Way) => {
    proxy.lost++
    way.client.terminate()
    way.server?.terminate()
  }
  const listener = Bun.listen<Way>({
    hostname: "127.0.0.1",
    port: 0,
    socket: {
      async open(client) {
        if (proxy.isAway) return client.terminate()
        const way: Way = { client }
        client.data = way
        client.pause()
        way.server = await Bun.connect<Way>({
          hostname,
          port: Number(port),
          data: way,
          socket: {
            data: (_, bytes) => void client.write(bytes),
            close: () => void client.end(),
          },
        })
        client.resume()
      },
      data({ data: way }, bytes) {
        const { loses } = proxy
        if (!loses || !bytes.includes("COMMIT")) return void way.server?.write(bytes)
        proxy.loses = undefined
        if (loses === "commit") return lose(way)
        // What it answers is heard by nobody.
        way.server!.reload({ socket: { data: () => lose(way) } })
        way.server!.write(bytes)
      },
      close: ({ data: way }) => void way?.server?.end(),
    },
  })
  return Object.assign(proxy, { port: listener.port, stop: () => listener.stop(true) })
}

describe.skipIf(!hasPostgres)("a PostgreSQL that is lost", () => {
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

  /** Two changes of one transaction, of which the COMMIT is lost; both were made, or none was. */
  async function twoOfOne(loses: Loss, name: string) {
    const faults: string[] = []
    const writer = new PostgresWriter(through, (fault) => faults.push(fault))
    proxy.loses = loses
    const told = await Promise.allSettled([
      writer.write("accounts.create", account(`acc_${name}`, 5)),
      writer.write("runs.create", newRun(`run_${name}`, ["a"], { accountId: `acc_${name}` })),
    ])
    // The next change goes its way as if nothing had happened.
    await writer.write("store.probe", null)
    await writer.close()
    const store = await openStoreAt({ dataDir, databaseUrl: direct })
    const there = [
      await accountById(store.db, `acc_${name}`),
      await runById(store.db, `run_${name}`),
    ].map((row) => row !== undefined)
    await store.close()
    return { told, there, faults }
  }

  test("at a COMMIT that it got tells afterwards what was made", async () => {
    const lost = proxy.lost
    const { told, there, faults } = await twoOfOne("answer", "made")
    expect(proxy.lost).toBe(lost + 1)
    expect(faults).toEqual(["away"])
    expect(told.map(({ status }) => status)).toEqual(["fulfilled", "fulfilled"])
    expect(there).toEqual([true, true])
  })

  test("before a COMMIT has made nothing, and nobody is told otherwise", async () => {
    const lost = proxy.lost
    const { told, there } = await twoOfOne("commit", "unmade")
    expect(proxy.lost).toBe(lost + 1)
    expect(told.map((one) => one.status === "rejected" && one.reason.code)).toEqual([
      ...["POSTGRES_AWAY", "POSTGRES_AWAY"],
    ])
    expect(there).toEqual([false, false])
  })

  test("is waited for by a worker that reads", async () => {
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
