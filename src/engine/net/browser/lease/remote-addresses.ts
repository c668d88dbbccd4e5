/** A remote browser from TRAWL_CHROME_WS. */
export interface RemoteAddress {
  /** Host and port: the only part that is logged. */
  name: string
  /** URL without the weight, and without a token, which is sent in a header. */
  url: string
  /** Share of the open tabs, relative to the other browsers. */
  weight: number
  /** Token of a browser from `trawl browser serve`. */
  token?: string
}

/** Path of `trawl browser serve`; a reverse proxy may add a prefix. */
export const servedPath = "/trawl"
const maxWeight = 100
const form = "ws://host:port/path#weight=1"

/**
 * Reads an entry of TRAWL_CHROME_WS. The fragment, which is never sent, contains the weight.
 *
 * @throws Error whose message does not repeat the token
 */
export function readRemoteAddress(entry: string): RemoteAddress {
  const url = URL.parse(entry)
  if (!url?.host) throw new Error(`is not a valid URL. Write it as ${form}.`)
  if (!/^wss?:$/.test(url.protocol)) {
    throw new Error(`has the scheme ${url.protocol}//; use ${form}.`)
  }
  const weight = readWeight(url.hash)
  url.hash = ""
  const address = { name: url.host || url.hostname, weight }
  if (!url.pathname.endsWith(servedPath)) return { ...address, url: url.href }
  const token = url.searchParams.get("token")
  if (!token) {
    throw new Error(
      `has no token; use the URL that \`trawl browser serve\` printed, ws://host:port${servedPath}?token=….`,
    )
  }
  url.searchParams.delete("token")
  return { ...address, url: url.href, token }
}

const ownHost = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/

/**
 * Whether it is a CDP endpoint on another machine: its contexts cannot use the proxies of this
 * process, which listen on loopback.
 */
export function isCdpElsewhere({ url, token }: RemoteAddress): boolean {
  return token === undefined && !ownHost.test(new URL(url).hostname)
}

/** A library's error message without URLs, which contain passwords. */
export function withoutAddresses(message: string): string {
  return message.replaceAll(/\b(?:wss?|https?):\/\/[^\s'"`]+/gi, "its address")
}

function readWeight(hash: string): number {
  if (hash === "") return 1
  const weight = Number(/^#weight=(\d{1,3})$/.exec(hash)?.[1])
  if (weight >= 1 && weight <= maxWeight) return weight
  throw new Error(`ends in "${hash}"; set a weight with #weight=1 to #weight=${maxWeight}.`)
}
