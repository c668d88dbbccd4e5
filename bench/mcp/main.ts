/**
 * Measures `tools/list` with all tools, and `tools/call` of a scraper whose site is on this
 * machine. Each is compared with a bare Elysia route in the same run, which returns a few bytes, or
 * as many as the list. Needs wrk.
 */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { freePort } from "../../test/free-port.ts"
import { record } from "../figures.ts"
import { show, wrk } from "../wrk.ts"

if (!Bun.which("wrk")) {
  console.log("wrk is not installed (Debian: apt-get install wrk).")
  process.exit(1)
}
const seconds = Number(process.env.BENCH_SECONDS ?? 5)
const folder = mkdtempSync(join(tmpdir(), "trawl-bench-mcp-"))
const site = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  fetch: () =>
    new Response(`<title>Page</title><h1>Page</h1><p>${"Some words. ".repeat(50)}</p>`, {
      headers: { "content-type": "text/html" },
    }),
})
const port = freePort()
const service = Bun.spawn([process.execPath, join(import.meta.dir, "../../src/main.ts")], {
  env: {
    ...process.env,
    TRAWL_PORT: String(port),
    TRAWL_DATA_DIR: folder,
    TRAWL_LOG_LEVEL: "error",
    TRAWL_RATE_LIMIT: "0",
    TRAWL_FREE_DAILY: "100000000",
    TRAWL_EGRESS_ALLOW: "127.0.0.1",
  },
  stdout: "inherit",
  stderr: "inherit",
})
const root = `http://127.0.0.1:${port}`
for (let attempt = 0; attempt < 200; attempt++) {
  if (
    await fetch(`${root}/healthz`).then(
      (response) => response.ok,
      () => false,
    )
  )
    break
  await Bun.sleep(25)
}
/** A separate process, as the service is: the maximum of any MCP server on the framework. */
const plain = Bun.spawn([process.execPath, join(import.meta.dir, "../api/bare.ts")], {
  stdout: "pipe",
})
const { port: plainPort } = JSON.parse(
  new TextDecoder().decode((await plain.stdout.getReader().read()).value),
) as { port: number }

const load = (pid: number, url: string, body?: object, headers: Record<string, string> = {}) =>
  wrk({
    folder,
    pid,
    url,
    seconds,
    connections: 16,
    body,
    headers: { accept: "application/json, text/event-stream", ...headers },
  })

/**
 * The rest of the service is loaded at the first call, and the first run starts a worker: not a
 * steady load.
 */
async function warmUp(body: object): Promise<void> {
  const started = performance.now()
  const response = await fetch(`${root}/api/mcp`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
    },
    body: JSON.stringify(body),
  })
  await response.text()
  const ms = Math.round(performance.now() - started)
  record(`the first ${(body as { method: string }).method}`, ms, "ms")
  console.log(`the first ${(body as { method: string }).method} of the process: ${ms} ms`)
}

const listing = { jsonrpc: "2.0", id: 1, method: "tools/list" }
const calling = {
  jsonrpc: "2.0",
  id: 1,
  method: "tools/call",
  params: {
    name: "meta-tags-scraper",
    arguments: { urls: [`http://127.0.0.1:${site.port}/`] },
  },
}
await warmUp(listing)
await warmUp(calling)
/** For profiles: run only the load of this name. */
const part = process.env.BENCH_PART
const ceiling = await load(plain.pid, `http://127.0.0.1:${plainPort}/runs/run`)
show("bare Elysia route", ceiling)
const list = await fetch(`${root}/api/mcp`, {
  method: "POST",
  headers: { "content-type": "application/json", accept: "application/json, text/event-stream" },
  body: JSON.stringify(listing),
})
await Bun.write(join(folder, "list"), await list.bytes())
const same = Bun.spawn([process.execPath, join(import.meta.dir, "same.ts"), join(folder, "list")], {
  stdout: "pipe",
})
const samePort = Number(new TextDecoder().decode((await same.stdout.getReader().read()).value))
show(
  "bare Elysia route with the list's bytes",
  await load(same.pid, `http://127.0.0.1:${samePort}/`),
  ceiling,
)
const { pid } = service
if (part !== "call") {
  show("tools/list, all tools", await load(pid, `${root}/api/mcp`, listing), ceiling)
  const zstd = { "accept-encoding": "zstd" }
  show("tools/list, packed", await load(pid, `${root}/api/mcp`, listing, zstd), ceiling)
}
if (part !== "list") show("tools/call", await load(pid, `${root}/api/mcp`, calling), ceiling)
service.kill()
await service.exited
site.stop(true)
plain.kill()
same.kill()
rmSync(folder, { recursive: true, force: true })
process.exit(0)
