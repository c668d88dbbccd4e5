import { type Static, Type } from "@sinclair/typebox"
import { isoDate } from "../../extract/dates.ts"
import { integerOrNull, numberOrNull } from "../../extract/numbers.ts"
import { distinct, textOrNull, unseen } from "../../extract/text.ts"
import { once } from "../calls.ts"
import type { Context } from "../context.ts"
import { defineScraper } from "../define.ts"
import {
  inputObject,
  integerField,
  itemObject,
  nullable,
  numberField,
  textField,
} from "../fields.ts"
import { Changed, NotFound } from "../outcome.ts"
import { askCoinGecko, coinGeckoId, coinGeckoPace } from "./coingecko.ts"

const pageSize = 250
/** Ids asked for in one call. */
const groupSize = 100

const input = inputObject({
  coinIds: Type.Optional(
    Type.Array(Type.String({ minLength: 1 }), {
      maxItems: 5000,
      description:
        "CoinGecko ids such as bitcoin, or addresses of coins. Without any, the ranking by market cap.",
    }),
  ),
  vsCurrency: Type.Optional(
    Type.String({
      pattern: "^[A-Za-z]{2,10}$",
      default: "usd",
      description: "Currency of all amounts, such as usd, eur or btc.",
    }),
  ),
  maxItems: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 5000, default: 100, description: "Most coins." }),
  ),
})

interface Row {
  id: string
  [field: string]: unknown
}

export default defineScraper({
  slug: "coingecko-coins-scraper",
  name: "CoinGecko Coins",
  tagline: "Market data of crypto coins: price, market cap, volume, supply and changes.",
  category: "finance",
  tier: "free",
  input,
  item: itemObject({
    input: textField("The coin as it was asked for; null in the ranking."),
    coinId: Type.String({ description: "CoinGecko's id." }),
    name: textField("Name."),
    symbol: textField("Symbol, in capitals."),
    image: textField("Logo."),
    vsCurrency: Type.String({ description: "Currency of all amounts." }),
    price: numberField("Price."),
    marketCap: numberField("Market capitalisation."),
    marketCapRank: integerField("Rank by market capitalisation."),
    fullyDilutedValuation: numberField("Market capitalisation at full supply."),
    volume24h: numberField("Volume traded in 24 hours."),
    high24h: numberField("Highest price of 24 hours."),
    low24h: numberField("Lowest price of 24 hours."),
    priceChange24h: numberField("Change of the price in 24 hours."),
    priceChangePercent24h: numberField("Change of the price in 24 hours, in percent."),
    priceChangePercent1h: numberField("Change of the price in an hour, in percent."),
    priceChangePercent7d: numberField("Change of the price in 7 days, in percent."),
    priceChangePercent30d: numberField("Change of the price in 30 days, in percent."),
    priceChangePercent1y: numberField("Change of the price in a year, in percent."),
    marketCapChange24h: numberField("Change of the market cap in 24 hours."),
    marketCapChangePercent24h: numberField("Change of the market cap in 24 hours, in percent."),
    circulatingSupply: numberField("Coins in circulation."),
    totalSupply: numberField("Coins that exist."),
    maxSupply: numberField("Most coins there can be; null when not capped."),
    ath: numberField("Highest price ever."),
    athChangePercent: numberField("Distance from the highest price, in percent."),
    athAt: textField("When the highest price was (ISO 8601, UTC)."),
    atl: numberField("Lowest price ever."),
    atlChangePercent: numberField("Distance from the lowest price, in percent."),
    atlAt: textField("When the lowest price was (ISO 8601, UTC)."),
    roi: nullable(
      itemObject(
        {
          times: nullable(Type.Number()),
          currency: nullable(Type.String()),
          percentage: nullable(Type.Number()),
        },
        { description: "Return since the first sale, where CoinGecko knows it." },
      ),
    ),
    lastUpdatedAt: textField("When the data was updated (ISO 8601, UTC)."),
    url: Type.String({ description: "The coin's page." }),
  }),
  example: { coinIds: ["bitcoin", "ethereum"] },
  pace: coinGeckoPace,
  targets: ({ coinIds }): { input: string | null }[] =>
    coinIds?.length ? distinct(coinIds).map((one) => ({ input: one })) : [{ input: null }],
  identify: (target) => ({ input: target.input }),
  maxItems: ({ maxItems }) => maxItems,

  async *scrape({ input }, ctx) {
    const currency = (ctx.input.vsCurrency ?? "usd").toLowerCase()
    if (input === null) {
      for await (const row of ranking(ctx, currency)) {
        yield coin(row, currency, null)
      }
      return
    }
    const id = coinGeckoId(input)
    const row = (await groupOf(input, ctx, currency)).find((one) => one.id === id)
    if (!row) throw new NotFound(`CoinGecko knows no coin "${id}".`)
    yield coin(row, currency, input)
  },
})

