import { afterAll, beforeAll, expect, test } from "bun:test"
import type { ApifyClient, ScheduleActions } from "apify-client"
import { ScheduleClock } from "../../../src/engine/runtime/schedules/clock.ts"
import { DropIn } from "./compat.ts"
import { Receiver } from "./receiver.ts"

let here: DropIn
let client: ApifyClient
let foreign: ApifyClient
let receiver: Receiver
beforeAll(async () => {
  here = await DropIn.open()
  const clientOf = (token: string) => here.apify(token)
  client = clientOf((await here.app.account({ unlimited: true })).key)
  foreign = clientOf((await here.app.account()).key)
  receiver = new Receiver(here)
})
afterAll(() => here.stop())

const page = (name: string) => `https://site.test/${name}`
const actorId = "trawl/url-to-markdown-scraper"
const requestUrl = "https://receiver.example/hook"
const input = { urls: [page("rope")] }
const bodies = async () => (await receiver.reported()).map(({ body }) => JSON.parse(String(body)))

test("a schedule from its creation to its deletion", async () => {
  const requested = {
    name: "mornings",
    cronExpression: "30 7 * * *",
    timezone: "Europe/Berlin" as never,
    isEnabled: true,
    actions: [
      {
        type: "RUN_ACTOR" as ScheduleActions.RunActor,
        actorId,
        runInput: { body: JSON.stringify(input), contentType: "application/json" },
      },
    ],
  }
  const made = await client.schedules().create(requested as never)
  expect(made).toMatchObject({ name: "mornings", isEnabled: true, timezone: "Europe/Berlin" })
  const schedule = client.schedule(made.id)
  const changed = await schedule.update({ cronExpression: "@daily", isEnabled: false })
  expect(changed).toMatchObject({ cronExpression: "@daily", isEnabled: false, nextRunAt: null })
  expect(await schedule.get()).toMatchObject({
    cronExpression: "@daily",
    actions: [
      {
        actorId: "trawl~url-to-markdown-scraper",
        runInput: { body: expect.stringContaining(page("rope")) },
      },
    ],
  })
  expect(await schedule.getLog()).toEqual([] as never)
  expect((await client.schedules().list()).items.map(({ id }) => id)).toEqual([made.id])
  expect((await foreign.schedules().list()).items).toEqual([])
  expect(await foreign.schedule(made.id).get()).toBeUndefined()
  await schedule.delete()
  expect(await schedule.get()).toBeUndefined()
  const refused = (change: object) =>
    client.schedules().create({ ...requested, ...change } as never)
  await expect(refused({ cronExpression: "often" })).rejects.toMatchObject({ statusCode: 400 })
  await expect(refused({ actions: [...requested.actions, ...requested.actions] })).rejects.toThrow(
    "More than one action",
  )
  await expect(
    refused({ actions: [{ ...requested.actions[0], runInput: { body: "{}" } }] }),
  ).rejects.toThrow("urls")
})

test("an exclusive schedule skips a run while the previous one is running", async () => {
  const stalled = { urls: [page("stalls")] }
  const actions = [{ type: "RUN_ACTOR", actorId, runInput: { body: JSON.stringify(stalled) } }]
  const make = (isExclusive: boolean) =>
    client.schedules().create({
      cronExpression: "* * * * *",
      isEnabled: true,
      isExclusive,
      actions,
    } as never)
  const alone = await make(true)
  const many = await make(false)
  expect([alone.isExclusive, many.isExclusive]).toEqual([true, false])
  const { store, service } = here.app
  const clock = (minutes: number) =>
    new ScheduleClock({
      store,
      runs: service.runs,
      onError: (message) => expect(message).toBe(""),
      scraper: (slug) => service.scraper(slug),
      now: () => new Date(Date.now() + minutes * 60_000),
    })
  await clock(1).poll()
  await clock(2).poll()
  const reported = async (id: string) =>
    ((await client.schedule(id).getLog()) as unknown as { message: string }[]).map(({ message }) =>
      message.replace(/ run_.*/, ""),
    )
  expect(await reported(alone.id)).toEqual(["skipped", "started"])
  expect(await reported(many.id)).toEqual(["started", "started"])
  expect(await client.schedule(alone.id).update({ name: "other" })).toMatchObject({
    isExclusive: true,
  })
  for (const { id } of [alone, many]) await client.schedule(id).delete()
  for (const { id } of (await client.runs().list()).items) {
    await client.run(id).abort()
    await here.app.runs.wait(id, 60_000)
  }
})

