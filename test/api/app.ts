import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { AnyElysia } from "elysia"
import pino from "pino"
import { freshKey } from "../../src/accounts/keys.ts"
import { Passwords } from "../../src/accounts/passwords.ts"
import { createApi } from "../../src/api/api.ts"
import { LogTail } from "../../src/api/log/log-tail.ts"
import { Service } from "../../src/api/service.ts"
import { systemClock } from "../../src/base/clock.ts"
import type { AnyScraper } from "../../src/catalogue/kit/index.ts"
import { type Config, loadConfig } from "../../src/config/config.ts"
import type { Browser } from "../../src/engine/fetch/environment.ts"
import type { Transport } from "../../src/engine/net/http/exchange.ts"
import { Robots } from "../../src/engine/net/http/robots.ts"
import { ModelClient } from "../../src/engine/net/model/client.ts"
import { purge } from "../../src/engine/ops/background/purge.ts"
import { WebhookDispatcher } from "../../src/engine/ops/notifications/dispatcher.ts"
import { createSupervisor, type Supervisor } from "../../src/engine/runtime/workers/supervisor.ts"
import { type Db, kyselyOn, kyselyOver, openSqlite } from "../../src/store/db/database.ts"
import { newId } from "../../src/store/db/ids.ts"
import { openPostgres } from "../../src/store/db/postgres/client.ts"
import { type OwnStore, openStore, openStoreAt } from "../../src/store/store.ts"
import { providedDatabase } from "../migrated.ts"
import { freshDatabase } from "../postgres.ts"
import { Contract } from "./contract.ts"
import { Gate, testScrapers } from "./scrapers.ts"
import { workerInThread } from "./worker-in-thread.ts"

export const root = "http://trawl.test"

export interface CallOptions {
  key?: string | undefined
  /** An object is sent as JSON, a string unchanged. */
  body?: unknown
  headers?: Record<string, string>
}

export interface Answered {
  status: number
  headers: Headers
  text: string
  // biome-ignore lint/suspicious/noExplicitAny: a test reads any JSON response
  body: any
}

/** An account with a key. */
export interface TestAccount {
  id: string
  key: string
}

/** The real hash takes a sixth of a second: passwords.test.ts. */
const quickPasswords = new Passwords({ memoryCost: 8, timeCost: 1 })

/** `TRAWL_TEST_STORE=postgres bun test test/api` runs the same tests on PostgreSQL. */
export const isOnPostgres = process.env.TRAWL_TEST_STORE === "postgres"

async function storeOfTests(dataDir: string, databaseUrl?: string): Promise<OwnStore> {
  if (databaseUrl !== undefined) return openStoreAt({ dataDir, databaseUrl })
  if (!isOnPostgres) return openStore(providedDatabase(dataDir))
  return openStoreAt({ dataDir, databaseUrl: await freshDatabase() })
}

function openWriting({ database, isShared }: OwnStore): Db {
  if (isShared) return kyselyOn(openPostgres(database, 1))
  const sqlite = openSqlite(database, "write")
  // The app's writer is in this thread: a blocking wait would keep it from ending its transaction.
  sqlite.run("PRAGMA busy_timeout = 0")
  return kyselyOver(sqlite)
}

/** The whole API over a temporary data folder; its supervisor's workers are in this thread. */
export class TestApp {
  readonly logged: string[] = []
  private contract?: Contract

  private constructor(
    readonly app: AnyElysia,
    readonly service: Service,
    readonly store: OwnStore,
    readonly runs: Supervisor,
    readonly gate: Gate,
    private readonly folder: string,
    private readonly hasOwnScrapers: boolean,
    lines: string[],
  ) {
    this.logged = lines
  }

