import {
  distinct,
  numberRecord,
  objectList,
  textList,
  textOrNull,
} from "../../extract/core/index.ts"
import {
  BadInput,
  busyIsRateLimit,
  Changed,
  type Context,
  defineScraper,
  Forbidden,
  field,
  inputs,
  items,
  NotFound,
  orNull,
  type Row,
  readRows,
  record,
  required,
} from "../kit/index.ts"

const quoteCurrencies = [
  "usd", "btc", "eth", "eur", "gbp", "jpy", "krw", "pln", "cad", "aud", "nzd", "chf", "inr", "try",
  "brl", "rub", "cny", "mxn", "zar", "sgd", "thb", "hkd",
] as const // biome-ignore format: a list reads better dense

interface Ticker extends Row {
  id: string
  quotes: Record<string, Row | undefined>
}

interface Project extends Row {
  team?: { name?: string }[] | null
  links?: Row | null
  links_extended?: Row[] | null
}

const naming = record({
  name: field.text("name", "Name."),
  symbol: field.text("symbol", "Symbol."),
  rank: field.integer("rank", "Rank by market capitalization."),
})

const change = (key: string, time: string) =>
  field.number(`percent_change_${key}`, `Price change in ${time}, in percent.`)

const market = record({
  price: field.number("price", "Price in the requested currency, or in US dollars."),
  marketCap: field.number("market_cap", "Market capitalization, in the currency of the prices."),
  volume24h: field.number("volume_24h", "Volume traded in 24 hours."),
  volumeChangePercent24h: field.number(
    "volume_24h_change_24h",
    "Change of the volume in 24 hours, in percent.",
  ),
  marketCapChangePercent24h: field.number(
    "market_cap_change_24h",
    "Change of the market capitalization in 24 hours, in percent.",
  ),
  priceChangePercent15m: change("15m", "15 minutes"),
  priceChangePercent30m: change("30m", "30 minutes"),
  priceChangePercent1h: change("1h", "an hour"),
  priceChangePercent6h: change("6h", "6 hours"),
  priceChangePercent12h: change("12h", "12 hours"),
  priceChangePercent24h: change("24h", "24 hours"),
  priceChangePercent7d: change("7d", "7 days"),
  priceChangePercent30d: change("30d", "30 days"),
  priceChangePercent1y: change("1y", "a year"),
  ath: field.number("ath_price", "All-time highest price."),
  athAt: field.time("ath_date", "Time of the all-time highest price (ISO 8601, UTC)."),
  athChangePercent: field.number(
    "percent_from_price_ath",
    "Difference to the all-time highest price, in percent.",
  ),
})

const supply = record({
  circulatingSupply: field.number("circulating_supply", "Number of coins in circulation."),
  totalSupply: field.number("total_supply", "Number of existing coins."),
  maxSupply: field.number("max_supply", "Maximum number of coins; null if unlimited.", unlessZero),
  betaValue: field.number("beta_value", "Volatility relative to the market (beta)."),
  firstDataAt: field.time("first_data_at", "Time of the first data (ISO 8601, UTC)."),
  updatedAt: field.time("last_updated", "Time of the last update (ISO 8601, UTC)."),
})

const about = record({
  description: field.text("description", "Description of the project."),
  type: field.text("type", "Type of currency: coin or token."),
  isActive: field.boolean("is_active", "Whether the coin is traded."),
  isNew: field.boolean("is_new", "Whether the coin was added recently."),
  openSource: field.boolean("open_source", "Whether the project is open source."),
  startedAt: field.time("started_at", "Start of the project (ISO 8601, UTC)."),
  developmentStatus: field.text(
    "development_status",
    "Development status, for example Working product.",
  ),
  hardwareWallet: field.boolean("hardware_wallet", "Whether hardware wallets support the coin."),
  proofType: field.text("proof_type", "Consensus algorithm."),
  orgStructure: field.text("org_structure", "Organizational structure."),
  hashAlgorithm: field.text("hash_algorithm", "Hash algorithm."),
  logoUrl: field.text("logo", "URL of the logo."),
  tags: field.texts("tags.*.name", "Names of the tags."),
  team: field.objects(
    ({ team }: Project) => team?.filter(({ name }) => textOrNull(name)),
    "Members of the team.",
    {
      name: required(field.text("name", "Name of the person.")),
      position: field.text("position", "Position in the project, for example Founder."),
    },
  ),
  links: field.of(
    items.listsByName("Links by type: website, explorer, source_code, reddit, youtube, facebook."),
    ({ links }: Project) =>
      Object.fromEntries(Object.entries(links ?? {}).map(([kind, list]) => [kind, textList(list)])),
  ),
  linkStats: field.objects(countedLinks, "Counts of the links, for example followers or stars.", {
    url: required(field.text("url", "URL of the link.")),
    type: field.text("type", "Type of link, for example reddit."),
    stats: field.of(
      items.numbersByName("Counts by name, for example followers or stars."),
      ({ stats }: Row) => numberRecord(stats),
    ),
  }),
  whitepaperUrl: field.text("whitepaper.link", "URL of the white paper."),
})

