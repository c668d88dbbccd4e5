import robotsParser from "robots-parser"
import type { Clock } from "../clock.ts"
import type { Transport } from "./exchange.ts"
import { serviceUserAgent } from "./identity.ts"

/** The product token by which robots.txt files name us. */
export const robotsToken = "Trawl"

const readLimit = 500 * 1024
const keepMs = 3_600_000
/** After a failure the file is asked for again sooner. */
const keepFailureMs = 300_000
const mostRedirects = 5
const longestDelay = 10
const keptOrigins = 2000

export interface RobotsRules {
  allows(url: string): boolean
  /** Seconds between requests, 10 at most; undefined where the file asks for none. */
  crawlDelay?: number
  sitemaps: string[]
  /** Why everything is refused, where the file could not be had. */
  unreachable?: string
}

interface Entry {
  rules: Promise<RobotsRules>
  known?: RobotsRules
  until: number
}

/** robots.txt of each origin by RFC 9309, asked for once and kept for an hour. */
export class Robots {
  private readonly origins = new Map<string, Entry>()

  constructor(
    private readonly transport: Transport,
    private readonly clock: Pick<Clock, "now">,
    private readonly contact?: string,
  ) {}

  rules(url: string, signal: AbortSignal): Promise<RobotsRules> {
    const { origin } = new URL(url)
    const known = this.origins.get(origin)
    if (known && known.until > this.clock.now()) return known.rules
    if (this.origins.size >= keptOrigins) this.origins.clear()
    const entry: Entry = { rules: this.fetch(origin, signal), until: this.clock.now() + keepMs }
    this.origins.set(origin, entry)
    entry.rules.then(
      (rules) => {
        entry.known = rules
        if (rules.unreachable) entry.until = this.clock.now() + keepFailureMs
      },
      () => this.origins.delete(origin),
    )
    return entry.rules
  }

  /** The Crawl-delay of an address's origin, if its file has been read. */
  knownDelay(url: string): number | undefined {
    return this.origins.get(new URL(url).origin)?.known?.crawlDelay
  }

  private async fetch(origin: string, signal: AbortSignal): Promise<RobotsRules> {
    const first = `${origin}/robots.txt`
    let url = first
    for (let hop = 0; hop <= mostRedirects; hop++) {
      const answer = await this.ask(url, signal)
      if (typeof answer === "string") return refusal(answer)
      const location = answer.headers.get("location")
      if (answer.status >= 300 && answer.status < 400 && location) {
        const next = URL.parse(location, url)
        if (!next || !/^https?:$/.test(next.protocol)) return everything()
        url = next.href
        continue
      }
      if (answer.status >= 500) return refusal(`status ${answer.status}`)
      if (answer.status >= 400) return everything()
      return parseRobots(first, new TextDecoder().decode(answer.bytes.subarray(0, readLimit)))
    }
    return everything()
  }

  private async ask(url: string, signal: AbortSignal) {
    try {
      return await this.transport.send({
        method: "GET",
        url,
        headers: new Headers({
          "user-agent": serviceUserAgent(this.contact),
          accept: "text/plain,*/*;q=0.5",
        }),
        // A longer file is read as far as this goes, not refused.
        maxBytes: 50 * 1024 * 1024,
        timeoutMs: 20_000,
        signal,
      })
    } catch (error) {
      signal.throwIfAborted()
      return error instanceof Error ? error.message : String(error)
    }
  }
}

/** Rules from the text of a file that lies at `address`. */
export function parseRobots(address: string, text: string): RobotsRules {
  const parsed = robotsParser(address, text.replace(/^\ufeff/, ""))
  const delay = parsed.getCrawlDelay(robotsToken)
  return {
    allows: (url) => parsed.isAllowed(url, robotsToken) ?? true,
    ...(delay && delay > 0 ? { crawlDelay: Math.min(delay, longestDelay) } : {}),
    sitemaps: parsed.getSitemaps(),
  }
}

function everything(): RobotsRules {
  return { allows: () => true, sitemaps: [] }
}

function refusal(reason: string): RobotsRules {
  return { allows: () => false, sitemaps: [], unreachable: reason }
}
