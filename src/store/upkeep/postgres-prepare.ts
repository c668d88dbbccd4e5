import { existsSync } from "node:fs"
import type { SQL } from "bun"
import { messageOf } from "../../base/error-message.ts"
import { learnOwner } from "../accounts/accounts.ts"
import { kyselyOn } from "../db/database.ts"
import { openPostgres } from "../db/postgres/client.ts"
import { withCode } from "../db/postgres/errors.ts"
import { DataRefused } from "../db/refused.ts"
import { keyPath, makeDataFolder, readableByOthers } from "./data-folder.ts"
import { migratePostgres, pendingIn } from "./postgres-migrate.ts"
import { lostSentence, openSentence, type Prepared } from "./prepare.ts"
import { SecretBox } from "./secret-box.ts"

/**
 * Creates or upgrades the tables, and checks the encryption key that all processes share. @throws
 * DataRefused
 */
export async function preparePostgres(dataDir: string, url: string): Promise<Prepared> {
  makeDataFolder(dataDir)
  const client = openPostgres(url, 1)
  try {
    await migratePostgres(client)
    const secrets = await sharedSecretBox(client, keyPath(dataDir))
    const lost = (await secretsOf(client)).filter((secret) => !secrets.opens(secret)).length
    const open = readableByOthers(dataDir)
    return {
      secrets,
      warnings: [
        ...(open.length > 0 ? [openSentence(open)] : []),
        ...(lost > 0 ? [lostSentence(dataDir, lost)] : []),
      ],
    }
  } catch (error) {
    throw error instanceof DataRefused ? error : refusal(withCode(error))
  } finally {
    await client.close({ timeout: 1 })
  }
}

/**
 * Returns the pending migrations without changing anything. @throws DataRefused if a process could
 * not use the database
 */
export async function inspectPostgres(dataDir: string, url: string): Promise<string[]> {
  const client = openPostgres(url, 1)
  try {
    const pending = await pendingIn(client)
    const path = keyPath(dataDir)
    const [row] =
      pending.length > 0 ? [] : await client`SELECT value FROM secrets WHERE name = 'key'`
    if (row && !(existsSync(path) && SecretBox.at(path).has(row.value))) throw otherKey(path)
    return pending
  } catch (error) {
    throw error instanceof DataRefused ? error : refusal(withCode(error))
  } finally {
    await client.close({ timeout: 1 })
  }
}

/**
 * Reads the shared encryption key, which the first process creates; the others need its file.
 * @throws DataRefused
 */
async function sharedSecretBox(client: SQL, path: string): Promise<SecretBox> {
  const [row] = await client`SELECT value FROM secrets WHERE name = 'key'`
  if (!row) {
    const secrets = SecretBox.at(path)
    const [first] = await client`
      INSERT INTO secrets (name, value) VALUES ('key', ${secrets.name})
      ON CONFLICT (name) DO UPDATE SET value = secrets.value RETURNING value`
    return sameSecretBox(secrets, first.value, path)
  }
  if (!existsSync(path)) throw otherKey(path)
  return sameSecretBox(SecretBox.at(path), row.value, path)
}

function sameSecretBox(secrets: SecretBox, name: string, path: string): SecretBox {
  if (!secrets.has(name)) throw otherKey(path)
  return secrets
}

const otherKey = (path: string) =>
  new DataRefused(
    `All processes of one service encrypt its secrets with the same key. Copy trawl.key from the data folder of the first process to ${path}.`,
  )

async function secretsOf(client: SQL): Promise<string[]> {
  const rows: { secret: string }[] = await client`SELECT secret FROM webhooks`
  return rows.map(({ secret }) => secret)
}

function refusal(error: unknown): unknown {
  const { code } = (error ?? {}) as { code?: string }
  if (!code?.startsWith("POSTGRES_")) return error
  return new DataRefused(
    `The database at TRAWL_DATABASE_URL cannot be used: ${messageOf(error)}. Check its host, user and password.`,
    { cause: error },
  )
}

/** Opens a database for reading, in the thread that responds to calls. */
export async function openForCalls(url: string) {
  const db = kyselyOn(openPostgres(url, answeringConnections))
  await learnOwner(db)
  return db
}

const answeringConnections = 6
