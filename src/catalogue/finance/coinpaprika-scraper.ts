import { Type } from "@sinclair/typebox"
import { isoDate } from "../../extract/dates.ts"
import { booleanOrNull, integerOrNull, numberOrNull, numberRecord } from "../../extract/numbers.ts"
import { distinct, textList, textOrNull } from "../../extract/text.ts"
import { orNull } from "../calls.ts"
import type { Context } from "../context.ts"
import { defineScraper } from "../define.ts"
import {
  booleanField,
  inputObject,
  integerField,
  itemObject,
  nullable,
  numberField,
  oneOf,
  textField,
} from "../fields.ts"
import { BadInput, busyIsRateLimit, Changed, Forbidden, NotFound } from "../outcome.ts"

const quoteCurrencies = [
  "usd", "btc", "eth", "eur", "gbp", "jpy", "krw", "pln", "cad", "aud", "nzd", "chf", "inr", "try",
  "brl", "rub", "cny", "mxn", "zar", "sgd", "thb", "hkd",
] as const // biome-ignore format: a list reads better dense

const details = itemObject(
  {
    description: textField("What the project is."),
    type: textField("coin or token."),
    isActive: booleanField("It is traded."),
    isNew: booleanField("It was added lately."),
    openSource: booleanField("Its code is open."),
    startedAt: textField("When it began (ISO 8601, UTC)."),
    developmentStatus: textField("State of the product."),
    hardwareWallet: booleanField("Hardware wallets hold it."),
    proofType: textField("How blocks are agreed on."),
    orgStructure: textField("Organisation."),
    hashAlgorithm: textField("Hash algorithm."),
    logo: textField("Logo."),
    tags: Type.Array(Type.String()),
    team: Type.Array(itemObject({ name: Type.String(), position: nullable(Type.String()) })),
    links: Type.Record(Type.String(), Type.Array(Type.String()), {
      description: "Links by kind: website, explorer, source_code, reddit, youtube, facebook.",
    }),
    linkStats: Type.Array(
      itemObject({
        url: Type.String(),
        type: nullable(Type.String()),
        stats: Type.Record(Type.String(), Type.Number()),
      }),
      { description: "Followers, stars and the like of the links." },
    ),
    whitepaperUrl: textField("White paper."),
  },
  { description: "About the project; null unless asked for." },
)

interface Ticker {
  id: string
  quotes: Record<string, Record<string, unknown> | undefined>
  [field: string]: unknown
}