async function* ranking(ctx: Context<Static<typeof input>>, currency: string): AsyncGenerator<Row> {
  const { maxItems = 100 } = ctx.input
  const seen = new Set<string>()
  for (let page = 1; seen.size < maxItems; page++) {
    const rows = await markets(ctx, { vs_currency: currency, page })
    if (page === 1 && rows.length === 0) throw new Changed("CoinGecko's ranking is empty.")
    const fresh = unseen(rows, seen, (row) => row.id)
    yield* fresh
    if (rows.length < pageSize || fresh.length === 0) return
  }
}

/** The answer for the ids among which this one is asked for, one call for all of them. */
function groupOf(
  wanted: string,
  ctx: Context<Static<typeof input>>,
  currency: string,
): Promise<Row[]> {
  const all = distinct(ctx.input.coinIds ?? [])
  const start = Math.floor(all.indexOf(wanted) / groupSize) * groupSize
  return once(ctx, `coins from ${start}`, () => {
    const ids = distinct(all.slice(start, start + groupSize).flatMap(idOrNothing))
    return markets(ctx, { vs_currency: currency, ids: ids.join(","), page: 1 })
  })
}

function idOrNothing(input: string): string[] {
  try {
    return [coinGeckoId(input)]
  } catch {
    return []
  }
}

async function markets(ctx: Context, query: Record<string, string | number>): Promise<Row[]> {
  const rows = await askCoinGecko<Row[]>(ctx, "/coins/markets", {
    ...query,
    order: "market_cap_desc",
    per_page: pageSize,
    price_change_percentage: "1h,24h,7d,30d,1y",
  })
  if (!Array.isArray(rows) || rows.some((row) => typeof row?.id !== "string")) {
    throw new Changed("CoinGecko's answer is no list of coins.")
  }
  return rows
}

function coin(row: Row, vsCurrency: string, input: string | null) {
  const roi = row.roi as Record<string, unknown> | null | undefined
  return {
    input,
    coinId: row.id,
    name: textOrNull(row.name),
    symbol: textOrNull(row.symbol)?.toUpperCase() ?? null,
    image: textOrNull(row.image),
    vsCurrency,
    price: numberOrNull(row.current_price),
    marketCap: numberOrNull(row.market_cap),
    marketCapRank: integerOrNull(row.market_cap_rank ?? row.market_cap_rank_with_rehypothecated),
    fullyDilutedValuation: numberOrNull(row.fully_diluted_valuation),
    volume24h: numberOrNull(row.total_volume),
    high24h: numberOrNull(row.high_24h),
    low24h: numberOrNull(row.low_24h),
    priceChange24h: numberOrNull(row.price_change_24h),
    priceChangePercent24h: numberOrNull(row.price_change_percentage_24h),
    priceChangePercent1h: numberOrNull(row.price_change_percentage_1h_in_currency),
    priceChangePercent7d: numberOrNull(row.price_change_percentage_7d_in_currency),
    priceChangePercent30d: numberOrNull(row.price_change_percentage_30d_in_currency),
    priceChangePercent1y: numberOrNull(row.price_change_percentage_1y_in_currency),
    marketCapChange24h: numberOrNull(row.market_cap_change_24h),
    marketCapChangePercent24h: numberOrNull(row.market_cap_change_percentage_24h),
    circulatingSupply: numberOrNull(row.circulating_supply),
    totalSupply: numberOrNull(row.total_supply),
    maxSupply: numberOrNull(row.max_supply),
    ath: numberOrNull(row.ath),
    athChangePercent: numberOrNull(row.ath_change_percentage),
    athAt: isoDate(row.ath_date),
    atl: numberOrNull(row.atl),
    atlChangePercent: numberOrNull(row.atl_change_percentage),
    atlAt: isoDate(row.atl_date),
    roi: roi
      ? {
          times: numberOrNull(roi.times),
          currency: textOrNull(roi.currency),
          percentage: numberOrNull(roi.percentage),
        }
      : null,
    lastUpdatedAt: isoDate(row.last_updated),
    url: `https://www.coingecko.com/en/coins/${row.id}`,
  }
}
