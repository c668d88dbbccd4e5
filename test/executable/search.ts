/** The console's search: two engines that share a result, their pages, an account, and failures. */
import { expect, test } from "bun:test"
import type { Page } from "puppeteer-core"
import { testOfAll } from "../samples.ts"
import { click } from "./click.ts"
import { called, looksRight, replaceText, submit, until, waitForText } from "./looks.ts"
import { close, put } from "./tab.ts"
import { sharedWorld } from "./world.ts"

const world = sharedWorld()

const textOf = (tab: Page, selector: string) =>
  tab.$$eval(selector, (all) => all.map((one) => one.textContent!.replace(/\s+/g, " ").trim()))

test("results of two engines are merged, numbered, and read as Markdown", async () => {
  const visit = await world.open()
  const { tab, stated } = visit
  await tab.goto(`${world.root}/`)
  await tab.waitForSelector("#url")
  await click(tab, "nav a:nth-of-type(2)")
  await tab.waitForSelector("#words")
  expect(tab.url()).toBe(`${world.root}/search`)
  await looksRight(tab, "search-empty")
  await put(tab, "#words", "tide tables")
  await tab.select("#pages", "1")
  await replaceText(tab, "#max-tokens", "3000")
  await tab.focus("#words")
  await tab.keyboard.press("Enter")
  await tab.waitForSelector(".found li")
  expect(await textOf(tab, ".found > li > h3")).toEqual([
    "[1] Tide tables of 900 ports",
    "[2] =Harbour of Brest",
    "[3] How tides work",
  ])
  expect((await textOf(tab, ".found li:first-child"))[0]).toContain(
    "High and low water of 900 ports, for a year ahead.",
  )
  const engines = await tab.$$eval(".found li:first-child p a", (all) => all.map((a) => a.href))
  expect(engines.map((href) => new URL(href).pathname).sort()).toEqual([
    "/scrapers/bing-search-scraper",
    "/scrapers/duckduckgo-search-scraper",
  ])
  expect(await textOf(tab, ".engines li")).toEqual(["duckduckgo: 2 results", "bing: 2 results"])
  await click(tab, ".found summary")
  await waitForText(tab, "The mean range at springs is six metres.")
  await looksRight(tab, "search")

  // The same results as text, JSON, and CSV, in which a spreadsheet must find no formula.
  const shown = async (index: number) => {
    await click(tab, `section .choice button:nth-of-type(${index})`)
    return tab.$eval("section pre.tall", (pre) => pre.textContent!)
  }
  expect(await shown(2)).toContain("## [1] Tide tables of 900 ports\n<https://")
  expect(JSON.parse(await shown(3)).items).toHaveLength(3)
  const rows = (await shown(4)).split("\r\n")
  expect(rows[0]).toBe("source,title,url,snippet,publishedAt,engines,markdown")
  expect((await shown(4)).includes(`2,'=Harbour of Brest,https://harbour.example/brest,`)).toBe(
    true,
  )
  await looksRight(tab, "search-csv")

  // The screen has a URL, and its API call works.
  expect(tab.url()).toBe(`${world.root}/search?q=tide+tables&pages=1&maxTokens=3000`)
  const curl = await tab.$eval(".code-box code", (code) => code.textContent!)
  const response = await (await fetch(/'(.*)'/.exec(curl)![1]!)).json()
  expect(response.items).toHaveLength(3)
  await tab.reload()
  await tab.waitForSelector("#words")
  expect(
    await tab.$$eval("#words, #pages, #max-tokens", (all) =>
      all.map((one) => (one as HTMLInputElement).value),
    ),
  ).toEqual(["tide tables", "1", "3000"])
  expect(await tab.$(".found")).toBeNull()
  expect(stated).toEqual([])
  await close(visit)
})

testOfAll(
  "a signed-in user's search is paid by the account; failed engines are named",
  async () => {
    const visit = await world.open()
    const { tab, stated } = visit
    await world.signedUp(tab, "sara@example.com")
    await tab.goto(`${world.root}/search?q=nothing+there&limit=50`)
    await tab.waitForSelector("#words")
    await submit(tab, ".engines .fault")
    // Bing has no recording of this search, and the other engine has no results.
    await waitForText(tab, "The engines have no results for this.")
    const engines = await textOf(tab, ".engines li")
    expect(engines[0]).toBe("duckduckgo: 0 results")
    expect(engines[1]).toStartWith("bing: ")
    await looksRight(tab, "search-none")
    await replaceText(tab, "#words", "lost words")
    await click(tab, "button[type=submit]")
    await waitForText(tab, "No search engine returned results.")
    await until(tab, () => document.querySelectorAll(".engines .fault").length === 2)
    await looksRight(tab, "search-failed")
    const { items } = await called(tab, "/api/v1/runs")
    expect(items.length).toBeGreaterThanOrEqual(4)
    expect(new Set(items.map(({ scraper }: { scraper: string }) => scraper))).toEqual(
      new Set(["duckduckgo-search-scraper", "bing-search-scraper"]),
    )
    expect(stated).toEqual([])
    await close(visit)
  },
)
