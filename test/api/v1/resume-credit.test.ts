import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { type Answered, TestApp } from "../app.ts"

let app: TestApp
beforeAll(async () => {
  app = await TestApp.open()
})
afterAll(() => app.close())

const routes: [name: string, status: number, path: (id: string) => string][] = [
  ["resume", 202, (id) => `/api/v1/runs/${id}/resume`],
  ["retry", 202, (id) => `/api/v1/runs/${id}/retry`],
  ["resurrect", 200, (id) => `/v2/actor-runs/${id}/resurrect`],
]

async function limitedKey(of: string, creditLimit: number) {
  const { body } = await app.post("/api/v1/keys", { key: of, body: { name: "x", creditLimit } })
  return { id: body.id as string, key: body.apiKey as string }
}

async function used(key: string, id: string): Promise<number> {
  const { items } = (await app.get("/api/v1/keys", { key })).body
  return items.find((one: { id: string }) => one.id === id).creditsUsed
}

/** Returns a run that failed for lack of credits after its first two words of four. */
async function failedRun(account: string, starter: string): Promise<string> {
  const run = await app.run(starter, ["a", "missing", "b", "c", "d"])
  expect([account === starter, run.status]).toEqual([false, "failed"])
  return run.id
}

/**
 * Returns a run that was aborted with one failed target and one unfinished target, which would cost
 * a credit.
 */
async function abortedRun(key: string): Promise<string> {
  app.gate.reset()
  const { body: run } = await app.post("/api/v1/scrapers/words-scraper/runs", {
    key,
    body: { words: ["missing", "slow"] },
  })
  const of = `/api/v1/runs/${run.id}`
  while ((await app.get(of, { key })).body.targetsDone !== 1) await Bun.sleep(5)
  await app.post(`${of}/abort`, { key })
  const { body } = await app.get(`${of}?waitForFinish=60`, { key })
  expect(body.status).toBe("aborted")
  app.gate.release()
  return run.id
}

describe.each(routes)("%s", (_, accepted, path) => {
  const call = (id: string, key: string): Promise<Answered> => app.post(path(id), { key })

  test("a key that has used its limit cannot continue the run of another key", async () => {
    const { key } = await app.account()
    const id = await abortedRun(key)
    const spent = await limitedKey(key, 1)
    await app.run(spent.key, ["b"])
    const refused = await call(id, spent.key)
    expect(refused.status).toBe(402)
    expect(await used(key, spent.id)).toBe(1)
  })

  test("a run whose key has used its limit is not continued by a key with credit", async () => {
    const { key } = await app.account()
    const starter = await limitedKey(key, 2)
    const id = await failedRun(key, starter.key)
    expect((await call(id, key)).status).toBe(402)
  })

  test("the key that continues a run is charged for the rest", async () => {
    const { key } = await app.account()
    const id = await abortedRun(key)
    const resumer = await limitedKey(key, 5)
    expect((await call(id, resumer.key)).status).toBe(accepted)
    await app.get(`/api/v1/runs/${id}?waitForFinish=60`, { key })
    expect(await used(key, resumer.id)).toBe(1)
  })
})
