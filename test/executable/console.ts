/**
 * A human with a real browser before the compiled executable's console: each screen at two widths, light
 * and dark, judged by axe; what a strange page may not do; the main paths by keyboard; under a path
 * behind nginx with TLS. Run by `verify`, as `bun test ./test/executable/console.ts`; with PICTURES_OF_SCREENS=1
 * each screen's pictures stay in dist/console, which takes as long again.
 */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test"
import { mkdirSync, rmSync } from "node:fs"
import { join } from "node:path"
import axe from "axe-core"
import { type Browser, type HTTPResponse, launch, type Page } from "puppeteer-core"
import { leanChrome } from "../chrome.ts"
import { forwarded, freePort, type Nginx, nginxPath, startNginx } from "../nginx.ts"
import { executable, type Service, startExecutable } from "./executable.ts"
import { keyboardPaths } from "./keyboard.ts"

setDefaultTimeout(120_000)

const cases = ["pages/console", "cases/pypi-package-scraper/old-times-two-licences"]
const replay = cases.map((path) => join(import.meta.dir, "..", path)).join(",")
const pictures = process.env.PICTURES_OF_SCREENS
  ? join(import.meta.dir, "../../dist/console")
  : null
const page = "https://almanac.example/tides"

let browser: Browser
let service: Service
let root = ""

beforeAll(async () => {
  executable()
  if (pictures) {
    rmSync(pictures, { recursive: true, force: true })
    mkdirSync(pictures, { recursive: true })
  }
  const path = leanChrome()
  if (!path) throw new Error("No Chrome was found; `bun scripts/ensure.ts --chrome` installs one.")
  const port = freePort()
  root = `http://127.0.0.1:${port}`
  const settings = {
    TRAWL_PORT: String(port),
    TRAWL_REPLAY: replay,
    TRAWL_SIGNUP: "open",
    // Every test is somebody else, all of the same address.
    TRAWL_SIGNUPS_DAILY: "0",
    // A receiver of the tests' own is told of what happened.
    TRAWL_EGRESS_ALLOW: "127.0.0.0/8",
  }
  const started = await Promise.all([
    launch({
      executablePath: path,
      acceptInsecureCerts: true,
      args: ["--no-sandbox", "--host-resolver-rules=MAP trawl.test 127.0.0.1"],
    }),
    startExecutable(settings),
  ])
  ;[browser, service] = started
}, 120_000)
afterAll(async () => {
  await browser?.close()
  await service?.stop()
}, 60_000)

interface Visit {
  tab: Page
  /** What the console said, and where requests went that were not ours. */
  said: string[]
  answers: HTTPResponse[]
}

/** A tab that keeps what nobody should have to read. */
async function open(own = root): Promise<Visit> {
  const tab = await (await browser.createBrowserContext()).newPage()
  const said: string[] = []
  const answers: HTTPResponse[] = []
  tab.on("console", (message) => said.push(message.text()))
  tab.on("pageerror", (error) => said.push(String(error)))
  tab.on("request", (request) => {
    if (!request.url().startsWith(own)) said.push(`asked ${request.url()}`)
  })
  tab.on("response", (answer) => answers.push(answer))
  return { tab, said, answers }
}

const close = ({ tab }: Visit) => tab.browserContext().close()

type Screen = [name: string, path: string, ready: string, act?: (tab: Page) => Promise<unknown>]

const screens: Screen[] = [
  ["home", "/", ".scrapers li"],
  ["home-markdown", `/?url=${page}`, ".scrapers li", (tab) => sent(tab, ".prose")],
  [
    "home-fields",
    `/?url=${page}&fields=title: h1|[]sections: h2|picture: img @src`,
    ".scrapers li",
    (tab) => sent(tab, ".item"),
  ],
  ["scrapers", "/scrapers?search=product", ".scrapers li"],
  ["scraper", "/scrapers/amazon-product-scraper", ".item"],
  [
    "scraper-run",
    "/scrapers/pypi-package-scraper?packages=tidecharts",
    ".item",
    async (tab) => {
      await tab.click("button[type=submit]")
      await says(tab, "1 item in")
    },
  ],
  ["nowhere", "/scrapers/no-such-thing", ".notice"],
]

/** Waits until the screen says so. */
const says = (tab: Page, words: string) =>
  tab.waitForFunction((text) => document.body.textContent?.includes(text), {}, words)

/** Sends the screen's form, and waits for what comes of it. */
async function sent(tab: Page, result: string): Promise<void> {
  await tab.click("button[type=submit]")
  await tab.waitForSelector(result)
}

const widths = [390, 1280]

async function hasNoSidewaysScroll(tab: Page, width: number): Promise<void> {
  await tab.setViewport({ width, height: 900 })
  const [most, wide] = await tab.evaluate(() => {
    const all = [...document.querySelectorAll("main *")]
    const wide = all.filter((one) => one.getBoundingClientRect().right > innerWidth)
    return [
      document.documentElement.scrollWidth,
      wide.map(({ outerHTML }) => outerHTML.slice(0, 100)),
    ] as const
  })
  expect(most, `sideways scroll of ${tab.url()} by ${wide.slice(0, 3)}`).toBeLessThanOrEqual(width)
}

/** Keeps a picture of each width and scheme, for who wants to look at them. */
async function takePictures(tab: Page, name: string, folder: string): Promise<void> {
  for (const width of widths) {
    await tab.setViewport({ width, height: 900 })
    for (const value of ["light", "dark"]) {
      await tab.emulateMediaFeatures([{ name: "prefers-color-scheme", value }])
      await tab.screenshot({ path: join(folder, `${name}-${width}-${value}.png`), fullPage: true })
    }
  }
}

