import { createPublicKey, verify } from "node:crypto"
import { messageOf } from "../../../base/error-message.ts"
import { parseJson } from "../../../base/json-text.ts"
import { dayMs } from "../../../base/time.ts"
import type { UpstreamTable } from "../../../catalogue/kit/index.ts"
import { layOver } from "./override.ts"

/** Names of the files in the data folder: the tables in use, and the previous ones. */
export const publishedName = "upstreams-published.json"
export const previousName = "upstreams-published.previous.json"

export const maxPublishedBytes = 1_000_000
/** Maximum difference between this machine's clock and the signing machine's. */
const clockSkewMs = dayMs
const knownFormat = 1

/** Tables of site constants as the project publishes them. */
export interface PublishedTables {
  format: number
  /** Increases with each file. */
  sequence: number
  issuedAt: string
  expiresAt: string
  /** Tables by site; `asOf` is the last day on which the values were seen in use. */
  tables: Record<string, { asOf: string; values: Record<string, unknown> }>
}

/** A published file that is refused; the message is for the operator. */
export class RefusedTables extends Error {}

export interface Check {
  /** Ed25519, SPKI in base64. */
  publicKey: string
  now: number
  /** Sequence number of the file in use; 0 without one. */
  heldSequence: number
  tables: readonly UpstreamTable[]
}

/**
 * Reads a published file.
 * @throws RefusedTables for a file that is truncated, not signed by the key, older than the one in
 * use, expired, or with values that a table does not accept
 */
export function readPublished(text: string, check: Check): PublishedTables {
  const { payload, signature } = envelopeOf(text)
  if (!isSigned(payload, signature, check.publicKey)) {
    throw new RefusedTables(
      "The signature does not match: the file was not signed with Trawl's key, or it was changed.",
    )
  }
  const published = payloadOf(payload)
  requireTimely(published, check)
  requireFitting(published, check.tables)
  return published
}

function envelopeOf(text: string): { payload: string; signature: string } {
  let parsed: unknown
  try {
    parsed = parseJson(text)
  } catch (error) {
    throw new RefusedTables(`The file is not valid JSON: ${messageOf(error)}.`)
  }
  const { payload, signature } = (parsed ?? {}) as Record<string, unknown>
  if (typeof payload !== "string" || typeof signature !== "string" || signature === "") {
    throw new RefusedTables("The file is not signed: it has no payload with a signature.")
  }
  return { payload, signature }
}

function isSigned(payload: string, signature: string, publicKey: string): boolean {
  try {
    const der = Buffer.from(publicKey, "base64")
    const key = createPublicKey({ key: der, format: "der", type: "spki" })
    return verify(null, Buffer.from(payload), key, Buffer.from(signature, "base64"))
  } catch {
    return false
  }
}

function payloadOf(payload: string): PublishedTables {
  const read = JSON.parse(payload) as PublishedTables
  if (read.format !== knownFormat) {
    throw new RefusedTables(
      `The file has format ${read.format}; this version of Trawl reads format ${knownFormat}.`,
    )
  }
  const times = [Date.parse(read.issuedAt), Date.parse(read.expiresAt)]
  if (!Number.isSafeInteger(read.sequence) || read.sequence < 1 || times.some(Number.isNaN)) {
    throw new RefusedTables("The file lacks a sequence number, or its start and expiry times.")
  }
  return read
}

function requireTimely({ sequence, issuedAt, expiresAt }: PublishedTables, check: Check): void {
  const { now, heldSequence } = check
  if (sequence < heldSequence) {
    throw new RefusedTables(
      `The file has number ${sequence}, and number ${heldSequence} is in use: an older file is never applied.`,
    )
  }
  if (Date.parse(issuedAt) > now + clockSkewMs) {
    throw new RefusedTables(
      `The file was issued at ${issuedAt}, but this machine's clock shows ${new Date(now).toISOString()}: check the clock.`,
    )
  }
  if (Date.parse(expiresAt) <= now) {
    throw new RefusedTables(
      `The file expired at ${expiresAt}. Fetch a newer one, or check the clock.`,
    )
  }
}

/**
 * Ignores sites that this version does not have, and refuses the file if a value has the wrong
 * type.
 */
function requireFitting({ tables }: PublishedTables, known: readonly UpstreamTable[]): void {
  for (const table of known) {
    const published = tables?.[table.site]
    if (!published) continue
    const [issue] = layOver(table, table.values, published.values).issues
    if (!issue) continue
    const path = [table.site, issue.path].filter(Boolean).join(".")
    throw new RefusedTables(`Its table does not fit this version: ${path} ${issue.sentence}`)
  }
}
