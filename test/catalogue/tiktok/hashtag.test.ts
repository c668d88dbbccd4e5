import { expect, test } from "bun:test"
import scraper from "../../../src/catalogue/tiktok/tiktok-hashtag-scraper.ts"
import type { Browser, Environment } from "../../../src/engine/environment/environment.ts"
import { readCase } from "../../../src/engine/replay/case.ts"
import { replayEnvironment } from "../../../src/engine/replay/environment.ts"
import { executeRun } from "../../../src/engine/run/execute.ts"
import { MemoryJournal } from "../../../src/engine/run/memory-journal.ts"
import { ownCases } from "../../corpus-run.ts"

const whole = readCase(`${ownCases}/tiktok-hashtag-scraper/state-and-list`)
const exchanges = whole.exchanges.filter(({ url }) => !url.includes("/item_list/"))
const bare = replayEnvironment({ ...whole, exchanges })

async function itemsOf(environment: Environment) {
  const journal = new MemoryJournal(["#ClayBowl"])
  const signal = new AbortController().signal
  await executeRun({ scraper, input: { maxVideos: 5 }, journal, environment, signal })
  const items: Record<string, unknown>[] = []
  for await (const item of journal.items()) items.push(item)
  return items.map((item) => item.type ?? (item.error as { code: string }).code)
}

test("a list that is kept back from Chrome is asked for through the unlocker", async () => {
  const unlocked = replayEnvironment(whole)
  const browser: Browser = {
    lease: (lease, steps) => (lease.unlocker ? unlocked : bare).browser!.lease(lease, steps),
  }
  const items = await itemsOf({ ...bare, browser, unlocker: unlocked.http })
  expect(items).toContain("video")
  expect(items).not.toContain("blocked")
})

test("where no way is left, the facts stand beside the refusal", async () => {
  expect(await itemsOf(bare)).toEqual(["hashtag", "blocked"])
})
