import { Type } from "@sinclair/typebox"
import { isoFromUnix } from "../../extract/dates.ts"
import { integerOrNull, numberOrNull } from "../../extract/numbers.ts"
import { distinct, textOrNull } from "../../extract/text.ts"
import { once } from "../calls.ts"
import type { Context } from "../context.ts"
import { defineScraper } from "../define.ts"
import { inputObject, integerField, itemObject, numberField, textField } from "../fields.ts"
import { Forbidden, NotFound, type Outcome } from "../outcome.ts"
import {
  askYahoo,
  chartOf,
  type YahooError,
  yahooPace,
  yahooProblem,
  yahooSymbol,
} from "./yahoo.ts"
import { newSession, type Session, yahooSession } from "./yahoo-session.ts"

interface Quote {
  symbol: string
  [field: string]: unknown
}

export default defineScraper({
  slug: "yahoo-finance-quote-scraper",
  name: "Yahoo Finance Quotes",
  tagline: "Current Yahoo Finance quotes with valuation, ranges and company basics.",
  category: "finance",
  tier: "free",
  input: inputObject({
    tickers: Type.Array(Type.String({ minLength: 1 }), {
      minItems: 1,
      maxItems: 50,
      description: "Yahoo symbols such as AAPL, ^GSPC or EURUSD=X, or addresses of quote pages.",
    }),
  }),
  item: itemObject({
    input: Type.String({ description: "The ticker as it was asked for." }),
    symbol: Type.String({ description: "Yahoo's symbol." }),
    url: Type.String({ description: "The quote page." }),
    name: textField("Long name, else the short one."),
    shortName: textField("Short name."),
    quoteType: textField("EQUITY, ETF, MUTUALFUND, INDEX, CURRENCY, CRYPTOCURRENCY, FUTURE …"),
    exchange: textField("Exchange, as a code."),
    fullExchangeName: textField("Exchange."),
    currency: textField("Currency of the price; GBp is pence."),
    financialCurrency: textField("Currency of the company's reports."),
    marketState: textField("PRE, REGULAR, POST, CLOSED …"),
    price: numberField("Price."),
    change: numberField("Change since the previous close."),
    changePercent: numberField("Change since the previous close, in percent."),
    open: numberField("First price of the session."),
    dayHigh: numberField("Highest price of the session."),
    dayLow: numberField("Lowest price of the session."),
    previousClose: numberField("Last price of the session before."),
    volume: numberField("Volume of the session."),
    priceTime: textField("Time of the price (ISO 8601, UTC)."),
    bid: numberField("Bid."),
    ask: numberField("Ask."),
    bidSize: numberField("Size of the bid."),
    askSize: numberField("Size of the ask."),
    preMarketPrice: numberField("Price before the session."),
    preMarketChangePercent: numberField("Change before the session, in percent."),
    postMarketPrice: numberField("Price after the session."),
    postMarketChange: numberField("Change after the session."),
    postMarketChangePercent: numberField("Change after the session, in percent."),
    marketCap: numberField("Market capitalisation."),
    sharesOutstanding: numberField("Shares."),
    circulatingSupply: numberField("Coins in circulation."),
    averageVolume3Month: numberField("Mean daily volume of 3 months."),
    averageVolume10Day: numberField("Mean daily volume of 10 days."),
    fiftyTwoWeekHigh: numberField("Highest price of a year."),
    fiftyTwoWeekLow: numberField("Lowest price of a year."),
    fiftyTwoWeekChangePercent: numberField("Change in a year, in percent."),
    fiftyDayAverage: numberField("Mean price of 50 days."),
    twoHundredDayAverage: numberField("Mean price of 200 days."),
    trailingPE: numberField("Price to earnings of the last 12 months."),
    forwardPE: numberField("Price to expected earnings."),
    priceToBook: numberField("Price to book value."),
    bookValue: numberField("Book value a share."),
    epsTrailingTwelveMonths: numberField("Earnings a share of the last 12 months."),
    epsForward: numberField("Expected earnings a share."),
    epsCurrentYear: numberField("Earnings a share of the current year."),
    dividendRate: numberField("Dividend of a year."),
    dividendYield: numberField("Dividend of a year, in percent of the price."),
    trailingAnnualDividendRate: numberField("Dividends of the last 12 months."),
    trailingAnnualDividendYield: numberField("Dividends of the last 12 months, as a fraction."),
    dividendDate: textField("When the dividend is paid (ISO 8601, UTC)."),
    earningsTimestamp: textField("When earnings are or were told (ISO 8601, UTC)."),
    earningsStart: textField("Earliest time of the next earnings (ISO 8601, UTC)."),
    earningsEnd: textField("Latest time of the next earnings (ISO 8601, UTC)."),
    analystRating: textField("Mean rating of analysts, such as 2.1 - Buy."),
    firstTradeAt: textField("When it was first traded (ISO 8601, UTC)."),
    timezone: textField("Time zone of the exchange."),
    delayMinutes: integerField("How late the price is."),
  }),
  example: { tickers: ["AAPL", "^GSPC"] },
  pace: yahooPace,
  targets: ({ tickers }) => distinct(tickers),
  // The address that was asked holds the session's crumb.
  identify: (ticker) => ({ input: ticker, url: undefined }),

  async *scrape(input, ctx) {
    const symbol = yahooSymbol(input)
    const quote = await quoteOf(symbol, ctx)
    if (!quote) throw new NotFound(`Yahoo knows no symbol "${symbol}".`)
    yield described(quote, input)
  },
})

