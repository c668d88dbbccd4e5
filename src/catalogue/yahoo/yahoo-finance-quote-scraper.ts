import { distinct, numberOrNull, objectList, textOrNull } from "../../extract/core/index.ts"
import {
  type Context,
  defineScraper,
  Forbidden,
  field,
  inputs,
  items,
  NotFound,
  once,
  type Row,
  record,
  type ScrapeError,
} from "../kit/index.ts"
import { newSession, type Session, yahooSession } from "./session.ts"
import { chartOf, requestYahoo, resultOf, yahooRateLimit, yahooSymbol } from "./yahoo.ts"

type Quote = Row & { symbol: string }

/** Old dates are small numbers even in milliseconds, so their size does not reveal the unit. */
const firstTrade = ({ firstTradeDateMilliseconds }: Quote): number =>
  (numberOrNull(firstTradeDateMilliseconds) ?? Number.NaN) / 1000

const facts = record({
  name: field.text("longName|shortName", "Long name; if there is none, the short one."),
  shortName: field.text("shortName", "Short name of the security."),
  quoteType: field.text(
    "quoteType",
    "Kind of security, for example EQUITY, ETF, MUTUALFUND, INDEX, CURRENCY, CRYPTOCURRENCY or FUTURE.",
  ),
  exchange: field.text("exchange", "Code of the exchange, for example NMS."),
  fullExchangeName: field.text("fullExchangeName", "Name of the exchange."),
  currency: field.text("currency", "Currency of the price, for example USD; GBp is pence."),
  financialCurrency: field.text("financialCurrency", "Currency of the company's reports."),
  marketState: field.text("marketState", "PRE, REGULAR, POST, CLOSED …"),
  price: field.number("regularMarketPrice", "Current price in the currency of `currency`."),
  change: field.number(
    "regularMarketChange",
    "Change since the previous close, in the currency of `currency`.",
  ),
  changePercent: field.number(
    "regularMarketChangePercent",
    "Change since the previous close, in percent.",
  ),
  open: field.number("regularMarketOpen", "First price of the session."),
  dayHigh: field.number("regularMarketDayHigh", "Highest price of the session."),
  dayLow: field.number("regularMarketDayLow", "Lowest price of the session."),
  previousClose: field.number(
    "regularMarketPreviousClose",
    "Closing price of the previous session.",
  ),
  volume: field.number("regularMarketVolume", "Number of shares traded in the session."),
  priceTime: field.unixTime("regularMarketTime", "Time of the price (ISO 8601, UTC)."),
  bid: field.number("bid", "Highest bid price."),
  ask: field.number("ask", "Lowest ask price."),
  bidSize: field.number("bidSize", "Number of shares, or lots, in the best bid."),
  askSize: field.number("askSize", "Number of shares, or lots, in the best ask."),
  preMarketPrice: field.number("preMarketPrice", "Pre-market price."),
  preMarketChangePercent: field.number("preMarketChangePercent", "Pre-market change, in percent."),
  postMarketPrice: field.number("postMarketPrice", "After-hours price."),
  postMarketChange: field.number("postMarketChange", "After-hours change."),
  postMarketChangePercent: field.number(
    "postMarketChangePercent",
    "After-hours change, in percent.",
  ),
  marketCap: field.number("marketCap", "Market capitalisation."),
  sharesOutstanding: field.number("sharesOutstanding", "Number of outstanding shares."),
  circulatingSupply: field.number("circulatingSupply", "Number of coins in circulation."),
  averageVolume3Month: field.number(
    "averageDailyVolume3Month",
    "Mean number of shares traded a day over 3 months.",
  ),
  averageVolume10Day: field.number("averageDailyVolume10Day", "Mean daily volume over 10 days."),
  fiftyTwoWeekHigh: field.number("fiftyTwoWeekHigh", "Highest price in 52 weeks."),
  fiftyTwoWeekLow: field.number("fiftyTwoWeekLow", "Lowest price in 52 weeks."),
  fiftyTwoWeekChangePercent: field.number(
    "fiftyTwoWeekChangePercent",
    "Change in 52 weeks, in percent.",
  ),
  fiftyDayAverage: field.number("fiftyDayAverage", "Mean price over 50 days."),
  twoHundredDayAverage: field.number("twoHundredDayAverage", "Mean price over 200 days."),
  trailingPE: field.number("trailingPE", "Price-to-earnings ratio of the last 12 months."),
  forwardPE: field.number("forwardPE", "Price-to-earnings ratio with expected earnings."),
  priceToBook: field.number("priceToBook", "Price-to-book ratio."),
  bookValue: field.number("bookValue", "Book value per share."),
  epsTrailingTwelveMonths: field.number(
    "epsTrailingTwelveMonths",
    "Earnings per share of the last 12 months.",
  ),
  epsForward: field.number("epsForward", "Expected earnings per share."),
  epsCurrentYear: field.number("epsCurrentYear", "Earnings per share of the current year."),
  dividendRate: field.number("dividendRate", "Annual dividend per share."),
  dividendYield: field.number("dividendYield", "Annual dividend in percent of the price."),
  trailingAnnualDividendRate: field.number(
    "trailingAnnualDividendRate",
    "Dividends per share of the last 12 months.",
  ),
  trailingAnnualDividendYield: field.number(
    "trailingAnnualDividendYield",
    "Dividends of the last 12 months as a fraction of the price.",
  ),
  dividendDate: field.unixTime("dividendDate", "Time of the dividend's payment (ISO 8601, UTC)."),
  earningsTimestamp: field.unixTime(
    "earningsTimestamp",
    "Time of the last or next earnings announcement (ISO 8601, UTC).",
  ),
  earningsStart: field.unixTime(
    "earningsTimestampStart",
    "Earliest time of the next earnings announcement (ISO 8601, UTC).",
  ),
  earningsEnd: field.unixTime(
    "earningsTimestampEnd",
    "Latest time of the next earnings announcement (ISO 8601, UTC).",
  ),
  analystRating: field.text(
    "averageAnalystRating",
    "Mean rating of analysts, for example 2.1 - Buy.",
  ),
  firstTradeAt: field.unixTime(firstTrade, "Time of the first trade (ISO 8601, UTC)."),
  timezone: field.text("exchangeTimezoneName", "Time zone of the exchange."),
  delayMinutes: field.integer("exchangeDataDelayedBy", "Delay of the price, in minutes."),
})

