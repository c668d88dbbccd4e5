import { join } from "node:path"
import { launch, type Page } from "puppeteer-core"
import { findChrome } from "../src/engine/net/browser/find.ts"
import { startExecutable } from "../test/executable/executable.ts"
import { freePort } from "../test/free-port.ts"

/** Takes the pictures of the console that the README shows, from recorded pages. */
const images = join(import.meta.dir, "../docs/pictures")
const recorded = join(import.meta.dir, "../test/pages/console")

interface Image {
  name: string
  path: string
  ready: string
  act?(tab: Page): Promise<unknown>
}

const all: Image[] = [
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

const chrome = findChrome({
  ...(process.env.TRAWL_CHROME ? { chrome: process.env.TRAWL_CHROME } : {}),
  dataDir: "/nonexistent",
})
if (!chrome) throw new Error("No Chrome was found; `bun scripts/ensure.ts --chrome` installs one.")
const service = await startExecutable({ TRAWL_PORT: String(freePort()), TRAWL_REPLAY: recorded })
const browser = await launch({ executablePath: chrome, args: ["--no-sandbox"] })
const tab = await browser.newPage()
await tab.setViewport({ width: 1120, height: 760 })
await tab.emulateMediaFeatures([{ name: "prefers-color-scheme", value: "light" }])
for (const { name, path, ready, act } of all) {
  await tab.goto(service.root + path)
  await tab.waitForSelector(ready)
  await act?.(tab)
  await tab.mouse.move(0, 0)
  await tab.screenshot({ path: join(images, `${name}.webp`), type: "webp", quality: 70 })
}
await browser.close()
await service.stop()
