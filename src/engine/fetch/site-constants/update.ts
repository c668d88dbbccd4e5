import { join } from "node:path"
import type { UpstreamTable } from "../../../catalogue/kit/index.ts"
import { makeDataFolder } from "../../../store/upkeep/data-folder.ts"
import type { Transport } from "../../net/http/exchange.ts"
import { maxPublishedBytes, publishedName, RefusedTables, readPublished } from "./published.ts"
import { applyTables, heldTables } from "./published-files.ts"

export interface UpdateOptions {
  dataDir: string
  /** Ed25519, SPKI in base64. */
  publicKey: string
  tables: readonly UpstreamTable[]
  now: number
}

/**
 * Applies the tables of a published file if they are newer, and returns a summary.
 * @throws RefusedTables
 */
export function applyPublished(text: string, options: UpdateOptions): string {
  const { dataDir, publicKey, tables, now } = options
  const heldSequence = heldTables(join(dataDir, publishedName))?.sequence ?? 0
  const published = readPublished(text, { publicKey, now, heldSequence, tables })
  const { sequence, expiresAt } = published
  if (sequence === heldSequence)
    return `Number ${sequence} has already been applied; there is nothing newer.`
  makeDataFolder(dataDir)
  applyTables(dataDir, published)
  const newer = tables.filter(({ site, asOf }) => (published.tables[site]?.asOf ?? "") >= asOf)
  const names = newer.map(({ site }) => site).join(", ")
  return `Number ${sequence} is in use until ${expiresAt} at the latest: ${names || "no table is newer than the compiled one"}.`
}

const maxRedirects = 5
const timeoutMs = 60_000

/** Returns the text at a URL after redirects. @throws RefusedTables for a status other than 200 */
export async function publishedAt(
  source: string,
  transport: Transport,
  signal: AbortSignal,
): Promise<string> {
  let url = source
  for (let hop = 0; hop <= maxRedirects; hop++) {
    const request = { method: "GET", url, headers: new Headers({ accept: "application/json" }) }
    const limits = { maxBytes: maxPublishedBytes, timeoutMs, signal }
    const { status, headers, bytes } = await transport.send({ ...request, ...limits })
    const location = headers.get("location")
    if (status === 200) return new TextDecoder().decode(bytes)
    if (status < 300 || status >= 400 || !location) {
      throw new RefusedTables(`${url} returned status ${status}.`)
    }
    url = new URL(location, url).href
  }
  throw new RefusedTables(`${source} redirects more than ${maxRedirects} times.`)
}
