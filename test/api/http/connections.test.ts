import { describe, expect, test } from "bun:test"
import { readText } from "../../../src/api/http/body.ts"
import { CallsInProgress } from "../../../src/api/http/calls-in-progress.ts"
import { root, TestApp } from "../app.ts"

/** A service behind a proxy, so that a test can send requests from any IP address. */
const proxied = { trustProxy: ["127.0.0.1"], freeDaily: 3 }
const from = (address: string) => ({ headers: { "x-forwarded-for": address } })

describe("a connection", () => {
  test("is held for its body no longer than the time limit", async () => {
    for (const headers of [{ "content-length": "10" }, {}] as Record<string, string>[]) {
      const body = new ReadableStream({
        start: (control) => control.enqueue(new TextEncoder().encode("{")),
      })
      const request = new Request(root, { method: "POST", body, headers })
      const refusal = await readText(request, 50).catch((error) => error)
      expect(refusal).toMatchObject({ status: 408, headers: { connection: "close" } })
    }
  })

  test("that is closed during its body is not a failure of the service", async () => {
    const body = new ReadableStream({
      start: (control) =>
        control.error(new DOMException("The connection was closed.", "AbortError")),
    })
    const broken = new Request(root, { method: "POST", body })
    expect(await readText(broken).catch((error) => error)).toMatchObject({ status: 400 })
  })

  test("is limited per IP address without a key", async () => {
    const app = await TestApp.open({ ...proxied, keylessWait: 20, freeDaily: 1000 })
    const { key } = await app.account()
    const waiting = Array.from({ length: 256 }, (_, at) =>
      app.get(`/api/scrape/words-scraper?words=slow&words=${at}`, from("192.0.2.1")),
    )
    const next = await app.get("/api/scrape/words-scraper", from("192.0.2.1"))
    expect(next.status).toBe(429)
    expect(next.headers.get("connection")).toBe("close")
    expect(next.headers.get("retry-after")).toBe("5")
    expect((await app.get("/healthz", from("192.0.2.1"))).status).toBe(200)
    const paying = await app.get("/api/v1/me", { key, ...from("192.0.2.1") })
    expect(paying.status).toBe(200)
    const elsewhere = await app.get("/api/scrape/words-scraper", from("192.0.2.2"))
    expect(elsewhere.body.status).toBe("USAGE")
    app.gate.release()
    await Promise.all(waiting)
    expect((await app.get("/api/scrape/words-scraper", from("192.0.2.1"))).status).toBe(200)
    // With a key, connections count toward the account's own limits.
    app.gate.reset()
    const run = "/api/v1/scrapers/words-scraper/runs?waitForFinish=20"
    const started = await app.post(run.replace("20", "0"), { key, body: { words: ["slow"] } })
    const watching: Promise<Response>[] = []
    for (let watcher = 0; watcher < 300; watcher++) {
      const events = `/api/v1/runs/${started.body.id}/events`
      watching.push(app.raw("GET", events, { key, ...from("192.0.2.1") }))
      await Bun.sleep(0)
    }
    for (const response of await Promise.all(watching)) {
      expect(response.status).toBe(200)
      await response.body?.cancel()
    }
    await app.close()
  })

  test("is counted down once", () => {
    const calls = new CallsInProgress(1)
    const [one, other] = [new Request(root), new Request(root)]
    expect([calls.enter(one, "a"), calls.enter(other, "a")]).toEqual([true, false])
    calls.leave(one)
    calls.leave(one)
    calls.leave(other)
    const [third, fourth] = [new Request(root), new Request(root)]
    expect([calls.enter(third, "a"), calls.enter(fourth, "a")]).toEqual([true, false])
  })
})
