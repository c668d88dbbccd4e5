import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import fc from "fast-check"
import { sql } from "kysely"
import { Webhook } from "standardwebhooks"
import { EgressFilter } from "../../../src/engine/net/egress/filter.ts"
import type { Transport, WireRequest, WireResponse } from "../../../src/engine/net/http/exchange.ts"
import { LiveTransport } from "../../../src/engine/net/http/live.ts"
import { maxTries, pauseAfter } from "../../../src/engine/ops/notifications/retries.ts"
import { WebhookSender } from "../../../src/engine/ops/notifications/sender.ts"
import {
  newWebhookSecret,
  signatureHeaders,
} from "../../../src/engine/ops/notifications/signature.ts"
import { TestApp } from "../app.ts"

let app: TestApp
beforeAll(async () => {
  app = await TestApp.open()
})
afterAll(() => app.close())

/** A receiver that responds as the test sets, and stores what it received. */
class Receiver implements Transport {
  readonly came: WireRequest[] = []

  constructor(
    public answers: (number | Error | { status: number; headers: Record<string, string> })[],
  ) {}

  async send(request: WireRequest): Promise<WireResponse> {
    this.came.push(request)
    const response = this.answers.length > 1 ? this.answers.shift()! : this.answers[0]!
    if (response instanceof Error) throw response
    const { status, headers } =
      typeof response === "number" ? { status: response, headers: {} } : response
    return {
      status,
      headers: new Headers(headers),
      bytes: new Uint8Array(),
      via: "http",
      firstByte: null,
    }
  }
}

class Clock {
  constructor(private ms = Date.now()) {}
  now = () => new Date(this.ms)
  pass(ms: number): void {
    this.ms += ms
  }
}

const senderOf = (receiver: Transport, clock = new Clock()) =>
  new WebhookSender({
    store: app.store,
    dispatcher: app.dispatcherWith(receiver),
    now: clock.now,
    random: () => 0.5,
    onError: (message) => {
      throw new Error(message)
    },
  })

async function subscribed(events?: string[]) {
  const account = await app.account()
  const { body } = await app.post("/api/v1/webhooks", {
    key: account.key,
    body: { url: "https://example.com/hook", ...(events && { events }) },
  })
  const path = `/api/v1/webhooks/${body.id}`
  const deliveries = async () =>
    (await app.get(`${path}/deliveries`, { key: account.key })).body.items
  return { ...account, webhook: body, path, deliveries }
}

function verified(secret: string, request: WireRequest): unknown {
  return new Webhook(secret).verify(request.body!, Object.fromEntries(request.headers))
}

describe("signatures", () => {
  test("match Standard Webhooks for any payload", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.uuid(), (value, id) => {
        const secret = newWebhookSecret()
        const payload = JSON.stringify(value)
        const headers = signatureHeaders({ id, payload, at: new Date(), secrets: [secret] })
        expect(JSON.stringify(new Webhook(secret).verify(payload, headers))).toBe(
          JSON.stringify(JSON.parse(payload)),
        )
        expect(() => new Webhook(newWebhookSecret()).verify(payload, headers)).toThrow()
        expect(() => new Webhook(secret).verify(`${payload} `, headers)).toThrow()
      }),
      { numRuns: 500 },
    )
  })
})

