import { existsSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { adminPrefix } from "../../api/admin/prefix.ts"
import type { Config } from "../../config/config.ts"
import {
  callOwnService,
  type OwnCall,
  type OwnResponse,
} from "../../engine/net/network/own-service.ts"
import { isLocked } from "../../store/folder-lock.ts"
import { databasePath } from "../../store/upkeep/data-folder.ts"
import { readServiceFile, type ServiceFile } from "../../store/upkeep/service-file.ts"
import { readSettings } from "./settings.ts"

/** A refused request, with the message of the service. */
export class Refused extends Error {}

/** Maximum wait for the URL of a service that has just started, in milliseconds. */
const startMs = 10_000
const againMs = 100

/** Calls the admin API as an administrator, one request at a time. */
export interface Operator {
  // biome-ignore lint/suspicious/noExplicitAny: an answer is what its route documents
  call(method: string, path: string, body?: unknown): Promise<any>
}

/**
 * Calls the service that uses the data folder. If none runs, the same routes are called in this process.
 * Paths are those under /api/admin/v1. @throws Refused
 */
async function operate<T>(
  work: (operator: Operator) => Promise<T>,
  onlyLooks: boolean,
): Promise<T> {
  const config = readSettings()
  const file = await runningService(config.dataDir)
  if (file) return work(operatorBy((call) => callOwnService(file, call)))
  const isThere = Boolean(config.databaseUrl) || existsSync(databasePath(config.dataDir))
  // Loaded only here, because it takes as long as all else of a command that calls a service.
  const { callInProcess } = await import("./in-process.ts")
  const locally = (config: Config) => callInProcess(config, (send) => work(operatorBy(send)))
  if (!onlyLooks || isThere) return locally(config)
  // A command that only reads must not create the data folder.
  const folder = mkdtempSync(join(tmpdir(), "trawl-look-"))
  try {
    return await locally({ ...config, dataDir: folder })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Returns the running service; undefined if none runs. */
async function runningService(dataDir: string): Promise<ServiceFile | undefined> {
  for (let waited = 0; isLocked(dataDir); waited += againMs) {
    const file = readServiceFile(dataDir)
    if (file) return file
    if (waited >= startMs) {
      throw new Refused(
        `A service uses ${dataDir}, but it did not publish its URL within ${startMs / 1000} s; restart it.`,
      )
    }
    await Bun.sleep(againMs)
  }
  return undefined
}

function operatorBy(send: (call: OwnCall) => Promise<OwnResponse>): Operator {
  return {
    async call(method, path, body) {
      const { status, text } = await send({ method, path: adminPrefix + path, body })
      if (status < 300) return text === "" ? undefined : JSON.parse(text)
      throw new Refused(refusalIn(text) ?? `The service returned status ${status}.`)
    },
  }
}

function refusalIn(text: string): string | undefined {
  try {
    // The command line has no body or query.
    return JSON.parse(text).error?.message?.replace(/^The (?:body|query|input) is not valid: /, "")
  } catch {
    return undefined
  }
}

/** Returns the path of an account, by its ID or email address. */
export const named = (account: string) => `/accounts/${encodeURIComponent(account)}`

/** Runs a command. Prints the message of a refusal, with exit code 2. */
export async function acting(
  work: (by: Operator) => Promise<void>,
  { onlyLooks = false } = {},
): Promise<void> {
  try {
    await operate(work, onlyLooks)
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    console.error(error.message)
    process.exitCode = 2
  }
}

/** Prints a whole list page by page, one entry per line. */
export async function printRows<Row>(
  by: Operator,
  path: string,
  line: (row: Row) => string,
  filter: Record<string, string> = {},
): Promise<void> {
  let cursor: string | null = ""
  do {
    const page: { items: Row[]; nextCursor: string | null } = await by.call(
      "GET",
      `${path}?${new URLSearchParams({ limit: "1000", ...filter, ...(cursor && { cursor }) })}`,
    )
    for (const row of page.items) console.log(line(row))
    cursor = page.nextCursor
  } while (cursor !== null)
}
