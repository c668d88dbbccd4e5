import { type Static, Type } from "@sinclair/typebox"
import { isoDate } from "../../extract/dates.ts"
import { readHost } from "../../extract/domains.ts"
import { integerOrNull } from "../../extract/numbers.ts"
import { distinct, textOrNull } from "../../extract/text.ts"
import { partFailed } from "../calls.ts"
import type { Context } from "../context.ts"
import { defineScraper } from "../define.ts"
import { inputObject, integerField, itemObject, textField, textsField } from "../fields.ts"
import { inputs } from "../inputs.ts"
import { BadInput } from "../outcome.ts"
import { type LoggedCertificate, searchLogs } from "./crt-sh.ts"

const dayMs = 86_400_000

const item = itemObject({
  input: Type.String({ description: "The domain as it was given." }),
  domain: Type.String({ description: "Domain that was asked for." }),
  id: Type.Integer({ description: "Number of the record at crt.sh." }),
  url: Type.String({ description: "The record's page." }),
  serialNumber: textField("Serial number, in hex; missing in old records."),
  commonName: textField("Common name."),
  names: textsField("Names that it is for, as far as the log search tells."),
  emails: textsField("Mail addresses that it is for."),
  issuerName: textField("Distinguished name of the issuer."),
  issuerOrganization: textField("Organisation of the issuer."),
  issuerCommonName: textField("Common name of the issuer."),
  issuerCountry: textField("Country of the issuer."),
  issuerCaId: integerField("Number of the issuer at crt.sh."),
  loggedAt: textField("When it was logged (ISO 8601, UTC)."),
  notBefore: Type.String({ description: "When it begins." }),
  notAfter: textField("When it ends."),
  validityDays: integerField("Days from its begin to its end."),
  isExpired: Type.Boolean({ description: "It has ended." }),
  daysRemaining: integerField("Whole days until it ends; negative once it has."),
  isWildcard: Type.Boolean({ description: "It is for all names of one level below a domain." }),
  resultCount: integerField("Records that crt.sh has of it."),
})

const input = inputObject({
  domains: inputs.texts("Domains or addresses.", { max: 20 }),
  maxCertsPerDomain: inputs.count("Most certificates of each domain, the newest first.", {
    max: 5000,
    or: 100,
  }),
  excludeExpired: inputs.flag("Leaves out those that have ended."),
  includeSubdomains: inputs.flag("Adds those of all names below the domain."),
})
type Input = Static<typeof input>

export default defineScraper({
  slug: "ssl-cert-scraper",
  name: "SSL Certificate History",
  tagline: "Certificates ever issued for a domain, from certificate transparency logs.",
  category: "network",
  tier: "free",
  input,
  item,
  example: { domains: ["example.com"], maxCertsPerDomain: 20 },
  pace: { "crt.sh": { perSecond: 0.2, concurrency: 1 } },
  concurrency: 1,
  targets: ({ domains }) => domains,
  identify: (target) => ({ input: target, domain: readHost(target)?.name ?? target }),

  async *scrape(target, ctx) {
    const host = readHost(target)
    if (!host || host.isIp) throw new BadInput(`"${target}" is not a domain; write "example.com".`)
    const now = ctx.now().getTime()
    const { certificates, failure } = await certificatesOf(host.name, ctx)
    const items = certificates
      .map((one) => ({ input: target, domain: host.name, ...certificateItem(one, now) }))
      .filter((one) => !(ctx.input.excludeExpired && one.isExpired))
      .sort((a, b) => b.notBefore.localeCompare(a.notBefore))
    yield* items.slice(0, ctx.input.maxCertsPerDomain)
    if (failure) yield partFailed(ctx, failure, { input: target, domain: host.name })
  },
})

async function certificatesOf(
  domain: string,
  ctx: Context<Input>,
): Promise<{ certificates: LoggedCertificate[]; failure?: unknown }> {
  const { excludeExpired, includeSubdomains } = ctx.input
  const found = await searchLogs({ name: domain, excludeExpired }, ctx)
  // The search for the names below a domain leaves out the domain itself.
  let below: LoggedCertificate[] = []
  let failure: unknown
  try {
    if (includeSubdomains) below = await searchLogs({ name: `%.${domain}`, excludeExpired }, ctx)
  } catch (error) {
    if (found.length === 0) throw error
    failure = error
  }
  const kept = new Map<string, LoggedCertificate>()
  for (const one of [...found, ...below]) {
    const known = kept.get(identity(one))
    if (!known || one.id < known.id) kept.set(identity(one), one)
  }
  return { certificates: [...kept.values()], failure }
}

/** A certificate and its precertificate are one: same issuer and serial number. */
function identity(one: LoggedCertificate): string {
  const own = one.serial_number ?? `${one.name_value} ${one.not_before} ${one.not_after}`
  return `${one.issuer_ca_id ?? one.issuer_name} ${own}`
}

function certificateItem(one: LoggedCertificate, now: number) {
  const notBefore = isoDate(one.not_before) ?? one.not_before
  const notAfter = isoDate(one.not_after)
  const end = notAfter === null ? null : Date.parse(notAfter)
  const written = (one.name_value ?? "").toLowerCase().split("\n").filter(Boolean)
  const names = distinct(written.filter((name) => !name.includes("@")))
  return {
    id: one.id,
    url: `https://crt.sh/?id=${one.id}`,
    serialNumber: textOrNull(one.serial_number),
    commonName: textOrNull(one.common_name),
    names,
    emails: distinct(written.filter((name) => name.includes("@"))),
    issuerName: textOrNull(one.issuer_name),
    issuerOrganization: part(one.issuer_name, "O"),
    issuerCommonName: part(one.issuer_name, "CN"),
    issuerCountry: part(one.issuer_name, "C"),
    issuerCaId: integerOrNull(one.issuer_ca_id),
    loggedAt: isoDate(one.entry_timestamp),
    notBefore,
    notAfter,
    validityDays: end === null ? null : Math.round((end - Date.parse(notBefore)) / dayMs),
    isExpired: end !== null && end < now,
    daysRemaining: end === null ? null : Math.floor((end - now) / dayMs),
    isWildcard: names.some((name) => name.startsWith("*.")),
    resultCount: integerOrNull(one.result_count),
  }
}

/** One part of a distinguished name; values with commas stand in quotes. */
function part(name: string | undefined, field: string): string | null {
  for (const [, key, quoted, plain] of (name ?? "").matchAll(
    /(?:^|,\s*)([A-Za-z0-9.]+)=(?:"((?:[^"\\]|\\.|"")*)"|([^,]*))/g,
  )) {
    if (key === field) return textOrNull(quoted?.replace(/""|\\(.)/g, (_, c) => c ?? '"') ?? plain)
  }
  return null
}
