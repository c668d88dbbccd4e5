import { afterAll, beforeAll, expect, test } from "bun:test"
import { pushRequest } from "../../../src/engine/ops/notifications/push.ts"
import { WebhookSender } from "../../../src/engine/ops/notifications/sender.ts"
import {
  decrypted,
  identified,
  newBrowserKeys,
  PushService,
  subscriptionKeys,
} from "../../push-service.ts"
import { TestApp } from "../app.ts"

let app: TestApp
let closed: TestApp
let service: PushService
beforeAll(async () => {
  service = new PushService()
  app = await TestApp.open({ egressAllow: ["127.0.0.1"], baseUrl: "https://trawl.test" })
  closed = await TestApp.open({})
})
afterAll(async () => {
  await Promise.all([app.close(), closed.close()])
  await service.stop()
})

const fail = (message: string) => {
  throw new Error(message)
}
const add = (key: string, body: object) =>
  app.post("/api/v1/notifications", { key, body: { kind: "browser", ...body } })

test("the example of RFC 8291 is decrypted by the push service of these tests", () => {
  const keys = {
    privateKey: Buffer.from("q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94", "base64url"),
    auth: Buffer.from("BTBZMqHH6r4Tts7J_aSIgg", "base64url"),
  }
  const body =
    "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"
  expect(decrypted(Buffer.from(body, "base64url"), keys)).toBe(
    "When I grow up, I want to be a watermelon",
  )
})

test("a browser gets an encrypted message, signed with the key of its subscription", async () => {
  const { key } = await app.account()
  const made = await add(key, service.subscription)
  expect(made.status).toBe(201)
  expect(made.body).toMatchObject({ kind: "browser", target: service.origin, enabled: true })
  expect(JSON.stringify(made.body)).not.toMatch(/secret-of|p256dh|auth|pushKey/)
  const tested = await app.post(`/api/v1/notifications/${made.body.id}/test`, { key, body: {} })
  expect(tested.body).toMatchObject({ state: "delivered", tries: [{ status: 201 }] })
  const { headers, message } = service.received.at(-1)!
  expect(message).toEqual({
    title: "Test notification of Trawl",
    text: "This channel works.",
    link: "",
  })
  const signed = identified(headers.get("authorization")!)
  expect(signed).toMatchObject({ aud: service.origin, sub: "https://trawl.test" })
  const left = signed.exp - Date.now() / 1000
  expect(left).toBeGreaterThan(3600)
  expect(left).toBeLessThan(24 * 3600)
  expect(headers.get("content-encoding")).toBe("aes128gcm")
  expect(Number(headers.get("ttl"))).toBeGreaterThan(0)
  expect(headers.get("urgency")).toBe("normal")
})

for (const status of [404, 410]) {
  test(`a browser that unsubscribed (${status}) is disabled`, async () => {
    const { key } = await app.account()
    const { id } = (await add(key, service.subscription)).body
    service.status = status
    const data = {
      scraper: "x",
      status: "failed",
      runId: "run_1",
      itemCount: 0,
      errorCount: 1,
      creditsCharged: 0,
    }
    await app.store.write("deliveries.queue", {
      webhookId: id,
      event: "run.failed",
      runId: null,
      payload: JSON.stringify({ type: "run.failed", timestamp: "", data }),
      at: new Date().toISOString(),
    })
    const { store, service: parts } = app
    const { dispatcher } = parts
    await new WebhookSender({ store, dispatcher, onError: fail }).sendDue()
    service.status = 201
    const { body } = await app.get(`/api/v1/notifications/${id}`, { key })
    expect(body).toMatchObject({ enabled: false, lastDelivery: { state: "failed", status } })
    expect(body.disabledReason).toContain(
      `The browser has unsubscribed: its push service returned ${status}.`,
    )
    expect(service.received.at(-1)!.headers.get("urgency")).toBe("high")
  })
}

const invalid: [name: string, body: object, field: string][] = [
  ["no keys", { url: "https://push.test/1" }, "keys"],
  ["no URL", { keys: subscriptionKeys(newBrowserKeys()) }, "url"],
  [
    "a short secret",
    { url: "https://push.test/1", keys: { ...subscriptionKeys(newBrowserKeys()), auth: "AAAA" } },
    "keys.auth",
  ],
  [
    "a key that is not on the curve",
    {
      url: "https://push.test/1",
      keys: { ...subscriptionKeys(newBrowserKeys()), p256dh: `B${"A".repeat(86)}` },
    },
    "keys.p256dh",
  ],
  ["a token", { ...subscriptionBody(), token: "x" }, "token"],
  ["another scheme", { ...subscriptionBody(), url: "ftp://push.test/1" }, "url"],
]

function subscriptionBody() {
  return { url: "https://push.test/1", keys: subscriptionKeys(newBrowserKeys()) }
}

for (const [name, body, field] of invalid) {
  test(`${name} is refused by the field`, async () => {
    const { key } = await app.account()
    const { status, body: reply } = await add(key, body)
    expect(status).toBe(400)
    expect(reply.error.details.map((issue: { field: string }) => issue.field)).toEqual([field])
  })
}

test("keys are refused for a channel of another kind", async () => {
  const { key } = await app.account()
  const body = { kind: "slack", ...service.subscription }
  const { status, body: reply } = await app.post("/api/v1/notifications", { key, body })
  expect([status, reply.error.details[0].field]).toEqual([400, "keys"])
})

test("a push service inside the private network is refused", async () => {
  const { key } = await closed.account()
  const body = { kind: "browser", ...service.subscription }
  const { status, body: reply } = await closed.post("/api/v1/notifications", { key, body })
  expect(status).toBe(400)
  expect(JSON.stringify(reply)).toContain("127.0.0.1")
})

test("a message of any length fits one record of a push service", () => {
  const keys = newBrowserKeys()
  const subscription = { url: "https://push.test/1", keys: subscriptionKeys(keys) }
  const options = {
    privateKey: "17".repeat(32),
    contact: "mailto:a@example.com",
    isUrgent: true,
    at: new Date(),
  }
  const link = `https://shop.test/${"l".repeat(500)}`
  const image = `https://shop.test/${"i".repeat(1500)}`
  const text = '"\u0001ü🪑'.repeat(1000)
  const { bodyBytes } = pushRequest(subscription, { title: "Chairs", text, link, image }, options)
  expect(bodyBytes.length).toBeLessThanOrEqual(4096)
  const message = JSON.parse(decrypted(bodyBytes, keys))
  expect(message).toMatchObject({ title: "Chairs", link })
  expect(message.text.length).toBeGreaterThan(100)
  const tooLong = { title: "ü".repeat(150), text: "x", link: `https://a.test/${"l".repeat(9000)}` }
  const short = JSON.parse(decrypted(pushRequest(subscription, tooLong, options).bodyBytes, keys))
  expect(short).toEqual({ title: "ü".repeat(100), text: "" })
})