test("a webhook of an actor receives events of its runs in Apify's form", async () => {
  const made = await client.webhooks().create({
    eventTypes: ["ACTOR.RUN.SUCCEEDED", "ACTOR.RUN.ABORTED"],
    condition: { actorId },
    requestUrl,
  })
  expect(made).toMatchObject({
    isAdHoc: false,
    requestUrl,
    condition: { actorId: expect.any(String) },
  })
  const run = await client.actor(actorId).call(input, { log: null })
  await client.actor("trawl/sitemap-extractor").call({ url: page("") }, { log: null })
  expect(await bodies()).toMatchObject([
    {
      eventType: "ACTOR.RUN.SUCCEEDED",
      eventData: { actorId: run.actId, actorRunId: run.id },
      resource: { id: run.id, status: "SUCCEEDED", defaultDatasetId: run.defaultDatasetId },
    },
  ])
  const webhook = client.webhook(made.id)
  const [dispatch] = (await webhook.dispatches().list()).items
  expect(dispatch).toMatchObject({
    status: "SUCCEEDED",
    eventType: "ACTOR.RUN.SUCCEEDED",
    eventData: { actorRunId: run.id },
    calls: [{ responseStatus: 200, errorMessage: null }],
  })
  expect(await webhook.get()).toMatchObject({ id: made.id, requestUrl })
  expect(await webhook.test()).toMatchObject({ status: "ACTIVE", eventType: "TEST" })
  expect(await bodies()).toMatchObject([{ eventType: "TEST" }])
  const changed = await webhook.update({ eventTypes: ["ACTOR.RUN.FAILED"] })
  expect(changed.eventTypes).toEqual(["ACTOR.RUN.FAILED"])
  await client.actor(actorId).call(input, { log: null })
  expect(await bodies()).toEqual([])
  expect((await client.webhooks().list()).items.map(({ id }) => id)).toEqual([made.id])
  expect((await client.actor(actorId).webhooks().list()).items).toHaveLength(1)
  expect((await client.actor("trawl/sitemap-extractor").webhooks().list()).items).toEqual([])
  expect(await foreign.webhook(made.id).get()).toBeUndefined()
  await webhook.delete()
  expect(await webhook.get()).toBeUndefined()
})

test("webhooks given with a start receive events of its run only", async () => {
  const webhooks = [{ eventTypes: ["ACTOR.RUN.SUCCEEDED" as const], requestUrl }]
  const run = await client.actor(actorId).call(input, { log: null, webhooks })
  await client.actor(actorId).call(input, { log: null })
  expect((await bodies()).map(({ resource }) => resource.id)).toEqual([run.id])
  expect((await client.webhooks().list()).items).toEqual([])
  const refused = (webhook: object) =>
    client.actor(actorId).start(input, { webhooks: [{ ...webhooks[0]!, ...webhook }] })
  await expect(refused({ requestUrl: "http://10.0.0.1/" })).rejects.toThrow("10.0.0.1")
  await expect(refused({ eventTypes: ["ACTOR.BUILD.CREATED"] })).rejects.toThrow("not supported")
  await expect(refused({ payloadTemplate: "{}" })).rejects.toThrow("payloadTemplate")
  await expect(
    client.webhooks().create({ eventTypes: [], condition: { actorId }, requestUrl }),
  ).rejects.toThrow("eventTypes")
  await expect(
    client
      .webhooks()
      .create({ eventTypes: ["ACTOR.RUN.FAILED"], condition: {} as never, requestUrl }),
  ).rejects.toThrow("condition")
})

test("a run's request queue lists its targets", async () => {
  const urls = [page("rope"), page("missing"), page("hook")]
  const run = await client.actor(actorId).call({ urls }, { log: null })
  const queue = client.requestQueue(run.defaultRequestQueueId)
  expect(await queue.get()).toMatchObject({
    totalRequestCount: 3,
    handledRequestCount: 3,
    pendingRequestCount: 0,
    actRunId: run.id,
  })
  const { items } = await queue.listRequests({ limit: 2 })
  expect(items.map(({ url }) => url)).toEqual(urls.slice(0, 2))
  const all = []
  for await (const { items } of queue.paginateRequests({ maxPageLimit: 1 })) all.push(...items)
  expect(all.map(({ url }) => url)).toEqual(urls)
  expect(await queue.getRequest("1")).toMatchObject({
    url: page("missing"),
    errorMessages: [expect.stringContaining("404")],
  })
  expect((await queue.listHead()).items).toEqual([])
  expect(await client.run(run.id).requestQueue().get()).toMatchObject({ actRunId: run.id })
  expect((await client.requestQueues().list()).items.map(({ id }) => id)).toContain(
    run.defaultRequestQueueId,
  )
  expect((await client.keyValueStores().list()).items.map(({ id }) => id)).toContain(
    run.defaultKeyValueStoreId,
  )
  expect(await foreign.requestQueue(run.defaultRequestQueueId).get()).toBeUndefined()
  await expect(queue.addRequest({ url: "https://a.test", uniqueKey: "a" })).rejects.toThrow(
    "not supported",
  )
})
