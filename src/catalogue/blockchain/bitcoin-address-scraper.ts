import { distinct } from "../../extract/core/index.ts"
import {
  BadInput,
  defineScraper,
  field,
  inputs,
  items,
  nullable,
  orNull,
  record,
  required,
} from "../kit/index.ts"
import { addressSummary, newestTransactions, type Transaction } from "./explorers.ts"

const satsPerBitcoin = 1e8
const sats = (description: string) => items.requiredInteger(`${description}, in satoshi.`)

const transaction = record({
  txid: required(field.text("txid", "ID (hash) of the transaction.")),
  confirmed: field.flag("status.confirmed", "Whether the transaction is in a block."),
  blockHeight: field.integer(
    "status.block_height",
    "Height of the transaction's block; null while unconfirmed.",
  ),
  blockHash: field.text("status.block_hash", "Hash of the transaction's block."),
  time: field.unixTime("status.block_time", "Time of the transaction's block (ISO 8601, UTC)."),
  feeSats: field.integer("fee", "Fee in satoshis."),
  sizeBytes: field.integer("size", "Size in bytes."),
  weight: field.integer("weight", "Size in weight units (WU), by which fees are computed."),
  isCoinbase: field.boolean(
    ({ vin }: Transaction) => vin.some((spent) => spent.is_coinbase === true),
    "Whether the transaction creates new coins.",
  ),
  netSats: field.of(
    items.requiredInteger(
      "Amount in satoshis that the Bitcoin address gained in the transaction (negative: lost).",
    ),
    netSats,
  ),
  inputs: field.objects(
    ({ vin }: Transaction) => vin.map(({ prevout }) => prevout ?? {}),
    "Inputs: outputs of earlier transactions that this one spends.",
    {
      address: field.text(
        "scriptpubkey_address",
        "Bitcoin address that the amount came from; null if there is none.",
      ),
      valueSats: field.integer("value", "Amount, in satoshi; null for new coins."),
    },
  ),
  outputs: field.objects("vout", "Outputs.", {
    address: field.text(
      "scriptpubkey_address",
      "Bitcoin address that received the amount; null if there is none.",
    ),
    valueSats: required(field.integer("value", "Amount, in satoshi.")),
    type: field.text(
      "scriptpubkey_type",
      "Type of output script, for example p2pkh; null if unknown.",
    ),
  }),
  url: field.of(
    items.requiredText("URL of the transaction in a block explorer."),
    ({ txid }: Transaction) => `https://mempool.space/tx/${txid}`,
  ),
})

const addressRecord = record({
  address: items.requiredText("The Bitcoin address; bech32 in lower case."),
  input: items.requiredText("Bitcoin address as written in the input."),
  url: items.requiredText("URL of the Bitcoin address in a block explorer."),
  balanceSats: sats("Confirmed balance"),
  balanceBtc: items.requiredNumber("Confirmed balance in bitcoin."),
  totalReceivedSats: sats("Total amount received"),
  totalSentSats: sats("Total amount sent"),
  transactionCount: items.requiredInteger("Number of confirmed transactions."),
  receivedOutputCount: items.integer(
    "Number of received outputs; null if the explorer does not count them.",
  ),
  spentOutputCount: items.integer(
    "Number of spent outputs; null if the explorer does not count them.",
  ),
  unconfirmedBalanceSats: sats("Change of the balance by unconfirmed transactions"),
  unconfirmedTransactionCount: items.requiredInteger("Number of unconfirmed transactions."),
  addressType: items.text("p2pkh, p2sh, p2wpkh, p2wsh or p2tr."),
  transactions: nullable(
    items.objects("Newest transactions; null unless requested.", transaction.fields),
  ),
})

export default defineScraper({
  slug: "bitcoin-address-scraper",
  name: "Bitcoin Addresses",
  tagline: "Balance, totals and recent transactions of Bitcoin addresses.",
  notServed: ["price of bitcoin", "other coins"],
  category: "finance",
  input: {
    addresses: inputs.texts(
      "Bitcoin addresses (1…, 3…, bc1…), bitcoin: links, or block explorer URLs.",
      { max: 500 },
    ),
    includeTransactions: inputs.flag("Whether to include the newest transactions."),
    maxTransactions: inputs.count("Maximum transactions per Bitcoin address", { max: 50, or: 25 }),
  },
  item: addressRecord,
  example: { addresses: ["1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa"] },
  probe: {
    expect: [
      "items.length equals 1",
      "items[0].totalReceivedSats gte 5000000000",
      "items[0].transactionCount gte 1000",
      "items[0].totalSentSats equals 0",
    ],
  },
  rateLimit: {
    "mempool.space": { perSecond: 1, concurrency: 1 },
    "blockstream.info": { perSecond: 1, concurrency: 1 },
    // blockchain.info requires ten seconds between requests.
    "blockchain.info": { perSecond: 0.1, concurrency: 1 },
  },
  unverified: ["blockchain.info"],
  targets: ({ addresses }) => distinct(addresses),

  async *scrape(target, ctx) {
    const address = bitcoinAddress(target)
    const { chain_stats: chain, mempool_stats: pending } = await addressSummary(ctx, address)
    const balance = chain.funded_txo_sum - chain.spent_txo_sum
    const transactions = ctx.input.includeTransactions
      ? await orNull(ctx, `transactions of ${address}`, () =>
          newestTransactions(ctx, address, chain.tx_count, ctx.input.maxTransactions),
        )
      : null
    yield addressRecord.read({
      address,
      input: target,
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
      transactions: transactions?.map((seen) => transaction.read({ ...seen, address })) ?? null,
    })
  },
})

/** Returns the Bitcoin address in a user's input, bech32 in lower case. */
function bitcoinAddress(target: string): string {
  const plain = target
    .trim()
    .replace(/^.*\/address\//i, "")
    .replace(/^bitcoin:(?:\/\/)?/i, "")
    .replace(/[/?#].*$/s, "")
  const address = /^bc1/i.test(plain) ? plain.toLowerCase() : plain
  if (!/^(?:[13][1-9A-HJ-NP-Za-km-z]{25,34}|bc1[02-9ac-hj-np-z]{11,71})$/.test(address)) {
    throw new BadInput(`"${target}" is not a Bitcoin address. Addresses begin with 1, 3 or bc1.`)
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

function netSats({ address, vin, vout }: Transaction & { address: string }): number {
  const sum = (outputs: (Transaction["vout"][number] | null)[]) =>
    outputs.reduce(
      (total, output) => total + (output?.scriptpubkey_address === address ? output.value : 0),
      0,
    )
  return sum(vout) - sum(vin.map(({ prevout }) => prevout))
}
