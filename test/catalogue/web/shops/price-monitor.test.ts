import { expect, test } from "bun:test"
import monitor from "../../../../src/catalogue/web/shops/price-monitor.ts"
import { replayEnvironment } from "../../../../src/engine/fetch/replay/environment.ts"
import type { TargetResult } from "../../../../src/engine/runtime/run/checkpoints.ts"
import { executeRun } from "../../../../src/engine/runtime/run/execute.ts"
import { MemoryCheckpoints } from "../../../../src/engine/runtime/run/memory-checkpoints.ts"

const url = "https://shop.example/p/kettle?utm_source=mail"
const day = (date: number) => `2026-03-0${date}T00:00:00.000Z`

/** Checkpoints with the account's memory, which outlives the run. */
class AccountCheckpoint extends MemoryCheckpoints {
  constructor(private readonly account: Map<string, unknown>) {
    super([url])
  }
  override async memoryGet(key: string) {
    return structuredClone(this.account.get(key))
  }
  override async finish(seq: number, result: TargetResult) {
    for (const [key, value] of Object.entries(result.remembered)) this.account.set(key, value)
    return super.finish(seq, result)
  }
}

const page = (
  price: string | null,
  currency = "EUR",
  stock = "InStock",
) => `<!doctype html><html><body>
  <h1>Kettle</h1><p>${"A kettle for the stove. ".repeat(20)}</p><script type="application/ld+json">${JSON.stringify(
    {
      "@type": "Product",
      name: "Kettle",
      sku: "K1",
      offers: {
        "@type": "Offer",
        ...(price === null ? {} : { price }),
        priceCurrency: currency,
        availability: stock,
      },
    },
  )}</script></body></html>`

async function check(account: Map<string, unknown>, date: number, html: string, status = 200) {
  const checkpoint = new AccountCheckpoint(account)
  await executeRun({
    scraper: monitor,
    input: { productUrls: [url] },
    checkpoint,
    environment: replayEnvironment({
      folder: "",
      slug: "price-monitor",
      case: "",
      input: {},
      clock: day(date),
      env: {},
      expect: [],
      exchanges: [
        {
          method: "GET",
          url,
          status,
          headers: { "content-type": "text/html" },
          bytes: new TextEncoder().encode(html),
        },
      ],
    }),
    signal: AbortSignal.timeout(10_000),
    checkItems: true,
  })
  const items: Record<string, unknown>[] = []
  for await (const item of checkpoint.items()) items.push(item)
  expect(items).toHaveLength(1)
  return items[0]!
}

test("follows a price over several runs", async () => {
  const account = new Map<string, unknown>()
  expect(await check(account, 1, page("20.10"))).toMatchObject({
    status: "first_check",
    changed: false,
    previousPrice: null,
    priceChange: null,
    isLowest: false,
    checks: 1,
  })
  expect(await check(account, 2, page("20.10"))).toMatchObject({
    status: "unchanged",
    changed: false,
    previousPrice: 20.1,
    priceChange: 0,
    checks: 2,
    firstSeenAt: day(1),
    previousCheckedAt: day(1),
  })
  expect(await check(account, 3, page("19.80"))).toMatchObject({
    status: "price_drop",
    changed: true,
    priceChange: -0.3,
    priceChangePercent: -1.5,
    isLowest: true,
    lowestPrice: { price: 19.8, at: day(3) },
    highestPrice: { price: 20.1, at: day(1) },
  })
  expect(await check(account, 4, page("25.00", "EUR", "OutOfStock"))).toMatchObject({
    status: "out_of_stock",
    changed: true,
    available: false,
  })
  expect(await check(account, 5, page("24.00"))).toMatchObject({
    status: "back_in_stock",
    previousAvailability: "out_of_stock",
    priceChange: -1,
    isLowest: false,
  })
  expect(await check(account, 6, page("26.00", "USD"))).toMatchObject({
    status: "currency_changed",
    previousCurrency: "EUR",
    priceChange: null,
    priceChangePercent: null,
    lowestPrice: { price: 26, at: day(6) },
  })
})

test("an error leaves the stored record", async () => {
  const account = new Map<string, unknown>()
  await check(account, 1, page("20.00"))
  expect(await check(account, 2, "<html><body>gone</body></html>", 404)).toMatchObject({
    status: "error",
    changed: false,
    price: null,
    previousPrice: 20,
    error: { code: "not_found" },
  })
  const challenge = '<title>Just a moment...</title><div id="challenge-form"></div>'
  expect(await check(account, 3, challenge, 403)).toMatchObject({
    status: "error",
    changed: false,
    price: null,
    previousPrice: 20,
    error: { code: "blocked" },
  })
  expect(await check(account, 4, page(null))).toMatchObject({
    previousPrice: 20,
    error: { code: "no_price" },
  })
  expect(await check(account, 5, page("21.00"))).toMatchObject({
    status: "price_rise",
    previousPrice: 20,
    checks: 2,
  })
})
