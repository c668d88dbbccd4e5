import type { Database } from "bun:sqlite"
import { createCipheriv, createDecipheriv, createHash, createHmac, randomBytes } from "node:crypto"
import { readFileSync, writeFileSync } from "node:fs"
import { DataRefused } from "../db/refused.ts"

/** Thrown for a value that is encrypted with a key that is not in the key file. */
export class KeyLost extends Error {
  constructor() {
    super(
      "The secret of this channel cannot be read: the service's key file does not have the key it was encrypted with. Rotate the secret, or enter the channel's destination again.",
    )
  }
}

const mark = "sealed:"
const algorithm = "aes-256-gcm"
const ivLength = 12
const tagLength = 16

/**
 * Encrypts values that the service must read, but not a person with a copy of its database: AES-GCM
 * with the key in the key file. `of` identifies the owner of the text; decrypting it as another
 * one's fails.
 */
export class SecretBox {
  private readonly keys: ReadonlyMap<string, Buffer>

  /** The first key encrypts; each key decrypts its own values. */
  private constructor(private readonly list: readonly [Buffer, ...Buffer[]]) {
    this.keys = new Map(list.map((key) => [nameOf(key), key]))
  }

  /** Reads the keys of a file, one per line; creates the file if it is missing. @throws DataRefused */
  static at(path: string): SecretBox {
    const [first, ...rest] = readKeys(path)
    if (!first) {
      throw new DataRefused(
        `${path} contains no key (64 hexadecimal digits per line). Restore the right file, or move this one away.`,
      )
    }
    return new SecretBox([first, ...rest])
  }

  /** The ID of the key that encrypts. */
  get name(): string {
    return nameOf(this.list[0])
  }

  /** Returns whether it can decrypt values of a key with this ID. */
  has(name: string): boolean {
    return this.keys.has(name)
  }

  close(text: string, of: string): string {
    const [key] = this.list
    const iv = randomBytes(ivLength)
    const cipher = createCipheriv(algorithm, key, iv).setAAD(Buffer.from(of))
    const encrypted = Buffer.concat([
      iv,
      cipher.update(text, "utf8"),
      cipher.final(),
      cipher.getAuthTag(),
    ])
    return `${mark}${nameOf(key)}:${encrypted.toString("base64")}`
  }

  /** @throws KeyLost */
  open(encrypted: string, of: string): string {
    const [name = "", text = ""] = encrypted.slice(mark.length).split(":")
    const key = this.keys.get(name)
    if (!encrypted.startsWith(mark) || !key) throw new KeyLost()
    const bytes = Buffer.from(text, "base64")
    const end = bytes.length - tagLength
    const decipher = createDecipheriv(algorithm, key, bytes.subarray(0, ivLength))
      .setAAD(Buffer.from(of))
      .setAuthTag(bytes.subarray(end))
    const opened = decipher.update(bytes.subarray(ivLength, end))
    return Buffer.concat([opened, decipher.final()]).toString("utf8")
  }

  /** Returns a secret for one purpose, the same each time. */
  derive(purpose: string): string {
    return createHmac("sha256", this.list[0]).update(`derived:${purpose}`).digest("hex")
  }

  opens(encrypted: string): boolean {
    return this.keys.has(encrypted.slice(mark.length).split(":")[0]!)
  }
}

/** Returns an ID of a key that does not reveal it. */
function nameOf(key: Buffer): string {
  return createHash("sha256").update(key).digest("hex").slice(0, 8)
}

function readKeys(path: string): Buffer[] {
  try {
    writeFileSync(path, `${randomBytes(32).toString("hex")}\n`, { flag: "wx", mode: 0o600 })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error
  }
  const lines = readFileSync(path, "utf8").split(/\s+/)
  return lines
    .filter((line) => /^[0-9a-f]{64}$/i.test(line))
    .map((line) => Buffer.from(line, "hex"))
}

interface Secrets {
  id: string
  secret: string
  previous_secret: string | null
}

const isClear = (secret: string | null) => secret !== null && !secret.startsWith(mark)

const secretsOf = (sqlite: Database) =>
  sqlite.query("SELECT id, secret, previous_secret FROM webhooks").all() as Secrets[]

/** Encrypts the secrets that earlier versions stored as plain text. */
export function encryptSecrets(sqlite: Database, secrets: SecretBox): void {
  const clear = secretsOf(sqlite).filter(
    ({ secret, previous_secret }) => isClear(secret) || isClear(previous_secret),
  )
  if (clear.length > 0) encryptAll(sqlite, secrets, clear)
}

/** Returns the number of webhooks whose secret cannot be decrypted. */
export function lostSecrets(sqlite: Database, secrets: SecretBox): number {
  return secretsOf(sqlite).filter(({ secret }) => !isClear(secret) && !secrets.opens(secret)).length
}

/** Returns the number of webhooks whose secret is encrypted. */
export function encryptedSecrets(sqlite: Database): number {
  return secretsOf(sqlite).filter(({ secret }) => !isClear(secret)).length
}

function encryptAll(sqlite: Database, secrets: SecretBox, rows: Secrets[]): void {
  // Overwritten plain text must not remain in the file.
  sqlite.run("PRAGMA secure_delete = ON")
  const closed = (secret: string | null, id: string) =>
    secret !== null && isClear(secret) ? secrets.close(secret, id) : secret
  sqlite
    .transaction(() => {
      for (const { id, secret, previous_secret } of rows) {
        sqlite.run("UPDATE webhooks SET secret = ?, previous_secret = ? WHERE id = ?", [
          closed(secret, id),
          closed(previous_secret, id),
          id,
        ])
      }
    })
    .immediate()
  sqlite.run("PRAGMA wal_checkpoint(TRUNCATE)")
}