  /**
   * @param scrapers Used instead of the test scrapers.
   * @param http The transport of scrapers.
   * @param browser The browser of scrapers.
   */
  static async open(
    settings: Partial<Config> = {},
    ownScrapers?: readonly AnyScraper[],
    operatorToken?: string,
    http?: Transport,
    browser?: Browser,
  ): Promise<TestApp> {
    const folder = settings.dataDir ?? mkdtempSync(join(tmpdir(), "trawl-api-"))
    const store = await storeOfTests(folder, settings.databaseUrl)
    const gate = new Gate()
    const catalogue = ownScrapers ?? testScrapers(gate)
    const config = {
      ...loadConfig({}),
      // Without a public URL, requests from pages and host names elsewhere are rejected.
      ...(settings.trustProxy ? {} : { baseUrl: root }),
      dataDir: folder,
      keylessWait: 2,
      rateLimit: 0,
      signup: "open" as const,
      signupsDaily: 0,
      workers: 1,
      ...settings,
    }
    const { keylessSecrets } = config
    const world = {
      ...(http && { http, robots: new Robots(http, systemClock) }),
      ...(browser && { browser }),
      model: ModelClient.of(config),
      keylessSecrets,
    }
    const runs = createSupervisor({ store, config, startWorker: workerInThread(catalogue, world) })
    const lines: string[] = []
    const logTail = new LogTail()
    const write = (line: string) => {
      lines.push(line)
      logTail.keep(line)
    }
    const log = pino(
      {
        base: undefined,
        timestamp: pino.stdTimeFunctions.isoTime,
        formatters: { level: (level) => ({ level }) },
      },
      { write },
    )
    const service = await Service.open({
      config,
      store,
      runs,
      catalogue,
      log,
      logTail,
      passwords: quickPasswords,
      ...(operatorToken !== undefined && { operatorToken }),
    })
    return new TestApp(
      createApi(service),
      service,
      store,
      runs,
      gate,
      folder,
      ownScrapers !== undefined,
      lines,
    )
  }

  /** Returns a dispatcher that sends notifications by this transport. */
  dispatcherWith(transport: Transport): WebhookDispatcher {
    return new WebhookDispatcher({
      config: this.service.config,
      secrets: this.store.secrets,
      transport,
    })
  }

  async raw(method: string, path: string, options: CallOptions = {}): Promise<Response> {
    const { key, body, headers = {} } = options
    const isJson = body !== undefined && typeof body !== "string"
    return this.app.handle(
      new Request(path.startsWith("http") ? path : root + path, {
        method,
        headers: {
          ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
          ...(body === undefined ? {} : { "content-type": "application/json" }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: isJson ? JSON.stringify(body) : (body as string) }),
      }),
    )
  }

  async call(method: string, path: string, options: CallOptions = {}): Promise<Answered> {
    const response = await this.raw(method, path, options)
    // A byte order mark is part of the response and must be kept.
    const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(await response.bytes())
    const isJson = /^application\/json(?:;|$)/.test(response.headers.get("content-type") ?? "")
    const { status, headers } = response
    const body = isJson && text !== "" ? JSON.parse(text) : undefined
    this.contract ??= this.hasOwnScrapers ? new Contract(this.app) : Contract.shared(this.app)
    this.contract.validate(method, path, { status, headers, body })
    return { status, headers, text, body }
  }

  get(path: string, options: CallOptions = {}): Promise<Answered> {
    return this.call("GET", path, options)
  }

  post(path: string, options: CallOptions = {}): Promise<Answered> {
    return this.call("POST", path, options)
  }

  async account(options: { credits?: number; unlimited?: boolean } = {}): Promise<TestAccount> {
    const id = newId("acc")
    await this.store.write("accounts.create", {
      id,
      email: `${id}@example.com`,
      passwordHash: null,
      unlimited: options.unlimited ?? false,
      credits: options.credits ?? 1000,
      createdAt: new Date().toISOString(),
    })
    const { apiKey, row } = freshKey("test", new Date())
    await this.store.write("keys.create", { ...row, accountId: id })
    return { id, key: apiKey }
  }

  /** Starts a run with these words and waits for its end. */
  async run(key: string, words: string[], more: Record<string, unknown> = {}) {
    const { body } = await this.post("/api/v1/scrapers/words-scraper/runs?waitForFinish=300", {
      key,
      body: { words, ...more },
    })
    return body
  }

  /** Changes the database as no command does, in SQL that SQLite and PostgreSQL share. */
  async direct<R>(work: (db: Db) => Promise<R>): Promise<R> {
    const db = openWriting(this.store)
    try {
      for (;;) {
        try {
          return await work(db)
        } catch (error) {
          if ((error as { code?: string }).code !== "SQLITE_BUSY") throw error
          await Bun.sleep(5)
        }
      }
    } finally {
      await db.destroy()
    }
  }

  /**
   * Deletes the data of deleted objects, and data that has expired at a time, as the background
   * does.
   */
  async purge(now = new Date()): Promise<void> {
    await purge(this.store, this.service.config, new AbortController().signal, now)
  }

  async close(): Promise<void> {
    this.gate.release()
    await this.runs.stop(0)
    await this.store.close()
    rmSync(this.folder, { recursive: true, force: true })
  }
}