export default defineScraper({
  slug: "coinpaprika-scraper",
  name: "Coinpaprika",
  tagline: "Crypto market data from Coinpaprika with optional project details.",
  category: "finance",
  tier: "free",
  input: inputObject({
    coinIds: Type.Optional(
      Type.Array(Type.String({ minLength: 1 }), {
        maxItems: 5000,
        description:
          "Coinpaprika ids such as btc-bitcoin, addresses of coins, or names to look up. Without any, all coins by rank.",
      }),
    ),
    quoteCurrency: Type.Optional(
      oneOf(quoteCurrencies, { default: "usd", description: "Currency of all amounts." }),
    ),
    includeDetails: Type.Optional(
      Type.Boolean({
        default: false,
        description: "Adds what the project is, its team and links.",
      }),
    ),
    maxItems: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 5000, default: 100, description: "Most coins." }),
    ),
  }),
  item: itemObject({
    input: textField("The coin as it was asked for; null in the list of all."),
    coinId: Type.String({ description: "Coinpaprika's id." }),
    name: textField("Name."),
    symbol: textField("Symbol."),
    rank: integerField("Rank by market capitalisation."),
    quoteCurrency: Type.String({ description: "Currency of all amounts." }),
    price: numberField("Price."),
    marketCap: numberField("Market capitalisation."),
    volume24h: numberField("Volume traded in 24 hours."),
    volumeChangePercent24h: numberField("Change of the volume in 24 hours, in percent."),
    marketCapChangePercent24h: numberField("Change of the market cap in 24 hours, in percent."),
    priceChangePercent15m: numberField("Change of the price in 15 minutes, in percent."),
    priceChangePercent30m: numberField("Change of the price in 30 minutes, in percent."),
    priceChangePercent1h: numberField("Change of the price in an hour, in percent."),
    priceChangePercent6h: numberField("Change of the price in 6 hours, in percent."),
    priceChangePercent12h: numberField("Change of the price in 12 hours, in percent."),
    priceChangePercent24h: numberField("Change of the price in 24 hours, in percent."),
    priceChangePercent7d: numberField("Change of the price in 7 days, in percent."),
    priceChangePercent30d: numberField("Change of the price in 30 days, in percent."),
    priceChangePercent1y: numberField("Change of the price in a year, in percent."),
    ath: numberField("Highest price ever."),
    athAt: textField("When the highest price was (ISO 8601, UTC)."),
    athChangePercent: numberField("Distance from the highest price, in percent."),
    circulatingSupply: numberField("Coins in circulation."),
    totalSupply: numberField("Coins that exist."),
    maxSupply: numberField("Most coins there can be; null when not capped."),
    betaValue: numberField("Volatility against the market."),
    firstDataAt: textField("Since when there is data (ISO 8601, UTC)."),
    lastUpdatedAt: textField("When the data was updated (ISO 8601, UTC)."),
    url: Type.String({ description: "The coin's page." }),
    details: nullable(details),
  }),
  example: { coinIds: ["btc-bitcoin"] },
  pace: {
    "api.coinpaprika.com": { perSecond: 2, concurrency: 1 },
    "api-pro.coinpaprika.com": { perSecond: 2, concurrency: 1 },
  },
  targets: ({ coinIds }): { input: string | null }[] =>
    coinIds?.length ? distinct(coinIds).map((one) => ({ input: one })) : [{ input: null }],
  identify: (target) => ({ input: target.input }),
  maxItems: ({ maxItems }) => maxItems,

  async *scrape({ input }, ctx) {
    const currency = (ctx.input.quoteCurrency ?? "usd").toUpperCase()
    const tickers =
      input === null
        ? await ask<Ticker[]>(ctx, "/tickers", { quotes: currency })
        : [
            await ask<Ticker>(ctx, `/tickers/${encodeURIComponent(await coinId(input, ctx))}`, {
              quotes: currency,
            }),
          ]
    if (!Array.isArray(tickers) || tickers.length === 0) {
      throw new Changed("Coinpaprika's answer is no list of coins.")
    }
    for (const ticker of tickers.slice(0, ctx.input.maxItems ?? 100)) {
      const quote = ticker?.quotes?.[currency]
      if (typeof ticker?.id !== "string" || !quote) {
        throw new Changed("Coinpaprika's answer holds a coin without id or quote.")
      }
      yield {
        input,
        ...market(ticker, quote),
        quoteCurrency: currency,
        details: ctx.input.includeDetails ? await project(ticker.id, ctx) : null,
      }
    }
  },
})

