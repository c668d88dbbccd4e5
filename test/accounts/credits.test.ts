import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import fc from "fast-check"
import { sql } from "kysely"
import { accountById } from "../../src/store/accounts/accounts.ts"
import { chargeTarget, targetCost } from "../../src/store/accounts/credits.ts"
import { TestApp } from "../api/app.ts"

describe("credits", () => {
  let app: TestApp
  beforeAll(async () => {
    app = await TestApp.open()
  })
  afterAll(() => app.close())

  const ledgerSum = async (accountId: string) => {
    const rows = await app.store.db
      .selectFrom("ledger")
      .select("amount")
      .where("account_id", "=", accountId)
      .execute()
    return rows.reduce((sum, row) => sum + row.amount, 0)
  }
  const balance = async (accountId: string) => (await accountById(app.store.db, accountId))!.balance

  const prices: [tier: "free" | "premium", pages: number, unlocked: number, cost: number][] = [
    ["free", 1, 0, 1],
    ["free", 0, 0, 0],
    ["free", 3, 0, 3],
    ["premium", 3, 0, 6],
    ["free", 2, 1, 7],
    ["premium", 1, 1, 7],
  ]
  for (const [tier, pages, unlockerPages, cost] of prices) {
    test(`${pages} pages, ${unlockerPages} unlocked, ${tier}: ${cost}`, () => {
      expect(targetCost({ tier, pages, unlockerPages })).toBe(cost)
    })
  }

  test("a run is charged for its pages but not for failures, and usage lists it", async () => {
    const account = await app.account({ credits: 100 })
    const run = await app.run(account.key, ["a", "b", "missing"])
    expect(run).toMatchObject({ status: "succeeded", creditsCharged: 2, pageCount: 2 })
    const premium = await app.post(
      "/api/v1/scrapers/premium-words-scraper/runs?waitForFinish=300",
      {
        key: account.key,
        body: { words: ["c"] },
      },
    )
    expect(premium.body.creditsCharged).toBe(2)
    const me = await app.get("/api/v1/me", { key: account.key })
    expect(me.body.credits).toEqual({ balance: 96, unlimited: false })
    expect(me.body.usage).toEqual({
      today: 4,
      thisMonth: 4,
      byScraper: [
        { scraper: "premium-words-scraper", credits: 2, pages: 1 },
        { scraper: "words-scraper", credits: 2, pages: 2 },
      ],
    })
    const ledger = await app.get("/api/v1/me/ledger", { key: account.key })
    expect(ledger.body.items.map((entry: { amount: number }) => entry.amount)).toEqual([
      -2, -1, -1, 100,
    ])
    expect(await ledgerSum(account.id)).toBe(96)
  })

  test("100 parallel runs on 10 credits get 10 targets", async () => {
    const account = await app.account({ credits: 10 })
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, index) =>
        app.post("/api/v1/scrapers/words-scraper/runs?waitForFinish=300", {
          key: account.key,
          body: { words: [`word${index}`] },
        }),
      ),
    )
    const started = answers.filter((response) => response.status === 201).map(({ body }) => body)
    expect(answers.every(({ status }) => status === 201 || status === 402)).toBe(true)
    const succeeded = started.filter((run) => run.status === "succeeded")
    const broke = started.filter((run) => run.error?.code === "out_of_credit")
    expect(succeeded).toHaveLength(10)
    expect(succeeded.length + broke.length).toBe(started.length)
    expect(broke.every((run) => run.status === "failed" && run.itemCount === 0)).toBe(true)
    expect(started.reduce((sum, run) => sum + run.creditsCharged, 0)).toBe(10)
    expect(await balance(account.id)).toBe(0)
    expect(await ledgerSum(account.id)).toBe(0)
  })

  test("a run that reaches zero keeps its items, and continues when there are credits again", async () => {
    const account = await app.account({ credits: 3 })
    const run = await app.run(account.key, ["a", "b", "c", "d", "e"])
    expect(run).toMatchObject({ status: "failed", itemCount: 3, creditsCharged: 3 })
    expect(run.error.code).toBe("out_of_credit")
    const refused = await app.post(`/api/v1/runs/${run.id}/resume`, { key: account.key })
    expect(refused.status).toBe(402)
    await app.store.write("credits.add", {
      accountId: account.id,
      amount: 50,
      reason: "grant",
      note: null,
      at: new Date().toISOString(),
    })
    await app.post(`/api/v1/runs/${run.id}/resume`, { key: account.key })
    const end = await app.get(`/api/v1/runs/${run.id}?waitForFinish=300`, { key: account.key })
    expect(end.body).toMatchObject({ status: "succeeded", itemCount: 5, creditsCharged: 5 })
    expect(await balance(account.id)).toBe(48)
  })

  test("an account with too few credits pays what it has; one with none gets nothing", async () => {
    const account = await app.account({ credits: 3 })
    const charge = {
      accountId: account.id,
      keyId: null,
      runId: "run_x",
      tier: "free" as const,
      unlockerPages: 0,
      at: new Date().toISOString(),
    }
    const charged = (pages: number) => app.direct((db) => chargeTarget(db, { ...charge, pages }))
    expect(await charged(5)).toEqual({ credits: 3, paid: true, outOfCredit: true })
    expect(await charged(5)).toEqual({ credits: 0, paid: false, outOfCredit: true })
    expect(await charged(0)).toEqual({ credits: 0, paid: true, outOfCredit: false })
  })

  test("an unlimited account pays nothing, and its pages are counted", async () => {
    const account = await app.account({ credits: 0, unlimited: true })
    const run = await app.run(account.key, ["a"])
    expect(run).toMatchObject({ status: "succeeded", creditsCharged: 0 })
    const me = await app.get("/api/v1/me", { key: account.key })
    expect(me.body).toMatchObject({
      plan: "unlimited",
      credits: { balance: 0, unlimited: true },
      usage: { byScraper: [{ scraper: "words-scraper", credits: 0, pages: 1 }] },
    })
  })

  test("with zero credits a start is refused with 402", async () => {
    const { key } = await app.account({ credits: 0 })
    const body = { words: ["a"] }
    const response = await app.post("/api/v1/scrapers/words-scraper/runs", { key, body })
    expect(response.status).toBe(402)
    expect(response.body.error.status).toBe(402)
  })

  test("the ledger cannot be changed or shortened, and its sum is the balance", async () => {
    const account = await app.account({ credits: 40 })
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: -5, max: 30 })), async (amounts) => {
        for (const amount of amounts) {
          await app.store
            .write("credits.add", {
              accountId: account.id,
              amount,
              reason: "grant",
              note: null,
              at: new Date().toISOString(),
            })
            // The table itself rejects a negative balance.
            .catch(() => {})
        }
        const current = await balance(account.id)
        expect(current).toBeGreaterThanOrEqual(0)
        expect(await ledgerSum(account.id)).toBe(current)
      }),
      { numRuns: 20 },
    )
    for (const change of ["UPDATE ledger SET amount = 1000", "DELETE FROM ledger"]) {
      expect(app.direct((db) => sql.raw(change).execute(db))).rejects.toThrow("append-only")
    }
  })
})
