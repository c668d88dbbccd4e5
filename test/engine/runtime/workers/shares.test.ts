import { afterEach, describe, expect, test } from "bun:test"
import fc from "fast-check"
import { isKeyless, Shares, tenantOf } from "../../../../src/engine/runtime/workers/shares.ts"
import { type Holding, runsToSetBack } from "../../../../src/engine/runtime/workers/slot-givers.ts"
import { removeFolder, type Service, serve } from "./harness.ts"
import { acts } from "./scrapers.ts"

const places = 32
/** Anonymous runs have a lower priority than all other work of the machine. */
const waitLimit = 60_000
const settings = { shares: new Shares(places), sliceMs: 10_000 }
const keyless = (caller: string) => tenantOf({ account_id: null }, caller)

interface Scene {
  /** Slots that tenant queues use, all for `heldMs`. */
  holds: Record<string, number>
  waiting: string[]
  heldMs?: number
  attempt?: number
}

/** Returns the tenants that have to release a slot, in order. */
function provided({ holds, waiting, heldMs = 60_000, attempt = 1 }: Scene): string[] {
  const at = 1_000_000
  const inHand = new Map<string, Holding>()
  for (const [tenant, count] of Object.entries(holds)) {
    for (let index = 0; index < count; index++) {
      const since = at - heldMs
      inHand.set(`${tenant} ${index}`, { tenant, attempt, since, movedAt: since + index })
    }
  }
  const names = new Set([...Object.keys(holds), ...waiting])
  const loads = [...names].map((tenant) => ({ tenant, running: holds[tenant] ?? 0 }))
  return runsToSetBack(settings, { inHand, loads, waiting, at }).map(([, { tenant }]) => tenant)
}

describe("which tenant gives up slots for which", () => {
  const twenty = Object.fromEntries(Array.from({ length: 20 }, (_, n) => [`a${n}`, n < 12 ? 2 : 1]))
  const full = Object.fromEntries(Array.from({ length: 32 }, (_, n) => [`a${n}`, 1]))
  const cases: [string, Scene, string[]][] = [
    ["no one, while there are free slots", { holds: { a: 10, b: 10 }, waiting: ["c"] }, []],
    [
      "the one that has most, for a newcomer",
      { holds: { a: 10, b: 10, c: 10, d: 2 }, waiting: ["e"], heldMs: 0 },
      ["a"],
    ],
    [
      "no one, for a tenant that has its quota",
      { holds: { a: 20, b: 12 }, waiting: ["a", "a"] },
      [],
    ],
    ["one of twenty, for the next", { holds: twenty, waiting: ["z"], heldMs: 0 }, ["a0"]],
    [
      "the tenant whose time slice has ended, if there are more tenants than slots",
      { holds: full, waiting: ["z"] },
      ["a0"],
    ],
    ["no one before the end of its time slice", { holds: full, waiting: ["z"], heldMs: 9_000 }, []],
    ["nor one that was set back before", { holds: full, waiting: ["z"], attempt: 4 }, []],
    [
      "keyless callers, for an account",
      { holds: { [keyless("x")]: 24, a: 4, b: 4 }, waiting: ["c"] },
      [keyless("x")],
    ],
    [
      "the address that has most, for another",
      { holds: { [keyless("x")]: 23, [keyless("y")]: 1 }, waiting: [keyless("z")] },
      [keyless("x")],
    ],
    [
      "accounts, for keyless callers that have not their part",
      { holds: { a: 10, b: 10, c: 10, [keyless("x")]: 2 }, waiting: [keyless("y")] },
      ["a"],
    ],
    [
      "one for each that waits, in their turn",
      { holds: { a: 10, b: 10, c: 10, d: 2 }, waiting: ["e", "f", "d"], heldMs: 0 },
      ["a", "b", "c"],
    ],
  ]
  for (const [name, scene, tenants] of cases)
    test(name, () => expect(provided(scene)).toEqual(tenants))

  test("always: no tenant drops below its quota, unless no one has more", () => {
    const tenant = fc
      .integer({ min: 0, max: 40 })
      .map((n) => (n % 3 === 0 ? keyless(`${n}`) : `a${n}`))
    const tenants = fc.dictionary(tenant, fc.integer({ min: 1, max: 12 }), { maxKeys: 40 })
    fc.assert(
      fc.property(tenants, fc.uniqueArray(tenant, { minLength: 1 }), (wanted, waiting) => {
        const holds: Record<string, number> = {}
        let left = places
        for (const [name, count] of Object.entries(wanted)) {
          if (left > 0) holds[name] = Math.min(count, left)
          left -= holds[name] ?? 0
        }
        const givers = provided({ holds, waiting })
        expect(new Set(givers).size <= waiting.length).toBe(true)
        if (left > 0) {
          for (const giver of givers) expect(isKeyless(giver)).toBe(true)
        }
        const all = new Set([...Object.keys(holds), ...waiting])
        const counts = { keyless: 0, accounts: 0 }
        for (const name of all) counts[isKeyless(name) ? "keyless" : "accounts"]++
        for (const name of waiting.slice(0, 32)) {
          const has = holds[name] ?? 0
          if (left <= 0 && has < settings.shares.shareOf(name, counts)) {
            // A tenant frees a slot, or no tenant of its kind has any.
            expect(givers.length).toBeGreaterThan(0)
            return
          }
        }
      }),
    )
  })
})

