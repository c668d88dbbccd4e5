/** The console's screens for runs, recipes, datasets and batches of a file. */
import { expect, test } from "bun:test"
import { testOfAll } from "../samples.ts"
import { click } from "./click.ts"
import { called, lastChange, looksRight, replaceText, until, waitForText } from "./looks.ts"
import { close, put } from "./tab.ts"
import { page, sharedWorld } from "./world.ts"

const world = sharedWorld()

test("an account starts a run, sees it live, finds it again and starts the next from it", async () => {
  const visit = await world.open()
  const { tab, stated } = visit
  await tab.goto(`${world.root}/runs`)
  await tab.waitForSelector(".notice a")
  await world.signedUp(tab, "ada@example.com")
  await tab.goto(`${world.root}/runs`)
  await waitForText(tab, "None yet.")
  await tab.goto(
    `${world.root}/scrapers/pypi-package-scraper?packages=tidecharts&packages=nothing-here`,
  )
  await click(tab, "button.main")
  await tab.waitForSelector(".status.succeeded")
  const run = tab.url()
  expect(run).toMatch(/\/runs\/run_/)
  await tab.waitForSelector(".item h3")
  expect(await tab.$eval(".item h3", (h3) => h3.textContent)).toBe("tidecharts")
  expect(await tab.$eval(".figures", (dl) => dl.textContent)).toContain("Targets2 of 2")
  await click(tab, "#tab-log")
  await tab.waitForSelector(".log li")
  await tab.keyboard.press("ArrowLeft")
  await tab.waitForSelector("#tab-targets:focus")
  await (await tab.waitForSelector("main .bar select"))!.select("failed")
  await until(tab, () => document.querySelectorAll(".list tbody tr").length === 1)
  expect(await tab.$eval(".list tbody tr", (row) => row.textContent)).toStartWith(
    "nothing-herefailedhttpconnection: ",
  )
  expect(tab.url()).toBe(`${run}?tab=targets&targets=failed`)
  await looksRight(tab, "run")
  await tab.select("main .bar select", "")
  await click(tab, "#tab-items")
  await click(tab, "nav a[href$='/runs']")
  await tab.waitForSelector(".runs tbody tr")
  await looksRight(tab, "runs")
  await click(tab, ".runs tbody a")
  await tab.waitForSelector("a.button")
  expect(tab.url()).toBe(run)
  await click(tab, "a.button")
  await tab.waitForSelector("#input-packages")
  expect(await tab.$eval("#input-packages", (area) => (area as HTMLTextAreaElement).value)).toBe(
    "tidecharts\nnothing-here",
  )
  await tab.goto(`${world.root}/runs/run_unknown`)
  await waitForText(tab, "No such run")
  await tab.goto(run)
  await tab.waitForSelector("main .actions .danger")
  await click(tab, "main .actions .danger")
  await looksRight(tab, "run-delete")
  await click(tab, "dialog .danger")
  await waitForText(tab, "None yet.")
  expect(tab.url()).toBe(`${world.root}/runs`)
  expect(stated.filter((line) => !line.includes("404"))).toEqual([])
  await close(visit)
})

test("returning from a run keeps the typed input", async () => {
  const visit = await world.open()
  const { tab, stated } = visit
  await world.signedUp(tab, "bea@example.com")
  await tab.goto(`${world.root}/scrapers/pypi-package-scraper`)
  await replaceText(tab, "#input-packages", "tidecharts\nnothing-here")
  await click(tab, "button.main")
  await tab.waitForSelector(".status.succeeded")
  await tab.goBack()
  await tab.waitForSelector("#input-packages")
  expect(await tab.$eval("#input-packages", (area) => (area as HTMLTextAreaElement).value)).toBe(
    "tidecharts\nnothing-here",
  )
  expect(stated).toEqual([])
  await close(visit)
})

