/**
 * The console's main paths by keyboard only. Each element that Tab reaches is visible and marked, no element
 * traps the focus, and a closed dialog returns it.
 */
import { expect, test } from "bun:test"
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { testOfAll } from "../samples.ts"
import { choose, chooseFile, fill, opensAndCloses, press, tabTo } from "./keys.ts"
import { until, waitForText } from "./looks.ts"
import { close } from "./tab.ts"
import { page, password, sharedWorld } from "./world.ts"

const world = sharedWorld()

test("by keyboard: sign up, run a scraper, download its items", async () => {
  const visit = await world.open()
  const { tab, stated } = visit
  const folder = mkdtempSync(join(tmpdir(), "trawl-keyboard-"))
  const wire = await tab.createCDPSession()
  await wire.send("Browser.setDownloadBehavior", {
    behavior: "allow",
    downloadPath: folder,
    browserContextId: tab.browserContext().id!,
  })
  await tab.goto(`${world.root}/signup`)
  await fill(tab, "#email", "kay@example.com")
  await fill(tab, "#password", password)
  await Promise.all([tab.waitForNavigation(), tab.keyboard.press("Enter")])
  await Promise.all([tab.waitForNavigation(), press(tab, "main a", "Try a scraper")])
  await fill(tab, "#search", "pypi packages")
  await until(tab, () =>
    document.querySelector(".scrapers a")?.getAttribute("href")?.includes("pypi"),
  )
  await press(tab, ".scrapers a")
  await fill(tab, "#input-packages", "tidecharts")
  await press(tab, "form button", "Run")
  await tab.waitForSelector(".status.succeeded")
  await press(tab, "main a", "Whole dataset")
  await tab.waitForSelector(".item-grid tbody button")
  // A row's item opens in a dialog, which returns the focus to the row.
  await opensAndCloses(tab, [".item-grid tbody button", "1"], "Close")
  await opensAndCloses(tab, [".downloads button", "Share"], "Close")
  await press(tab, ".downloads a", "CSV")
  const file = () => readdirSync(folder).find((name) => name.endsWith(".csv"))
  for (let looks = 0; !file(); looks++) {
    expect(looks, "looks for the file").toBeLessThan(600)
    await Bun.sleep(50)
  }
  expect(readFileSync(join(folder, file()!), "utf8")).toContain("tidecharts")
  rmSync(folder, { recursive: true })
  expect(stated).toEqual([])
  await close(visit)
})

testOfAll("by keyboard: pick fields, save them as a recipe, delete it", async () => {
  const visit = await world.open()
  const { tab, stated } = visit
  await world.signedUp(tab, "kim@example.com")
  await tab.goto(`${world.root}/`)
  await fill(tab, "#url", page)
  await press(tab, ".box button", "My fields")
  await fill(tab, "#fields", "title: h1")
  const opener = "Pick from the page"
  await press(tab, ".box button", opener)
  await until(tab, () => document.querySelector("iframe")?.contentDocument?.querySelector("td"))
  await tabTo(tab, ".sheet")
  for (const key of ["ArrowDown", "ArrowDown", "Enter"] as const) await tab.keyboard.press(key)
  await tab.waitForSelector("#picked-name:focus")
  await tab.keyboard.press("Enter")
  await tab.waitForSelector(".sheet:focus")
  await press(tab, ".picker button", "Close")
  await until(tab, (words) => document.activeElement?.textContent === words, opener)
  await press(tab, ".box button", "Save as a recipe")
  await tab.waitForSelector("#recipe-name:focus")
  await tab.keyboard.type("By keys")
  await tab.keyboard.press("Enter")
  await waitForText(tab, "of yours. Run it to see its items.")
  await press(tab, "nav a", "Recipes")
  await opensAndCloses(tab, ["[aria-label='Delete By keys']", "Delete"])
  await press(tab, "[aria-label='Delete By keys']")
  await press(tab, "dialog button", "Delete")
  await waitForText(tab, "There are no recipes yet.")
  expect(stated).toEqual([])
  await close(visit)
})

test("by keyboard: a file's column becomes a run", async () => {
  const visit = await world.open()
  const { tab, stated } = visit
  await world.signedUp(tab, "kurt@example.com")
  const file = join(mkdtempSync(join(tmpdir(), "trawl-keyboard-")), "packages.csv")
  writeFileSync(file, "made by,package\nAda,tidecharts\n")
  await tab.goto(`${world.root}/bulk`)
  await chooseFile(tab, "#bulk-file", file)
  await choose(tab, "#bulk-scraper", "PyPI P")
  await choose(tab, "#bulk-column", "package")
  await waitForText(tab, "1 value of 1 row")
  await press(tab, ".mapping button", "Start")
  await tab.waitForSelector(".status.succeeded")
  rmSync(join(file, ".."), { recursive: true })
  expect(stated).toEqual([])
  await close(visit)
})