/** No sideways scroll, nothing that axe finds. */
async function looksRight(tab: Page, name: string): Promise<void> {
  await tab.mouse.move(0, 0)
  if (pictures) await takePictures(tab, name, pictures)
  await tab.evaluate(axe.source)
  for (const width of [...widths, 360]) await hasNoSidewaysScroll(tab, width)
  // Narrow and light, wide and dark: each rule sees each scheme and each width once.
  for (const [width, scheme] of [
    [390, "light"],
    [1280, "dark"],
  ] as const) {
    await tab.setViewport({ width, height: 900 })
    await tab.emulateMediaFeatures([{ name: "prefers-color-scheme", value: scheme }])
    const { violations } = await tab.evaluate(() =>
      (globalThis as unknown as { axe: typeof axe }).axe.run(),
    )
    const told = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html)}`)
    expect(told).toEqual([])
  }
}

for (const [name, path, ready, act] of screens) {
  test(`${name} looks as it should`, async () => {
    const visit = await open()
    const { tab, said } = visit
    await tab.goto(root + path)
    await tab.waitForSelector(ready)
    await act?.(tab)
    await looksRight(tab, name)
    // Chrome itself tells of the status of an address that leads nowhere.
    expect(said.filter((line) => name !== "nowhere" || !line.includes("404"))).toEqual([])
    await close(visit)
  })
}

test("a strange page brings text, and nothing that runs, loads or lures", async () => {
  const visit = await open()
  const { tab, said } = visit
  await tab.goto(`${root}/?url=${page}`)
  await tab.waitForSelector("#url")
  await sent(tab, ".prose")
  expect(await tab.title()).toBe("Trawl: any web page as data")
  expect(await tab.$$eval(".prose img, .prose script, .prose iframe", (all) => all.length)).toBe(0)
  const text = await tab.$eval(".prose", (prose) => prose.textContent)
  expect(text).toContain("<img src=x onerror=alert(1)>")
  const links = await tab.$$eval(".prose a", (all) => all.map((a) => [a.href, a.rel, a.target]))
  expect(links).toEqual([
    ["https://almanac.example/moon", "noopener noreferrer nofollow", "_blank"],
    ["https://pictures.example/tide.jpg", "noopener noreferrer nofollow", "_blank"],
  ])
  const facts = await tab.$eval("aside", (aside) => aside.textContent)
  expect(facts).toContain("Mira Solberg")
  expect(said).toEqual([])
  await close(visit)
})

/** Clicks a part of the page that is shown in the picker. */
async function picked(tab: Page, tag: string, text: string): Promise<void> {
  const [left, top] = await tab.evaluate(
    (tag, text) => {
      const frame = document.querySelector("iframe")!
      const all = [...frame.contentDocument!.querySelectorAll<HTMLElement>(tag)]
      const part = all.find((one) => one.textContent === text)!
      part.scrollIntoView({ block: "center" })
      const [outer, inner] = [frame.getBoundingClientRect(), part.getBoundingClientRect()]
      return [outer.left + inner.left + 4, outer.top + inner.top + 4] as const
    },
    tag,
    text,
  )
  await tab.mouse.click(left, top)
  await tab.waitForSelector("#picked-name:focus")
}

test("fields of a list are picked from the page by mouse and keys, and come as a table", async () => {
  const visit = await open()
  const { tab, said } = visit
  await tab.setViewport({ width: 1280, height: 900 })
  await tab.goto(`${root}/?url=${page}&fields=title: h1`)
  await (await tab.waitForSelector(".box .fields-in-row button"))!.click()
  await tab.waitForFunction(() =>
    document.querySelector("iframe")?.contentDocument?.querySelector("td"),
  )
  // What is shown of a strange page has nothing of it that could run, load or lead away.
  const odd = await tab.evaluate(() => {
    const inner = document.querySelector("iframe")!.contentDocument!
    const names = [...inner.body.querySelectorAll("*")].flatMap((one) => one.getAttributeNames())
    return names.filter((name) => !["class", "colspan", "rowspan"].includes(name))
  })
  expect(odd).toEqual([])
  await picked(tab, "td", "Saint-Malo")
  await says(tab, "1 hit")
  await tab.click(".new-field .choice button:nth-of-type(2)")
  await says(tab, "2 hits")
  expect(await tab.$$eval(".hits li", (all) => all.map((li) => li.textContent))).toEqual([
    "Burntcoat Head",
    "Saint-Malo",
  ])
  await looksRight(tab, "home-picker")
  await tab.focus("#picked-name")
  await tab.keyboard.press("Enter")
  // From here on by keyboard: the next cell, and it is taken.
  await tab.waitForSelector(".sheet:focus")
  await tab.keyboard.press("ArrowDown")
  await tab.keyboard.press("Enter")
  await tab.waitForSelector("#picked-name:focus")
  await tab.keyboard.press("Enter")
  await tab.waitForSelector(".sheet:focus")
  const fields = await tab.$eval("#fields", (area) => (area as HTMLTextAreaElement).value)
  expect(fields.split("\n")).toEqual(["title: h1", "port: td", "meanRange: td:nth-of-type(2)"])
  await written(tab, "#fields", fields.split("\n").slice(1).join("\n"))
  await sent(tab, ".result table")
  const cells = await tab.$$eval(".result tr", (all) =>
    all.map((tr) => [...tr.children].map((cell) => cell.textContent)),
  )
  expect(cells).toEqual([
    ["port", "meanRange"],
    ["Burntcoat Head", "11.7 m"],
    ["Saint-Malo", "8.0 m"],
  ])
  const shown = await tab.$eval(".code-box code", (code) => code.textContent!)
  const answer = await (await fetch(/'(.*)'/.exec(shown)![1]!)).json()
  expect(answer.items[0].extracted.data.rows[1]).toEqual({
    port: "Saint-Malo",
    meanRange: "8.0 m",
  })
  expect(said).toEqual([])
  await close(visit)
})

test("by keyboard alone: an address, its page, back to the top", async () => {
  const visit = await open()
  const { tab } = visit
  await tab.goto(`${root}/`)
  await tab.waitForSelector("#url")
  const focused = () => tab.evaluate(() => document.activeElement?.id)
  for (let steps = 0; (await focused()) !== "url"; steps++) {
    expect(steps, "tabs before the box").toBeLessThan(8)
    await tab.keyboard.press("Tab")
  }
  await tab.keyboard.type("almanac.example/tides")
  await tab.keyboard.press("Enter")
  await tab.waitForSelector(".prose")
  // What was done is an address, which shows the same form to whoever opens it, and asks for nothing.
  expect(tab.url()).toBe(`${root}/?url=almanac.example/tides`)
  await tab.reload()
  await tab.waitForSelector("#url")
  expect(await tab.$eval("#url", (input) => (input as HTMLInputElement).value)).toBe(
    "almanac.example/tides",
  )
  expect(await tab.$(".prose")).toBeNull()
  await close(visit)
})

test("the scraper made for an address is offered, filled in, and told what is wrong", async () => {
  const visit = await open()
  const { tab } = visit
  await tab.goto(`${root}/`)
  await (await tab.waitForSelector("#url"))!.type("pypi.org/project/tidecharts")
  const chip = (await tab.waitForSelector(".chip"))!
  expect(await chip.evaluate((link) => link.textContent)).toBe("PyPI Packages")
  await chip.click()
  const field = "#input-packages"
  await tab.waitForSelector(field)
  expect(await tab.$eval("h1", (h1) => h1.textContent)).toBe("PyPI Packages")
  expect(await tab.$eval(field, (area) => (area as HTMLTextAreaElement).value)).toBe(
    "https://pypi.org/project/tidecharts",
  )
  await tab.$eval(field, (area) => ((area as HTMLTextAreaElement).value = ""))
  await tab.type(field, "not a package!")
  await sent(tab, `${field}[aria-invalid]`)
  const fault = await tab.$eval("#input-packages-fault", (fault) => fault.textContent)
  expect(fault).toContain("not a package!")
  await tab.goBack()
  await tab.waitForSelector("#url")
  await close(visit)
})

test("the front page is light, packed, and need be fetched once", async () => {
  const visit = await open()
  const { tab, answers } = visit
  const wire = await tab.createCDPSession()
  await wire.send("Network.enable")
  let bytes = 0
  wire.on("Network.loadingFinished", ({ encodedDataLength }) => (bytes += encodedDataLength))
  await tab.goto(`${root}/`, { waitUntil: "networkidle0" })
  expect(bytes).toBeGreaterThan(10_000)
  expect(bytes).toBeLessThan(120_000)
  const files = answers.filter((answer) => /console-[\da-f]{12}\.(?:js|css)$/.test(answer.url()))
  expect(files).toHaveLength(2)
  for (const file of files) {
    expect(file.headers()["content-encoding"]).toBeString()
    expect(file.headers()["cache-control"]).toContain("immutable")
    // As it lies in the executable, to whom that suits.
    const packed = await fetch(file.url(), { headers: { "accept-encoding": "br" } })
    expect(packed.headers.get("content-encoding")).toBe("br")
    const plain = await fetch(file.url(), { headers: { "accept-encoding": "identity" } })
    expect(await packed.text()).toBe(await plain.text())
  }
  await close(visit)
})

/** Signs a new account up by the page for it. */
async function signedUp(tab: Page, email: string): Promise<void> {
  await tab.goto(`${root}/signup`)
  await tab.type("#email", email)
  await tab.type("#password", "correct horse battery")
  await Promise.all([tab.waitForNavigation(), tab.click('button[value="sign-up"]')])
}

test("an account makes a key that works, connects a client, revokes the key, and leaves", async () => {
  const visit = await open()
  const { tab, said } = visit
  await signedUp(tab, "grace@example.com")
  await tab.goto(`${root}/keys`)
  await tab.waitForSelector(".list tbody tr")
  await tab.type("#key-name", "Laptop")
  await tab.select("#key-days", "30")
  await tab.type("#key-limit", "5")
  await tab.click("button[type=submit]")
  const key = await (await tab.waitForSelector(".box code"))!.evaluate((code) => code.textContent)
  expect(key).toStartWith("trawl_live_")
  await says(tab, "0 of 5")
  // What was done is shown as the call that does it.
  expect(await lastChange(tab)).toMatch(
    /^curl -H 'Authorization: Bearer <API_KEY>' --json '\{"name":"Laptop","scopes":\["run","read"\],"expiresAt":"[^"]+","creditLimit":5\}' '[^']+\/api\/v1\/keys'$/,
  )
  await looksRight(tab, "keys")
  const authorization = `Bearer ${key}`
  const call = () => fetch(`${root}/api/v1/me`, { headers: { authorization } })
  expect((await call()).status).toBe(200)
  await tab.click('button[aria-label="Revoke Laptop"]')
  await (await tab.waitForSelector("dialog[open] .danger"))!.click()
  await tab.waitForFunction(() => !document.querySelector('[aria-label="Revoke Laptop"]'))
  expect((await call()).status).toBe(401)

  await tab.click("nav a[href$='/connect']")
  await says(tab, "tokens of a model")
  await tab.click("section.box .choice button:nth-of-type(2)")
  await (await tab.waitForSelector("#tool-words"))!.type("pypi packages")
  await tab.waitForFunction(() => document.querySelectorAll(".tools label").length === 1)
  await tab.click(".tools input")
  await says(tab, "5 tools")
  await tab.waitForFunction(() => location.search === "?tools=pypi-package-scraper")
  await tab.click("section:not(.box) .choice button:nth-of-type(4)")
  const paste = await tab.$eval(".code-box code", (code) => code.textContent)
  const { url, headers } = JSON.parse(paste!).servers.trawl
  expect([url, headers.Authorization]).toEqual([
    `${root}/api/mcp?tools=pypi-package-scraper`,
    "Bearer <API_KEY>",
  ])
  await looksRight(tab, "connect")

  await tab.click("nav a[href$='/usage']")
  await says(tab, "Sign-up")
  await looksRight(tab, "usage")

  await tab.click("nav a[href$='/account']")
  await says(tab, "grace@example.com")
  await tab.type("#present", "not this one")
  await tab.type("#next", "another good one")
  await tab.click(".main")
  await says(tab, "The password is wrong.")
  await tab.$eval("#present", (input) => ((input as HTMLInputElement).value = ""))
  await tab.type("#present", "correct horse battery")
  await tab.click(".main")
  await says(tab, "Other browsers are signed out.")
  await looksRight(tab, "account")
  await tab.click(".column .danger")
  await tab.waitForSelector("dialog[open] #sure:focus")
  await tab.keyboard.type("another good one")
  await tab.click("dialog .main")
  await tab.waitForSelector("#url")
  await tab.goto(`${root}/keys`)
  await says(tab, "Sign in")
  expect(said.filter((line) => !line.includes("403"))).toEqual([])
  await close(visit)
})

test("an account starts a run, sees it live, finds it again and goes from it to the next", async () => {
  const visit = await open()
  const { tab, said } = visit
  await tab.goto(`${root}/runs`)
  await tab.waitForSelector(".notice a")
  await signedUp(tab, "ada@example.com")
  await tab.goto(`${root}/runs`)
  await says(tab, "None yet.")
  await tab.goto(`${root}/scrapers/pypi-package-scraper?packages=tidecharts&packages=nothing-here`)
  await (await tab.waitForSelector("button.main"))!.click()
  await tab.waitForSelector(".status.succeeded")
  const run = tab.url()
  expect(run).toMatch(/\/runs\/run_/)
  await tab.waitForSelector(".item h3")
  expect(await tab.$eval(".item h3", (h3) => h3.textContent)).toBe("tidecharts")
  expect(await tab.$eval(".figures", (dl) => dl.textContent)).toContain("Targets2 of 2")
  expect(await tab.$$eval(".log li", (lines) => lines.length)).toBeGreaterThan(0)
  await tab.select("main .bar select", "failed")
  await tab.waitForFunction(() => document.querySelectorAll(".list tbody tr").length === 1)
  expect(await tab.$eval(".list tbody tr", (row) => row.textContent)).toStartWith(
    "nothing-herefailedhttpconnection: ",
  )
  expect(tab.url()).toBe(`${run}?targets=failed`)
  await looksRight(tab, "run")
  await tab.select("main .bar select", "")
  await tab.click("nav a[href$='/runs']")
  await tab.waitForSelector(".runs tbody tr")
  await looksRight(tab, "runs")
  await tab.click(".runs tbody a")
  await tab.waitForSelector("a.button")
  expect(tab.url()).toBe(run)
  await tab.click("a.button")
  await tab.waitForSelector("#input-packages")
  expect(await tab.$eval("#input-packages", (area) => (area as HTMLTextAreaElement).value)).toBe(
    "tidecharts\nnothing-here",
  )
  await tab.goto(`${root}/runs/run_nobodys`)
  await says(tab, "No such run")
  expect(said.filter((line) => !line.includes("404"))).toEqual([])
  await close(visit)
})

test("picked fields are saved as a recipe, which is run, changed and deleted as a scraper of one's own", async () => {
  const visit = await open()
  const { tab, said } = visit
  await signedUp(tab, "rosa@example.com")
  await tab.goto(`${root}/recipes`)
  await says(tab, "There is none yet.")
  await tab.goto(`${root}/?url=${page}&fields=port: td|range: td:nth-of-type(2)&rows=tbody > tr`)
  await (await tab.waitForSelector(".box .fields-in-row button:nth-of-type(2)"))!.click()
  await tab.waitForSelector("dialog[open] #recipe-name:focus")
  await tab.keyboard.type("Ports of the almanac")
  const pattern = await tab.$eval("#recipe-pattern", (input) => (input as HTMLInputElement).value)
  expect(pattern).toBe("almanac.example")
  await looksRight(tab, "recipe-new")
  const shown = await tab.$eval("dialog .code-box code", (code) => code.textContent!)
  const made = tab.waitForRequest((asked) => asked.method() === "POST")
  await tab.keyboard.press("Enter")
  const sent = await made
  expect(shown).toContain(`'${sent.url()}'`)
  expect(JSON.parse(/--json '(.*?)' '/.exec(shown)![1]!)).toEqual(JSON.parse(sent.postData()!))
  await says(tab, "of yours. Run it to see its items.")
  expect(tab.url()).toBe(`${root}/scrapers/ports-of-the-almanac?urls=${page}`)
  await looksRight(tab, "recipe")
  await tab.click("form.box button.main")
  await tab.waitForSelector(".status.succeeded")
  await says(tab, "Burntcoat Head")
  expect(await tab.$eval(".scroll table", (table) => table.textContent)).toStartWith(
    "portrangeBurntcoat Head11.7 m",
  )
  await tab.goto(`${root}/scrapers?search=almanac`)
  await says(tab, "Ports of the almanac")
  await tab.goto(`${root}/recipes`)
  await tab.waitForSelector(".list tbody tr")
  await says(tab, "port, range")
  await looksRight(tab, "recipes")
  await tab.click('[aria-label="Edit Ports of the almanac"]')
  // What is typed before would go where the focus goes.
  await tab.waitForSelector("dialog[open] #recipe-name:focus")
  await written(tab, "dialog #recipe-pattern", "almanac.example/*")
  await tab.keyboard.press("Enter")
  await says(tab, "almanac.example/*")
  expect(await lastChange(tab)).toContain("curl -X PATCH ")
  expect(await lastChange(tab)).toContain('"pattern":"almanac.example/*"')
  await tab.click('[aria-label="Delete Ports of the almanac"]')
  await (await tab.waitForSelector("dialog[open] .danger"))!.click()
  await says(tab, "There is none yet.")
  expect((await called(tab, "/api/v1/recipes")).total).toBe(0)
  expect(said).toEqual([])
  await close(visit)
})

test("a dataset is a table: its columns are chosen and kept, its rows open, its files are what is shown", async () => {
  const visit = await open()
  const { tab, said } = visit
  await signedUp(tab, "hedy@example.com")
  await tab.goto(`${root}/datasets`)
  await says(tab, "None yet")
  const dataset = await tab.evaluate(async () => {
    const input = { packages: ["tidecharts", "nothing-here"] }
    const call = {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(input),
    }
    const path = "/api/v1/scrapers/pypi-package-scraper/runs?waitForFinish=60"
    return (await (await fetch(path, call)).json()).datasetId
  })
  await tab.reload()
  await (await tab.waitForSelector(".runs tbody a"))!.click()
  await tab.waitForSelector(".item-grid td.fault")
  expect(tab.url()).toStartWith(`${root}/datasets/${dataset}?fields=input,name`)
  await looksRight(tab, "dataset")
  await tab.click(".columns summary")
  const columns = () => tab.$$eval(".item-grid thead th", (all) => all.map((th) => th.textContent))
  const before = await columns()
  for (const [place, column] of before.entries()) {
    const box = `.columns label:nth-of-type(${place}) input`
    if (place > 0 && column !== "name") await tab.click(box)
  }
  await tab.waitForFunction(() => document.querySelectorAll(".item-grid thead th").length === 2)
  expect(before.length).toBeGreaterThan(2)
  await tab.click("main > .bar > .check input")
  await tab.waitForFunction(() => document.querySelectorAll(".item-grid tbody tr").length === 1)
  await tab.type("#filter", "name=nobody")
  await tab.keyboard.press("Enter")
  await says(tab, "No row fits the filter.")
  // As a person does it: what only sets the value is not heard of by the screen.
  await tab.click("#filter", { count: 3 })
  await tab.keyboard.type("name=tidecharts")
  await tab.keyboard.press("Enter")
  await tab.waitForSelector(".item-grid tbody button")
  const csv = await tab.$eval(".downloads a", async (link) => (await fetch(link.href)).text())
  expect(csv).toBe("name\r\ntidecharts\r\n")
  // To the row by keyboard, and back with Escape.
  await tab.focus(".item-grid tbody button")
  await tab.keyboard.press("Enter")
  await tab.waitForSelector("dialog[open] .item h3")
  expect(tab.url()).toEndWith("?fields=name&clean=true&filter=name%3Dtidecharts&row=1")
  await looksRight(tab, "dataset-row")
  await tab.keyboard.press("Escape")
  await tab.waitForFunction(() => !document.querySelector("dialog"))
  await tab.click("main .downloads button")
  await (await tab.waitForSelector("dialog[open] .main"))!.click()
  const link = await (await tab.waitForSelector("dialog code"))!.evaluate(
    (code) => code.textContent,
  )
  await tab.waitForSelector("dialog .links li")
  await looksRight(tab, "dataset-links")
  expect((await fetch(link!)).status).toBe(200)
  await tab.click("dialog .links button")
  await tab.waitForFunction(() => !document.querySelector("dialog .links"))
  expect((await fetch(link!)).status).toBe(404)
  await tab.goto(`${root}/datasets/${dataset}`)
  await tab.waitForSelector(".item-grid thead")
  expect(await columns()).toEqual(["Row", "name"])
  expect(said).toEqual([])
  await close(visit)
})

test("a column of a file becomes a run", async () => {
  const visit = await open()
  const { tab, said } = visit
  await signedUp(tab, "joan@example.com")
  await tab.goto(`${root}/bulk?scraper=pypi-package-scraper`)
  await tab.waitForSelector("#bulk-file")
  const rows = ["made by,package", '"Ada, Inc.",tidecharts', 'Lin,"nothing-here"', "Lin,tidecharts"]
  await tab.evaluate((text) => {
    const given = new DataTransfer()
    given.items.add(new File([text], "packages.csv"))
    const drop = new DragEvent("drop", { dataTransfer: given, bubbles: true, cancelable: true })
    document.querySelector(".drop")!.dispatchEvent(drop)
  }, rows.join("\r\n"))
  await tab.waitForSelector(".preview")
  const cells = await tab.$$eval(".preview tr", (all) =>
    all.map((tr) => [...tr.children].map((cell) => cell.textContent)),
  )
  expect(cells).toEqual([
    ["made by", "package"],
    ["Ada, Inc.", "tidecharts"],
    ["Lin", "nothing-here"],
    ["Lin", "tidecharts"],
  ])
  await tab.select("#bulk-column", "1")
  await says(tab, "2 values of 3 rows, in one run.")
  await says(tab, "2 credits")
  await looksRight(tab, "bulk")
  const shown = await tab.$eval(".same-call code", (code) => code.textContent!)
  const made = tab.waitForRequest((asked) => asked.url().endsWith("/api/v1/batches"))
  await tab.click(".mapping .main")
  const { name, ...call } = JSON.parse((await made).postData()!)
  expect(name).toBe("packages.csv")
  expect(JSON.parse(/--json '(.*?)' '/.exec(shown)![1]!)).toEqual(call)
  await tab.waitForSelector(".status.succeeded")
  await says(tab, "Each row of your file stands beside the items that it gave.")
  await looksRight(tab, "bulk-batch")
  const csv = await tab.$eval(".downloads a", async (link) =>
    (await fetch((link as HTMLAnchorElement).href)).text(),
  )
  expect(
    csv
      .split("\r\n")
      .slice(0, 2)
      .map((line) => line.slice(0, 56)),
  ).toEqual([
    expect.stringContaining("source.made by,source.package,"),
    '"Ada, Inc.",tidecharts,tidecharts,tidecharts,1.1,2015-03',
  ])
  await tab.click(".runs tbody a, .list tbody a")
  await tab.waitForSelector("#targets")
  expect(await tab.$eval(".figures", (dl) => dl.textContent)).toContain("Targets2 of 2")
  const retried = tab.waitForResponse((answer) => answer.url().endsWith("/retry"))
  await tab.click("main .actions button")
  expect((await retried).status()).toBe(202)
  await tab.click(".downloads a")
  await tab.waitForSelector(".item-grid")
  await says(tab, "Ada, Inc.")
  expect(
    await tab.$$eval(".item-grid tr", (all) =>
      all.slice(0, 2).map((tr) => [...tr.children].slice(0, 3).map((cell) => cell.textContent)),
    ),
  ).toEqual([
    ["Row", "source.made by", "source.package"],
    ["1", "Ada, Inc.", "tidecharts"],
  ])
  await tab.goto(`${root}/bulk?batch=bat_nobodys`)
  await tab.waitForSelector(".notice.bad")
  expect(said.filter((line) => !line.includes("404"))).toEqual([])
  await close(visit)
})

/** The call by which what was changed here last can be done by a program. */
async function lastChange(tab: Page): Promise<string> {
  const button = ".same-call .bar fieldset:first-of-type button:nth-of-type(2)"
  await (await tab.waitForSelector(button))!.click()
  return tab.$eval(".same-call .code-box code", (code) => code.textContent!)
}

/** What the service tells the account that is signed in. */
const called = (tab: Page, path: string) =>
  tab.evaluate(async (path) => (await fetch(path)).json(), path)

/** Writes into a field what it had not. */
async function written(tab: Page, field: string, text: string): Promise<void> {
  await tab.waitForSelector(field)
  await tab.$eval(field, (input) => (input as HTMLInputElement).select())
  await tab.type(field, text)
}

test("an account schedules a run, in words, has it rest, and watches a page", async () => {
  const visit = await open()
  const { tab, said } = visit
  await signedUp(tab, "vera@example.com")
  await tab.goto(`${root}/schedules`)
  await says(tab, "There is none yet.")
  await tab.goto(`${root}/scrapers/pypi-package-scraper?packages=tidecharts`)
  await (await tab.waitForSelector(".box a.button"))!.click()
  await written(tab, "#when", "someday")
  await says(tab, "In words, as")
  expect(await tab.$eval("button.main", (button) => (button as HTMLButtonElement).disabled)).toBe(
    true,
  )
  await written(tab, "#when", "mondays and fridays at 8 pm")
  await tab.select("#zone", "Asia/Tokyo")
  await tab.waitForFunction(() => document.querySelectorAll(".times li").length === 5)
  await looksRight(tab, "schedule-new")
  await tab.type("#name", "Charts")
  await tab.click("button.main")
  await says(tab, "mondays and fridays at 20:00, Asia/Tokyo")
  const id = tab.url().split("/").at(-1)!
  const { cron, timeZone, input } = await called(tab, `/api/v1/schedules/${id}`)
  expect([cron, timeZone, input.packages]).toEqual(["0 20 * * 1,5", "Asia/Tokyo", ["tidecharts"]])
  await looksRight(tab, "schedule")
  await tab.select("select.as-button", "24")
  await says(tab, "muted until")
  await tab.click(".actions button:nth-of-type(2)")
  await says(tab, "It is paused.")
  const { enabled, mutedUntil } = await called(tab, `/api/v1/schedules/${id}`)
  expect(enabled).toBe(false)
  expect(Date.parse(mutedUntil)).toBeGreaterThan(Date.now())
  await tab.click("nav a[href$='/schedules']")
  await says(tab, "Charts")
  await looksRight(tab, "schedules")

  await tab.goto(`${root}/schedules/new/page-change-monitor?urls=${page}`)
  await written(tab, "#when", "every hour")
  await (await tab.waitForSelector("button.main:not([disabled])"))!.click()
  await says(tab, "Nothing was seen yet")
  await tab.select("#condition", "appears")
  await tab.type("#amount", "neap tide")
  await tab.click(".fields-in-row button")
  await says(tab, "“neap tide” appears")
  const watched = tab.url().split("/").at(-1)!
  const monitor = await called(tab, `/api/v1/monitors/${watched}`)
  expect(monitor.conditions).toEqual([{ when: "changed" }, { when: "appears", text: "neap tide" }])
  await looksRight(tab, "monitor")
  await tab.click("nav a[href$='/monitors']")
  await tab.waitForSelector("h2 a")
  await looksRight(tab, "monitors")
  await tab.goto(`${root}/schedules/${watched}`)
  await (await tab.waitForSelector(".actions .danger"))!.click()
  await tab.waitForSelector("dialog[open] [data-first]:focus")
  await tab.click("dialog .main")
  await says(tab, "Charts")
  expect((await called(tab, "/api/v1/monitors")).total).toBe(0)
  expect(said).toEqual([])
  await close(visit)
})

test("an account is told by a way of its own, sees the answers, and sends one again", async () => {
  const visit = await open()
  const { tab, said } = visit
  const told: string[] = []
  const receiver = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    async fetch(request) {
      told.push((await request.json()).type)
      return new Response(null, { status: 204 })
    },
  })
  await signedUp(tab, "nora@example.com")
  await tab.goto(`${root}/notifications`)
  await says(tab, "There is none yet.")
  await tab.select("#kind", "webhook")
  await tab.type("#channel-url", `http://127.0.0.1:${receiver.port}/hook`)
  await tab.type("#channel-name", "My program")
  await tab.click(".box .main")
  await says(tab, "whsec_")
  await looksRight(tab, "notifications")
  await tab.click(".list a")
  await says(tab, "Nothing yet.")
  await tab.click(".actions button")
  await says(tab, "The test arrived: answer 204")
  await (await tab.waitForSelector(".delivery summary"))!.click()
  await tab.click(".delivery button")
  for (let looks = 0; told.length < 2; looks++) {
    expect(looks, "looks until it came again").toBeLessThan(600)
    await Bun.sleep(50)
  }
  expect(told).toEqual(["test", "test"])
  await tab.click(".actions button:nth-of-type(3)")
  await says(tab, "This is the new secret.")
  await looksRight(tab, "notification")
  await tab.click(".actions .danger")
  await tab.waitForSelector("dialog[open]")
  await tab.click("dialog .main")
  await says(tab, "There is none yet.")
  expect((await called(tab, "/api/v1/notifications")).total).toBe(0)
  expect(said).toEqual([])
  await receiver.stop(true)
  await close(visit)
})

