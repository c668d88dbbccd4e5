/** The account screens of the console: keys, password, schedules, notifications. */
import { expect, test } from "bun:test"
import { testOfAll } from "../samples.ts"
import { click } from "./click.ts"
import {
  called,
  inPartsOfOne,
  lastChange,
  looksRight,
  replaceText,
  until,
  waitForText,
} from "./looks.ts"
import { close, put } from "./tab.ts"
import { enter, page, sharedWorld } from "./world.ts"

const world = sharedWorld()

test("an account creates a working key, connects a client, revokes the key, and is deleted", async () => {
  const visit = await world.open()
  const { tab, stated } = visit
  await tab.goto(`${world.root}/signup`)
  await enter(tab, "grace@example.com", 'button[value="sign-up"]')
  await tab.goto(`${world.root}/keys`)
  await tab.waitForSelector(".list tbody tr")
  await put(tab, "#key-name", "Laptop")
  await tab.select("#key-days", "30")
  await put(tab, "#key-limit", "5")
  await click(tab, "button[type=submit]")
  const key = await (await tab.waitForSelector(".box code"))!.evaluate((code) => code.textContent)
  expect(key).toStartWith("trawl_live_")
  await waitForText(tab, "0 of 5")
  // The screen shows the API call of the change.
  expect(await lastChange(tab)).toMatch(
    /^curl -H 'Authorization: Bearer <API_KEY>' --json '\{"name":"Laptop","scopes":\["run","read"\],"expiresAt":"[^"]+","creditLimit":5\}' '[^']+\/api\/v1\/keys'$/,
  )
  await looksRight(tab, "keys")
  const authorization = `Bearer ${key}`
  const call = () => fetch(`${world.root}/api/v1/me`, { headers: { authorization } })
  expect((await call()).status).toBe(200)
  await click(tab, 'button[aria-label="Revoke Laptop"]')
  await click(tab, "dialog[open] .danger")
  await until(tab, () => !document.querySelector('[aria-label="Revoke Laptop"]'))
  expect((await call()).status).toBe(401)

  await click(tab, "nav a[href$='/connect']")
  await waitForText(tab, "tokens of context")
  await click(tab, "section.box .choice button:nth-of-type(2)")
  await (await tab.waitForSelector("#tool-words"))!.type("pypi packages")
  await until(tab, () => document.querySelectorAll(".tools label").length === 1)
  await click(tab, ".tools input")
  const { tools } = await called(tab, "/console/tools?tools=pypi-package-scraper")
  await waitForText(tab, `${tools} tools`)
  await until(tab, () => location.search === "?tools=pypi-package-scraper")
  await click(tab, "section:not(.box) .choice button:nth-of-type(4)")
  const paste = await tab.$eval(".code-box code", (code) => code.textContent)
  const { url, headers } = JSON.parse(paste!).servers.trawl
  expect([url, headers.Authorization]).toEqual([
    `${world.root}/api/mcp?tools=pypi-package-scraper`,
    "Bearer <API_KEY>",
  ])
  await looksRight(tab, "connect")

  await click(tab, "nav a[href$='/usage']")
  await waitForText(tab, "Sign-up")
  await looksRight(tab, "usage")

  await click(tab, "nav a[href$='/account']")
  await waitForText(tab, "grace@example.com")
  await put(tab, "#present", "not this one")
  await put(tab, "#next", "another good one")
  await click(tab, ".main")
  await waitForText(tab, "The password is wrong.")
  await tab.$eval("#present", (input) => ((input as HTMLInputElement).value = ""))
  await put(tab, "#present", "correct horse battery")
  await click(tab, ".main")
  await waitForText(tab, "Other browsers are signed out.")
  await looksRight(tab, "account")
  await click(tab, ".column .danger")
  await tab.waitForSelector("dialog[open] #sure:focus")
  await tab.keyboard.type("another good one")
  await click(tab, "dialog .main")
  await tab.waitForSelector("#url")
  await tab.goto(`${world.root}/keys`)
  await waitForText(tab, "Sign in")
  expect(stated.filter((line) => !line.includes("403"))).toEqual([])
  await close(visit)
})

