import { replayClock } from "../../src/base/clock.ts"
import { scraperBySlug } from "../../src/catalogue/index.ts"
import { Blocked, checkInput, type FetchMethod, Timeout } from "../../src/catalogue/kit/index.ts"
import type { Environment, LeasedTab } from "../../src/engine/fetch/environment.ts"
import type { WireRequest } from "../../src/engine/net/http/exchange.ts"
import { executeRun } from "../../src/engine/runtime/run/execute.ts"
import { MemoryCheckpoints } from "../../src/engine/runtime/run/memory-checkpoints.ts"

export interface Sent {
  via: FetchMethod
  method: string
  url: string
  host: string
  path: string
  headers: Headers
  body: string
}

export type Reply =
  | { status?: number; type?: string; text?: string; headers?: Record<string, string> }
  | "stall"

export interface World {
  env?: Record<string, string>
  hasChrome?: boolean
  onlyMethod?: FetchMethod
  /** Number of the example's targets. Default: 1. */
  targets?: number
}

export interface Run {
  sent: Sent[]
  items: Record<string, unknown>[]
  error: { code: string; message: string } | null
  /** Warnings of the run's log. */
  warnings: string[]
}

const bodyOf = ({ body }: WireRequest) =>
  body === undefined || body === null
    ? ""
    : typeof body === "string"
      ? body
      : new TextDecoder().decode(body as Uint8Array)

/**
 * Runs a scraper's example with a site that responds with `reply`, and returns all requests. Pages
 * in Chrome are requests too; each of them is a challenge.
 */
export async function runAgainst(
  slug: string,
  reply: (request: Sent) => Reply,
  { env = {}, hasChrome = true, onlyMethod, targets = 1 }: World = {},
): Promise<Run> {
  const sent: Sent[] = []
  const noted = (via: FetchMethod, method: string, url: string, headers: Headers, body: string) => {
    const { host, pathname: path } = new URL(url)
    const request: Sent = { via, method, url, host, path, headers, body }
    sent.push(request)
    return request
  }
  const wire = (via: FetchMethod) => async (request: WireRequest) => {
    const { method, url, headers } = request
    const answer = reply(noted(via, method, url, headers, bodyOf(request)))
    if (answer === "stall") throw new Timeout(`${url} does not respond.`, { url })
    const { status = 200, type = "text/html", text = "" } = answer
    return {
      status,
      headers: new Headers({ "content-type": type, ...answer.headers }),
      bytes: new TextEncoder().encode(text),
      via,
      firstByte: null,
    }
  }
  const tab = {
    async goto(url: string) {
      noted("browser", "GET", url, new Headers(), "")
      throw new Blocked("A challenge in Chrome.", null, { url })
    },
  } as unknown as LeasedTab
  const environment: Environment = {
    clock: replayClock(Date.parse("2026-11-01T00:00:00Z")),
    http: { send: wire("http") },
    ...(hasChrome && {
      browser: {
        lease: (_lease, steps) => steps(tab),
        fetch: (_lease, request) => wire("browser-http")(request),
      },
    }),
    chromeHeaders: () => ({
      navigation: { "user-agent": "Chrome" },
      call: { "user-agent": "Chrome" },
    }),
    dns: () => Promise.reject(new Error("no")),
    tls: () => Promise.reject(new Error("no")),
    env,
    keylessSecrets: ["all"],
    ...(onlyMethod && { onlyMethod }),
  }
  const scraper = scraperBySlug(slug)!
  const checked = checkInput(scraper.input, scraper.example)
  if (!checked.ok) throw new Error("The example is not valid.")
  const { input } = checked
  const warnings: string[] = []
  const checkpoint = new MemoryCheckpoints(
    scraper.targets(input as never).slice(0, targets),
    ({ level, message }) => void (level === "warning" && warnings.push(message)),
  )
  const signal = AbortSignal.timeout(30_000)
  const { error } = await executeRun({ scraper, input, checkpoint, environment, signal })
  const items: Run["items"] = []
  for await (const item of checkpoint.items()) items.push(item)
  return { sent, items, error, warnings }
}
