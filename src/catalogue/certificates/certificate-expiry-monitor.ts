import { Type } from "@sinclair/typebox"
import { type Host, readHost } from "../../extract/links/index.ts"
import {
  assertScrapeError,
  BadInput,
  type Context,
  defineScraper,
  errorItem,
  field,
  inputs,
  itemObject,
  items,
  NotFound,
  oneOf,
  record,
  type TlsPeer,
  Unreachable,
} from "../kit/index.ts"
import {
  altNames,
  type Certificate,
  certificateDate,
  chainOf,
  isSelfSigned,
  nameField,
  nameMatches,
} from "./certificate.ts"

const dayMs = 86_400_000
const soonDays = 30

interface Visible {
  peer: TlsPeer
  leaf: Certificate
  names: string[]
  trusted: boolean
  matches: boolean
}

const named =
  (holder: "subject" | "issuer", part: string) =>
  ({ leaf }: Visible) =>
    nameField(leaf[holder], part)

const certificate = record({
  subjectCommonName: field.text(named("subject", "CN"), "Common name of the subject."),
  subjectOrganization: field.text(named("subject", "O"), "Organization of the subject."),
  subjectAltNames: field.texts("names", "Host names and IP addresses that the certificate covers."),
  issuerCommonName: field.text(named("issuer", "CN"), "Common name of the issuer."),
  issuerOrganization: field.text(named("issuer", "O"), "Organization of the issuer."),
  issuerCountry: field.text(named("issuer", "C"), "Country of the issuer."),
  serialNumber: field.text("leaf.serialNumber", "Serial number in hex."),
  fingerprintSha1: field.text("leaf.fingerprint", "SHA-1 fingerprint."),
  fingerprintSha256: field.text("leaf.fingerprint256", "SHA-256 fingerprint."),
  keyType: field.text(keyType, "Type of key: RSA or EC."),
  keyBits: field.integer("leaf.bits", "Key length in bits."),
  chain: field.objects(
    ({ leaf }: Visible) => chainOf(leaf),
    "Certificate chain from this certificate to the root, as common names.",
    {
      subject: field.text(commonName("subject"), "Common name of the certificate's owner."),
      issuer: field.text(commonName("issuer"), "Common name of the issuer."),
      validTo: field.text("valid_to", "End of validity (ISO 8601, UTC).", certificateDate),
      fingerprintSha256: field.text("fingerprint256", "SHA-256 fingerprint."),
    },
  ),
  chainTrusted: field.boolean("trusted", "Whether the chain ends at a trusted root."),
  authorizationError: field.text(
    "peer.authorizationError",
    "Error code of the TLS library, for example CERT_HAS_EXPIRED.",
  ),
  nameMatches: field.boolean("matches", "Whether the certificate covers the requested host."),
  isWildcard: field.boolean(
    ({ names }: Visible) => names.some((name) => name.startsWith("*.")),
    "Whether the certificate covers all names one level below a domain.",
  ),
  isSelfSigned: field.boolean(
    ({ leaf }: Visible) => isSelfSigned(leaf),
    "Whether the certificate is self-signed.",
  ),
  protocol: field.text("peer.protocol", "TLS version of the connection."),
  cipher: field.text("peer.cipher.name", "Cipher of the connection."),
  ip: field.text("peer.remoteAddress", "IP address of the connection."),
})

const item = itemObject({
  input: items.requiredText("Domain as written in the input."),
  domain: items.requiredText("Host of the connection."),
  port: items.requiredInteger("Port of the connection."),
  status: oneOf(["valid", "expiring-soon", "expired", "not-yet-valid", "invalid", "error"], {
    description: `Status. invalid: the name or the chain is wrong; expiring-soon: ${soonDays} days or less; error: no certificate.`,
  }),
  isValid: items.requiredBoolean("Whether dates, name and chain are all valid."),
  daysRemaining: items.integer("Whole days until the certificate expires; negative after that."),
  validFrom: items.text("Start of validity (ISO 8601, UTC)."),
  validTo: items.text("End of validity (ISO 8601, UTC)."),
  ...certificate.fields,
  error: Type.Null({ description: "Reason why there is no certificate; null if there is one." }),
  checkedAt: items.requiredText("Time of the check (ISO 8601, UTC)."),
})

