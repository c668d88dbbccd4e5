/**
 * Requests a second with wrk: reading a run from the store and starting one durably, each beside a
 * bare Elysia route in the same minute.
 */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

const seconds = 5
const folder = mkdtempSync(join(tmpdir(), "trawl-bench-api-"))

interface Server {
  port: number
  key?: string
  runId?: string
  stop(): Promise<void>
}

/** Starts a server in a process of its own; its first line tells where it is. */
async function serve(file: string, ...args: string[]): Promise<Server> {
  const child = Bun.spawn([process.execPath, join(import.meta.dir, file), ...args], {
    stdout: "pipe",
    // The log is written, as in service, but to no terminal.
    stderr: Bun.file(join(folder, `${file}.log`)),
  })
  const reader = child.stdout.getReader()
  let line = ""
  while (!line.includes("\n")) line += new TextDecoder().decode((await reader.read()).value)
  const stop = async () => {
    child.kill("SIGKILL")
    await child.exited
  }
  return { ...JSON.parse(line), stop }
}

interface Load {
  url: string
  headers?: Record<string, string>
  body?: unknown
}

interface Measured {
  perSecond: number
  p99: string
  errors: number
}

async function wrk({ url, headers = {}, body }: Load): Promise<Measured> {
  const script = join(folder, "load.lua")
  await Bun.write(
    script,
    `wrk.method = ${JSON.stringify(body === undefined ? "GET" : "POST")}
${body === undefined ? "" : `wrk.body = ${JSON.stringify(JSON.stringify(body))}`}
${Object.entries(headers)
  .map(([name, value]) => `wrk.headers[${JSON.stringify(name)}] = ${JSON.stringify(value)}`)
  .join("\n")}
`,
  )
  const { stdout } = Bun.spawnSync([
    "wrk",
    "-t1",
    "-c64",
    `-d${seconds}s`,
    "--latency",
    "-s",
    script,
    url,
  ])
  const text = stdout.toString()
  const one = (pattern: RegExp) => pattern.exec(text)?.[1] ?? ""
  return {
    perSecond: Number(one(/Requests\/sec:\s+([\d.]+)/)),
    p99: one(/99%\s+(\S+)/),
    errors: Number(one(/Non-2xx or 3xx responses: (\d+)/) || 0),
  }
}

function row(name: string, measured: Measured, bare: Measured): void {
  const ratio = measured.perSecond / bare.perSecond
  console.log(
    `${name.padEnd(34)} ${Math.round(measured.perSecond).toLocaleString("en").padStart(9)}/s  p99 ${measured.p99.padStart(8)}  ${ratio.toFixed(2)} of bare  ${measured.errors} errors`,
  )
}

if (!Bun.which("wrk")) {
  console.log("wrk is not installed.")
  process.exit(0)
}
const bare = await serve("bare.ts")
const trawl = await serve("server.ts", folder)
try {
  const json = { "content-type": "application/json" }
  const input = { urls: ["https://example.com/"] }
  const bareRead = await wrk({ url: `http://127.0.0.1:${bare.port}/runs/${trawl.runId}` })
  const bareStart = await wrk({
    url: `http://127.0.0.1:${bare.port}/runs`,
    headers: json,
    body: input,
  })
  const root = `http://127.0.0.1:${trawl.port}/api/v1`
  const key = { authorization: `Bearer ${trawl.key}` }
  row("bare Elysia, GET", bareRead, bareRead)
  const read = await wrk({ url: `${root}/runs/${trawl.runId}`, headers: key })
  row("GET /runs/{runId}, from the store", read, bareRead)
  row("bare Elysia, POST", bareStart, bareStart)
  const start = await wrk({
    url: `${root}/scrapers/waiting-scraper/runs`,
    headers: { ...json, ...key },
    body: input,
  })
  row("POST …/runs, on disk", start, bareStart)
  const again = await wrk({ url: `${root}/runs/${trawl.runId}`, headers: key })
  row("GET /runs/{runId}, many queued", again, bareRead)
} finally {
  await Promise.all([bare.stop(), trawl.stop()])
  rmSync(folder, { recursive: true, force: true })
}
