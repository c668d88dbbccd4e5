import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { copyFileSync, mkdirSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { openPostgres } from "../../../../src/store/db/postgres/client.ts"
import { Installation, type Serving } from "../../../api/process.ts"
import { freshDatabase, hasPostgres, PostgresServer } from "../../../postgres.ts"
import { testOfAll } from "../../../samples.ts"

const pages = 12
const rowsOfPage = 400
const total = pages * rowsOfPage

/** A shop whose pages have many rows each. */
const shop = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  fetch(request) {
    const page = Number(new URL(request.url).searchParams.get("page") ?? -1)
    if (page < 0) return new Response(null, { status: 404 })
    const rows = Array.from(
      { length: rowsOfPage },
      (_, row) =>
        `<li><b>${page}-${row}</b><i>${row}.50 EUR</i><p>${"words ".repeat(1000)}</p></li>`,
    )
    const html = `<title>Shop</title><ul>${rows.join("")}</ul>`
    return new Response(html, { headers: { "content-type": "text/html" } })
  },
})

const settings = {
  TRAWL_EGRESS_ALLOW: `127.0.0.1:${shop.port}`,
  TRAWL_HOST_RATE_LIMITS: "127.0.0.1=100",
  TRAWL_DESTINATION_ALLOW: "127.0.0.1",
  TRAWL_CHROME_DOWNLOAD_URL: "never",
}
const installations: Installation[] = []
const servings = new Set<Serving>()

function installed(more: Record<string, string> = {}): Installation {
  const installation = new Installation({ ...settings, ...more })
  installations.push(installation)
  return installation
}

afterAll(async () => {
  for (const serving of servings) await serving.end("SIGKILL")
  for (const installation of installations) await installation.remove()
  await shop.stop(true)
}, 60_000)

async function served(installation: Installation): Promise<Serving> {
  const serving = await installation.serve()
  servings.add(serving)
  return serving
}

async function killed(serving: Serving): Promise<void> {
  servings.delete(serving)
  await serving.end("SIGKILL")
}

async function keyOf(installation: Installation): Promise<string> {
  const made = await installation.run("account", "create", "ada@example.com", "--owner")
  expect(made.code, made.stderr).toBe(0)
  return made.stdout.trim().split("\n")[1]!.trim()
}

