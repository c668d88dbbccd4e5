import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { existsSync, statSync } from "node:fs"
import { join } from "node:path"
import { Installation, type Serving } from "./process.ts"

/** The whole service as a separate process, scraping a site of this test over real sockets. */
const fetched = new Map<string, number>()
let pauseMs = 0
const held = Promise.withResolvers<void>()
const site = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  async fetch(request) {
    const { pathname } = new URL(request.url)
    if (pathname === "/robots.txt") return new Response("", { status: 404 })
    fetched.set(pathname, (fetched.get(pathname) ?? 0) + 1)
    if (pathname.startsWith("/slow")) await Bun.sleep(pauseMs)
    if (pathname === "/held") await held.promise
    if (pathname.startsWith("/never")) await Bun.sleep(600_000)
    return new Response(
      `<!doctype html><title>Page ${pathname}</title><main><h1>Page ${pathname}</h1><p>${"Some words of a page. ".repeat(20)}</p></main>`,
      { headers: { "content-type": "text/html" } },
    )
  },
})
const page = (name: string) => `http://127.0.0.1:${site.port}/${name}`

const installation = new Installation({
  TRAWL_EGRESS_ALLOW: `127.0.0.1:${site.port}`,
  TRAWL_KEYLESS_WAIT: "30",
  TRAWL_FREE_DAILY: "5",
  TRAWL_SIGNUP: "open",
  // The tests act as a reverse proxy.
  TRAWL_TRUST_PROXY: "127.0.0.1",
})
let serving: Serving
let key: string
beforeAll(async () => {
  serving = await installation.serve()
  const made = await installation.run("account", "create", "op@example.com")
  const [id, apiKey] = made.stdout.trim().split("\n")
  expect(id).toMatch(/^acc_/)
  key = apiKey!
}, 120_000)
afterAll(async () => {
  await serving.end("SIGKILL")
  await site.stop(true)
  await installation.remove()
}, 120_000)

