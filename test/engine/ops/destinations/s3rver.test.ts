/**
 * Objects in s3rver, a third-party S3 server that stores objects in a folder. It checks keys, but
 * no signatures.
 */
import { afterAll, beforeAll, expect, test } from "bun:test"
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { type AddressInfo, connect, createServer } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { parse } from "csv-parse/sync"
import { parquetReadObjects } from "hyparquet"
import { Installation, type Serving } from "../../../api/process.ts"
import { freePort } from "../../../free-port.ts"
import { isRunningAll, testOfAll } from "../../../samples.ts"

/** The keys that s3rver accepts. */
const credentials = { accessKeyId: "S3RVER", secretAccessKey: "S3RVER" }
const rowsOfPage = 400
/** Bytes of an upload after which the storage is killed. */
const half = 2_000_000

const shop = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  fetch(request) {
    const page = Number(new URL(request.url).searchParams.get("page") ?? -1)
    if (page < 0) return new Response(null, { status: 404 })
    // Only an upload that is interrupted has to be large.
    const text = "words ".repeat(isRunningAll ? 1000 : 100)
    const rows = Array.from(
      { length: rowsOfPage },
      (_, row) => `<li><b>${page}-${row}</b><i>${row}.50 EUR</i><p>${text}</p></li>`,
    )
    return new Response(`<title>Shop</title><ul>${rows.join("")}</ul>`, {
      headers: { "content-type": "text/html" },
    })
  },
})

const folder = mkdtempSync(join(tmpdir(), "trawl-s3rver-"))
const port = freePort()
let storage: Bun.Subprocess<"ignore", "pipe", "inherit">

async function startStorage(): Promise<void> {
  const script = join(import.meta.dir, "s3rver-process.ts")
  storage = Bun.spawn([process.execPath, script, String(port), folder], {
    stdin: "ignore",
    stdout: "pipe",
    stderr: "inherit",
  })
  for await (const chunk of storage.stdout.pipeThrough(new TextDecoderStream())) {
    if (chunk.includes("ready")) return
  }
  throw new Error("s3rver has ended.")
}

/** A proxy to the storage that kills it during an upload. */
let isKilling = false
const way = createServer((from) => {
  const to = connect(port, "127.0.0.1")
  let passed = 0
  from.on("data", (bytes) => {
    passed += bytes.length
    if (!isKilling || passed < half) return
    isKilling = false
    storage.kill("SIGKILL")
  })
  from.pipe(to).pipe(from)
  from.on("error", () => to.destroy())
  to.on("error", () => from.destroy())
})

const installation = new Installation({
  TRAWL_EGRESS_ALLOW: `127.0.0.1:${shop.port}`,
  TRAWL_HOST_RATE_LIMITS: "127.0.0.1=100",
  TRAWL_DESTINATION_ALLOW: "127.0.0.1",
  TRAWL_CHROME_DOWNLOAD_URL: "never",
})
let serving: Serving
let key: string

beforeAll(async () => {
  await startStorage()
  await new Promise<void>((resolve) => way.listen(0, "127.0.0.1", resolve))
  serving = await installation.serve()
  const made = await installation.run("account", "create", "ada@example.com", "--owner")
  key = made.stdout.trim().split("\n")[1]!.trim()
}, 60_000)
afterAll(async () => {
  await serving?.end()
  await installation.remove()
  storage?.kill()
  way.close()
  await shop.stop(true)
  rmSync(folder, { recursive: true, force: true })
}, 60_000)