let isOwned = false
/** By the link that the first start told, or as who came by it. */
async function asOwner(tab: Page): Promise<void> {
  await tab.goto(isOwned ? `${root}/signup?view=sign-in` : service.ownerLink!)
  isOwned = true
  await tab.type("#email", "olga@example.com")
  await tab.type("#password", "correct horse battery")
  await Promise.all([tab.waitForNavigation(), tab.click("form button")])
}

keyboardPaths({ open, close, root: () => root, asOwner, page })

test("an owner sees what goes on, invites, limits, sets; nobody else does", async () => {
  const visit = await open()
  const { tab, said } = visit
  await signedUp(tab, "mallory@example.com")
  await tab.goto(`${root}/operate`)
  await says(tab, "This is for whoever operates the service.")
  expect(await tab.$("nav a[href$='/operate']")).toBeNull()
  await tab.deleteCookie(...(await tab.cookies()))
  await asOwner(tab)
  await tab.goto(`${root}/operate`)
  await says(tab, "Nothing runs, nothing waits.")
  await says(tab, "Full in")
  await tab.click("section .bar button")
  await says(tab, "TRAWL_BACKUP_TO")
  await looksRight(tab, "operate")

  await tab.click(".chip[href$='/accounts']")
  await says(tab, "mallory@example.com")
  await tab.type("#invited", "ines@example.com")
  await tab.click(".box .main")
  await says(tab, "/signup?link=")
  await looksRight(tab, "operate-accounts")
  await tab.click('[aria-label="Change mallory@example.com"]')
  await tab.waitForSelector("dialog[open] #amount:focus")
  await tab.keyboard.type("50")
  await tab.keyboard.press("Enter")
  await says(tab, "It has 250.")
  await tab.click("dialog .danger")
  await says(tab, "Unlock it")
  const { items } = await called(tab, "/api/admin/v1/accounts?search=mallory")
  expect(items).toMatchObject([{ credits: { balance: 250 }, lockedAt: expect.any(String) }])
  await tab.keyboard.press("Escape")

  await tab.goto(`${root}/operate/scrapers?state=unknown`)
  await says(tab, "not seen yet")
  await tab.click(".delivery summary")
  await says(tab, "It was never checked.")
  await says(tab, "There is none. A check that finds a scraper broken")
  await looksRight(tab, "operate-scrapers")

  await tab.goto(`${root}/operate/log?level=error&text=no-such-words`)
  await says(tab, "No line of the last is so.")
  await tab.select("#level", "info")
  await written(tab, "#text", "/API/ADMIN/V1/CHECKS")
  await tab.waitForFunction(() => location.search === "?text=%2FAPI%2FADMIN%2FV1%2FCHECKS")
  await tab.waitForSelector(".log li.info")
  await looksRight(tab, "operate-log")

  await tab.goto(`${root}/operate/settings?search=TRAWL_SIGNUP`)
  await says(tab, "set in the environment, locked")
  await tab.type("#search", "_CREDITS")
  await tab.waitForFunction(() => document.querySelectorAll(".delivery").length === 1)
  await tab.click(".delivery summary")
  await written(tab, "#TRAWL_SIGNUP_CREDITS", "321")
  await tab.click(".delivery .main")
  await says(tab, "set here")
  await looksRight(tab, "operate-settings")
  await tab.click(".delivery button:not(.main)")
  await says(tab, "the default")
  expect(said.filter((line) => !line.includes("409"))).toEqual([])
  await close(visit)
})

