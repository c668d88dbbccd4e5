import { integerOrNull } from "../../extract/core/index.ts"
import { itemObject, items } from "../kit/index.ts"
import type { DnsRecord, RecordType } from "./resolvers.ts"

const ttl = items.integer("Time to live: seconds for which the record may be cached.")
const addresses = (description: string) =>
  itemObject({ address: items.requiredText(description), ttl })
const values = (description: string) => itemObject({ value: items.requiredText(description), ttl })

export const recordSchemas = {
  A: addresses("IPv4 address."),
  AAAA: addresses("IPv6 address."),
  MX: itemObject({
    priority: items.integer("Priority; mail servers with a lower number are tried first."),
    exchange: items.requiredText(
      "Host name of the mail server; a dot if the domain accepts no mail.",
    ),
    ttl,
  }),
  TXT: values("Text, with its parts joined."),
  NS: values("Host name of the name server."),
  CNAME: values("Host name that the domain is an alias of."),
  SOA: itemObject({
    mname: items.requiredText("Host name of the primary name server."),
    rname: items.requiredText("Email address of the administrator, with a dot instead of the @."),
    serial: items.integer("Serial number of the zone's version."),
    refresh: items.integer("Seconds between the checks of secondary name servers for changes."),
    retry: items.integer("Seconds after which a failed check is repeated."),
    expire: items.integer("Seconds without a successful check after which the zone expires."),
    minimum: items.integer("Maximum seconds for which the absence of a record may be cached."),
    ttl,
  }),
  CAA: itemObject({
    flags: items.integer("Flags; 128 means that the issuer must understand the tag."),
    tag: items.requiredText("Name of the property, for example issue or iodef."),
    value: items.requiredText(
      "Value of the property, for example the domain of an allowed issuer.",
    ),
    ttl,
  }),
}

/** A record with the structure of its type in recordSchemas. */
export type ReadRecord = Record<string, unknown>

/** Parses the records of one type; mail servers are sorted by priority. */
export function readRecords(type: RecordType, records: DnsRecord[]): ReadRecord[] {
  const reader = readers[type]
  const read: ReadRecord[] = records.map(({ data, ttl }) => ({ ...reader(data.trim()), ttl }))
  return type === "MX" ? read.sort((a, b) => Number(a.priority) - Number(b.priority)) : read
}

const readers: Record<RecordType, (data: string) => ReadRecord> = {
  A: (data) => ({ address: data }),
  AAAA: (data) => ({ address: data }),
  NS: (data) => ({ value: withoutFinalDot(data) }),
  CNAME: (data) => ({ value: withoutFinalDot(data) }),
  TXT: (data) => ({ value: joinedText(data) }),
  MX: (data) => {
    const [priority, exchange = ""] = data.split(/\s+/)
    return { priority: integerOrNull(priority), exchange: withoutFinalDot(exchange) }
  },
  SOA: (data) => {
    const [mname = "", rname = "", ...numbers] = data.split(/\s+/)
    const [serial, refresh, retry, expire, minimum] = numbers.map(integerOrNull)
    return {
      mname: withoutFinalDot(mname),
      rname: withoutFinalDot(rname),
      serial: serial ?? null,
      refresh: refresh ?? null,
      retry: retry ?? null,
      expire: expire ?? null,
      minimum: minimum ?? null,
    }
  },
  CAA: (data) => {
    const [, flags, tag = "", value = ""] = /^(\d+)\s+(\w+)\s+(.*)$/.exec(data) ?? []
    return unknownForm(data) ?? { flags: integerOrNull(flags), tag, value: joinedText(value) }
  },
}

/** A single dot is the root: as a mail server it means that there is none. */
const withoutFinalDot = (name: string): string => (name === "." ? name : name.replace(/\.$/, ""))

/** Joins quoted text, which is split into parts of up to 255 bytes. Returns other text as it is. */
function joinedText(data: string): string {
  if (!data.startsWith('"')) return data
  const pieces = [...data.matchAll(/"((?:[^"\\]|\\.)*)"/g)]
  return pieces.length > 0 ? unescaped(pieces.map(([, piece]) => piece).join("")) : data
}

/** `\"` and `\\` are escaped characters; `\123` is the byte with that decimal number. */
const unescaped = (text: string): string =>
  text.replace(/((?:\\\d{3})+)|\\(.)/g, (_, bytes: string | undefined, letter: string) =>
    bytes === undefined ? letter : bytesText(bytes.slice(1).split("\\").map(Number)),
  )

/** Multi-byte characters are encoded byte by byte. */
function bytesText(bytes: number[]): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(Uint8Array.from(bytes))
  } catch {
    return String.fromCharCode(...bytes)
  }
}

/** Parses `\# 22 00 05 69 …`: length and bytes of a type unknown to the resolver (RFC 3597). */
function unknownForm(data: string) {
  const hex = /^\\#\s+\d+\s+([\da-f\s]+)$/i.exec(data)?.[1]?.replace(/\s+/g, "")
  if (!hex) return undefined
  const bytes = Buffer.from(hex, "hex")
  const tagEnd = 2 + (bytes[1] ?? 0)
  return {
    flags: bytes[0] ?? null,
    tag: bytes.subarray(2, tagEnd).toString("latin1"),
    value: bytes.subarray(tagEnd).toString("latin1"),
  }
}