// biome-ignore lint/suspicious/noExplicitAny: a test reads any JSON response
async function call(method: string, path: string, body?: unknown): Promise<any> {
  const response = await fetch(path.startsWith("http") ? path : serving.root + path, {
    method,
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  return { status: response.status, body: await response.json() }
}

const runs = "/api/v1/scrapers/url-to-markdown-scraper/runs"

describe("over real sockets", () => {
  test("a run from start to CSV", async () => {
    const { status, body } = await call("POST", `${runs}?waitForFinish=300`, {
      urls: [page("one"), page("two")],
    })
    expect(status).toBe(201)
    expect(body).toMatchObject({ status: "succeeded", itemCount: 2, creditsCharged: 2 })
    const items = await call("GET", body.datasetItemsUrl)
    expect(items.body.items[0].markdown).toContain("Page /one")
    const csv = await fetch(`${body.datasetItemsUrl}?format=csv`, {
      headers: { authorization: `Bearer ${key}` },
    })
    expect(await csv.text()).toContain("Page /two")
  }, 120_000)

  test("keyless: any page as Markdown, counted by the caller's IP address", async () => {
    const reply = await fetch(`${serving.root}/api/scrape?url=${encodeURIComponent(page("free"))}`)
    const body = (await reply.json()) as {
      status: string
      items: { markdown: string }[]
      free: object
    }
    expect(body.status).toBe("SUCCEEDED")
    expect(body.items[0]!.markdown).toContain("Page /free")
    expect(body.free).toMatchObject({ limit: 5, used: 1 })
  }, 120_000)

  test("from a used-up quota by a human's sign-up to a key, behind a proxy", async () => {
    const address = `${serving.root}/api/scrape?url=${encodeURIComponent(page("claimed"))}&maxAge=0`
    // biome-ignore lint/suspicious/noExplicitAny: a test reads any JSON response
    const from = async (caller: string, url = address): Promise<any> =>
      (await fetch(url, { headers: { "x-forwarded-for": caller } })).json()
    const statuses = []
    for (let count = 0; count < 6; count++) statuses.push((await from("203.0.113.7")).status)
    expect(statuses).toEqual([...Array(5).fill("SUCCEEDED"), "PAYMENT_REQUIRED"])
    expect((await from("203.0.113.8")).status).toBe("SUCCEEDED")
    const refused = await from("203.0.113.7")
    const poll = async () => (await fetch(refused.claimStatusUrl)).json()
    expect(await poll()).toEqual({ status: "pending" })

    const signUp = await fetch(refused.claimUrl)
    const cookie = signUp.headers.getSetCookie()[0]!.split(";")[0]!
    const fields = Object.fromEntries(
      [...(await signUp.text()).matchAll(/name="(\w+)" value="([^"]*)"/g)].map((match) => [
        match[1]!,
        match[2]!,
      ]),
    )
    const signedUp = await fetch(`${serving.root}/signup`, {
      method: "POST",
      headers: { cookie },
      body: new URLSearchParams({
        ...fields,
        action: "sign-up",
        email: "human@example.com",
        password: "long enough",
      }),
    })
    expect(await signedUp.text()).toContain("Your agent gets the key")
    const polls = (await Promise.all(Array.from({ length: 100 }, poll))) as { apiKey?: string }[]
    const keys = polls.flatMap(({ apiKey }) => (apiKey === undefined ? [] : [apiKey]))
    expect(keys).toHaveLength(1)
    const paid = await from("203.0.113.7", `${address}&token=${keys[0]}`)
    expect(paid).toMatchObject({
      status: "SUCCEEDED",
      free: { billedTo: "account", creditsCharged: 1, creditsRemaining: 199 },
    })
  }, 120_000)

  test("events of a running run, and its end by abort", async () => {
    const { body: run } = await call("POST", runs, { urls: [page("never")] })
    const stream = await fetch(`${run.statusUrl}/events`, {
      headers: { authorization: `Bearer ${key}` },
    })
    let text = ""
    for await (const chunk of stream.body!.pipeThrough(new TextDecoderStream())) {
      text += chunk
      if (text.includes('"status":"running"')) await call("POST", `/api/v1/runs/${run.id}/abort`)
    }
    expect(text).toContain('"status":"aborted"')
  }, 120_000)

  test("bodies that are too large are refused with the usual body, also without Content-Length", async () => {
    const big = new Uint8Array(8_000_000)
    const stated = await fetch(serving.root + runs, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: big,
    })
    expect([
      stated.status,
      ((await stated.json()) as { error: { status: number } }).error.status,
    ]).toEqual([413, 413])
    const stream = new ReadableStream({
      pull(controller) {
        controller.enqueue(new Uint8Array(100_000).fill(32))
      },
    })
    const endless = await fetch(serving.root + runs, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: stream,
    }).then(
      (response) => response.status,
      // The connection may be closed before the client has sent all.
      () => 413,
    )
    expect(endless).toBe(413)
    expect((await fetch(`${serving.root}/healthz`)).status).toBe(200)
  }, 120_000)

  test("a second process on the same data folder is refused", async () => {
    const second = await installation.run("serve")
    expect(second.code).not.toBe(0)
  }, 120_000)
})

describe("the log", () => {
  test("has the caller, the run, and its start and end", async () => {
    const { body: run } = await call("POST", `${runs}?waitForFinish=300`, {
      urls: [page("logged"), "http://127.0.0.1:1/closed"],
    })
    const last = (msg: string) => serving.lines.findLast((line) => line.msg === msg)
    while (last("run ends")?.run !== run.id) await Bun.sleep(20)
    const me = await call("GET", "/api/v1/me")
    const keys = await call("GET", "/api/v1/keys")
    const who = { run: run.id, account: me.body.id, key: keys.body.items.at(-1).id }
    const started = serving.lines.findLast((line) => line.msg === "call" && line.run === run.id)
    expect(started).toMatchObject({ ...who, caller: "key", method: "POST", status: 201 })
    const about = { ...who, scraper: "url-to-markdown-scraper", origin: "api" }
    const begins = serving.lines.findLast((line) => line.msg === "run begins")
    expect(begins).toMatchObject({ ...about, attempt: 1, targets: 2 })
    expect(last("run ends")).toMatchObject({
      ...about,
      status: "succeeded",
      items: 1,
      errors: 1,
      pages: 1,
      credits: 1,
      ms: expect.any(Number),
    })
    const { body: log } = await call("GET", `/api/v1/runs/${run.id}/log`)
    const reported = log.items.filter((line: { level: string }) => line.level === "warning")
    expect(reported).toHaveLength(1)
    expect(reported[0].message).toStartWith("http://127.0.0.1:1/closed failed (egress_denied): ")
  }, 120_000)
})

