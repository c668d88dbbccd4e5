/**
 * Sends malformed requests over real connections: `bun run bench trust fuzz [calls] [seed]`. Each
 * is generated from the schema of its route or tool, then broken in its values or its bytes. No
 * response may be an internal error, and the answering thread may not use 200 ms of processor time
 * for one. Responses are replayed from recordings, so that accepted runs end at once.
 */
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { connect } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { OperationObject } from "../../src/api/docs/openapi.ts"
import { trawlCommand } from "../../test/trawl.ts"
import {
  brokenBytes,
  hostileTexts,
  Maker,
  nearly,
  pick,
  type Schema,
} from "../../test/trust/fuzzed.ts"
import { random } from "../../test/trust/mutate.ts"
import { quantile, startService } from "./service.ts"

const calls = Number(process.argv[2] ?? 20_000)
const seed = Number(process.argv[3] ?? 1)
const maxMs = 200
const maxSeconds = Number(process.env.TRAWL_TRUST_SECONDS ?? 36_000)
const next = random(seed)
const dataDir = mkdtempSync(join(tmpdir(), "trawl-fuzz-"))
const settings = {
  TRAWL_REPLAY: join(import.meta.dir, "../../test/cases/npm-package-scraper/old-manifest"),
  TRAWL_FREE_DAILY: "100000000",
  TRAWL_KEYLESS_WAIT: "0",
  TRAWL_SIGNUP: "open",
  TRAWL_SIGNUPS_DAILY: "0",
}

function created(...more: string[]): string {
  const { stdout, stderr } = Bun.spawnSync([...trawlCommand, "account", "create", ...more], {
    env: { PATH: process.env.PATH ?? "", HOME: dataDir, TRAWL_DATA_DIR: dataDir },
  })
  const key = /trawl_live_\w+/.exec(stdout.toString())?.[0]
  if (!key) throw new Error(`${stdout}${stderr}`)
  return key
}

const keys = {
  member: created("a@example.com", "--unlimited"),
  owner: created("o@example.com", "--unlimited", "--owner"),
}
const serving = await startService(dataDir, settings)
const { root, pid } = serving
const main = `/proc/${pid}/task/${pid}/schedstat`
/** Returns the processor time of the answering thread, as exactly as the kernel counts. */
const mainMs = () => Number(readFileSync(main, "utf8").split(" ")[0]) / 1e6
const residentMb = () =>
  Math.round(Number(/VmRSS:\s*(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))![1]) / 1000)

interface Document {
  paths: Record<string, Record<string, OperationObject>>
  components: { schemas: Record<string, Schema> }
}
const document = (await (await fetch(`${root}/openapi.json`)).json()) as Document
interface Parameter {
  name: string
  in: string
  required?: boolean
  schema: Schema
}
const routes = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, detail]) => ({
    path,
    method: method.toUpperCase(),
    parameters: (detail.parameters ?? []) as unknown as Parameter[],
    body: (detail.requestBody as { content?: Record<string, { schema?: Schema; examples?: Record<string, { value: unknown }> }> } | undefined)?.content,
  })),
) // biome-ignore format: one route a line

/** The newest created objects, by the prefix of their IDs. */
const made = new Map<string, string[]>()
const ownKey = new Set<string>()
function keep(text: string): void {
  for (const [id, kind] of text.matchAll(
    /\b(run|ds|bat|sch|wh|ntf|dlv|key|lnk|rcp|fil|acc|btc|sched|hook|not|batch|file)_\w{8,}/g,
  )) {
    if (ownKey.has(id)) continue
    const list = made.get(kind!) ?? []
    if (!list.includes(id)) list.push(id)
    made.set(kind!, list.slice(-12))
  }
}
const kinds: Record<string, string[]> = {
  runId: ["run"], datasetId: ["ds"], datasets: ["ds"], batchId: ["bat", "batch", "btc"], scheduleId: ["sch", "sched"], webhookId: ["wh", "hook"], notificationId: ["ntf", "not"],
  deliveryId: ["dlv"], keyId: ["key"], key: ["key"], linkId: ["lnk"], recipeId: ["rcp"], fileId: ["fil", "file"], accountId: ["acc"], account: ["acc"], appendTo: ["ds"],
} // biome-ignore format: a table reads better dense
const known = (name: string) => {
  const list = (kinds[name] ?? []).flatMap((kind) => made.get(kind) ?? [])
  return list.length > 0 ? pick(next, list) : undefined
}
const maker = new Maker(next, document.components.schemas, known)
for (const key of Object.values(keys)) {
  const text = await (
    await fetch(`${root}/api/v1/keys`, { headers: { authorization: `Bearer ${key}` } })
  ).text()
  for (const [id] of text.matchAll(/key_\w+/g)) ownKey.add(id)
  const me = await (
    await fetch(`${root}/api/v1/me`, { headers: { authorization: `Bearer ${key}` } })
  ).text()
  for (const [id] of me.matchAll(/acc_\w+/g)) ownKey.add(id)
}

