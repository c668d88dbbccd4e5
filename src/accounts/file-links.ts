import { createHmac } from "node:crypto"
import type { Db } from "../store/db/database.ts"
import { ownSecret } from "../store/settings/secrets.ts"
import { sameHash } from "./secrets.ts"

/** Lifetime of a link in seconds. */
const goodFor = 24 * 3600

/** Returns the URL parameters that open one file of an account for a day. */
export async function fileLink(db: Db, id: string, now = new Date()): Promise<string> {
  const until = Math.floor(now.getTime() / 1000) + goodFor
  return `until=${until}&signature=${await signature(db, id, String(until))}`
}

/** Whether URL parameters give access to a file. */
export async function opensFile(
  db: Db,
  id: string,
  { until, signature: provided }: { until?: string | undefined; signature?: string | undefined },
  now = new Date(),
): Promise<boolean> {
  if (until === undefined || provided === undefined || Number(until) * 1000 < now.getTime()) {
    return false
  }
  return sameHash(await signature(db, id, until), provided)
}

async function signature(db: Db, id: string, until: string): Promise<string> {
  const secret = await ownSecret(db, "files")
  return createHmac("sha256", secret).update(`${id} ${until}`).digest("hex")
}
