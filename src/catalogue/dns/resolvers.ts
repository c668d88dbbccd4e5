import { booleanOrNull, integerOrNull, objectList, textOrNull } from "../../extract/core/index.ts"
import { at } from "../../extract/embedded/index.ts"
import { assertScrapeError, Changed, type Context, NotFound, type Row } from "../kit/index.ts"

const typeNumbers = { A: 1, AAAA: 28, MX: 15, TXT: 16, NS: 2, CNAME: 5, SOA: 6, CAA: 257 }
export type RecordType = keyof typeof typeNumbers
export const recordTypes = Object.keys(typeNumbers) as RecordType[]

/** A record in the format of DNS over HTTPS: its data is text in zone file notation. */
export interface DnsRecord {
  /** Seconds; null if the resolver does not return it. */
  ttl: number | null
  data: string
}

export interface Lookup {
  resolver: Resolver
  /** Response code: NOERROR, NXDOMAIN, SERVFAIL, REFUSED and so on. */
  status: string
  /** Whether the resolver verified the signatures (DNSSEC). */
  authentic: boolean
  records: DnsRecord[]
}

const resolvers = ["google", "cloudflare", "system"] as const
type Resolver = (typeof resolvers)[number]

const statusNames = ["NOERROR", "FORMERR", "SERVFAIL", "NXDOMAIN", "NOTIMP", "REFUSED"]
const endpoints = {
  google: "https://dns.google/resolve",
  cloudflare: "https://cloudflare-dns.com/dns-query",
}

/**
 * Returns the records of one type from the first resolver that succeeds.
 * Skips a resolver that is unreachable, limits the rate or fails (SERVFAIL, REFUSED).
 * @throws the first ScrapeError if all resolvers fail
 */
export async function lookUp(name: string, type: RecordType, ctx: Context): Promise<Lookup> {
  let failed: Lookup | undefined
  let firstError: unknown
  const chosen = ctx.secret("DNS_RESOLVER")
  const ordered = resolvers.toSorted((a, b) => Number(b === chosen) - Number(a === chosen))
  for (const resolver of ordered) {
    try {
      const lookup = await (resolver === "system"
        ? fromSystem(name, type, ctx)
        : overHttps(resolver, name, type, ctx))
      if (lookup.status === "NOERROR" || lookup.status === "NXDOMAIN") return lookup
      failed ??= lookup
    } catch (error) {
      assertScrapeError(error, ctx)
      firstError ??= error
    }
  }
  if (failed) return failed
  throw firstError
}

async function overHttps(
  resolver: "google" | "cloudflare",
  name: string,
  type: RecordType,
  ctx: Context,
): Promise<Lookup> {
  const response = await ctx.json<{ Status?: unknown; AD?: unknown; Answer?: Row[] }>(
    endpoints[resolver],
    {
      query: { name, type },
      headers: { accept: "application/dns-json" },
      // Trying another resolver is faster than a retry.
      retries: 0,
      timeoutMs: 10_000,
    },
  )
  const status = integerOrNull(response.Status)
  if (status === null) throw new Changed(`The response of ${resolver}'s resolver has no status.`)
  return {
    resolver,
    status: statusNames[status] ?? `RCODE${status}`,
    authentic: booleanOrNull(response.AD) === true,
    // The response also contains the chain of CNAMEs that led to the records.
    records: objectList(response.Answer).flatMap((record) => {
      const data = textOrNull(record.data)
      const isRequested = integerOrNull(record.type) === typeNumbers[type]
      return isRequested && data !== null ? [{ ttl: integerOrNull(record.TTL), data }] : []
    }),
  }
}

/** Converts the results of the runtime's resolver to zone file notation, by type. */
const notation: Record<RecordType, (record: never) => string> = {
  A: address,
  AAAA: address,
  NS: String,
  CNAME: String,
  MX: (mx: { priority: number; exchange: string }) => `${mx.priority} ${mx.exchange || "."}`,
  TXT: (chunks: string[]) => JSON.stringify(chunks.join("")),
  SOA: (soa: Record<string, string | number>) =>
    `${soa.nsname} ${soa.hostmaster} ${soa.serial} ${soa.refresh} ${soa.retry} ${soa.expire} ${soa.minttl}`,
  CAA: ({ critical, ...tags }: Record<string, string | number>) => {
    const [tag, value] = Object.entries(tags).find(([key]) => key !== "type") ?? ["", ""]
    return `${critical ?? 0} ${tag} ${JSON.stringify(value)}`
  },
}

function address(record: string | { address: string }): string {
  return typeof record === "string" ? record : record.address
}

async function fromSystem(name: string, type: RecordType, ctx: Context): Promise<Lookup> {
  const lookup = { resolver: "system" as const, authentic: false, status: "NOERROR" }
  try {
    const records = [await ctx.dns(name, type)].flat(1).map((record) => ({
      ttl: integerOrNull(at(record, "ttl")),
      data: notation[type](record as never),
    }))
    return { ...lookup, records }
  } catch (error) {
    if (!(error instanceof NotFound)) throw error
    // ENODATA means that the name exists but has no record of this type.
    const status = /ENODATA/.test(error.message) ? "NOERROR" : "NXDOMAIN"
    return { ...lookup, status, records: [] }
  }
}
