import { join } from "node:path"
import { launch, type Page } from "puppeteer-core"
import { findChrome } from "../src/engine/net/browser/supply/find.ts"
import { type Service, startExecutable } from "../test/executable/executable.ts"
import { Shop } from "../test/executable/shop.ts"
import { freePort } from "../test/free-port.ts"

/**
 * Takes the screenshots of the README from recorded pages, and those of the guide from a local
 * shop.
 */
const images = join(import.meta.dir, "../docs/pictures")
const recorded = join(import.meta.dir, "../test/pages/console")

interface Image {
  name: string
  path: string
  ready: string
  act?(tab: Page): Promise<unknown>
}

const readme: Image[] = [
  {
    name: "page",
    path: "/?url=https://almanac.example/tides",
    ready: ".scrapers li",
    async act(tab) {
      await tab.click("button[type=submit]")
      await tab.waitForSelector(".prose")
    },
  },
  { name: "scraper", path: "/scrapers/amazon-product-scraper", ready: ".item" },
]

const fields = ["title: h1", "price: .price @number", "rating: .rating @number"]

/**
 * Runs a recipe twice, with a price change between them. Returns the screenshots of its screens.
 */
async function guide(root: string, shop: Shop, cookie: string): Promise<Image[]> {
  const call = async (path: string, body: unknown) => {
    const response = await fetch(root + path, {
      method: "POST",
      headers: { "content-type": "application/json", origin: root, cookie },
      body: JSON.stringify(body),
    })
    if (!response.ok) throw new Error(`${path}: ${await response.text()}`)
    return response.json()
  }
  const terms = { name: "Shop chairs", slug: "shop-chairs", input: { fields } }
  await call("/api/v1/recipes", { ...terms, pattern: `${new URL(shop.root).host}/p/*` })
  shop.isBroken = false
  const run = () =>
    call("/api/v1/scrapers/shop-chairs/runs?waitForFinish=60", { urls: shop.urls().slice(0, 40) })
  const { datasetId: before } = await run()
  shop.factor = 0.9
  const { datasetId } = await run()
  const query = new URLSearchParams({
    url: `${shop.root}/p/1`,
    fields: fields.slice(0, 2).join("|"),
  })
  return [
    {
      name: "guide-picker",
      path: `/?${query}`,
      ready: ".fields-in-row button",
      async act(tab) {
        await tab.click(".box .fields-in-row button")
        await tab.waitForFunction(
          () => document.querySelector<HTMLImageElement>(".page-picture img")?.naturalWidth,
        )
        await tab.focus(".sheet")
        const words = () => tab.$eval(".under", ({ textContent }) => textContent)
        for (let step = 0; step < 40 && !/^span.rating/.test((await words()) ?? ""); step++) {
          await tab.keyboard.press("ArrowDown")
          await tab.waitForNetworkIdle({ idleTime: 50 })
        }
        await tab.keyboard.press("Enter")
        await tab.waitForSelector(".new-field .hits li")
        await tab.$eval(".picker", (picker) => picker.scrollIntoView())
      },
    },
    { name: "guide-table", path: `/datasets/${datasetId}`, ready: ".item-grid tbody td" },
    {
      name: "guide-diff",
      path: `/datasets/${datasetId}/diff?since=${before}`,
      ready: ".as-cards tbody tr",
    },
  ]
}

async function takeAll(tab: Page, { root }: Service, all: Image[]): Promise<void> {
  for (const { name, path, ready, act } of all) {
    await tab.goto(root + path)
    await tab.waitForSelector(ready)
    await act?.(tab)
    await tab.mouse.move(0, 0)
    await tab.screenshot({ path: join(images, `${name}.webp`), type: "webp", quality: 70 })
  }
}

const chrome = findChrome({
  ...(process.env.TRAWL_CHROME ? { chrome: process.env.TRAWL_CHROME } : {}),
  dataDir: "/nonexistent",
})
if (!chrome) throw new Error("No Chrome was found; `bun scripts/ensure.ts --chrome` installs one.")
const browser = await launch({ executablePath: chrome, args: ["--no-sandbox"] })
const tab = await browser.newPage()
await tab.setViewport({ width: 1120, height: 760 })
await tab.emulateMediaFeatures([{ name: "prefers-color-scheme", value: "light" }])

const fromRecordings = await startExecutable({
  TRAWL_PORT: String(freePort()),
  TRAWL_REPLAY: recorded,
})
await takeAll(tab, fromRecordings, readme)
await fromRecordings.stop()

const shop = new Shop()
const ofShop = await startExecutable({
  TRAWL_PORT: String(freePort()),
  TRAWL_SIGNUP: "open",
  TRAWL_SIGNUP_CREDITS: "5000",
  TRAWL_EGRESS_ALLOW: "127.0.0.0/8",
})
const signedUp = await fetch(`${ofShop.root}/api/account`, {
  method: "POST",
  headers: { "content-type": "application/json" },
  body: JSON.stringify({ email: "ada@example.com", password: crypto.randomUUID() }),
})
const [cookie = ""] = (signedUp.headers.get("set-cookie") ?? "").split(";")
const [name = "", value = ""] = cookie.split("=")
await browser.setCookie({ name, value, domain: "127.0.0.1", httpOnly: true })
await takeAll(tab, ofShop, await guide(ofShop.root, shop, cookie))
await ofShop.stop()
await shop.stop()
await browser.close()
