import { distinct, isoFromUnix, numberOrNull } from "../../extract/core/index.ts"
import { Changed, defineScraper, inputs, items, record } from "../kit/index.ts"
import { coinGeckoId, coinGeckoRateLimit, requestCoinGecko } from "./coingecko.ts"

type Point = [milliseconds: number, value: number | null]

type Chart = Partial<Record<"prices" | "market_caps" | "total_volumes", Point[]>>

const item = record({
  coinId: items.requiredText("CoinGecko's ID of the coin."),
  input: items.requiredText("Coin as written in the input."),
  vsCurrency: items.requiredText("Currency of the amounts."),
  timestamp: items.requiredText("Time of the point (ISO 8601, UTC)."),
  price: items.requiredNumber("Price."),
  marketCap: items.number("Market capitalization, in the currency of the prices."),
  volume: items.number("Volume traded in the preceding 24 hours."),
  granularity: items.requiredText("Interval of the points: 5m, hourly or daily."),
  url: items.requiredText("URL of the coin's price history."),
})

export default defineScraper({
  slug: "crypto-price-history-scraper",
  name: "Crypto Price History",
  tagline: "Price, market cap and volume history of crypto coins.",
  notServed: ["stocks"],
  category: "finance",
  input: {
    coinIds: inputs.texts("CoinGecko coin IDs, for example bitcoin, or coin page URLs.", {
      max: 500,
    }),
    vsCurrency: inputs.textOr("Currency of the prices, for example usd, eur or btc.", "usd", {
      pattern: "^[A-Za-z]{2,10}$",
    }),
    days: inputs.count(
      "Days back: 1 returns 5-minute points, 2 to 90 hourly, more daily; over 365 requires a paid CoinGecko key of the operator",
      { max: 10_000, or: 30 },
    ),
    maxItems: inputs.count("Maximum points over all coins; each coin returns its newest points", {
      max: 100_000,
      or: 1000,
    }),
  },
  item,
  example: { coinIds: ["bitcoin"], days: 7 },
  probe: {
    expect: [
      "items.length gte 100",
      'items[0].coinId equals "bitcoin"',
      "items[*].price gte 1000",
      "items[*].timestamp fresh 1",
      "?items[*].volume share 0.9",
      'items[*].vsCurrency only "usd"',
    ],
  },
  rateLimit: coinGeckoRateLimit,
  // Coins are processed in sequence: the rest of maxItems limits how far back the next one may go.
  concurrency: 1,
  pages: { ofTarget: 1 },
  targets: ({ coinIds }) => distinct(coinIds),
  maxItems: ({ maxItems }) => maxItems,

  async *scrape(target, ctx) {
    const { days, maxItems } = ctx.input
    const vsCurrency = ctx.input.vsCurrency.toLowerCase()
    const coinId = coinGeckoId(target)
    const path = `/coins/${encodeURIComponent(coinId)}/market_chart`
    const chart = await requestCoinGecko<Chart>(ctx, path, { vs_currency: vsCurrency, days })
    if (!Array.isArray(chart?.prices)) throw new Changed("CoinGecko's response has no prices.")
    const marketCaps = new Map(pointsIn(chart.market_caps))
    const volumes = new Map(pointsIn(chart.total_volumes))
    const left = (ctx.shared.get("points left") as number | undefined) ?? maxItems
    const points = pointsIn(chart.prices).slice(-left)
    ctx.shared.set("points left", left - points.length)
    for (const [time, price] of points) {
      yield item.read({
        coinId,
        input: target,
        vsCurrency,
        timestamp: isoFromUnix(time)!,
        price,
        marketCap: marketCaps.get(time) || null,
        volume: volumes.get(time),
        granularity: days === 1 ? "5m" : days <= 90 ? "hourly" : "daily",
        url: `https://www.coingecko.com/en/coins/${coinId}/historical_data`,
      })
    }
  },
})

/** Returns the points with their values; a point may have none. */
const pointsIn = (list: readonly Point[] | null | undefined): [time: number, value: number][] =>
  (Array.isArray(list) ? list : []).flatMap((point): [number, number][] => {
    const [time, value] = Array.isArray(point) ? point.map(numberOrNull) : []
    return typeof time === "number" && typeof value === "number" ? [[time, value]] : []
  })
