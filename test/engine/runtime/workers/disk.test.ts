import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { mkdtempSync, readdirSync, rmSync, statfsSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Installation, type Serving } from "../../../api/process.ts"
import { testOfAll } from "../../../samples.ts"

/** Waits for a condition without a time limit; the test has one. */
async function until(isTrue: () => Promise<boolean> | boolean): Promise<void> {
  while (!(await isTrue())) await Bun.sleep(50)
}

/** Serves pages of about 150 KB; the later ones once the test releases them. */
class SlowSite {
  private readonly gate = Promise.withResolvers<void>()
  requested = 0
  private readonly server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: async (request) => {
      const { pathname } = new URL(request.url)
      if (!pathname.startsWith("/page-")) return new Response("", { status: 404 })
      if (this.requested++ > 0) await this.gate.promise
      // One element: much to store, and little to parse.
      const text = `<pre>${"The tide comes and goes twice a day.\n".repeat(4000)}</pre>`
      return new Response(`<title>Tides</title><main><h1>Tides</h1>${text}</main>`, {
        headers: { "content-type": "text/html" },
      })
    },
  })
  readonly urls = Array.from({ length: 6 }, (_, n) => new URL(`/page-${n}`, this.server.url).href)
  letGo = () => this.gate.resolve()
  stop = () => this.server.stop(true)
}

interface UpstreamResponse {
  status: number
  retryAfter: string | null
  // biome-ignore lint/suspicious/noExplicitAny: a test reads any JSON response
  body: any
}

class Client {
  constructor(
    readonly serving: Serving,
    private readonly key: string,
  ) {}

  async call(path: string, body?: unknown, isKeyless = false): Promise<UpstreamResponse> {
    const response = await fetch(this.serving.root + path, {
      headers: {
        "content-type": "application/json",
        ...(isKeyless ? {} : { authorization: `Bearer ${this.key}` }),
      },
      ...(body === undefined ? {} : { method: "POST", body: JSON.stringify(body) }),
    })
    const retryAfter = response.headers.get("retry-after")
    return { status: response.status, retryAfter, body: await response.json() }
  }

  at = (serving: Serving) => new Client(serving, this.key)

  start = (urls: string[], query = "") =>
    this.call(`/api/v1/scrapers/url-to-markdown-scraper/runs${query}`, { urls })

  /** Returns the log lines about whether the database can be written. */
  reported(words: string): string[] {
    return this.serving.lines.map(({ msg }) => String(msg)).filter((msg) => msg.includes(words))
  }

  isReady = async () => (await this.call("/readyz")).status === 200
}

async function serve(installation: Installation): Promise<Client> {
  const serving = await installation.serve()
  const { stdout } = await installation.run("account", "create", "a@example.com", "--unlimited")
  return new Client(serving, stdout.trim().split("\n")[1]!)
}

const settings = { TRAWL_EGRESS_ALLOW: "127.0.0.1", TRAWL_WORKERS: "1" }
const nowhere = ["http://127.0.0.1:1/"]

const mayMount = process.getuid?.() === 0 && mountSmall(probeFolder())
if (!mayMount) console.warn("SKIPPED: a disk that is full (no right to mount a tmpfs here)")

function probeFolder(): string {
  return mkdtempSync(join(tmpdir(), "trawl-mount-"))
}

/** Returns whether a small tmpfs can be mounted; it is unmounted again. */
function mountSmall(folder: string): boolean {
  const { success } = Bun.spawnSync(["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", folder])
  if (success) Bun.spawnSync(["umount", folder])
  rmSync(folder, { recursive: true, force: true })
  return success
}

