import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { leanChrome } from "../../chrome.ts"
import { Installation, type Serving } from "../process.ts"
import { LoginSite, password } from "./login-site.ts"

const site = new LoginSite()
const chrome = leanChrome()
const installation = new Installation({
  TRAWL_EGRESS_ALLOW: `127.0.0.1:${site.port},localhost:${site.port}`,
  TRAWL_HOST_RATE_LIMITS: "127.0.0.1=50,localhost=50",
  ...(chrome ? { TRAWL_CHROME: chrome } : { TRAWL_CHROME_DOWNLOAD_URL: "never" }),
})
let serving: Serving
let key: string
let otherKey: string

beforeAll(async () => {
  serving = await installation.serve()
  const keyOf = async (email: string) => {
    const made = await installation.run("account", "create", email)
    return made.stdout.trim().split("\n")[1]!
  }
  key = await keyOf("ada@example.com")
  otherKey = await keyOf("eve@example.com")
}, 120_000)
afterAll(async () => {
  await serving.end()
  site.stop()
  await installation.remove()
}, 60_000)

// biome-ignore lint/suspicious/noExplicitAny: a test reads any JSON response
type Answer = { status: number; body: any }
async function call(method: string, path: string, body?: unknown, as = key): Promise<Answer> {
  const response = await fetch(serving.root + path, {
    method,
    headers: {
      authorization: `Bearer ${as}`,
      ...(body === undefined ? {} : { "content-type": "application/json" }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  return { status: response.status, body: text === "" ? undefined : JSON.parse(text) }
}

const create = (body: object) => call("POST", "/api/v1/sessions", body)

/** Runs the single-page reader with a session. Returns its run and items. */
async function read(paths: string[], session?: string, input: object = {}) {
  const named = session === undefined ? "" : `&session=${session}`
  const urls = paths.map((path) => (path.startsWith("http") ? path : site.url(path)))
  const run = await call(
    "POST",
    `/api/v1/scrapers/url-to-markdown-scraper/runs?waitForFinish=120${named}`,
    { urls, ...input },
  )
  const items = await call("GET", `/api/v1/datasets/${run.body.datasetId}/items`)
  return { run: run.body, items: items.body.items as Record<string, unknown>[] }
}

const cookiesOf = (value: string) => [
  { name: "sid", value, domain: "127.0.0.1", path: "/", httpOnly: true },
]
const textOf = (items: unknown) => JSON.stringify(items)

describe("a session from imported cookies", () => {
  test("opens members' pages over HTTP, stores what the site refreshes, and stays out of items", async () => {
    const made = await create({ name: "shop", import: cookiesOf(site.newMember()) })
    expect(made.status).toBe(201)
    expect(made.body).toMatchObject({ hosts: ["127.0.0.1"], status: "active", signedIn: true })
    expect(textOf((await read(["/members/a"])).items)).not.toContain("Hello Ada")

    const { run, items } = await read(["/members/a"], "shop")
    expect(run).toMatchObject({ status: "succeeded", session: "shop" })
    expect(textOf(items)).toContain("Hello Ada")
    await read(["/members/b"], "shop")
    const last = site.seen.findLast(({ path }) => path === "/members/b")
    expect(last?.cookie).toContain("visit=")
    expect(textOf(items)).not.toContain(site.secrets.at(-1)!)
    const session = await call("GET", "/api/v1/sessions/shop")
    expect(session.body.lastUsedAt).not.toBeNull()
  }, 120_000)

  test("is sent to no other host, also not by a redirect", async () => {
    await read(["/elsewhere"], "shop")
    const elsewhere = site.seen.findLast(({ host }) => host === "localhost")
    expect(elsewhere).toEqual({ host: "localhost", path: "/open", cookie: "" })
    const own = site.seen.findLast(({ path }) => path === "/elsewhere")
    expect(own?.cookie).toContain("sid=")
  }, 120_000)

  test("is neither visible to another account nor usable by it", async () => {
    const paths = ["/api/v1/sessions/shop", "/api/v1/sessions/shop/login"]
    expect((await call("GET", paths[0]!, undefined, otherKey)).status).toBe(404)
    expect((await call("POST", paths[1]!, undefined, otherKey)).status).toBe(404)
    expect((await call("DELETE", paths[0]!, undefined, otherKey)).status).toBe(404)
    const list = await call("GET", "/api/v1/sessions", undefined, otherKey)
    expect(list.body.items).toEqual([])
    const path = "/api/v1/scrapers/url-to-markdown-scraper/runs?session=shop"
    const run = await call("POST", path, { urls: [site.url("/members/a")] }, otherKey)
    expect(run.status).toBe(400)
    expect(run.body.error.details[0]).toMatchObject({ field: "session", actual: "shop" })
  })

  test("is created or replaced by one call, and schedules that name it continue to use it", async () => {
    const put = (body: object, name = "again") => call("PUT", `/api/v1/sessions/${name}`, body)
    const made = await put({ import: cookiesOf("ended") })
    expect([made.status, made.body.name, made.body.status]).toEqual([201, "again", "active"])
    const input = { urls: [site.url("/members/scheduled")] }
    const schedule = await call("POST", "/api/v1/schedules", {
      name: "daily",
      scraper: "url-to-markdown-scraper",
      input,
      cron: "0 5 * * *",
      session: "again",
    })
    expect(schedule.status).toBe(201)
    await read(["/members/put"], "again")
    expect((await call("GET", "/api/v1/sessions/again")).body.status).toBe("expired")

    const replaced = await put({ import: cookiesOf(site.newMember()) })
    expect(replaced.status).toBe(200)
    expect(replaced.body).toMatchObject({
      id: made.body.id,
      status: "active",
      hosts: ["127.0.0.1"],
    })
    expect(textOf((await read(["/members/put"], "again")).items)).toContain("Hello Ada")
    const after = await call("GET", `/api/v1/schedules/${schedule.body.id}`)
    expect(after.body.session).toBe("again")

    // Several concurrent calls all succeed, and one of them creates it.
    const both = await Promise.all(
      [1, 2, 3].map(() => put({ import: cookiesOf(site.newMember()) }, "race")),
    )
    expect(both.map(({ status }) => status).sort()).toEqual([200, 200, 201])
    expect(new Set(both.map(({ body }) => body.id)).size).toBe(1)

    for (const [body, field] of [
      [{}, "import"],
      [{ hosts: ["127.0.0.1"] }, "import"],
      [{ import: "no cookies" }, "import"],
      [{ import: cookiesOf("x"), name: "other" }, "name"],
    ] as const) {
      const refused = await put(body)
      expect([refused.status, refused.body.error.details[0].field]).toEqual([400, field])
    }
    expect((await put({ import: cookiesOf("x") }, "Upper")).status).toBe(400)
    const path = "/api/v1/sessions/again"
    const others = await call("PUT", path, { import: cookiesOf("x") }, otherKey)
    expect([others.status, others.body.id === made.body.id]).toEqual([201, false])
    await call("DELETE", path, undefined, otherKey)
    await call("DELETE", `/api/v1/schedules/${schedule.body.id}`)
    for (const name of ["again", "race"]) await call("DELETE", `/api/v1/sessions/${name}`)
  }, 120_000)

  test("works for batches, recipes and schedules, which follow its new name", async () => {
    const url = site.url("/members/batch")
    const batch = await call("POST", "/api/v1/batches", {
      scraper: "url-to-markdown-scraper",
      inputs: [{ urls: [url] }],
      session: "shop",
    })
    const items = async (path: string) => textOf((await call("GET", path)).body.items)
    await finished(`/api/v1/batches/${batch.body.id}`)
    expect(await items(`/api/v1/batches/${batch.body.id}/items`)).toContain("Hello Ada")

    await call("POST", "/api/v1/recipes", {
      slug: "members",
      name: "Members",
      pattern: `127.0.0.1:${site.port}/members/*`,
      input: { fields: ["who: .who"] },
      session: "shop",
    })
    const made = await call("POST", "/api/v1/schedules", {
      scraper: "url-to-markdown-scraper",
      input: { urls: [url] },
      cron: "@daily",
      session: "shop",
    })
    const renamed = await call("PATCH", "/api/v1/sessions/shop", { name: "store" })
    expect(renamed.body.name).toBe("store")
    const path = "/api/v1/scrapers/members/runs?waitForFinish=60"
    const run = await call("POST", path, { urls: [url] })
    expect(run.body.session).toBe("store")
    expect(await items(`/api/v1/datasets/${run.body.datasetId}/items`)).toContain("Hello Ada")
    const now = await call("POST", `/api/v1/schedules/${made.body.id}/run`)
    expect(now.body.session).toBe("store")
    await finished(`/api/v1/runs/${now.body.id}`)
    expect(await items(`/api/v1/datasets/${now.body.datasetId}/items`)).toContain("Hello Ada")
  }, 180_000)

  test("expires when the site asks to sign in, and runs fail at once from then on", async () => {
    const channel = await call("POST", "/api/v1/notifications", {
      kind: "webhook",
      url: site.url("/hook"),
      events: ["session.expired"],
    })
    expect(channel.status).toBe(201)
    site.expire()
    const { items } = await read(["/members/a"], "store")
    expect(items[0]).toMatchObject({ error: { code: "login_required" } })
    expect(textOf(items)).toContain('The session \\"store\\" has expired')
    const session = await call("GET", "/api/v1/sessions/store")
    expect(session.body).toMatchObject({
      status: "expired",
      reason: "The site requires signing in.",
    })
    const before = site.seen.length
    const { run } = await read(["/members/a"], "store")
    expect(run).toMatchObject({ status: "failed", error: { code: "login_required" } })
    expect(site.seen.slice(before).filter(({ path }) => path === "/members/a")).toEqual([])
    const path = `/api/v1/notifications/${channel.body.id}/deliveries`
    const deliveries = await call("GET", path)
    expect(deliveries.body.items.map(({ event }: { event: string }) => event)).toEqual([
      "session.expired",
    ])

    const body = { import: cookiesOf(site.newMember()) }
    const again = await call("PATCH", "/api/v1/sessions/store", body)
    expect(again.body).toMatchObject({ status: "active", reason: null })
    expect(textOf((await read(["/members/a"], "store")).items)).toContain("Hello Ada")
  }, 120_000)
})

describe.skipIf(!chrome)("a session with a log-in recipe", () => {
  const login = {
    steps: [
      { type: "goto", url: site.url("/login") },
      { type: "fill", selector: "#email", text: "ada@example.com" },
      { type: "fill", selector: "#password", secret: "password" },
      { type: "click", selector: "#go" },
      { type: "wait", selector: ".who" },
    ],
    secrets: { password },
  }

  test("logs in at its first use, and again, once for all runs, when the log-in has ended", async () => {
    const made = await create({ name: "portal", login })
    expect(made.body).toMatchObject({
      hosts: ["127.0.0.1"],
      signedIn: false,
      login: { secrets: ["password"] },
    })
    const before = site.logins
    expect(textOf((await read(["/members/a"], "portal")).items)).toContain("Hello Ada")
    expect(site.logins).toBe(before + 1)
    site.expire()
    const paths = ["/members/a", "/members/b", "/members/c"]
    const all = await Promise.all([read(paths, "portal"), read(paths, "portal")])
    for (const { items } of all) {
      expect(items.map((item) => textOf(item).includes("Hello Ada"))).toEqual([true, true, true])
    }
    expect(site.logins).toBe(before + 2)
  }, 240_000)

  test("gives Chrome its cookies and its local storage", async () => {
    const { items } = await read(["/members/a", "/app"], "portal", { renderScripts: true })
    expect(textOf(items)).toContain("Hello Ada")
    expect(textOf(items)).toContain("token-of-ada")
    const anonymous = await read(["/app"], undefined, { renderScripts: true })
    expect(textOf(anonymous.items)).toContain("no token")
  }, 240_000)

  test("logs in again for a page of Chrome", async () => {
    site.expire()
    const { items } = await read(["/members/chrome"], "portal", { renderScripts: true })
    expect(textOf(items)).toContain("Hello Ada")
  }, 240_000)

  test("expires with the step that failed, and does not retry on its own", async () => {
    site.expire()
    site.isOpen = false
    const { items } = await read(["/members/a"], "portal")
    expect(items[0]).toMatchObject({ error: { code: "login_required" } })
    const session = await call("GET", "/api/v1/sessions/portal")
    expect(session.body.status).toBe("expired")
    expect(session.body.reason).toContain("steps[4] (wait)")
    const logins = site.seen.filter(({ path }) => path === "/login").length
    await read(["/members/a"], "portal")
    expect(site.seen.filter(({ path }) => path === "/login").length).toBe(logins)
    site.isOpen = true
    const again = await call("POST", "/api/v1/sessions/portal/login")
    expect(again.body).toMatchObject({ status: "active", signedIn: true })
  }, 240_000)
})

test("no cookie and no password is in plain text in the data folder, the logs or the responses", async () => {
  const found: string[] = []
  const secrets = [...site.secrets, password, "token-of-ada"]
  const folder = join(installation.folder, "data")
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const path = join(entry.parentPath, entry.name)
    const bytes = readFileSync(path)
    // Only the items of the page that shows the token contain it.
    const sought = secrets.filter((secret) => secret !== "token-of-ada")
    if (sought.some((secret) => bytes.includes(secret))) found.push(path)
  }
  const said = JSON.stringify([serving.lines, serving.noise])
  if (secrets.some((secret) => said.includes(secret))) found.push("log")
  const answers = ["/api/v1/sessions", "/api/v1/runs?view=full", "/api/v1/me/export"]
  for (const path of answers) {
    const text = textOf((await call("GET", path).catch(() => ({ body: "" }))).body)
    if (site.secrets.concat(password).some((secret) => text.includes(secret))) found.push(path)
  }
  expect(found).toEqual([])
})

async function finished(path: string): Promise<void> {
  for (let tries = 0; tries < 300; tries++) {
    const { status } = (await call("GET", path)).body
    if (!["queued", "running"].includes(status)) return
    await Bun.sleep(200)
  }
  throw new Error(`${path} does not finish.`)
}

describe("other surfaces", () => {
  test("the command line imports, lists, uses and removes a session", async () => {
    const file = join(installation.folder, "cookies.txt")
    const value = site.newMember()
    await Bun.write(
      file,
      `# Netscape HTTP Cookie File\n#HttpOnly_127.0.0.1\tFALSE\t/\tFALSE\t0\tsid\t${value}\n`,
    )
    const remote = ["--remote", serving.root, "--key", key]
    const made = await installation.run("sessions", "import", "by-line", file, ...remote)
    expect(made).toMatchObject({ code: 0, stdout: "by-line created: 127.0.0.1\n" })
    const list = await installation.run("sessions", "list", ...remote)
    expect(list.stdout).toContain("by-line\tactive\t127.0.0.1\tnever used")
    const url = site.url("/members/line")
    const run = await installation.run(
      ...["run", "url-to-markdown-scraper", url, "--session", "by-line", "-q", ...remote],
    )
    expect(run.stdout).toContain("Hello Ada")
    const alone = await installation.run("run", "url-to-markdown-scraper", url, "--session", "x")
    expect(alone).toMatchObject({ code: 2 })
    expect(alone.stderr).toContain("--session names a session")
    const removed = await installation.run("sessions", "remove", "by-line", ...remote)
    expect(removed.stdout).toBe("by-line removed\n")
    const unknown = await installation.run("sessions", "login", "by-line", ...remote)
    expect(unknown).toMatchObject({ code: 2 })
    expect(unknown.stderr).toContain('There is no session "by-line"')
  }, 120_000)

  test("MCP lists sessions and runs with one; an anonymous caller has none", async () => {
    await create({ name: "by-tool", import: `sid=${site.newMember()}`, hosts: ["127.0.0.1"] })
    const ask = async (method: string, params: object, as?: string) => {
      const response = await fetch(`${serving.root}/api/mcp`, {
        method: "POST",
        headers: {
          "content-type": "application/json",
          accept: "application/json, text/event-stream",
          ...(as === undefined ? {} : { authorization: `Bearer ${as}` }),
        },
        body: JSON.stringify({
          jsonrpc: "2.0",
          id: 1,
          method,
          params,
        }),
      })
      return response.text()
    }
    const tool = (name: string, args: object, as?: string) =>
      ask("tools/call", { name, arguments: args }, as)
    const list = { uri: "trawl://sessions" }
    expect(await ask("resources/read", list, key)).toContain("by-tool (active) for 127.0.0.1")
    expect(await ask("resources/read", list, otherKey)).toContain("There are none")
    expect(await ask("resources/read", list)).toContain("require an account")
    const run = {
      scraper: "url-to-markdown-scraper",
      input: { urls: [site.url("/members/tool")] },
      session: "by-tool",
    }
    expect(await tool("run_scraper", run, key)).toContain("Hello Ada")
    expect(await tool("run_scraper", run)).toContain("Sessions belong to accounts")
    expect(await tool("run_scraper", run, otherKey)).toContain('There is no session \\"by-tool\\"')
    const other = await tool("start_run", { ...run, session: "?" }, key)
    expect(other).toMatch(/The account has [^.]*by-tool/)
  }, 120_000)
})