describe("at work", () => {
  const own: Service[] = []
  afterEach(async () => {
    for (const one of own.splice(0)) {
      await one.stop(0)
      removeFolder(one.dataDir)
    }
  })

  async function ownService(...options: Parameters<typeof serve>): Promise<Service> {
    const one = await serve(...options)
    own.push(one)
    return one
  }

  /**
   * Creates an account, or an anonymous caller, with runs that wait for a target that never
   * responds.
   */
  async function hang(
    { supervisor }: Service,
    accountId: string | null,
    count: number,
    caller = "",
  ) {
    const input = { acts: ["first", "wait:600"] }
    const runs = Array.from({ length: count }, () =>
      supervisor.start({ scraper: acts, input, accountId, caller, origin: "api" }),
    )
    return Promise.all(runs)
  }

  const quick = (accountId: string | null, caller = "") =>
    ({ scraper: acts, input: { acts: ["quick"] }, accountId, caller, origin: "api" }) as const

  test("four accounts whose targets hang do not block others", async () => {
    const one = await ownService({ runsPerWorker: 4 })
    const hanging: { id: string }[] = []
    for (const name of ["a", "b", "c", "d"]) hanging.push(...(await hang(one, name, 10)))
    const asTheyStand = () => Promise.all(hanging.map(({ id }) => one.supervisor.wait(id, 0)))
    // Eight have returned their first item, and hang.
    while ((await asTheyStand()).filter((row) => row!.item_count > 0).length < 8) {
      await Bun.sleep(10)
    }
    const run = await one.supervisor.start(quick("newcomer"))
    expect(await one.supervisor.wait(run.id, waitLimit)).toMatchObject({ status: "succeeded" })
    const rows = await asTheyStand()
    const back = rows.filter((row) => row?.status === "queued" && row.attempt > 0)
    expect(back.some((row) => row!.item_count === 1)).toBe(true)
    // A run that was stopped before its first target was done has no items yet.
    for (const row of back) {
      expect(row).toMatchObject({ item_count: row!.targets_done, suspicion: 0 })
    }
    for (const row of rows) expect(["queued", "running"]).toContain(row!.status)
  }, 120_000)

  test("one IP address does not block others from keyless runs, nor do more tenant queues than slots", async () => {
    const one = await ownService({ runsPerWorker: 2, sliceMs: 50 })
    await hang(one, null, 48, "evil")
    for (let n = 0; n < 8; n++) await hang(one, `evil ${n}`, 2)
    while (one.supervisor.state().running < 4) await Bun.sleep(10)
    for (const caller of ["x", "y"]) {
      const run = await one.supervisor.start(quick(null, caller))
      expect(await one.supervisor.wait(run.id, waitLimit)).toMatchObject({ status: "succeeded" })
    }
    const run = await one.supervisor.start(quick("newcomer"))
    expect(await one.supervisor.wait(run.id, waitLimit)).toMatchObject({ status: "succeeded" })
  }, 120_000)

  test("a queue whose runs are short keeps its slot from one to the next", async () => {
    const one = await ownService({ runsPerWorker: 1, sliceMs: 3000 })
    const hanging: { id: string }[] = []
    for (const name of ["a", "b", "c"]) hanging.push(...(await hang(one, name, 1)))
    while (one.supervisor.state().running < 2) await Bun.sleep(10)
    const attempts = async () => {
      const rows = await Promise.all(hanging.map(({ id }) => one.supervisor.wait(id, 0)))
      return rows.reduce((sum, row) => sum + row!.attempt, 0)
    }
    const short = await Promise.all(
      Array.from({ length: 12 }, () => one.supervisor.start(quick("short"))),
    )
    await one.supervisor.wait(short[0]!.id, waitLimit)
    const before = await attempts()
    await Promise.all(short.map(({ id }) => one.supervisor.wait(id, waitLimit)))
    // If another tenant ran between any two of them, the numbers are equal.
    expect((await attempts()) - before).toBeLessThan(6)
  }, 120_000)

  test("a tenant with one run after the other keeps its slot between them", async () => {
    const one = await ownService({ runsPerWorker: 1, sliceMs: 3000 })
    const hanging = await hang(one, "flood", 6)
    while (one.supervisor.state().running < 2) await Bun.sleep(10)
    for (let n = 0; n < 12; n++) {
      const run = await one.supervisor.start(quick("one by one"))
      expect(await one.supervisor.wait(run.id, waitLimit)).toMatchObject({ status: "succeeded" })
    }
    const rows = await Promise.all(hanging.map(({ id }) => one.supervisor.wait(id, 0)))
    // Two started, and if a slot has to be freed for each of the twelve, there are twelve more.
    expect(rows.reduce((sum, row) => sum + row!.attempt, 0)).toBeLessThan(10)
  }, 120_000)

  test("a preempted run continues, and all its attempts count towards its timeout", async () => {
    const one = await ownService({ runsPerWorker: 1, sliceMs: 50 })
    const [run] = await hang(one, "a", 1)
    const limited = { acts: ["first", "wait:600"] }
    const short = await one.supervisor.start({
      ...quick("b"),
      input: limited,
      timeoutSeconds: 2,
    })
    let guests = 0
    while ((await one.supervisor.wait(short.id, 0))!.status !== "timed_out") {
      const guest = await one.supervisor.start(quick(`guest ${guests++}`))
      await one.supervisor.wait(guest.id, waitLimit)
    }
    const end = (await one.supervisor.wait(short.id, 0))!
    expect(end).toMatchObject({ error_code: "timeout", item_count: 1 })
    expect(end.attempt).toBeGreaterThan(1)
    expect((await one.supervisor.wait(run!.id, 0))!.attempt).toBeGreaterThan(1)
    await one.supervisor.abort(run!.id)
    expect((await one.supervisor.wait(run!.id, waitLimit))?.status).toBe("aborted")
  }, 120_000)
})
