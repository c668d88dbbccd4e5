import ipaddr from "ipaddr.js"
import { BoundedMap } from "../../../base/bounded-map.ts"

export type Address = ipaddr.IPv4 | ipaddr.IPv6

/** Special blocks that ipaddr.js treats as unicast, or with other bounds. */
const special = [
  "192.0.0.0/24",
  "192.88.99.0/24",
  "198.18.0.0/15",
  "2001::/23",
  "2001:db8::/32",
  "2002::/16",
  "3fff::/20",
].map((block) => ipaddr.parseCIDR(block))

/** The only IPv6 block with global addresses. */
const globalUnicast = ipaddr.parseCIDR("2000::/3")

/** Metadata services of clouds, refused even if their range is allowed. */
const metadata = new Set(["169.254.169.254", "169.254.170.2", "fd00:ec2::254", "100.100.100.200"])

/** Crawls ask for the same few addresses repeatedly. */
const known = new BoundedMap<string, Address>(1000)

/**
 * Parses an IP address in any notation; IPv4 within IPv6 is unwrapped. Returns undefined for other
 * text.
 */
export function parseAddress(text: string): Address | undefined {
  const before = known.get(text)
  if (before) return before
  const plain = text.replace(/^\[|\]$/g, "").replace(/%.*$/, "")
  const address = ipaddr.isValid(plain) ? ipaddr.process(plain) : undefined
  if (address) known.set(text, address)
  return address
}

export function inBlock(address: Address, [block, bits]: [Address, number]): boolean {
  return address.kind() === block.kind() && address.match(block as never, bits)
}

/** Whether the IP address is globally routable unicast. */
export function isPublic(address: Address): boolean {
  if (address.range() !== "unicast") return false
  if (address.kind() === "ipv6" && !inBlock(address, globalUnicast)) return false
  return !special.some((block) => inBlock(address, block))
}

export function isMetadata(address: Address): boolean {
  return metadata.has(address.toString())
}