test("everything that a signed-in user starts on the front page is a run of the account", async () => {
  const visit = await world.open()
  const { tab, stated } = visit
  await world.signedUp(tab, "rita@example.com")
  const keyless: string[] = []
  tab.on("request", (request) => {
    if (request.url().includes("/api/scrape?")) keyless.push(request.url())
  })
  await tab.goto(`${world.root}/?url=${page}`)
  await tab.waitForSelector("#url")
  expect(await tab.$eval("main", (main) => main.textContent)).not.toMatch(/free calls|Sign up/)
  await click(tab, "form.box button.main")
  await tab.waitForSelector(".prose")
  const link = "p.count a[href*='/runs/run_']"
  const run = await tab.$eval(link, (a) => (a as HTMLAnchorElement).href)
  await click(tab, link)
  await tab.waitForSelector(".status.succeeded")
  expect(tab.url()).toBe(run)
  await click(tab, "nav a[href$='/runs']")
  await tab.waitForSelector(".runs tbody tr")
  expect(await tab.$$eval(".runs tbody tr", (rows) => rows.length)).toBe(1)
  expect(keyless).toEqual([])
  expect(stated).toEqual([])
  await close(visit)
})

testOfAll(
  "an input of any length is read from its run: the URL stays short, and can be reloaded",
  async () => {
    const visit = await world.open()
    const { tab, stated } = visit
    await world.signedUp(tab, "lena@example.com")
    await tab.goto(`${world.root}/scrapers/meta-tags-scraper`)
    const urls = Array.from(
      { length: 300 },
      (_, at) => `https://almanac.example/no-such-page-${at}`,
    )
    await replaceText(tab, "#input-urls", urls.join("\n"))
    const visible = () =>
      tab.$eval("#input-urls", (area) => (area as HTMLTextAreaElement).value.split("\n").length)
    // Until a run is created, the tab keeps the input.
    await click(tab, "form .actions button:last-of-type")
    await tab.waitForSelector("#name")
    await tab.reload()
    await waitForText(tab, "no-such-page-299")
    expect(tab.url().length).toBeLessThan(200)
    await tab.goBack()
    await tab.waitForSelector("#input-urls")
    await replaceText(tab, "#input-urls", urls.join("\n"))
    await click(tab, "button.main")
    await tab.waitForSelector("a.button")
    const run = tab.url()
    for (const [screen, ready] of [
      ["scrapers", "#input-urls"],
      ["schedules", "#name"],
    ] as const) {
      await tab.goto(run)
      await tab.waitForSelector("a.button")
      await click(tab, `a.button[href*="/${screen}/"]`)
      await tab.waitForSelector(ready)
      expect(tab.url().length).toBeLessThan(200)
      const response = await tab.reload()
      expect(response?.status()).toBe(200)
      await tab.waitForSelector(ready)
      if (screen === "scrapers") expect(await visible()).toBe(urls.length)
      else await waitForText(tab, "no-such-page-299")
    }
    expect(stated).toEqual([])
    await close(visit)
  },
)