describe("shutdown", () => {
  test("SIGTERM fails no run: running targets end, and the rest continues at the next start", async () => {
    pauseMs = 700
    const names = Array.from({ length: 30 }, (_, index) => `slow${index}`)
    const { body: run } = await call("POST", runs, { urls: names.map(page) })
    const queued = await call("POST", runs, { urls: [page("queued")] })
    while (![...fetched.keys()].some((path) => path.startsWith("/slow"))) await Bun.sleep(20)
    await Bun.sleep(1000)
    const started = performance.now()
    const ending = serving.end("SIGTERM")
    // A waiting request is answered with the run's current state.
    expect(await ending).toBe(0)
    expect(performance.now() - started).toBeLessThan(60_000)
    pauseMs = 0
    serving = await installation.serve()
    const end = await call("GET", `/api/v1/runs/${run.id}?waitForFinish=300`)
    expect(end.body).toMatchObject({
      status: "succeeded",
      itemCount: 30,
      errorCount: 0,
      creditsCharged: 30,
    })
    for (const name of names) expect(fetched.get(`/${name}`), name).toBe(1)
    const other = await call("GET", `/api/v1/runs/${queued.body.id}?waitForFinish=300`)
    expect(other.body.status).toBe("succeeded")
  }, 120_000)

  test("while it stops, nothing new starts, and existing data can be read", async () => {
    const { body: run } = await call("POST", runs, { urls: [page("held")] })
    while (!fetched.has("/held")) await Bun.sleep(20)
    const waiting = call("GET", `/api/v1/runs/${run.id}?waitForFinish=300`)
    const ending = serving.end("SIGTERM")
    const health = async () => (await fetch(`${serving.root}/healthz`)).status
    while ((await health()) === 200) await Bun.sleep(20)
    const refused = await call("POST", runs, { urls: [page("too-late")] })
    expect([refused.status, refused.body.error.status]).toEqual([503, 503])
    expect((await call("GET", `/api/v1/runs/${run.id}`)).status).toBe(200)
    expect(await health()).toBe(503)
    held.resolve()
    expect((await waiting).status).toBe(200)
    expect(await ending).toBe(0)
    expect(fetched.has("/too-late")).toBe(false)
    serving = await installation.serve()
    const end = await call("GET", `/api/v1/runs/${run.id}?waitForFinish=300`)
    expect(end.body.status).toBe("succeeded")
    expect(fetched.get("/held")).toBe(1)
  }, 120_000)
})