testOfAll("an account schedules a run in words, pauses it, and watches a page", async () => {
  const visit = await world.open()
  const { tab, stated } = visit
  await world.signedUp(tab, "vera@example.com")
  await tab.goto(`${world.root}/schedules`)
  await waitForText(tab, "There are no schedules yet.")
  await tab.goto(`${world.root}/scrapers/pypi-package-scraper?packages=tidecharts`)
  await click(tab, ".box .actions button:nth-of-type(2)")
  await replaceText(tab, "#when", "someday")
  await waitForText(tab, "“someday” is not understood. In words, for example")
  expect(await tab.$eval("button.main", (button) => (button as HTMLButtonElement).disabled)).toBe(
    true,
  )
  await replaceText(tab, "#when", "mondays and fridays at 8 pm")
  await tab.select("#zone", "Asia/Tokyo")
  await until(tab, () => document.querySelectorAll(".times li").length === 5)
  await looksRight(tab, "schedule-new")
  await put(tab, "#name", "Charts")
  await click(tab, "button.main")
  await waitForText(tab, "mondays and fridays at 20:00, Asia/Tokyo")
  const id = tab.url().split("/").at(-1)!
  const { cron, timeZone, input } = await called(tab, `/api/v1/schedules/${id}`)
  expect([cron, timeZone, input.packages]).toEqual(["0 20 * * 1,5", "Asia/Tokyo", ["tidecharts"]])
  await looksRight(tab, "schedule")
  await tab.select("select.as-button", "24")
  await waitForText(tab, "muted until")
  await click(tab, ".actions button:nth-of-type(2)")
  await waitForText(tab, "The schedule is paused.")
  const { enabled, mutedUntil } = await called(tab, `/api/v1/schedules/${id}`)
  expect(enabled).toBe(false)
  expect(Date.parse(mutedUntil)).toBeGreaterThan(Date.now())
  await click(tab, "nav.own a[href$='/schedules']")
  await waitForText(tab, "Charts")
  await looksRight(tab, "schedules")

  await tab.goto(`${world.root}/schedules/new/page-change-monitor?urls=${page}`)
  await replaceText(tab, "#when", "every hour")
  await click(tab, "button.main:not([disabled])")
  // A monitor checks when it is created, and again on request.
  await waitForText(tab, "1 value, checked")
  await waitForText(tab, "How the tides work")
  const monitorId = () => tab.url().split("/").at(-1)!
  const lastRun = async () => (await called(tab, `/api/v1/monitors/${monitorId()}`)).lastRun.runId
  const first = await lastRun()
  await click(tab, ".actions button.main:not([disabled])")
  await waitForText(tab, "Checking …")
  await tab.waitForSelector(".actions button.main:not([disabled])")
  expect(await lastRun()).not.toBe(first)
  await tab.select("#condition", "appears")
  await put(tab, "#amount", "neap tide")
  await click(tab, ".fields-in-row button")
  await waitForText(tab, "“neap tide” appears")
  const watched = tab.url().split("/").at(-1)!
  const monitor = await called(tab, `/api/v1/monitors/${watched}`)
  expect(monitor.conditions).toEqual([{ when: "changed" }, { when: "appears", text: "neap tide" }])
  await looksRight(tab, "monitor")
  await click(tab, "nav a[href$='/monitors']")
  await tab.waitForSelector("h2 a")
  await looksRight(tab, "monitors")
  await tab.goto(`${world.root}/schedules/${watched}`)
  await click(tab, ".actions .danger")
  await tab.waitForSelector("dialog[open] [data-first]:focus")
  await click(tab, "dialog .main")
  await waitForText(tab, "Charts")
  expect((await called(tab, "/api/v1/monitors")).total).toBe(0)
  expect(stated).toEqual([])
  await close(visit)
})

testOfAll("every schedule and monitor can be reached, however many there are", async () => {
  const visit = await world.open()
  const { tab, stated } = visit
  await world.signedUp(tab, "lea@example.com")
  await inPartsOfOne(tab)
  for (const name of ["Ebb", "Flow"]) {
    await tab.goto(`${world.root}/schedules/new/page-change-monitor?urls=${page}`)
    await replaceText(tab, "#name", name)
    await click(tab, "button.main:not([disabled])")
    await waitForText(tab, "1 value, checked")
  }
  for (const screen of ["schedules", "monitors"]) {
    await tab.goto(`${world.root}/${screen}`)
    await waitForText(tab, `2 ${screen}`)
    await waitForText(tab, "Flow")
    await click(tab, ".pages button:last-of-type")
    await waitForText(tab, "Ebb")
    await click(tab, ".pages button:first-of-type")
    await waitForText(tab, "Flow")
  }
  expect(stated).toEqual([])
  await close(visit)
})

test("a user who is signed out meanwhile sees it, and keeps the typed text", async () => {
  const visit = await world.open()
  const { tab } = visit
  await world.signedUp(tab, "sol@example.com")
  await tab.goto(`${world.root}/keys`)
  await replaceText(tab, "#key-name", "Laptop")
  await world.signedOut(tab)
  await click(tab, "button[type=submit]")
  await waitForText(tab, "You are no longer signed in. Sign in in another tab")
  expect(await tab.$eval("#key-name", (input) => (input as HTMLInputElement).value)).toBe("Laptop")
  await close(visit)
})

testOfAll(
  "an account adds a notification channel, sees the deliveries, and sends one again",
  async () => {
    const visit = await world.open()
    const { tab, stated } = visit
    const reported: string[] = []
    let status = 204
    const receiver = Bun.serve({
      hostname: "127.0.0.1",
      port: 0,
      async fetch(request) {
        reported.push((await request.json()).type)
        return new Response(null, { status })
      },
    })
    await world.signedUp(tab, "nora@example.com")
    await tab.goto(`${world.root}/notifications`)
    await waitForText(tab, "There are no channels yet.")
    await tab.select("#kind", "webhook")
    await put(tab, "#channel-url", `http://127.0.0.1:${receiver.port}/hook`)
    await put(tab, "#channel-name", "My program")
    await click(tab, ".box .main")
    await waitForText(tab, "whsec_")
    await looksRight(tab, "notifications")
    await click(tab, ".list a")
    await waitForText(tab, "No deliveries yet.")
    await click(tab, ".actions button")
    await waitForText(tab, "The test succeeded: status 204")
    await click(tab, ".delivery summary")
    await click(tab, ".delivery button")
    for (let looks = 0; reported.length < 2; looks++) {
      expect(looks, "looks until it came again").toBeLessThan(600)
      await Bun.sleep(50)
    }
    expect(reported).toEqual(["test", "test"])
    await click(tab, ".actions button:nth-of-type(3)")
    await waitForText(tab, "This is the new secret.")
    await looksRight(tab, "notification")
    status = 500
    await click(tab, ".actions button")
    await waitForText(tab, "The test failed: The receiver responded with 500.")
    expect(await tab.$eval(".notice.bad", (issue) => issue.textContent)).toEndWith(" 500.")
    await waitForText(tab, "failedtest")
    await click(tab, ".actions .danger")
    await tab.waitForSelector("dialog[open]")
    await click(tab, "dialog .main")
    await waitForText(tab, "There are no channels yet.")
    expect((await called(tab, "/api/v1/notifications")).total).toBe(0)
    expect(stated).toEqual([])
    await receiver.stop(true)
    await close(visit)
  },
)
