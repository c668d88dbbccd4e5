import { afterEach, beforeEach, describe, expect, test } from "bun:test"
import type { Transport, WireRequest, WireResponse } from "../../../src/engine/net/http/exchange.ts"
import { atOnce, DeliveryQueue } from "../../../src/engine/ops/notifications/delivery-queue.ts"
import { WebhookSender } from "../../../src/engine/ops/notifications/sender.ts"
import { type DueNow, pendingWebhooks } from "../../../src/store/notifications/deliveries.ts"
import { TestApp } from "../app.ts"

let id = 0
const due = (accountId: string, host: string): DueNow => ({
  id: `dlv_${++id}`,
  webhookId: `whk_${accountId}`,
  accountId,
  url: `https://${host}/hook`,
  perMinute: null,
  nextAt: `2026-01-01T00:00:00.${String(id % 1000).padStart(3, "0")}Z`,
})
const many = (count: number, make: (n: number) => DueNow) =>
  Array.from({ length: count }, (_, n) => make(n))

describe("delivery slots", () => {
  test("a host has two slots, an account five", () => {
    const turns = new DeliveryQueue()
    turns.set([
      ...many(20, () => due("a", "one.test")),
      ...many(20, (n) => due("b", `${n}.test`)),
      due("c", "good.test"),
    ])
    const taken = turns.take()
    const of = (account: string) => taken.filter((one) => one.accountId === account).length
    expect([of("a"), of("b"), of("c")]).toEqual([atOnce.host, atOnce.account, 1])
    expect(turns.take()).toEqual([])
    turns.end(taken.find((one) => one.accountId === "a")!)
    expect(turns.take().map((one) => one.accountId)).toEqual(["a"])
  })

  test("a thousand accounts that hang leave the next slot to one that had none", () => {
    const turns = new DeliveryQueue()
    const evil = many(1000, (n) => due(`evil ${n}`, `${n}.test`))
    turns.set(evil)
    const held = turns.take()
    expect(held).toHaveLength(atOnce.all)
    const left = evil.filter((one) => !held.some((other) => other.id === one.id))
    // Each has had its slot once, and its next delivery hangs again.
    for (let more = left; more.length > 0; ) {
      for (const one of held.splice(0)) turns.end(one)
      turns.set(more)
      held.push(...turns.take())
      more = more.filter((one) => !held.some((other) => other.id === one.id))
    }
    turns.set([...many(1000, (n) => due(`evil ${n}`, `${n}.test`)), due("good", "good.test")])
    expect(turns.take()).toEqual([])
    turns.end(held[0]!)
    expect(turns.take().map((one) => one.accountId)).toEqual(["good"])
  })
})

/**
 * A receiver that accepts deliveries to good hosts at once, and those to bad hosts never, until
 * they are aborted.
 */
class Receivers implements Transport {
  good: string[] = []
  hanging = 0

  async send({ url, signal }: WireRequest): Promise<WireResponse> {
    if (url.includes("good")) {
      this.good.push(url)
      return {
        status: 200,
        headers: new Headers(),
        bytes: new Uint8Array(),
        via: "http",
        firstByte: null,
      }
    }
    this.hanging++
    return new Promise((_, reject) => {
      signal.addEventListener("abort", () => {
        this.hanging--
        reject(signal.reason)
      })
    })
  }
}

describe("with receivers that never answer", () => {
  let app: TestApp
  beforeEach(async () => {
    app = await TestApp.open()
  })
  afterEach(() => app.close())

  async function queue(host: string, count: number): Promise<void> {
    const account = await app.account()
    const { body } = await app.post("/api/v1/webhooks", {
      key: account.key,
      body: { url: `https://${host}/hook` },
    })
    const at = new Date().toISOString()
    await Promise.all(
      Array.from({ length: count }, () =>
        app.store.write("deliveries.queue", {
          webhookId: body.id,
          event: "run.succeeded",
          runId: null,
          payload: "{}",
          at,
        }),
      ),
    )
  }

  test("good deliveries continue, and shutdown does not wait; nothing counts as tried", async () => {
    await queue("evil.example.com", 1000)
    const receivers = new Receivers()
    const onError = (message: string) => {
      throw new Error(message)
    }
    const sender = new WebhookSender({
      store: app.store,
      dispatcher: app.dispatcherWith(receivers),
      onError,
    })
    sender.start()
    while (receivers.hanging < atOnce.host) await Bun.sleep(5)
    await queue("good.example.com", 60)
    while (receivers.good.length < 60) await Bun.sleep(5)
    expect(receivers.hanging).toBe(atOnce.host)
    await sender.stop()
    expect(receivers.hanging).toBe(0)
    const rows = await app.store.db.selectFrom("deliveries").selectAll().execute()
    expect(rows.filter((row) => row.state === "delivered")).toHaveLength(60)
    const now = new Date().toISOString()
    const rest = rows.filter((row) => row.state === "pending")
    expect(rest.every((row) => row.tries === 0 && row.next_at! <= now)).toBe(true)
    expect(rest).toHaveLength(1000)
  }, 120_000)

  test("webhooks with queued deliveries are found in steps by index", async () => {
    for (let n = 0; n < 5; n++) await queue(`${n}.example.com`, 3)
    const found: string[] = []
    for (;;) {
      const ids = await pendingWebhooks(app.store.db, { after: found.at(-1) ?? "", limit: 2 })
      found.push(...ids)
      if (ids.length < 2) break
    }
    const all = await app.store.db.selectFrom("webhooks").select("id").orderBy("id").execute()
    expect(found).toEqual(all.map((row) => row.id))
  })
})
