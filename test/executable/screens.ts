/** The console's screens that need no account, and what an untrusted page must not do. */
import { expect, test } from "bun:test"
import type { Page } from "puppeteer-core"
import { testOfAll } from "../samples.ts"
import { click } from "./click.ts"
import { looksRight, replaceText, submit, until, waitForText } from "./looks.ts"
import { close } from "./tab.ts"
import { page, sharedWorld } from "./world.ts"

const world = sharedWorld()

type Screen = [name: string, path: string, ready: string, act?: (tab: Page) => Promise<unknown>]

const screens: Screen[] = [
  ["home", "/", ".scrapers li"],
  ["home-markdown", `/?url=${page}`, ".scrapers li", (tab) => submit(tab, ".prose")],
  [
    "home-fields",
    `/?url=${page}&fields=title: h1|[]sections: h2|picture: img @src`,
    ".scrapers li",
    (tab) => submit(tab, ".item"),
  ],
  ["scrapers", "/scrapers?search=product", ".scrapers li"],
  ["scraper", "/scrapers/amazon-product-scraper", ".item"],
  [
    "scraper-run",
    "/scrapers/pypi-package-scraper?packages=tidecharts",
    ".item",
    async (tab) => {
      await click(tab, "button[type=submit]")
      await waitForText(tab, "1 item in")
    },
  ],
  ["nowhere", "/scrapers/no-such-thing", ".notice"],
]

test("each screen looks as it should", async () => {
  const visit = await world.open()
  const { tab, stated } = visit
  for (const [name, path, ready, act] of screens) {
    await tab.goto(world.root + path)
    await tab.waitForSelector(ready)
    await act?.(tab)
    await looksRight(tab, name)
    // Chrome logs the status 404 of an unknown URL.
    const unusual = stated.splice(0).filter((line) => name !== "nowhere" || !line.includes("404"))
    expect(unusual, name).toEqual([])
  }
  await close(visit)
})

test("an untrusted page shows text, and nothing that runs, loads or misleads", async () => {
  const visit = await world.open()
  const { tab, stated } = visit
  await tab.goto(`${world.root}/?url=${page}`)
  await tab.waitForSelector("#url")
  await submit(tab, ".prose")
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
  expect(stated).toEqual([])
  await close(visit)
})

/** Clicks an element of the page in the picker. */
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

test("fields of a list are picked from the page by mouse and keys, and become a table", async () => {
  const visit = await world.open()
  const { tab, stated } = visit
  await tab.setViewport({ width: 1280, height: 900 })
  await tab.goto(`${world.root}/?url=${page}&fields=title: h1`)
  await click(tab, ".box .fields-in-row button")
  await until(tab, () => document.querySelector("iframe")?.contentDocument?.querySelector("td"))
  // The shown page contains nothing that could run, load or navigate.
  const odd = await tab.evaluate(() => {
    const inner = document.querySelector("iframe")!.contentDocument!
    const names = [...inner.body.querySelectorAll("*")].flatMap((one) => one.getAttributeNames())
    return names.filter((name) => !["class", "colspan", "rowspan"].includes(name))
  })
  expect(odd).toEqual([])
  await picked(tab, "td", "Saint-Malo")
  await waitForText(tab, "1 hit")
  await click(tab, ".new-field .choice button:nth-of-type(2)")
  await waitForText(tab, "2 hits")
  expect(await tab.$$eval(".hits li", (all) => all.map((li) => li.textContent))).toEqual([
    "Burntcoat Head",
    "Saint-Malo",
  ])
  await looksRight(tab, "home-picker")
  await tab.focus("#picked-name")
  await tab.keyboard.press("Enter")
  // The next cell is picked by keyboard.
  await tab.waitForSelector(".sheet:focus")
  await tab.keyboard.press("ArrowDown")
  await tab.keyboard.press("Enter")
  await tab.waitForSelector("#picked-name:focus")
  await tab.keyboard.press("Enter")
  await tab.waitForSelector(".sheet:focus")
  const fields = await tab.$eval("#fields", (area) => (area as HTMLTextAreaElement).value)
  expect(fields.split("\n")).toEqual([
    "title: h1",
    "port: td:nth-of-type(1)",
    "meanRange: td:nth-of-type(2)",
  ])
  await replaceText(tab, "#fields", fields.split("\n").slice(1).join("\n"))
  await submit(tab, ".result table")
  const cells = await tab.$$eval(".result tr", (all) =>
    all.map((tr) => [...tr.children].map((cell) => cell.textContent)),
  )
  expect(cells).toEqual([
    ["port", "meanRange"],
    ["Burntcoat Head", "11.7 m"],
    ["Saint-Malo", "8.0 m"],
  ])
  const visible = await tab.$eval(".code-box code", (code) => code.textContent!)
  const response = await (await fetch(/'(.*)'/.exec(visible)![1]!)).json()
  expect(response.items[1].data).toEqual({
    port: "Saint-Malo",
    meanRange: "8.0 m",
  })
  expect(stated).toEqual([])
  await close(visit)
})

