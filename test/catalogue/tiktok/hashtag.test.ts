import { expect, test } from "bun:test"
import scraper from "../../../src/catalogue/tiktok/tiktok-hashtag-scraper.ts"
import type { Browser, Environment } from "../../../src/engine/fetch/environment.ts"
import { readCase } from "../../../src/engine/fetch/replay/case.ts"
import { replayEnvironment } from "../../../src/engine/fetch/replay/environment.ts"
import { executeRun } from "../../../src/engine/runtime/run/execute.ts"
import { MemoryCheckpoints } from "../../../src/engine/runtime/run/memory-checkpoints.ts"
import { ownCases } from "../../corpus-run.ts"

const whole = readCase(`${ownCases}/tiktok-hashtag-scraper/state-and-list`)
const exchanges = whole.exchanges.filter(({ url }) => !url.includes("/item_list/"))
const plain = replayEnvironment({ ...whole, exchanges })

async function itemsOf(environment: Environment) {
  const checkpoint = new MemoryCheckpoints(["#ClayBowl"])
  const signal = new AbortController().signal
  await executeRun({ scraper, input: { maxVideos: 5 }, checkpoint, environment, signal })
  const items: Record<string, unknown>[] = []
  for await (const item of checkpoint.items()) items.push(item)
  return items.map((item) => item.type ?? (item.error as { code: string }).code)
}

test("a list that is withheld from Chrome is requested through the unlocker", async () => {
  const unlocked = replayEnvironment(whole)
  const browser: Browser = {
    lease: (lease, steps) => (lease.unlocker ? unlocked : plain).browser!.lease(lease, steps),
  }
  const items = await itemsOf({ ...plain, browser, unlocker: unlocked.http })
  expect(items).toContain("video")
  expect(items).not.toContain("blocked")
})

test("without another fetch method, the known fields come with the error", async () => {
  expect(await itemsOf(plain)).toEqual(["hashtag", "blocked"])
})
