import { expect, test } from "bun:test"
import { Type } from "@sinclair/typebox"
import { replayClock } from "../../../../src/base/clock.ts"
import { defineScraper, inputObject, itemObject } from "../../../../src/catalogue/kit/index.ts"
import { executeRun } from "../../../../src/engine/runtime/run/execute.ts"
import { MemoryCheckpoints } from "../../../../src/engine/runtime/run/memory-checkpoints.ts"

const scraper = defineScraper({
  slug: "parts-scraper",
  name: "Parts",
  tagline: "Gives what it is asked for",
  category: "web",
  tier: "free",
  input: inputObject({ urls: Type.Array(Type.String()) }),
  item: itemObject({ partial: Type.Boolean() }),
  example: { urls: ["https://a.test/"] },
  targets: (input) => input.urls,
  async *scrape(url, ctx) {
    await ctx.get(url)
    for (const word of new URL(url).pathname.slice(1).split("-"))
      yield { partial: word === "partial" }
  },
})

async function pagesOf(path: string): Promise<number> {
  const urls = [`https://a.test/${path}`]
  const checkpoint = new MemoryCheckpoints(urls)
  const charged: number[] = []
  const finish = checkpoint.finish.bind(checkpoint)
  checkpoint.finish = (seq, result) => {
    charged.push(result.pages)
    return finish(seq, result)
  }
  await executeRun({
    scraper,
    input: { urls },
    environment: {
      clock: replayClock(0),
      http: {
        send: async () => ({
          status: 200,
          headers: new Headers(),
          bytes: new Uint8Array(),
          via: "http" as const,
          firstByte: null,
        }),
      },
      dns: () => Promise.reject(new Error("no")),
      tls: () => Promise.reject(new Error("no")),
      env: {},
    },
    checkpoint,
    signal: new AbortController().signal,
  })
  return charged.reduce((sum, pages) => sum + pages, 0)
}

test("a target with a part of its items is not charged", async () => {
  expect(await pagesOf("partial")).toBe(0)
  expect(await pagesOf("partial-partial")).toBe(0)
  expect(await pagesOf("whole")).toBe(1)
  expect(await pagesOf("partial-whole")).toBe(1)
})
