import { Type } from "@sinclair/typebox"
import { replayClock } from "../../../src/base/clock.ts"
import {
  type Context,
  defineScraper,
  type FetchMethod,
  inputObject,
  itemObject,
  type ScrapeError,
} from "../../../src/catalogue/kit/index.ts"
import type { Environment } from "../../../src/engine/fetch/environment.ts"
import { FetchMethodMemory } from "../../../src/engine/fetch/method-memory.ts"
import { HttpResponse } from "../../../src/engine/net/http/response.ts"
import { executeRun } from "../../../src/engine/runtime/run/execute.ts"
import { MemoryCheckpoints } from "../../../src/engine/runtime/run/memory-checkpoints.ts"
import type { RunOptions } from "../../../src/engine/runtime/run/run-options.ts"
import type { Answered } from "../net/http/challenge-pages.ts"

/** The response of a site to one fetch method: a page, or none. */
export type Upstream = (url: URL, via: FetchMethod) => Answered | ScrapeError | Promise<Answered>

/**
 * An environment in which one fake site responds to all requests, and a list of these: "http /1".
 * Chrome's network stack is available on request.
 */
export function worldOf(
  upstream: Upstream,
  { chromeNet = false, ...parts }: Partial<Environment> & { chromeNet?: boolean } = {},
) {
  const requested: string[] = []
  const clock = replayClock(0)
  const wire = async (address: string, via: FetchMethod) => {
    const url = new URL(address)
    requested.push(`${via} ${url.pathname}`)
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
      ...(chromeNet ? { fetch: (_lease, { url }) => wire(url, "browser-http") } : {}),
      lease: (_lease, steps) =>
        steps({
          goto: async (url: string, options: unknown) => {
            // Chrome's thread gets them.
            structuredClone(options)
            const response = new HttpResponse({
              ...(await wire(url, "browser")),
              url,
              requestedUrl: url,
            })
            return Object.assign(response, { captured: [] })
          },
          // Its pages do not change.
          next: (timeoutMs: number) => Bun.sleep(timeoutMs).then(() => null),
        } as never),
    },
    methods: new FetchMethodMemory(clock.now),
    dns: () => Promise.reject(new Error("no")),
    tls: () => Promise.reject(new Error("no")),
    env: {},
    sequential: true,
    ...parts,
  }
  return { environment, requested, clock }
}

type Scrape = (target: string, ctx: Context) => AsyncIterable<{ via: string }>

export const methods: readonly FetchMethod[] = ["http", "browser", "unlocker"]

/**
 * Runs a scraper made of one function. Returns its items, its counters, and the requests that the
 * site received.
 */
export async function scraped(
  world: ReturnType<typeof worldOf>,
  scrape: Scrape,
  {
    fetchMethods = methods,
    targets = ["a"],
    ...options
  }: Partial<RunOptions> & {
    fetchMethods?: readonly FetchMethod[]
    targets?: string[]
  } = {},
) {
  world.requested.length = 0
  const log: string[] = []
  const counted = { pages: 0, unlockerPages: 0 }
  const checkpoint = new MemoryCheckpoints(targets, ({ message }) => log.push(message))
  const { finish } = checkpoint
  checkpoint.finish = (seq, result) => {
    counted.pages += result.pages
    counted.unlockerPages += result.unlockerPages
    return finish.call(checkpoint, seq, result)
  }
  const scraper = defineScraper({
    slug: "escalating-scraper",
    name: "Escalating",
    tagline: "Escalates page by page",
    category: "web",
    tier: "free",
    fetchMethods,
    input: inputObject({ urls: Type.Array(Type.String()) }),
    item: itemObject({ via: Type.String() }),
    example: { urls: ["a"] },
    targets: (input) => input.urls,
    scrape,
  })
  await executeRun({
    scraper,
    input: { urls: targets },
    checkpoint,
    environment: world.environment,
    signal: new AbortController().signal,
    ...options,
  })
  const items: Record<string, unknown>[] = []
  for await (const item of checkpoint.items()) items.push(item)
  const via = items.flatMap((item) => (item.via === undefined ? [] : [item.via]))
  const errors = items.flatMap((item) =>
    item.error ? [item.error as { code: string; message: string }] : [],
  )
  return { via, errors, log, requested: [...world.requested], ...counted }
}
