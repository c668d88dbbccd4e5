import { afterAll, beforeAll, expect, spyOn, test } from "bun:test"
import { GroupWriter } from "../../../src/store/writer/group-writer.ts"
import { TestApp } from "../app.ts"

let app: TestApp
beforeAll(async () => {
  app = await TestApp.open()
})
afterAll(() => app.close())

/** Records the durable and the soft commands that are written until a request is answered. */
async function writtenBy(call: () => Promise<{ status: number }>) {
  const written = { durable: [] as string[], soft: [] as string[] }
  const spy = spyOn(GroupWriter.prototype, "write")
  try {
    expect((await call()).status).toBeLessThan(300)
    for (const [command, args] of spy.mock.calls) {
      const isSoft = (args as { soft?: boolean } | null)?.soft === true
      // The probe flushes soft changes to disk, and no request waits for it.
      if (command !== "store.probe") written[isSoft ? "soft" : "durable"].push(command)
    }
  } finally {
    spy.mockRestore()
  }
  return written
}

test("a tool call without a key does not wait for the disk, and is still counted", async () => {
  const headers = { accept: "application/json, text/event-stream", "x-trawl-agent": "agent-1" }
  const params = { name: "words-scraper", arguments: { words: ["soft"] } }
  const body = { jsonrpc: "2.0", id: 1, method: "tools/call", params }
  const written = await writtenBy(() => app.post("/api/mcp", { headers, body }))
  expect(written.durable).toEqual([])
  // One change takes the call from the quota, stores the run and claims it.
  expect(written.soft).toContain("runs.start")
  expect(written.soft).not.toContain("freeQuota.spend")
  expect(written.soft).toContain("targets.commit")
  expect(written.soft).toContain("runs.finish")
  const { body: usage } = await app.get("/api/scrape/words-scraper?words=softer", { headers })
  expect(usage.free.used).toBe(2)
})

test("a run of an account is durable from its first change to its last", async () => {
  const { key } = await app.account()
  const written = await writtenBy(() =>
    app.post("/api/v1/scrapers/words-scraper/runs?waitForFinish=300", {
      key,
      body: { words: ["kept"] },
    }),
  )
  expect(written.soft).toEqual([])
  expect(written.durable).toContain("runs.start")
  expect(written.durable).toContain("runs.finish")
})
