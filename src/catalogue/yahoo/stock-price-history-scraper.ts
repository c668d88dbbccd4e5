import { distinct, isoFromUnix, numberOrNull, textOrNull } from "../../extract/core/index.ts"
import { BadInput, Changed, defineScraper, field, inputs, items, record } from "../kit/index.ts"
import { type Chart, chartOf, yahooRateLimit, yahooSymbol } from "./yahoo.ts"

/** Number of days in a range; `ytd` depends on the date. */
const rangeDays = {
  "1d": 1, "5d": 5, "1mo": 31, "3mo": 92, "6mo": 184, "1y": 366, "2y": 730, "5y": 1827,
  "10y": 3653, ytd: 0, max: Number.POSITIVE_INFINITY,
} // biome-ignore format: a table reads better dense
type Range = keyof typeof rangeDays

/** Number of days for which Yahoo stores bars of an interval; other intervals have no limit. */
const storedDays: Record<string, number> = {
  "1m": 7, "2m": 60, "5m": 60, "15m": 60, "30m": 60, "60m": 730, "1h": 730,
} // biome-ignore format: a table reads better dense

const instrument = record({
  currency: field.text("currency", "Currency of the prices, for example USD; GBp is pence."),
  exchange: field.text("fullExchangeName|exchangeName", "Name of the exchange."),
  instrumentType: field.text(
    "instrumentType",
    "Kind of security, for example EQUITY, ETF, INDEX, CURRENCY or CRYPTOCURRENCY.",
  ),
  name: field.text("longName|shortName", "Name of the security."),
  interval: field.text("dataGranularity", "Length of the returned bars, for example 1d."),
})

export default defineScraper({
  slug: "stock-price-history-scraper",
  name: "Stock Price History",
  tagline: "OHLCV price history of stocks, funds, indices, currencies and crypto pairs.",
  notServed: ["company facts"],
  category: "finance",
  input: {
    symbols: inputs.texts(
      "Yahoo symbols, for example AAPL, BRK-B, ^GSPC, EURUSD=X or BTC-USD, or quote page URLs.",
      { max: 500 },
    ),
    range: inputs.choice(rangeDays, "Time range, ending now.", "1y"),
    interval: inputs.choice(
      ["1m", "2m", "5m", "15m", "30m", "60m", "1h", "1d", "5d", "1wk", "1mo", "3mo"],
      "Length of a bar. 1m covers the last 7 days, 2m to 30m 60 days, 60m (same as 1h) 730 days.",
      "1d",
    ),
    maxItemsPerSymbol: inputs.count("Maximum bars per symbol; the newest are returned", {
      max: 100_000,
      or: 1000,
    }),
  },
  item: {
    symbol: items.requiredText("Symbol on Yahoo, for example AAPL."),
    input: items.requiredText("Symbol as written in the input."),
    timestamp: items.requiredText("Start of the bar (ISO 8601, UTC)."),
    date: items.requiredText("Day of the bar at the exchange (YYYY-MM-DD)."),
    open: items.number("First price of the bar."),
    high: items.number("Highest price of the bar."),
    low: items.number("Lowest price of the bar."),
    close: items.requiredNumber("Last price of the bar."),
    adjustedClose: items.number(
      "Closing price, adjusted for dividends; only for bars of a day or longer.",
    ),
    volume: items.number("Number of shares traded in the bar."),
    dividend: items.number("Dividend per share within the bar."),
    split: items.text("Split within the bar, for example 4:1."),
    ...instrument.fields,
    url: items.requiredText("URL of the symbol's history page."),
  },
  example: { symbols: ["AAPL"], range: "1mo" },
  probe: {
    expect: [
      "items.length gte 15",
      "items[*].close gte 10",
      "items[*].volume share 0.9",
      "items[*].date fresh 7",
      'items[0].currency equals "USD"',
    ],
  },
  rateLimit: yahooRateLimit,
  pages: { ofTarget: 1 },
  targets: ({ symbols }) => distinct(symbols),

  async *scrape(target, ctx) {
    const { range, interval, maxItemsPerSymbol } = ctx.input
    const symbol = yahooSymbol(target)
    const stored = storedDays[interval]
    if (stored !== undefined && daysOf(range, ctx.now()) > stored)
      throw new BadInput(`Bars of ${interval} reach back ${stored} days, less than ${range}.`)
    const chart = await chartOf(ctx, symbol, range, interval)
    const { meta } = chart
    for (const bar of barsOf(chart).slice(-maxItemsPerSymbol)) {
      yield {
        symbol: meta.symbol,
        input: target,
        ...bar,
        ...instrument.read(meta),
        url: `https://finance.yahoo.com/quote/${encodeURI(meta.symbol)}/history`,
      }
    }
  },
})

function daysOf(range: Range, now: Date): number {
  if (range !== "ytd") return rangeDays[range]
  return (now.getTime() - Date.UTC(now.getUTCFullYear(), 0, 1)) / 86_400_000
}

/** Returns bars in order, without those of no trade (no closing price); a day's last one wins. */
function barsOf(chart: Chart) {
  const { meta, indicators } = chart
  const timestamp = chart.timestamp ?? []
  if (!Array.isArray(timestamp)) throw new Changed("Yahoo's chart has no list of times.")
  const quote = indicators?.quote?.[0] ?? {}
  if (timestamp.length !== (quote.close?.length ?? 0))
    throw new Changed("Yahoo's chart has different numbers of closing prices and times.")
  const adjusted = indicators?.adjclose?.[0]?.adjclose
  const daily = !/^\d+[mh]$/.test(meta.dataGranularity ?? "")
  const bars = new Map<string, { at: number; from: number; index: number; close: number }>()
  for (const [index, at] of timestamp.entries()) {
    const close = numberOrNull(quote.close?.[index])
    if (close === null || numberOrNull(at) === null) continue
    const key = daily ? dayAt(at, meta.gmtoffset) : String(at)
    // A live bar starts late; dividends and splits of its day count from the start of the day's
    // first bar.
    const from = bars.get(key)?.from ?? at
    bars.delete(key)
    bars.set(key, { at, from, index, close })
  }
  const starts = [...bars.values()]
  return starts.map(({ at, from, index, close }, position) => {
    const end = starts[position + 1]?.from ?? Number.POSITIVE_INFINITY
    return {
      timestamp: isoFromUnix(at)!,
      date: dayAt(at, meta.gmtoffset),
      open: numberOrNull(quote.open?.[index]),
      high: numberOrNull(quote.high?.[index]),
      low: numberOrNull(quote.low?.[index]),
      close,
      adjustedClose: numberOrNull(adjusted?.[index]),
      volume: numberOrNull(quote.volume?.[index]),
      dividend: dividendWithin(chart, from, end),
      split: splitWithin(chart, from, end),
    }
  })
}

const dayAt = (seconds: number, offset = 0) =>
  new Date((seconds + offset) * 1000).toISOString().slice(0, 10)

function dividendWithin({ events }: Chart, start: number, end: number): number | null {
  const paid = Object.values(events?.dividends ?? {}).flatMap((event) => {
    const amount = numberOrNull(event?.amount)
    return event && amount !== null && event.date >= start && event.date < end ? [amount] : []
  })
  return paid.length > 0 ? paid.reduce((sum, amount) => sum + amount, 0) : null
}

function splitWithin({ events }: Chart, start: number, end: number): string | null {
  const split = Object.values(events?.splits ?? {}).find(
    (event) => event && event.date >= start && event.date < end,
  )
  return textOrNull(split?.splitRatio)
}
