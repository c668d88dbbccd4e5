/**
 * Tests the responses of a service that lacks something of the system: `bun run bench trust
 * faults`. A limit of open files, a disk whose every fsync takes a third of a second (with strace),
 * no resolver (in a separate network namespace), a clock that jumps (with faketime). Prints and
 * skips what the machine does not support.
 */
import { Database } from "bun:sqlite"
import { mkdtempSync, rmSync } from "node:fs"
import { connect, type Socket } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { databasePath } from "../../src/store/store.ts"
import { trawlCommand } from "../../test/trawl.ts"
import { quantile, startService } from "./service.ts"

const only = process.argv.slice(2)
const fsyncMs = 300
const issues: string[] = []
const must = (holds: boolean, what: string) => {
  if (!holds) issues.push(what)
}
const page = "<title>page</title><h1>Page</h1><p>Text of the page.</p>"
const site = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  fetch: () => new Response(page, { headers: { "content-type": "text/html" } }),
})

interface Place {
  dataDir: string
  key: string
}
function place(): Place {
  const dataDir = mkdtempSync(join(tmpdir(), "trawl-faults-"))
  const env = { PATH: process.env.PATH ?? "", HOME: dataDir, TRAWL_DATA_DIR: dataDir }
  const made = Bun.spawnSync(
    [...trawlCommand, "account", "create", "a@example.com", "--unlimited"],
    { env },
  )
  return { dataDir, key: /trawl_live_\w+/.exec(made.stdout.toString())![0] }
}

