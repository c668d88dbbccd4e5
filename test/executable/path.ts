/**
 * The main path through the console: from a page to a table, and to its changes. By mouse on a wide screen,
 * and by keys on a phone's. Only `verify --all` runs it.
 */
import { afterAll, beforeAll, expect, test } from "bun:test"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { unzipSync } from "fflate"
import { parseHTML } from "linkedom"
import type { Page } from "puppeteer-core"
import { leanChrome } from "../chrome.ts"
import { freePort } from "../free-port.ts"
import { isRunningAll } from "../samples.ts"
import { type Service, startExecutable } from "./executable.ts"
import { called, looksRight, until, waitForText } from "./looks.ts"
import { type Hand, keys, mouse, openPicker } from "./pointer.ts"
import { Shop } from "./shop.ts"
import { openTab, put } from "./tab.ts"
import { password, sharedBrowser } from "./world.ts"

const browser = sharedBrowser()
const folder = mkdtempSync(join(tmpdir(), "trawl-path-"))
let shop: Shop
let service: Service
let root: string

beforeAll(async () => {
  const port = freePort()
  root = `http://127.0.0.1:${port}`
  service = await startExecutable({
    TRAWL_PORT: String(port),
    TRAWL_SIGNUP: "open",
    TRAWL_SIGNUP_CREDITS: "5000",
    TRAWL_SIGNUPS_DAILY: "0",
    TRAWL_BASE_URL: root,
    TRAWL_EGRESS_ALLOW: "127.0.0.0/8",
    TRAWL_CHROME: leanChrome()!,
  })
}, 120_000)
afterAll(async () => {
  await service?.stop()
  rmSync(folder, { recursive: true, force: true })
}, 60_000)

/** Each field: the text of its element, its name, and the value and label of its type. */
const fields = [
  ["Chair 1 “Łódź”", "title", "text", "Text"],
  ["107,35 €", "price", "number", "Price"],
  ["3.1 of 5", "rating", "number", "Number"],
  ["41 cm", "width", "number", "Number"],
  ["a while ago", "listed", "date", "Date"],
  ["Maker 1", "maker", "href", "Link"],
  ["A chair", "photo", "src", "Image"],
] as const

const hands = [
  ["by mouse at 1280 px", mouse],
  ["by keys at 390 px", keys],
] as const

for (const [name, hand] of isRunningAll ? hands : hands.slice(0, 1)) {
  test(`from a page to a table, and back for what changed: ${name}`, async () => {
    shop = new Shop()
    const visit = await openTab(browser(), root)
    const { tab, stated } = visit
    await tab.setViewport({ width: hand.width, height: 900 })
    await signedUp(tab, `${hand.width}@example.com`)
    await pickFields(tab, hand)
    const first = await runFile(tab, hand)
    await sortAndExport(tab, hand, first)
    const second = await runAgain(tab, hand, first)
    await compareAndShare(tab, hand, second)
    await notified(tab, hand)
    expect(stated.filter((line) => !/status of 40[14]/.test(line))).toEqual([])
    await tab.browserContext().close()
    await shop.stop()
  }, 400_000)
}

async function signedUp(tab: Page, email: string): Promise<void> {
  const response = await fetch(`${root}/api/account`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ email, password }),
  })
  const value = /trawl_session=([^;]*)/.exec(response.headers.get("set-cookie") ?? "")![1]!
  const name = "trawl_session"
  await tab.browserContext().setCookie({ name, value, domain: "127.0.0.1", httpOnly: true })
}