// biome-ignore lint/suspicious/noExplicitAny: a test reads any JSON response
async function call(path: string, body?: object): Promise<any> {
  const response = await fetch(serving.root + path, {
    method: body ? "POST" : "GET",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    ...(body && { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  expect(response.ok, text).toBe(true)
  return JSON.parse(text)
}

const destination = (name: string, more: object = {}, url = `http://127.0.0.1:${port}`) =>
  call("/api/v1/destinations", {
    ...{ name, kind: "s3", bucket: "lake", path: name, deliver: "at_end", url },
    ...credentials,
    ...more,
  })

/** Runs the scraper over some pages, and waits until its items are in the storage. */
async function delivered(name: string, pages: number): Promise<string> {
  const urls = Array.from({ length: pages }, (_, page) => `${shop.url.href}?page=${page}`)
  const input = { urls, rows: "li", fields: ["sku: b", "price: i", "text: p"] }
  const { id } = await call(`/api/v1/scrapers/web-scraper/runs?destination=${name}`, input)
  const end = Date.now() + 150_000
  for (;;) {
    const { items } = await call(`/api/v1/destinations/${name}/deliveries`)
    if (items[0]?.state === "delivered") return id
    expect(items[0]?.state).not.toBe("failed")
    expect(Date.now(), JSON.stringify(items)).toBeLessThan(end)
    await Bun.sleep(100)
  }
}

/** Returns the stored objects below a path by name, as s3rver stores them. */
function objects(path: string): Map<string, Uint8Array<ArrayBuffer>> {
  const root = join(folder, "lake", path)
  const files = readdirSync(root, { recursive: true, encoding: "utf8" })
  const own = files.filter((file) => file.endsWith("._S3rver_object")).sort()
  return new Map(
    own.map((file) => [
      file.replace(/\._S3rver_object$/, ""),
      new Uint8Array(readFileSync(join(root, file))),
    ]),
  )
}

const skusOf = (pages: number) =>
  Array.from({ length: pages * rowsOfPage }, (_, index) => {
    return `${Math.floor(index / rowsOfPage)}-${index % rowsOfPage}`
  }).sort()

const day = /^web-scraper\/dt=\d{4}-\d\d-\d\d\/run_[0-9a-f]+(?:-part\d+)?\.(?:jsonl|csv|parquet)$/

test("a test writes and removes an object; a wrong key is reported with the storage's words", async () => {
  await destination("probe")
  expect(await call("/api/v1/destinations/probe/test", {})).toMatchObject({ ok: true, error: null })
  expect([...objects("").keys()].filter((name) => name.includes("trawl-probe"))).toEqual([])
  await destination("denied", { accessKeyId: "UNKNOWN", secretAccessKey: "not-the-key" })
  const refused = await call("/api/v1/destinations/denied/test", {})
  expect(refused.ok).toBe(false)
  expect(refused.error).toContain("403 (InvalidAccessKeyId")
  expect(refused.error).not.toContain("not-the-key")
  await destination("nowhere", { bucket: "no-such-bucket" })
  const missing = await call("/api/v1/destinations/nowhere/test", {})
  expect(missing.error).toContain("404 (NoSuchBucket")
}, 60_000)

test.each([
  ["jsonl", (bytes: Uint8Array) => rowsOfLines(bytes)],
  [
    "csv",
    (bytes: Uint8Array) => parse(new TextDecoder().decode(bytes), { columns: true, bom: true }),
  ],
  ["parquet", (bytes: Uint8Array) => parquetReadObjects({ file: bytes.slice().buffer })],
] as const)(
  "a run as %s, by date",
  async (format, read) => {
    await destination(format, { format })
    const id = await delivered(format, 1)
    const stored = objects(format)
    const rows: { sku: string }[] = []
    for (const [name, bytes] of stored) {
      expect(name).toMatch(day)
      expect(name).toContain(`${id}`)
      rows.push(...((await read(bytes)) as { sku: string }[]))
    }
    expect(rows.map(({ sku }) => sku).sort()).toEqual(skusOf(1))
  },
  120_000,
)

testOfAll(
  "no line is lost or doubled if the storage is killed in the middle of an upload",
  async () => {
    const pages = 8
    await destination("killed", {}, `http://127.0.0.1:${(way.address() as AddressInfo).port}`)
    isKilling = true
    const done = delivered("killed", pages)
    const code = await storage.exited
    expect([code, storage.signalCode]).toEqual([137, "SIGKILL"])
    await Bun.sleep(500)
    await startStorage()
    await done
    const { items } = await call("/api/v1/destinations/killed/deliveries")
    expect(items[0].itemCount).toBe(pages * rowsOfPage)
    const rows = [...objects("killed").values()].flatMap(rowsOfLines)
    expect(rows.map(({ sku }) => sku).sort()).toEqual(skusOf(pages))
    expect(JSON.stringify(serving.lines)).not.toContain("secretAccessKey")
  },
  200_000,
)

function rowsOfLines(bytes: Uint8Array): { sku: string }[] {
  const lines = new TextDecoder().decode(bytes).trim().split("\n")
  return lines.map((line) => JSON.parse(line))
}
