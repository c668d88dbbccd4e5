import { afterAll, beforeAll, expect, test } from "bun:test"
import { sha256 } from "../../../src/accounts/secrets.ts"
import { type TestAccount, TestApp } from "../app.ts"

let app: TestApp
let account: TestAccount
let key: string
let id: string
let other: string
beforeAll(async () => {
  app = await TestApp.open()
  account = await app.account()
  key = account.key
  id = (await app.run(key, ["one", "two"], { times: 1 })).datasetId
  other = (await app.run(key, ["secret"], { times: 1 })).datasetId
})
afterAll(() => app.close())

const links = (dataset = id) => `/api/v1/datasets/${dataset}/links`
async function made(body: object = {}) {
  const { status, body: link } = await app.post(links(), { key, body })
  expect(status).toBe(201)
  const { pathname, search } = new URL(link.url)
  return { ...link, path: pathname + search, secret: search.slice("?link=".length) }
}

test("a link reads its dataset without a key, in every format, from any page", async () => {
  const { path } = await made()
  const { status, body, headers } = await app.get(path)
  expect(status).toBe(200)
  expect(body.total).toBe(2)
  expect(headers.get("access-control-allow-origin")).toBe("*")
  const csv = await app.get(`${path}&format=csv&fields=word&sort=-word`)
  expect(csv.text).toBe("\ufeffword\r\ntwo\r\none\r\n")
  expect(csv.headers.get("access-control-allow-origin")).toBe("*")
})

test("gives access to nothing else", async () => {
  const { secret, path } = await made()
  const refusals: [path: string, status: number][] = [
    [`/api/v1/datasets/${other}/items?link=${secret}`, 404],
    [`/api/v1/datasets/${id}/items?link=${secret.slice(1)}0`, 404],
    [`${path}&unique=word&since=${other}`, 400],
    [`${path}&transform=${encodeURIComponent("{'a': word}")}`, 400],
    [`${path}&transform=`, 400],
    [`/api/v1/datasets/${id}?link=${secret}`, 401],
    [`/api/v1/items?datasets=${id}&link=${secret}`, 401],
    [`${links()}?link=${secret}`, 401],
    [`/api/v1/datasets/${id}/items?limit=none`, 401],
  ]
  for (const [path, status] of refusals) {
    const response = await app.get(path)
    expect([path, response.status]).toEqual([path, status])
    expect(response.text).not.toContain('"word"')
  }
})

test("links are listed without their secrets, and can be revoked", async () => {
  const expiresAt = new Date(Date.now() + 3_600_000).toISOString()
  const { id: linkId, path, secret } = await made({ expiresAt })
  const { text, body } = await app.get(links(), { key })
  expect(text).not.toContain(secret)
  expect(body.items[0]).toMatchObject({ id: linkId, expiresAt })
  expect((await app.call("DELETE", `${links(other)}/${linkId}`, { key })).status).toBe(404)
  expect((await app.call("DELETE", `${links()}/${linkId}`, { key })).status).toBe(204)
  const { status, headers } = await app.get(path)
  expect(status).toBe(404)
  expect(headers.get("access-control-allow-origin")).toBe("*")
})

test("a link with a password works once unlocked, for its lifetime only", async () => {
  const { path, secret, hasPassword } = await made({ password: "correct horse" })
  expect(hasPassword).toBe(true)
  const refused = await app.get(path)
  expect(refused.status).toBe(401)
  expect(refused.text).not.toContain("two")
  const unlock = (password: string, link = secret) =>
    app.post(`${links()}/unlock`, { body: { link, password } })
  expect((await unlock("wrong horse")).body.error.message).toBe(
    "The password of the link is wrong. Ask the person who shared the link.",
  )
  expect((await unlock("correct horse", `${secret.slice(1)}0`)).status).toBe(404)
  const { status, body } = await unlock("correct horse")
  expect(status).toBe(200)
  const open = (link: string) => app.get(`/api/v1/datasets/${id}/items?link=${link}`)
  expect((await open(body.link)).body.total).toBe(2)
  const [own, until, signature] = body.link.split(".")
  for (const forged of [
    `${own}.${Number(until) + 1}.${signature}`,
    `${own}.${until}.${signature.replace(/^./, (one: string) => (one === "0" ? "1" : "0"))}`,
  ]) {
    expect((await open(forged)).status).toBe(401)
  }
  expect((await app.get(links(), { key })).body.items[0].hasPassword).toBe(true)
  // Guessing ends after ten wrong passwords.
  const statuses = []
  for (let tries = 0; tries < 11; tries++) statuses.push((await unlock("guess")).status)
  expect(statuses.at(-1)).toBe(429)
})

test("expires at its time, which has a maximum, and with its dataset", async () => {
  const tooFar = { expiresAt: "2999-01-01T00:00:00Z" }
  const refused = await app.post(links(), { key, body: tooFar })
  expect(refused.status).toBe(400)
  expect(refused.body.error.message).toContain("within the next 366 days")
  const store = async (secret: string, expires: number) => {
    const at = (ms: number) => new Date(Date.now() + ms).toISOString()
    const link = { id: secret, hash: sha256(secret), dataset_id: id, account_id: account.id }
    const times = { created_at: at(-2000), expires_at: at(expires) }
    await app.store.write("datasets.link", { ...link, ...times, maximum: 100 })
    return (await app.get(`/api/v1/datasets/${id}/items?link=${secret}`)).status
  }
  expect(await store("open", 60_000)).toBe(200)
  expect(await store("over", -1000)).toBe(404)
  const stored = await made()
  expect((await app.get(stored.path)).status).toBe(200)
  await app.call("DELETE", `/api/v1/datasets/${id}`, { key })
  expect((await app.get(stored.path)).status).toBe(404)
  const left = await app.store.db.selectFrom("dataset_links").selectAll().execute()
  expect(left.filter(({ dataset_id }) => dataset_id === id)).toEqual([])
})

test("the purge of a run deletes its links", async () => {
  const run = await app.run(key, ["gone"], { times: 1 })
  await app.post(links(run.datasetId), { key, body: {} })
  const left = () =>
    app.store.db.selectFrom("dataset_links").selectAll().where("dataset_id", "=", run.datasetId)
  expect(await left().execute()).toHaveLength(1)
  await app.call("DELETE", `/api/v1/runs/${run.id}`, { key })
  await app.purge()
  expect(await left().execute()).toEqual([])
})