export default defineScraper({
  slug: "certificate-expiry-monitor",
  name: "Certificate Expiry Monitor",
  tagline: "When do the TLS certificates of your domains expire, and are they valid?",
  notServed: ["certificates issued earlier"],
  category: "network",
  isCheck: true,
  fetchMethods: ["http"],
  input: {
    domains: inputs.texts(
      "Host names, with a port if it is not 443, or URLs; for example example.com:8443.",
      { max: 200 },
    ),
  },
  item,
  example: { domains: ["example.com"] },
  probe: {
    expect: [
      "items.length equals 1",
      "items[0].isValid equals true",
      "items[0].daysRemaining gte 1",
      '?items[0].protocol matches "TLSv1\\\\.[23]"',
      "items[0].subjectAltNames.length gte 1",
      "items[0].chainTrusted equals true",
    ],
  },
  concurrency: 10,
  pages: { ofTarget: 1 },
  targets: (input) => input.domains,

  async *scrape(target, ctx) {
    const host = readHost(target)
    if (!host)
      throw new BadInput(
        `"${target}" is not a host. Use the form "example.com" or "example.com:8443".`,
      )
    const port = host.port ?? 443
    const named = { input: target, domain: host.name, port }
    const checkedAt = ctx.now().toISOString()
    try {
      // Servers choose a certificate by host name; no name is sent for an IP address.
      const peer = await ctx.tls(host.name, port, host.isIp ? "" : host.name)
      yield { ...named, ...certificateFields(peer, host, ctx), error: null, checkedAt }
    } catch (error) {
      assertScrapeError(error, ctx)
      const scrapeError =
        error instanceof NotFound ? new Unreachable(error.message, "dns", { cause: error }) : error
      yield { ...named, ...noCertificate, ...errorItem(scrapeError, named), checkedAt }
    }
  },
})

/** Fields of an item for a host that presented no certificate. */
const noCertificate = {
  status: "error",
  isValid: false,
  ...Object.fromEntries(
    Object.entries(item.properties)
      .filter(([, schema]) => "anyOf" in schema)
      .map(([name]) => [name, null]),
  ),
  subjectAltNames: [],
  chain: [],
}

function certificateFields(peer: TlsPeer, host: Host, ctx: Context) {
  const leaf = peer.peerCertificate as Certificate | undefined
  const validTo = certificateDate(leaf?.valid_to)
  if (!leaf || validTo === null) {
    throw new Unreachable(`${host.name} presented no certificate.`, "tls")
  }
  const validFrom = certificateDate(leaf.valid_from)
  const now = ctx.now().getTime()
  const daysRemaining = Math.floor((Date.parse(validTo) - now) / dayMs)
  const names = altNames(leaf).all
  const matches = nameMatches(host.name, host.isIp, leaf)
  // The name is checked after the chain, so a name error means that the chain is trusted.
  const trusted = peer.authorized || peer.authorizationError === "ERR_TLS_CERT_ALTNAME_INVALID"
  const status =
    Date.parse(validTo) < now
      ? "expired"
      : validFrom !== null && Date.parse(validFrom) > now
        ? "not-yet-valid"
        : !trusted || !matches
          ? "invalid"
          : daysRemaining <= soonDays
            ? "expiring-soon"
            : "valid"
  return {
    status,
    isValid: status === "valid" || status === "expiring-soon",
    daysRemaining,
    validFrom,
    validTo,
    ...certificate.read({ peer, leaf, names, trusted, matches }),
  } as const
}

function keyType({ leaf }: Visible): string | null {
  return leaf.asn1Curve ? "EC" : leaf.modulus ? "RSA" : null
}

function commonName(holder: "subject" | "issuer") {
  return (certificate: Certificate) =>
    nameField(certificate[holder], "CN") ?? nameField(certificate[holder], "O")
}
