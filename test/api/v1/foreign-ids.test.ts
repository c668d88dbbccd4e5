import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { sql } from "kysely"
import { createApi } from "../../../src/api/api.ts"
import type { OperationObject } from "../../../src/api/docs/openapi.ts"
import type { Service } from "../../../src/api/service.ts"
import { newFileId } from "../../../src/store/db/ids.ts"
import { type TestAccount, TestApp } from "../app.ts"
import { describedRoutes } from "../described.ts"

/** Every route with an ID in its path is called with another account's key. */
let app: TestApp
let anonymousCaller: TestAccount
const ids: Record<string, string> = {}
beforeAll(async () => {
  app = await TestApp.open()
  const { key } = await app.account()
  anonymousCaller = await app.account()
  const run = await app.run(key, ["a"])
  const made = async (path: string, body: unknown) => (await app.post(path, { key, body })).body.id
  ids.runId = run.id
  ids.datasetId = run.datasetId
  ids.keyId = await made("/api/v1/keys", { name: "mine" })
  ids.batchId = await made("/api/v1/batches", {
    scraper: "words-scraper",
    inputs: [{ words: ["a"] }],
  })
  ids.scheduleId = await made("/api/v1/schedules", {
    scraper: "words-scraper",
    input: { words: ["a"] },
    cron: "@daily",
  })
  ids.linkId = await made(`/api/v1/datasets/${run.datasetId}/links`, {})
  ids.webhookId = await made("/api/v1/webhooks", { url: "https://example.com/hook" })
  ids.recipeId = await made("/api/v1/recipes", {
    slug: "own",
    name: "Own",
    pattern: "example.com",
    input: { fields: ["title: h1"] },
  })
  const slack = { kind: "slack", url: "https://example.com/hook" }
  ids.notificationId = await made("/api/v1/notifications", slack)
  const hook = { name: "hook", kind: "webhook", url: "https://example.com/items" }
  ids.destinationId = await made("/api/v1/destinations", hook)
  await app.run(key, ["b"])
  const path = `/api/v1/webhooks/${ids.webhookId}/deliveries`
  ids.deliveryId = (await app.get(path, { key })).body.items[0].id
  const fileId = newFileId()
  ids.fileId = fileId
  await app.direct((db) =>
    sql`INSERT INTO files SELECT ${sql.lit(fileId)}, account_id, n, 0, 'page.pdf', 'application/pdf', 9, '', 'folder',
      created_at, NULL, NULL FROM runs WHERE id = ${run.id}`.execute(db),
  )
})
afterAll(() => app.close())

const routes = describedRoutes(createApi(await describedService()))
  .filter(({ path }) => path.startsWith("/api/v1/") && /:\w+Id/.test(path))
  .map(({ method, path, detail }) => ({ method, path, body: exampleBody(detail) }))

/** The routes are the same for every service. */
async function describedService(): Promise<Service> {
  const own = await TestApp.open()
  await own.close()
  return own.service
}

function exampleBody(detail: OperationObject): unknown {
  const content = (detail.requestBody as { content?: Record<string, { examples?: object }> })
    ?.content?.["application/json"]
  const [example] = Object.values(content?.examples ?? {})
  return (example as { value?: unknown })?.value
}

describe("another account's IDs do not exist", () => {
  test("routes with IDs exist", () => expect(routes.length).toBeGreaterThan(20))
  test("and some have a body", () => {
    expect(routes.filter(({ body }) => body !== undefined).length).toBeGreaterThan(1)
  })

  for (const { method, path, body } of routes) {
    test(`${method} ${path}`, async () => {
      const names = [...path.matchAll(/:(\w+)/g)].map((match) => match[1]!)
      for (const name of names) expect(ids[name], name).toBeString()
      const fill = (values: (name: string) => string) =>
        path.replace(/:(\w+)/g, (_, name) => values(name))
      const options = { key: anonymousCaller.key, ...(body === undefined ? {} : { body }) }
      const foreign = await app.call(
        method,
        fill((name) => ids[name]!),
        options,
      )
      const unknown = await app.call(
        method,
        fill((name) => `${ids[name]!.slice(0, -4)}0000`),
        options,
      )
      expect(foreign.status).toBe(404)
      // The messages may differ only in the ID that the caller sent.
      const withoutIds = (text: string, sent: (name: string) => string) =>
        names.reduce((rest, name) => rest.replaceAll(sent(name), "ID"), text)
      expect(withoutIds(foreign.text, (name) => ids[name]!)).toBe(
        withoutIds(unknown.text, (name) => `${ids[name]!.slice(0, -4)}0000`),
      )
      // With the owner's own delivery, the foreign webhook is not found either.
      expect(foreign.body.error.status).toBe(404)
    })
  }

  test("no data of the owner was changed", async () => {
    const rows = await app.store.db.selectFrom("runs").select("status").execute()
    expect(rows.every(({ status }) => status === "succeeded")).toBe(true)
    for (const table of ["keys", "schedules", "webhooks", "recipes", "destinations"] as const) {
      const left = await app.store.db.selectFrom(table).selectAll().execute()
      expect(left.length).toBeGreaterThan(0)
      expect(left.every((row) => !("revoked_at" in row) || row.revoked_at === null)).toBe(true)
    }
    const [file] = await app.store.db.selectFrom("files").selectAll().execute()
    expect(file?.removed_at).toBeNull()
  })
})
