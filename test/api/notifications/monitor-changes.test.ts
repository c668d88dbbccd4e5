import { afterAll, beforeAll, expect, test } from "bun:test"
import { type TestAccount, TestApp } from "../app.ts"

let app: TestApp
let account: TestAccount
let key: string
beforeAll(async () => {
  app = await TestApp.open()
  account = await app.account()
  key = account.key
})
afterAll(() => app.close())

const body = {
  scraper: "words-scraper",
  input: { words: ["one"] },
  cron: "0 7 * * *",
  enabled: false,
  conditions: [{ when: "changed", field: "word" }],
}

async function monitor(name: string, tags: string[] = []): Promise<string> {
  const { status, body: made } = await app.post("/api/v1/schedules", {
    key,
    body: { ...body, name, tags },
  })
  expect(status, JSON.stringify(made)).toBe(201)
  return made.id
}

const at = (minute: number) => `2026-03-01T10:${String(minute).padStart(2, "0")}:00.000Z`

/** Records a check, as the watcher does after a run. */
async function noted(scheduleId: string, minute: number, before: number, after: number) {
  const { body: run } = await app.post(`/api/v1/schedules/${scheduleId}/run`, { key })
  const change = {
    key: "lamp",
    name: "Lamp <Ø> & “co”",
    url: "https://shop.example/lamp?a=1&b=2",
    image: "https://shop.example/lamp.jpg",
    condition: "dropped",
    before,
    after,
    sentence: `price of Lamp fell from ${before} to ${after}.`,
  }
  const point = {
    schedule_id: scheduleId,
    key: "lamp",
    name: change.name,
    url: change.url,
    reading: JSON.stringify({ sides: { value: after }, unit: "EUR" }),
    holding: "[]",
    seen_at: new Date().toISOString(),
    changed_at: at(minute),
    change: change.sentence,
    history: JSON.stringify([
      [at(minute - 1), before],
      [at(minute), after],
    ]),
  }
  await app.store.write("monitors.note", {
    runId: run.id,
    scheduleId,
    points: [point],
    changes: [change],
    at: at(minute),
  })
  return run.id
}

test("each change is stored, listed with its values, and in a feed that a link opens", async () => {
  const id = await monitor("Lamps")
  await noted(id, 2, 30, 25)
  const run = await noted(id, 4, 25, 20)
  const changes = await app.get(`/api/v1/monitors/${id}/changes?limit=1`, { key })
  expect(changes.body.items).toEqual([
    {
      at: at(4),
      name: "Lamp <Ø> & “co”",
      url: "https://shop.example/lamp?a=1&b=2",
      image: "https://shop.example/lamp.jpg",
      condition: "dropped",
      before: 25,
      after: 20,
      sentence: "price of Lamp fell from 25 to 20.",
      runId: run,
    },
  ])
  const { body: link } = await app.post(`/api/v1/monitors/${id}/links`, { key })
  const { pathname, search } = new URL(link.url)
  const atom = await app.get(pathname + search)
  expect(atom.headers.get("content-type")).toBe("application/atom+xml;charset=utf-8")
  expect(atom.text.match(/<entry>/g)).toHaveLength(2)
  expect(atom.text).toContain("<title>Lamp &lt;Ø&gt; &amp; “co”</title>")
  expect(atom.text).toContain('<link href="https://shop.example/lamp?a=1&amp;b=2"/>')
  expect(atom.text).not.toContain(search)
  const rss = await app.get(`${pathname + search}&format=rss`)
  expect(rss.text).toContain("<pubDate>Sun, 01 Mar 2026 10:04:00 GMT</pubDate>")
  const json = await app.get(`${pathname + search}&format=json`)
  expect(JSON.parse(json.text).items[0]).toMatchObject({
    content_text: "price of Lamp fell from 25 to 20.",
    image: "https://shop.example/lamp.jpg",
    _trawl: { before: 25, after: 20 },
  })
  const other = await monitor("Other")
  expect((await app.get(`/api/v1/monitors/${other}/feed${search}`)).status).toBe(404)
  expect((await app.get(`/api/v1/monitors/${id}/feed`)).status).toBe(401)
  expect((await app.get(`/api/v1/monitors/${id}/feed?format=rss`, { key })).status).toBe(200)
  const revoked = await app.call("DELETE", `/api/v1/monitors/${id}/links/${link.id}`, { key })
  expect(revoked.status).toBe(204)
  expect((await app.get(pathname + search)).status).toBe(404)
})

test("the values of a monitor are a file with a row for each check", async () => {
  const id = await monitor("Prices of lamps")
  await noted(id, 2, 30, 25)
  const { text, headers } = await app.get(`/api/v1/monitors/${id}/history`, { key })
  expect(headers.get("content-disposition")).toBe(
    'attachment; filename="Prices-of-lamps-history.csv"',
  )
  expect(text.split("\r\n")).toEqual([
    "\ufeffat,name,url,value,unit",
    `${at(1)},Lamp <Ø> & “co”,https://shop.example/lamp?a=1&b=2,30,EUR`,
    `${at(2)},Lamp <Ø> & “co”,https://shop.example/lamp?a=1&b=2,25,EUR`,
    "",
  ])
  const lines = await app.get(`/api/v1/monitors/${id}/history?format=jsonl`, { key })
  expect(JSON.parse(lines.text.split("\n")[1]!)).toMatchObject({ value: 25, unit: "EUR" })
})

test("schedules with a tag are listed, paused, resumed and checked together", async () => {
  const first = await monitor("First", [" Shops ", "shops", "100%_a"])
  const second = await monitor("Second", ["shops"])
  const third = await monitor("Third", ["100xxa"])
  const listed = async (tag: string) => {
    const { body } = await app.get(`/api/v1/monitors?tag=${encodeURIComponent(tag)}`, { key })
    return body.items.map(({ id }: { id: string }) => id).sort()
  }
  expect(await listed("SHOPS")).toEqual([first, second].sort())
  expect(await listed("100%_a")).toEqual([first])
  const group = (action: string, tag = "shops") =>
    app.post("/api/v1/monitors/group", { key, body: { tag, action } })
  expect((await group("resume")).body.items).toHaveLength(2)
  const enabled = async (id: string) =>
    (await app.get(`/api/v1/schedules/${id}`, { key })).body.enabled
  expect([await enabled(first), await enabled(second), await enabled(third)]).toEqual([
    true,
    true,
    false,
  ])
  await group("pause")
  expect(await enabled(first)).toBe(false)
  const { body: checked } = await group("check")
  for (const { id, runId } of checked.items) {
    const { body } = await app.get(`/api/v1/schedules/${id}`, { key })
    expect(body.recentRuns[0].runId).toBe(runId)
  }
  expect((await group("check", "nothing")).status).toBe(404)
  const changed = await app.call("PATCH", `/api/v1/schedules/${third}`, {
    key,
    body: { tags: ["Shops"] },
  })
  expect(changed.body.tags).toEqual(["shops"])
})