/** Saves seven typed fields of one page as a recipe, after a check on a second page. */
async function pickFields(tab: Page, hand: Hand): Promise<void> {
  await tab.goto(`${root}/`)
  await hand.write(tab, "#url", `${shop.root}/p/1`)
  await hand.push(tab, ".box button", "My fields")
  await openPicker(tab, hand, "Pick from the page")
  for (const [part, name, type, words] of fields) {
    await hand.pick(tab, part)
    await tab.waitForSelector("#picked-name:focus")
    await waitForText(tab, "1 hit")
    const chosen = await tab.$eval(
      "#picked-way",
      (fetchMethod) => (fetchMethod as HTMLSelectElement).value,
    )
    if (chosen !== type) {
      await tab.select("#picked-way", type)
      await waitForText(tab, "1 hit")
    }
    const visible = await tab.$eval(
      "#picked-way",
      (fetchMethod) => (fetchMethod as HTMLSelectElement).selectedOptions[0]!.textContent,
    )
    const taken = await tab.$eval(".under span", (words) => words.textContent)
    expect([name, taken, visible]).toEqual([name, part, words])
    await tab.focus("#picked-name")
    await tab.$eval("#picked-name", (input) => (input as HTMLInputElement).select())
    await tab.keyboard.type(name)
    await until(tab, () => !document.querySelector<HTMLButtonElement>(".new-field .main")!.disabled)
    await tab.keyboard.press("Enter")
    await tab.waitForSelector(".sheet:focus")
  }
  await hand.write(tab, "#second-url", `${shop.root}/p/2`)
  await tab.keyboard.press("Enter")
  await waitForText(tab, "All fields match there.")
  expect(await tab.$eval(".second-page table", (table) => table.textContent)).toContain("114.7")
  if (hand === mouse) await looksRight(tab, "path-picker")
  await tab.setViewport({ width: hand.width, height: 900 })
  await hand.push(tab, ".picker button", "Close")
  await hand.push(tab, ".box button", "Save as a recipe")
  await tab.waitForSelector("#recipe-name:focus")
  await tab.keyboard.type("Shop chairs")
  await tab.keyboard.press("Enter")
  await waitForText(tab, "of yours. Run it to see its items.")
}

/** Runs 200 URLs of a CSV file, then the twelve that failed again. Returns the run's path. */
async function runFile(tab: Page, hand: Hand): Promise<string> {
  const rows = shop.urls().map((url, index) => `${index + 1};Chair, nr. ${index + 1};${url}`)
  const file = join(folder, `${hand.width}.csv`)
  writeFileSync(file, `Nr;Name;Adresse\r\n${rows.join("\r\n")}\r\n`)
  await tab.goto(`${root}/bulk?scraper=shop-chairs`)
  await hand.drop(tab, file)
  await waitForText(tab, "200 values of 200 rows")
  const column = await tab.$eval(
    "#bulk-column",
    (select) => (select as HTMLSelectElement).selectedOptions[0]!.textContent,
  )
  expect(column).toBe("Adresse")
  await hand.push(tab, ".mapping button", "Start")
  await waitForText(tab, "Targets200 of 200")
  await waitForText(tab, "Failed12")
  await waitForText(tab, "Finished")
  shop.isBroken = false
  await hand.push(tab, ".actions button", "Retry failed targets")
  await waitForText(tab, "Failed0")
  await waitForText(tab, "Items200")
  await hand.push(tab, ".runs tbody a", "")
  await waitForText(tab, "Whole dataset")
  return new URL(tab.url()).pathname
}

/** Sorts by price as numbers, and exports a workbook with seven typed columns. */
async function sortAndExport(tab: Page, hand: Hand, run: string): Promise<void> {
  await tab.goto(root + run)
  await hand.push(tab, ".downloads a", "Whole dataset")
  await waitForText(tab, "200 items")
  await hand.select(tab, "#sort", "-price", "price, d")
  await until(tab, () =>
    document.querySelector(".item-grid tbody tr")?.textContent?.includes("Chair 200"),
  )
  const excel = await tab.$$eval(
    ".downloads a",
    (all) => all.map((a) => (a as HTMLAnchorElement).href).find((href) => href.includes("xlsx"))!,
  )
  const bytes = await tab.evaluate(
    async (href) => [...new Uint8Array(await (await fetch(href)).arrayBuffer())],
    excel,
  )
  const { heads, rows } = sheetOf(new Uint8Array(bytes))
  expect(heads.filter((head) => !head.startsWith("source."))).toEqual([
    "url",
    ...fields.map(([, name]) => name),
  ])
  const [top] = rows
  expect(rows).toHaveLength(200)
  const typed = ["title", "price", "rating", "width", "listed"].map(
    (name) => top![heads.indexOf(name)],
  )
  // A day is a number in a workbook: 14 March 2026 is 46095.
  expect(typed).toEqual(["Chair 200 “Łódź”", 1570, 3, 42, expect.any(Number)])
}

function sheetOf(bytes: Uint8Array): { heads: string[]; rows: (string | number)[][] } {
  const xml = new TextDecoder().decode(unzipSync(bytes)["xl/worksheets/sheet1.xml"])
  const { document } = parseHTML(xml.replace(/^<\?xml.*\n/, ""))
  const [heads, ...rows] = [...document.querySelectorAll("row")].map((row) =>
    [...row.querySelectorAll("c")].map((cell) =>
      cell.getAttribute("t") === "inlineStr" ? cell.textContent : Number(cell.textContent),
    ),
  )
  return { heads: heads!.map(String), rows }
}