testOfAll(
  "picked fields are saved as a recipe, which is run, changed and deleted as an own scraper",
  async () => {
    const visit = await world.open()
    const { tab, stated } = visit
    await world.signedUp(tab, "rosa@example.com")
    await tab.goto(`${world.root}/recipes`)
    await waitForText(tab, "There are no recipes yet.")
    await tab.goto(
      `${world.root}/?url=${page}&fields=port: td|range: td:nth-of-type(2)&rows=tbody > tr`,
    )
    await click(tab, ".box .fields-in-row button:nth-of-type(2)")
    await tab.waitForSelector("dialog[open] #recipe-name:focus")
    await tab.keyboard.type("Ports of the almanac")
    const pattern = await tab.$eval("#recipe-pattern", (input) => (input as HTMLInputElement).value)
    expect(pattern).toBe("almanac.example")
    await looksRight(tab, "recipe-new")
    const visible = await tab.$eval("dialog .code-box code", (code) => code.textContent!)
    const made = tab.waitForRequest((requested) => requested.method() === "POST")
    await tab.keyboard.press("Enter")
    const sent = await made
    expect(visible).toContain(`'${sent.url()}'`)
    expect(JSON.parse(/--json '(.*?)' '/.exec(visible)![1]!)).toEqual(JSON.parse(sent.postData()!))
    await waitForText(tab, "of yours. Run it to see its items.")
    // No recording verifies a recipe.
    expect(await tab.$eval(".badges", (badges) => badges.textContent)).not.toContain("Proven")
    expect(tab.url()).toBe(`${world.root}/scrapers/ports-of-the-almanac?urls=${page}`)
    await looksRight(tab, "recipe")
    await click(tab, "form.box button.main")
    await tab.waitForSelector(".status.succeeded")
    await waitForText(tab, "Burntcoat Head")
    expect(await tab.$eval(".scroll table", (table) => table.textContent)).toStartWith(
      "urlportrangealmanac.example/tidesBurntcoat Head11.7 m",
    )
    // The run is named after its target, and links to the recipe, not to the scraper that recipes use.
    expect(await tab.$eval("h1", (title) => title.textContent)).toBe("almanac.example/tides")
    await waitForText(tab, "Ports of the almanac")
    const methods = await tab.$$eval("a.button", (all) => all.map((a) => a.pathname))
    expect(methods).toEqual([
      "/scrapers/ports-of-the-almanac",
      "/schedules/new/ports-of-the-almanac",
    ])
    const run = tab.url()
    await tab.goto(`${world.root}/runs`)
    await tab.waitForSelector("tbody tr")
    expect(
      await tab.$$eval("tbody td", (all) => all.slice(0, 2).map((td) => td.textContent)),
    ).toEqual(["almanac.example/tides", "ports-of-the-almanac"])
    await tab.goto(run)
    await tab.goto(`${world.root}/scrapers?search=almanac`)
    await waitForText(tab, "Ports of the almanac")
    await tab.goto(`${world.root}/recipes`)
    await tab.waitForSelector(".list tbody tr")
    await waitForText(tab, "port, range")
    await looksRight(tab, "recipes")
    await click(tab, '[aria-label="Edit Ports of the almanac"]')
    // Keys that are pressed before would go to another element.
    await tab.waitForSelector("dialog[open] #recipe-name:focus")
    await replaceText(tab, "dialog #recipe-pattern", "almanac.example/*")
    await tab.keyboard.press("Enter")
    await waitForText(tab, "almanac.example/*")
    expect(await lastChange(tab)).toContain("curl -X PATCH ")
    expect(await lastChange(tab)).toContain('"pattern":"almanac.example/*"')
    await click(tab, '[aria-label="Delete Ports of the almanac"]')
    await click(tab, "dialog[open] .danger")
    await waitForText(tab, "There are no recipes yet.")
    expect((await called(tab, "/api/v1/recipes")).total).toBe(0)
    expect(stated).toEqual([])
    await close(visit)
  },
)

test("a dataset is a table: its columns are chosen and kept, its rows open, its files match the view", async () => {
  const visit = await world.open()
  const { tab, stated } = visit
  await world.signedUp(tab, "hedy@example.com")
  await tab.goto(`${world.root}/datasets`)
  await waitForText(tab, "None yet")
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
  await click(tab, ".runs tbody a")
  await tab.waitForSelector(".item-grid td.fault")
  expect(tab.url()).toStartWith(`${world.root}/datasets/${dataset}?fields=input,name`)
  await looksRight(tab, "dataset")
  const file = () =>
    tab.$eval(".downloads a", async (link) =>
      (await fetch((link as HTMLAnchorElement).href)).text(),
    )
  // The screen chose the columns, so a file contains the others too.
  const header = (await file()).split("\r\n")[0]!
  for (const column of ["name", "summary", "yanked"]) expect(header).toContain(column)
  expect(header).not.toContain("requiresPython")
  await click(tab, ".columns summary")
  const columns = () => tab.$$eval(".item-grid thead th", (all) => all.map((th) => th.textContent))
  const before = await columns()
  for (const [index, column] of before.entries()) {
    const box = `.columns label:nth-of-type(${index}) input`
    if (index > 0 && column !== "name") await click(tab, box)
  }
  await until(tab, () => document.querySelectorAll(".item-grid thead th").length === 2)
  expect(before.length).toBeGreaterThan(2)
  await click(tab, "main > .bar > .check input")
  await until(tab, () => document.querySelectorAll(".item-grid tbody tr").length === 1)
  await put(tab, "#filter", "name=absent")
  await tab.keyboard.press("Enter")
  await waitForText(tab, "No row matches the filter.")
  // By mouse and keys, because setting the value sends no event to the screen.
  await click(tab, "#filter", "", 3)
  await tab.keyboard.type("name=tidecharts")
  await tab.keyboard.press("Enter")
  await tab.waitForSelector(".item-grid tbody button")
  expect(await file()).toBe("name\r\ntidecharts\r\n")
  // Open the row by keyboard, and close it with Escape.
  await tab.focus(".item-grid tbody button")
  await tab.keyboard.press("Enter")
  await tab.waitForSelector("dialog[open] .item h3")
  expect(tab.url()).toEndWith("?fields=name&clean=true&filter=name%3Dtidecharts&row=1")
  await looksRight(tab, "dataset-row")
  await tab.keyboard.press("Escape")
  await until(tab, () => !document.querySelector("dialog"))
  await click(tab, "main .downloads button")
  await click(tab, "dialog[open] .main")
  const link = await (await tab.waitForSelector("dialog details code"))!.evaluate(
    (code) => code.textContent,
  )
  await tab.waitForSelector("dialog .links li")
  await looksRight(tab, "dataset-links")
  expect((await fetch(link!)).status).toBe(200)
  const sheet = await fetch(`${link}&format=csv`)
  expect(sheet.headers.get("content-type")).toStartWith("text/csv")
  await click(tab, "dialog .links button")
  await until(tab, () => !document.querySelector("dialog .links"))
  expect((await fetch(link!)).status).toBe(404)
  // If the service is unavailable, the screen does not report the dataset as missing, and can load it again.
  await tab.goto(`${world.root}/datasets`)
  await tab.waitForSelector(`a[href*='${dataset}']`)
  await tab.setOfflineMode(true)
  await click(tab, `a[href*='${dataset}']`)
  await waitForText(tab, "The dataset could not be loaded")
  await tab.setOfflineMode(false)
  await click(tab, "main .actions button")
  await tab.waitForSelector(".item-grid thead")
  expect(stated.splice(0).every((line) => line.includes("ERR_INTERNET_DISCONNECTED"))).toBe(true)
  expect(await columns()).toEqual(["Row", "name"])
  expect(stated).toEqual([])
  await close(visit)
})

testOfAll("a column of a file becomes a run", async () => {
  const visit = await world.open()
  const { tab, stated } = visit
  await world.signedUp(tab, "joan@example.com")
  await tab.goto(`${world.root}/bulk?scraper=pypi-package-scraper`)
  await tab.waitForSelector("#bulk-file")
  const rows = ["made by,package", '"Ada, Inc.",tidecharts', 'Lin,"nothing-here"', "Lin,tidecharts"]
  await tab.evaluate((text) => {
    const provided = new DataTransfer()
    provided.items.add(new File([text], "packages.csv"))
    const drop = new DragEvent("drop", { dataTransfer: provided, bubbles: true, cancelable: true })
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
  await waitForText(tab, "2 values of 3 rows, in one run.")
  await waitForText(tab, "2 credits")
  await looksRight(tab, "bulk")
  const visible = await tab.$eval(".same-call code", (code) => code.textContent!)
  const made = tab.waitForRequest((requested) => requested.url().endsWith("/api/v1/batches"))
  await click(tab, ".mapping .main")
  const { name, ...call } = JSON.parse((await made).postData()!)
  expect(name).toBe("packages.csv")
  expect(JSON.parse(/--json '(.*?)' '/.exec(visible)![1]!)).toEqual(call)
  await tab.waitForSelector(".status.succeeded")
  await waitForText(tab, "Each item contains the columns of its row in your file.")
  await looksRight(tab, "bulk-batch")
  await tab.waitForSelector(".downloads a")
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
  await click(tab, ".runs tbody a, .list tbody a")
  await tab.waitForSelector("#tab-targets")
  expect(await tab.$eval(".figures", (dl) => dl.textContent)).toContain("Targets2 of 2")
  const retried = tab.waitForResponse((response) => response.url().endsWith("/retry"))
  await click(tab, "main .actions button")
  expect((await retried).status()).toBe(202)
  await click(tab, ".downloads a")
  await tab.waitForSelector(".item-grid")
  await waitForText(tab, "Ada, Inc.")
  expect(
    await tab.$$eval(".item-grid tr", (all) =>
      all.slice(0, 2).map((tr) => [...tr.children].slice(0, 3).map((cell) => cell.textContent)),
    ),
  ).toEqual([
    ["Row", "source.made by", "source.package"],
    ["1", "Ada, Inc.", "tidecharts"],
  ])
  await tab.goto(`${world.root}/bulk?batch=bat_unknown`)
  await tab.waitForSelector(".notice.bad")
  expect(stated.filter((line) => !line.includes("404"))).toEqual([])
  await close(visit)
})

testOfAll(
  "a shared dataset is a searchable table for anyone with its link, and its changes have a screen",
  async () => {
    const visit = await world.open()
    const { tab, stated } = visit
    await world.signedUp(tab, "sven@example.com")
    await tab.goto(
      `${world.root}/?url=${page}&fields=port: td|range: td:nth-of-type(2)&rows=tbody > tr`,
    )
    await click(tab, "form.box button.main")
    await tab.waitForSelector(".result table")
    await click(tab, "p.count a[href*='/runs/run_']")
    await waitForText(tab, "Whole dataset")
    await click(tab, ".downloads a[href*='/datasets/']")
    await waitForText(tab, "Burntcoat Head")
    const dataset = tab.url().split("?")[0]!
    const heads = () => tab.$$eval("thead th", (all) => all.map((th) => th.textContent))
    expect(await heads()).toEqual(["Row", "port", "range", "url"])
    await click(tab, ".downloads button.quiet")
    await tab.select("#link-days", "30")
    await click(tab, "dialog .main")
    await tab.waitForSelector("dialog .code-box")
    await looksRight(tab, "dataset-share")
    const link = await tab.$eval("dialog .code-box code", (code) => code.textContent!)
    expect(link).toContain("/shared/ds_")
    const days = await tab.$eval(
      "dialog .links time",
      (time) => Date.parse(time.dateTime) - Date.now(),
    )
    expect(Math.round(days / 86_400_000)).toBe(30)
    const other = await world.openFresh()
    await other.tab.goto(link)
    await waitForText(other.tab, "Burntcoat Head")
    await put(other.tab, "#search", "malo")
    await waitForText(other.tab, "1 row of 2")
    await waitForText(other.tab, "8.0 m")
    expect(await other.tab.$eval(".item-grid tbody", (body) => body.textContent)).toContain("8.0 m")
    await looksRight(other.tab, "shared")
    await other.tab.goto(link.slice(0, -3))
    await waitForText(other.tab, "This link is not valid")
    await close(other)
    await tab.goto(`${dataset}/diff`)
    await waitForText(tab, "There is no earlier successful run")
    await looksRight(tab, "dataset-diff")
    expect(stated.filter((line) => !line.includes("409"))).toEqual([])
    await close(visit)
  },
)
