import { expect, test } from "bun:test"
import { Type } from "@sinclair/typebox"
import { replayClock } from "../../../../src/base/clock.ts"
import {
  type Context,
  defineScraper,
  inputObject,
  itemObject,
} from "../../../../src/catalogue/kit/index.ts"
import type { Environment } from "../../../../src/engine/fetch/environment.ts"
import type { Progress } from "../../../../src/engine/runtime/run/checkpoints.ts"
import { executeRun } from "../../../../src/engine/runtime/run/execute.ts"
import { MemoryCheckpoints } from "../../../../src/engine/runtime/run/memory-checkpoints.ts"

const scraper = defineScraper({
  slug: "kept-scraper",
  name: "Kept",
  tagline: "Gives an item a target",
  category: "web",
  tier: "free",
  input: inputObject({ urls: Type.Array(Type.String()) }),
  item: itemObject({ url: Type.String() }),
  example: { urls: ["a"] },
  targets: (input) => input.urls,
  async *scrape(url) {
    yield { url }
  },
})

/**
 * Checkpoints that cannot store a target, and return further ones after they have failed to store
 * the first.
 */
class BrokenCheckpoint extends MemoryCheckpoints {
  private taken = 0
  private readonly failed = Promise.withResolvers<void>()

  constructor(private readonly isSlow: boolean) {
    super(["a", "b"])
  }

  override async take() {
    if (this.taken > 0 && this.isSlow) {
      await this.failed.promise
      // Running targets have ended by then.
      await Bun.sleep(0)
    }
    return super.take(this.taken++ === 0 ? 1 : 0)
  }

  override async finish(): Promise<Progress> {
    setImmediate(() => this.failed.resolve())
    throw new Error("The attempt was given up.")
  }
}

const execute = (checkpoint: MemoryCheckpoints, by: Pick<typeof scraper, "scrape"> = scraper) =>
  executeRun({
    scraper: { ...scraper, ...by },
    input: { urls: ["a", "b"] },
    checkpoint,
    environment: { clock: replayClock(0), env: {} } as unknown as Environment,
    signal: new AbortController().signal,
  })

/** Its result may be older than the end of a running target. */
class SlowCheckpoint extends MemoryCheckpoints {
  override async take(limit: number) {
    const targets = await super.take(limit)
    await Bun.sleep(5)
    return targets
  }
}

test("a target that ends while its checkpoint looks for further ones is not the last", async () => {
  const found = ["b", "c"]
  const crawler = {
    ...scraper,
    async *scrape(url: string, ctx: Context) {
      const next = found.shift()
      if (next) await ctx.follow(next)
      yield { url }
    },
  }
  const checkpoint = new SlowCheckpoint(["a"])
  await execute(checkpoint, crawler)
  expect(checkpoint.progress()).toMatchObject({ targetsDone: 3, itemCount: 3 })
})

test("an error of its checkpoint ends a run", async () => {
  await expect(execute(new BrokenCheckpoint(false))).rejects.toThrow("given up")
})

test("also while the run waits for its next targets", async () => {
  await expect(execute(new BrokenCheckpoint(true))).rejects.toThrow("given up")
})