/** Runs the same URLs again after prices changed. Returns the new dataset's path. */
async function runAgain(tab: Page, hand: Hand, run: string): Promise<string> {
  shop.factor = 0.9
  await tab.goto(root + run)
  await hand.push(tab, "a.button", "Edit and run again")
  await tab.waitForSelector("#input-urls")
  expect(tab.url().length).toBeLessThan(200)
  await hand.push(tab, "form button.main", "Run")
  await tab.waitForSelector(".status.succeeded")
  await waitForText(tab, "Targets200 of 200")
  await hand.push(tab, ".downloads a", "Whole dataset")
  await waitForText(tab, "200 items")
  return new URL(tab.url()).pathname
}

async function compareAndShare(tab: Page, hand: Hand, dataset: string): Promise<void> {
  await hand.push(tab, "a.button", "What changed")
  await waitForText(tab, "200 changes")
  await waitForText(tab, "107.35")
  await waitForText(tab, "96.61")
  if (hand === mouse) await looksRight(tab, "path-diff")
  await tab.setViewport({ width: hand.width, height: 900 })
  await tab.goto(root + dataset)
  await waitForText(tab, "200 items")
  await hand.push(tab, ".downloads button", "Share")
  await tab.waitForSelector("#link-password")
  await hand.select(tab, "#link-days", "365", "A y")
  await hand.write(tab, "#link-password", "chairs 2026")
  await hand.push(tab, "dialog button", "Make a link")
  await tab.waitForSelector("dialog .code-box")
  const link = await tab.$eval("dialog .code-box code", (code) => code.textContent!)
  const other = await openTab(browser(), root)
  await other.tab.setViewport({ width: hand.width, height: 900 })
  await other.tab.goto(link)
  await other.tab.waitForSelector("#password")
  await looksRight(other.tab, "path-shared-locked")
  await put(other.tab, "#password", "chairs 2026")
  await other.tab.keyboard.press("Enter")
  await waitForText(other.tab, "200 rows")
  await put(other.tab, "#search", "Chair 19")
  await waitForText(other.tab, "12 rows of 200")
  await looksRight(other.tab, "path-shared")
  await other.tab.browserContext().close()
  await tab.keyboard.press("Escape")
}

/** Creates a monitor of three chairs, which notifies of a price with a link to its chair. */
async function notified(tab: Page, hand: Hand): Promise<void> {
  await tab.goto(`${root}/notifications`)
  await hand.select(tab, "#kind", "ntfy", "ntfy")
  await hand.write(tab, "#channel-url", `${shop.root}/topic`)
  await hand.push(tab, "form button", "Add")
  await tab.waitForSelector(".list tbody tr")
  const urls = shop.urls().slice(0, 3)
  await tab.goto(
    `${root}/schedules/new/shop-chairs?${new URLSearchParams({ urls: urls.join("|") })}`,
  )
  await hand.select(tab, "#condition", "dropped", "falls by")
  await hand.write(tab, "#amount", "1")
  await hand.write(tab, "#field", "price")
  await hand.push(tab, "form button", "Add")
  await waitForText(tab, "price dropped by 1 %")
  await hand.write(tab, "#name", "Three chairs")
  await hand.write(tab, "#when", "every Monday at 7:00")
  await waitForText(tab, "Create the monitor")
  await hand.push(tab, "form button.main", "Create the monitor")
  await until(tab, () => location.pathname.startsWith("/monitors/sch_"))
  const id = new URL(tab.url()).pathname.split("/").at(-1)!
  await waitForText(tab, "Chair 3 “Łódź”")
  shop.factor = 0.5
  await hand.push(tab, ".actions button", "Check now")
  await waitForText(tab, "fell from 96.61 to 53.67")
  await waitForText(tab, "3 changes")
  await hand.push(tab, ".actions button", "Feed")
  await hand.push(tab, "dialog button", "Make a link")
  await waitForText(tab, "&format=rss")
  await tab.keyboard.press("Escape")
  if (hand === mouse) await looksRight(tab, "path-monitor")
  for (let tries = 0; shop.received.length === 0 && tries < 100; tries++) await Bun.sleep(100)
  const [message] = shop.received
  expect(message?.body).toContain("fell from 96.61 to 53.67")
  expect(message?.body).toContain(`${root}/monitors/${id}`)
  expect(new URL(message!.url).searchParams.get("click")).toBe(`${shop.root}/p/1`)
  expect(new URL(message!.url).searchParams.get("attach")).toBe(`${shop.root}/img/1.jpg`)
  expect((await called(tab, `/api/v1/monitors/${id}`)).watched).toBe(3)
}
