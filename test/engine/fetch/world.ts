import { Type } from "@sinclair/typebox"
import {
  type Access,
  type Context,
  defineScraper,
  inputObject,
  itemObject,
  type Outcome,
} from "../../../src/catalogue/kit/index.ts"
import { replayClock } from "../../../src/engine/environment/clock.ts"
import type { Environment } from "../../../src/engine/environment/environment.ts"
import { WayMemory } from "../../../src/engine/fetch/way-memory.ts"
import { HttpAnswer } from "../../../src/engine/http/answer.ts"
import { executeRun, type RunOptions } from "../../../src/engine/run/execute.ts"
import { MemoryJournal } from "../../../src/engine/run/memory-journal.ts"
import type { Answered } from "../http/wall-pages.ts"

/** An upstream as it answers one way in: with a page, or not at all. */
export type Upstream = (url: URL, via: Access) => Answered | Outcome | Promise<Answered>

/**
 * A world in which one upstream answers all, and what it was asked: "http /1". Chrome's connection is
 * there where it is asked for.
 */
export function worldOf(
  upstream: Upstream,
  { chromeNet = false, ...parts }: Partial<Environment> & { chromeNet?: boolean } = {},
) {
  const asked: string[] = []
  const clock = replayClock(0)
  const wire = async (address: string, via: Access) => {
    const url = new URL(address)
    asked.push(`${via} ${url.pathname}`)
    const answered = await upstream(url, via)
    if (answered instanceof Error) throw answered
    const { status = 200, headers = {}, html = "" } = answered
    const type = html.startsWith("{") ? "application/json" : "text/html"
    const typed: Record<string, string> = html === "" ? {} : { "content-type": type }
    const bytes = new TextEncoder().encode(html)
    return { status, headers: new Headers({ ...typed, ...headers }), bytes, via, firstByte: null }
  }
  const environment: Environment = {
    clock,
    http: { send: async ({ url }) => wire(url, "http") },
    unlocker: { send: async ({ url }) => wire(url, "unlocker") },
    browser: {
      ...(chromeNet ? { fetch: (_lease, { url }) => wire(url, "chrome-net") } : {}),
      lease: (_lease, steps) =>
        steps({
          goto: async (url: string, options: unknown) => {
            // Chrome's thread is given them.
            structuredClone(options)
            const answer = new HttpAnswer({
              ...(await wire(url, "browser")),
              url,
              requestedUrl: url,
            })
            return Object.assign(answer, { captured: [] })
          },
          // Its pages stay as they are.
          next: (timeoutMs: number) => Bun.sleep(timeoutMs).then(() => null),
        } as never),
    },
    ways: new WayMemory(clock.now),
    dns: () => Promise.reject(new Error("no")),
    tls: () => Promise.reject(new Error("no")),
    env: {},
    sequential: true,
    ...parts,
  }
  return { environment, asked, clock }
}

type Scrape = (target: string, ctx: Context) => AsyncIterable<{ via: string }>

export const ways: readonly Access[] = ["http", "browser", "unlocker"]

/** Runs a scraper made of one function; what it gave, what counted, and what the upstream was asked. */
export async function scraped(
  world: ReturnType<typeof worldOf>,
  scrape: Scrape,
  {
    access = ways,
    targets = ["a"],
    ...options
  }: Partial<RunOptions> & {
    access?: readonly Access[]
    targets?: string[]
  } = {},
) {
  world.asked.length = 0
  const log: string[] = []
  const counted = { pages: 0, unlockerPages: 0 }
  const journal = new MemoryJournal(targets, ({ message }) => log.push(message))
  const { finish } = journal
  journal.finish = (seq, result) => {
    counted.pages += result.pages
    counted.unlockerPages += result.unlockerPages
    return finish.call(journal, seq, result)
  }
  const scraper = defineScraper({
    slug: "escalating-scraper",
    name: "Escalating",
    tagline: "Escalates page by page",
    category: "web",
    tier: "free",
    access,
    input: inputObject({ urls: Type.Array(Type.String()) }),
    item: itemObject({ via: Type.String() }),
    example: { urls: ["a"] },
    targets: (input) => input.urls,
    scrape,
  })
  await executeRun({
    scraper,
    input: { urls: targets },
    journal,
    environment: world.environment,
    signal: new AbortController().signal,
    ...options,
  })
  const items: Record<string, unknown>[] = []
  for await (const item of journal.items()) items.push(item)
  const via = items.flatMap((item) => (item.via === undefined ? [] : [item.via]))
  const errors = items.flatMap((item) =>
    item.error ? [item.error as { code: string; message: string }] : [],
  )
  return { via, errors, log, asked: [...world.asked], ...counted }
}
