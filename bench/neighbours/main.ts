/**
 * Measures how much eight anonymous callers slow down an account's run: they request pages of a
 * hundred thousand elements, the account thirty plain ones, alternately alone and with them. The
 * ratio of elapsed times is meaningful on a quiet machine only; the processor time is meaningful on
 * any. `bun bench/neighbours/main.ts [pairs] [kind]`; `TRAWL_BINARY` names an executable.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { freshKey } from "../../src/accounts/keys.ts"
import { openStore } from "../../src/store/store.ts"
import { hostilePages } from "../../test/hostile/pages.ts"
import { TrawlProcess } from "../cluster/process.ts"
import { record } from "../figures.ts"

const [pairs = "5", kind = "nested dl"] = process.argv.slice(2)
const callers = 8
const elements = 100_000
const pages = 30

const folder = mkdtempSync(join(tmpdir(), "trawl-bench-neighbours-"))
const heavy = hostilePages[kind]!(elements)
const line = "<p>The tide comes in twice a day, <a href=/x>and</a> goes out as often.</p>"
const plain = `<title>Tides</title><main><h1>Tides</h1>${line.repeat(1500)}</main>`
const site = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  fetch({ url }) {
    const { pathname } = new URL(url)
    if (pathname === "/robots.txt") return new Response("", { status: 404 })
    const html = pathname.startsWith("/heavy/") ? heavy : plain
    return new Response(html, { headers: { "content-type": "text/html" } })
  },
})
const trawl = new TrawlProcess(folder, {
  TRAWL_FREE_DAILY: "100000",
  TRAWL_EGRESS_ALLOW: "127.0.0.1",
  TRAWL_KEYLESS_WAIT: "60",
})

async function account(): Promise<string> {
  const store = openStore(folder)
  const createdAt = new Date().toISOString()
  const row = { id: "acc_1", email: null, passwordHash: null, unlimited: true, credits: 0 }
  await store.write("accounts.create", { ...row, createdAt })
  const key = freshKey("bench", new Date())
  await store.write("keys.create", { ...key.row, accountId: row.id })
  await store.close()
  return key.apiKey
}

let requested = 0
const fresh = (path: string) => `${site.url}${path}${requested++}`

async function post(path: string, body: object, key?: string): Promise<{ status?: string }> {
  const response = await fetch(trawl.root + path, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      ...(key && { authorization: `Bearer ${key}` }),
    },
    body: JSON.stringify(body),
  })
  return (await response.json()) as { status?: string }
}

interface Use {
  ms: number
  /** Processor time: of threads with low priority, and of all others. */
  behindMs: number
  otherMs: number
}

async function accountRun(key: string): Promise<Use> {
  const urls = Array.from({ length: pages }, () => fresh("plain/"))
  const [before, started] = [threadTimes(), performance.now()]
  const path = "/api/v1/scrapers/url-to-markdown-scraper/runs?waitForFinish=200"
  const run = await post(path, { urls }, key)
  if (run.status !== "succeeded") throw new Error(JSON.stringify(run))
  const after = threadTimes()
  return {
    ms: performance.now() - started,
    behindMs: after.behindMs - before.behindMs,
    otherMs: after.otherMs - before.otherMs,
  }
}

function threadTimes(): Omit<Use, "ms"> {
  const times = { behindMs: 0, otherMs: 0 }
  for (const id of readdirSync(`/proc/${trawl.pid}/task`)) {
    const task = `/proc/${trawl.pid}/task/${id}`
    const niceness = Number(readFileSync(`${task}/stat`, "utf8").split(") ").at(-1)!.split(" ")[16])
    const ms = Number(readFileSync(`${task}/schedstat`, "utf8").split(" ")[0]) / 1e6
    times[niceness > 0 ? "behindMs" : "otherMs"] += ms
  }
  return times
}

async function besideCallers(key: string): Promise<Use> {
  let isOver = false
  const call = async () => {
    const scraper = "url-to-markdown-scraper"
    while (!isOver) await post("/api/agent/scrape", { scraper, input: { urls: [fresh("heavy/")] } })
  }
  const calling = Array.from({ length: callers }, call)
  await Bun.sleep(1500)
  const use = await accountRun(key)
  isOver = true
  await Promise.all(calling)
  return use
}

const middle = (list: number[]) => list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)]!
const rounded = ({ ms, behindMs, otherMs }: Use) =>
  `${Math.round(ms)} ms, processor ${Math.round(otherMs)} ms + ${Math.round(behindMs)} ms behind`

const key = await account()
await trawl.start()
try {
  // Warm up until all code is compiled.
  for (let warm = 0; warm < 3; warm++) await accountRun(key)
  await besideCallers(key)
  const ratios: number[] = []
  for (let pair = 0; pair < Number(pairs); pair++) {
    const alone = await accountRun(key)
    const loaded = await besideCallers(key)
    ratios.push(loaded.ms / alone.ms)
    console.log(`alone ${rounded(alone)}; with ${callers} callers ${rounded(loaded)}`)
  }
  record(`${kind}: slowdown`, middle(ratios), "fold")
  console.log(`${kind}: ${middle(ratios).toFixed(2)} times as long, of ${ratios.length} pairs`)
} finally {
  await trawl.end("SIGKILL")
  await site.stop(true)
  rmSync(folder, { recursive: true, force: true })
}