testOfAll(
  "a cell of a table without tbody is picked by its label, and a run finds it",
  async () => {
    const visit = await world.open()
    const { tab, stated } = visit
    await tab.setViewport({ width: 1280, height: 900 })
    await tab.goto(`${world.root}/?url=https://almanac.example/gauge&fields=title: h1`)
    await click(tab, ".box .fields-in-row button")
    await until(tab, () => document.querySelector("iframe")?.contentDocument?.querySelector("td"))
    const checks: string[] = []
    tab.on("request", (request) => {
      if (request.url().endsWith("/console/fields")) checks.push(request.postData() ?? "")
    })
    await picked(tab, "td", "0.1 kg")
    await waitForText(tab, "1 hit")
    expect(checks.join()).toContain("th:contains")
    await tab.keyboard.press("Enter")
    await tab.waitForSelector(".sheet:focus")
    // A cell without a label is found by its position, through the tbody that only browsers add.
    await picked(tab, "td", "storm")
    await waitForText(tab, "1 hit")
    await replaceText(tab, "#picked-name", "weather")
    await tab.focus("#picked-name")
    await tab.keyboard.press("Enter")
    await tab.waitForSelector(".sheet:focus")
    const fields = await tab.$eval("#fields", (area) => (area as HTMLTextAreaElement).value)
    expect(fields.split("\n").slice(1)).toEqual([
      'weight: th:contains("Weight") + td',
      expect.stringMatching(/^weather: .*tbody > tr:nth-of-type\(2\) > td:nth-of-type\(3\)$/),
    ])
    await submit(tab, ".result .item")
    const item = await tab.$eval(".result", (result) => result.textContent)
    expect(item).toContain("0.1 kg")
    expect(item).toContain("storm")
    // A selector that matches nothing cannot be added.
    await picked(tab, "td", "5.3 m")
    await waitForText(tab, "1 hit")
    await replaceText(tab, "#picked-selector", "td.nowhere")
    await tab.waitForSelector(".new-field [role=alert]")
    expect(
      await tab.$eval(".new-field .main", (button) => (button as HTMLButtonElement).disabled),
    ).toBe(true)
    expect(stated).toEqual([])
    await close(visit)
  },
)

testOfAll("by keyboard: a URL, its page, back to the top", async () => {
  const visit = await world.open()
  const { tab } = visit
  await tab.goto(`${world.root}/`)
  await tab.waitForSelector("#url")
  const focused = () => tab.evaluate(() => document.activeElement?.id)
  for (let steps = 0; (await focused()) !== "url"; steps++) {
    expect(steps, "tabs before the box").toBeLessThan(8)
    await tab.keyboard.press("Tab")
  }
  await tab.keyboard.type("almanac.example/tides")
  await tab.keyboard.press("Enter")
  await tab.waitForSelector(".prose")
  // The URL opens the same filled-in form, and starts no run.
  expect(tab.url()).toBe(`${world.root}/?url=almanac.example/tides`)
  await tab.reload()
  await tab.waitForSelector("#url")
  expect(await tab.$eval("#url", (input) => (input as HTMLInputElement).value)).toBe(
    "almanac.example/tides",
  )
  expect(await tab.$(".prose")).toBeNull()
  await close(visit)
})

test("the scraper made for a URL is offered, filled in, and names invalid input", async () => {
  const visit = await world.open()
  const { tab } = visit
  await tab.goto(`${world.root}/`)
  await (await tab.waitForSelector("#url"))!.type("pypi.org/project/tidecharts")
  const chip = (await tab.waitForSelector(".chip"))!
  expect(await chip.evaluate((link) => link.textContent)).toBe("PyPI Packages")
  await click(tab, ".chip")
  const field = "#input-packages"
  await tab.waitForSelector(field)
  expect(await tab.$eval("h1", (h1) => h1.textContent)).toBe("PyPI Packages")
  expect(await tab.$eval(field, (area) => (area as HTMLTextAreaElement).value)).toBe(
    "https://pypi.org/project/tidecharts",
  )
  await tab.$eval(field, (area) => ((area as HTMLTextAreaElement).value = ""))
  await tab.type(field, "not a package!")
  await submit(tab, `${field}[aria-invalid]`)
  const issue = await tab.$eval("#input-packages-fault", (issue) => issue.textContent)
  expect(issue).toContain("not a package!")
  await tab.goBack()
  await tab.waitForSelector("#url")
  await close(visit)
})

test("the front page is small, compressed, and cached", async () => {
  const visit = await world.openFresh()
  const { tab, answers } = visit
  const wire = await tab.createCDPSession()
  await wire.send("Network.enable")
  let bytes = 0
  wire.on("Network.loadingFinished", ({ encodedDataLength }) => (bytes += encodedDataLength))
  await tab.goto(`${world.root}/`, { waitUntil: "networkidle0" })
  expect(bytes).toBeGreaterThan(10_000)
  expect(bytes).toBeLessThan(120_000)
  const files = answers.filter((response) =>
    /console-[\da-f]{12}\.(?:js|css)$/.test(response.url()),
  )
  expect(files).toHaveLength(2)
  for (const file of files) {
    expect(file.headers()["content-encoding"]).toBeString()
    expect(file.headers()["cache-control"]).toContain("immutable")
    // The file is stored compressed in the executable.
    const packed = await fetch(file.url(), { headers: { "accept-encoding": "br" } })
    expect(packed.headers.get("content-encoding")).toBe("br")
    const plain = await fetch(file.url(), { headers: { "accept-encoding": "identity" } })
    expect(await packed.text()).toBe(await plain.text())
  }
  await close(visit)
})
