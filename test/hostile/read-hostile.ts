import { type AnyScraper, checkInput } from "../../src/catalogue/kit/index.ts"
import type { Environment } from "../../src/engine/fetch/environment.ts"
import { replayEnvironment } from "../../src/engine/fetch/replay/environment.ts"
import { executeRun } from "../../src/engine/runtime/run/execute.ts"
import { MemoryCheckpoints } from "../../src/engine/runtime/run/memory-checkpoints.ts"

const text = { type: "string" }
const extract = {
  schema: {
    type: "object",
    properties: {
      name: text,
      price: { type: "number" },
      startDate: { type: "string", format: "date" },
      image: { type: "string", format: "uri" },
      ingredients: { type: "array", items: text },
      address: { type: "object", properties: { city: text } },
      other: text,
      products: {
        type: "array",
        items: { type: "object", properties: { name: text, price: text, url: text } },
      },
    },
  },
}
/** Inputs in addition to the example, so that a scraper reads as much of a page as possible. */
const inputs: Record<string, Record<string, unknown>> = {
  "web-scraper": {
    extract,
    fields: [
      "title: h1",
      "[]links: a @href",
      "all: body",
      "n: div span @count",
      "last: p:last-child",
    ],
    includePageInfo: true,
  },
  "email-finder-scraper": { names: [] },
}

export interface Reading {
  cpuMs: number
  pages: number
  items: Record<string, unknown>[]
  error: { code: string; message: string } | null
}

/** Runs a scraper's example. The first requested page is `html`, and every other is missing. */
export async function readHostile(
  scraper: AnyScraper,
  html: string,
  turnMs = 60_000,
): Promise<Reading> {
  const checked = checkInput(scraper.input, {
    ...oneTarget(scraper.example),
    ...inputs[scraper.slug],
  })
  if (!checked.ok) throw new Error(`${scraper.slug}: ${JSON.stringify(checked.issues)}`)
  let pages = 0
  const environment = answering(scraper.slug, ({ url }) => {
    const isPage = pages === 0 && !/\.(?:txt|xml|ico)$/.test(new URL(url).pathname)
    if (isPage) pages++
    return isPage ? html : null
  })
  const reading = await measure(scraper, checked.input, environment, { turnMs })
  return { ...reading, pages }
}

/**
 * An environment without robots.txt and Chrome, in which every response is the given page, or 404.
 */
export function answering(
  slug: string,
  pageFor: (request: { url: string; method: string }) => string | null,
): Environment {
  const recorded = { folder: "", slug, case: "", input: {}, env: {}, expect: [], exchanges: [] }
  const { robots: _, browser: __, ...environment } = replayEnvironment(recorded)
  const http: Environment["http"] = {
    async send(request) {
      const html = pageFor(request)
      return {
        status: html === null ? 404 : 200,
        headers: new Headers({ "content-type": "text/html; charset=utf-8" }),
        bytes: new TextEncoder().encode(html ?? ""),
        via: "http",
        firstByte: null,
      }
    },
  }
  return { ...environment, http }
}

/** Runs a scraper in an environment, and returns the processor time that it took. */
export async function measure(
  scraper: AnyScraper,
  input: Record<string, unknown>,
  environment: Environment,
  { turnMs = 60_000, signal = new AbortController().signal } = {},
): Promise<Reading> {
  const checkpoint = new MemoryCheckpoints(scraper.targets(input))
  const before = process.threadCpuUsage()
  const end = await executeRun({
    scraper,
    input,
    checkpoint,
    environment,
    signal,
    sliceLimits: { sliceMs: turnMs },
    maxPages: 1,
  })
  const used = process.threadCpuUsage(before)
  const items: Record<string, unknown>[] = []
  for await (const item of checkpoint.items()) items.push(item)
  return { cpuMs: (used.user + used.system) / 1000, pages: 1, items, error: end.error }
}

/** Keeps only the first entry of each list of targets. */
function oneTarget(example: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(example).map(([name, value]) => [
      name,
      Array.isArray(value) && name !== "fields" && name !== "recordTypes"
        ? value.slice(0, 1)
        : value,
    ]),
  )
}
