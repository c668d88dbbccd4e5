import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import type { Firecrawl, Watcher } from "firecrawl"
import { DropIn } from "./compat.ts"

let here: DropIn
let client: Firecrawl
let key: string
beforeAll(async () => {
  here = await DropIn.open({ freeDaily: 1000 })
  ;({ key } = await here.app.account({ unlimited: true }))
  client = here.firecrawl(`fc-${key}`)
})
afterAll(() => here.stop())

const page = (name: string) => `https://site.test/${name}`

interface Watched {
  documents: string[]
  statuses: string[]
  done: { status: string; total?: number; completed?: number }
}

/** Returns everything that a watcher of the newer client emits until the job's end. */
async function watched(watcher: Watcher): Promise<Watched> {
  const documents: string[] = []
  const statuses: string[] = []
  const ended = Promise.withResolvers<Watched["done"]>()
  watcher.on("document", (document) => documents.push(document.metadata.sourceURL))
  watcher.on("snapshot", ({ status }) => statuses.push(status))
  watcher.on("done", (done) => ended.resolve(done))
  watcher.on("error", ({ error }) => ended.reject(new Error(error)))
  await watcher.start()
  return { documents: documents.sort(), statuses, done: await ended.promise }
}

describe("the WebSocket of a job", () => {
  test("sends the pages of a crawl and its end to the newer client", async () => {
    const { id } = await client.startCrawl(page(""), { limit: 3 })
    const { documents, statuses, done } = await watched(client.watcher(id))
    expect(documents).toEqual([page(""), page("hook"), page("rope")])
    expect(statuses[0]).toBe("scraping")
    expect(done).toMatchObject({ status: "completed", total: 3, completed: 3 })
    // A watcher of a job that has already ended gets the same.
    const again = await watched(client.watcher(id))
    expect(again.documents).toEqual(documents)
  })

  test("sends a batch, and the end of a cancelled one", async () => {
    const { id } = await client.startBatchScrape([page("rope"), page("stalls")])
    const watching = watched(client.watcher(id, { kind: "batch" }))
    while ((await client.getBatchScrapeStatus(id)).completed < 1) await Bun.sleep(50)
    await client.cancelBatchScrape(id)
    const { documents, done } = await watching
    expect(documents).toEqual([page("rope")])
    expect(done.status).toBe("cancelled")
  })

  test("sends them to the older client, which reads the end from the close frame", async () => {
    const emitted = async (start: () => Promise<EventTarget>) => {
      const documents: string[] = []
      const watcher = await start()
      const end = await new Promise<string>((resolve) => {
        watcher.addEventListener("document", (event) => {
          documents.push((event as CustomEvent).detail.metadata.sourceURL)
        })
        for (const name of ["done", "error"]) watcher.addEventListener(name, () => resolve(name))
      })
      return { documents: [...new Set(documents)].sort(), end }
    }
    const { v1 } = client
    expect(
      await emitted(() => v1.crawlUrlAndWatch(page(""), { limit: 3 }) as Promise<EventTarget>),
    ).toEqual({ documents: [page(""), page("hook"), page("rope")], end: "done" })
    expect(
      await emitted(
        () => v1.batchScrapeUrlsAndWatch([page("rope"), page("hook")], {}) as Promise<EventTarget>,
      ),
    ).toEqual({ documents: [page("hook"), page("rope")], end: "done" })
  })

  test("opens only with the account's key, and a limited number of times", async () => {
    const { id } = await client.startBatchScrape([page("stalls")])
    const { key: other } = await here.app.account()
    const url = `${here.root.replace("http", "ws")}/v2/batch/scrape/${id}`
    const opened = (protocol: string[]) => {
      const socket = new WebSocket(url, protocol)
      return new Promise<WebSocket | null>((resolve) => {
        socket.onopen = () => resolve(socket)
        socket.onerror = () => resolve(null)
      })
    }
    expect(await opened([])).toBeNull()
    expect(await opened(["fc-nope"])).toBeNull()
    expect(await opened([other])).toBeNull()
    const sockets = await Promise.all(Array.from({ length: 20 }, () => opened([key])))
    expect(sockets).not.toContain(null)
    expect(await opened([key])).toBeNull()
    sockets[0]!.close()
    let next: WebSocket | null = null
    for (let tries = 0; !next; tries++) {
      expect(tries, "tries until a closed connection is counted").toBeLessThan(300)
      await Bun.sleep(100)
      next = await opened([key])
    }
    await client.cancelBatchScrape(id)
    for (const socket of [...sockets, next]) socket?.close()
  })
})
