import { Type } from "@sinclair/typebox"
import {
  distinct,
  numberOrNull,
  numberRecord,
  textList,
  textOrNull,
} from "../../extract/core/index.ts"
import {
  busyIsRateLimit,
  Changed,
  type Context,
  decodedPath,
  defineScraper,
  field,
  inputs,
  items,
  NotFound,
  once,
  type Row,
  record,
  required,
} from "../kit/index.ts"

interface Protocol extends Row {
  name: string
  slug: string
  chainTvls?: Row
}

const naming = record({
  protocolId: field.text("id", "DefiLlama's ID of the protocol."),
  name: required(field.trimmed("name", "Name.")),
  slug: required(field.text("slug", "Name in URLs (slug).")),
  symbol: field.text("symbol", "Symbol of the protocol's token.", (symbol) =>
    symbol === "-" ? null : symbol.trim(),
  ),
  category: field.trimmed("category", "Category."),
  chain: field.trimmed("chain", "Chain of the protocol, or Multi-Chain."),
  chains: field.texts("chains", "Chains of the protocol."),
  tvlUsd: field.number("tvl", "Total value locked in US dollars."),
})

const facts = record({
  chainTvls: field.of(
    items.numbersByName(
      "Value locked by chain, and by type such as staking, borrowed and pool2, in US dollars.",
    ),
    ({ chainTvls }: Protocol) => numberRecord(chainTvls),
  ),
  change1h: field.number("change_1h", "Change of the total value locked in an hour, in percent."),
  change1d: field.number("change_1d", "Change of the total value locked in a day, in percent."),
  change7d: field.number("change_7d", "Change of the total value locked in 7 days, in percent."),
  stakingUsd: field.number("staking", "Value staked."),
  pool2Usd: field.number("pool2", "Value in pools of the protocol's own token, in US dollars."),
  marketCapUsd: field.number(
    "mcap",
    "Market capitalization of the protocol's token in US dollars.",
  ),
  fdvUsd: field.number(
    "fdv",
    "Market capitalization of the protocol's token at full supply, in US dollars.",
  ),
  url: field.of(
    items.requiredText("URL of the protocol on DefiLlama."),
    ({ slug }: Protocol) => `https://defillama.com/protocol/${slug}`,
  ),
  websiteUrl: field.trimmed("url", "URL of the protocol's own site."),
  description: field.trimmed("description", "Description of the protocol."),
  logoUrl: field.trimmed("logo", "URL of the logo."),
  twitter: field.trimmed("twitter", "Username on X."),
  address: field.trimmed("address", "Contract address of the protocol's token."),
  geckoId: field.trimmed("gecko_id", "CoinGecko's ID of the protocol's token."),
  cmcId: field.text("cmcId", "CoinMarketCap's ID of the protocol's token."),
  auditCount: field.integer("audits", "Number of audits."),
  auditLinks: field.texts("audit_links", "Audit reports."),
  auditNote: field.trimmed("audit_note", "Remark on the audits."),
  oracles: field.texts("oracles", "Oracles that the protocol uses."),
  forkedFrom: field.texts("forkedFrom", "Protocols that this one was forked from."),
  parentProtocol: field.trimmed("parentProtocol", "ID of the parent protocol."),
  listedAt: field.unixTime("listedAt", "Time of listing (ISO 8601, UTC)."),
})

export default defineScraper({
  slug: "defillama-scraper",
  name: "DefiLlama",
  tagline: "Total value locked of DeFi protocols, by category and chain.",
  notServed: ["coin prices"],
  category: "finance",
  input: {
    protocols: inputs.optionalTexts(
      "Protocol slugs, names or DefiLlama URLs; a parent such as aave returns its child protocols (default: all protocols).",
      { max: 2000 },
    ),
    category: Type.Optional(
      inputs.text("Only protocols of this category, for example Dexes or Lending."),
    ),
    chain: Type.Optional(inputs.text("Only protocols on this chain, for example Ethereum.")),
    maxItems: inputs.count("Maximum protocols", { max: 10_000, or: 100 }),
  },
  item: {
    input: items.text("Protocol as written in the input; null in the list of all protocols."),
    ...naming.fields,
    tvlOnChainUsd: items.number("Value locked on the requested chain in US dollars."),
    ...facts.fields,
  },
  example: { category: "Lending", chain: "Ethereum", maxItems: 10 },
  probe: {
    input: { category: "Lending", chain: "Ethereum", maxItems: 5 },
    expect: [
      "items.length equals 5",
      "items[*].name share 1",
      "items[*].tvlUsd gte 1000000",
      'items[*].category equals "Lending"',
      "?items[*].change1d share 0.6",
    ],
  },
  rateLimit: { "api.llama.fi": { perSecond: 1, concurrency: 1 } },
  targets: ({ protocols }): { input: string | null }[] =>
    protocols?.length ? distinct(protocols).map((input) => ({ input })) : [{ input: null }],
  identify: (target) => ({ input: target.input }),
  maxItems: ({ maxItems }) => maxItems,

  async *scrape({ input }, ctx) {
    const all = await once(ctx, "protocols", () => allProtocols(ctx))
    const named = input === null ? all : protocolsNamed(input, all)
    if (named.length === 0) throw new NotFound(`No such protocol on DefiLlama: "${input}".`)
    const category = ctx.input.category?.trim().toLowerCase()
    for (const protocol of named) {
      const chain = chainOf(protocol, ctx.input)
      const own = textOrNull(protocol.category)?.toLowerCase()
      if (chain === undefined || (category !== undefined && own !== category)) continue
      yield {
        input,
        ...naming.read(protocol),
        ...facts.read(protocol),
        tvlOnChainUsd: chain === null ? null : numberOrNull(protocol.chainTvls?.[chain]),
      }
    }
  },
})

const isText = (value: unknown) => typeof value === "string" && value.trim() !== ""

async function allProtocols(ctx: Context): Promise<Protocol[]> {
  const all = await busyIsRateLimit(
    ctx.json<Protocol[]>("https://api.llama.fi/protocols", { maxBytes: 60 * 1024 * 1024 }),
  )
  const readable = Array.isArray(all)
    ? all.filter((protocol) => isText(protocol?.name) && isText(protocol.slug))
    : []
  if (readable.length === 0) throw new Changed("DefiLlama's response is not a list of protocols.")
  return readable
}

/** Returns the protocol with a slug or name, or the children of a parent. */
function protocolsNamed(target: string, all: Protocol[]): Protocol[] {
  const address = /defillama\.com\/protocol\/([^?]+?)\/?(?:[?#].*)?$/i.exec(target)
  const name = (address ? decodedPath(address[1]!) : target).trim().toLowerCase()
  const direct = all.filter((protocol) => protocol.slug.toLowerCase() === name)
  if (direct.length > 0) return direct
  const byName = all.filter((protocol) => protocol.name.toLowerCase() === name)
  if (byName.length > 0) return byName
  const parent = name.startsWith("parent#") ? name : `parent#${name.replaceAll(" ", "-")}`
  return all.filter((protocol) => textOrNull(protocol.parentProtocol)?.toLowerCase() === parent)
}

/** Returns the requested chain: null if none is, undefined if the protocol is not on it. */
function chainOf(protocol: Protocol, { chain }: { chain?: string }): string | null | undefined {
  if (chain === undefined) return null
  const wanted = chain.trim().toLowerCase()
  return textList(protocol.chains).find((name) => name.toLowerCase() === wanted)
}
