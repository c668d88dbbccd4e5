import type { FetchMethod } from "../../../catalogue/kit/index.ts"
import type { Exchange } from "./case.ts"

export interface Wanted {
  method: string
  url: string
  body?: string
  via: FetchMethod
}

/** Decoded host, path and sorted query of a URL, so that spelling does not matter. */
function parts(address: string): { base: string; query: string } {
  if (!/^https?:/i.test(address)) return { base: address.toLowerCase(), query: "" }
  const url = new URL(address)
  const query = [...url.searchParams].map(([name, value]) => `${name}=${value}`).sort()
  let path = url.pathname
  try {
    path = decodeURIComponent(path)
  } catch {
    // A path with a stray % is compared as it is written.
  }
  return { base: `${url.protocol}//${url.host}${path}`, query: query.join("&") }
}

function sameAddress(exchange: Exchange, wanted: string): boolean {
  if (exchange.match === "prefix") return wanted.startsWith(exchange.url)
  const have = parts(exchange.url)
  const want = parts(wanted)
  return have.base === want.base && (exchange.match === "path" || have.query === want.query)
}

function matches(exchange: Exchange, wanted: Wanted): boolean {
  return (
    (exchange.method ?? "GET").toUpperCase() === wanted.method &&
    sameAddress(exchange, wanted.url) &&
    (exchange.requestBodyContains === undefined ||
      (wanted.body ?? "").includes(exchange.requestBodyContains))
  )
}

/** Finds recorded exchanges. Identical ones are returned in order, the last one repeatedly. */
export class Recordings {
  private readonly used = new Map<Exchange, number>()
  constructor(private readonly exchanges: Exchange[]) {}

  find(wanted: Wanted): Exchange | undefined {
    const alike = this.exchanges.filter((exchange) => matches(exchange, wanted))
    const own = alike.filter((exchange) => (exchange.via ?? "http") === wanted.via)
    const pool = own.length > 0 ? own : wanted.via === "browser" ? alike : []
    const exchange = pool.find((exchange) => !this.used.has(exchange)) ?? pool.at(-1)
    if (exchange) this.used.set(exchange, (this.used.get(exchange) ?? 0) + 1)
    return exchange
  }

  /** Recorded URLs that match a pattern, for captured responses. */
  matching(pattern: RegExp): Exchange[] {
    return this.exchanges.filter((exchange) => pattern.test(exchange.url))
  }

  /** The most similar recorded URL, for the message about a missing recording. */
  nearest(wanted: Wanted): string {
    let best = "none"
    let bestLength = -1
    for (const { method, url, via } of this.exchanges) {
      let length = 0
      while (length < url.length && url[length] === wanted.url[length]) length++
      if (length > bestLength) {
        bestLength = length
        best = `${method ?? "GET"} ${url}${(via ?? "http") === "http" ? "" : ` (${via})`}`
      }
    }
    return best
  }
}
