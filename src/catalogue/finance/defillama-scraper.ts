import { type Static, Type } from "@sinclair/typebox"
import { isoFromUnix } from "../../extract/dates.ts"
import { integerOrNull, numberOrNull, numberRecord } from "../../extract/numbers.ts"
import { distinct, textList, textOrNull } from "../../extract/text.ts"
import { once } from "../calls.ts"
import type { Context } from "../context.ts"
import { defineScraper } from "../define.ts"
import {
  inputObject,
  integerField,
  itemObject,
  numberField,
  textField,
  textsField,
} from "../fields.ts"
import { busyIsRateLimit, Changed, NotFound } from "../outcome.ts"

const listBytes = 60 * 1024 * 1024

const input = inputObject({
  protocols: Type.Optional(
    Type.Array(Type.String({ minLength: 1 }), {
      maxItems: 2000,
      description:
        "Slugs, names or DefiLlama addresses; a parent such as aave gives its parts. Without any, all protocols.",
    }),
  ),
  category: Type.Optional(
    Type.String({ minLength: 1, description: "Only this category, such as Dexes or Lending." }),
  ),
  chain: Type.Optional(
    Type.String({ minLength: 1, description: "Only protocols on this chain, such as Ethereum." }),
  ),
  maxItems: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 10_000, default: 100, description: "Most protocols." }),
  ),
})

interface Protocol {
  id?: string | number
  name: string
  slug: string
  chains?: string[]
  chainTvls?: Record<string, unknown>
  [field: string]: unknown
}

export default defineScraper({
  slug: "defillama-scraper",
  name: "DefiLlama",
  tagline: "Total value locked of DeFi protocols, by category and chain.",
  category: "finance",
  tier: "free",
  input,
  item: itemObject({
    input: textField("The protocol as it was asked for; null in the list of all."),
    protocolId: textField("DefiLlama's id."),
    name: Type.String({ description: "Name." }),
    slug: Type.String({ description: "Name in addresses." }),
    symbol: textField("Symbol of its token."),
    category: textField("Category."),
    chain: textField("Its chain, or Multi-Chain."),
    chains: textsField("Chains it is on."),
    tvlUsd: numberField("Total value locked, in US dollars."),
    tvlOnChainUsd: numberField("Value locked on the chain that was asked for."),
    chainTvls: Type.Record(Type.String(), Type.Number(), {
      description: "Value locked by chain, and by kind such as staking, borrowed and pool2.",
    }),
    change1h: numberField("Change of the value in an hour, in percent."),
    change1d: numberField("Change of the value in a day, in percent."),
    change7d: numberField("Change of the value in 7 days, in percent."),
    stakingUsd: numberField("Value staked."),
    pool2Usd: numberField("Value in pools of its own token."),
    marketCapUsd: numberField("Market capitalisation of its token."),
    fdvUsd: numberField("Market capitalisation of its token at full supply."),
    url: Type.String({ description: "Its page on DefiLlama." }),
    websiteUrl: textField("Its own site."),
    description: textField("What it is."),
    logo: textField("Logo."),
    twitter: textField("Handle on X."),
    address: textField("Contract of its token."),
    geckoId: textField("Its token's id at CoinGecko."),
    cmcId: textField("Its token's id at CoinMarketCap."),
    auditCount: integerField("Number of audits."),
    auditLinks: textsField("Audit reports."),
    auditNote: textField("Remark on the audits."),
    oracles: textsField("Oracles it relies on."),
    forkedFrom: textsField("Protocols it was forked from."),
    parentProtocol: textField("Id of the protocol it is part of."),
    listedAt: textField("When it was listed (ISO 8601, UTC)."),
  }),
  example: { category: "Lending", chain: "Ethereum", maxItems: 10 },
  pace: { "api.llama.fi": { perSecond: 1, concurrency: 1 } },
  targets: ({ protocols }): { input: string | null }[] =>
    protocols?.length ? distinct(protocols).map((one) => ({ input: one })) : [{ input: null }],
  identify: (target) => ({ input: target.input }),
  maxItems: ({ maxItems }) => maxItems,

  async *scrape({ input }, ctx) {
    const all = await once(ctx, "protocols", () => allProtocols(ctx))
    const named = input === null ? all : protocolsNamed(input, all)
    if (named.length === 0) throw new NotFound(`DefiLlama lists no protocol "${input}".`)
    for (const protocol of named) {
      const chain = chainOf(protocol, ctx.input)
      if (chain !== undefined && hasCategory(protocol, ctx.input)) {
        yield { input, ...described(protocol), tvlOnChainUsd: tvlOn(chain, protocol) }
      }
    }
  },
})

