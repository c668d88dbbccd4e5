import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Taking } from "../../src/store/shared/take.ts"
import { openStoreAt } from "../../src/store/store.ts"
import { freshDatabase, hasPostgres } from "../postgres.ts"
import { at, newRun } from "./harness.ts"

const processId = "prc_take"

describe.skipIf(!hasPostgres)("runs that a process claims", () => {
  const dataDir = mkdtempSync(join(tmpdir(), "trawl-take-"))
  let store: Awaited<ReturnType<typeof openStoreAt>>
  beforeAll(async () => {
    store = await openStoreAt({ dataDir, databaseUrl: await freshDatabase() })
    await store.write("processes.join", { id: processId, folder: "take", leaseMs: 3_600_000 })
  })
  afterAll(async () => {
    await store?.close()
    rmSync(dataDir, { recursive: true })
  })

  const taking: Taking = {
    ...{ id: processId, max: 8, maxKeyless: 1, perAccount: 4, limits: {}, after: "", at },
  }
  const wait = async (accountId: string | null, names: readonly string[], more = {}) => {
    for (const name of names) {
      await store.write("runs.create", newRun(name, ["a"], { accountId, ...more }))
    }
  }
  const names = (prefix: string, count: number) =>
    Array.from({ length: count }, (_, n) => `${prefix}_${n}`)
  const take = async (more: Partial<Taking> = {}) =>
    (await store.write("runs.take", { ...taking, ...more })).runs.map(({ id }) => id)
  const end = (id: string) => {
    const result = { attempt: 1, status: "succeeded", error: null, capped: null, at } as const
    return store.write("runs.finish", { id, ...result })
  }

  test("are divided equally, as far as the limits of each tenant allow", async () => {
    await wait("acc_a", names("a", 6))
    expect(await take({ max: 3 })).toEqual(["a_0", "a_1", "a_2"])
    await wait("acc_b", names("b", 6))
    await wait("acc_c", names("c", 6))
    await wait(null, names("keyless", 6))
    // Of 8, keyless and c have limits of one; a already runs three of four.
    const claimed = await take({ limits: { acc_c: 1 } })
    expect(claimed).toEqual(["a_3", "b_0", "b_1", "b_2", "c_0", "keyless_0"])
    expect(await take({ limits: { acc_c: 1 }, maxKeyless: 0 })).toEqual(["b_3"])
    expect(await take({ limits: { acc_c: 0 }, maxKeyless: 0 })).toEqual([])
    await Promise.all(["a_0", "a_1", "a_2", ...claimed, "b_3"].map(end))
    for (;;) {
      const rest = await take({ perAccount: 99, maxKeyless: 99 })
      if (rest.length === 0) break
      await Promise.all(rest.map(end))
    }
  })

  test("are the most urgent of a tenant, or its oldest", async () => {
    await wait("acc_a", ["slow_0", "slow_1"], { priority: "background" })
    await wait("acc_a", ["urgent_0"], { priority: "interactive" })
    expect(await take({ max: 1, byAge: true })).toEqual(["slow_0"])
    expect(await take({ max: 1 })).toEqual(["urgent_0"])
    expect(await take()).toEqual(["slow_1"])
    await Promise.all(["slow_0", "urgent_0", "slow_1"].map(end))
  })

  test("are claimed once and within the account's limit by processes that claim together", async () => {
    const ids = names("shared", 30)
    await wait("acc_a", ids)
    const others = await Promise.all(
      names("prc", 3).map(async (id) => {
        await store.write("processes.join", { id, folder: id, leaseMs: 3_600_000 })
        return id
      }),
    )
    const done: string[] = []
    while (done.length < ids.length) {
      const claimed = (await Promise.all(others.map((id) => take({ id, max: 3 })))).flat()
      expect(claimed.length).toBeLessThanOrEqual(taking.perAccount)
      await Promise.all(claimed.map(end))
      done.push(...claimed)
    }
    expect(done.sort()).toEqual(ids.sort())
  })
})
