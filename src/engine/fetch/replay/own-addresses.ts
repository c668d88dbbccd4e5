import { networkInterfaces } from "node:os"
import ipaddr from "ipaddr.js"

/** Forms in which sites repeat the client's IP address. */
const nameForms = [
  /["']?(?:client|user|visitor|viewer|remote|request|requester|customer|your)[_-]?ip(?:[_-]?addr(?:ess)?)?["']?\s*[:=]\s*["']?([0-9a-f.:]{7,45})/gi,
  /^ip=([0-9a-f.:]{7,45})$/gim,
]
const headerNames = [
  "x-client-ip",
  "x-real-ip",
  "x-forwarded-for",
  "x-remote-addr",
  "cf-connecting-ip",
  "true-client-ip",
]

/**
 * IP addresses for documentation (RFC 5737 and RFC 3849), which replace real ones in recordings.
 */
export const exampleAddress = (address: string): string =>
  address.includes(":") ? "2001:db8::1" : "192.0.2.1"

/** Returns the client's public IP addresses that occur in a response. */
export function clientAddresses(text: string, headers: Headers): string[] {
  const named = nameForms.flatMap((form) => [...text.matchAll(form)].map((match) => match[1]!))
  const forwarded = headerNames.flatMap((name) => headers.get(name)?.split(/\s*,\s*/) ?? [])
  return [...new Set([...named, ...forwarded])].filter(isPublic)
}

/** Returns the public IP addresses of this machine. */
export function machineAddresses(): string[] {
  return Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .map(({ address }) => address)
    .filter(isPublic)
}

function isPublic(address: string): boolean {
  let parsed: ipaddr.IPv4 | ipaddr.IPv6
  try {
    parsed = ipaddr.parse(address)
  } catch {
    return false
  }
  return parsed.range() === "unicast"
}
