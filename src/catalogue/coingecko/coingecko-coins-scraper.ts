import { distinct } from "../../extract/core/index.ts"
import {
  Changed,
  type Context,
  defineScraper,
  field,
  type InputOf,
  inputs,
  items,
  NotFound,
  numbered,
  once,
  type Row,
  readRows,
  record,
} from "../kit/index.ts"
import { coinGeckoId, coinGeckoRateLimit, requestCoinGecko } from "./coingecko.ts"

const pageSize = 250
/** Number of coin IDs per request. */
const groupSize = 100

const input = {
  coinIds: inputs.optionalTexts(
    "CoinGecko coin IDs, for example bitcoin, or coin page URLs (default: the ranking by market cap).",
    { max: 5000 },
  ),
  vsCurrency: inputs.textOr("Currency of all amounts, for example usd, eur or btc.", "usd", {
    pattern: "^[A-Za-z]{2,10}$",
  }),
  maxItems: inputs.count("Maximum coins", { max: 5000, or: 100 }),
}
type Input = InputOf<typeof input>

const change = (key: string, time: string) =>
  field.number(`price_change_percentage_${key}_in_currency`, `Price change in ${time}, in percent.`)

const coin = record({
  input: items.text("Coin as written in the input; null in the ranking."),
  coinId: items.requiredText("CoinGecko's ID of the coin."),
  name: field.text("name", "Name."),
  symbol: field.text("symbol", "Symbol in capitals.", (symbol) => symbol.toUpperCase()),
  logoUrl: field.text("image", "URL of the logo."),
  vsCurrency: items.requiredText("Currency of all amounts, for example USD."),
  price: field.number("current_price", "Price in the requested currency, or in US dollars."),
  marketCap: field.number("market_cap", "Market capitalization, in the currency of the prices."),
  marketCapRank: field.integer(
    "market_cap_rank|market_cap_rank_with_rehypothecated",
    "Rank by market capitalization.",
  ),
  fullyDilutedValuation: field.number(
    "fully_diluted_valuation",
    "Market capitalization at full supply.",
  ),
  volume24h: field.number("total_volume", "Volume traded in 24 hours."),
  high24h: field.number("high_24h", "Highest price in 24 hours."),
  low24h: field.number("low_24h", "Lowest price in 24 hours."),
  priceChange24h: field.number("price_change_24h", "Price change in 24 hours."),
  priceChangePercent24h: field.number(
    "price_change_percentage_24h",
    "Price change in 24 hours, in percent.",
  ),
  priceChangePercent1h: change("1h", "an hour"),
  priceChangePercent7d: change("7d", "7 days"),
  priceChangePercent30d: change("30d", "30 days"),
  priceChangePercent1y: change("1y", "a year"),
  marketCapChange24h: field.number(
    "market_cap_change_24h",
    "Change of the market capitalization in 24 hours.",
  ),
  marketCapChangePercent24h: field.number(
    "market_cap_change_percentage_24h",
    "Change of the market capitalization in 24 hours, in percent.",
  ),
  circulatingSupply: field.number("circulating_supply", "Number of coins in circulation."),
  totalSupply: field.number("total_supply", "Number of existing coins."),
  maxSupply: field.number("max_supply", "Maximum number of coins; null if unlimited."),
  ath: field.number("ath", "All-time highest price."),
  athChangePercent: field.number(
    "ath_change_percentage",
    "Difference to the all-time highest price, in percent.",
  ),
  athAt: field.time("ath_date", "Time of the all-time highest price (ISO 8601, UTC)."),
  atl: field.number("atl", "All-time lowest price."),
  atlChangePercent: field.number(
    "atl_change_percentage",
    "Difference to the all-time lowest price, in percent.",
  ),
  atlAt: field.time("atl_date", "Time of the all-time lowest price (ISO 8601, UTC)."),
  roi: field.object("roi", "Return since the first sale; null if unknown.", {
    times: field.number("times", "Return as a multiple of the invested amount."),
    currency: field.text("currency", "Currency of the first sale, for example usd or eth."),
    percentage: field.number("percentage", "Return, in percent."),
  }),
  updatedAt: field.time("last_updated", "Time of the last update (ISO 8601, UTC)."),
  url: items.requiredText("URL of the coin."),
})

