/**
 * Measures how long a request waits during many reads: /healthz only, then during 50 exports of
 * 100,000 items, 10 clients that list 150,000 runs, and 1,000 event streams of a running run. The
 * server, the load and the probe are separate processes. `TRAWL_BINARY` names an executable to use
 * instead of the sources.
 */
import { Database } from "bun:sqlite"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { freshKey } from "../../src/accounts/keys.ts"
import { databasePath, openStore } from "../../src/store/store.ts"
import { record } from "../figures.ts"

const seconds = 10
const runs = 150_000
const items = 100_000
const folder = mkdtempSync(join(tmpdir(), "trawl-bench-load-"))
const binary = process.env.TRAWL_BINARY
const main = join(import.meta.dir, "../../src/main.ts")

/** Twelve accounts that own the exports, lists and streams. */
async function seed(): Promise<string[]> {
  const store = openStore(folder)
  const keys: string[] = []
  for (let n = 0; n < 12; n++) {
    const account = { id: `acc_${n}`, email: null, passwordHash: null, unlimited: true, credits: 0 }
    const createdAt = new Date().toISOString()
    await store.write("accounts.create", { ...account, createdAt })
    const { apiKey, row } = freshKey("bench", new Date())
    await store.write("keys.create", { ...row, accountId: account.id })
    keys.push(apiKey)
  }
  await store.close()
  const sqlite = new Database(databasePath(folder))
  const numbers = (count: number) =>
    `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count})`
  sqlite.run(
    `INSERT INTO runs (id, dataset_id, slug, status, input, account_id, origin, timeout_seconds, item_count, created_at, finished_at)
     ${numbers(runs)} SELECT 'run_' || i, 'ds_' || i, 'slug-' || (i % 5), CASE i % 3 WHEN 0 THEN 'failed' ELSE 'succeeded' END,
       '{"urls":["https://example.com/' || i || '"]}', 'acc_0', 'api', 60, ${items}, strftime('%Y-%m-%dT%H:%M:%fZ'), strftime('%Y-%m-%dT%H:%M:%fZ') FROM n`,
  )
  sqlite.run(
    `INSERT INTO items (run_n, seq, idx, body)
     ${numbers(items)} SELECT 1, 0, i, json_object('url', 'https://example.com/' || i, 'title', 'Title ' || i, 'n', i, 'tags', json_array('a', 'b')) FROM n`,
  )
  sqlite.close()
  return keys
}

interface Server {
  root: string
  pid: number
  stop(): Promise<void>
}

async function start(): Promise<Server> {
  const child = Bun.spawn([...(binary ? [binary] : [process.execPath, main]), "serve"], {
    cwd: folder,
    env: {
      PATH: process.env.PATH,
      HOME: folder,
      TRAWL_DATA_DIR: folder,
      TRAWL_PORT: "0",
      TRAWL_RATE_LIMIT: "0",
      TRAWL_EGRESS_ALLOW: "127.0.0.1",
      TRAWL_LOG_LEVEL: "info",
    },
    stdout: "ignore",
    stderr: "pipe",
  })
  const root = Promise.withResolvers<string>()
  void (async () => {
    let text = ""
    for await (const part of child.stderr.pipeThrough(new TextDecoderStream())) {
      if (text.length < 10_000) text += part
      const found = /"url":"([^"]+)"/.exec(text)
      if (found) root.resolve(found[1]!)
    }
  })()
  return {
    root: await root.promise,
    pid: child.pid,
    async stop() {
      child.kill("SIGKILL")
      await child.exited
    },
  }
}

function spawn(file: string, ...args: string[]) {
  return Bun.spawn([process.execPath, join(import.meta.dir, file), ...args], {
    // A client has 256 connections by default.
    env: { ...process.env, BUN_CONFIG_MAX_HTTP_REQUESTS: "4000" },
    stdout: "pipe",
    stderr: "inherit",
  })
}

async function measure({ root, pid }: Server, name: string, load: string[] = []): Promise<void> {
  const loading = load.length > 0 ? spawn("load.ts", root, ...load) : undefined
  // All streams are open, all exports have started.
  if (loading) await loading.stdout.getReader().read()
  const probe = spawn("probe.ts", root, String(seconds), String(pid))
  const figures = JSON.parse(await new Response(probe.stdout).text())
  loading?.kill("SIGKILL")
  await loading?.exited
  for (const key of ["p50", "p99", "max"]) record(name, Number(figures[key]), `ms ${key}`)
  const text = Object.entries(figures).map(([key, value]) => `${key} ${value}`)
  console.log(`${name.padEnd(52)} ${text.join("  ")}`)
}

const keys = await seed()
const server = await start()
const [key, ...others] = keys as [string, ...string[]]
try {
  await measure(server, "healthz alone")
  await measure(server, "with 4 exports of 100,000 items as CSV", ["exports", "4", key])
  await measure(server, "with 50 exports", ["exports", "50", key])
  await measure(server, "with 10 callers who list 150,000 runs", ["lists", "10", key])
  await measure(server, "with 1,000 event streams of a busy run", ["events", "1000", others[0]!])
  await measure(server, "with all of them", ["all", "0", key, others[0]!])
} finally {
  await server.stop()
  rmSync(folder, { recursive: true, force: true })
}
