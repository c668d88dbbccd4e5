import { BoundedMap } from "../../base/bounded-map.ts"
import { messageOf } from "../../base/error-message.ts"
import { hourMs } from "../../base/time.ts"
import { abortable, type Clock } from "../environment/clock.ts"
import type { HostMemory } from "../shared/host-memory.ts"
import type { Transport } from "./exchange.ts"
import { serviceUserAgent } from "./identity.ts"
import type { Exit } from "./proxy-rules.ts"
import { parseRobots, type RobotsRules } from "./robots-rules.ts"

export type { RobotsRules }

/** The product token by which robots.txt files name us. */
const robotsToken = "Trawl"

const readLimitBytes = 500 * 1024
const timeoutMs = 20_000
const keepMs = hourMs
/** After a failure the file is asked for again sooner. */
const keepFailureMs = 300_000
const mostRedirects = 5
const keptOrigins = 2000

/** What asking for the file came to; as JSON, what processes tell each other. */
type Told =
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
  private readonly origins = new BoundedMap<string, Entry>(keptOrigins)

  constructor(
    private readonly transport: Transport,
    private readonly clock: Pick<Clock, "now">,
    private readonly contact?: string,
    private readonly hosts?: HostMemory | undefined,
  ) {}

  /** @throws the signal's reason alone: a file that cannot be had refuses everything. */
  async rules(url: string, signal: AbortSignal, exit?: Exit): Promise<RobotsRules> {
    const known = this.origins.get(placeOf(url, exit))
    const isFresh = known && known.until > this.clock.now()
    const entry = isFresh ? known : this.renew(url, exit, known?.known)
    if (entry.known) return entry.known
    // The file is for all who wait for it: one who gives up ends nothing but his own waiting.
    return abortable(entry.rules, signal)
  }

  /** The Crawl-delay of an address's origin, if its file has been read. */
  knownDelay(url: string, exit?: Exit): number | undefined {
    return this.origins.get(placeOf(url, exit))?.known?.crawlDelay
  }

  private renew(asked: string, exit?: Exit, before?: RobotsRules): Entry {
    const { origin } = new URL(asked)
    const place = placeOf(asked, exit)
    const first = `${origin}/robots.txt`
    const rules = this.told(place, first, exit).then(({ told, forMs }) => {
      const said = rulesOf(first, told)
      entry.until = this.clock.now() + forMs
      // What the file said before holds as long as it cannot be read again.
      entry.known = said.unreachable && before && !before.unreachable ? before : said
      return entry.known
    })
    const entry: Entry = { rules, until: this.clock.now() + keepMs }
    this.origins.set(place, entry)
    return entry
  }

  /** What another process was told, or the origin tells; and for how long it holds. */
  private async told(place: string, first: string, exit?: Exit) {
    const name = `robots ${place}`
    const known = await this.hosts?.recall(name)
    if (known) return { told: JSON.parse(known.value) as Told, forMs: known.leftMs }
    const told = await this.fetch(first, exit)
    const forMs = "unreachable" in told ? keepFailureMs : keepMs
    this.hosts?.keep(name, JSON.stringify(told), forMs)
    return { told, forMs }
  }

  private async fetch(first: string, exit?: Exit): Promise<Told> {
    let url = first
    for (let hop = 0; hop <= mostRedirects; hop++) {
      const answer = await this.ask(url, exit)
      if (typeof answer === "string") return { unreachable: answer }
      const { status, headers, bytes } = answer
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
  private async ask(url: string, exit?: Exit) {
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
        ...(exit ? { exit } : {}),
        signal: new AbortController().signal,
      })
    } catch (error) {
      return messageOf(error)
    }
  }
}

const placeOf = (url: string, exit?: Exit) => `${exit?.country ?? ""} ${new URL(url).origin}`

function rulesOf(address: string, told: Told): RobotsRules {
  if ("text" in told) return parseRobots(address, told.text, robotsToken)
  if ("allowed" in told) return { allows: () => true, sitemaps: [] }
  return { allows: () => false, sitemaps: [], unreachable: told.unreachable }
}