describe.skipIf(!nginxPath)("under a path, behind nginx with TLS, one free call a day", () => {
  const base = "/tools/trawl"
  let below: Service
  let nginx: Nginx
  let own = ""
  beforeAll(async () => {
    const port = freePort()
    const location = `location ${base}/ { proxy_pass http://127.0.0.1:${port}/; ${forwarded} }`
    nginx = await startNginx({ locations: location, tlsName: "trawl.test" })
    own = `https://trawl.test:${nginx.port}${base}`
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

  test("every screen is reached, and who has spent the day's calls is shown the door", async () => {
    const visit = await open(own)
    const { tab, said } = visit
    await tab.goto(`${own}/`)
    await tab.waitForSelector("#url")
    await tab.type("#url", page)
    await sent(tab, ".prose")
    expect(tab.url()).toBe(`${own}/?url=${page}`)
    const shown = await tab.$eval(".code-box code", (code) => code.textContent)
    expect(shown).toBe(`curl '${own}/api/scrape?url=${page}'`)
    await tab.click("nav a")
    await tab.waitForSelector("#search")
    expect(tab.url()).toBe(`${own}/scrapers`)
    await tab.type("#search", "pypi packages")
    await tab.waitForFunction(() => document.querySelectorAll(".scrapers li").length === 1)
    await tab.click(".scrapers a")
    await tab.waitForSelector("form.box")
    expect(tab.url()).toBe(`${own}/scrapers/pypi-package-scraper`)
    await sent(tab, ".notice a")
    expect(await tab.$eval(".notice a", (link) => link.href)).toBe(`${own}/signup`)
    expect(said).toEqual([])
    await close(visit)
  })

  test("a program that has spent the day's calls is refused, or given a key with a limit", async () => {
    const visit = await open(own)
    const { tab, said } = visit
    const polled = async (url: string) => {
      const { pathname, search, host } = new URL(url)
      const answer = await fetch(`https://127.0.0.1:${nginx.port}${pathname}${search}`, {
        headers: { host, "user-agent": "TideAgent/2.1" },
        tls: { rejectUnauthorized: false },
      })
      // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever was answered
      return answer.json() as any
    }
    const asked = () => polled(`${own}/api/scrape/pypi-package-scraper?packages=tidecharts`)
    const first = await asked()
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
    await Promise.all([tab.waitForNavigation(), tab.click('button[value="refuse"]')])
    await says(tab, "Whoever asked gets no key")
    expect((await polled(first.claimStatusUrl)).status).toBe("refused")

    const second = await asked()
    await tab.goto(second.claimUrl)
    await tab.type("#email", "grace@example.com")
    await tab.type("#password", "correct horse battery")
    await tab.type("#keyCredits", "25")
    await Promise.all([tab.waitForNavigation(), tab.click('button[value="sign-up"]')])
    await looksRight(tab, "claim-done")
    expect((await polled(second.claimStatusUrl)).apiKey).toStartWith("trawl_live_")
    await Promise.all([tab.waitForNavigation(), tab.click("a[href$='/keys']")])
    await says(tab, "0 of 25")
    expect(said).toEqual([])
    await close(visit)
  })

  test("each screen of an owner is there, asks nobody else, and shows the call that it made", async () => {
    const visit = await open(own)
    const { tab, said, answers } = visit
    await tab.goto(below.ownerLink!)
    await tab.type("#email", "olga@example.com")
    await tab.type("#password", "correct horse battery")
    await Promise.all([tab.waitForNavigation(), tab.click("form button")])
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
    const linked = links.filter((link) => !link.endsWith("/docs"))
    const screens = [...new Set([...linked, ...made.map((path) => `${own}/${path}`)])]
    expect(screens.length).toBeGreaterThan(16)
    const untrue: unknown[] = []
    for (const screen of screens) {
      answers.splice(0)
      await tab.goto(screen, { waitUntil: "networkidle0" })
      expect(tab.url(), screen).toStartWith(screen)
      expect(await tab.$eval("h1", (h1) => h1.textContent), screen).not.toMatch(/^No /)
      await hasNoSidewaysScroll(tab, 360)
      const shown = await tab.evaluate(
        () => document.querySelector(".same-call code")?.textContent ?? "",
      )
      const [, address = ""] = /'(http[^']*)'$/.exec(shown) ?? []
      const calls = answers.map((answer) => answer.url())
      const isMade = calls.includes(address)
      if (isMade === withoutCall.some((path) => screen === own + path)) {
        untrue.push({ screen, shown, made: calls.filter((url) => url.includes("/api/")) })
      }
    }
    expect(untrue).toEqual([])
    expect(said).toEqual([])
    await close(visit)
  })
})

/** Of these the call is what one makes of them; of the list, the promised one of the same. */
const withoutCall = ["/bulk", "/connect", "/scrapers"]