export default defineScraper({
  slug: "yahoo-finance-quote-scraper",
  name: "Yahoo Finance Quotes",
  tagline: "Current Yahoo Finance quotes with valuation, ranges and company basics.",
  notServed: ["price history"],
  category: "finance",
  input: {
    tickers: inputs.texts(
      "Yahoo symbols, for example AAPL, ^GSPC or EURUSD=X, or quote page URLs.",
      { max: 50 },
    ),
  },
  item: {
    input: items.requiredText("Ticker as written in the input."),
    symbol: items.requiredText("Symbol on Yahoo, for example AAPL."),
    url: items.requiredText("URL of the quote page."),
    ...facts.fields,
  },
  example: { tickers: ["AAPL", "^GSPC"] },
  probe: {
    input: { tickers: ["AAPL"] },
    expect: [
      "items.length equals 1",
      'items[0].symbol equals "AAPL"',
      "items[0].price gte 10",
      'items[0].currency equals "USD"',
      'items[0].name matches "apple"',
      "items[0].priceTime fresh 7",
      "?items[0].marketCap gte 100000000000",
      "?items[0].fiftyTwoWeekHigh gte 10",
    ],
  },
  rateLimit: yahooRateLimit,
  targets: ({ tickers }) => distinct(tickers),
  // The requested URL contains the session's crumb.
  identify: (ticker) => ({ input: ticker, url: undefined }),

  async *scrape(target, ctx) {
    const symbol = yahooSymbol(target)
    const quote = await quoteOf(symbol, ctx)
    if (!quote) throw new NotFound(`No such symbol on Yahoo: "${symbol}".`)
    yield {
      input: target,
      symbol: quote.symbol,
      url: `https://finance.yahoo.com/quote/${encodeURI(quote.symbol)}`,
      ...facts.read(quote),
    }
  },
})

/**
 * Returns the quote from the response for all tickers; if that failed, the few fields of the chart.
 */
async function quoteOf(symbol: string, ctx: Context<{ tickers: string[] }>) {
  let quotes: Map<string, Quote>
  try {
    quotes = await once(ctx, "quotes", () => allQuotes(ctx))
  } catch (failure) {
    ctx.signal.throwIfAborted()
    const { message } = failure as ScrapeError
    ctx.log(`No full quotes: ${message} Requesting charts instead.`, "warning")
    return quoteOfChart(symbol, ctx, failure)
  }
  return quotes.get(symbol)
}

async function quoteOfChart(symbol: string, ctx: Context, failure: unknown): Promise<Quote> {
  try {
    const { meta } = await chartOf(ctx, symbol, "1d", "1d")
    return {
      ...meta,
      quoteType: meta.instrumentType,
      exchange: meta.exchangeName,
      regularMarketPreviousClose: meta.previousClose ?? meta.chartPreviousClose,
      firstTradeDateMilliseconds: (numberOrNull(meta.firstTradeDate) ?? Number.NaN) * 1000,
    }
  } catch (error) {
    ctx.signal.throwIfAborted()
    throw error instanceof NotFound ? error : failure
  }
}

async function allQuotes(ctx: Context<{ tickers: string[] }>): Promise<Map<string, Quote>> {
  const symbols = distinct(ctx.input.tickers.flatMap(symbolOrNothing))
  const results =
    (await quotesBy(await yahooSession(ctx), symbols, ctx)) ??
    (await quotesBy(await newSession(ctx), symbols, ctx))
  if (!results) throw new Forbidden("Yahoo refuses the session that it has just issued.")
  const bySymbol = new Map(results.map((quote) => [quote.symbol.toUpperCase(), quote]))
  // Yahoo returns a renamed symbol under its new name, at the same position.
  const unmatched = symbols.filter((symbol) => !bySymbol.has(symbol))
  const anonymousCallers = results.filter((quote) => !symbols.includes(quote.symbol.toUpperCase()))
  if (unmatched.length === anonymousCallers.length) {
    for (const [index, symbol] of unmatched.entries())
      bySymbol.set(symbol, anonymousCallers[index]!)
  }
  return bySymbol
}

function symbolOrNothing(ticker: string): string[] {
  try {
    return [yahooSymbol(ticker)]
  } catch {
    return []
  }
}

/** Returns null if the session is no longer valid. */
async function quotesBy({ cookie, crumb }: Session, symbols: string[], ctx: Context) {
  const response = await requestYahoo(ctx, "/v7/finance/quote", {
    query: { symbols: symbols.join(","), crumb },
    headers: { cookie, accept: "application/json" },
    accept: [400, 401, 404],
  })
  if (response.status === 401) return null
  const result = resultOf<Quote>(response, "quoteResponse")
  const quotes = objectList(result).filter(({ symbol }) => textOrNull(symbol))
  if (!Array.isArray(result) || (result.length > 0 && quotes.length === 0))
    throw response.explainMissing("a list of quotes")
  return quotes
}
