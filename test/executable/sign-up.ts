/**
 * The executable's pages in a browser: sign-up, sign-in, and the steps from a used-up daily free quota to an
 * agent's key; without a proxy, and behind nginx with TLS.
 */
import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import type { Page } from "puppeteer-core"
import { freePort } from "../free-port.ts"
import { forwarded, type Nginx, nginxAdvice, nginxPath, startNginx } from "../nginx.ts"
import { isRunningAll } from "../samples.ts"
import { type Service, startExecutable } from "./executable.ts"
import { maxWaitMs } from "./tab.ts"
import { host, otherHost, password, replay, sharedBrowser } from "./world.ts"

interface World {
  name: string
  /** The path under which the service is reached. */
  base?: string
  tls?: boolean
  /** The host in the address bar, if it is not `host`. */
  at?: string
  /** Whether the service is configured for its proxy. */
  reported?: boolean
  /** Whether only `verify --all` has it. `under-path.ts` signs up and claims behind nginx in every run. */
  inAll?: boolean
}

const worlds: World[] = [
  { name: "on the machine itself", at: "127.0.0.1" },
  { name: "plain, by a name", inAll: true },
  { name: "behind nginx with TLS", tls: true, reported: true, inAll: true },
  { name: "behind nginx with TLS, without settings for the proxy", tls: true, inAll: true },
  {
    name: "behind nginx with TLS, under a path",
    tls: true,
    reported: true,
    base: "/tools/trawl",
    inAll: true,
  },
]

if (!nginxPath) console.error(`\n${nginxAdvice}\n`)
const opened = Promise.withResolvers<void>()
const browser = sharedBrowser()
beforeAll(() => opened.resolve())