interface Sent {
  surface: string
  name: string
  method: string
  path: string
  headers: Record<string, string>
  body: Uint8Array<ArrayBuffer> | undefined
}

const textOf = (value: unknown) =>
  typeof value === "object" ? JSON.stringify(value) : String(value)
const bytesOf = (text: string) => new TextEncoder().encode(text)
/**
 * Authorization headers, half of them valid: a key, an administrator's, none, another account's.
 */
function authorization(path: string): Record<string, string> {
  const key = path.startsWith("/api/admin")
    ? next() < 0.8
      ? keys.owner
      : keys.member
    : keys.member
  const how = next()
  if (how < 0.85) return { authorization: `Bearer ${key}` }
  if (how < 0.9) return { "x-api-key": key }
  return how < 0.95
    ? {}
    : { authorization: pick(next, ["Bearer", "Bearer x", "Basic eDp5", `Bearer ${key}x`, "="]) }
}

function toBody(value: unknown, type: string): Uint8Array<ArrayBuffer> {
  if (type === "application/x-www-form-urlencoded")
    return bytesOf(
      String(
        new URLSearchParams(
          Object.entries((value ?? {}) as object).map(([name, one]) => [
            name,
            textOf(one).toWellFormed(),
          ]),
        ),
      ),
    )
  return bytesOf(
    typeof value === "string" && type !== "application/json"
      ? value
      : (JSON.stringify(value) ?? "undefined"),
  )
}

function apiCall(): Sent {
  const route = pick(next, routes)
  const written = (one: Parameter) => {
    const fits = maker.fitting(one.schema, one.name)
    const value = next() < 0.75 ? fits : nearly(fits, next)
    return textOf(value).toWellFormed()
  }
  const encode = (text: string) => (next() < 0.95 ? encodeURIComponent(text) : text.replace(/[^!-~]/g, "%ff"))
  let path = route.path.replace(/\{(\w+)\}/g, (_, name) => {
    const one = route.parameters.find((parameter) => parameter.name === name && parameter.in === "path")
    return encode(one ? written(one) : pick(next, hostileTexts).toWellFormed()) || "x"
  })
  const query = route.parameters
    .filter((one) => one.in === "query" && one.name !== "parameters" && (one.required || next() < 0.3))
    .map((one) => `${encode(one.name)}=${encode(written(one).slice(0, 4000))}`)
  if (next() < 0.1) query.push(`${encode(pick(next, hostileTexts).toWellFormed())}=${encode(pick(next, hostileTexts).toWellFormed())}`)
  if (query.length > 0) path += `?${query.join("&")}`
  // A wait for the end of a run is not the service's work.
  path = path.replace(/waitForFinish=[^&]*/, "waitForFinish=0")
  const headers: Record<string, string> = { ...authorization(path) }
  if (next() < 0.1) headers["idempotency-key"] = pick(next, ["a", "b", "c", "x".repeat(300)])
  if (next() < 0.05) headers["last-event-id"] = pick(next, ["0", "-1", "x", "1e9"])
  if (next() < 0.1) headers.accept = pick(next, ["text/csv", "*/*", "x", "application/json;q=0", "text/event-stream", ",,"])
  let body: Sent["body"]
  const types = Object.entries(route.body ?? {})
  if (types.length > 0) {
    const [type, { schema, examples }] = pick(next, types)
    const reported = Object.values(examples ?? {}).map(({ value }) => value)
    const right = reported.length > 0 && next() < 0.5 ? pick(next, reported) : maker.fitting(schema)
    const how = next()
    body = toBody(how < 0.25 ? right : nearly(right, next), type)
    if (how > 0.75) body = brokenBytes(body, next)
    headers["content-type"] = next() < 0.93 ? type : pick(next, ["text/plain", "application/json; charset=utf-16", "multipart/form-data", "x"])
    if (next() < 0.03) headers["content-encoding"] = pick(next, ["gzip", "br", "x"])
  }
  return { surface: "API", name: `${route.method} ${route.path}`, method: route.method, path, headers, body }
} // biome-ignore format: dense, as it is a table of chances

