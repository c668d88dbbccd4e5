import ipaddr from "ipaddr.js"
import { BoundedMap } from "../../../base/bounded-map.ts"

export type Address = ipaddr.IPv4 | ipaddr.IPv6

/** Special blocks that ipaddr.js counts as unicast, or knows by other bounds. */
const special = [
  "192.0.0.0/24",
  "192.88.99.0/24",
  "198.18.0.0/15",
  "2001::/23",
  "2001:db8::/32",
  "2002::/16",
  "3fff::/20",
].map((block) => ipaddr.parseCIDR(block))

/** The only IPv6 block from which global addresses are given out. */
const globalUnicast = ipaddr.parseCIDR("2000::/3")

/** Metadata services of clouds, refused even where their range is let through. */
const metadata = new Set(["169.254.169.254", "169.254.170.2", "fd00:ec2::254", "100.100.100.200"])

/** A crawl asks for the same few again and again. */
const known = new BoundedMap<string, Address>(1000)

/** An address in any spelling; IPv4 within IPv6 is unwrapped. Undefined for what is none. */
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

/** Whether anyone on the internet could be at this address: global unicast and nothing else. */
export function isPublic(address: Address): boolean {
  if (address.range() !== "unicast") return false
  if (address.kind() === "ipv6" && !inBlock(address, globalUnicast)) return false
  return !special.some((block) => inBlock(address, block))
}

export function isMetadata(address: Address): boolean {
  return metadata.has(address.toString())
}
