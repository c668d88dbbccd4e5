/**
 * Measures requests a second with wrk: reading a run from the store and starting one durably, each
 * compared with a bare Elysia route; then the time to read a run's status during a crawl at full
 * speed. Of two attempts the better one counts, because the machine may have other work. The
 * processor time of a request does not depend on other work.
 */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type Measured, show, wrk } from "../wrk.ts"

const seconds = Number(process.env.BENCH_SECONDS ?? 4)
const tries = 2
const folder = mkdtempSync(join(tmpdir(), "trawl-bench-api-"))

interface Server {
  pid: number
  port: number
  key: string
  crawlKey: string
  runId: string
  stop(): Promise<void>
}

/** Starts a program as a separate process; its first line is the URL or JSON. */
async function start(file: string, ...args: string[]) {
  const child = Bun.spawn([process.execPath, join(import.meta.dir, file), ...args], {
    stdout: "pipe",
    // The log is written, as in production, but to no terminal.
    stderr: Bun.file(join(folder, "log")),
  })
  const { value } = await child.stdout.getReader().read()
  const stop = async () => {
    child.kill("SIGKILL")
    await child.exited
  }
  return { line: new TextDecoder().decode(value).trim(), stop }
}

async function serve(file: string, ...args: string[]): Promise<Server> {
  const { line, stop } = await start(file, ...args)
  return { ...JSON.parse(line), stop }
}

interface ApiLoad {
  server: Server
  path: string
  key?: string
  body?: unknown
  connections?: number
  rest?: number
}

async function measure(load: ApiLoad): Promise<Measured> {
  const all: Measured[] = []
  for (let count = 0; count < tries; count++) all.push(await once(load))
  return all.sort((a, b) => b.perSecond - a.perSecond)[0]!
}

function once({ server, path, key, ...load }: ApiLoad): Promise<Measured> {
  return wrk({
    ...load,
    folder,
    seconds,
    pid: server.pid,
    url: `http://127.0.0.1:${server.port}${path}`,
    ...(key && { headers: { authorization: `Bearer ${key}` } }),
  })
}

if (!Bun.which("wrk")) {
  console.log("wrk is not installed.")
  process.exit(0)
}
/** For profiles: run only the load of this name. */
const part = process.env.BENCH_PART
const wants = (name: string) => part === undefined || part === name

const plain = await serve("bare.ts")
const trawl = await serve("server.ts", folder)
const site = await start("../crawl/site.ts")
try {
  const { key, runId } = trawl
  const input = { urls: ["https://example.com/"] }
  const status = { server: trawl, path: `/api/v1/runs/${runId}`, key }
  if (wants("status")) {
    const plainRead = await measure({ server: plain, path: `/runs/${runId}` })
    const read = await measure(status)
    show("bare Elysia, GET", plainRead)
    show("a run's status (wanted 40,000/s)", read, plainRead)
  }

  if (wants("crawl")) await statusDuringCrawl(status)

  if (wants("start")) {
    const plainStart = await measure({ server: plain, path: "/runs", body: input })
    const started = await measure({
      server: trawl,
      path: "/api/v1/scrapers/waiting-scraper/runs",
      key,
      body: input,
    })
    show("bare Elysia, POST", plainStart)
    show("a run started, on disk (wanted 5,000/s)", started, plainStart)
  }
} finally {
  await Promise.all([plain.stop(), trawl.stop(), site.stop()])
  rmSync(folder, { recursive: true, force: true })
}

async function statusDuringCrawl(status: ApiLoad): Promise<void> {
  await fetch(`http://127.0.0.1:${trawl.port}/api/v1/scrapers/bench-crawler/runs`, {
    method: "POST",
    headers: { authorization: `Bearer ${trawl.crawlKey}`, "content-type": "application/json" },
    body: JSON.stringify({ url: site.line }),
  })
  await Bun.sleep(1000)
  const meanwhile = await once({ ...status, connections: 16, rest: 8 })
  show("status during a crawl (wanted p99 20 ms)", meanwhile)
}
