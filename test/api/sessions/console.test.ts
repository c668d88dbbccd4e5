import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { leanChrome, openBrowser } from "../../chrome.ts"
import { looksRight } from "../../executable/looks.ts"
import { Installation, type Serving } from "../process.ts"
import { LoginSite, password } from "./login-site.ts"

const chrome = leanChrome()
const site = new LoginSite()
const installation = new Installation({
  TRAWL_EGRESS_ALLOW: `127.0.0.1:${site.port}`,
  TRAWL_SIGNUP: "open",
  ...(chrome ? { TRAWL_CHROME: chrome } : {}),
})
const waitMs = 30_000

describe.skipIf(!chrome)("the console's sessions screen", () => {
  let serving: Serving
  let opened: Awaited<ReturnType<typeof openBrowser>>
  beforeAll(async () => {
    serving = await installation.serve()
    opened = await openBrowser(chrome!)
  }, 120_000)
  afterAll(async () => {
    await opened?.close()
    await serving?.end()
    site.stop()
    await installation.remove()
  }, 60_000)

  test("a user logs in with mouse and keys, saves the session, and chooses it for a run", async () => {
    const signedUp = await fetch(`${serving.root}/api/account`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ email: "ada@example.com", password: "correct horse battery" }),
    })
    const value = /trawl_session=([^;]*)/.exec(signedUp.headers.get("set-cookie") ?? "")![1]!
    const tab = await opened.browser.newPage()
    const stated: string[] = []
    tab.on("console", (message) => stated.push(message.text()))
    tab.on("pageerror", (error) => stated.push(String(error)))
    await tab.setViewport({ width: 1280, height: 1100 })
    await opened.browser.setCookie({ name: "trawl_session", value, domain: "127.0.0.1", path: "/" })
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
    const isAt = (path: string) => document.querySelector(".live-url")!.textContent!.endsWith(path)
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
  }, 120_000)
})
