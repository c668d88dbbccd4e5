import { Type } from "@sinclair/typebox"
import { isoFromUnix } from "../../extract/dates.ts"
import { distinct } from "../../extract/text.ts"
import { orNull } from "../calls.ts"
import { defineScraper } from "../define.ts"
import {
  booleanField,
  inputObject,
  integerField,
  itemObject,
  nullable,
  textField,
} from "../fields.ts"
import { BadInput } from "../outcome.ts"
import { addressSummary, newestTransactions, type Transaction } from "./esplora.ts"

const satsPerBitcoin = 1e8
const sats = (description: string) => Type.Integer({ description: `${description}, in satoshi.` })

const transaction = itemObject({
  txid: Type.String(),
  confirmed: Type.Boolean(),
  blockHeight: integerField("Height of its block; null while unconfirmed."),
  blockHash: textField("Hash of its block."),
  time: textField("Time of its block (ISO 8601, UTC)."),
  feeSats: integerField("Fee."),
  sizeBytes: integerField("Size."),
  weight: integerField("Weight units."),
  isCoinbase: booleanField("It creates new coins."),
  netSats: Type.Integer({ description: "What the address gained (or, negative, lost) by it." }),
  inputs: Type.Array(
    itemObject({ address: nullable(Type.String()), valueSats: nullable(Type.Integer()) }),
  ),
  outputs: Type.Array(
    itemObject({
      address: nullable(Type.String()),
      valueSats: Type.Integer(),
      type: nullable(Type.String()),
    }),
  ),
  url: Type.String(),
})

export default defineScraper({
  slug: "bitcoin-address-scraper",
  name: "Bitcoin Addresses",
  tagline: "Balance, totals and recent transactions of Bitcoin addresses.",
  category: "finance",
  tier: "free",
  input: inputObject({
    addresses: Type.Array(Type.String({ minLength: 1 }), {
      minItems: 1,
      maxItems: 500,
      description:
        "Addresses (1…, 3…, bc1…), bitcoin: links, or explorer addresses with /address/{address}.",
    }),
    includeTransactions: Type.Optional(
      Type.Boolean({ default: false, description: "Adds the newest transactions." }),
    ),
    maxTransactions: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 50,
        default: 25,
        description: "Most transactions of each address.",
      }),
    ),
  }),
  item: itemObject({
    address: Type.String({ description: "The address; bech32 in lower case." }),
    input: Type.String({ description: "The address as it was asked for." }),
    url: Type.String({ description: "The address in a block explorer." }),
    balanceSats: sats("Confirmed balance"),
    balanceBtc: Type.Number({ description: "Confirmed balance, in bitcoin." }),
    totalReceivedSats: sats("All that was ever received"),
    totalSentSats: sats("All that was ever sent"),
    transactionCount: Type.Integer({ description: "Confirmed transactions." }),
    receivedOutputCount: Type.Integer({ description: "Outputs received." }),
    spentOutputCount: Type.Integer({ description: "Outputs spent." }),
    unconfirmedBalanceSats: sats("Change of the balance by unconfirmed transactions"),
    unconfirmedTransactionCount: Type.Integer({ description: "Unconfirmed transactions." }),
    addressType: textField("p2pkh, p2sh, p2wpkh, p2wsh or p2tr."),
    transactions: nullable(
      Type.Array(transaction, { description: "Newest transactions; null unless asked for." }),
    ),
  }),
  example: { addresses: ["1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa"] },
  pace: {
    "mempool.space": { perSecond: 1, concurrency: 1 },
    "blockstream.info": { perSecond: 1, concurrency: 1 },
  },
  targets: ({ addresses }) => distinct(addresses),

  async *scrape(input, ctx) {
    const address = bitcoinAddress(input)
    const { chain_stats: chain, mempool_stats: pending } = await addressSummary(ctx, address)
    const balance = chain.funded_txo_sum - chain.spent_txo_sum
    const transactions = ctx.input.includeTransactions
      ? await orNull(ctx, `transactions of ${address}`, () =>
          newestTransactions(ctx, address, chain.tx_count, ctx.input.maxTransactions ?? 25),
        )
      : null
    yield {
      address,
      input,
      url: `https://mempool.space/address/${address}`,
      balanceSats: balance,
      balanceBtc: balance / satsPerBitcoin,
      totalReceivedSats: chain.funded_txo_sum,
      totalSentSats: chain.spent_txo_sum,
      transactionCount: chain.tx_count,
      receivedOutputCount: chain.funded_txo_count,
      spentOutputCount: chain.spent_txo_count,
      unconfirmedBalanceSats: pending.funded_txo_sum - pending.spent_txo_sum,
      unconfirmedTransactionCount: pending.tx_count,
      addressType: typeOf(address),
      transactions: transactions?.map((one) => seenFrom(address, one)) ?? null,
    }
  },
})

/** The bare address in what users write, bech32 in lower case. */
function bitcoinAddress(input: string): string {
  const bare = input
    .trim()
    .replace(/^.*\/address\//i, "")
    .replace(/^bitcoin:(?:\/\/)?/i, "")
    .replace(/[/?#].*$/s, "")
  const address = /^bc1/i.test(bare) ? bare.toLowerCase() : bare
  if (!/^(?:[13][1-9A-HJ-NP-Za-km-z]{25,34}|bc1[02-9ac-hj-np-z]{11,71})$/.test(address)) {
    throw new BadInput(`"${input}" is not a Bitcoin address; they begin with 1, 3 or bc1.`)
  }
  return address
}

function typeOf(address: string): string | null {
  if (address.startsWith("1")) return "p2pkh"
  if (address.startsWith("3")) return "p2sh"
  if (address.startsWith("bc1p")) return "p2tr"
  if (address.length === 42) return "p2wpkh"
  return address.length === 62 ? "p2wsh" : null
}

function seenFrom(address: string, one: Transaction) {
  const sum = (outputs: (Transaction["vout"][number] | null)[]) =>
    outputs.reduce(
      (total, output) => total + (output?.scriptpubkey_address === address ? output.value : 0),
      0,
    )
  return {
    txid: one.txid,
    confirmed: one.status.confirmed,
    blockHeight: one.status.block_height ?? null,
    blockHash: one.status.block_hash ?? null,
    time: isoFromUnix(one.status.block_time),
    feeSats: one.fee ?? null,
    sizeBytes: one.size ?? null,
    weight: one.weight ?? null,
    isCoinbase: one.vin.some((input) => input.is_coinbase === true),
    netSats: sum(one.vout) - sum(one.vin.map((input) => input.prevout)),
    inputs: one.vin.map(({ prevout }) => ({
      address: prevout?.scriptpubkey_address ?? null,
      valueSats: prevout?.value ?? null,
    })),
    outputs: one.vout.map((output) => ({
      address: output.scriptpubkey_address ?? null,
      valueSats: output.value,
      type: output.scriptpubkey_type ?? null,
    })),
    url: `https://mempool.space/tx/${one.txid}`,
  }
}