describe("the command line", () => {
  test("account: create, credit, list", async () => {
    const made = await installation.run("account", "create", "Ada@Example.com", "--unlimited")
    expect(made.code).toBe(0)
    const [id, apiKey] = made.stdout.trim().split("\n")
    const me = await fetch(`${serving.root}/api/v1/me`, {
      headers: { authorization: `Bearer ${apiKey}` },
    })
    expect(await me.json()).toMatchObject({ id, email: "ada@example.com", plan: "unlimited" })
    const again = await installation.run("account", "create", "ada@example.com")
    expect([again.code, again.stdout]).toEqual([2, ""])
    expect(again.stderr).toContain("already has an account")
    const credited = await installation.run("account", "credit", "ada@example.com", "50")
    expect(credited.stdout.trim()).toBe(`${id} 50`)
    const refusals = [
      ["account", "credit", "ada@example.com", "--", "-51"],
      ["account", "credit", "unknown@example.com", "5"],
      ["account", "credit", "ada@example.com", "some"],
      ["account", "create", "ada"],
      ["account", "create", "b@example.com", "--password", "short"],
    ]
    for (const args of refusals) {
      const refused = await installation.run(...args)
      expect([refused.code, refused.stdout], args.join(" ")).toEqual([2, ""])
      expect(refused.stderr.length).toBeGreaterThan(10)
    }
    const list = await installation.run("account", "list", "--json")
    const rows = list.stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line))
    expect(rows).toContainEqual({
      id,
      email: "ada@example.com",
      role: "member",
      unlimited: true,
      balance: 50,
      credits: { balance: 50, unlimited: true },
      limits: { callsPerMinute: null, runsAtOnce: null },
      keys: 1,
      lastUsedAt: expect.any(String),
      lockedAt: null,
      createdAt: expect.any(String),
    })
    expect(list.stdout).not.toContain("trawl_live_")
  }, 120_000)

  test("account: a change applies at once in the running service", async () => {
    const made = await installation.run("account", "create", "eve@example.com")
    const [id, apiKey] = made.stdout.trim().split("\n")
    const me = async () =>
      (await fetch(`${serving.root}/api/v1/me`, { headers: { authorization: `Bearer ${apiKey}` } }))
        .status
    expect(await me()).toBe(200)
    expect((await installation.run("account", "lock", id!)).stdout.trim()).toBe(
      `${id} member locked`,
    )
    expect(await me()).toBe(403)
    expect((await installation.run("account", "unlock", id!)).stdout.trim()).toBe(`${id} member`)
    expect(await me()).toBe(200)
    const link = (await installation.run("account", "owner-link")).stdout.trim()
    expect(link).toStartWith(`${serving.root}/signup?link=`)
    expect(await (await fetch(link)).text()).toContain("creates an administrator")
  }, 120_000)

  test("config: a setting applies to the next run, until it is reset", async () => {
    // A scraper without Chrome, which would be started after the plain request fails.
    const path = "/api/v1/scrapers/tech-stack-detector/runs?waitForFinish=300"
    const start = () => call("POST", path, { urls: [page("configured")] })
    expect((await start()).body).toMatchObject({ itemCount: 1, errorCount: 0 })
    // The proxy does not exist, and the egress filter would block it.
    const set = await installation.run("config", "set", "TRAWL_PROXY_URLS", "http://127.0.0.1:1")
    expect(set.stdout).toBe("TRAWL_PROXY_URLS=(set) (database)\n")
    expect((await start()).body).toMatchObject({ itemCount: 0, errorCount: 1 })
    const unset = await installation.run("config", "unset", "TRAWL_PROXY_URLS")
    expect(unset.stdout).toBe("TRAWL_PROXY_URLS= (default)\n")
    expect((await start()).body).toMatchObject({ itemCount: 1, errorCount: 0 })
    const locked = await installation.run("config", "set", "TRAWL_FREE_DAILY", "9")
    expect([locked.code, locked.stderr]).toEqual([
      2,
      "TRAWL_FREE_DAILY is set in the environment, which takes precedence. Change it there.\n",
    ])
    const visible = await installation.run("config")
    expect(visible.stdout).toMatch(/TRAWL_FREE_DAILY +5 +environment, locked/)
  }, 120_000)

  test("account: without a running service, the database is changed directly", async () => {
    const alone = new Installation()
    try {
      const invited = await alone.run("account", "invite", "bo@example.com")
      expect(invited.stdout).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/signup\?link=\w+\n$/)
    } finally {
      await alone.remove()
    }
  }, 120_000)

  test("the first start explains how to become administrator, on the terminal only", () => {
    const first = serving.lines.find((line) => line.msg === "listening")!
    expect(first.ownerLink).toStartWith(`${serving.root}/signup?link=`)
    const folder = join(installation.folder, "data")
    expect(statSync(join(folder, "serve.json")).mode & 0o777).toBe(0o600)
  })

  test("backup: a complete copy while the service writes", async () => {
    const writing = call("POST", `${runs}?waitForFinish=300`, {
      urls: Array.from({ length: 50 }, (_, index) => page(`backup${index}`)),
    })
    const file = join(installation.folder, "copy.db")
    const made = await installation.run("backup", file)
    expect([made.code, made.stdout.trim()]).toEqual([0, file])
    expect(existsSync(`${file}.part`)).toBe(false)
    const again = await installation.run("backup", file)
    expect([again.code, again.stderr]).toEqual([
      2,
      `${file} already exists; choose another file.\n`,
    ])
    const { Database } = await import("bun:sqlite")
    const copy = new Database(file, { readonly: true })
    expect(copy.query("PRAGMA integrity_check").get()).toEqual({ integrity_check: "ok" })
    const { runs: count } = copy.query("SELECT count(*) AS runs FROM runs").get() as {
      runs: number
    }
    expect(count).toBeGreaterThan(3)
    copy.close()
    await writing
  }, 120_000)

  test("openapi: the document of the running service", async () => {
    const printed = await installation.run("openapi")
    expect(printed.code).toBe(0)
    const document = JSON.parse(printed.stdout)
    const served = (await (await fetch(`${serving.root}/openapi.json`)).json()) as typeof document
    expect(document.paths).toEqual(served.paths)
    expect(document.components).toEqual(served.components)
  }, 120_000)
})
