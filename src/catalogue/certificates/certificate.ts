import { isoDate, textOrNull } from "../../extract/core/index.ts"

/** A distinguished name; a part that occurs several times is a list. */
export type DistinguishedName = Record<string, string | string[] | undefined>

/** A certificate in the format of TLS sockets (`getPeerCertificate(true)`). */
export interface Certificate {
  subject?: DistinguishedName
  issuer?: DistinguishedName
  /** `DNS:a, DNS:*.b, IP Address:192.0.2.1` */
  subjectaltname?: string
  /** `Nov  6 00:00:00 2025 GMT` */
  valid_from?: string
  valid_to?: string
  fingerprint?: string
  fingerprint256?: string
  serialNumber?: string
  bits?: number
  modulus?: string
  asn1Curve?: string
  issuerCertificate?: Certificate
}

/** Returns one part of a name; several values are joined. */
export function nameField(name: DistinguishedName | undefined, field: string): string | null {
  const value = name?.[field]
  return textOrNull(Array.isArray(value) ? value.join(", ") : value)
}

export function certificateDate(written: string | undefined): string | null {
  const parts = /^(\w+)\s+(\d+)\s+([\d:]+)\s+(\d{4})\s+(\w+)$/.exec(written ?? "")
  return parts ? isoDate(`${parts[2]} ${parts[1]} ${parts[4]} ${parts[3]} ${parts[5]}`) : null
}

/** Returns the names in `subjectaltname` by kind and in order; special characters are quoted. */
export function altNames(certificate: Certificate) {
  const names: Record<"dns" | "ip" | "all", string[]> = { dns: [], ip: [], all: [] }
  const entries = /(?:^|, )([A-Za-z ]+):("(?:[^"\\]|\\.)*"|[^,]*)/g
  for (const [, kind, written] of (certificate.subjectaltname ?? "").matchAll(entries)) {
    const name = written!.startsWith('"') ? unquoted(written!) : written!
    if (kind === "DNS") names.dns.push(name)
    else if (kind === "IP Address") names.ip.push(name)
    else continue
    names.all.push(name)
  }
  return names
}

function unquoted(written: string): string {
  try {
    return JSON.parse(written)
  } catch {
    return written.slice(1, -1)
  }
}

/** Returns whether a certificate covers a host (RFC 6125). Common names count without DNS names. */
export function nameMatches(host: string, isIp: boolean, certificate: Certificate): boolean {
  const { dns, ip } = altNames(certificate)
  if (isIp) return ip.map(canonicalAddress).includes(canonicalAddress(host))
  if (dns.length > 0) return dns.some((pattern) => patternMatches(pattern, host))
  return [certificate.subject?.CN ?? []].flat().some((pattern) => patternMatches(pattern, host))
}

/** IPv6 addresses have several notations; the URL standard normalizes them. */
function canonicalAddress(address: string): string {
  const host = address.includes(":") ? `[${address}]` : address
  return URL.canParse(`http://${host}`) ? new URL(`http://${host}`).hostname : address
}

/** A wildcard matches one whole label at the start, above a domain of two or more labels. */
function patternMatches(pattern: string, host: string): boolean {
  const wanted = pattern.toLowerCase().replace(/\.$/, "").split(".")
  const labels = host.toLowerCase().replace(/\.$/, "").split(".")
  if (wanted.length !== labels.length) return false
  return wanted.every(
    (label, index) =>
      label === labels[index] || (label === "*" && index === 0 && wanted.length > 2),
  )
}

/** Returns the chain that was sent, leaf first. A root is its own issuer. */
export function chainOf(leaf: Certificate): Certificate[] {
  const chain: Certificate[] = []
  const seen = new Set<string | undefined>()
  for (let issuer: Certificate | undefined = leaf; issuer; issuer = issuer.issuerCertificate) {
    if (seen.has(issuer.fingerprint256)) break
    seen.add(issuer.fingerprint256)
    chain.push(issuer)
  }
  return chain
}

export const isSelfSigned = (certificate: Certificate): boolean =>
  JSON.stringify(certificate.subject) === JSON.stringify(certificate.issuer)
