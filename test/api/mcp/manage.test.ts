/**
 * An agent that manages sessions and destinations over MCP, with the SDK's client and a local site.
 */
import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { Client } from "@modelcontextprotocol/sdk/client/index.js"
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js"
import { leanChrome } from "../../chrome.ts"
import { Installation, type Serving } from "../process.ts"
import { LoginSite, password } from "../sessions/login-site.ts"

const chrome = leanChrome()
const site = new LoginSite()
const received: { type: string; data: { items?: unknown[] } }[] = []
const receiver = Bun.serve({
  hostname: "127.0.0.1",
  port: 0,
  async fetch(request) {
    received.push(await request.json())
    return new Response(null, { status: 204 })
  },
})
const installation = new Installation({
  TRAWL_EGRESS_ALLOW: `127.0.0.1:${site.port}`,
  TRAWL_DESTINATION_ALLOW: "127.0.0.1",
  TRAWL_SIGNUP: "open",
  TRAWL_SIGNUPS_DAILY: "0",
  ...(chrome ? { TRAWL_CHROME: chrome } : {}),
})
const clients: Client[] = []
let serving: Serving

beforeAll(async () => {
  serving = await installation.serve()
}, 60_000)
afterAll(async () => {
  for (const mcp of clients) await mcp.close()
  await serving?.end()
  await installation.remove()
  site.stop()
  await receiver.stop(true)
}, 60_000)

async function keyOf(email: string, terms: object = {}): Promise<string> {
  const account = await fetch(`${serving.root}/api/account`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ email, password: `${email}-password` }),
  })
  const cookie = /trawl_session=[^;]*/.exec(account.headers.get("set-cookie") ?? "")![0]
  const made = await fetch(`${serving.root}/api/v1/keys`, {
    method: "POST",
    headers: { cookie, "content-type": "application/json" },
    body: JSON.stringify({ name: "agent", ...terms }),
  })
  return (await made.json()).apiKey
}

async function connect(key?: string, query = "?set=manage"): Promise<Client> {
  const mcp = new Client({ name: "test", version: "1" })
  const requestInit = key ? { headers: { authorization: `Bearer ${key}` } } : {}
  const url = new URL(`${serving.root}/api/mcp${query}`)
  await mcp.connect(new StreamableHTTPClientTransport(url, { requestInit }))
  clients.push(mcp)
  return mcp
}

async function say(mcp: Client, name: string, args: Record<string, unknown> = {}) {
  const result = await mcp.callTool({ name, arguments: args }, undefined, { timeout: 120_000 })
  const [content] = result.content as { text: string }[]
  return { text: content!.text, isError: result.isError === true, data: result.structuredContent }
}

const managing = [
  ...["check_session", "create_destination", "create_session", "delete_destination"],
  ...["delete_session", "list_sessions", "test_destination"],
]

test("the tools are in a separate set, and fit the limits of the others", async () => {
  const names = async (query: string) => {
    const { tools } = await (await connect(undefined, query)).listTools()
    return tools.map(({ name }) => name)
  }
  const meta = await names("?set=meta")
  expect((await names("?set=manage")).sort()).toEqual([...meta, ...managing].sort())
  expect((await names("")).filter((name) => managing.includes(name))).toEqual([])
  const { tools } = await (await connect()).listTools()
  const remove = tools.find(({ name }) => name === "delete_session")!
  expect(remove.annotations).toEqual({ readOnlyHint: false, destructiveHint: true })
})

test("a session is imported, chosen for runs, checked and deleted; no response has its cookies", async () => {
  const mcp = await connect(await keyOf("ada@example.com"), "?set=manage&outputSchema=true")
  const value = site.newMember()
  const heard: string[] = []
  const speak = async (name: string, args?: Record<string, unknown>) => {
    const said = await say(mcp, name, args)
    heard.push(JSON.stringify(said))
    return said
  }
  expect((await speak("list_sessions")).text).toContain("There are none")
  const cookie = `127.0.0.1\tFALSE\t/\tFALSE\t4102444800\tsid\t${value}`
  const made = await speak("create_session", { name: "shop", import: cookie })
  expect(made.text).toBe(
    "Created: shop (active) for 127.0.0.1; cookies end 2100-01-01T00:00:00.000Z",
  )
  expect((await speak("list_sessions")).data).toMatchObject({ sessions: [{ name: "shop" }] })

  const input = { urls: [site.url("/members/one")] }
  const slug = "url-to-markdown-scraper"
  const read = await say(mcp, "run_scraper", { scraper: slug, input, session: "shop" })
  expect(JSON.stringify(read.data)).toContain("Hello Ada")
  const other = { urls: [site.url("/members/two")] }
  const started = await say(mcp, "start_run", { scraper: slug, input: other, session: "shop" })
  const { run } = started.data as { run: string }
  await say(mcp, "get_run", { run, wait: 30 })
  const items = await say(mcp, "get_items", { run })
  expect(JSON.stringify(items.data)).toContain("Hello Ada")

  site.expire()
  await say(mcp, "run_scraper", { scraper: slug, input, session: "shop", maxAge: 0 })
  const expired = await speak("check_session", { session: "shop" })
  expect(expired.text).toContain("shop (expired) for 127.0.0.1")
  const duplicate = await speak("create_session", { name: "shop", import: cookie })
  expect([duplicate.isError, duplicate.text]).toEqual([
    true,
    expect.stringContaining("already in use"),
  ])
  expect(duplicate.text).toContain('"replace": true')
  const again = cookie.replace(value, site.newMember())
  const replaced = await speak("create_session", { name: "shop", import: again, replace: true })
  expect(replaced.text).toStartWith("Replaced: shop (active) for 127.0.0.1;")
  const third = { urls: [site.url("/members/three")] }
  const signedIn = await say(mcp, "run_scraper", { scraper: slug, input: third, session: "shop" })
  expect(JSON.stringify(signedIn.data)).toContain("Hello Ada")
  const none = await speak("create_session", { name: "other", import: "no cookies" })
  expect([none.isError, none.text]).toEqual([true, expect.stringContaining("import")])
  expect((await speak("delete_session", { session: "shop" })).text).toContain("Deleted")
  const removed = await speak("check_session", { session: "shop" })
  expect([removed.isError, removed.text]).toEqual([true, expect.stringContaining("shop")])
  expect(heard.join()).not.toContain(value)
}, 90_000)