/** The id in what users write; a value that is none is looked up by its name. */
async function coinId(input: string, ctx: Context): Promise<string> {
  const address = /coinpaprika\.com\/(?:[a-z-]+\/)?coin\/([^/?#]+)/i.exec(input)
  const id = (address?.[1] ?? input).trim().toLowerCase()
  if (/^[^\s/-]+-[^\s/]+$/.test(id)) return id
  const found = await ask<{ currencies?: { id: string }[] }>(ctx, "/search", {
    q: input.trim(),
    c: "currencies",
    limit: 1,
  })
  if (!Array.isArray(found?.currencies)) {
    throw new Changed("Coinpaprika's search answer holds no list of currencies.")
  }
  const first = found.currencies[0]?.id
  if (!first) throw new NotFound(`Coinpaprika knows no coin "${input}".`)
  return first
}

async function ask<T>(
  ctx: Context,
  path: string,
  query: Record<string, string | number> = {},
): Promise<T> {
  const key = ctx.secret("COINPAPRIKA_KEY")
  const call = ctx.get(`https://api${key ? "-pro" : ""}.coinpaprika.com/v1${path}`, {
    query,
    headers: { accept: "application/json", ...(key ? { authorization: key } : {}) },
    accept: [400, 401, 402, 404],
  })
  const answer = await busyIsRateLimit(call)
  if (answer.status < 400) return answer.json<T>()
  const reason = textOrNull(/"error"\s*:\s*"([^"]*)"/.exec(answer.text())?.[1])
  const message = `Coinpaprika says: ${reason ?? `status ${answer.status}`}`
  const details = { url: answer.url, statusCode: answer.status }
  if (answer.status === 404) throw new NotFound(message, details)
  if (answer.status === 401 || answer.status === 402) throw new Forbidden(message, details)
  throw new BadInput(message, details)
}

function market(ticker: Ticker, quote: Record<string, unknown>) {
  return {
    coinId: ticker.id,
    name: textOrNull(ticker.name),
    symbol: textOrNull(ticker.symbol),
    rank: integerOrNull(ticker.rank),
    price: numberOrNull(quote.price),
    marketCap: numberOrNull(quote.market_cap),
    volume24h: numberOrNull(quote.volume_24h),
    volumeChangePercent24h: numberOrNull(quote.volume_24h_change_24h),
    marketCapChangePercent24h: numberOrNull(quote.market_cap_change_24h),
    priceChangePercent15m: numberOrNull(quote.percent_change_15m),
    priceChangePercent30m: numberOrNull(quote.percent_change_30m),
    priceChangePercent1h: numberOrNull(quote.percent_change_1h),
    priceChangePercent6h: numberOrNull(quote.percent_change_6h),
    priceChangePercent12h: numberOrNull(quote.percent_change_12h),
    priceChangePercent24h: numberOrNull(quote.percent_change_24h),
    priceChangePercent7d: numberOrNull(quote.percent_change_7d),
    priceChangePercent30d: numberOrNull(quote.percent_change_30d),
    priceChangePercent1y: numberOrNull(quote.percent_change_1y),
    ath: numberOrNull(quote.ath_price),
    athAt: isoDate(quote.ath_date),
    athChangePercent: numberOrNull(quote.percent_from_price_ath),
    circulatingSupply: numberOrNull(ticker.circulating_supply),
    totalSupply: numberOrNull(ticker.total_supply),
    // Uncapped coins have 0 here.
    maxSupply: numberOrNull(ticker.max_supply) || null,
    betaValue: numberOrNull(ticker.beta_value),
    firstDataAt: isoDate(ticker.first_data_at),
    lastUpdatedAt: isoDate(ticker.last_updated),
    url: `https://coinpaprika.com/coin/${ticker.id}/`,
  }
}

interface Project {
  [field: string]: unknown
  tags?: { name?: string }[] | null
  team?: { name?: string; position?: string }[] | null
  links?: Record<string, unknown> | null
  links_extended?: { url?: string; type?: string; stats?: Record<string, unknown> }[] | null
  whitepaper?: { link?: string | null } | null
}

function project(id: string, ctx: Context) {
  return orNull(ctx, `details of ${id}`, async () => {
    const coin = await ask<Project>(ctx, `/coins/${encodeURIComponent(id)}`)
    if (coin?.id !== id) throw new Changed("the answer is not about this coin.")
    return {
      description: textOrNull(coin.description),
      type: textOrNull(coin.type),
      isActive: booleanOrNull(coin.is_active),
      isNew: booleanOrNull(coin.is_new),
      openSource: booleanOrNull(coin.open_source),
      startedAt: isoDate(coin.started_at),
      developmentStatus: textOrNull(coin.development_status),
      hardwareWallet: booleanOrNull(coin.hardware_wallet),
      proofType: textOrNull(coin.proof_type),
      orgStructure: textOrNull(coin.org_structure),
      hashAlgorithm: textOrNull(coin.hash_algorithm),
      logo: textOrNull(coin.logo),
      tags: (coin.tags ?? []).flatMap((tag) => textOrNull(tag.name) ?? []),
      team: (coin.team ?? []).flatMap(({ name, position }) =>
        name ? [{ name, position: textOrNull(position) }] : [],
      ),
      links: Object.fromEntries(
        Object.entries(coin.links ?? {}).map(([kind, list]) => [kind, textList(list)]),
      ),
      linkStats: (coin.links_extended ?? []).flatMap(({ url, type, stats }) =>
        url && stats ? [{ url, type: textOrNull(type), stats: numberRecord(stats) }] : [],
      ),
      whitepaperUrl: textOrNull(coin.whitepaper?.link),
    }
  })
}