async function allProtocols(ctx: Context): Promise<Protocol[]> {
  const all = await busyIsRateLimit(
    ctx.json<Protocol[]>("https://api.llama.fi/protocols", { maxBytes: listBytes }),
  )
  const readable = Array.isArray(all)
    ? all.filter((one) => typeof one?.name === "string" && typeof one.slug === "string")
    : []
  if (readable.length === 0) throw new Changed("DefiLlama's answer is no list of protocols.")
  return readable
}

/** The protocol of a slug or name, else the parts of a parent. */
function protocolsNamed(input: string, all: Protocol[]): Protocol[] {
  const address = /defillama\.com\/protocol\/([^?]+?)\/?(?:[?#].*)?$/i.exec(input)
  const name = (address ? decodedUri(address[1]!) : input).trim().toLowerCase()
  const direct = all.filter((one) => one.slug.toLowerCase() === name)
  if (direct.length > 0) return direct
  const byName = all.filter((one) => one.name.toLowerCase() === name)
  if (byName.length > 0) return byName
  const parent = name.startsWith("parent#") ? name : `parent#${name.replaceAll(" ", "-")}`
  return all.filter((one) => textOrNull(one.parentProtocol)?.toLowerCase() === parent)
}

function decodedUri(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

function hasCategory(protocol: Protocol, { category }: Static<typeof input>): boolean {
  return (
    category === undefined ||
    textOrNull(protocol.category)?.toLowerCase() === category.trim().toLowerCase()
  )
}

/** The wanted chain as DefiLlama writes it; null when none is wanted, undefined when it lacks it. */
function chainOf(protocol: Protocol, { chain }: Static<typeof input>): string | null | undefined {
  if (chain === undefined) return null
  const wanted = chain.trim().toLowerCase()
  return textList(protocol.chains).find((one) => one.toLowerCase() === wanted)
}

function tvlOn(chain: string | null, protocol: Protocol): number | null {
  return chain === null ? null : numberOrNull(protocol.chainTvls?.[chain])
}

function described(protocol: Protocol) {
  return {
    protocolId: textOrNull(protocol.id),
    name: protocol.name.trim(),
    slug: protocol.slug,
    symbol: protocol.symbol === "-" ? null : trimmed(protocol.symbol),
    category: trimmed(protocol.category),
    chain: trimmed(protocol.chain),
    chains: textList(protocol.chains),
    tvlUsd: numberOrNull(protocol.tvl),
    chainTvls: numberRecord(protocol.chainTvls),
    change1h: numberOrNull(protocol.change_1h),
    change1d: numberOrNull(protocol.change_1d),
    change7d: numberOrNull(protocol.change_7d),
    stakingUsd: numberOrNull(protocol.staking),
    pool2Usd: numberOrNull(protocol.pool2),
    marketCapUsd: numberOrNull(protocol.mcap),
    fdvUsd: numberOrNull(protocol.fdv),
    url: `https://defillama.com/protocol/${protocol.slug}`,
    websiteUrl: trimmed(protocol.url),
    description: trimmed(protocol.description),
    logo: trimmed(protocol.logo),
    twitter: trimmed(protocol.twitter),
    address: trimmed(protocol.address),
    geckoId: trimmed(protocol.gecko_id),
    cmcId: textOrNull(protocol.cmcId),
    auditCount: integerOrNull(protocol.audits),
    auditLinks: textList(protocol.audit_links),
    auditNote: trimmed(protocol.audit_note),
    oracles: textList(protocol.oracles),
    forkedFrom: textList(protocol.forkedFrom),
    parentProtocol: trimmed(protocol.parentProtocol),
    listedAt: isoFromUnix(protocol.listedAt),
  }
}

function trimmed(value: unknown): string | null {
  return textOrNull(value)?.trim() ?? null
}
