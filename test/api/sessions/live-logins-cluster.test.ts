/** Two processes over one PostgreSQL: a page of Chrome is open in one of them. */
import { afterAll, expect, test } from "bun:test"
import { copyFileSync, mkdirSync } from "node:fs"
import { join } from "node:path"
import { fullChrome } from "../../chrome.ts"
import { freshDatabase, hasPostgres } from "../../postgres.ts"
import { Installation, type Serving } from "../process.ts"
import { LoginSite } from "./login-site.ts"

const chrome = fullChrome()
const site = new LoginSite()
const installations: Installation[] = []
const servings: Serving[] = []

afterAll(async () => {
  for (const serving of servings) await serving.end()
  for (const installation of installations) installation.remove()
  site.stop()
}, 60_000)

test.skipIf(!chrome || !hasPostgres)(
  "another process reports that the page is not open there, and what the operator must set",
  async () => {
    const settings = {
      TRAWL_DATABASE_URL: await freshDatabase(),
      TRAWL_EGRESS_ALLOW: `127.0.0.1:${site.port}`,
      TRAWL_SIGNUP: "open",
      TRAWL_CHROME: chrome!,
    }
    const [one, other] = [new Installation(settings), new Installation(settings)]
    installations.push(one, other)
    const first = await one.serve()
    servings.push(first)
    mkdirSync(join(other.folder, "data"), { recursive: true })
    copyFileSync(join(one.folder, "data/trawl.key"), join(other.folder, "data/trawl.key"))
    const second = await other.serve()
    servings.push(second)
    const signedUp = await fetch(`${first.root}/api/account`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ email: "ada@example.com", password: "correct horse battery" }),
    })
    const cookie = /trawl_session=[^;]*/.exec(signedUp.headers.get("set-cookie") ?? "")![0]
    const send = async ({ root }: Serving, method: string, path: string, body?: object) => {
      const response = await fetch(`${root}/api/v1/live-logins${path}`, {
        method,
        headers: { cookie, "content-type": "application/json" },
        ...(body && { body: JSON.stringify(body) }),
      })
      return { status: response.status, text: await response.text() }
    }
    const started = await send(first, "POST", "", { url: site.url("/login") })
    expect(started.status).toBe(201)
    const { id } = JSON.parse(started.text)
    const events = { events: [{ type: "reload" }] }
    expect((await send(first, "POST", `/${id}/input`, events)).status).toBe(204)
    const elsewhere = [
      await send(second, "POST", `/${id}/input`, events),
      await send(second, "POST", `/${id}/save`, { name: "shop" }),
      await send(second, "DELETE", `/${id}`),
    ]
    for (const { status, text } of elsewhere) {
      expect([status, text]).toEqual([409, expect.stringContaining("load balancer")])
    }
    // The console learns the reason from the stream.
    const pictures = await send(second, "GET", `/${id}/pictures`)
    expect(pictures.text).toStartWith("event: closed\n")
    expect(pictures.text).toContain("load balancer")
    // It is still open where it was started.
    expect((await send(first, "DELETE", `/${id}`)).status).toBe(204)
    expect((await send(first, "DELETE", `/${id}`)).status).toBe(404)
  },
  120_000,
)