const mcpTools = await (async () => {
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list", params: {} })
  const headers = {
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
  }
  const all: { name: string; inputSchema: Schema }[] = []
  for (const set of ["", "?set=meta"]) {
    const text = await (
      await fetch(`${root}/api/mcp${set}`, { method: "POST", headers, body })
    ).text()
    const json = JSON.parse(text.startsWith("{") ? text : /^data: (.*)$/m.exec(text)![1]!)
    all.push(...json.result.tools)
  }
  return all
})()

function mcpCall(): Sent {
  const tool = pick(next, mcpTools)
  const fits = maker.fitting(tool.inputSchema)
  const method = pick(next, ["tools/call", "tools/call", "tools/call", "tools/call", "tools/list", "initialize", "ping", "resources/list", "prompts/get", "notifications/cancelled", "logging/setLevel", ...hostileTexts.slice(0, 3)])
  const message = { jsonrpc: "2.0", id: pick(next, [1, "a", null, 1.5, -1]), method, params: method === "tools/call" ? { name: tool.name, arguments: next() < 0.4 ? fits : nearly(fits, next) } : { cursor: pick(next, hostileTexts), name: "x", protocolVersion: "2025-06-18" } }
  const how = next()
  let body = bytesOf(JSON.stringify(how < 0.6 ? message : how < 0.8 ? nearly(message, next) : [message, message]))
  if (how < 0.15) body = brokenBytes(body, next)
  const headers = { "content-type": "application/json", accept: next() < 0.95 ? "application/json, text/event-stream" : "x", ...(next() < 0.5 ? authorization("/api/mcp") : {}), ...(next() < 0.1 && { "mcp-session-id": "x", "mcp-protocol-version": pick(next, hostileTexts.slice(3, 8)) }) }
  return { surface: "MCP", name: `${method} ${tool.name}`, method: "POST", path: `/api/mcp${pick(next, ["", "", "?set=meta", "?tools=web-scraper", "?category=x"])}`, headers, body }
} // biome-ignore format: dense, as it is a table of chances

/** Breaks the bytes of a request: its request line, its headers, its lengths. */
function rawBytes(): Uint8Array<ArrayBuffer> {
  const { method, path, headers, body } = next() < 0.8 ? apiCall() : mcpCall()
  const lines = Object.entries({ host: "127.0.0.1", connection: "close", ...(body && { "content-length": String(body.length) }), ...headers })
  const head = `${method} ${path.replace(/[^!-~]/g, "")} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join("")}\r\n`
  const whole = new Uint8Array([...bytesOf(head), ...(body ?? [])])
  return brokenBytes(whole, next)
} // biome-ignore format: dense

/**
 * Returns the status of the first response; 0 if the connection was closed, or left open, without
 * one.
 */
function sendRaw(bytes: Uint8Array): Promise<number> {
  return new Promise((resolve) => {
    const socket = connect(Number(new URL(root).port), "127.0.0.1")
    let text = ""
    const done = () => {
      socket.destroy()
      resolve(Number(/^HTTP\/1\.\d (\d{3})/.exec(text)?.[1] ?? 0))
    }
    socket.on("data", (data) => {
      text += data.toString("latin1", 0, 200)
      if (text.length >= 12) done()
    })
    socket.on("error", done)
    socket.on("close", done)
    socket.setTimeout(300, done)
    socket.write(bytes, () => socket.end())
  })
}

const statuses = new Map<string, number>()
const issues = new Map<string, string>()
const taken: number[] = []
let stalls = 0
let slowest = { ms: 0, what: "" }
const issue = (kind: string, what: string) => {
  if (issues.has(kind)) return
  issues.set(kind, what)
  console.log(`${kind}\n    ${what}`)
}