describe("a database that cannot be written", () => {
  const disk = probeFolder()
  const dataDir = join(disk, "data")
  const installation = new Installation({ ...settings, TRAWL_DATA_DIR: dataDir })
  const site = new SlowSite()
  let client!: Client

  beforeAll(async () => {
    if (mayMount) Bun.spawnSync(["mount", "-t", "tmpfs", "-o", "size=96m", "tmpfs", disk])
    client = await serve(installation)
  }, 120_000)
  afterAll(async () => {
    site.stop()
    await client?.serving.end("SIGKILL")
    await installation.remove()
    if (mayMount) Bun.spawnSync(["umount", disk])
    rmSync(disk, { recursive: true, force: true })
  }, 120_000)

  /** Fills the disk to the last page. */
  function fill(): void {
    for (let file = 0; ; file++) {
      const { bavail, bsize } = statfsSync(disk)
      if (bavail === 0) return
      try {
        writeFileSync(join(disk, `fill-${file}`), new Uint8Array(bavail * bsize))
      } catch {
        // The service took the last page meanwhile.
      }
    }
  }

  function free(): void {
    for (const name of readdirSync(disk)) if (name.startsWith("fill-")) rmSync(join(disk, name))
  }

  test.skipIf(!mayMount)(
    "because the disk is full: is reported to callers and monitors, pauses runs without ending them, and ends when there is space",
    async () => {
      expect(await client.isReady()).toBe(true)
      const seconds = 12
      const { body: run } = await client.start(site.urls, `?timeoutSeconds=${seconds}`)
      await until(() => site.requested > 1)
      fill()
      site.letGo()
      await until(() => client.reported("cannot be written: the disk is full").length > 0)

      const refused = await client.start(nowhere)
      expect([refused.status, refused.retryAfter]).toEqual([507, "15"])
      expect(refused.body.error.message).toContain("the disk is full")
      for (const keyless of [
        await client.call(`/api/scrape?url=${nowhere}`, undefined, true),
        await client.call(
          "/api/agent/scrape",
          { scraper: "url-to-markdown-scraper", input: { urls: nowhere } },
          true,
        ),
      ]) {
        expect([keyless.status, keyless.retryAfter]).toEqual([507, "15"])
        expect(keyless.body).toMatchObject({ status: "ERROR", free: { used: 0 } })
      }
      const ready = await client.call("/readyz")
      expect(ready.status).toBe(503)
      expect(ready.body).toMatchObject({
        status: "not_ready",
        writer: { state: "failing" },
        disk: { state: "full" },
      })
      expect((await client.call("/healthz")).status).toBe(200)

      const copy = join(disk, "copy.db")
      const backup = await installation.run("backup", copy)
      expect(backup.code).not.toBe(0)
      expect(backup.stderr).toContain("could not be written: database or disk is full")
      expect(readdirSync(disk).filter((name) => name.startsWith("copy"))).toEqual([])

      // Longer than the run's time limit, which does not count while it waits for the disk.
      await Bun.sleep((seconds + 3) * 1000)
      const waiting = await client.call(`/api/v1/runs/${run.id}`)
      expect(waiting.body.status).toBe("running")
      free()
      const ended = await client.call(`/api/v1/runs/${run.id}?waitForFinish=60`)
      expect(ended.body).toMatchObject({ status: "succeeded", itemCount: site.urls.length })
      await until(() => client.reported("can be written again").length > 0)
      await until(client.isReady)
      expect((await client.start(nowhere)).status).toBe(201)
      // Once each, however many attempts there were.
      expect(client.reported("can be written again")).toHaveLength(1)
      expect(client.reported("disk is full")).toEqual([
        expect.stringContaining("The database cannot be written"),
      ])
    },
    120_000,
  )

  testOfAll(
    "because the disk is full: does not keep the service from stopping, and waiting runs continue at the next start",
    async () => {
      if (!mayMount) return
      const { body: run } = await client.start(site.urls)
      await until(
        async () => (await client.call(`/api/v1/runs/${run.id}`)).body.status !== "queued",
      )
      fill()
      expect(await client.serving.end()).toBe(0)
      free()
      client = client.at(await installation.serve())
      const ended = await client.call(`/api/v1/runs/${run.id}?waitForFinish=60`)
      expect(ended.body).toMatchObject({ status: "succeeded", itemCount: site.urls.length })
    },
    120_000,
  )

  test("because of a lock", async () => {
    const script = `
      const { Database } = require("bun:sqlite")
      globalThis.held = new Database(process.env.FILE)
      held.run("BEGIN IMMEDIATE")
      console.log("locked")
      setInterval(() => {}, 1000)`
    const holder = Bun.spawn([process.execPath, "-e", script], {
      env: { ...process.env, FILE: join(dataDir, "trawl.db") },
      stdout: "pipe",
    })
    await holder.stdout.getReader().read()
    try {
      const refused = await client.start(nowhere)
      expect([refused.status, refused.retryAfter]).toEqual([503, "15"])
      expect(refused.body.error.message).toContain("lock")
      const ready = await client.call("/readyz")
      expect([ready.status, ready.body.writer.state]).toEqual([503, "failing"])
      expect((await client.call("/healthz")).status).toBe(200)
    } finally {
      holder.kill()
      await holder.exited
    }
    await until(client.isReady)
    expect((await client.start(nowhere)).status).toBe(201)
  }, 120_000)

  testOfAll(
    "because its file is immutable",
    async () => {
      // The in-memory file system may not have this flag.
      const installation = new Installation(settings)
      const data = join(installation.folder, "data")
      const immutable = (flag: "+i" | "-i") =>
        Bun.spawnSync(["chattr", flag, join(data, "trawl.db"), join(data, "trawl.db-wal")]).success
      const client = await serve(installation)
      try {
        if (!immutable("+i"))
          return console.warn("SKIPPED: an immutable file (no right to make one)")
        const refused = await client.start(nowhere)
        expect([refused.status, refused.retryAfter]).toEqual([503, "15"])
        expect((await client.call("/readyz")).status).toBe(503)
        expect((await client.call("/healthz")).status).toBe(200)
        immutable("-i")
        await until(client.isReady)
        expect((await client.start(nowhere)).status).toBe(201)
      } finally {
        immutable("-i")
        await client.serving.end()
        await installation.remove()
      }
    },
    120_000,
  )
})
