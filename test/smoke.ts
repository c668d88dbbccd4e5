/**
 * Starts the compiled executable in an empty folder, as a new user does, and sends requests to it.
 * Prints "N passed, N failed". test/cli/pipes.test.ts tests its output into pipes.
 */
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { collectNotices } from "../scripts/notices.ts"

const executable = process.env.TRAWL_BINARY ?? join(import.meta.dir, "../dist/trawl")
const folder = mkdtempSync(join(tmpdir(), "trawl-smoke-"))
const temporary = mkdtempSync(join(tmpdir(), "ts-"))
let passed = 0
let failed = 0

async function check(name: string, work: () => Promise<unknown> | unknown): Promise<void> {
  try {
    if ((await work()) === false) throw new Error("the condition does not hold")
    passed++
    console.log(`ok    ${name}`)
  } catch (error) {
    failed++
    console.log(`FAIL  ${name}: ${error instanceof Error ? error.message : String(error)}`)
  }
}

function same(found: unknown, wanted: unknown): void {
  if (Bun.deepEquals(found, wanted)) return
  throw new Error(
    `found ${JSON.stringify(found)?.slice(0, 300)}, expected ${JSON.stringify(wanted)}`,
  )
}

const site = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  fetch(request) {
    const { pathname } = new URL(request.url)
    if (pathname === "/robots.txt") return new Response("", { status: 404 })
    if (pathname === "/gone") return new Response("gone", { status: 404 })
    const text = "<p>The tide comes in twice a day, and goes out as often.</p>".repeat(10)
    const page =
      pathname === "/script"
        ? `<title>By script</title><div id="root"></div><script>document.getElementById("root").innerHTML = "<article><h1>By script</h1>" + ${JSON.stringify(text)} + "</article>"</script>`
        : `<title>Tides</title><main><h1>Tides</h1>${text}<table><tr><th>Port</th><th>High</th></tr><tr><td>Cork</td><td>4 m</td></tr></table></main>`
    return new Response(page, { headers: { "content-type": "text/html" } })
  },
})
const page = `http://127.0.0.1:${site.port}`

// A .env file in the folder must not configure an executable that is started there.
writeFileSync(join(folder, ".env"), "TRAWL_PORT=1\nTRAWL_FREE_DAILY=0\n")
writeFileSync(join(folder, "bunfig.toml"), 'preload = ["./missing.ts"]\n')

const environment = {
  PATH: process.env.PATH,
  HOME: process.env.HOME,
  // A killed service leaves its Chrome's folder for the next one to remove.
  TMPDIR: temporary,
  TRAWL_CHROME: process.env.TRAWL_CHROME,
  TRAWL_PORT: "0",
  TRAWL_EGRESS_ALLOW: "127.0.0.1",
  // On a loaded machine, the first request may take longer than the default timeout.
  TRAWL_KEYLESS_WAIT: "110",
}

function run(...words: string[]) {
  const child = Bun.spawnSync([executable, ...words], { cwd: folder, env: environment })
  return { code: child.exitCode, out: child.stdout.toString(), err: child.stderr.toString() }
}

let service = Bun.spawn([executable], {
  cwd: folder,
  env: environment,
  stdout: "ignore",
  stderr: "pipe",
})
let root = await listening(service.stderr)

/** Returns the URL of the service from its log. */
async function listening(stream: ReadableStream<Uint8Array>): Promise<string> {
  const reader = stream.getReader()
  let text = ""
  for (;;) {
    const { value, done } = await reader.read()
    if (done) throw new Error(`the executable did not start: ${text}`)
    text += new TextDecoder().decode(value)
    const url = /"url":"([^"]+)"/.exec(text)?.[1]
    if (!url) continue
    // Reads the rest, or the pipe would fill up.
    void (async () => {
      while (!(await reader.read()).done);
    })()
    return url
  }
}

// biome-ignore lint/suspicious/noExplicitAny: responses have many forms
async function get(path: string, init?: RequestInit): Promise<any> {
  const response = await fetch(root + path, init)
  const type = response.headers.get("content-type") ?? ""
  return type.includes("json") ? response.json() : response.text()
}

await check("responds to /healthz", async () => same((await get("/healthz")).status, "ok"))
await check("returns a page as Markdown", async () => {
  const { status, items } = await get(`/api/scrape?url=${page}/tides`)
  same(status, "SUCCEEDED")
  if (!items[0].markdown.startsWith("# Tides")) throw new Error(items[0].markdown.slice(0, 100))
  if (!items[0].markdown.includes("| Cork | 4 m |")) throw new Error("the table is missing")
})
await check("returns fields by selector", async () => {
  const fields = encodeURIComponent("title: h1|[]cells: td")
  const { items } = await get(`/api/scrape?url=${page}/tides&fields=${fields}`)
  same(items[0].data, { title: "Tides", cells: ["Cork", "4 m"] })
})
await check("opens Chrome for a page that a script builds", async () => {
  const { status, items } = await get(`/api/scrape?url=${page}/script`)
  same(status, "SUCCEEDED")
  return items[0].markdown.includes("The tide comes in")
})
await check("reports a missing page as not_found", async () => {
  const { status, items } = await get(`/api/scrape?url=${page}/gone`)
  same([status, items[0].error.code], ["ERROR", "not_found"])
})
await check("lists every scraper", async () => {
  const listed = run("scrapers").out.trim().split("\n").length
  return (await get("/api/scrape")).scrapers.length > 100 && listed > 100
})
await check("returns the usage of a scraper", async () => {
  same((await get("/api/scrape/pypi-package-scraper")).status, "USAGE")
})
await check("serves OpenAPI, docs and llms.txt", async () => {
  const { openapi } = await get("/openapi.json")
  const docs = await get("/docs")
  const llms = await get("/llms.txt")
  return openapi.startsWith("3.") && docs.includes("<html") && llms.includes("/api/scrape")
})

