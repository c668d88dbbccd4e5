import { distinct, isoDate } from "../../extract/core/index.ts"
import { readHost } from "../../extract/links/index.ts"
import {
  BadInput,
  type Context,
  defineScraper,
  field,
  inputs,
  items,
  partFailed,
  record,
  required,
} from "../kit/index.ts"
import { type LoggedCertificate, searchLogs } from "./crt-sh.ts"

const dayMs = 86_400_000

const certificate = record({
  id: required(field.integer("id", "ID of the record at crt.sh.")),
  url: required(
    field.text("id", "URL of the record at crt.sh.", (id) => `https://crt.sh/?id=${id}`),
  ),
  serialNumber: field.text("serial_number", "Serial number in hex; missing in old records."),
  commonName: field.text("common_name", "Common name."),
  names: items.texts("Host names of the certificate that the log search returned."),
  emails: items.texts("Email addresses of the certificate."),
  issuerName: field.text("issuer_name", "Distinguished name of the issuer."),
  issuerOrganization: field.text(issuerPart("O"), "Organization of the issuer."),
  issuerCommonName: field.text(issuerPart("CN"), "Common name of the issuer."),
  issuerCountry: field.text(issuerPart("C"), "Country of the issuer."),
  issuerCaId: field.integer("issuer_ca_id", "ID of the issuer at crt.sh."),
  loggedAt: field.time("entry_timestamp", "Time of logging (ISO 8601, UTC)."),
  notBefore: required(field.text("notBefore", "Start of validity (ISO 8601, UTC).")),
  notAfter: items.text("End of validity (ISO 8601, UTC)."),
  validityDays: field.integer("validityDays", "Days from the start to the end of validity."),
  isExpired: items.requiredBoolean("Whether the certificate has expired."),
  daysRemaining: items.integer("Whole days until the certificate expires; negative after that."),
  isWildcard: items.requiredBoolean(
    "Whether the certificate covers all names one level below a domain.",
  ),
  resultCount: field.integer(
    "result_count",
    "Number of records that crt.sh has of the certificate.",
  ),
})

export default defineScraper({
  slug: "ssl-cert-scraper",
  name: "SSL Certificate History",
  tagline: "Certificates ever issued for a domain, from certificate transparency logs.",
  notServed: ["is a certificate valid now"],
  category: "network",
  isCheck: true,
  fetchMethods: ["http"],
  input: {
    domains: inputs.texts("Domains or URLs, for example example.com.", { max: 20 }),
    maxCertsPerDomain: inputs.count("Maximum certificates per domain, newest first", {
      max: 5000,
      or: 100,
    }),
    excludeExpired: inputs.flag("Whether to leave out expired certificates."),
    includeSubdomains: inputs.flag("Whether to include the certificates of all subdomains."),
  },
  item: {
    input: items.requiredText("Domain as written in the input."),
    domain: items.requiredText("Requested domain."),
    ...certificate.fields,
  },
  watch: {
    // The first item of each domain is its newest certificate.
    key: ["domain"],
    name: ["domain"],
    mark: ["serialNumber", "id"],
    days: "daysRemaining",
    expiring: "The newest certificate",
    conditions: [{ when: "changed" }, { when: "expires", days: 14 }],
  },
  example: { domains: ["example.com"], maxCertsPerDomain: 20 },
  probe: {
    input: { domains: ["example.com"], maxCertsPerDomain: 5 },
    expect: [
      "items.length equals 5",
      "items[*].notBefore share 1",
      "items[*].notAfter share 1",
      "items[*].names share 1",
      "?items[*].issuerOrganization share 0.8",
    ],
  },
  rateLimit: { "crt.sh": { perSecond: 0.2, concurrency: 1 } },
  concurrency: 1,
  targets: ({ domains }) => domains,
  identify: (target) => ({ input: target, domain: readHost(target)?.name ?? target }),

  async *scrape(target, ctx) {
    const host = readHost(target)
    if (!host || host.isIp)
      throw new BadInput(`"${target}" is not a domain. Use the form "example.com".`)
    const now = ctx.now().getTime()
    const { certificates, failure } = await certificatesOf(host.name, ctx)
    const items = certificates
      .map((row) => certificate.read({ ...row, ...derived(row, now) }))
      .filter(({ isExpired }) => !(ctx.input.excludeExpired && isExpired))
      .sort((a, b) => b.notBefore.localeCompare(a.notBefore))
    for (const item of items.slice(0, ctx.input.maxCertsPerDomain)) {
      yield { input: target, domain: host.name, ...item }
    }
    if (failure) yield partFailed(ctx, failure, { input: target, domain: host.name })
  },
})

async function certificatesOf(
  domain: string,
  ctx: Context<{ excludeExpired: boolean; includeSubdomains: boolean }>,
) {
  const { excludeExpired, includeSubdomains } = ctx.input
  const result = await searchLogs({ name: domain, excludeExpired }, ctx)
  // The search for names below a domain does not include the domain itself.
  let below: LoggedCertificate[] = []
  let failure: unknown
  try {
    if (includeSubdomains) below = await searchLogs({ name: `%.${domain}`, excludeExpired }, ctx)
  } catch (error) {
    if (result.length === 0) throw error
    failure = error
  }
  const stored = new Map<string, LoggedCertificate>()
  for (const entry of [...result, ...below]) {
    const known = stored.get(identity(entry))
    if (!known || entry.id < known.id) stored.set(identity(entry), entry)
  }
  return { certificates: [...stored.values()], failure }
}

/** A certificate and its precertificate, of one issuer and serial number, count as one. */
function identity(entry: LoggedCertificate): string {
  const own = entry.serial_number ?? `${entry.name_value} ${entry.not_before} ${entry.not_after}`
  return `${entry.issuer_ca_id ?? entry.issuer_name} ${own}`
}

/** Returns the fields that are computed from the dates and names of a record. */
function derived(row: LoggedCertificate, now: number) {
  const notBefore = isoDate(row.not_before) ?? row.not_before
  const notAfter = isoDate(row.not_after)
  const end = notAfter === null ? null : Date.parse(notAfter)
  const written = (row.name_value ?? "").toLowerCase().split("\n").filter(Boolean)
  const names = distinct(written.filter((name) => !name.includes("@")))
  return {
    names,
    emails: distinct(written.filter((name) => name.includes("@"))),
    notBefore,
    notAfter,
    validityDays: end === null ? null : Math.round((end - Date.parse(notBefore)) / dayMs),
    isExpired: end !== null && end < now,
    daysRemaining: end === null ? null : Math.floor((end - now) / dayMs),
    isWildcard: names.some((name) => name.startsWith("*.")),
  }
}

/** Returns one part of an issuer's distinguished name; values with commas are quoted. */
function issuerPart(part: string) {
  return ({ issuer_name: name }: LoggedCertificate): string | null => {
    for (const [, key, quoted, plain] of (name ?? "").matchAll(
      /(?:^|,\s*)([A-Za-z0-9.]+)=(?:"((?:[^"\\]|\\.|"")*)"|([^,]*))/g,
    )) {
      if (key === part) return quoted?.replace(/""|\\(.)/g, (_, c) => c ?? '"') ?? plain ?? null
    }
    return null
  }
}
