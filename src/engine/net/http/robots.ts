import { BoundedMap } from "../../../base/bounded-map.ts"
import { abortable, type Clock } from "../../../base/clock.ts"
import { messageOf } from "../../../base/error-message.ts"
import { hourMs } from "../../../base/time.ts"
import type { HostMemory } from "../../runtime/shared/host-memory.ts"
import type { Transport } from "./exchange.ts"
import { serviceUserAgent } from "./identity.ts"
import type { EgressRules } from "./proxy-rules.ts"
import { parseRobots, type RobotsRules } from "./robots-rules.ts"

export type { RobotsRules }

/** The product token by which robots.txt files name us. */
const robotsToken = "Trawl"

const readLimitBytes = 500 * 1024
const timeoutMs = 20_000
const keepMs = hourMs
/** After a failure the file is asked for again sooner. */
const keepFailureMs = 300_000
const maxRedirects = 5
const storedOrigins = 2000

/** The result of a request for the file; processes exchange it as JSON. */
type RobotsResult =
  | { text: string }
  | { unreachable: string }
  /** There is none. */
  | { allowed: true }

interface Entry {
  rules: Promise<RobotsRules>
  /** The rules, once they are there. */
  known?: RobotsRules
  until: number
}

/**
 * robots.txt of each origin by RFC 9309, asked for once and kept for an hour. The file is asked for by
 * the exit of the run that needs it first, and serves all that ask from that country.
 */
export class Robots {
  private readonly origins = new BoundedMap<string, Entry>(storedOrigins)

  constructor(
    private readonly transport: Transport,
    private readonly clock: Pick<Clock, "now">,
    private readonly contact?: string,
    private readonly hosts?: HostMemory | undefined,
  ) {}

  /** @throws the signal's reason alone: a file that cannot be had refuses everything. */
  async rules(url: string, signal: AbortSignal, egress?: EgressRules): Promise<RobotsRules> {
    const known = this.origins.get(originOf(url, egress))
    const isFresh = known && known.until > this.clock.now()
    const entry = isFresh ? known : this.renew(url, egress, known?.known)
    if (entry.known) return entry.known
    // The file is for all who wait for it: one who gives up ends nothing but his own waiting.
    return abortable(entry.rules, signal)
  }

  /** The Crawl-delay of an address's origin, if its file has been read. */
  knownDelay(url: string, egress?: EgressRules): number | undefined {
    return this.origins.get(originOf(url, egress))?.known?.crawlDelay
  }

  private renew(requested: string, egress?: EgressRules, before?: RobotsRules): Entry {
    const { origin: site } = new URL(requested)
    const origin = originOf(requested, egress)
    const first = `${site}/robots.txt`
    const rules = this.result(origin, first, egress).then(({ result, forMs }) => {
      const stated = rulesOf(first, result)
      entry.until = this.clock.now() + forMs
      // What the file said before holds as long as it cannot be read again.
      entry.known = stated.unreachable && before && !before.unreachable ? before : stated
      return entry.known
    })
    const entry: Entry = { rules, until: this.clock.now() + keepMs }
    this.origins.set(origin, entry)
    return entry
  }

  /** Returns the result that another process stored or the origin returned, and how long it is valid. */
  private async result(origin: string, first: string, egress?: EgressRules) {
    const name = `robots ${origin}`
    const known = await this.hosts?.recall(name)
    if (known) return { result: JSON.parse(known.value) as RobotsResult, forMs: known.leftMs }
    const result = await this.fetch(first, egress)
    const forMs = "unreachable" in result ? keepFailureMs : keepMs
    this.hosts?.keep(name, JSON.stringify(result), forMs)
    return { result, forMs }
  }

  private async fetch(first: string, egress?: EgressRules): Promise<RobotsResult> {
    let url = first
    for (let hop = 0; hop <= maxRedirects; hop++) {
      const response = await this.ask(url, egress)
      if (typeof response === "string") return { unreachable: response }
      const { status, headers, bytes } = response
      const location = headers.get("location")
      if (status >= 300 && status < 400 && location) {
        const next = URL.parse(location, url)
        if (!next || !/^https?:$/.test(next.protocol)) break
        url = next.href
        continue
      }
      if (status >= 500) return { unreachable: `status ${status}` }
      if (status >= 300) break
      return { text: new TextDecoder().decode(bytes.subarray(0, readLimitBytes)) }
    }
    return { allowed: true }
  }

  /** The answer, or why there is none. */
  private async ask(url: string, egress?: EgressRules) {
    try {
      return await this.transport.send({
        method: "GET",
        url,
        headers: new Headers({
          "user-agent": serviceUserAgent(this.contact),
          accept: "text/plain,*/*;q=0.5",
        }),
        // A longer file is read as far as this goes, not refused.
        maxBytes: readLimitBytes,
        truncate: true,
        timeoutMs,
        ...(egress ? { exit: egress } : {}),
        signal: new AbortController().signal,
      })
    } catch (error) {
      return messageOf(error)
    }
  }
}

const originOf = (url: string, egress?: EgressRules) =>
  `${egress?.country ?? ""} ${new URL(url).origin}`

function rulesOf(address: string, result: RobotsResult): RobotsRules {
  if ("text" in result) return parseRobots(address, result.text, robotsToken)
  if ("allowed" in result) return { allows: () => true, sitemaps: [] }
  return { allows: () => false, sitemaps: [], unreachable: result.unreachable }
}