testOfAll("by keyboard: watch a page with a condition, change and delete a schedule", async () => {
  const visit = await world.open()
  const { tab, stated } = visit
  await world.signedUp(tab, "kira@example.com")
  await tab.goto(`${world.root}/scrapers/page-change-monitor?urls=${page}`)
  await press(tab, "form button", "Watch this")
  await fill(tab, "#when", "every hour")
  await press(tab, "button.main", "Create the monitor")
  await choose(tab, "#condition", "a text app")
  await fill(tab, "#amount", "neap tide")
  await tab.keyboard.press("Enter")
  await waitForText(tab, "“neap tide” appears")
  await press(tab, "button", "Remove")
  await until(tab, () => document.querySelectorAll(".lines button").length === 1)
  await press(tab, ".actions button", "Pause")
  await waitForText(tab, "paused")
  await press(tab, ".actions a", "Its schedule")
  await fill(tab, "#when", "weekdays at 7:00")
  await press(tab, "button.main", "Change it")
  await waitForText(tab, "weekdays at 7:00, ")
  await opensAndCloses(tab, [".actions button", "Delete …"])
  await press(tab, ".actions button", "Delete …")
  await press(tab, "dialog button", "Delete it")
  await waitForText(tab, "There are no schedules yet.")
  expect(stated).toEqual([])
  await close(visit)
})

testOfAll("by keyboard: add, test and delete a webhook; create and revoke a key", async () => {
  const visit = await world.open()
  const { tab, stated } = visit
  const receiver = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: () => new Response(null, { status: 204 }),
  })
  await world.signedUp(tab, "kofi@example.com")
  await tab.goto(`${world.root}/notifications`)
  await choose(tab, "#kind", "Webhook")
  await fill(tab, "#channel-url", `http://127.0.0.1:${receiver.port}/hook`)
  await tab.keyboard.press("Enter")
  await waitForText(tab, "whsec_")
  await press(tab, ".list a")
  await press(tab, ".actions button", "Send a test")
  await waitForText(tab, "The test succeeded: status 204")
  // The button keeps the focus, although it was disabled meanwhile.
  await until(tab, () => document.activeElement?.textContent === "Send a test")
  await press(tab, ".delivery summary")
  await tabTo(tab, ".delivery button", "Send again")
  await opensAndCloses(tab, [".actions button", "Delete …"])
  await press(tab, ".actions button", "Delete …")
  await press(tab, "dialog button", "Delete it")
  await waitForText(tab, "There are no channels yet.")
  await receiver.stop(true)

  await tab.goto(`${world.root}/keys`)
  await fill(tab, "#key-name", "By keys")
  await tab.keyboard.press("Enter")
  await waitForText(tab, "trawl_live_")
  await opensAndCloses(tab, ["[aria-label='Revoke By keys']", "Revoke"])
  await press(tab, "[aria-label='Revoke By keys']")
  await press(tab, "dialog button", "Revoke it")
  await until(tab, () => !document.querySelector("[aria-label='Revoke By keys']"))
  expect(stated).toEqual([])
  await close(visit)
})

testOfAll(
  "by keyboard: an administrator invites, locks, changes settings, and sets a secret",
  async () => {
    const visit = await world.open()
    const { tab, stated } = visit
    await world.signedUp(tab, "kaja@example.com")
    await world.signedOut(tab)
    await world.asOwner(tab)
    await tab.goto(`${world.root}/operate`)
    await press(tab, ".chip", "Accounts")
    await fill(tab, "#invited", "ines@example.com")
    await tab.keyboard.press("Enter")
    await waitForText(tab, "/signup?link=")
    await fill(tab, "#search", "kaja")
    await until(tab, () => document.querySelectorAll(".list tbody tr").length === 1)
    await press(tab, "[aria-label='Change kaja@example.com']")
    await tab.waitForSelector("#amount:focus")
    await press(tab, "dialog button", "Lock")
    await waitForText(tab, "Unlock")
    await tab.keyboard.press("Escape")
    await until(
      tab,
      () => document.activeElement?.getAttribute("aria-label") === "Change kaja@example.com",
    )
    await press(tab, ".chip", "Settings")
    await fill(tab, "#search", "_SIGNUP_CREDITS")
    await until(tab, () => document.querySelectorAll(".delivery").length === 1)
    await press(tab, ".delivery summary")
    await fill(tab, "#TRAWL_SIGNUP_CREDITS", "222")
    await tab.keyboard.press("Enter")
    await waitForText(tab, "set here")
    await press(tab, ".delivery button", "Restore the default")
    await waitForText(tab, "the default")
    await tab.goto(`${world.root}/operate/settings?search=GITHUB_TOKEN`)
    await press(tab, ".delivery:has(#GITHUB_TOKEN) summary")
    await fill(tab, "#GITHUB_TOKEN", "ghp_of_the_tests")
    await tab.keyboard.press("Enter")
    await waitForText(tab, "set here")
    expect(await tab.content()).not.toContain("ghp_of_the_tests")
    await press(tab, ".delivery:has(#GITHUB_TOKEN) button", "Restore the default")
    await waitForText(tab, "not set")
    expect(stated).toEqual([])
    await close(visit)
  },
)