/** Minimum number of bytes by which `build --quick` is larger than a release. */
const quickExcess = 220_000
/**
 * Maximum size of the executable as a multiple of the Bun that built it:
 * docs/internals/decisions/0028.
 */
const maxSizeRatio = 1.35

await check("contains no path of the folder in which it was built", async () => {
  const bytes = Buffer.from(await Bun.file(executable).arrayBuffer())
  for (const name of ["src", "node_modules"]) {
    same([name, bytes.includes(realpathSync(join(import.meta.dir, "..", name)))], [name, false])
  }
})

let key = ""
await check(`is at most ${maxSizeRatio} times the size of Bun`, () => {
  const size = statSync(executable).size - (process.argv.includes("--quick") ? quickExcess : 0)
  const ratio = size / statSync(process.execPath).size
  if (ratio > maxSizeRatio) throw new Error(`it is ${ratio.toFixed(3)} times the size of Bun`)
})
await check("sends its reference page in 1.2 MB", async () => {
  let sum = 0
  for (const path of ["/docs", "/docs/start.js", "/docs/reference.js", "/openapi.json"]) {
    const headers = { "accept-encoding": "gzip, deflate, br, zstd" }
    const response = await fetch(root + path, { headers, decompress: false })
    sum += (await response.bytes()).length
  }
  if (sum >= 1_200_000) throw new Error(`it takes ${sum} bytes`)
})
await check("creates an account on the command line", () => {
  const { code, out } = run("account", "create", "smoke@example.com")
  key = out.trim().split("\n")[1] ?? ""
  return code === 0 && key.startsWith("trawl_live_")
})
let runId = ""
await check("runs a scraper by the v1 API, and returns its items as JSON and CSV", async () => {
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" }
  const started = await get("/api/v1/scrapers/meta-tags-scraper/runs?waitForFinish=30", {
    method: "POST",
    headers,
    body: JSON.stringify({ urls: [`${page}/tides`, `${page}/gone`] }),
  })
  same([started.status, started.itemCount, started.errorCount], ["succeeded", 1, 1])
  runId = started.id
  const { pathname } = new URL(started.datasetItemsUrl)
  const list = await get(pathname, { headers })
  same([list.total, list.items[0].title], [2, "Tides"])
  const csv = await get(`${pathname}?format=csv`, { headers })
  return csv.split("\r\n")[0].includes("title") && csv.includes("Tides")
})
await check("charges the account's credits", async () => {
  const me = await get("/api/v1/me", { headers: { authorization: `Bearer ${key}` } })
  same(me.credits, { balance: 199, unlimited: false })
})
await check("speaks MCP", async () => {
  const { result } = await get("/api/mcp", {
    method: "POST",
    headers: { "content-type": "application/json", accept: "application/json, text/event-stream" },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" }),
  })
  return result.tools.length > 100
})
await check("keeps its runs over a kill -9", async () => {
  service.kill("SIGKILL")
  await service.exited
  service = Bun.spawn([executable], {
    cwd: folder,
    env: environment,
    stdout: "ignore",
    stderr: "pipe",
  })
  root = await listening(service.stderr)
  const stored = await get(`/api/v1/runs/${runId}`, { headers: { authorization: `Bearer ${key}` } })
  same([stored.status, stored.itemCount], ["succeeded", 1])
})
await check("stops cleanly, and leaves no process behind", async () => {
  service.kill("SIGTERM")
  same(await service.exited, 0)
  const left = Bun.spawnSync(["ps", "-eo", "ppid=,args="]).stdout.toString()
  return !left.split("\n").some((line) => line.trim().startsWith(`${service.pid} `))
})

await check("replays a recorded case on the command line, with nothing but items on stdout", () => {
  const folder = join(import.meta.dir, "cases/pypi-package-scraper/toolbox-and-missing")
  const { code, out } = run("run", "pypi-package-scraper", "--replay", folder, "--format", "json")
  same([code, JSON.parse(out).length], [0, 3])
})
await check("exits with code 2 for bad input", () => {
  const { code, err } = run("run", "pypi-package-scraper", "--input", '{"pakages":["x"]}')
  return code === 2 && err.includes("packages")
})
await check("compiles no machine code for modules that it only loads", () => {
  const reporting = { BUN_JSC_reportCompileTimes: "1", BUN_JSC_useConcurrentJIT: "0" }
  for (const words of [["openapi"], ["run", "--help"]]) {
    const options = { cwd: folder, env: { ...environment, ...reporting } }
    const reported = Bun.spawnSync([executable, ...words], options).stderr.toString()
    // The bundle's output names functions; otherwise the option had no effect.
    same(
      [reported.includes("using Baseline"), /^.*LLIntModule.*/m.exec(reported)?.[0]],
      [true, undefined],
    )
  }
})
await check("prints the notices of its packages", () => {
  const { code, out } = run("licenses")
  const missing = collectNotices(join(import.meta.dir, "..")).filter(
    ({ name, version }) => !out.includes(`${name} ${version} (`),
  )
  same([code, missing], [0, []])
})
await check("wrote nothing but its data folder", () => {
  same(readdirSync(folder).sort(), [".env", "bunfig.toml", "trawl-data"])
  return existsSync(join(folder, "trawl-data/trawl.db"))
})

site.stop(true)
for (const path of [folder, temporary]) rmSync(path, { recursive: true, force: true })
console.log(`\n${passed} passed, ${failed} failed`)
process.exit(failed > 0 ? 1 : 0)