const settings = { TRAWL_EGRESS_ALLOW: "127.0.0.1", TRAWL_WORKERS: "1" }
const call = (root: string, key: string, path: string, body?: unknown) =>
  fetch(root + path, {
    method: body === undefined ? "GET" : "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    signal: AbortSignal.timeout(300_000),
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
const run = async (root: string, key: string, url: string) => {
  const response = await call(
    root,
    key,
    "/api/v1/scrapers/url-to-markdown-scraper/runs?waitForFinish=60",
    { urls: [url] },
  )
  return {
    code: response.status,
    body: (await response.json()) as { id?: string; status?: string; error?: unknown },
  }
}

async function openFiles(): Promise<void> {
  const { dataDir, key } = place()
  const serving = await startService(dataDir, settings, ["prlimit", "--nofile=160:160", "--"])
  const sockets: Socket[] = []
  let refused = 0
  for (let n = 0; n < 400; n++) {
    const socket = connect(Number(new URL(serving.root).port), "127.0.0.1")
    socket.on("error", () => refused++)
    sockets.push(socket)
  }
  await Bun.sleep(1500)
  const health = await fetch(`${serving.root}/healthz`, { signal: AbortSignal.timeout(3000) }).then(
    (response) => String(response.status),
    () => "waits",
  )
  for (const socket of sockets) socket.destroy()
  await Bun.sleep(500)
  const after = await run(serving.root, key, site.url.href)
  must(after.body.status === "succeeded", `open files: a run after it: ${JSON.stringify(after)}`)
  console.log(
    `open files: 160, of which 400 connections took all (${refused} refused): /healthz meanwhile ${health}; after them a run ${after.body.status}; ended with ${await serving.end()}`,
  )
  rmSync(dataDir, { recursive: true, force: true })
}

async function slowDisk(): Promise<void> {
  const { dataDir, key } = place()
  const delay = `fsync,fdatasync:delay_exit=${fsyncMs * 1000}`
  const serving = await startService(dataDir, settings, [
    "strace",
    "-f",
    "-qq",
    "-o",
    "/dev/null",
    "-e",
    "trace=fsync,fdatasync",
    "-e",
    `inject=${delay}`,
  ])
  const posts: number[] = []
  const reads: number[] = []
  let finished = false
  const reading = (async () => {
    while (!finished) {
      const began = performance.now()
      await (await call(serving.root, key, "/api/v1/runs?limit=1")).text()
      reads.push(performance.now() - began)
      await Bun.sleep(30)
    }
  })()
  const ids: string[] = []
  for (let n = 0; n < 10; n++) {
    const began = performance.now()
    const { body } = await run(serving.root, key, `${site.url}${n}`)
    posts.push(performance.now() - began)
    if (body.id && body.status === "succeeded") ids.push(body.id)
  }
  finished = true
  await reading
  await serving.end("SIGKILL")
  const database = new Database(databasePath(dataDir), { readonly: true })
  const { n } = database
    .query("SELECT count(*) AS n FROM runs WHERE status = 'succeeded'")
    .get() as { n: number }
  database.close()
  must(ids.length === 10 && n === 10, `slow disk: ${ids.length} runs acknowledged, ${n} stored`)
  must(quantile(reads, 0.5) < fsyncMs / 2, `slow disk: reads take ${quantile(reads, 0.5)} ms`)
  console.log(
    `slow disk, ${fsyncMs} ms a sync: a run ${Math.round(quantile(posts, 0.5))} ms; ${reads.length} lists meanwhile, p50 ${Math.round(quantile(reads, 0.5))} ms; ${n} of ${ids.length} kept after kill -9`,
  )
  rmSync(dataDir, { recursive: true, force: true })
}

async function noNames(): Promise<void> {
  const { dataDir, key } = place()
  const lost = join(dataDir, "resolv.conf")
  // A resolver that never responds.
  await Bun.write(lost, "nameserver 127.0.0.9\noptions timeout:1 attempts:1\n")
  const serving = await startService(dataDir, settings, [
    "unshare",
    "-m",
    "sh",
    "-c",
    `mount --bind ${lost} /etc/resolv.conf && exec "$@"`,
    "sh",
  ])
  const failed = await run(serving.root, key, "https://example.com/")
  const items = (await (
    await call(serving.root, key, `/api/v1/runs/${failed.body.id}`)
  ).json()) as { datasetId: string }
  const [item] = (
    (await (await call(serving.root, key, `/api/v1/datasets/${items.datasetId}/items`)).json()) as {
      items: { error?: { code: string; message: string } }[]
    }
  ).items
  must(
    item?.error?.code === "dns" || item?.error?.code === "unreachable",
    `no names: ${JSON.stringify(item)}`,
  )
  const fine = await run(serving.root, key, site.url.href)
  must(fine.body.status === "succeeded", `no names: an address without one: ${fine.body.status}`)
  console.log(
    `no resolver: a run ${failed.body.status}, its item ${item?.error?.code}: ${item?.error?.message}; an address without a name ${fine.body.status}; ended with ${await serving.end()}`,
  )
  rmSync(dataDir, { recursive: true, force: true })
}

async function clockJumps(): Promise<void> {
  const { dataDir, key } = place()
  const reported: string[] = []
  for (const jump of ["+0", "+2h", "-3h"]) {
    const serving = await startService(
      dataDir,
      settings,
      jump === "+0" ? [] : ["faketime", "-f", jump],
    )
    if (jump === "+0")
      await call(serving.root, key, "/api/v1/schedules", {
        scraper: "url-to-markdown-scraper",
        cron: "0 * * * *",
        input: { urls: [site.url.href] },
      })
    const { body } = await run(serving.root, key, site.url.href)
    must(body.status === "succeeded", `clock ${jump}: ${JSON.stringify(body)}`)
    await Bun.sleep(3000)
    reported.push(`${jump} a run ${body.status}, ended with ${await serving.end()}`)
  }
  const database = new Database(databasePath(dataDir), { readonly: true })
  const scheduledRuns = database
    .query("SELECT due_at, count(*) AS n FROM scheduled_runs GROUP BY due_at")
    .all() as { n: number }[]
  const backwards = database
    .query("SELECT count(*) AS n FROM runs WHERE finished_at < started_at")
    .get() as { n: number }
  database.close()
  must(
    scheduledRuns.every(({ n }) => n === 1) && backwards.n === 0,
    `clock: ${JSON.stringify(scheduledRuns)}, ${backwards.n} runs that end before they begin`,
  )
  console.log(
    `clock: ${reported.join("; ")}; ${scheduledRuns.length} ticks, each once; ${backwards.n} runs end before they begin`,
  )
  rmSync(dataDir, { recursive: true, force: true })
}

const parts: Record<string, [needs: string, () => Promise<void>]> = {
  files: ["prlimit", openFiles],
  disk: ["strace", slowDisk],
  names: ["unshare", noNames],
  clock: ["faketime", clockJumps],
}
for (const [name, [needs, part]] of Object.entries(parts)) {
  if (only.length > 0 && !only.includes(name)) continue
  if (Bun.which(needs)) await part().catch((error) => must(false, `${name}: ${error}`))
  else console.log(`${name}: not tried, there is no ${needs} here`)
}
site.stop(true)
for (const issue of issues) console.log(`NOT: ${issue}`)
process.exit(issues.length > 0 ? 1 : 0)
