import { afterAll, beforeAll, expect, test } from "bun:test"
import type { Server } from "bun"
import { TestApp } from "../app.ts"

let app: TestApp
let server: Server<undefined>
beforeAll(async () => {
  app = await TestApp.open({ freeDaily: 5, keylessWait: 60 })
  server = Bun.serve({ port: 0, fetch: (request) => app.app.handle(request) })
})
afterAll(async () => {
  await server.stop(true)
  await app.close()
})

/** Sends bytes on one connection and resolves with the response when the connection closes. */
async function exchange(requests: string): Promise<string> {
  const closed = Promise.withResolvers<string>()
  let received = ""
  const socket = await Bun.connect({
    hostname: "127.0.0.1",
    port: server.port!,
    socket: {
      data: (_, bytes) => {
        received += bytes
      },
      close: () => closed.resolve(received),
    },
  })
  socket.write(requests)
  return closed.promise
}

const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: trawl.test\r\n\r\n`

const freeCalls = async () => (await app.get("/api/scrape/words-scraper")).body.free.used

test("a pipelined call whose response cannot be delivered is not charged, and its run ends", async () => {
  const scrape = get("/api/scrape/words-scraper?words=slow")
  expect(await exchange(scrape + get("/healthz"))).toBe("")
  // The call may have been charged before the connection closed; then it is refunded.
  while ((await freeCalls()) > 0) await Bun.sleep(20)
  const active = await app.direct((db) =>
    db.selectFrom("runs").select("status").where("status", "in", ["queued", "running"]).execute(),
  )
  expect(active).toEqual([])
})

test("a client that disconnects during its scrape is not charged, and its run ends", async () => {
  const closed = new AbortController()
  const url = `http://127.0.0.1:${server.port}/api/scrape/words-scraper?words=slow&words=second`
  const call = fetch(url, { signal: closed.signal }).catch((error) => error)
  const runs = () => app.direct((db) => db.selectFrom("runs").select("status").execute())
  const before = (await runs()).length
  while ((await runs()).length === before || (await freeCalls()) === 0) await Bun.sleep(20)
  closed.abort()
  await call
  while ((await freeCalls()) > 0) await Bun.sleep(20)
  expect((await runs()).at(-1)?.status).toBe("aborted")
})
