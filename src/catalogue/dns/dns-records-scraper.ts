import { Type } from "@sinclair/typebox"
import { mailProviderOf } from "../../extract/contact/index.ts"
import { readHost } from "../../extract/links/index.ts"
import {
  assertScrapeError,
  BadInput,
  type Context,
  defineScraper,
  inputs,
  items,
  nullable,
  oneOf,
  provided,
  record,
  ScrapeError,
} from "../kit/index.ts"
import { type ReadRecord, readRecords, recordSchemas } from "./record-data.ts"
import { type Lookup, lookUp, type RecordType, recordTypes } from "./resolvers.ts"

const records = Type.Unsafe<Partial<Record<RecordType, ReadRecord[] | null>>>(
  items.requiredObject(
    "Records by requested type; null for a type that failed.",
    Object.fromEntries(
      recordTypes.map((type) => [
        type,
        Type.Optional(
          nullable(
            Type.Array(recordSchemas[type], {
              description: `Records of type ${type}; null if their lookup failed.`,
            }),
          ),
        ),
      ]),
    ),
  ),
)

const domainRecord = record({
  input: items.requiredText("Domain as written in the input."),
  domain: items.requiredText("Requested domain."),
  status: items.requiredText("DNS response code, for example NOERROR or NXDOMAIN."),
  exists: items.requiredBoolean("Whether the name exists."),
  records,
  recordsCount: items.requiredInteger("Number of records."),
  dnssec: items.requiredBoolean("Whether all responses were signed and verified with DNSSEC."),
  url: items.requiredText("URL of a page that shows the records."),
  hasSpf: items.boolean("Whether the domain has an SPF record; null if TXT was not requested."),
  spf: items.text("SPF record; null if there is none."),
  spfError: items.text('"multiple" if the domain has several SPF records, which is not allowed.'),
  hasDmarc: items.boolean("Whether the domain has a DMARC record; null unless requested."),
  dmarc: items.text("DMARC record; null if there is none."),
  dmarcPolicy: items.text("DMARC policy: none, quarantine or reject."),
  mailProvider: items.text("Provider of the domain's mail servers; null if unknown."),
  errors: items.objects("Record types that could not be looked up.", {
    type: items.requiredText("Record type; DMARC for the lookup of the DMARC record."),
    code: items.requiredText("Error code, or the DNS response code, for example SERVFAIL."),
    message: items.requiredText("Error message."),
  }),
  resolver: oneOf(["google", "cloudflare", "system"], {
    description: "Resolver that returned the records.",
  }),
  checkedAt: items.requiredText("Time of the lookup (ISO 8601, UTC)."),
})