// biome-ignore lint/suspicious/noExplicitAny: a test reads any JSON response
async function call({ root }: Serving, key: string, path: string, body?: object): Promise<any> {
  const response = await fetch(root + path, {
    method: body ? "POST" : "GET",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    ...(body && { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  expect(response.ok, text).toBe(true)
  return JSON.parse(text)
}

async function start(serving: Serving, key: string, destination: string): Promise<string> {
  const urls = Array.from({ length: pages }, (_, page) => `${shop.url.href}?page=${page}`)
  const input = { urls, rows: "li", fields: ["sku: b", "price: i", "text: p"] }
  const path = `/api/v1/scrapers/web-scraper/runs?destination=${destination}`
  return (await call(serving, key, path, input)).id
}

async function until(condition: () => Promise<boolean>, milliseconds = 150_000): Promise<void> {
  const end = Date.now() + milliseconds
  while (!(await condition())) {
    if (Date.now() > end) throw new Error("The condition was not met in time.")
    await Bun.sleep(50)
  }
}

/** Returns whether the delivery has ended. Throws if it was given up. */
async function isDelivered(serving: Serving, key: string, destination: string): Promise<boolean> {
  const path = `/api/v1/destinations/${destination}/deliveries`
  const { items } = await call(serving, key, path)
  expect(items[0]?.state).not.toBe("failed")
  return items[0]?.state === "delivered"
}

const skus = Array.from({ length: pages }, (_, page) =>
  Array.from({ length: rowsOfPage }, (_, row) => `${page}-${row}`),
)
  .flat()
  .sort()

/** An S3 server that keeps its objects when it is stopped, and that responds slowly. */
class SlowS3 {
  readonly objects = new Map<string, string>()
  writes = 0
  private server?: ReturnType<typeof Bun.serve>
  private port = 0

  start(): void {
    this.server = Bun.serve({
      port: this.port,
      hostname: "127.0.0.1",
      fetch: async (request) => {
        const body = await request.text()
        const { pathname } = new URL(request.url)
        if (!request.headers.get("authorization")?.startsWith("AWS4-HMAC-SHA256")) {
          return new Response(null, { status: 403 })
        }
        this.writes++
        // Stored, but the response may be lost.
        this.objects.set(decodeURIComponent(pathname), body)
        await Bun.sleep(400)
        return new Response(null)
      },
    })
    this.port = this.server.port!
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`
  }

  stop(): Promise<void> {
    return this.server!.stop(true)
  }

  skus(): string[] {
    return [...this.objects.values()]
      .flatMap((text) => text.trim().split("\n"))
      .map((line) => JSON.parse(line).sku)
      .sort()
  }
}

describe.skipIf(!hasPostgres)("into PostgreSQL", () => {
  let server: PostgresServer
  beforeAll(async () => {
    server = await PostgresServer.start()
  }, 60_000)
  afterAll(() => server.stop())

  testOfAll(
    "no row is lost or doubled if the service and the database are killed in turn",
    async () => {
      const url = await freshDatabase(server.url)
      const installation = installed()
      let serving = await served(installation)
      const key = await keyOf(installation)
      await call(serving, key, "/api/v1/destinations", {
        ...{ name: "db", kind: "postgres", url, table: "products" },
      })
      const count = async () => {
        const client = openPostgres(url, 1)
        try {
          const [row] = await client`SELECT count(*) AS rows FROM products`
          return Number(row.rows)
        } catch {
          return 0
        } finally {
          await client.close({ timeout: 0 })
        }
      }
      await start(serving, key, "db")
      const seen: number[] = []
      for (const victim of ["service", "database", "service"]) {
        const before = await count()
        await until(async () => (await count()) > before)
        seen.push(await count())
        if (victim === "database") {
          await server.crash()
          await server.startAgain()
        } else {
          await killed(serving)
          serving = await served(installation)
        }
      }
      await until(() => isDelivered(serving, key, "db"))
      const client = openPostgres(url, 1)
      const rows = await client`SELECT sku, price FROM products`
      expect(rows.map(({ sku }: { sku: string }) => sku).sort()).toEqual(skus)
      await client.close()
      expect(seen[0]).toBeLessThan(total)
      await killed(serving)
    },
    300_000,
  )

  testOfAll(
    "one process of a cluster at a time delivers, and another continues when it is killed",
    async () => {
      const [storeUrl, url] = [await freshDatabase(server.url), await freshDatabase(server.url)]
      const shared = { TRAWL_DATABASE_URL: storeUrl }
      const [one, other] = [installed(shared), installed(shared)]
      const first = await served(one)
      const folder = join(other.folder, "data")
      mkdirSync(folder, { recursive: true })
      copyFileSync(join(one.folder, "data/trawl.key"), join(folder, "trawl.key"))
      const second = await served(other)
      const key = await keyOf(one)
      await call(first, key, "/api/v1/destinations", {
        ...{ name: "db", kind: "postgres", url, table: "products", uniqueBy: ["sku"] },
      })
      await start(first, key, "db")
      const client = openPostgres(url, 1)
      await until(async () => {
        const [found] = await client`SELECT to_regclass('products') IS NOT NULL AS found`
        if (!found.found) return false
        const [row] = await client`SELECT count(*) AS rows FROM products`
        return Number(row.rows) > 0
      })
      const storeClient = openPostgres(storeUrl, 1)
      const leaseOf = async () => (await storeClient`SELECT lease FROM destinations`)[0].lease
      const holder = async () => (await leaseOf())?.split(" ")[0]
      // IDs of processes are in the order of their starts.
      const [{ id: firstId }] = await storeClient`SELECT id FROM processes ORDER BY id LIMIT 1`
      let victim: string | undefined
      await until(async () => {
        victim = await holder()
        return victim !== undefined
      })
      const [killedOne, survivor] = victim === firstId ? [first, second] : [second, first]
      await killed(killedOne)
      const killedAt = performance.now()
      await until(async () => {
        const id = await holder()
        return id !== undefined && id !== victim
      }, 60_000)
      // A death is noticed after 10 s without a heartbeat. The lease itself lasts a minute.
      expect(performance.now() - killedAt).toBeLessThan(30_000)
      await storeClient.close()
      await until(() => isDelivered(survivor, key, "db")).catch(async (error) => {
        const state = await call(survivor, key, "/api/v1/destinations/db/deliveries")
        const runs = await call(survivor, key, "/api/v1/runs")
        throw new Error(`${error} ${JSON.stringify([state, runs, survivor.lines.slice(-15)])}`)
      })
      const rows = await client`SELECT sku FROM products`
      expect(rows.map(({ sku }: { sku: string }) => sku).sort()).toEqual(skus)
      await client.close()
      await killed(survivor)
    },
    300_000,
  )
})

test("no line is lost or doubled if the service and the storage are killed in turn", async () => {
  const s3 = new SlowS3()
  s3.start()
  const installation = installed()
  let serving = await served(installation)
  const key = await keyOf(installation)
  await call(serving, key, "/api/v1/destinations", {
    ...{ name: "lake", kind: "s3", url: s3.url, bucket: "items", deliver: "at_end" },
    ...{ accessKeyId: "id", secretAccessKey: "the-secret-key" },
  })
  const runId = await start(serving, key, "lake")
  for (const victim of ["service", "storage"]) {
    const { writes } = s3
    await until(async () => s3.writes > writes)
    if (victim === "service") {
      await killed(serving)
      serving = await served(installation)
    } else {
      await s3.stop()
      await Bun.sleep(1000)
      s3.start()
    }
  }
  await until(() => isDelivered(serving, key, "lake"))
  expect(s3.skus()).toEqual(skus)
  const names = [...s3.objects.keys()]
  expect(names.every((name) => name.startsWith("/items/web-scraper/dt="))).toBe(true)
  expect(names.every((name) => name.includes(runId))).toBe(true)
  expect(JSON.stringify(serving.lines)).not.toContain("the-secret-key")
  await killed(serving)
  for (const name of readdirSync(join(installation.folder, "data"))) {
    if (!name.startsWith("trawl.db")) continue
    const bytes = readFileSync(join(installation.folder, "data", name))
    expect(bytes.includes("the-secret-key"), name).toBe(false)
  }
  await s3.stop()
}, 300_000)