interface Coin extends Row {
  id: string
}

export default defineScraper({
  slug: "coingecko-coins-scraper",
  name: "CoinGecko Coins",
  tagline: "Market data of crypto coins: price, market cap, volume, supply and changes.",
  notServed: ["old prices", "wallets"],
  category: "finance",
  input,
  item: coin,
  example: { coinIds: ["bitcoin", "ethereum"] },
  probe: {
    input: { coinIds: ["bitcoin"] },
    expect: [
      "items.length equals 1",
      'items[0].coinId equals "bitcoin"',
      "items[0].price gte 1000",
      "items[0].marketCapRank equals 1",
      "items[0].marketCap gte 10000000000",
      "items[0].updatedAt fresh 1",
      'items[0].vsCurrency equals "usd"',
    ],
  },
  rateLimit: coinGeckoRateLimit,
  targets: ({ coinIds }): { input: string | null }[] =>
    coinIds?.length ? distinct(coinIds).map((input) => ({ input })) : [{ input: null }],
  identify: (target) => ({ input: target.input }),
  maxItems: ({ maxItems }) => maxItems,

  async *scrape({ input }, ctx) {
    const vsCurrency = ctx.input.vsCurrency.toLowerCase()
    const read = (row: Coin) => {
      const url = `https://www.coingecko.com/en/coins/${row.id}`
      return coin.read({ ...row, input, coinId: row.id, vsCurrency, url })
    }
    yield* readRows(input === null ? ranking(ctx) : oneCoin(input, ctx), read, ctx)
  },
})

function ranking(ctx: Context<Input>): AsyncGenerator<Coin> {
  const page = async (number: number) => {
    const rows = await markets(ctx, { page: number })
    if (number === 1 && rows.length === 0) throw new Changed("CoinGecko's ranking is empty.")
    return rows
  }
  return numbered(page, { pageSize, cap: ctx.input.maxItems, keyOf: ({ id }) => id })
}

async function* oneCoin(wanted: string, ctx: Context<Input>): AsyncGenerator<Coin> {
  const id = coinGeckoId(wanted)
  const row = (await groupOf(wanted, ctx)).find((coin) => coin?.id === id)
  if (!row) throw new NotFound(`No such coin on CoinGecko: "${id}".`)
  yield row
}

/** Returns the response for the group of IDs that contains this one; each group is one request. */
function groupOf(wanted: string, ctx: Context<Input>): Promise<Coin[]> {
  const all = distinct(ctx.input.coinIds ?? [])
  const start = Math.floor(all.indexOf(wanted) / groupSize) * groupSize
  return once(ctx, `coins from ${start}`, () => {
    const ids = distinct(all.slice(start, start + groupSize).flatMap(idOrNothing))
    return markets(ctx, { ids: ids.join(","), page: 1 })
  })
}

function idOrNothing(input: string): string[] {
  try {
    return [coinGeckoId(input)]
  } catch {
    return []
  }
}

async function markets(ctx: Context<Input>, query: Record<string, string | number>) {
  const rows = await requestCoinGecko<Coin[]>(ctx, "/coins/markets", {
    vs_currency: ctx.input.vsCurrency.toLowerCase(),
    ...query,
    order: "market_cap_desc",
    per_page: pageSize,
    price_change_percentage: "1h,24h,7d,30d,1y",
  })
  if (!Array.isArray(rows) || (rows.length > 0 && !rows.some((row) => row?.id))) {
    throw new Changed("CoinGecko's response is not a list of coins.")
  }
  return rows
}
