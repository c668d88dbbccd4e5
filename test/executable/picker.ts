/** A recipe with rows, next pages and detail pages is picked from the pages. */
import { afterAll, beforeAll, expect, test } from "bun:test"
import type { Page } from "puppeteer-core"
import { freePort } from "../free-port.ts"
import { type Service, startExecutable } from "./executable.ts"
import { ListShop } from "./list-shop.ts"
import { called, looksRight, until, waitForText } from "./looks.ts"
import { type Hand, keys, mouse, openPicker } from "./pointer.ts"
import { openTab } from "./tab.ts"
import { password, sharedBrowser } from "./world.ts"

const browser = sharedBrowser()
const port = freePort()
const root = `http://127.0.0.1:${port}`
let shop: ListShop
let service: Service

beforeAll(async () => {
  shop = new ListShop()
  service = await startExecutable({
    TRAWL_PORT: String(port),
    TRAWL_SIGNUP: "open",
    TRAWL_SIGNUP_CREDITS: "5000",
    TRAWL_SIGNUPS_DAILY: "0",
    TRAWL_EGRESS_ALLOW: "127.0.0.0/8",
  })
}, 120_000)
afterAll(async () => {
  await service?.stop()
  await shop?.stop()
}, 60_000)

async function signedUp(email: string) {
  const response = await fetch(`${root}/api/account`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ email, password }),
  })
  const value = /trawl_session=([^;]*)/.exec(response.headers.get("set-cookie") ?? "")![1]!
  const visit = await openTab(browser(), root)
  const cookie = { name: "trawl_session", value, domain: "127.0.0.1", httpOnly: true }
  await visit.tab.browserContext().setCookie(cookie)
  return visit
}

interface Pick {
  part: string
  name: string
  /** Label of the choice between one value and each row, if the test changes it. */
  each?: string
}

async function addField(tab: Page, hand: Hand, { part, name, each }: Pick): Promise<void> {
  await hand.pick(tab, part)
  await tab.waitForSelector("#picked-name:focus")
  if (each) await hand.push(tab, ".new-field button", each)
  await until(tab, () => !document.querySelector<HTMLButtonElement>(".new-field .main")!.disabled)
  await hand.write(tab, "#picked-name", name)
  await until(tab, () => !document.querySelector<HTMLButtonElement>(".new-field .main")!.disabled)
  await tab.focus("#picked-name")
  await tab.keyboard.press("Enter")
  await tab.waitForSelector(".sheet:focus")
}

const hands = [
  ["by keys at 390 px", keys],
  ["by mouse at 1280 px", mouse],
] as const

for (const [name, hand] of hands) {
  test(`rows, next pages and detail pages become one recipe: ${name}`, async () => {
    const { tab, stated } = await signedUp(`rows-${hand.width}@example.com`)
    await tab.setViewport({ width: hand.width, height: 900 })
    await tab.goto(`${root}/`)
    await hand.write(tab, "#url", `${shop.root}/`)
    await hand.push(tab, ".box button", "My fields")
    await openPicker(tab, hand, "Pick from the page")
    await addField(tab, hand, { part: "Chair 1", name: "chair", each: "Each of 10 rows" })
    await addField(tab, hand, { part: "100.50 €", name: "price" })
    await hand.pick(tab, "Chair 2")
    await tab.waitForSelector("#picked-name:focus")
    await hand.select(tab, "#picked-way", "href", "Link")
    await until(
      tab,
      () => document.querySelector<HTMLInputElement>("#picked-name")!.value === "link",
    )
    await until(tab, () => !document.querySelector<HTMLButtonElement>(".new-field .main")!.disabled)
    await tab.focus("#picked-name")
    await tab.keyboard.press("Enter")
    await tab.waitForSelector(".sheet:focus")
    await hand.pick(tab, "Next page")
    await hand.push(tab, ".new-field button", "Use as next page")
    await until(
      tab,
      () => document.querySelector<HTMLInputElement>("#next-page")?.value === ".next",
    )
    await hand.push(tab, ".picker button", "Close")
    await hand.select(tab, "#detail-link", "link", "link")
    await openPicker(tab, hand, "Pick from the detail page")
    const sku = await tab.$eval("#detail-sample", (input) => (input as HTMLInputElement).value)
    const n = Number(sku.split("/").at(-1))
    await addField(tab, hand, { part: `SKU-${n}`, name: "sku" })
    await hand.pick(tab, `${n * 2} left`)
    await waitForText(tab, "Scripts of the page create this part.")
    await looksRight(tab, "picker-detail")
    await tab.setViewport({ width: hand.width, height: 900 })
    await hand.select(tab, "#picked-way", "number", "Number")
    await addName(tab, hand, "stock")
    await hand.push(tab, ".picker button", "Close")
    await hand.push(tab, ".box button", "Save as a recipe")
    await tab.waitForSelector("#recipe-name:focus")
    await tab.keyboard.type(`Chairs ${hand.width}`)
    await tab.keyboard.press("Enter")
    await waitForText(tab, "of yours. Run it to see its items.")
    const { items: recipes } = await called(tab, "/api/v1/recipes")
    expect(recipes[0].input).toEqual({
      fields: ["chair: a", "price: .price @number", "link: a @href"],
      rows: ".card",
      nextPage: ".next",
      detail: { link: "link", fields: ["sku: .sku", "stock: .stock @number"] },
      renderScripts: true,
    })
    await hand.push(tab, "form button.main", "Run")
    await tab.waitForSelector(".status.succeeded")
    await hand.push(tab, ".downloads a", "Whole dataset")
    await waitForText(tab, "30 items")
    const id = new URL(tab.url()).pathname.split("/").at(-1)
    const { items } = await called(tab, `/api/v1/datasets/${id}/items?limit=100`)
    const rows = items.map(({ data }: { data: Record<string, unknown> }) => data)
    expect(rows.map(({ sku }: { sku: string }) => sku).sort()).toEqual(
      Array.from({ length: 30 }, (_, at) => `SKU-${at + 1}`).sort(),
    )
    expect(rows.find(({ sku }: { sku: string }) => sku === "SKU-30")).toMatchObject({
      chair: "Chair 30",
      price: 129.5,
      stock: 60,
      link: `${shop.root}/p/30`,
    })
    expect(stated.filter((line) => !/status of 40[14]/.test(line))).toEqual([])
    await tab.browserContext().close()
  }, 300_000)
}

async function addName(tab: Page, hand: Hand, name: string): Promise<void> {
  await hand.write(tab, "#picked-name", name)
  await until(tab, () => !document.querySelector<HTMLButtonElement>(".new-field .main")!.disabled)
  await tab.focus("#picked-name")
  await tab.keyboard.press("Enter")
  await tab.waitForSelector(".sheet:focus")
}
