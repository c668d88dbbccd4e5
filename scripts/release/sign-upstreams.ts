/**
 * `bun scripts/release/sign-upstreams.ts --sequence 12 [--days 60] [--out upstreams.json]` writes
 * the compiled tables of site constants as a signed file for `trawl upstreams update`. Set
 * UPSTREAMS_SIGNING_KEY to the private key. `--new-key` creates a key pair, writes its public key
 * into the sources and prints the private one.
 */
import { createPrivateKey, generateKeyPairSync, sign } from "node:crypto"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { upstreamTables } from "../../src/catalogue/site-constants.ts"
import type { PublishedTables } from "../../src/engine/fetch/site-constants/published.ts"

const dayMs = 86_400_000

export interface Issue {
  sequence: number
  issuedAt: Date
  days: number
  /** Ed25519, PKCS#8 in base64. */
  privateKey: string
  tables?: PublishedTables["tables"]
}

/** Returns the tables of this version. */
const compiled = () =>
  Object.fromEntries(upstreamTables.map(({ site, asOf, values }) => [site, { asOf, values }]))

/** Returns the text of a signed file. */
export function signedTables(issue: Issue): string {
  const { sequence, issuedAt, days, privateKey, tables = compiled() } = issue
  const expiresAt = new Date(issuedAt.getTime() + days * dayMs)
  const published: PublishedTables = {
    format: 1,
    sequence,
    issuedAt: issuedAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
    tables,
  }
  const payload = JSON.stringify(published)
  const key = createPrivateKey({
    key: Buffer.from(privateKey, "base64"),
    format: "der",
    type: "pkcs8",
  })
  const signature = sign(null, Buffer.from(payload), key).toString("base64")
  return `${JSON.stringify({ payload, signature })}\n`
}

/** Creates a key pair in base64. */
export function newKey(): { publicKey: string; privateKey: string } {
  const { publicKey, privateKey } = generateKeyPairSync("ed25519")
  return {
    publicKey: publicKey.export({ format: "der", type: "spki" }).toString("base64"),
    privateKey: privateKey.export({ format: "der", type: "pkcs8" }).toString("base64"),
  }
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: {
      sequence: { type: "string" },
      days: { type: "string", default: "60" },
      out: { type: "string", default: "upstreams.json" },
      "new-key": { type: "boolean", default: false },
    },
  })
  if (values["new-key"]) {
    const { publicKey, privateKey } = newKey()
    const path = join(import.meta.dir, "../../src/engine/fetch/site-constants/publisher-key.ts")
    const source = await Bun.file(path).text()
    await Bun.write(path, source.replace(/publisherKey = "[^"]*"/, `publisherKey = "${publicKey}"`))
    console.log(`Keep this as the secret UPSTREAMS_SIGNING_KEY:\n${privateKey}`)
  } else {
    const privateKey = process.env.UPSTREAMS_SIGNING_KEY
    const sequence = Number(values.sequence)
    if (!privateKey) throw new Error("Set UPSTREAMS_SIGNING_KEY to the private key.")
    if (!Number.isSafeInteger(sequence) || sequence < 1) {
      throw new Error(
        "Set the file's number with --sequence, for example --sequence 12: one more than the last.",
      )
    }
    const issue = { sequence, issuedAt: new Date(), days: Number(values.days), privateKey }
    await Bun.write(values.out, signedTables(issue))
    console.log(`${values.out} is number ${sequence}.`)
  }
}