describe.skipIf(!chrome)("with Chrome", () => {
  test("a log-in recipe is created, and logs in on request; its password is in no response", async () => {
    const mcp = await connect(await keyOf("lin@example.com"))
    const steps = [
      { type: "goto", url: site.url("/login") },
      { type: "fill", selector: "[name=email]", text: "ada@example.com" },
      { type: "fill", selector: "[name=password]", secret: "password" },
      { type: "press", key: "Enter" },
      { type: "wait", selector: "h1" },
    ]
    const said = [
      await say(mcp, "create_session", { name: "portal", login: { steps, secrets: { password } } }),
      await say(mcp, "check_session", { session: "portal", logIn: true }),
      await say(mcp, "list_sessions"),
    ]
    expect(said[0]!.text).toContain("the first run logs in by its recipe")
    expect(said[1]!.text).toContain("portal (active)")
    const input = { urls: [site.url("/members/two")] }
    const slug = "url-to-markdown-scraper"
    const read = await say(mcp, "run_scraper", { scraper: slug, input, session: "portal" })
    expect(read.text).toContain("Hello Ada")
    expect(JSON.stringify(said)).not.toContain(password)
  }, 120_000)
})

test("a destination is created, tested, used and deleted; no response has its secrets", async () => {
  const mcp = await connect(await keyOf("eve@example.com"))
  const url = `http://127.0.0.1:${receiver.port}/items?key=hidden-part`
  const made = await say(mcp, "create_destination", { name: "hook", kind: "webhook", url })
  expect(made.text).toContain(`hook (webhook) http://127.0.0.1:${receiver.port}.`)
  expect((await say(mcp, "test_destination", { destination: "hook" })).text).toContain("It works")
  expect(received.map(({ type }) => type)).toEqual(["test"])
  const input = { urls: [site.url("/open")] }
  const run = { scraper: "url-to-markdown-scraper", input, destination: "hook" }
  await say(mcp, "start_run", run)
  for (let turn = 0; received.length < 2; turn++) {
    expect(turn, "turns until the items came").toBeLessThan(300)
    await Bun.sleep(50)
  }
  expect(received[1]!.data.items).toHaveLength(1)
  const listed = await say(mcp, "list_destinations")
  expect(listed.text).toContain("hook (webhook)")
  const bad = await say(mcp, "create_destination", { name: "db", kind: "postgres", url })
  expect([bad.isError, bad.text]).toEqual([true, expect.stringContaining("table")])
  const deleted = await say(mcp, "delete_destination", { destination: "hook" })
  expect(deleted.text).toContain("Deleted the destination hook")
  expect((await say(mcp, "list_destinations")).text).toContain("There are none")
  const all = JSON.stringify([made, listed, bad, deleted])
  expect(all).not.toContain("hidden-part")
  expect(all).not.toContain("whsec_")
}, 90_000)

test("callers without a key, limited keys and other accounts cannot manage", async () => {
  const anonymous = await say(await connect(), "list_sessions")
  expect([anonymous.isError, anonymous.text]).toEqual([true, expect.stringContaining("API key")])
  const own = await connect(await keyOf("owner@example.com"))
  const cookies = "127.0.0.1\tFALSE\t/\tFALSE\t0\tsid\tvalue"
  await say(own, "create_session", { name: "mine", import: cookies })
  const other = await connect(await keyOf("other@example.com"))
  expect((await say(other, "list_sessions")).text).toContain("There are none")
  for (const tool of ["check_session", "delete_session"]) {
    expect((await say(other, tool, { session: "mine" })).isError).toBe(true)
  }
  const runner = await connect(await keyOf("runner@example.com", { scopes: ["run"] }))
  expect((await say(runner, "list_sessions")).text).toContain('lacks the scope "read"')
  const expiring = new Date(Date.now() + 86_400_000).toISOString()
  const limited = await connect(await keyOf("brief@example.com", { expiresAt: expiring }))
  expect((await say(limited, "list_sessions")).isError).toBe(false)
  const refused = await say(limited, "create_session", { name: "x", import: cookies })
  expect([refused.isError, refused.text]).toEqual([true, expect.stringContaining("expires on")])
  expect((await say(own, "list_sessions")).text).toContain("mine (active)")
}, 60_000)
