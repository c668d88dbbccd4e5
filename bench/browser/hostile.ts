/**
 * Opens a thousand hostile pages (`BENCH_HOSTILE`) in Chrome, eight at a time, and prints what is
 * left: leases, contexts, processes and memory, compared with those after ten good pages. Fails if
 * it is more than before, or if the machine was too slow to show the pages (`BENCH_DEADLINE_MS`).
 * Takes about four minutes; `BENCH_HOSTILE=100` is a short run.
 */
import { readFileSync } from "node:fs"
import { CookieJar } from "tough-cookie"
import { descendants, proportionalMemory } from "../rivals.ts"
import { inParallel, startChrome } from "./chrome.ts"

/** A multiple of four. */
const pages = Number(process.env.BENCH_HOSTILE ?? 1000)
/**
 * Maximum wait: contexts that were created after their run had ended are closed after half a
 * minute.
 */
const restMs = Number(process.env.BENCH_REST_MS ?? 60_000)
/** Maximum time that a page may hang, and maximum time in all. */
const hangMs = 1000
const deadlineMs = Number(process.env.BENCH_DEADLINE_MS ?? 1500)
/** Maximum memory after the pages, as a multiple of the memory before. */
const maxMemory = 1.25

const hostile: Record<string, string> = {
  "/loop": "<script>while (true) {}</script>",
  "/alert": "<script>for (;;) alert('stay')</script>",
  "/leave":
    "<script>onbeforeunload = (event) => { event.preventDefault(); return 'stay' }</script>",
  "/windows": "<script>setInterval(() => window.open('/1'), 1)</script>",
  "/frames":
    "<body><script>for (let i = 0; i < 500; i++) document.body.append(document.createElement('iframe'))</script>",
  "/memory":
    "<script>const kept = []; setInterval(() => kept.push(new Float64Array(1e7).fill(1)), 1)</script>",
  "/reload": "<script>location.reload()</script>",
  "/timers":
    "<script>for (let i = 0; i < 1e5; i++) setInterval(() => document.title += i, 1)</script>",
}
const paths = Object.keys(hostile)
/** Paths that Chrome requested; a slow machine may not get to all. */
const requested = new Set<string>()
const site = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  fetch({ url }) {
    const { pathname, search } = new URL(url)
    requested.add(search)
    return new Response(hostile[pathname] ?? "<h1>Page</h1>", {
      headers: { "content-type": "text/html" },
    })
  },
})
const root = `http://127.0.0.1:${site.port}`
const { browser, pool, stop, lease } = startChrome(hangMs)

async function open(path: string, deadlineMs: number): Promise<void> {
  const jar = new CookieJar()
  const options = { timeoutMs: deadlineMs }
  try {
    await browser.lease({ ...lease, jar, deadlineMs }, (tab) => tab.goto(root + path, options))
  } finally {
    await browser.release(jar)
  }
}
const ends = new Map<string, number>()
async function attack(page: number): Promise<void> {
  const end = await open(`${paths[page % paths.length]}?${page}`, deadlineMs).then(
    () => "opened",
    (error) => error.code ?? String(error),
  )
  ends.set(end, (ends.get(end) ?? 0) + 1)
}

/** Returns whether a process renders pages. Chrome starts and ends its other services as needed. */
function isRenderer(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("--type=renderer")
  } catch {
    return false
  }
}

function state() {
  const { leases, contexts, pids } = pool.stats()
  return {
    leases,
    contexts,
    processes: descendants(pids).length,
    renderers: descendants(pids).filter(isRenderer).length,
    memory: proportionalMemory(pids),
  }
}
function reported(when: string, now = state()) {
  const { leases, contexts, processes, renderers, memory } = now
  console.log(
    `${when.padEnd(26)}leases ${leases}, contexts ${contexts}, processes ${processes} (${renderers} of pages), ${memory} MB`,
  )
  return now
}

for (let page = 0; page < 10; page++) await open("/good", 60_000)
await Bun.sleep(Math.min(restMs, 5000))
const before = reported("after 10 good pages")
const pieces = 4
for (let piece = 1; piece <= pieces; piece++) {
  await inParallel(pages / pieces, (page) => attack((piece - 1) * (pages / pieces) + page))
  reported(`after ${(piece * pages) / pieces} hostile pages`)
}
console.log(`asked for                 ${requested.size - 1} of ${pages}`)
console.log(`they ended as             ${JSON.stringify(Object.fromEntries(ends))}`)
const until = performance.now() + restMs
const isBack = ({ leases, contexts, renderers, memory }: typeof before) =>
  leases === 0 &&
  contexts === 0 &&
  renderers <= before.renderers &&
  memory <= before.memory * maxMemory
while (!isBack(state()) && performance.now() < until) await Bun.sleep(1000)
const after = reported("after a rest")
await open("/good", 60_000)
const { pids } = pool.stats()
const known = descendants(pids)
await stop()
const alive = known.filter((pid) => descendants([process.pid]).includes(pid))
console.log(`after Chrome's end        processes ${alive.length}`)
const ratio = (after.memory / before.memory).toFixed(2)
const wereVisible = requested.size > 0.9 * pages
const held = isBack(after) && alive.length === 0 && wereVisible
console.log(
  `${(held ? "held" : "NOT HELD").padEnd(26)}${ratio} of the memory before, at most ${maxMemory}`,
)
site.stop(true)
process.exit(held ? 0 : 1)
