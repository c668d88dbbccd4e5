import { Type } from "@sinclair/typebox"
import { type Host, readHost } from "../../extract/domains.ts"
import { integerOrNull } from "../../extract/numbers.ts"
import { textOrNull } from "../../extract/text.ts"
import type { Context, TlsPeer } from "../context.ts"
import { defineScraper } from "../define.ts"
import {
  booleanField,
  inputObject,
  integerField,
  itemObject,
  nullable,
  oneOf,
  textField,
  textsField,
} from "../fields.ts"
import { inputs } from "../inputs.ts"
import { BadInput, errorItem, NotFound, Outcome, Unreachable } from "../outcome.ts"
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

const item = itemObject({
  input: Type.String({ description: "The domain as it was given." }),
  domain: Type.String({ description: "Host that was asked." }),
  port: Type.Integer({ description: "Port that was asked." }),
  status: oneOf(["valid", "expiring-soon", "expired", "not-yet-valid", "invalid", "error"], {
    description: `invalid: the name or the chain is wrong; expiring-soon: ${soonDays} days or less; error: no certificate.`,
  }),
  isValid: Type.Boolean({ description: "Dates, name and chain are all right." }),
  daysRemaining: integerField("Whole days until it ends; negative once it has."),
  validFrom: textField("When it begins (ISO 8601, UTC)."),
  validTo: textField("When it ends."),
  subjectCommonName: textField("Common name that it was issued to."),
  subjectOrganization: textField("Organisation that it was issued to."),
  subjectAltNames: textsField("Names and addresses it is for."),
  issuerCommonName: textField("Common name of the issuer."),
  issuerOrganization: textField("Organisation of the issuer."),
  issuerCountry: textField("Country of the issuer."),
  serialNumber: textField("Serial number, in hex."),
  fingerprintSha1: textField("SHA-1 fingerprint."),
  fingerprintSha256: textField("SHA-256 fingerprint."),
  keyType: textField("RSA or EC."),
  keyBits: integerField("Length of the key in bits."),
  chain: Type.Array(
    itemObject({
      subject: nullable(Type.String()),
      issuer: nullable(Type.String()),
      validTo: nullable(Type.String()),
      fingerprintSha256: nullable(Type.String()),
    }),
    { description: "Certificates from this one up, by their common names." },
  ),
  chainTrusted: booleanField("The chain leads to a root that is trusted."),
  authorizationError: textField("What the TLS library holds against it, such as CERT_HAS_EXPIRED."),
  nameMatches: booleanField("It is for the host that was asked."),
  isWildcard: booleanField("It is for all names of one level below a domain."),
  isSelfSigned: booleanField("It was issued by itself."),
  protocol: textField("TLS version of the connection."),
  cipher: textField("Cipher of the connection."),
  ip: textField("Address that was connected to."),
  error: Type.Null({ description: "Why there is no certificate; null where there is one." }),
  checkedAt: Type.String({ description: "When this was checked." }),
})

export default defineScraper({
  slug: "certificate-expiry-monitor",
  name: "Certificate Expiry Monitor",
  tagline: "When do the TLS certificates of your domains expire, and are they valid?",
  category: "network",
  tier: "free",
  input: inputObject({
    domains: inputs.texts("Hosts, with a port where it is not 443, or addresses.", { max: 200 }),
  }),
  item,
  example: { domains: ["example.com"] },
  concurrency: 10,
  targets: (input) => input.domains,

  async *scrape(target, ctx) {
    const host = readHost(target)
    if (!host)
      throw new BadInput(`"${target}" is not a host; write "example.com" or "example.com:8443".`)
    const port = host.port ?? 443
    const named = { input: target, domain: host.name, port }
    const checkedAt = ctx.now().toISOString()
    try {
      // Servers choose a certificate by name; for a bare address no name is sent.
      const peer = await ctx.tls(host.name, port, host.isIp ? "" : host.name)
      yield { ...named, ...certificateFields(peer, host, ctx), error: null, checkedAt }
    } catch (error) {
      ctx.signal.throwIfAborted()
      if (!(error instanceof Outcome)) throw error
      const outcome =
        error instanceof NotFound ? new Unreachable(error.message, "dns", { cause: error }) : error
      yield { ...named, ...noCertificate, ...errorItem(outcome, named), checkedAt }
    }
  },
})

/** The fields of an item for a host that showed no certificate. */
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
    throw new Unreachable(`${host.name} showed no certificate.`, "tls")
  }
  const validFrom = certificateDate(leaf.valid_from)
  const now = ctx.now().getTime()
  const daysRemaining = Math.floor((Date.parse(validTo) - now) / dayMs)
  const names = altNames(leaf).all
  const matches = nameMatches(host.name, host.isIp, leaf)
  // The name is judged after the chain, so a wrong name says that the chain was good.
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
    subjectCommonName: nameField(leaf.subject, "CN"),
    subjectOrganization: nameField(leaf.subject, "O"),
    subjectAltNames: names,
    issuerCommonName: nameField(leaf.issuer, "CN"),
    issuerOrganization: nameField(leaf.issuer, "O"),
    issuerCountry: nameField(leaf.issuer, "C"),
    serialNumber: textOrNull(leaf.serialNumber),
    fingerprintSha1: textOrNull(leaf.fingerprint),
    fingerprintSha256: textOrNull(leaf.fingerprint256),
    keyType: leaf.asn1Curve ? "EC" : leaf.modulus ? "RSA" : null,
    keyBits: integerOrNull(leaf.bits),
    chain: chainOf(leaf).map((one) => ({
      subject: nameField(one.subject, "CN") ?? nameField(one.subject, "O"),
      issuer: nameField(one.issuer, "CN") ?? nameField(one.issuer, "O"),
      validTo: certificateDate(one.valid_to),
      fingerprintSha256: textOrNull(one.fingerprint256),
    })),
    chainTrusted: trusted,
    authorizationError: textOrNull(peer.authorizationError),
    nameMatches: matches,
    isWildcard: names.some((name) => name.startsWith("*.")),
    isSelfSigned: isSelfSigned(leaf),
    protocol: textOrNull(peer.protocol),
    cipher: textOrNull((peer.cipher as { name?: string } | null | undefined)?.name),
    ip: textOrNull(peer.remoteAddress),
  } as const
}