async function ask(sent: Sent): Promise<[status: number, text: string]> {
  const { method, path, headers, body } = sent
  const signal = AbortSignal.timeout(300_000)
  const response = await fetch(root + path, { method, headers, redirect: "manual", signal, ...(body && method !== "GET" && { body }) })
  if (response.headers.get("content-type")?.startsWith("text/event-stream") && method === "GET") {
    await response.body?.cancel()
    return [response.status, ""]
  }
  return [response.status, await response.text()]
} // biome-ignore format: dense

async function judge(number: number): Promise<void> {
  const isRaw = number % 10 === 9
  const sent = isRaw ? undefined : next() < 0.7 ? apiCall() : mcpCall()
  const raw = isRaw ? rawBytes() : undefined
  const before = mainMs()
  let [status, text, what] = [0, "", "raw bytes"]
  if (sent) {
    what = `${sent.surface} ${sent.name}`
    try {
      ;[status, text] = await ask(sent)
    } catch (error) {
      // Requests that the client refuses to send.
      if (!/Header|header|URL|Invalid/.test(String(error))) issue(`${what}: ${error}`, sent.path)
      return
    }
  } else status = await sendRaw(raw!)
  const ms = mainMs() - before
  taken.push(ms)
  statuses.set(`${sent?.surface ?? "raw"} ${status}`, (statuses.get(`${sent?.surface ?? "raw"} ${status}`) ?? 0) + 1)
  if (ms > slowest.ms) slowest = { ms, what: `${what}, call ${number}` }
  const visible = () => `${sent ? `${sent.method} ${sent.path.slice(0, 300)} ${new TextDecoder().decode(sent.body ?? new Uint8Array()).slice(0, 400)}` : JSON.stringify(new TextDecoder().decode(raw).slice(0, 400))} -> ${text.slice(0, 200)}`
  if (ms > maxMs) {
    stalls++
    issue(`${what}: ${Math.round(ms)} ms`, visible())
  }
  // 505: broken bytes may name another version of HTTP.
  if (status >= 500 && status !== 505) issue(`${what}: ${status}`, visible())
  if (/its log says why|undefined is not|is not a function|is not an object|Cannot read prop/.test(text)) issue(`${what}: an internal error in a response`, visible())
  if (sent?.method === "POST" && status < 300) keep(text)
} // biome-ignore format: dense

// The first requests load and compile code, which is not the cost of a single request.
for (let number = 0; number < 500; number++) await judge(number * 10)
taken.length = 0
issues.clear()
stalls = 0
slowest = { ms: 0, what: "" }
const residentBefore = residentMb()
const until = Date.now() + maxSeconds * 1000
let sent = 0
for (; sent < calls && Date.now() < until; sent++) {
  const number = sent
  await judge(number)
  if (number % 5000 === 4999) {
    Bun.gc(false)
    const me = await fetch(`${root}/api/v1/me`, {
      headers: { authorization: `Bearer ${keys.member}` },
    })
    console.log(
      `${number + 1}: p50 ${quantile(taken, 0.5).toFixed(2)}, p99 ${quantile(taken, 0.99).toFixed(1)}, longest ${slowest.ms.toFixed(0)} ms; ${residentMb()} MB; ${issues.size} kinds of fault; own key ${me.status}`,
    )
  }
}
const alive = (await fetch(`${root}/healthz`)).status
console.log(
  `${sent} calls, seed ${seed}: ${[...statuses]
    .sort()
    .map(([status, n]) => `${status}: ${n}`)
    .join(", ")}`,
)
console.log(
  `of the thread that answers: p50 ${quantile(taken, 0.5).toFixed(2)} ms, p99 ${quantile(taken, 0.99).toFixed(1)}, longest ${slowest.ms.toFixed(0)} (${slowest.what}); over ${maxMs} ms: ${stalls}`,
)
console.log(
  `${residentBefore} MB before, ${residentMb()} MB after; healthz ${alive}, ended with ${await serving.end()}`,
)
rmSync(dataDir, { recursive: true, force: true })
process.exit(issues.size > 0 || alive !== 200 ? 1 : 0)
