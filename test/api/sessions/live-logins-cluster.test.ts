/** Processes over one PostgreSQL: a page of Chrome is open in one of them. */
import { afterAll, beforeAll, expect, test } from "bun:test"
import { copyFileSync, mkdirSync } from "node:fs"
import { leanChrome } from "../../chrome.ts"
import { type Nginx, nginxPath, startNginx } from "../../nginx.ts"
import { freshDatabase, hasPostgres } from "../../postgres.ts"
import { isRunningAll } from "../../samples.ts"
import { Installation, type Serving } from "../process.ts"
import { LoginSite, password } from "./login-site.ts"

const chrome = leanChrome()
const site = new LoginSite()
const installations: Installation[] = []
const servings: Serving[] = []
let nginx: Nginx | undefined

afterAll(async () => {
  await nginx?.stop()
  for (const serving of servings) await serving.end()
  for (const installation of installations) await installation.remove()
  site.stop()
}, 60_000)

const isSkipped = !chrome || !hasPostgres
let databaseUrl: string
let first: Serving
let second: Serving
let cookie: string

/** Starts a process of the cluster. All have one database and one key file. */
async function join(settings: Record<string, string> = {}): Promise<Serving> {
  const installation = new Installation({
    TRAWL_DATABASE_URL: databaseUrl,
    TRAWL_EGRESS_ALLOW: `127.0.0.1:${site.port}`,
    TRAWL_SIGNUP: "open",
    TRAWL_CHROME: chrome!,
    // Requests between processes must not be sent to a proxy.
    HTTP_PROXY: "http://127.0.0.1:9",
    http_proxy: "http://127.0.0.1:9",
    ...settings,
  })
  const [oldest] = installations
  installations.push(installation)
  if (oldest) {
    mkdirSync(`${installation.folder}/data`, { recursive: true })
    const keyFile = "data/trawl.key"
    copyFileSync(`${oldest.folder}/${keyFile}`, `${installation.folder}/${keyFile}`)
  }
  const serving = await installation.serve()
  servings.push(serving)
  return serving
}

/** Returns the cookie of a new account. */
async function signUp(root: string, email: string): Promise<string> {
  const signedUp = await fetch(`${root}/api/account`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ email, password: "correct horse battery" }),
  })
  return /trawl_session=[^;]*/.exec(signedUp.headers.get("set-cookie") ?? "")![0]
}

beforeAll(async () => {
  if (isSkipped) return
  databaseUrl = await freshDatabase()
  first = await join()
  second = await join()
  cookie = await signUp(first.root, "ada@example.com")
}, 120_000)

const sender =
  (cookie: string) =>
  async (root: string, method: string, path: string, body?: object): Promise<Sent> => {
    const response = await fetch(`${root}/api/v1/live-logins${path}`, {
      method,
      headers: { cookie, "content-type": "application/json" },
      ...(body && { body: JSON.stringify(body) }),
    })
    return { status: response.status, text: await response.text() }
  }

interface Sent {
  status: number
  text: string
}

/** Keeps the page open, as a console that shows it, however slow the machine is. */
async function show(root: string, cookie: string, id: string): Promise<Disposable> {
  const control = new AbortController()
  const { signal } = control
  const path = `${root}/api/v1/live-logins/${id}/pictures`
  const { body } = await fetch(path, { headers: { cookie }, signal })
  // Ends with an error when it is aborted.
  void body!.pipeTo(new WritableStream()).catch(() => {})
  return { [Symbol.dispose]: () => control.abort() }
}

/** Reads the events of the page until one matches. */
async function watch(root: string, cookie: string, id: string, match: RegExp): Promise<void> {
  const control = new AbortController()
  const response = await fetch(`${root}/api/v1/live-logins/${id}/pictures`, {
    headers: { cookie },
    signal: control.signal,
  })
  expect(response.status).toBe(200)
  expect(response.headers.get("content-type")).toStartWith("text/event-stream")
  let text = ""
  for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
    text += chunk
    if (!match.test(text)) continue
    control.abort()
    return
  }
  throw new Error(`The stream ended: ${text.slice(-300)}`)
}

const nothing = { events: [{ type: "move", x: 1, y: 1 }] }

