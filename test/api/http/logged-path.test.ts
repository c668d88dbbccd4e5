import { describe, expect, test } from "bun:test"
import { TestApp } from "../app.ts"

describe("the log", () => {
  const key = "trawl_live_r25u4207e70agqp26lux9k34bqmqg35"
  const spellings = [
    `/api/scrape?url=a&token=${key}`,
    `/api/scrape?url=a&%74oken=${key}`,
    `/api/scrape?url=a&%74%6F%6b%65%6e=${key}`,
    `/api/scrape?url=a&TOKEN=${key}`,
    `/api/scrape?input=${encodeURIComponent(JSON.stringify({ token: key }))}`,
    `/api/scrape?%69nput=${encodeURIComponent(JSON.stringify({ token: key }))}`,
    `/api/scrape?url=${encodeURIComponent(`https://x.test/?token=${key}`)}`,
    `/api/scrape?url=${encodeURIComponent(encodeURIComponent(`https://x.test/?t=${key}`))}`,
    `/api/scrape?url=a&key=${key.replaceAll("_", "%5F").replace("t", "%74")}`,
    `/api/scrape?${key}`,
    `/api/scrape/${key}?url=a`,
    `/api/scrape/${key.replace("trawl", "%74rawl")}`,
    `/api/v1?token=${key}`,
    `/${key}`,
    `/signup?claim=${key}`,
    `/signup?cl%61im=${key.slice(11)}`,
    `/api/results/${key.slice(11)}`,
    `/api/agent/claim/${key.slice(11)}`,
  ]
  const secret = key.slice(11)
  for (const path of spellings) {
    test(`does not contain ${path.replaceAll(secret, "KEY").slice(0, 90)}`, async () => {
      const app = await TestApp.open()
      await app.get(path)
      const log = app.logged.join("\n")
      expect(log).toContain('"call"')
      expect(log).not.toContain(secret)
      expect(decodeURIComponent(log.replaceAll(/%(?![0-9a-f]{2})/gi, ""))).not.toContain(secret)
      await app.close()
    })
  }

  test("contains what was requested", async () => {
    const app = await TestApp.open()
    await app.get("/api/scrape/words-scraper?words=a%20b&times=2")
    expect(app.logged.join("")).toContain("/api/scrape/words-scraper?words=a%20b&times=2")
    await app.close()
  })
})
