import { createPublicKey, verify } from "node:crypto"
import { messageOf } from "../../../base/error-message.ts"
import { dayMs } from "../../../base/time.ts"
import type { UpstreamTable } from "../../../catalogue/kit/index.ts"
import { layOver } from "./override.ts"

/** The names of the files in the data folder: what is in force, and what was before it. */
export const publishedName = "upstreams-published.json"
export const previousName = "upstreams-published.previous.json"

export const maxPublishedBytes = 1_000_000
/** A clock may differ by this much from that of the machine that signed. */
const clockSkewMs = dayMs
const knownFormat = 1

/** Tables of site constants as the project publishes them. */
export interface PublishedTables {
  format: number
  /** Rises with each file. */
  sequence: number
  issuedAt: string
  expiresAt: string
  /** By site; `asOf` is the day on which the values were last seen in use. */
  tables: Record<string, { asOf: string; values: Record<string, unknown> }>
}

/** What is wrong with a published file, as a sentence for the operator. */
export class RefusedTables extends Error {}

export interface Check {
  /** Ed25519, SPKI in base64. */
  publicKey: string
  now: number
  /** Of the file that is in force; 0 without one. */
  heldSequence: number
  tables: readonly UpstreamTable[]
}

/**
 * Reads a published file.
 * @throws RefusedTables for a file that is cut off, not signed by the key, older than the one in force,
 * expired, or of values that a table does not take
 */
export function readPublished(text: string, check: Check): PublishedTables {
  const { payload, signature } = envelopeOf(text)
  if (!isSigned(payload, signature, check.publicKey)) {
    throw new RefusedTables(
      "Its signature does not match: it was not made with Trawl's key, or it was changed on the way.",
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
    parsed = JSON.parse(text)
  } catch (error) {
    throw new RefusedTables(`It is not complete JSON: ${messageOf(error)}`)
  }
  const { payload, signature } = (parsed ?? {}) as Record<string, unknown>
  if (typeof payload !== "string" || typeof signature !== "string" || signature === "") {
    throw new RefusedTables("It is not signed: it holds no payload with a signature.")
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
      `It is of format ${read.format}; this version reads format ${knownFormat}.`,
    )
  }
  const times = [Date.parse(read.issuedAt), Date.parse(read.expiresAt)]
  if (!Number.isSafeInteger(read.sequence) || read.sequence < 1 || times.some(Number.isNaN)) {
    throw new RefusedTables("It lacks a sequence number, or the times at which it begins and ends.")
  }
  return read
}

function requireTimely({ sequence, issuedAt, expiresAt }: PublishedTables, check: Check): void {
  const { now, heldSequence } = check
  if (sequence < heldSequence) {
    throw new RefusedTables(
      `It is number ${sequence}, and number ${heldSequence} is in force: an older file is never applied.`,
    )
  }
  if (Date.parse(issuedAt) > now + clockSkewMs) {
    throw new RefusedTables(
      `It was issued at ${issuedAt}, and this machine's clock says ${new Date(now).toISOString()}: check the clock.`,
    )
  }
  if (Date.parse(expiresAt) <= now) {
    throw new RefusedTables(`It expired at ${expiresAt}: fetch a newer one, or check the clock.`)
  }
}

/** Sites that this version does not know are left out; a value of another kind refuses the whole. */
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
