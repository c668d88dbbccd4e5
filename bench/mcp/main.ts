/**
 * `tools/list` with all tools, and `tools/call` of a scraper whose upstream is a page of this
 * machine, each beside a bare Elysia route in the same run. Needs wrk.
 */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Elysia } from "elysia"

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
const port = 18_000 + Math.floor(Math.random() * 1000)
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
      (answer) => answer.ok,
      () => false,
    )
  )
    break
  await Bun.sleep(25)
}
const bare = new Elysia()
  .get("/", () => ({ status: "ok" }))
  .listen({ port: 0, hostname: "127.0.0.1" })

async function wrk(name: string, url: string, body?: object): Promise<number> {
  const script = join(folder, "call.lua")
  await Bun.write(
    script,
    body
      ? `wrk.method = "POST"
wrk.body = ${JSON.stringify(JSON.stringify(body))}
wrk.headers["content-type"] = "application/json"
wrk.headers["accept"] = "application/json, text/event-stream"`
      : "",
  )
  const command = ["wrk", "-t1", "-c16", `-d${seconds}`, "--latency", "-s", script, url]
  // Not synchronously: the pages and the bare route are served by this very process.
  const text = await new Response(Bun.spawn(command, { stdout: "pipe" }).stdout).text()
  const rate = Number(/Requests\/sec:\s+([\d.]+)/.exec(text)?.[1] ?? 0)
  const median = /50%\s+(\S+)/.exec(text)?.[1]
  const worst = /99%\s+(\S+)/.exec(text)?.[1]
  console.log(
    `${name.padEnd(24)} ${rate.toFixed(0).padStart(8)} requests/s, p50 ${median}, p99 ${worst}`,
  )
  return rate
}

/** The rest of the service is loaded at the first call, and the first run starts a worker: no steady load. */
async function warmUp(body: object): Promise<void> {
  const started = performance.now()
  const answer = await fetch(`${root}/api/mcp`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
    },
    body: JSON.stringify(body),
  })
  await answer.text()
  const ms = Math.round(performance.now() - started)
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
const ceiling = await wrk("bare Elysia route", `http://127.0.0.1:${bare.server!.port}/`)
const list = await wrk("tools/list, all tools", `${root}/api/mcp`, listing)
const call = await wrk("tools/call", `${root}/api/mcp`, calling)
console.log(
  `ratio to the bare route  list ${(list / ceiling).toFixed(2)}, call ${(call / ceiling).toFixed(2)}`,
)
service.kill()
await service.exited
site.stop(true)
bare.stop(true)
rmSync(folder, { recursive: true, force: true })
process.exit(0)