for (const world of worlds.filter(({ inAll }) => isRunningAll || !inAll)) {
  const { name, base = "", tls = false, at = host, reported = false } = world
  const isSkipped = tls && !nginxPath
  describe.skipIf(isSkipped)(name, () => {
    let service: Service
    let nginx: Nginx | undefined
    /** The base URL in the address bar. */
    let root = ""
    let page: Page
    const stated: string[] = []

    async function start(): Promise<void> {
      await opened.promise
      const port = freePort()
      const location = `location ${base}/ { proxy_pass http://127.0.0.1:${port}/; ${forwarded} }`
      if (tls) nginx = await startNginx({ locations: location, tlsName: host })
      root = tls ? `https://${host}:${nginx!.port}${base}` : `http://${at}:${port}`
      service = await startExecutable({
        TRAWL_PORT: String(port),
        TRAWL_REPLAY: replay,
        TRAWL_FREE_DAILY: "0",
        TRAWL_SIGNUP: "open",
        ...(reported && { TRAWL_TRUST_PROXY: "127.0.0.1", TRAWL_BASE_URL: root }),
        // Without a base URL, a name of this machine is refused: it could be a DNS rebinding attack.
        ...(!tls && at === host && { TRAWL_BASE_URL: root }),
      })
      const context = await browser().createBrowserContext()
      page = await context.newPage()
      page.setDefaultTimeout(maxWaitMs)
      page.on("console", (message) => stated.push(message.text()))
      page.on("pageerror", (error) => stated.push(String(error)))
    }
    const ready = isSkipped ? new Promise<void>(() => {}) : start()
    beforeAll(() => ready, 120_000)
    afterAll(async () => {
      await page?.browserContext().close()
      await service?.stop()
      await nginx?.stop()
    }, 60_000)

    let last: Promise<unknown> = ready
    /** Adds a test that starts after the previous one, at the same time as those of other worlds. */
    function step(name: string, work: () => unknown): void {
      const done = last.then(work, work)
      last = done
      done.catch(() => {})
      test(name, () => done as Promise<void>, 120_000)
    }

    const text = () => page.$eval("main", (main) => main.textContent)
    /** Fills in the form and sends it. Returns the status of the next page. */
    async function send(action: string, fields: Record<string, string> = {}) {
      for (const [field, value] of Object.entries(fields)) {
        await page.$eval(`#${field}`, (input) => ((input as HTMLInputElement).value = ""))
        await page.focus(`#${field}`)
        await page.keyboard.sendCharacter(value)
      }
      const [response] = await Promise.all([
        page.waitForNavigation(),
        page.click(`button[value="${action}"]`),
      ])
      return response!.status()
    }
    /** Returns a URL of a response as a user sees it: the service may not know its scheme and path. */
    const seen = (url: string) =>
      root + url.slice(reported || !tls ? root.length : new URL(url).origin.length)
    /** Sends a program's call to the same host as the browser's calls. */
    async function call(path: string) {
      const address = new URL(root + path)
      const { host: named } = address
      address.hostname = "127.0.0.1"
      const reply = await fetch(address, {
        headers: { host: named },
        tls: { rejectUnauthorized: false },
      })
      // biome-ignore lint/suspicious/noExplicitAny: a test reads any JSON response
      return reply.json() as any
    }
    /** Returns the links that an agent gets whose daily free quota is used up. */
    async function spent() {
      const reply = await call("/api/scrape?url=https://example.com")
      expect(reply.status).toBe("PAYMENT_REQUIRED")
      if (reported || !tls) expect(reply.claimUrl).toStartWith(`${root}/signup?claim=`)
      return {
        link: seen(reply.claimUrl),
        poll: () => call(seen(reply.claimStatusUrl).slice(root.length)),
      }
    }

    step("the front page says what this is, and leads to the form", async () => {
      expect((await page.goto(`${root}/`))!.status()).toBe(200)
      expect(await text()).toContain("Any web page as data")
      await Promise.all([page.waitForNavigation(), page.click('a[href$="/signup"]')])
      expect(page.url()).toBe(`${root}/signup`)
      expect(await page.$eval("#password", (input) => input.getAttribute("autocomplete"))).toBe(
        "new-password",
      )
    })

    step("sign-up shows a key once", async () => {
      expect(await send("sign-up", { email: "ada@example.com", password })).toBe(200)
      const key = await page.$eval(".key", (code) => code.textContent)
      expect(key).toStartWith("trawl_live_")
      await page.click("[data-copy]")
      await page.waitForFunction(() =>
        ["Copied", "Press Ctrl+C"].includes(document.querySelector("[data-copy]")!.textContent!),
      )
      await page.goto(`${root}/signup`)
      expect(await text()).toContain("You are signed in as ada@example.com.")
      expect(await page.content()).not.toContain("trawl_live_")
    })

    step("sign-out, wrong password, sign-in", async () => {
      expect(await send("sign-out")).toBe(200)
      expect(await text()).toContain("You are signed out.")
      expect(await page.$eval("#password", (input) => input.getAttribute("autocomplete"))).toBe(
        "current-password",
      )
      expect(await send("sign-in", { email: "ada@example.com", password: "wrong horse" })).toBe(401)
      expect(await text()).toContain("The email address or the password is wrong.")
      expect(await send("sign-in", { password })).toBe(200)
      expect(await text()).toContain("You are signed in as ada@example.com.")
      const cookies = await page.browserContext().cookies()
      expect(cookies.find((cookie) => cookie.name === "trawl_session")).toMatchObject({
        path: `${base}/`,
        httpOnly: true,
        secure: tls && reported,
      })
    })

    step("a claim gives the agent its key, once", async () => {
      const { link, poll } = await spent()
      expect(await poll()).toEqual({ status: "pending" })
      await page.goto(link)
      expect(await send("confirm")).toBe(200)
      expect(await text()).toContain("Your agent gets the key")
      const first = await poll()
      expect(first).toEqual({ status: "ready", apiKey: expect.stringMatching(/^trawl_live_/) })
      expect(await poll()).toEqual({ status: "ready" })
      const card = await call(`/api/scrape/url-to-markdown-scraper?token=${first.apiKey}`)
      expect(card.free).toMatchObject({ billedTo: "account", creditsRemaining: 200 })
    })

    step("a claim by a new user: its link carries over to the sign-in and back", async () => {
      const { link, poll } = await spent()
      const known = page
      page = await (await browser().createBrowserContext()).newPage()
      try {
        await page.goto(link)
        for (let turn = 0; turn < 2; turn++) {
          await Promise.all([page.waitForNavigation(), page.click('main a[href*="claim="]')])
        }
        expect(await send("sign-up", { email: "eve@example.com", password })).toBe(200)
        expect(await text()).toContain("Your agent gets the key")
        expect((await poll()).status).toBe("ready")
        await page.goto(link)
        expect(await text()).toContain("already used")
      } finally {
        await page.browserContext().close()
        page = known
      }
    })

    // It takes long to draw, and depends only on the service's path.
    if (base || at === "127.0.0.1") {
      step("the reference finds its script and its document", async () => {
        const loaded = page.waitForResponse((reply) => reply.url().endsWith("/openapi.json"))
        await page.goto(`${root}/docs`, { waitUntil: "domcontentloaded" })
        expect((await loaded).status()).toBe(200)
        if (!base) await page.goto("about:blank")
      })
    }

    step("nothing was refused by the pages' own policy", () => {
      // The refused password, and the reference's name.
      const usual = /status of 401|^@scalar\/api-reference/
      expect(stated.filter((line) => !usual.test(line))).toEqual([])
    })

    for (const policy of isRunningAll ? ["no-referrer", "unsafe-url"] : ["no-referrer"]) {
      step(`a page of another site cannot send the forms (${policy})`, async () => {
        await page.goto(`${root}/signup`)
        const fields = await page.$$eval("input[type=hidden]", (inputs) =>
          inputs.map((input) => [input.getAttribute("name"), input.getAttribute("value")]),
        )
        const evil = Bun.serve({
          port: 0,
          hostname: "127.0.0.1",
          fetch: () =>
            new Response(
              `<meta name="referrer" content="${policy}"><form method="post" action="${root}/signup">
${fields.map(([name, value]) => `<input name="${name}" value="${value}">`).join("")}
<button name="action" value="sign-out">Win a prize</button></form>`,
              { headers: { "content-type": "text/html" } },
            ),
        })
        try {
          await page.goto(`http://${otherHost}:${evil.port}/`)
          expect(await send("sign-out")).toBe(403)
          expect(await text()).toContain("a page of another site")
          await page.goto(`${root}/signup`)
          expect(await text()).toContain("You are signed in as ada@example.com.")
        } finally {
          evil.stop(true)
        }
      })
    }
  })
}
