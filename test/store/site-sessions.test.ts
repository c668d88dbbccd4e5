import { afterEach, beforeEach, expect, test } from "bun:test"
import type { RenderedResponse } from "../../src/catalogue/kit/index.ts"
import type { Browser, BrowserLease, LeasedTab } from "../../src/engine/fetch/environment.ts"
import type { LoginRecipe } from "../../src/engine/net/sessions/login.ts"
import type { SessionCookie, SessionState } from "../../src/engine/net/sessions/state.ts"
import { SessionKeeper } from "../../src/engine/runtime/sessions/keeper.ts"
import { siteSession, siteSessionByName } from "../../src/store/accounts/site-sessions.ts"
import { at, type OpenStore, onEachStore } from "./harness.ts"

const cookie = (name: string, value: string): SessionCookie => ({
  ...{ name, value, host: "shop.test", hostOnly: true, path: "/" },
  ...{ secure: false, httpOnly: true, expires: null },
})
const state = (...cookies: SessionCookie[]): SessionState => ({ cookies, origins: [] })
const change = (...cookies: SessionCookie[]) => ({ cookies, removed: [], origins: [] })

const recipe: LoginRecipe = {
  steps: [
    { type: "goto", url: "http://shop.test/login" },
    { type: "wait", selector: ".in" },
  ],
  secrets: { password: "pw-of-the-recipe" },
}

/** A fake Chrome whose log-ins take a moment, and are counted. */
class FakeChrome implements Browser {
  logins = 0
  failure: Error | undefined

  async lease<R>({ jar }: BrowserLease, steps: (tab: LeasedTab) => Promise<R>): Promise<R> {
    this.logins++
    await Bun.sleep(700)
    if (this.failure) throw this.failure
    await jar.setCookie(`sid=login-${this.logins}; Path=/`, "http://shop.test/")
    const page = { url: "http://shop.test/", text: () => "" } as RenderedResponse
    const tab = { goto: async () => page, finish: async () => page } as unknown as LeasedTab
    return steps(tab)
  }
}

