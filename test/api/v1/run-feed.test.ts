import { afterAll, beforeAll, expect, test } from "bun:test"
import { RunFeeds } from "../../../src/api/v1/run-feed.ts"
import { type Db, kyselyOn, kyselyOver, openSqlite } from "../../../src/store/db/database.ts"
import { openPostgres } from "../../../src/store/db/postgres/client.ts"
import { TestApp } from "../app.ts"

let app: TestApp
let key: string
beforeAll(async () => {
  app = await TestApp.open()
  key = (await app.account()).key
})
afterAll(() => app.close())

/** Reads over a separate connection, and reports each query. */
function countingDb(onQuery: () => void): Db {
  const { database, isShared } = app.store
  if (isShared) {
    const client = openPostgres(database, 1)
    const unsafe: typeof client.unsafe = (...query) => {
      onQuery()
      return client.unsafe(...query)
    }
    return kyselyOn({ unsafe, close: (options) => client.close(options) })
  }
  const sqlite = openSqlite(database, "read")
  const query = sqlite.query.bind(sqlite)
  sqlite.query = ((sql: string) => {
    onQuery()
    return query(sql)
  }) as typeof sqlite.query
  return kyselyOver(sqlite)
}

/** Returns feeds over a connection that counts its queries. */
function countedFeeds() {
  const counted = { queries: 0, happen: () => {} }
  const feeds = new RunFeeds(
    countingDb(() => counted.queries++),
    {
      subscribe(_, listener) {
        counted.happen = () => listener(undefined as never)
        return () => {}
      },
    },
  )
  return { feeds, counted }
}

test("a run is read once for all its listeners, and not at all while nothing happens", async () => {
  const run = await app.run(key, ["chatty"])
  const { feeds, counted } = countedFeeds()
  const signal = new AbortController().signal
  const members = Array.from({ length: 200 }, () => feeds.join(run.id))
  let reported = 0
  const listening = members.map(async ({ feed }) => {
    for (let after = 0, turn = 0; turn < 3; turn++) {
      const since = feed.now
      const { lines } = await feed.look(after)
      after = lines.at(-1)?.id ?? after
      reported++
      await feed.change(since, 60_000, signal)
    }
  })
  for (let turn = 1; turn <= 3; turn++) {
    while (reported < turn * 200) await Bun.sleep(5)
    await Bun.sleep(30)
    // The run and its log.
    expect(counted.queries).toBe(2 * turn)
    counted.happen()
  }
  await Promise.all(listening)
  for (const { leave } of members) leave()
  await feeds.left(60_000)
})

test("a change between a read and the wait for it is not missed", async () => {
  const run = await app.run(key, ["a"])
  const { feeds, counted } = countedFeeds()
  const { feed, leave } = feeds.join(run.id)
  const since = feed.now
  const before = feed.look(0)
  counted.happen()
  await feed.change(since, 60_000, new AbortController().signal)
  expect(feed.look(0)).not.toBe(before)
  leave()
})

test("streams announce the end of the service, with the time to reconnect", async () => {
  const own = await TestApp.open()
  const account = await own.account()
  const { body: run } = await own.post("/api/v1/scrapers/words-scraper/runs", {
    key: account.key,
    body: { words: ["slow"] },
  })
  const response = await own.raw("GET", `/api/v1/runs/${run.id}/events`, { key: account.key })
  const text = response.text()
  await Bun.sleep(300)
  own.service.ending.abort()
  expect(await text).toEndWith("\n\nretry: 3000\nevent: stopping\ndata: {}\n\n")
  await own.service.feeds.left(60_000)
  await own.close()
})
