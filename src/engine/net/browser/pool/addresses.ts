/** A browser that runs elsewhere, as TRAWL_CHROME_WS names it. */
export interface RemoteAddress {
  /** Host and port: all of it that is ever told. */
  name: string
  /** Without its weight, and without a token that is told otherwise. */
  url: string
  /** Its share of what is opened, beside those of the others. */
  weight: number
  /** Of one that `trawl browser serve` serves. */
  token?: string
}

/** Where `trawl browser serve` answers; below a path of its own where a proxy stands before it. */
export const servedPath = "/trawl"
const maxWeight = 100
const form = "ws://host:port/path#weight=1"

/**
 * Reads an entry of TRAWL_CHROME_WS. A fragment never goes over the wire, so that the weight stands
 * there. @throws Error with a sentence that repeats no token
 */
export function readRemoteAddress(entry: string): RemoteAddress {
  const url = URL.parse(entry)
  if (!url?.host) throw new Error(`is no address; give it as ${form}.`)
  if (!/^wss?:$/.test(url.protocol)) {
    throw new Error(`has the scheme ${url.protocol}//; give it as ${form}.`)
  }
  const weight = readWeight(url.hash)
  url.hash = ""
  const address = { name: url.host || url.hostname, weight }
  if (!url.pathname.endsWith(servedPath)) return { ...address, url: url.href }
  const token = url.searchParams.get("token")
  if (!token) {
    throw new Error(
      `has no token; give it as \`trawl browser serve\` printed it, ws://host:port${servedPath}?token=….`,
    )
  }
  url.searchParams.delete("token")
  return { ...address, url: url.href, token }
}

const ownHost = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/

/**
 * Whether it is spoken to by CDP on another machine: its contexts cannot go through the proxies of this
 * process, which listen on loopback.
 */
export function isCdpElsewhere({ url, token }: RemoteAddress): boolean {
  return token === undefined && !ownHost.test(new URL(url).hostname)
}

/** What a library says of a failure, without the addresses in it, which hold passwords. */
export function withoutAddresses(message: string): string {
  return message.replaceAll(/\b(?:wss?|https?):\/\/[^\s'"`]+/gi, "its address")
}

function readWeight(hash: string): number {
  if (hash === "") return 1
  const weight = Number(/^#weight=(\d{1,3})$/.exec(hash)?.[1])
  if (weight >= 1 && weight <= maxWeight) return weight
  throw new Error(`ends in "${hash}"; a weight is given as #weight=1 to #weight=${maxWeight}.`)
}
