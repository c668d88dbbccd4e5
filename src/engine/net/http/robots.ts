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

/** Trawl's product token in robots.txt files. */
const robotsToken = "Trawl"

const readLimitBytes = 500 * 1024
const timeoutMs = 20_000
const keepMs = hourMs
/** Milliseconds before the file is requested again after a failure. */
const keepFailureMs = 300_000
const maxRedirects = 5
const storedOrigins = 2000

/** The result of a request for the file; processes exchange it as JSON. */
type RobotsResult =
  | { text: string }
  | { unreachable: string }
  /** The file does not exist. */
  | { allowed: true }

interface Entry {
  rules: Promise<RobotsRules>
  /** The rules, after they were read. */
  known?: RobotsRules
  until: number
}

/**
 * The robots.txt of each origin (RFC 9309), requested once and cached for an hour. The run that
 * needs it first requests it over its own egress route, and it applies to all runs of that country.
 */
export class Robots {
  private readonly origins = new BoundedMap<string, Entry>(storedOrigins)

  constructor(
    private readonly transport: Transport,
    private readonly clock: Pick<Clock, "now">,
    private readonly contact?: string,
    private readonly hosts?: HostMemory | undefined,
  ) {}

  /**
   * Returns the rules. @throws only the signal's reason: an unavailable file disallows everything
   */
  async rules(url: string, signal: AbortSignal, egress?: EgressRules): Promise<RobotsRules> {
    const known = this.origins.get(originOf(url, egress))
    const isFresh = known && known.until > this.clock.now()
    const entry = isFresh ? known : this.renew(url, egress, known?.known)
    if (entry.known) return entry.known
    // The file is shared, so aborting one caller ends only that caller's wait.
    return abortable(entry.rules, signal)
  }

  /** Returns the Crawl-delay of an origin, if its file has been read. */
  knownDelay(url: string, egress?: EgressRules): number | undefined {
    return this.origins.get(originOf(url, egress))?.known?.crawlDelay
  }

  private renew(requested: string, egress?: EgressRules, before?: RobotsRules): Entry {
    const { origin: site } = new URL(requested)
    const origin = originOf(requested, egress)
    const first = `${site}/robots.txt`
    const rules = this.result(origin, first, egress).then(({ result, forMs }) => {
      const rules = rulesOf(first, result)
      entry.until = this.clock.now() + forMs
      // The previous rules apply while the file cannot be read again.
      entry.known = rules.unreachable && before && !before.unreachable ? before : rules
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
      const response = await this.load(url, egress)
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

  /** Requests the file; returns the reason if that fails. */
  private async load(url: string, egress?: EgressRules) {
    try {
      return await this.transport.send({
        method: "GET",
        url,
        headers: new Headers({
          "user-agent": serviceUserAgent(this.contact),
          accept: "text/plain,*/*;q=0.5",
        }),
        // A longer file is truncated, not refused.
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

function rulesOf(url: string, result: RobotsResult): RobotsRules {
  if ("text" in result) return parseRobots(url, result.text, robotsToken)
  if ("allowed" in result) return { allows: () => true, sitemaps: [] }
  return { allows: () => false, sitemaps: [], unreachable: result.unreachable }
}
