/** The console under a path, behind nginx with TLS, with a daily free quota of one call. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { freePort } from "../free-port.ts"
import { forwarded, type Nginx, nginxPath, startNginx } from "../nginx.ts"
import { everyNth } from "../samples.ts"
import { click } from "./click.ts"
import { type Service, startExecutable } from "./executable.ts"
import { hasNoSidewaysScroll, looksRight, submit, until, waitForText } from "./looks.ts"
import { close, openTab, put } from "./tab.ts"
import { enter, host, page, replay, sharedBrowser } from "./world.ts"

const browser = sharedBrowser()

describe.skipIf(!nginxPath)("under a base path, behind nginx with TLS, one free call a day", () => {
  const base = "/tools/trawl"
  let below: Service
  let nginx: Nginx
  let own = ""
  beforeAll(async () => {
    const port = freePort()
    const location = `location ${base}/ { proxy_pass http://127.0.0.1:${port}/; ${forwarded} }`
    nginx = await startNginx({ locations: location, tlsName: host })
    own = `https://${host}:${nginx.port}${base}`
    below = await startExecutable({
      TRAWL_PORT: String(port),
      TRAWL_REPLAY: replay,
      TRAWL_SIGNUP: "open",
      TRAWL_FREE_DAILY: "1",
      TRAWL_TRUST_PROXY: "127.0.0.1",
      TRAWL_BASE_URL: own,
    })
  }, 60_000)
  afterAll(async () => {
    await below?.stop()
    await nginx?.stop()
  }, 60_000)

  test("every screen is reached, and a used-up quota links to sign-up", async () => {
    const visit = await openTab(browser(), own, browser().defaultBrowserContext())
    const { tab, stated } = visit
    await tab.goto(`${own}/`)
    await tab.waitForSelector("#url")
    await put(tab, "#url", page)
    await submit(tab, ".prose")
    expect(tab.url()).toBe(`${own}/?url=${page}`)
    const visible = await tab.$eval(".code-box code", (code) => code.textContent)
    expect(visible).toBe(`curl '${own}/api/scrape?url=${page}'`)
    await click(tab, "nav a")
    await tab.waitForSelector("#search")
    expect(tab.url()).toBe(`${own}/scrapers`)
    await put(tab, "#search", "pypi packages")
    await until(tab, () =>
      document.querySelector(".scrapers a")?.getAttribute("href")?.includes("pypi"),
    )
    await click(tab, ".scrapers a")
    await tab.waitForSelector("form.box")
    expect(tab.url()).toBe(`${own}/scrapers/pypi-package-scraper`)
    await submit(tab, ".notice a")
    expect(await tab.$eval(".notice a", (link) => link.href)).toBe(`${own}/signup`)
    expect(stated).toEqual([])
    await close(visit)
  })

  test("a program with a used-up quota is refused, or gets a key with a limit", async () => {
    const visit = await openTab(browser(), own, browser().defaultBrowserContext())
    const { tab, stated } = visit
    const polled = async (url: string) => {
      const { pathname, search, host } = new URL(url)
      const response = await fetch(`https://127.0.0.1:${nginx.port}${pathname}${search}`, {
        headers: { host, "user-agent": "TideAgent/2.1" },
        tls: { rejectUnauthorized: false },
      })
      // biome-ignore lint/suspicious/noExplicitAny: a test reads any JSON response
      return response.json() as any
    }
    const requested = () => polled(`${own}/api/scrape/pypi-package-scraper?packages=tidecharts`)
    const first = await requested()
    expect(first.status).toBe("PAYMENT_REQUIRED")
    await tab.goto(first.claimUrl)
    const facts = await tab.$$eval(".facts dd", (all) => all.map((dd) => dd.textContent))
    expect(facts).toEqual([
      expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d UTC$/),
      "127.0.0.1",
      "TideAgent/2.1",
      expect.stringContaining("pypi-package-scraper"),
    ])
    await looksRight(tab, "claim")
    await Promise.all([tab.waitForNavigation(), click(tab, 'button[value="refuse"]')])
    await waitForText(tab, "The program gets no key")
    expect((await polled(first.claimStatusUrl)).status).toBe("refused")

    const second = await requested()
    await tab.goto(second.claimUrl)
    await put(tab, "#keyCredits", "25")
    await enter(tab, "grace@example.com", 'button[value="sign-up"]')
    await looksRight(tab, "claim-done")
    expect((await polled(second.claimStatusUrl)).apiKey).toStartWith("trawl_live_")
    await Promise.all([tab.waitForNavigation(), click(tab, "a[href$='/keys']")])
    await waitForText(tab, "0 of 25")
    expect(stated).toEqual([])
    await close(visit)
  })

  test("each screen of an administrator works, calls only Trawl, and shows its call", async () => {
    const visit = await openTab(browser(), own, browser().defaultBrowserContext())
    const { tab, stated, answers } = visit
    await tab.goto(below.ownerLink!)
    await enter(tab, "olga@example.com", "form button")
    await tab.goto(`${own}/operate`)
    await tab.waitForSelector(".chip[aria-current]")
    const links = await tab.$$eval(".top nav a, .chip", (all) =>
      all.map((link) => (link as HTMLAnchorElement).href),
    )
    const made = await tab.evaluate(async (own) => {
      const call = async (path: string, body: unknown) => {
        const json = { "content-type": "application/json" }
        const init = { method: "POST", headers: json, body: JSON.stringify(body) }
        return (await fetch(`${own}/api/v1/${path}`, init)).json()
      }
      const input = { packages: ["tidecharts"] }
      const { id, datasetId } = await call(
        "scrapers/pypi-package-scraper/runs?waitForFinish=60",
        input,
      )
      const schedule = await call("schedules", {
        scraper: "page-change-monitor",
        input: { urls: ["https://almanac.example/tides"] },
        cron: "0 9 * * *",
      })
      return [
        `runs/${id}`,
        `datasets/${datasetId}`,
        `schedules/${schedule.id}`,
        `monitors/${schedule.id}`,
      ]
    }, own)
    const linked = links.filter((link) => !/\/docs(?:\/|$)/.test(link))
    const screens = [...new Set([...linked, ...made.map((path) => `${own}/${path}`)])]
    expect(screens.length).toBeGreaterThan(16)
    const untrue: unknown[] = []
    for (const screen of everyNth(screens, 2)) {
      answers.splice(0)
      await tab.goto(screen, { waitUntil: "networkidle0" })
      expect(tab.url(), screen).toStartWith(screen)
      expect(await tab.$eval("h1", (h1) => h1.textContent), screen).not.toMatch(/^No /)
      await hasNoSidewaysScroll(tab, 360)
      const visible = await tab.evaluate(
        () => document.querySelector(".same-call code")?.textContent ?? "",
      )
      const [, address = ""] = /'(http[^']*)'$/.exec(visible) ?? []
      const calls = answers.map((response) => response.url())
      const isMade = calls.includes(address)
      if (isMade === withoutCall.some((path) => screen === own + path)) {
        untrue.push({ screen, visible, made: calls.filter((url) => url.includes("/api/")) })
      }
    }
    expect(untrue).toEqual([])
    expect(stated).toEqual([])
    await close(visit)
  })
})

/** Screens that show an example of a call, which they do not make on opening. */
const withoutCall = ["/bulk", "/connect", "/scrapers", "/search"]