if (isRunningAll)
  test.skipIf(isSkipped || !nginxPath)(
    "a log-in in a page works through a load balancer that sends each request to the next process",
    async () => {
      const send = sender(cookie)
      nginx = await startNginx({
        locations: `location / {
        proxy_pass http://trawl;
        proxy_set_header Host $http_host;
        proxy_buffering off;
      }`,
        upstreams: `upstream trawl { ${[first, second].map(({ root }) => `server ${new URL(root).host};`).join(" ")} }`,
      })
      const root = `http://127.0.0.1:${nginx.port}`
      const started = await send(root, "POST", "", { url: site.url("/login") })
      expect(started.status).toBe(201)
      const { id } = JSON.parse(started.text)
      using _shown = await show(first.root, cookie, id)

      // Each process shows the page and takes input for it.
      for (const each of [first.root, second.root]) {
        await watch(each, cookie, id, /"title":"Sign in"/)
        expect(await send(each, "POST", `/${id}/input`, nothing)).toEqual({ status: 204, text: "" })
      }
      // A process forwards another one's errors unchanged.
      const unknownKey = { events: [{ type: "key", key: "NoSuchKey" }] }
      const refusals = await Promise.all(
        [first.root, second.root].map((each) => send(each, "POST", `/${id}/input`, unknownKey)),
      )
      for (const { status, text } of refusals) {
        expect([status, text]).toEqual([400, expect.stringContaining("NoSuchKey")])
      }

      const typed = [
        ...[
          { type: "key", key: "Tab" },
          { type: "text", text: "ada@example.com" },
        ],
        ...[
          { type: "key", key: "Tab" },
          { type: "text", text: password },
        ],
        { type: "key", key: "Enter" },
      ]
      // Each request reaches the next process, in order.
      for (const event of typed) {
        const { status } = await send(root, "POST", `/${id}/input`, { events: [event] })
        expect(status).toBe(204)
      }
      await watch(root, cookie, id, /"title":"Members/)
      const saved = await send(root, "POST", `/${id}/save`, { name: "shop" })
      expect([saved.status, saved.text]).toEqual([201, expect.stringContaining('"name":"shop"')])
      for (const each of [first.root, second.root]) {
        expect((await send(each, "DELETE", `/${id}`)).status).toBe(404)
      }
    },
    180_000,
  )

test.skipIf(isSkipped)(
  "only the account's own browser reaches its page through another process",
  async () => {
    const send = sender(cookie)
    const started = await send(first.root, "POST", "", { url: site.url("/login") })
    const { id } = JSON.parse(started.text)
    using _shown = await show(first.root, cookie, id)
    const foreign = await signUp(second.root, "eve@example.com")
    expect((await sender(foreign)(second.root, "POST", `/${id}/input`, nothing)).status).toBe(404)
    expect((await sender(foreign)(first.root, "POST", `/${id}/input`, nothing)).status).toBe(404)
    expect((await sender("")(second.root, "POST", `/${id}/input`, nothing)).status).toBe(401)
    const otherSite = await fetch(`${second.root}/api/v1/live-logins/${id}`, {
      method: "DELETE",
      headers: { cookie, origin: "https://other.example" },
    })
    expect(otherSite.status).toBe(403)
    // The URL of the process cannot be exchanged for another one.
    const [own, encrypted] = id.split(".")
    for (const forged of [`${own}.${encrypted.slice(0, -8)}AAAAAAAA`, `x${own}.${encrypted}`]) {
      const { status, text } = await send(second.root, "POST", `/${forged}/input`, nothing)
      expect([status, text]).toEqual([409, expect.stringContaining("TRAWL_PROCESS_URL")])
    }
    expect((await send(second.root, "DELETE", `/${id}`)).status).toBe(204)
    expect((await send(first.root, "DELETE", `/${id}`)).status).toBe(404)
  },
  180_000,
)

if (isRunningAll)
  test.skipIf(isSkipped)(
    "a process that cannot reach the other one reports what the operator can set",
    async () => {
      // No process listens there.
      const lost = await join({ TRAWL_PROCESS_URL: "http://127.0.0.1:9" })
      const send = sender(cookie)
      const started = await send(lost.root, "POST", "", { url: site.url("/login") })
      const { id } = JSON.parse(started.text)
      using _shown = await show(lost.root, cookie, id)
      const unreachable = [
        await send(second.root, "POST", `/${id}/input`, nothing),
        await send(second.root, "POST", `/${id}/save`, { name: "shop" }),
        await send(second.root, "DELETE", `/${id}`),
      ]
      for (const { status, text } of unreachable) {
        expect([status, text]).toEqual([409, expect.stringContaining("TRAWL_PROCESS_URL")])
      }
      // The console learns the reason from the stream.
      const stream = await send(second.root, "GET", `/${id}/pictures`)
      expect(stream.text).toStartWith("event: closed\n")
      expect(stream.text).toContain("TRAWL_PROCESS_URL")
      // It is still open in the process that started it.
      expect((await send(lost.root, "DELETE", `/${id}`)).status).toBe(204)
    },
    180_000,
  )
