import ipaddr from "ipaddr.js"
import { BoundedMap } from "../base/bounded-map.ts"

type Range = [ipaddr.IPv4 | ipaddr.IPv6, number]

/** Returns the IP addresses of clients, also through reverse proxies that the operator trusts. */
export class CallerIp {
  private readonly trusted: Range[]

  /** @throws Error for an entry that is not an IP address or CIDR. */
  constructor(trustProxy: readonly string[]) {
    this.trusted = trustProxy.map((entry) => {
      if (entry.includes("/")) return ipaddr.parseCIDR(entry)
      const address = ipaddr.process(entry)
      return [address, address.kind() === "ipv4" ? 32 : 128]
    })
  }

  trusts(address: string): boolean {
    if (this.trusted.length === 0 || !ipaddr.isValid(address)) return false
    const parsed = ipaddr.process(address)
    return this.trusted.some(([range, bits]) => {
      return parsed.kind() === range.kind() && parsed.match([range, bits] as never)
    })
  }

  /**
   * Returns the right-most hop that is not a trusted proxy. Everything to the left was sent by the
   * caller and may be forged.
   */
  of(peer: string, forwardedFor: string | null): string {
    if (forwardedFor === null || !this.trusts(peer)) return peer
    let client = peer
    for (const hop of forwardedFor.split(",").reverse()) {
      const address = withoutPort(hop.trim())
      if (!ipaddr.isValid(address)) break
      client = address
      if (!this.trusts(address)) break
    }
    return client
  }
}

function withoutPort(hop: string): string {
  const bracketed = /^\[([^\]]+)\]/.exec(hop)
  if (bracketed) return bracketed[1]!
  return /^\d+\.\d+\.\d+\.\d+:\d+$/.test(hop) ? hop.slice(0, hop.indexOf(":")) : hop
}

/** Keys of recent callers. */
const keys = new BoundedMap<string, string>(10_000)

/**
 * Returns the key by which a caller is counted: an IPv4 address, or the /64 network of an IPv6
 * address.
 */
export function addressKey(address: string): string {
  const known = keys.get(address)
  if (known !== undefined) return known
  const key = networkOf(address)
  keys.set(address, key)
  return key
}

function networkOf(address: string): string {
  const plain = address.replace(/%.*$/, "")
  if (!ipaddr.isValid(plain)) return plain
  const parsed = ipaddr.process(plain)
  if (parsed instanceof ipaddr.IPv4) return parsed.toString()
  const prefix = parsed.parts.slice(0, 4).map((part) => part.toString(16))
  return `${prefix.join(":")}::/64`
}
