import { existsSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { adminApi } from "../api/admin/admin.ts"
import { adminPrefix } from "../api/admin/prefix.ts"
import { createLog } from "../api/log/log.ts"
import { Service } from "../api/service.ts"
import { type Config, publicRoot } from "../config.ts"
import {
  callOwnService,
  type OwnCall,
  type OwnResponse,
} from "../engine/net/network/own-service.ts"
import type { RunService } from "../engine/runtime/workers/runs.ts"
import { isLocked } from "../store/folder-lock.ts"
import { databasePath, openStoreAt } from "../store/store.ts"
import { readServiceFile, type ServiceFile } from "../store/upkeep/service-file.ts"
import { readSettings } from "./settings.ts"

/** What was asked for was refused; the message is the service's. */
export class Refused extends Error {}

/** A service that has just been started says in a moment where it is. */
const startMs = 10_000
const againMs = 100

/** Does one thing after the other as an owner. */
export interface Operator {
  // biome-ignore lint/suspicious/noExplicitAny: an answer is what its route documents
  call(method: string, path: string, body?: unknown): Promise<any>
}

/**
 * Has the service do it that serves from the data folder; where none does, the same routes do it
 * here. Paths are those under /api/admin/v1. @throws Refused
 */
async function operate<T>(
  work: (operator: Operator) => Promise<T>,
  onlyLooks: boolean,
): Promise<T> {
  const config = readSettings()
  const file = await runningService(config.dataDir)
  if (file) return work(operatorBy((call) => callOwnService(file, call)))
  const isThere = Boolean(config.databaseUrl) || existsSync(databasePath(config.dataDir))
  if (!onlyLooks || isThere) return offline(config, work)
  // To look at what is not there must not make it.
  const folder = mkdtempSync(join(tmpdir(), "trawl-look-"))
  try {
    return await offline({ ...config, dataDir: folder }, work)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Undefined where no service runs. */
async function runningService(dataDir: string): Promise<ServiceFile | undefined> {
  for (let waited = 0; isLocked(dataDir); waited += againMs) {
    const file = readServiceFile(dataDir)
    if (file) return file
    if (waited >= startMs) {
      throw new Refused(
        `A service serves from ${dataDir}, but it does not say where it is reached.`,
      )
    }
    await Bun.sleep(againMs)
  }
  return undefined
}

async function offline<T>(config: Config, work: (operator: Operator) => Promise<T>): Promise<T> {
  const store = await openStoreAt(config)
  // A thread that goes on keeps the command from its end.
  let after = () => {}
  try {
    const { log } = createLog({ logLevel: "silent" })
    const token = crypto.randomUUID()
    // None is started.
    const runs = undefined as unknown as RunService
    const service = await Service.open({ config, store, runs, log, operatorToken: token })
    const api = adminApi(service)
    const root = publicRoot(config, config.port)
    after = () => service.dispatcher.mailer.stop()
    return await work(
      operatorBy(async ({ method, path, body }) => {
        const response = await api.handle(
          new Request(`${root}${path}`, {
            method,
            headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
            ...(body !== undefined && { body: JSON.stringify(body) }),
          }),
        )
        return { status: response.status, text: await response.text() }
      }),
    )
  } finally {
    after()
    await store.close()
  }
}

function operatorBy(send: (call: OwnCall) => Promise<OwnResponse>): Operator {
  return {
    async call(method, path, body) {
      const { status, text } = await send({ method, path: adminPrefix + path, body })
      if (status < 300) return text === "" ? undefined : JSON.parse(text)
      throw new Refused(refusalIn(text) ?? `The service answered ${status}.`)
    },
  }
}

function refusalIn(text: string): string | undefined {
  try {
    return JSON.parse(text).error?.message
  } catch {
    return undefined
  }
}

/** The path of an account, by its id or address. */
export const named = (account: string) => `/accounts/${encodeURIComponent(account)}`

/** What is refused is told in a sentence; exit code 2. */
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

/** Prints a whole list, a line an entry, page by page. */
export async function tellRows<Row>(
  by: Operator,
  path: string,
  line: (row: Row) => string,
): Promise<void> {
  let cursor: string | null = ""
  do {
    const page: { items: Row[]; nextCursor: string | null } = await by.call(
      "GET",
      `${path}?limit=1000${cursor && `&cursor=${cursor}`}`,
    )
    for (const row of page.items) console.log(line(row))
    cursor = page.nextCursor
  } while (cursor !== null)
}
