import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test"
import { type Head, longResponse } from "../../../src/api/http/long-response.ts"
import { forwarded, type Nginx, nginxAdvice, nginxPath, startNginx } from "../../nginx.ts"
import { TestApp } from "../app.ts"

let app: TestApp
let key: string
let root: string
beforeAll(async () => {
  app = await TestApp.open({ trustProxy: ["127.0.0.1"] })
  key = (await app.account()).key
  app.app.listen({ port: 0, hostname: "127.0.0.1", idleTimeout: 120 })
  root = `http://127.0.0.1:${app.app.server!.port}`
})
afterAll(async () => {
  await app.app.server!.stop(true)
  await app.close()
})
afterEach(() => {
  app.gate.release()
  app.gate.reset()
  app.service.beatMs = 15_000
})

const runs = "/api/v1/scrapers/words-scraper/runs"

function start(at: string, words: string[], headers: Record<string, string> = {}, wait = 60) {
  return fetch(`${at}${runs}?waitForFinish=${wait}`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json", ...headers },
    body: JSON.stringify({ words }),
  })
}

describe("a long wait", () => {
  test("sends the headers early and white space before the body", async () => {
    app.service.beatMs = 30
    const response = await start(root, ["slow"])
    // The headers arrive while the run still continues.
    expect(response.status).toBe(201)
    expect(response.headers.get("content-type")).toStartWith("application/json")
    expect(response.headers.get("x-accel-buffering")).toBe("no")
    expect(response.headers.get("x-request-id")).toBeString()
    const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader()
    let text = ""
    while (text.length < 3) text += (await reader.read()).value
    expect(text).toMatch(/^ +$/)
    app.gate.release()
    for (let part = await reader.read(); !part.done; part = await reader.read()) text += part.value
    expect(JSON.parse(text)).toMatchObject({ status: "succeeded", itemCount: 1 })
  })

  test("answers at once if the run ends before the first interval", async () => {
    const response = await start(root, ["one"])
    expect(response.headers.has("content-length")).toBe(true)
    expect(await response.text()).toStartWith('{"')
  })

  test("reports a failed run in the body, like every run", async () => {
    app.service.beatMs = 30
    const response = await start(root, ["slow", "missing"])
    expect(response.status).toBe(201)
    app.gate.release()
    expect(await response.json()).toMatchObject({ status: "succeeded", errorCount: 1 })
    const refused = await start(root, ["refused"])
    expect([refused.status, (await refused.json()).error.status]).toEqual([400, 400])
  })

  test("a refused call keeps its status, however short the interval", async () => {
    app.service.beatMs = 0
    const { key: poor } = await app.account({ credits: 0 })
    const refused = await start(root, ["one"], { authorization: `Bearer ${poor}` })
    expect([refused.status, (await refused.json()).error.status]).toEqual([402, 402])
  })

  test("a repeated call waits and is answered alike", async () => {
    app.service.beatMs = 30
    const once = { "idempotency-key": "long wait" }
    const first = await start(root, ["slow", "twice"], once)
    const second = await start(root, ["slow", "twice"], once)
    expect([first.status, second.status]).toEqual([201, 201])
    expect(second.headers.get("idempotent-replayed")).toBe("true")
    app.gate.release()
    expect(await second.json()).toEqual(await first.json())
  })

  test("GET of a run waits alike", async () => {
    app.service.beatMs = 30
    const { id } = await (await start(root, ["slow"], {}, 0)).json()
    const response = await fetch(`${root}/api/v1/runs/${id}?waitForFinish=60`, {
      headers: { authorization: `Bearer ${key}` },
    })
    expect(response.status).toBe(200)
    app.gate.release()
    const text = await response.text()
    expect(text).toStartWith(" ")
    expect(JSON.parse(text)).toMatchObject({ id, status: "succeeded" })
  })

  test("ends if the caller disconnects", async () => {
    app.service.beatMs = 30
    const leaving = new AbortController()
    const response = await fetch(`${root}${runs}?waitForFinish=60`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify({ words: ["slow"] }),
      signal: leaving.signal,
    })
    leaving.abort()
    expect(await response.text().catch((error) => error.name)).toBe("AbortError")
    expect((await fetch(`${root}/healthz`)).status).toBe(200)
  })
})

describe("a failure after the headers", () => {
  async function served(work: (begin: (head: Head) => void) => Promise<Response>) {
    const troubles: unknown[] = []
    const server = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      fetch: () => longResponse(5, work, (error) => troubles.push(error)),
      error: () => new Response("", { status: 500 }),
    })
    try {
      const response = await fetch(server.url)
      const text = await response.text().catch(() => "broken off")
      return { status: response.status, text, troubles }
    } finally {
      server.stop(true)
    }
  }

  test("closes the connection, and is logged for the operator", async () => {
    const { status, text, troubles } = await served(async (begin) => {
      begin({ status: 201 })
      await Bun.sleep(500)
      throw new Error("the disk has failed")
    })
    expect([status, text]).toEqual([201, "broken off"])
    expect(troubles).toEqual([new Error("the disk has failed")])
  })

  test("sends nothing before the status is known", async () => {
    const { status, text, troubles } = await served(async () => {
      await Bun.sleep(50)
      throw new Error("no credits")
    })
    expect([status, text, troubles]).toEqual([500, "", []])
  })
})

if (!nginxPath) console.error(nginxAdvice)
describe.skipIf(!nginxPath)("behind nginx", () => {
  let nginx: Nginx
  beforeAll(async () => {
    const locations = `location / { proxy_pass ${root}; proxy_read_timeout 3s; ${forwarded} }`
    nginx = await startNginx({ locations })
  })
  afterAll(() => nginx.stop())

  test("a wait longer than nginx's timeout ends well", async () => {
    app.service.beatMs = 100
    const waiting = start(`http://127.0.0.1:${nginx.port}`, ["slow"])
    await Bun.sleep(4000)
    app.gate.release()
    const response = await waiting
    expect(response.status).toBe(201)
    expect(await response.json()).toMatchObject({ status: "succeeded" })
  })

  test("without white space nginx times out", async () => {
    const response = await start(`http://127.0.0.1:${nginx.port}`, ["slow"])
    expect(response.status).toBe(504)
  })
})
