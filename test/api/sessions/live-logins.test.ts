import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { fullChrome, leanChrome, openBrowser } from "../../chrome.ts"
import { looksRight } from "../../executable/looks.ts"
import { isRunningAll } from "../../samples.ts"
import { Installation, type Serving } from "../process.ts"
import { LoginSite, password } from "./login-site.ts"

const chrome = isRunningAll ? fullChrome() : leanChrome()
const site = new LoginSite()
const installation = new Installation({
  TRAWL_EGRESS_ALLOW: `127.0.0.1:${site.port},localhost:${site.port}`,
  TRAWL_SIGNUP: "open",
  ...(chrome ? { TRAWL_CHROME: chrome } : {}),
})
const waitMs = 30_000
let serving: Serving
let cookie: string
let other: string
let key: string

describe.skipIf(!chrome)("a live log-in in the console", () => {
  beforeAll(async () => {
    serving = await installation.serve()
    cookie = await signUp("ada@example.com")
    other = await signUp("eve@example.com")
    const made = await send("POST", "/api/v1/keys", { name: "test" })
    key = made.body.apiKey
  }, 120_000)
  afterAll(async () => {
    await serving?.end()
    await installation.remove()
  }, 60_000)

  async function signUp(email: string): Promise<string> {
    const response = await fetch(`${serving.root}/api/account`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ email, password: `${email}-password` }),
    })
    return /trawl_session=[^;]*/.exec(response.headers.get("set-cookie") ?? "")![0]
  }

  async function send(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = { cookie },
    // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever was answered
  ): Promise<{ status: number; body: any }> {
    const response = await fetch(serving.root + path, {
      method,
      headers: {
        ...headers,
        ...(body === undefined ? {} : { "content-type": "application/json" }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    return { status: response.status, body: text === "" ? undefined : JSON.parse(text) }
  }

  const start = (url = site.url("/login")) => send("POST", "/api/v1/live-logins", { url })

  interface Picture {
    url: string
    title: string
    width: number
    height: number
    jpeg: string
  }

  /** Reads images from the stream until one of a page arrives, or the reason of the end. */
  async function watch(id: string, until: (picture: Picture) => boolean) {
    const control = new AbortController()
    const response = await fetch(`${serving.root}/api/v1/live-logins/${id}/pictures`, {
      headers: { cookie },
      signal: control.signal,
    })
    let text = ""
    for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
      text += chunk
      const events = text.split("\n\n")
      text = events.pop()!
      for (const event of events) {
        const [, name, data] = /^event: (\w+)\ndata: (.*)$/s.exec(event) ?? []
        if (name === "closed") return { closed: JSON.parse(data!).reason as string | null }
        if (name !== "picture" || !until(JSON.parse(data!))) continue
        return { picture: JSON.parse(data!) as Picture, control }
      }
    }
    return { closed: null }
  }

  const input = (id: string, events: object[]) =>
    send("POST", `/api/v1/live-logins/${id}/input`, { events })

  test("shows the page, forwards keys, and saves a session that runs use", async () => {
    const { body, status } = await start()
    expect(status).toBe(201)
    const seen = await watch(body.id, ({ title }) => title === "Sign in")
    expect(seen.picture!.width).toBeGreaterThan(500)
    expect(Buffer.from(seen.picture!.jpeg, "base64").subarray(0, 2)).toEqual(
      Buffer.from([0xff, 0xd8]),
    )
    const typed = await input(body.id, [
      { type: "key", key: "Tab" },
      { type: "text", text: "ada@example.com" },
      { type: "key", key: "Tab" },
      { type: "text", text: password },
      { type: "key", key: "Enter" },
    ])
    expect(typed.status).toBe(204)
    const after = await watch(body.id, ({ title }) => title.startsWith("Members"))
    expect(after.picture?.url).toBe(site.url("/members/start"))
    const saved = await send("POST", `/api/v1/live-logins/${body.id}/save`, { name: "by-hand" })
    expect(saved.status).toBe(201)
    expect(saved.body).toMatchObject({ hosts: ["127.0.0.1"], status: "active", signedIn: true })
    expect((await input(body.id, [])).status).toBe(404)
    const path = "/api/v1/scrapers/url-to-markdown-scraper/runs?waitForFinish=60&session=by-hand"
    const run = await send("POST", path, { urls: [site.url("/members/x")] })
    const items = await send("GET", `/api/v1/datasets/${run.body.datasetId}/items`)
    expect(JSON.stringify(items.body.items)).toContain("Hello Ada")
    for (const text of [password, site.secrets.at(-1)!]) {
      expect(JSON.stringify([serving.lines, serving.noise])).not.toContain(text)
    }
  }, 120_000)

  test("shows the window of a log-in by another service, and then the page again", async () => {
    const { id } = (await start(site.url("/login-by-another"))).body
    const first = await watch(id, ({ title }) => title === "Choose")
    expect(first.picture!.width).toBe(1100)
    await input(id, [
      { type: "key", key: "Tab" },
      { type: "key", key: "Enter" },
    ])
    const provider = await watch(id, ({ title }) => title === "Provider")
    expect(provider.picture?.url).toBe(site.url("/provider", "localhost"))
    await input(id, [
      { type: "key", key: "Tab" },
      { type: "text", text: password },
      { type: "key", key: "Enter" },
    ])
    const after = await watch(id, ({ title }) => title.startsWith("Members"))
    expect(after).toMatchObject({ picture: { url: site.url("/members/start"), width: 1100 } })
    const saved = await send("POST", `/api/v1/live-logins/${id}/save`, { name: "by-another" })
    expect(saved.body).toMatchObject({ hosts: ["127.0.0.1"], status: "active", signedIn: true })
    const path = "/api/v1/scrapers/url-to-markdown-scraper/runs?waitForFinish=60&session=by-another"
    const run = await send("POST", path, { urls: [site.url("/members/y")] })
    const items = await send("GET", `/api/v1/datasets/${run.body.datasetId}/items`)
    expect(JSON.stringify(items.body.items)).toContain("Hello Ada")
    // Cookies of the other service belong to no host of the session.
    expect(site.seen.filter(({ path }) => path === "/members/y").at(-1)!.cookie).not.toContain(
      "provider",
    )
  }, 120_000)

  test("is only for the browser that is signed in to the console", async () => {
    const authorization = { authorization: `Bearer ${key}` }
    const body = { url: site.url("/login") }
    expect((await send("POST", "/api/v1/live-logins", body, authorization)).status).toBe(403)
    expect((await send("POST", "/api/v1/live-logins", body, {})).status).toBe(401)
    const foreign = { cookie, origin: "https://evil.example", "sec-fetch-site": "cross-site" }
    expect((await send("POST", "/api/v1/live-logins", body, foreign)).status).toBe(403)
    const { id } = (await start()).body
    const pictures = `/api/v1/live-logins/${id}/pictures`
    expect((await send("GET", pictures, undefined, foreign)).status).toBe(403)
    expect((await send("GET", pictures, undefined, { cookie: other })).status).toBe(404)
    const events = { events: [{ type: "reload" }] }
    const path = `/api/v1/live-logins/${id}/input`
    expect((await send("POST", path, events, { cookie: other })).status).toBe(404)
    expect((await send("DELETE", `/api/v1/live-logins/${id}`)).status).toBe(204)
  }, 60_000)

  test("reaches no private IP address, and another start of the account closes the page", async () => {
    const denied = await start("http://10.0.0.1/login")
    const end = await watch(denied.body.id, () => true)
    expect(end.closed).toContain("10.0.0.1")
    const first = (await start()).body.id
    const seen = await watch(first, ({ title }) => title === "Sign in")
    expect(seen.picture).toBeDefined()
    const second = (await start()).body.id
    expect((await input(first, [])).status).toBe(404)
    await send("DELETE", `/api/v1/live-logins/${second}`)
  }, 60_000)

  test("closes a page that no one watches, and refuses unknown keys and events", async () => {
    const { id } = (await start()).body
    const { control } = await watch(id, ({ title }) => title === "Sign in")
    const unknown = await input(id, [{ type: "key", key: "NoSuchKey" }])
    expect(unknown.status).toBe(400)
    expect(unknown.body.error.message).toContain("NoSuchKey")
    expect((await input(id, [{ type: "eval", text: "1" }])).status).toBe(400)
    control!.abort()
    await Bun.sleep(13_000)
    expect((await input(id, [])).status).toBe(404)
  }, 60_000)

  test("a user logs in with mouse and keys, saves the session, and chooses it for a run", async () => {
    const value = /trawl_session=(.*)/.exec(await signUp("max@example.com"))![1]!
    const { browser, close } = await openBrowser(leanChrome()!)
    try {
      const tab = await browser.newPage()
      const stated: string[] = []
      tab.on("console", (message) => stated.push(message.text()))
      tab.on("pageerror", (error) => stated.push(String(error)))
      await tab.setViewport({ width: 1280, height: 1100 })
      await browser.setCookie({ name: "trawl_session", value, domain: "127.0.0.1", path: "/" })
      await tab.goto(`${serving.root}/sessions`, { waitUntil: "networkidle0" })
      await looksRight(tab, "sessions")
      await tab.type("#session-name", "shop")
      await tab.type("#live-url", site.url("/login"))
      await tab.click("form button.main")
      await tab.waitForFunction(() => (document.querySelector("canvas")?.width ?? 0) > 500, {
        timeout: waitMs,
      })
      // The field for the email address is at this position of the page.
      const { x, y, width, height } = (await (await tab.$("canvas"))!.boundingBox())!
      await tab.mouse.click(x + (80 * width) / 1100, y + (75 * height) / 720)
      await tab.keyboard.type("ada@example.com", { delay: 20 })
      await tab.keyboard.press("Tab")
      await tab.keyboard.type(password, { delay: 5 })
      await tab.keyboard.press("Enter")
      const isAt = (path: string) =>
        document.querySelector(".live-url")!.textContent!.endsWith(path)
      await tab.waitForFunction(isAt, { timeout: waitMs }, "/members/start")
      const pressed = (text: string) =>
        [...document.querySelectorAll("button")].find((one) => one.textContent === text)!.click()
      await tab.evaluate(pressed, "Save the session")
      await tab.waitForFunction(
        () => [...document.querySelectorAll("td")].some((cell) => cell.textContent === "shop"),
        { timeout: waitMs },
      )
      await tab.goto(`${serving.root}/scrapers/url-to-markdown-scraper`, {
        waitUntil: "networkidle0",
      })
      await tab.select("#session", "shop")
      const inField = (url: string) => {
        const field = document.querySelector<HTMLTextAreaElement>("form textarea")!
        field.value = url
        field.dispatchEvent(new InputEvent("input", { bubbles: true }))
      }
      await tab.evaluate(inField, site.url("/members/console"))
      await tab.click("form button.main")
      await tab.waitForFunction(() => document.body.textContent!.includes("Hello Ada"), {
        timeout: waitMs,
      })
      expect(stated).toEqual([])
      expect(await tab.content()).not.toContain(password)
    } finally {
      await close()
    }
  }, 120_000)
})
