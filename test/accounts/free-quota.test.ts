import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { FreeQuota } from "../../src/accounts/free-quota.ts"
import { openStore, type Store } from "../../src/store/store.ts"

const noon = new Date("2026-01-31T12:00:00Z")

describe("the daily free quota", () => {
  const folder = mkdtempSync(join(tmpdir(), "trawl-allowance-"))
  let store: Store
  beforeAll(() => {
    store = openStore(folder)
  })
  afterAll(async () => {
    await store.close()
    rmSync(folder, { recursive: true })
  })

  test("of 200 parallel calls with one free call left, one is free", async () => {
    const allowance = await FreeQuota.open(store, { freeDaily: 10 })
    const caller = allowance.caller("192.0.2.1", "agt_parallel", noon)
    for (let call = 0; call < 9; call++) expect(await allowance.take(caller)).not.toBeNull()
    const taken = await Promise.all(Array.from({ length: 200 }, () => allowance.take(caller)))
    expect(taken.filter((free) => free !== null)).toEqual([
      { limit: 10, used: 10, remaining: 0, resetsAt: "2026-02-01T00:00:00.000Z" },
    ])
  })

  test("rotating agent IDs or IP addresses do not multiply it", async () => {
    const allowance = await FreeQuota.open(store, { freeDaily: 3 })
    const byAgents = []
    for (let call = 0; call < 5; call++) {
      byAgents.push(await allowance.take(allowance.caller("192.0.2.2", `agt_${call}`, noon)))
    }
    expect(byAgents.map((free) => free?.remaining)).toEqual([2, 1, 0, undefined, undefined])
    const byAddresses = []
    for (let call = 0; call < 5; call++) {
      byAddresses.push(
        await allowance.take(allowance.caller(`192.0.2.${100 + call}`, "agt_x", noon)),
      )
    }
    expect(byAddresses.map((free) => free?.remaining)).toEqual([2, 1, 0, undefined, undefined])
  })

  test("IP addresses of one IPv6 network count as one caller, others do not", async () => {
    const allowance = await FreeQuota.open(store, { freeDaily: 1 })
    const take = (address: string, agent: string) =>
      allowance.take(allowance.caller(address, agent, noon))
    expect(await take("2001:db8:7:7::1", "agt_a")).not.toBeNull()
    expect(await take("2001:db8:7:7:8::2", "agt_b")).toBeNull()
    expect(await take("2001:db8:7:8::1", "agt_c")).not.toBeNull()
  })

  test("resets at midnight UTC", async () => {
    const allowance = await FreeQuota.open(store, { freeDaily: 1 })
    const at = (time: string) => allowance.caller("192.0.2.4", "agt_day", new Date(time))
    expect(await allowance.take(at("2026-01-31T23:59:59Z"))).not.toBeNull()
    expect(await allowance.take(at("2026-01-31T23:59:59Z"))).toBeNull()
    expect(await allowance.take(at("2026-02-01T00:00:00Z"))).not.toBeNull()
  })

  test("survives a restart, and no IP address can be read from the store", async () => {
    const allowance = await FreeQuota.open(store, { freeDaily: 2 })
    const caller = allowance.caller("192.0.2.55", "agt_secret", noon)
    await allowance.take(caller)
    const again = await FreeQuota.open(store, { freeDaily: 2 })
    expect(await again.status(again.caller("192.0.2.55", "agt_secret", noon))).toMatchObject({
      used: 1,
    })
    const rows = JSON.stringify(await store.db.selectFrom("allowance").selectAll().execute())
    expect(rows).not.toContain("192.0.2")
    expect(rows).not.toContain("agt_secret")
  })

  test("a quota of 0 is used up from the start", async () => {
    const allowance = await FreeQuota.open(store, { freeDaily: 0 })
    const caller = allowance.caller("192.0.2.5", "agt_none", noon)
    expect(await allowance.take(caller)).toBeNull()
    expect(await allowance.status(caller)).toMatchObject({ limit: 0, used: 0, remaining: 0 })
  })
})
