import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import type { Transport, WireRequest } from "../../../src/engine/net/http/exchange.ts"
import {
  isLow,
  notifyAdministrators,
  watchDiskSpace,
} from "../../../src/engine/ops/background/operator-events.ts"
import { WebhookSender } from "../../../src/engine/ops/notifications/sender.ts"
import { MailStandIn } from "../../smtp.ts"
import { TestApp } from "../app.ts"

let app: TestApp
let mail: MailStandIn
const operatorToken = "trawl_fortheoperatoralone"
beforeAll(async () => {
  mail = new MailStandIn()
  app = await TestApp.open(
    {
      smtpUrl: `smtp://trawl:secret@127.0.0.1:${mail.port}?tls=never`,
      smtpFrom: "Trawl <trawl@example.com>",
      smtpTo: ["@example.com"],
      egressAllow: ["127.0.0.1"],
    },
    undefined,
    operatorToken,
  )
})
afterAll(async () => {
  app.service.dispatcher.mailer.stop()
  await app.close()
  mail.stop()
})

class Receiver implements Transport {
  came: WireRequest[] = []
  status = 200
  body = ""

  async send(request: WireRequest) {
    this.came.push(request)
    return {
      status: this.status,
      headers: new Headers(),
      bytes: new TextEncoder().encode(this.body),
      via: "http" as const,
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

const base = "/api/v1/notifications"
const add = (key: string, body: object) => app.post(base, { key, body })
const deliveries = async (key: string, id: string) =>
  (await app.get(`${base}/${id}/deliveries`, { key })).body.items

/** The settings of each kind, and the request that a test message causes. */
const kinds: [kind: string, provided: object, url: string, body: unknown, headers?: object][] = [
  [
    "ntfy",
    { url: "https://ntfy.test/topic", token: "tk_1" },
    "https://ntfy.test/topic?title=Test+notification+of+Trawl&priority=3",
    "This channel works.",
    { authorization: "Bearer tk_1" },
  ],
  [
    "slack",
    { url: "https://hooks.slack.test/services/T/B/key" },
    "https://hooks.slack.test/services/T/B/key",
    { text: "*Test notification of Trawl*\nThis channel works." },
  ],
  [
    "discord",
    { url: "https://discord.test/api/webhooks/1/key" },
    "https://discord.test/api/webhooks/1/key",
    {
      content: "**Test notification of Trawl**\nThis channel works.",
      allowed_mentions: { parse: [] },
    },
  ],
  [
    "telegram",
    { url: "https://telegram.test", token: "1:AB-c", room: "-100" },
    "https://telegram.test/bot1:AB-c/sendMessage",
    { chat_id: "-100", text: "Test notification of Trawl\nThis channel works." },
  ],
  [
    "pushover",
    { url: "https://pushover.test", token: "app", user: "uKEY" },
    "https://pushover.test/1/messages.json",
    {
      token: "app",
      user: "uKEY",
      title: "Test notification of Trawl",
      message: "This channel works.",
      url: "",
      priority: "0",
    },
  ],
  [
    "teams",
    { url: "https://teams.test/workflows/1?sig=key" },
    "https://teams.test/workflows/1?sig=key",
    expect.objectContaining({ type: "message" }),
  ],
  [
    "google-chat",
    { url: "https://chat.test/v1/spaces/A/messages?key=k&token=t" },
    "https://chat.test/v1/spaces/A/messages?key=k&token=t",
    { text: "*Test notification of Trawl*\nThis channel works." },
  ],
  [
    "post",
    { url: "https://any.test/hook" },
    "https://any.test/hook",
    expect.objectContaining({
      title: "Test notification of Trawl",
      text: "This channel works.",
      event: expect.objectContaining({ type: "test" }),
    }),
  ],
]

describe("formats", () => {
  for (const [kind, provided, url, body, headers = {}] of kinds) {
    test(`${kind} gets its own message format`, async () => {
      const { key } = await app.account()
      const { body: made, status } = await add(key, { kind, ...provided, events: ["run.failed"] })
      expect(status).toBe(201)
      expect(JSON.stringify(made)).not.toMatch(/key|tk_1/)
      const receiver = new Receiver()
      await app.store.write("deliveries.queue", {
        webhookId: made.id,
        event: "test",
        runId: null,
        payload: JSON.stringify({ type: "test", timestamp: "", data: {} }),
        at: new Date().toISOString(),
      })
      expect(await senderOf(receiver).sendDue()).toBe(1)
      const [request] = receiver.came
      expect(request!.url).toBe(url)
      expect(request!.method).toBe("POST")
      const sent = kind === "ntfy" ? request!.body : JSON.parse(request!.body!)
      expect(sent).toEqual(body)
      expect(Object.fromEntries(request!.headers)).toMatchObject(headers)
    })
  }

  test("Telegram and Pushover need no URL; a template names its placeholders", async () => {
    const { key } = await app.account()
    const telegram = { kind: "telegram", token: "1:AB-c", room: "-100" }
    const { body: made } = await add(key, { ...telegram, template: { text: "{old} → {new}" } })
    expect(made).toMatchObject({
      target: "https://api.telegram.org#-100",
      template: { text: "{old} → {new}" },
    })
    const refused = await add(key, { ...telegram, template: { text: "{price}" } })
    expect(refused.status).toBe(400)
    expect(refused.body.error.details[0]).toMatchObject({ field: "template.text" })
    expect(refused.body.error.details[0].expected).toContain("{old}")
    const usual = { key, body: { template: null } }
    const { body } = await app.call("PATCH", `${base}/${made.id}`, usual)
    expect(body.template, JSON.stringify(body)).toBeNull()
  })

  test("Matrix receives a message with the delivery's ID in a room", async () => {
    const { key } = await app.account()
    const provided = { url: "https://matrix.test/", room: "!r:matrix.test", token: "syt_secret" }
    const { body: made } = await add(key, { kind: "matrix", ...provided })
    expect(made.target).toBe("https://matrix.test#!r:matrix.test")
    const run = await app.run(key, ["missing"])
    expect(run.status).toBe("failed")
    const receiver = new Receiver()
    await senderOf(receiver).sendDue()
    const [delivery] = await deliveries(key, made.id)
    const [request] = receiver.came
    expect(request!.method).toBe("PUT")
    expect(request!.url).toBe(
      `https://matrix.test/_matrix/client/v3/rooms/!r%3Amatrix.test/send/m.room.message/${delivery.id}`,
    )
    expect(request!.headers.get("authorization")).toBe("Bearer syt_secret")
    expect(JSON.parse(request!.body!).body).toStartWith(
      `words-scraper failed\n${run.error.message}\n`,
    )
  })

  test("text of a page cannot be markup or another placeholder, and has a maximum length", async () => {
    const { key } = await app.account()
    const slack = (await add(key, { kind: "slack", url: "https://s.test/k" })).body.id
    const discord = (await add(key, { kind: "discord", url: "https://d.test/k" })).body.id
    const evil = `<!channel> & {token} [a](https://evil.test) ${"ä".repeat(5000)}`
    for (const id of [slack, discord]) await tellFailed(id, evil)
    const receiver = new Receiver()
    await senderOf(receiver).sendDue()
    const text = (host: string) =>
      JSON.parse(receiver.came.find(({ url }) => url.includes(host))!.body!)
    expect(text("s.test").text).toContain("&lt;!channel&gt; &amp; {token} [a]")
    expect(text("d.test").content).toContain("\\[a\\](https://evil.test)")
    expect(text("d.test").content.length).toBeLessThan(2000)
    expect(text("s.test").text).toMatch(/…\nhttp:\/\/trawl\.test\/runs\/run_\w+$/)
  })
})

async function tellFailed(id: string, message = "It broke <here>.") {
  const data = {
    runId: "run_1",
    scraper: "words-scraper",
    status: "failed",
    itemCount: 1,
    errorCount: 0,
    creditsCharged: 2,
    error: { code: "x", message },
  }
  const at = new Date().toISOString()
  const payload = JSON.stringify({ type: "run.failed", timestamp: at, data })
  await app.store.write("deliveries.queue", {
    webhookId: id,
    event: "run.failed",
    runId: null,
    payload,
    at,
  })
}

describe("email", () => {
  test("is sent by the operator's server to allowed recipients", async () => {
    const { key } = await app.account()
    const refused = await add(key, { kind: "email", to: ["x@elsewhere.test"] })
    expect([refused.status, refused.body.error.details[0].field]).toEqual([400, "to"])
    const { body: made } = await add(key, { kind: "email", to: ["ada@example.com"] })
    expect(made.target).toBe("ada@example.com")
    const { body: tested } = await app.post(`${base}/${made.id}/test`, { key })
    expect(tested).toMatchObject({ state: "delivered", tries: [{ status: 250, error: null }] })
    const received = mail.received.at(-1)!
    expect(received).toMatchObject({ from: "trawl@example.com", to: ["ada@example.com"] })
    expect(received.auth).toBe("\0trawl\0secret")
    expect(received.text).toContain("Subject: Test notification of Trawl")
    expect(received.text).toContain(`Message-ID: <${tested.id}@example.com>`)
    expect(received.text).toContain("This channel works.")
  })

  test("sends an invitation to its email address, and returns its link", async () => {
    const invite = (body: object) =>
      app.post("/api/admin/v1/invitations", { key: operatorToken, body })
    const { status, body: made } = await invite({ email: "guest@elsewhere.test" })
    expect([status, made.emailed]).toEqual([201, true])
    const received = mail.received.at(-1)!
    expect(received.to).toEqual(["guest@elsewhere.test"])
    // Long lines are folded in an email.
    expect(received.text.replaceAll("=\n", "").replaceAll("=3D", "=")).toContain(made.url)
    expect(received.text).toContain("Subject: Invitation to Trawl at trawl.test")
    const count = mail.received.length
    expect((await invite({})).body.emailed).toBe(false)
    expect((await invite({ email: "unknown@example.com" })).body.emailed).toBe(false)
    expect(mail.received).toHaveLength(count)
  })

  test("reports a refusal in the server's words", async () => {
    const { key } = await app.account()
    const { body: made } = await add(key, { kind: "email", to: ["unknown@example.com"] })
    const { body: tested } = await app.post(`${base}/${made.id}/test`, { key })
    expect(tested).toMatchObject({ state: "failed", tries: [{ status: 550 }] })
    expect(tested.tries[0].error).toContain("no such mailbox")
  })

  test("sends a password over TLS only, unless the operator allows otherwise", async () => {
    const { config } = app.service
    const before = config.smtpUrl!
    const { key } = await app.account()
    const { body: made } = await add(key, { kind: "email", to: ["ada@example.com"] })
    const count = mail.received.length
    config.smtpUrl = before.replace("?tls=never", "")
    try {
      const { body } = await app.post(`${base}/${made.id}/test`, { key })
      expect(body.state).toBe("failed")
      expect(mail.received.length).toBe(count)
    } finally {
      config.smtpUrl = before
    }
  })

  test("is refused if no mail server is set", async () => {
    const { config } = app.service
    const before = config.smtpUrl
    delete config.smtpUrl
    try {
      const { key } = await app.account()
      const { status, body } = await add(key, { kind: "email", to: ["ada@example.com"] })
      expect(status).toBe(409)
      expect(body.error.message).toContain("TRAWL_SMTP_URL")
    } finally {
      if (before) config.smtpUrl = before
    }
  })
})

describe("rate limits", () => {
  test("messages above a channel's limit per minute become digests", async () => {
    const { key } = await app.account()
    const url = "https://burst.test/k"
    const { body: made } = await add(key, { kind: "slack", url, perMinute: 3 })
    for (let n = 1; n <= 30; n++) await tellFailed(made.id, `Number ${n}.`)
    const receiver = new Receiver()
    const clock = new Clock()
    const sender = senderOf(receiver, clock)
    await sender.sendDue()
    const texts = () => receiver.came.map(({ body }) => JSON.parse(body!).text as string)
    expect(texts()).toHaveLength(3)
    expect(texts()[0]).toContain("Number 1.")
    expect(texts()[2]).toStartWith("*28 notifications*")
    expect(texts()[2]).toContain("Number 3.")
    expect(texts()[2]).toEndWith("And 8 more.")
    clock.pass(30_000)
    for (let n = 31; n <= 40; n++) await tellFailed(made.id, `Number ${n}.`)
    clock.pass(1_000)
    await sender.sendDue()
    expect(texts()).toHaveLength(3)
    clock.pass(30_000)
    await sender.sendDue()
    expect(texts()).toHaveLength(6)
    expect(texts()[5]).toStartWith("*8 notifications*")
    const states = (await deliveries(key, made.id)).map(({ state }: { state: string }) => state)
    expect(states.filter((state: string) => state === "gathered")).toHaveLength(36)
    expect(states.filter((state: string) => state === "pending")).toHaveLength(0)
  })

  test("a failed channel is retried later, and its response is stored without its key", async () => {
    const { key } = await app.account()
    const url = "https://down.test/services/T0/secretkey"
    const { body: made } = await add(key, { kind: "slack", url })
    await tellFailed(made.id)
    const receiver = new Receiver()
    receiver.status = 404
    receiver.body = "no_service at /services/T0/secretkey"
    const clock = new Clock(Date.now() + 1000)
    const sender = senderOf(receiver, clock)
    await sender.sendDue()
    await sender.sendDue()
    expect(receiver.came).toHaveLength(1)
    const [failed] = await deliveries(key, made.id)
    expect(failed.state).toBe("pending")
    expect(failed.tries[0]).toMatchObject({
      status: 404,
      error: "The receiver responded with 404: no_service at …",
    })
    receiver.status = 200
    clock.pass(10_000)
    await sender.sendDue()
    const { body: visible } = await app.get(`${base}/${made.id}`, { key })
    expect(visible.lastDelivery).toMatchObject({
      state: "delivered",
      status: 200,
      event: "run.failed",
    })
  })
})

describe("the API", () => {
  test("names missing and excessive fields", async () => {
    const { key } = await app.account()
    const wrong = async (body: object) => {
      const response = await add(key, body)
      return [response.status, response.body.error.details[0].field]
    }
    expect(await wrong({ kind: "slack" })).toEqual([400, "url"])
    expect(await wrong({ kind: "matrix", url: "https://m.test" })).toEqual([400, "room"])
    expect(await wrong({ kind: "slack", url: "https://s.test", room: "r" })).toEqual([400, "room"])
    expect(await wrong({ kind: "pager", url: "https://s.test" })).toEqual([400, "kind"])
    expect(await wrong({ kind: "post", url: "http://10.0.0.1/" })).toEqual([400, "url"])
    const owners = { kind: "post", url: "https://s.test", events: ["disk.low"] }
    expect(await wrong(owners)).toEqual([400, "events"])
  })

  test("a channel can be changed, disabled and deleted; its secret is not returned", async () => {
    const { key } = await app.account()
    const other = await app.account()
    const { body: made } = await add(key, { kind: "ntfy", url: "https://n.test/topic-1" })
    expect(made).toMatchObject({ kind: "ntfy", target: "https://n.test", perMinute: 10 })
    const path = `${base}/${made.id}`
    expect((await app.get(path, { key: other.key })).status).toBe(404)
    const change = { url: "https://n.test/topic-2", events: ["run.succeeded"], name: "Phone" }
    const { body: changed } = await app.call("PATCH", path, { key, body: change })
    expect(changed).toMatchObject({ name: "Phone", events: ["run.succeeded"] })
    await app.run(key, ["a"])
    const receiver = new Receiver()
    await senderOf(receiver).sendDue()
    expect(receiver.came.map(({ url }) => url.split("?")[0])).toEqual(["https://n.test/topic-2"])
    await app.call("PATCH", path, { key, body: { enabled: false } })
    expect((await app.post(`${path}/test`, { key })).status).toBe(409)
    expect((await app.get(`/api/v1/webhooks/${made.id}`, { key })).status).toBe(404)
    const { body: list } = await app.get(base, { key })
    expect(list.items.map(({ id, enabled }: never) => [id, enabled])).toEqual([[made.id, false]])
    const rows = await app.store.db.selectFrom("webhooks").selectAll().execute()
    expect(JSON.stringify(rows)).not.toContain("topic-2")
    expect((await app.call("DELETE", path, { key })).status).toBe(204)
    expect((await app.get(path, { key })).status).toBe(404)
  })

  test("a test is sent at once, through the egress filter", async () => {
    const came: string[] = []
    const server = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      async fetch(request) {
        came.push(`${new URL(request.url).searchParams.get("title")}: ${await request.text()}`)
        return new Response("ok")
      },
    })
    try {
      const { key } = await app.account()
      const url = `http://127.0.0.1:${server.port}/topic`
      const { body: made } = await add(key, { kind: "ntfy", url })
      const { body: tested } = await app.post(`${base}/${made.id}/test`, { key })
      expect(tested).toMatchObject({ event: "test", state: "delivered", tries: [{ status: 200 }] })
      expect(came).toEqual(["Test notification of Trawl: This channel works."])
    } finally {
      await server.stop(true)
    }
  })
})

describe("events", () => {
  test("credits are reported when they fall below a channel's limit, and when none are left", async () => {
    const { key } = await app.account({ credits: 5 })
    const url = "https://c.test/k"
    const provided = { kind: "slack", url, events: ["credits.low"], creditsBelow: 4 }
    const { body: made } = await add(key, provided)
    const reported = async () =>
      (await deliveries(key, made.id)).map((one: never) => (one as Delivered).payload.data.balance)
    await app.run(key, ["a"])
    expect(await reported()).toEqual([])
    await app.run(key, ["b"])
    await app.run(key, ["c"])
    expect(await reported()).toEqual([3])
    await app.run(key, ["d", "e"])
    expect(await reported()).toEqual([0, 3])
  })

  test("administrators are notified of a full disk and a failed backup, once a day each", async () => {
    const owner = await app.account()
    await app.store.write("accounts.change", { id: owner.id, role: "owner" })
    const { body: made } = await add(owner.key, { kind: "slack", url: "https://o.test/k" })
    expect(made.events).toContain("disk.low")
    const full = { freeBytes: 1024 ** 3, totalBytes: 100 * 1024 ** 3 }
    const start = new Date()
    const later = new Date(start.getTime() + 25 * 3_600_000)
    const { store } = app
    await watchDiskSpace(store, "/data", full, start)
    await watchDiskSpace(store, "/data", full, start)
    await notifyAdministrators(store, "backup.failed", { message: "No route." }, start)
    await watchDiskSpace(
      store,
      "/data",
      { freeBytes: 60 * 1024 ** 3, totalBytes: 100 * 1024 ** 3 },
      later,
    )
    expect((await deliveries(owner.key, made.id)).map(({ event }: Delivered) => event)).toEqual([
      "backup.failed",
      "disk.low",
    ])
    await watchDiskSpace(store, "/data", full, later)
    const receiver = new Receiver()
    await senderOf(receiver, new Clock(later.getTime() + 1)).sendDue()
    const texts = receiver.came.map(({ body }) => JSON.parse(body!).text)
    expect(texts.filter((text) => text.includes("1024 MB of 100 GB are free"))).toHaveLength(2)
    expect(texts).toContain("*The backup failed*\nNo route.")
    expect(isLow({ freeBytes: 3 * 1024 ** 3, totalBytes: 20 * 1024 ** 3 })).toBe(false)
  })
})

interface Delivered {
  event: string
  payload: { data: { balance: number } }
}
