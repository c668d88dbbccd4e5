import { objectList } from "../../extract/core/index.ts"
import { Changed, type Context } from "../kit/index.ts"
import type { AddressSummary, Transaction } from "./address.ts"

const maxTransactions = 50

interface Put {
  addr?: string
  value: number
}

interface RawTransaction {
  hash: string
  /** Null while unconfirmed. */
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

const isPending = (tx: RawTransaction) => typeof tx.block_height !== "number"

async function rawAddress(ctx: Context, address: string): Promise<RawAddress> {
  const body = await ctx.json<Partial<RawAddress> | null>(
    `https://blockchain.info/rawaddr/${address}`,
    { query: { limit: maxTransactions }, retries: 1 },
  )
  const totals = [body?.n_tx, body?.total_received, body?.total_sent]
  const txs = objectList(body?.txs).filter(
    (tx) => tx.hash && Array.isArray(tx.inputs) && Array.isArray(tx.out),
  )
  const isWhole =
    totals.every((total) => typeof total === "number") &&
    Array.isArray(body?.txs) &&
    (txs.length > 0 || body.txs.length === 0)
  if (!isWhole)
    throw new Changed("blockchain.info's response has no totals of the Bitcoin address.")
  return {
    ...(body as RawAddress),
    txs: txs.map((tx) => ({ ...tx, inputs: objectList(tx.inputs), out: objectList(tx.out) })),
  }
}

/**
 * Returns the totals of a Bitcoin address. blockchain.info includes unconfirmed transactions, so
 * they are subtracted.
 */
export async function summaryOf(ctx: Context, address: string): Promise<AddressSummary> {
  const result = await rawAddress(ctx, address)
  const pending = result.txs.filter(isPending)
  if (pending.length === maxTransactions) {
    throw new Changed(
      "blockchain.info returned only unconfirmed transactions, so the confirmed totals are unknown.",
    )
  }
  const sum = (puts: (Put | null | undefined)[]) => {
    const own = puts.flatMap((put) => (put?.addr === address ? [put.value] : []))
    if (own.some((value) => typeof value !== "number")) {
      throw new Changed("blockchain.info's response has an unconfirmed output without a value.")
    }
    return own.reduce((total, value) => total + value, 0)
  }
  const received = sum(pending.flatMap(({ out }) => out))
  const sent = sum(pending.flatMap(({ inputs }) => inputs.map(({ prev_out: put }) => put)))
  const unknown = { funded_txo_count: null, spent_txo_count: null }
  return {
    address,
    chain_stats: {
      ...unknown,
      funded_txo_sum: result.total_received - received,
      spent_txo_sum: result.total_sent - sent,
      tx_count: result.n_tx - pending.length,
    },
    mempool_stats: {
      ...unknown,
      funded_txo_sum: received,
      spent_txo_sum: sent,
      tx_count: pending.length,
    },
  }
}

/** Returns the newest transactions in the format of Esplora, without the missing fields. */
export async function transactionsOf(ctx: Context, address: string): Promise<Transaction[]> {
  const { txs } = await rawAddress(ctx, address)
  return txs.map((tx) => ({
    txid: tx.hash,
    vin: tx.inputs.map(({ prev_out: put }) =>
      put ? { prevout: output(put) } : { prevout: null, is_coinbase: true },
    ),
    vout: tx.out.map(output),
    ...(tx.size === undefined ? {} : { size: tx.size }),
    ...(tx.weight === undefined ? {} : { weight: tx.weight }),
    ...(tx.fee === undefined ? {} : { fee: tx.fee }),
    status: {
      confirmed: !isPending(tx),
      ...(typeof tx.block_height === "number" ? { block_height: tx.block_height } : {}),
    },
  }))
}

const output = ({ addr, value }: Put) => ({
  value,
  ...(addr === undefined ? {} : { scriptpubkey_address: addr }),
})