describe("deliveries", () => {
  test("the end of a run is sent, signed and logged", async () => {
    const { key, webhook, deliveries } = await subscribed()
    expect(webhook.secret).toStartWith("whsec_")
    const run = await app.run(key, ["a", "b"])
    const receiver = new Receiver([200])
    expect(await senderOf(receiver).sendDue()).toBe(1)
    const [request] = receiver.came
    expect(request!.url).toBe("https://example.com/hook")
    expect(verified(webhook.secret, request!)).toEqual({
      type: "run.succeeded",
      timestamp: run.finishedAt,
      data: {
        runId: run.id,
        scraper: "words-scraper",
        slug: "words-scraper",
        status: "succeeded",
        datasetId: run.datasetId,
        itemCount: 2,
        errorCount: 0,
        creditsCharged: 2,
        error: null,
      },
    })
    const [delivery] = await deliveries()
    expect(delivery).toMatchObject({
      id: request!.headers.get("webhook-id"),
      event: "run.succeeded",
      runId: run.id,
      state: "delivered",
      nextTryAt: null,
      tries: [{ status: 200, error: null }],
    })
    expect(JSON.stringify(delivery.payload)).toBe(request!.body!)
    expect(await senderOf(receiver).sendDue()).toBe(0)
  })

  test("are signed with a secret that is encrypted in the database; a lost one is reported", async () => {
    const { key, webhook, path, deliveries } = await subscribed()
    const setSecret = (secret: string) =>
      app.direct((db) =>
        sql`UPDATE webhooks SET secret = ${secret} WHERE id = ${webhook.id}`.execute(db),
      )
    const { rows } = await app.direct((db) =>
      sql<{ secret: string }>`SELECT secret FROM webhooks WHERE id = ${webhook.id}`.execute(db),
    )
    const [stored] = rows
    expect(stored!.secret).toStartWith("sealed:")
    expect(JSON.stringify(stored)).not.toContain(webhook.secret.slice(6))
    await setSecret("sealed:00000000:AAAA")
    await app.run(key, ["a"])
    const receiver = new Receiver([200])
    await senderOf(receiver).sendDue()
    expect(receiver.came).toEqual([])
    const [reported] = await deliveries()
    expect(reported).toMatchObject({ state: "pending", tries: [{ status: null }] })
    expect(reported.tries[0].error).toContain("Rotate the secret")
    const { body } = await app.post(`${path}/rotate-secret`, { key })
    await app.post(`${path}/deliveries/${reported.id}/replay`, { key })
    await senderOf(receiver).sendDue()
    verified(body.secret, receiver.came[0]!)
  })

  test("for each kind of end, and only the requested ones", async () => {
    const { key, deliveries } = await subscribed(["run.failed", "run.aborted", "run.timed_out"])
    await app.run(key, ["fine"])
    await app.run(key, ["missing"])
    await app.post("/api/v1/scrapers/words-scraper/runs?waitForFinish=300&timeoutSeconds=1", {
      key,
      body: { words: ["slow"] },
    })
    const { body: run } = await app.post("/api/v1/scrapers/words-scraper/runs", {
      key,
      body: { words: ["slow"] },
    })
    await app.post(`/api/v1/runs/${run.id}/abort`, { key })
    await app.get(`/api/v1/runs/${run.id}?waitForFinish=300`, { key })
    const events = (await deliveries()).map((one: { event: string }) => one.event)
    expect(events).toEqual(["run.aborted", "run.timed_out", "run.failed"])
    await senderOf(new Receiver([204])).sendDue()
  })

  test("ten tries over about a day, then it has failed", async () => {
    const { key, deliveries } = await subscribed()
    await app.run(key, ["a"])
    const receiver = new Receiver([500, 302, 404, new Error("connection refused"), 503])
    const clock = new Clock()
    const began = clock.now().getTime()
    const sender = senderOf(receiver, clock)
    for (let tries = 1; tries <= maxTries; tries++) {
      expect(await sender.sendDue()).toBe(1)
      expect(await sender.sendDue()).toBe(0)
      const [delivery] = await deliveries()
      expect(delivery.tries).toHaveLength(tries)
      if (tries === maxTries) break
      expect(delivery.state).toBe("pending")
      clock.pass(Date.parse(delivery.nextTryAt) - clock.now().getTime())
    }
    const [delivery] = await deliveries()
    expect(delivery).toMatchObject({ state: "failed", nextTryAt: null })
    const statuses = delivery.tries.map((one: { status: number | null }) => one.status)
    expect(statuses.slice(0, 5)).toEqual([500, 302, 404, null, 503])
    expect(delivery.tries[3].error).toBe("connection refused")
    const hours = (clock.now().getTime() - began) / 3_600_000
    expect(hours).toBeGreaterThan(20)
    expect(hours).toBeLessThan(28)
    // All attempts have the same ID and the same bytes.
    expect(new Set(receiver.came.map(({ headers }) => headers.get("webhook-id"))).size).toBe(1)
    expect(new Set(receiver.came.map(({ body }) => body)).size).toBe(1)
    clock.pass(1e9)
    expect(await sender.sendDue()).toBe(0)
  })

  test("Retry-After is honoured", async () => {
    const { key, deliveries } = await subscribed()
    await app.run(key, ["a"])
    const clock = new Clock()
    await senderOf(
      new Receiver([{ status: 429, headers: { "retry-after": "600" } }]),
      clock,
    ).sendDue()
    const [delivery] = await deliveries()
    expect(Date.parse(delivery.nextTryAt) - clock.now().getTime()).toBe(600_000)
    clock.pass(600_000)
    await senderOf(new Receiver([200]), clock).sendDue()
  })

  test("410 disables the webhook, until its owner enables it", async () => {
    const { key, path, deliveries } = await subscribed()
    await app.run(key, ["a"])
    await app.run(key, ["b"])
    const receiver = new Receiver([410])
    await senderOf(receiver).sendDue()
    const off = await app.get(path, { key })
    expect(off.body).toMatchObject({ enabled: false })
    expect(off.body.disabledReason).toContain("410")
    expect((await deliveries()).every((one: { state: string }) => one.state === "failed")).toBe(
      true,
    )
    await app.run(key, ["c"])
    expect(await deliveries()).toHaveLength(2)
    const refused = await app.post(`${path}/deliveries/${(await deliveries())[0].id}/replay`, {
      key,
    })
    expect(refused.status).toBe(409)
    const on = await app.call("PATCH", path, { key, body: { enabled: true } })
    expect(on.body).toMatchObject({ enabled: true, disabledReason: null })
    await app.run(key, ["d"])
    expect(await deliveries()).toHaveLength(3)
    await senderOf(new Receiver([200])).sendDue()
  })

  test("replay sends the same ID and bytes again", async () => {
    const { key, path, deliveries } = await subscribed()
    await app.run(key, ["a"])
    const first = new Receiver([200])
    await senderOf(first).sendDue()
    const [delivery] = await deliveries()
    const replay = await app.post(`${path}/deliveries/${delivery.id}/replay`, { key })
    expect([replay.status, replay.body.state]).toEqual([202, "pending"])
    const second = new Receiver([200])
    await senderOf(second).sendDue()
    expect(second.came[0]!.body).toBe(first.came[0]!.body)
    expect(second.came[0]!.headers.get("webhook-id")).toBe(delivery.id)
    expect((await deliveries())[0].tries).toHaveLength(2)
    expect((await app.post(`${path}/deliveries/dlv_x/replay`, { key })).status).toBe(404)
  })

  test("after a rotation both secrets sign for a day", async () => {
    const { key, path, webhook } = await subscribed()
    const rotated = await app.post(`${path}/rotate-secret`, { key })
    expect(rotated.body.secret).not.toBe(webhook.secret)
    await app.run(key, ["a"])
    const receiver = new Receiver([500, 200])
    const clock = new Clock()
    const sender = senderOf(receiver, clock)
    await sender.sendDue()
    verified(webhook.secret, receiver.came[0]!)
    verified(rotated.body.secret, receiver.came[0]!)
    clock.pass(86_400_000 + 1000)
    await sender.sendDue()
    const late = receiver.came[1]!
    expect(late.headers.get("webhook-signature")!.split(" ")).toHaveLength(1)
    const list = await app.get("/api/v1/webhooks", { key })
    expect(list.text).not.toContain("whsec_")
  })

  test("a sender that dies between sending and recording: sent again, never lost", async () => {
    const { key, deliveries } = await subscribed()
    await app.run(key, ["a"])
    const clock = new Clock()
    const ids = [(await deliveries())[0].id]
    const claim = () =>
      app.store.write("deliveries.claim", {
        ids,
        now: clock.now().toISOString(),
        until: new Date(clock.now().getTime() + 60_000).toISOString(),
      })
    const [taken] = await claim()
    expect(await claim()).toEqual([])
    clock.pass(60_000)
    const receiver = new Receiver([200])
    expect(await senderOf(receiver, clock).sendDue()).toBe(1)
    expect(receiver.came[0]!.headers.get("webhook-id")).toBe(taken!.id)
  })

  test("a webhook deleted meanwhile leaves nothing to send", async () => {
    const { key, path } = await subscribed()
    await app.run(key, ["a"])
    expect((await app.call("DELETE", path, { key })).status).toBe(204)
    const receiver = new Receiver([200])
    expect(await senderOf(receiver).sendDue()).toBe(0)
  })

  test("events of another account's runs are not sent", async () => {
    const { deliveries } = await subscribed()
    const other = await app.account()
    await app.run(other.key, ["a"])
    expect(await deliveries()).toEqual([])
  })
})

