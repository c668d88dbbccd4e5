import { Changed, type Context } from "../kit/index.ts"
import type { AddressSummary, Transaction } from "./address.ts"

/** The most transactions that it gives at once. */
const mostTransactions = 50

interface Put {
  addr?: string
  value: number
}

interface RawTransaction {
  hash: string
  /** Null while it is in no block. */
  block_height?: number | null
  size?: number
  weight?: number
  fee?: number
  inputs: { prev_out?: Put | null }[]
  out: Put[]
}

interface RawAddress {
  n_tx: number
  total_received: number
  total_sent: number
  txs: RawTransaction[]
}

const isPending = (one: RawTransaction) => typeof one.block_height !== "number"

async function rawAddress(ctx: Context, address: string): Promise<RawAddress> {
  const found = await ctx.json<Partial<RawAddress> | null>(
    `https://blockchain.info/rawaddr/${address}`,
    { query: { limit: mostTransactions }, retries: 1 },
  )
  const totals = [found?.n_tx, found?.total_received, found?.total_sent]
  const isWhole =
    totals.every((total) => typeof total === "number") &&
    Array.isArray(found?.txs) &&
    found.txs.every((one) => one?.hash && Array.isArray(one.inputs) && Array.isArray(one.out))
  if (!isWhole) throw new Changed("blockchain.info gives no totals of the address.")
  return found as RawAddress
}

/** The totals of an address. Its own hold what is in no block yet, which is taken out again here. */
export async function summaryOf(ctx: Context, address: string): Promise<AddressSummary> {
  const found = await rawAddress(ctx, address)
  const pending = found.txs.filter(isPending)
  if (pending.length === mostTransactions) {
    throw new Changed("blockchain.info shows unconfirmed transactions alone: no confirmed totals.")
  }
  const sum = (puts: (Put | null | undefined)[]) =>
    puts.reduce((total, put) => total + (put?.addr === address ? put.value : 0), 0)
  const received = sum(pending.flatMap(({ out }) => out))
  const sent = sum(pending.flatMap(({ inputs }) => inputs.map(({ prev_out: put }) => put)))
  const unknown = { funded_txo_count: null, spent_txo_count: null }
  return {
    address,
    chain_stats: {
      ...unknown,
      funded_txo_sum: found.total_received - received,
      spent_txo_sum: found.total_sent - sent,
      tx_count: found.n_tx - pending.length,
    },
    mempool_stats: {
      ...unknown,
      funded_txo_sum: received,
      spent_txo_sum: sent,
      tx_count: pending.length,
    },
  }
}

/** The newest transactions, in the form of Esplora; without what it does not tell. */
export async function transactionsOf(ctx: Context, address: string): Promise<Transaction[]> {
  const { txs } = await rawAddress(ctx, address)
  return txs.map((one) => ({
    txid: one.hash,
    vin: one.inputs.map(({ prev_out: put }) =>
      put ? { prevout: output(put) } : { prevout: null, is_coinbase: true },
    ),
    vout: one.out.map(output),
    ...(one.size === undefined ? {} : { size: one.size }),
    ...(one.weight === undefined ? {} : { weight: one.weight }),
    ...(one.fee === undefined ? {} : { fee: one.fee }),
    status: {
      confirmed: !isPending(one),
      ...(typeof one.block_height === "number" ? { block_height: one.block_height } : {}),
    },
  }))
}

const output = ({ addr, value }: Put) => ({
  value,
  ...(addr === undefined ? {} : { scriptpubkey_address: addr }),
})