export default defineScraper({
  slug: "dns-records-scraper",
  name: "DNS Records",
  tagline: "All DNS records of your domains, with SPF and DMARC checks.",
  notServed: ["owner of a domain"],
  category: "network",
  fetchMethods: ["http"],
  input: {
    domains: inputs.texts("Host names or URLs, for example mail.example.com.", { max: 200 }),
    recordTypes: provided(inputs.texts(`Record types: ${recordTypes.join(", ")}.`, { max: 50 }), [
      ...recordTypes,
    ]),
    checkDmarc: inputs.flag("Whether to look up the DMARC record as well."),
  },
  item: domainRecord,
  example: { domains: ["example.com"], recordTypes: ["A", "MX", "TXT"], checkDmarc: true },
  probe: {
    expect: [
      "items.length equals 1",
      "items[0].exists equals true",
      "items[0].recordsCount gte 2",
      "items[0].dnssec equals true",
      "items[0].hasSpf equals true",
      "items[0].errors.length equals 0",
    ],
  },
  rateLimit: {
    "dns.google": { perSecond: 20, concurrency: 10 },
    "cloudflare-dns.com": { perSecond: 20, concurrency: 10 },
  },
  targets: ({ domains }) => domains,

  async *scrape(target, ctx) {
    const host = readHost(target)
    if (!host || host.isIp)
      throw new BadInput(`"${target}" is not a domain. Use the form "example.com".`)
    const types = wantedTypes(ctx.input.recordTypes)
    const [found, dmarcFound] = await Promise.all([
      Promise.all(types.map((type) => tried(host.name, type, ctx))),
      ctx.input.checkDmarc ? tried(`_dmarc.${host.name}`, "TXT", ctx) : undefined,
    ])
    const answers = found.filter(
      (response): response is Lookup => !(response instanceof ScrapeError),
    )
    if (answers.length === 0) throw found[0]
    const read = types.map((type, index) => [type, readResponse(type, found[index]!)] as const)
    const byType: Partial<Record<RecordType, ReadRecord[] | null>> = Object.fromEntries(read)
    const texts = valuesOf(byType.TXT)
    const spf = texts?.filter((text) => /^v=spf1(?:\s|$)/i.test(text))
    const dmarcTexts = dmarcFound && valuesOf(readResponse("TXT", dmarcFound))
    const dmarc = dmarcTexts?.find((text) => /^v=DMARC1\b/i.test(text)) ?? null
    const errors = types.flatMap((type, index) => failureOf(type, found[index]!))
    if (dmarcFound) errors.push(...failureOf("DMARC", dmarcFound))
    yield domainRecord.read({
      input: target,
      domain: host.name,
      status: statusOf(answers),
      exists: answers.some(({ status }) => status === "NOERROR"),
      records: byType,
      recordsCount: read.reduce((sum, [, list]) => sum + (list?.length ?? 0), 0),
      dnssec: answers.length === found.length && answers.every(({ authentic }) => authentic),
      url: `https://dns.google/query?name=${host.name}`,
      hasSpf: spf ? spf.length > 0 : null,
      spf: spf?.[0] ?? null,
      spfError: spf && spf.length > 1 ? "multiple" : null,
      hasDmarc: dmarcTexts ? dmarc !== null : null,
      dmarc,
      dmarcPolicy: /;\s*p\s*=\s*(\w+)/i.exec(dmarc ?? "")?.[1]?.toLowerCase() ?? null,
      mailProvider: mailProviderOf((byType.MX ?? []).map(({ exchange }) => String(exchange))),
      errors,
      resolver: answers[0]!.resolver,
      checkedAt: ctx.now().toISOString(),
    })
  },
})

function wantedTypes(requested: string[]): RecordType[] {
  const wanted = requested.map((type) => type.trim().toUpperCase())
  const unknown = wanted.findIndex((type) => !recordTypes.includes(type as RecordType))
  if (unknown >= 0) {
    const type = requested[unknown]
    throw new BadInput(`recordTypes: "${type}" is not one of ${recordTypes.join(", ")}.`)
  }
  return recordTypes.filter((type) => wanted.includes(type))
}

/** Returns a failed lookup as an entry, because the other types of the domain may succeed. */
const tried = (name: string, type: RecordType, ctx: Context): Promise<Lookup | ScrapeError> =>
  lookUp(name, type, ctx).catch((error) => {
    assertScrapeError(error, ctx)
    return error
  })

const readResponse = (type: RecordType, lookup: Lookup | ScrapeError): ReadRecord[] | null =>
  failureOf(type, lookup).length === 0 ? readRecords(type, (lookup as Lookup).records) : null

function failureOf(type: string, lookup: Lookup | ScrapeError) {
  if (lookup instanceof ScrapeError) return [{ type, code: lookup.code, message: lookup.message }]
  if (lookup.status === "NOERROR" || lookup.status === "NXDOMAIN") return []
  return [{ type, code: lookup.status, message: `The resolvers returned ${lookup.status}.` }]
}

/** Returns NXDOMAIN only if all lookups return it, or else the first error, or else NOERROR. */
function statusOf(answers: Lookup[]): string {
  const statuses = answers.map(({ status }) => status)
  if (statuses.every((status) => status === "NXDOMAIN")) return "NXDOMAIN"
  return statuses.find((status) => status !== "NOERROR" && status !== "NXDOMAIN") ?? "NOERROR"
}

const valuesOf = (list: ReadRecord[] | null | undefined): string[] | null =>
  list?.map(({ value }) => String(value)) ?? null