describe("over the network", () => {
  test("a receiver gets the signed body; redirects are not followed, private hosts not reached", async () => {
    const came: { path: string; body: string; headers: Headers }[] = []
    const site = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      async fetch(request): Promise<Response> {
        const { pathname } = new URL(request.url)
        came.push({ path: pathname, body: await request.text(), headers: request.headers })
        if (pathname === "/moved") return Response.redirect("/secret", 307)
        return new Response("ok")
      },
    })
    const { key, id, deliveries, path } = await subscribed()
    const move = (url: string) =>
      app.store.write("webhooks.change", {
        id: path.split("/").at(-1)!,
        accountId: id,
        set: { url },
      })
    await move(`${site.url}moved`)
    await app.run(key, ["a"])
    const open = new LiveTransport(new EgressFilter([`127.0.0.1:${site.port}`]))
    const clock = new Clock()
    await senderOf(open, clock).sendDue()
    expect(came.map((one) => one.path)).toEqual(["/moved"])
    expect((await deliveries())[0].tries[0].status).toBe(307)

    await move(`${site.url}hook`)
    clock.pass(60_000)
    await senderOf(open, clock).sendDue()
    const got = came.at(-1)!
    expect(got.path).toBe("/hook")
    expect(got.headers.get("content-type")).toBe("application/json")
    expect(JSON.parse(got.body).type).toBe("run.succeeded")

    await app.run(key, ["b"])
    const reached = came.length
    await senderOf(new LiveTransport(new EgressFilter([])), clock).sendDue()
    expect(came).toHaveLength(reached)
    expect((await deliveries())[0]).toMatchObject({ state: "pending", tries: [{ status: null }] })
    await site.stop(true)
  })
})

test("pauses grow with a jitter of a tenth, and are never shorter than requested", () => {
  for (let tries = 1; tries < maxTries; tries++) {
    const least = pauseAfter(tries, null, 0)!
    const most = pauseAfter(tries, null, 1)!
    expect(most / least).toBeCloseTo(1.1 / 0.9, 2)
    if (tries > 1) expect(least).toBeGreaterThan(pauseAfter(tries - 1, null, 1)!)
    expect(pauseAfter(tries, 50_000, 0.5)!).toBeGreaterThanOrEqual(50_000_000)
    expect(pauseAfter(tries, 1e9, 0.5)!).toBeLessThanOrEqual(86_400_000)
  }
  expect(pauseAfter(maxTries, null, 0.5)).toBeNull()
})