onEachStore((freshStore) => {
  let open: OpenStore
  let chrome: FakeChrome
  let keepers: [SessionKeeper, SessionKeeper]
  beforeEach(async () => {
    open = await freshStore()
    chrome = new FakeChrome()
    const keeper = () => new SessionKeeper({ store: open.store, browser: () => chrome })
    keepers = [keeper(), keeper()]
  })
  afterEach(() => open.close())

  async function create(login: LoginRecipe | null = null, first = state(cookie("sid", "first"))) {
    const id = "ses_1"
    await open.store.write("accounts.create", {
      ...{
        id: "acc_1",
        email: "a@example.com",
        passwordHash: null,
        unlimited: true,
        credits: 0,
        createdAt: at,
      },
    })
    await open.store.write("siteSessions.create", {
      ...{ id, account_id: "acc_1", name: "shop", hosts: '["shop.test"]' },
      state: keepers[0].encrypted(id, first),
      login: login && keepers[0].encryptedLogin(id, login),
      ...{ created_at: at, updated_at: at, maximum: 100 },
    })
    return id
  }
  const load = () => keepers[0].load("acc_1", "shop")
  const never = new AbortController().signal

  test("secrets are encrypted, and readable for their account only", async () => {
    const id = await create(recipe)
    const row = (await siteSession(open.store.db, id))!
    expect(JSON.stringify(row)).not.toMatch(/first|pw-of/)
    expect((await load()).state.cookies[0]?.value).toBe("first")
    await expect(keepers[0].load("acc_2", "shop")).rejects.toThrow('session "shop"')
    expect((await siteSessionByName(open.store.db, "acc_1", "shop"))?.last_used_at).not.toBeNull()
  })

  test("changes of several runs at the same time are all stored", async () => {
    const id = await create()
    const names = ["a", "b", "c", "d"]
    const save = (name: string, at: number) =>
      keepers[at % 2]!.save(id, 1, change(cookie(name, name)))
    await Promise.all(names.map(save))
    const { cookies } = (await load()).state
    expect(cookies.map(({ name }) => name).sort()).toEqual([...names, "sid"])
    await keepers[0].save(id, 1, { cookies: [], removed: [cookie("sid", "first")], origins: [] })
    expect((await load()).state.cookies.map(({ name }) => name).sort()).toEqual(names)
  })

  test("a run of an earlier log-in stores nothing, and no other host's cookies are stored", async () => {
    const id = await create()
    await open.store.write("siteSessions.change", {
      ...{ id, accountId: "acc_1", at },
      set: { state: keepers[0].encrypted(id, state(cookie("sid", "second"))) },
    })
    await keepers[0].save(id, 1, change(cookie("sid", "stale")))
    await keepers[0].save(id, 2, change({ ...cookie("other", "x"), host: "evil.test" }))
    const loaded = await load()
    expect([loaded.revision, loaded.state.cookies]).toEqual([2, [cookie("sid", "second")]])
  })

  test("two processes log in once for all runs that ask", async () => {
    const id = await create(recipe)
    const renewals = [...keepers, ...keepers].map((keeper) => keeper.renew(id, 1, never))
    const renewed = await Promise.all(renewals)
    expect(chrome.logins).toBe(1)
    for (const session of renewed) {
      expect([session?.revision, session?.state.cookies[0]?.value]).toEqual([2, "login-1"])
    }
    // A run that loaded the new state does not ask for another log-in.
    expect((await keepers[1].renew(id, 1, never))?.revision).toBe(2)
    expect(chrome.logins).toBe(1)
  })

  test("a log-in that fails expires the session once, and notifies its account", async () => {
    const id = await create(recipe)
    await open.store.write("webhooks.create", {
      ...{ id: "whk_1", account_id: "acc_1", url: "http://hook.test/", description: null },
      ...{ events: '["session.expired"]', secret: "x", previous_secret: null },
      ...{ previous_until: null, disabled_at: null, disabled_reason: null, created_at: at },
      ...{ per_minute: null, credits_below: null },
    } as never)
    chrome.failure = new Error("The button is missing.")
    const [one, other] = await Promise.all(keepers.map((keeper) => keeper.renew(id, 1, never)))
    expect([one, other, chrome.logins]).toEqual([null, null, 1])
    await expect(load()).rejects.toThrow("The button is missing.")
    // A second failed log-in could lock the account at the site.
    expect(await keepers[0].renew(id, 1, never)).toBeNull()
    expect(chrome.logins).toBe(1)
    const events = await open.store.db
      .selectFrom("deliveries")
      .select(["event", "payload"])
      .execute()
    expect(events.map(({ event }) => event)).toEqual(["session.expired"])
    expect(events[0]!.payload).not.toMatch(/first|pw-of/)
    chrome.failure = undefined
    await keepers[0].logInAgain(id, never)
    expect((await load()).revision).toBe(2)
  })

  test("the log-in of a process that ended is taken over after its time", async () => {
    const id = await create(recipe)
    const claim = { id, owner: "gone", now: at, until: "2026-01-02T03:05:00.000Z" }
    expect(await open.store.write("siteSessions.claimLogin", claim)).toBe(true)
    expect(await open.store.write("siteSessions.claimLogin", { ...claim, owner: "b" })).toBe(false)
    // By now, its lease has expired.
    expect((await keepers[0].renew(id, 1, never))?.revision).toBe(2)
    const late = { id, owner: "gone", at, failure: "late" }
    await open.store.write("siteSessions.endLogin", late)
    expect((await load()).revision).toBe(2)
  })

  test("a session whose key is lost names the key file", async () => {
    const id = await create(recipe)
    const row = (await siteSession(open.store.db, id))!
    const [, mark, text] = /^(\w+:)\w+(:.*)$/.exec(row.state!)!
    await open.store.write("siteSessions.change", {
      ...{ id, accountId: "acc_1", at },
      set: { state: `${mark}00000000${text}` },
    })
    expect(keepers[0].isReadable((await siteSession(open.store.db, id))!)).toBe(false)
    await expect(load()).rejects.toThrow("key file")
  })

  test("a deleted account's sessions are deleted", async () => {
    const id = await create()
    await open.store.write("accounts.delete", { id: "acc_1", at })
    expect(await siteSession(open.store.db, id)).toBeUndefined()
  })
})