/** From the one answer for all tickers; where that failed, the little that the chart knows. */
async function quoteOf(
  symbol: string,
  ctx: Context<{ tickers: string[] }>,
): Promise<Quote | undefined> {
  let quotes: Map<string, Quote>
  try {
    quotes = await once(ctx, "quotes", () => allQuotes(ctx))
  } catch (failure) {
    ctx.signal.throwIfAborted()
    ctx.log(`No full quotes: ${(failure as Outcome).message} Asking for charts.`, "warning")
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

/** The quotes of all tickers, by the symbol that was asked for. */
async function allQuotes(ctx: Context<{ tickers: string[] }>): Promise<Map<string, Quote>> {
  const symbols = distinct(ctx.input.tickers.flatMap(symbolOrNothing))
  const results =
    (await quotesBy(await yahooSession(ctx), symbols, ctx)) ??
    (await quotesBy(await newSession(ctx), symbols, ctx))
  if (!results) throw new Forbidden("Yahoo refuses the session that it has just given.")
  const bySymbol = new Map(results.map((quote) => [quote.symbol.toUpperCase(), quote]))
  // A renamed symbol is answered under its new name, in its place.
  const unmatched = symbols.filter((symbol) => !bySymbol.has(symbol))
  const strangers = results.filter((quote) => !symbols.includes(quote.symbol.toUpperCase()))
  if (unmatched.length === strangers.length) {
    for (const [index, symbol] of unmatched.entries()) bySymbol.set(symbol, strangers[index]!)
  }
  return bySymbol
}

function symbolOrNothing(input: string): string[] {
  try {
    return [yahooSymbol(input)]
  } catch {
    return []
  }
}

/** Null when the session is not good any more. */
async function quotesBy(
  { cookie, crumb }: Session,
  symbols: string[],
  ctx: Context,
): Promise<Quote[] | null> {
  const answer = await askYahoo(ctx, "/v7/finance/quote", {
    query: { symbols: symbols.join(","), crumb },
    headers: { cookie, accept: "application/json" },
    accept: [400, 401, 404],
  })
  if (answer.status === 401) return null
  const { quoteResponse, finance } = answer.json<{
    quoteResponse?: { result?: Quote[]; error?: YahooError | null }
    finance?: { error?: YahooError | null }
  }>()
  const error = quoteResponse?.error ?? finance?.error
  if (error || answer.status >= 400) throw yahooProblem(error ?? {}, answer)
  const { result } = quoteResponse ?? {}
  if (!Array.isArray(result) || result.some((one) => typeof one?.symbol !== "string")) {
    throw answer.lacks("a list of quotes")
  }
  return result
}

function described(quote: Quote, input: string) {
  return {
    input,
    symbol: quote.symbol,
    url: `https://finance.yahoo.com/quote/${encodeURI(quote.symbol)}`,
    name: textOrNull(quote.longName) ?? textOrNull(quote.shortName),
    shortName: textOrNull(quote.shortName),
    quoteType: textOrNull(quote.quoteType),
    exchange: textOrNull(quote.exchange),
    fullExchangeName: textOrNull(quote.fullExchangeName),
    currency: textOrNull(quote.currency),
    financialCurrency: textOrNull(quote.financialCurrency),
    marketState: textOrNull(quote.marketState),
    price: numberOrNull(quote.regularMarketPrice),
    change: numberOrNull(quote.regularMarketChange),
    changePercent: numberOrNull(quote.regularMarketChangePercent),
    open: numberOrNull(quote.regularMarketOpen),
    dayHigh: numberOrNull(quote.regularMarketDayHigh),
    dayLow: numberOrNull(quote.regularMarketDayLow),
    previousClose: numberOrNull(quote.regularMarketPreviousClose),
    volume: numberOrNull(quote.regularMarketVolume),
    priceTime: isoFromUnix(quote.regularMarketTime),
    bid: numberOrNull(quote.bid),
    ask: numberOrNull(quote.ask),
    bidSize: numberOrNull(quote.bidSize),
    askSize: numberOrNull(quote.askSize),
    preMarketPrice: numberOrNull(quote.preMarketPrice),
    preMarketChangePercent: numberOrNull(quote.preMarketChangePercent),
    postMarketPrice: numberOrNull(quote.postMarketPrice),
    postMarketChange: numberOrNull(quote.postMarketChange),
    postMarketChangePercent: numberOrNull(quote.postMarketChangePercent),
    marketCap: numberOrNull(quote.marketCap),
    sharesOutstanding: numberOrNull(quote.sharesOutstanding),
    circulatingSupply: numberOrNull(quote.circulatingSupply),
    averageVolume3Month: numberOrNull(quote.averageDailyVolume3Month),
    averageVolume10Day: numberOrNull(quote.averageDailyVolume10Day),
    fiftyTwoWeekHigh: numberOrNull(quote.fiftyTwoWeekHigh),
    fiftyTwoWeekLow: numberOrNull(quote.fiftyTwoWeekLow),
    fiftyTwoWeekChangePercent: numberOrNull(quote.fiftyTwoWeekChangePercent),
    fiftyDayAverage: numberOrNull(quote.fiftyDayAverage),
    twoHundredDayAverage: numberOrNull(quote.twoHundredDayAverage),
    trailingPE: numberOrNull(quote.trailingPE),
    forwardPE: numberOrNull(quote.forwardPE),
    priceToBook: numberOrNull(quote.priceToBook),
    bookValue: numberOrNull(quote.bookValue),
    epsTrailingTwelveMonths: numberOrNull(quote.epsTrailingTwelveMonths),
    epsForward: numberOrNull(quote.epsForward),
    epsCurrentYear: numberOrNull(quote.epsCurrentYear),
    dividendRate: numberOrNull(quote.dividendRate),
    dividendYield: numberOrNull(quote.dividendYield),
    trailingAnnualDividendRate: numberOrNull(quote.trailingAnnualDividendRate),
    trailingAnnualDividendYield: numberOrNull(quote.trailingAnnualDividendYield),
    dividendDate: isoFromUnix(quote.dividendDate),
    earningsTimestamp: isoFromUnix(quote.earningsTimestamp),
    earningsStart: isoFromUnix(quote.earningsTimestampStart),
    earningsEnd: isoFromUnix(quote.earningsTimestampEnd),
    analystRating: textOrNull(quote.averageAnalystRating),
    firstTradeAt: milliseconds(quote.firstTradeDateMilliseconds),
    timezone: textOrNull(quote.exchangeTimezoneName),
    delayMinutes: integerOrNull(quote.exchangeDataDelayedBy),
  }
}

/** Old dates are small numbers even in milliseconds, so their unit cannot be told from their size. */
function milliseconds(value: unknown): string | null {
  const number = numberOrNull(value)
  return number === null ? null : isoFromUnix(number / 1000)
}