export default defineScraper({
  slug: "coinpaprika-scraper",
  name: "Coinpaprika",
  tagline: "Crypto market data from Coinpaprika with optional project details.",
  notServed: ["old prices"],
  category: "finance",
  input: {
    coinIds: inputs.optionalTexts(
      "Coinpaprika coin IDs, for example btc-bitcoin, coin page URLs, or names (default: all coins by rank).",
      { max: 5000 },
    ),
    quoteCurrency: inputs.choice(
      quoteCurrencies,
      "Currency of all amounts, for example USD.",
      "usd",
    ),
    includeDetails: inputs.flag("Whether to include the project's description, team and links."),
    maxItems: inputs.count("Maximum coins", { max: 5000, or: 100 }),
  },
  item: {
    input: items.text("Coin as written in the input; null in the list of all coins."),
    coinId: items.requiredText("Coinpaprika's ID of the coin."),
    ...naming.fields,
    quoteCurrency: items.requiredText("Currency of all amounts, for example USD."),
    ...market.fields,
    ...supply.fields,
    url: items.requiredText("URL of the coin."),
    details: items.object("Project details; null unless requested.", about.fields),
  },
  example: { coinIds: ["btc-bitcoin"] },
  probe: {
    expect: [
      "items.length equals 1",
      'items[0].coinId equals "btc-bitcoin"',
      "items[0].price gte 1000",
      "items[0].rank equals 1",
      "items[0].updatedAt fresh 1",
      'items[0].quoteCurrency equals "USD"',
    ],
  },
  rateLimit: {
    "api.coinpaprika.com": { perSecond: 2, concurrency: 1 },
    "api-pro.coinpaprika.com": { perSecond: 2, concurrency: 1 },
  },
  targets: ({ coinIds }): { input: string | null }[] =>
    coinIds?.length ? distinct(coinIds).map((input) => ({ input })) : [{ input: null }],
  identify: (target) => ({ input: target.input }),
  maxItems: ({ maxItems }) => maxItems,

  async *scrape({ input }, ctx) {
    const { includeDetails, maxItems } = ctx.input
    const quoteCurrency = ctx.input.quoteCurrency.toUpperCase()
    const path = input === null ? "" : `/${encodeURIComponent(await coinId(input, ctx))}`
    const query = { quotes: quoteCurrency }
    const response = await request<Ticker | Ticker[]>(ctx, `/tickers${path}`, query)
    const tickers = input === null ? response : [response]
    if (!Array.isArray(tickers) || tickers.length === 0) {
      throw new Changed("Coinpaprika's response is not a list of coins.")
    }
    const read = (ticker: Ticker) => {
      const quote = ticker.quotes?.[quoteCurrency]
      const coinId = textOrNull(ticker.id)
      if (coinId === null || !quote) {
        throw new Changed("Coinpaprika's response has a coin without an ID or a quote.")
      }
      return {
        input,
        coinId,
        ...naming.read(ticker),
        ...market.read(quote),
        ...supply.read(ticker),
        url: `https://coinpaprika.com/coin/${coinId}/`,
        quoteCurrency,
      }
    }
    let provided = 0
    for await (const coin of readRows(tickers as Ticker[], read, ctx)) {
      if (++provided > maxItems) return
      yield { ...coin, details: includeDetails ? await project(coin.coinId, ctx) : null }
    }
  },
})

/** Returns the coin ID in a user's input. Other text is looked up as a name. */
async function coinId(target: string, ctx: Context): Promise<string> {
  const url = /coinpaprika\.com\/(?:[a-z-]+\/)?coin\/([^/?#]+)/i.exec(target)
  const id = (url?.[1] ?? target).trim().toLowerCase()
  if (/^[^\s/-]+-[^\s/]+$/.test(id)) return id
  const query = { q: target.trim(), c: "currencies", limit: 1 }
  const result = await request<{ currencies?: { id: string }[] }>(ctx, "/search", query)
  if (!Array.isArray(result?.currencies)) {
    throw new Changed("Coinpaprika's search response has no list of currencies.")
  }
  const first = objectList(result.currencies).find(({ id }) => textOrNull(id))?.id
  if (!first) throw new NotFound(`No such coin on Coinpaprika: "${target}".`)
  return first
}

async function request<T>(ctx: Context, path: string, query: Record<string, string | number> = {}) {
  const key = ctx.secret("COINPAPRIKA_KEY")
  const call = ctx.get(`https://api${key ? "-pro" : ""}.coinpaprika.com/v1${path}`, {
    query,
    headers: { accept: "application/json", ...(key ? { authorization: key } : {}) },
    accept: [400, 401, 402, 404],
  })
  const response = await busyIsRateLimit(call)
  if (response.status < 400) return response.json<T>()
  const reason = textOrNull(/"error"\s*:\s*"([^"]*)"/.exec(response.text())?.[1])
  const message = `Coinpaprika reports: ${reason ?? `status ${response.status}`}`
  if (response.status === 404) throw new NotFound(message, { response })
  if (response.status === 401 || response.status === 402) throw new Forbidden(message, { response })
  throw new BadInput(message, { response })
}

const project = (id: string, ctx: Context) =>
  orNull(ctx, `details of ${id}`, async () => {
    const coin = await request<Project>(ctx, `/coins/${encodeURIComponent(id)}`)
    if (coin?.id !== id) throw new Changed("Coinpaprika's response is about another coin.")
    return about.read(coin)
  })

function countedLinks({ links_extended }: Project) {
  if (!links_extended) return undefined
  return objectList(links_extended).filter(({ url, stats }) => textOrNull(url) && stats)
}

/** Coins without a maximum have 0 here. */
function unlessZero(supply: number): number | null {
  return supply || null
}
