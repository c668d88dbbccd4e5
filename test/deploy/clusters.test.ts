import { afterAll, describe, expect, test } from "bun:test"
import { Installation, type Serving } from "../api/process.ts"
import { type Nginx, nginxAdvice, nginxPath, startNginx } from "../nginx.ts"
import { freshDatabase, hasPostgres } from "../postgres.ts"

if (!nginxPath) console.warn(nginxAdvice)

const site = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  fetch: () => new Response("<title>A page</title>", { headers: { "content-type": "text/html" } }),
})
const installations: Installation[] = []
const servings: Serving[] = []
let nginx: Nginx | undefined
afterAll(async () => {
  await nginx?.stop()
  await Promise.all(servings.map((serving) => serving.end()))
  for (const installation of installations) await installation.remove()
  await site.stop(true)
})

/**
 * A cluster with its own database (PostgreSQL if it is installed), and a key of an account there.
 */
async function cluster() {
  const installation = new Installation({
    TRAWL_EGRESS_ALLOW: `127.0.0.1:${site.port}`,
    ...(hasPostgres && { TRAWL_DATABASE_URL: await freshDatabase() }),
  })
  installations.push(installation)
  const serving = await installation.serve()
  servings.push(serving)
  const { stdout } = await installation.run("account", "create", "a@example.com")
  return { root: serving.root, key: stdout.split("\n")[1]!.trim() }
}

describe.skipIf(!nginxPath)("two clusters behind nginx, by the beginning of the key", () => {
  test("each account finds its runs, and no others", async () => {
    const [one, other] = [await cluster(), await cluster()]
    // docs/internals/scale.md
    nginx = await startNginx({
      locations: `location / {
        set $cluster ${one.root};
        if ($http_authorization ~ "^Bearer ${other.key.slice(0, 20)}") { set $cluster ${other.root}; }
        proxy_pass $cluster;
        proxy_set_header Host $http_host;
      }`,
    })
    const root = `http://127.0.0.1:${nginx.port}`
    const call = async (key: string, path: string, body?: object) => {
      const response = await fetch(root + path, {
        method: body ? "POST" : "GET",
        headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
        ...(body && { body: JSON.stringify(body) }),
      })
      return (await response.json()) as { id: string; status: string; total: number; items: [] }
    }
    const path = "/api/v1/scrapers/meta-tags-scraper/runs"
    for (const { key } of [one, other]) {
      const run = await call(key, `${path}?waitForFinish=60`, { urls: [site.url.href] })
      expect(run.status).toBe("succeeded")
      expect((await call(key, "/api/v1/runs")).items).toMatchObject([{ id: run.id }])
      const anonymousCaller = key === one.key ? other.key : one.key
      expect(await call(anonymousCaller, `/api/v1/runs/${run.id}`)).toMatchObject({
        error: { status: 404 },
      })
    }
    // A key is unknown to the other cluster.
    const direct = await fetch(`${one.root}/api/v1/me`, {
      headers: { authorization: `Bearer ${other.key}` },
    })
    expect(direct.status).toBe(401)
  }, 120_000)
})
