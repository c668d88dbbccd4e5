import { afterEach, beforeEach, expect, test } from "bun:test"
import {
  reuseCookies,
  type StoredCookie,
  storedCookies,
} from "../../../src/store/runs/reused-cookies.ts"
import { type OpenStore, onEachStore } from "../harness.ts"

onEachStore((freshStore) => {
  let open: OpenStore
  beforeEach(async () => {
    open = await freshStore()
  })
  afterEach(() => open.close())

  const at = (minute: number) => new Date(Date.UTC(2026, 0, 1, 0, minute)).toISOString()
  const visit = { site: "shop.com", agent: "Chrome", fetchMethod: "http" } as const
  const cookie = (name: string, parts: Partial<StoredCookie> = {}): StoredCookie => ({
    host: "shop.com",
    path: "/",
    name,
    value: "v",
    hostOnly: true,
    secure: true,
    httpOnly: false,
    expiresAt: at(30),
    ...parts,
  })
  const namesOf = async (of: Parameters<typeof storedCookies>[1], now = at(1)) =>
    (await storedCookies(open.store.db, of, now)).map(({ name }) => name).sort()

  test("cookies are per site, user agent and fetch method, as long as they are valid", async () => {
    const stored = cookie("a", { httpOnly: true })
    const visits = [{ ...visit, cookies: [stored, cookie("short", { expiresAt: at(2) })] }]
    await open.store.write("cookies.keep", { visits, at: at(0) })
    expect(await storedCookies(open.store.db, visit, at(5))).toEqual([stored])
    expect(await namesOf(visit)).toEqual(["a", "short"])
    expect(await namesOf({ ...visit, agent: "other" })).toEqual([])
    expect(await namesOf({ ...visit, fetchMethod: "chrome" })).toEqual([])
    expect(await namesOf({ ...visit, site: "other.com" })).toEqual([])
    expect(await namesOf(visit, at(30))).toEqual([])
  })

  test("dropped cookies are deleted, but not later ones", async () => {
    await open.store.write("cookies.keep", {
      visits: [{ ...visit, cookies: [cookie("a")] }],
      at: at(5),
    })
    await open.store.write("cookies.drop", { visits: [visit], at: at(4) })
    expect(await namesOf(visit)).toEqual(["a"])
    await open.store.write("cookies.drop", { visits: [visit], at: at(6) })
    expect(await namesOf(visit)).toEqual([])
  })

  test("an upstream cannot fill the table", async () => {
    const bounds = { sites: 3, cookiesOfSite: 4, valueLength: 100 }
    const many = Array.from({ length: 9 }, (_, n) => cookie(`c${n}`))
    const large = cookie("large", { value: "x".repeat(101) })
    const db = open.writing()
    await reuseCookies(db, { visits: [{ ...visit, cookies: [large, ...many] }], at: at(0) }, bounds)
    expect(await namesOf(visit)).toEqual(["c0", "c1", "c2", "c3"])
    // With any user agents.
    const other = { ...visit, agent: "other" }
    await reuseCookies(db, { visits: [{ ...other, cookies: many }], at: at(1) }, bounds)
    expect(await namesOf(other)).toHaveLength(4)
    expect(await namesOf(visit)).toEqual([])
    for (const n of [1, 2, 3]) {
      const visits = [{ ...visit, site: `s${n}.com`, cookies: [cookie("a")] }]
      await reuseCookies(db, { visits, at: at(1 + n) }, bounds)
    }
    expect(await namesOf(other)).toEqual([])
    expect(await namesOf({ ...visit, site: "s1.com" })).toEqual(["a"])
    await db.destroy()
  })

  test("expired ones are purged", async () => {
    const visits = [{ ...visit, cookies: [cookie("a"), cookie("b", { expiresAt: at(50) })] }]
    await open.store.write("cookies.keep", { visits, at: at(0) })
    await open.store.write("store.purge", { now: at(40), runDays: 0, logDays: 0 })
    const left = await open.store.db.selectFrom("reused_cookies").select("name").execute()
    expect(left).toEqual([{ name: "b" }])
  })
})
