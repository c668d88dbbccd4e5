import { objectList } from "../../extract/core/index.ts"
import {
  BadInput,
  Changed,
  type Context,
  NotFound,
  orNull,
  ownUrl,
  type ScrapeError,
  UpstreamError,
} from "../kit/index.ts"

interface Totals {
  /** Null if an explorer does not count outputs. */
  funded_txo_count: number | null
  spent_txo_count: number | null
  funded_txo_sum: number
  spent_txo_sum: number
  tx_count: number
}

/** A Bitcoin address, in the format of Esplora. */
interface AddressSummary {
  address: string
  chain_stats: Totals
  mempool_stats: Totals
}

interface Output {
  scriptpubkey_type?: string
  scriptpubkey_address?: string | undefined
  value: number
}

/** A transaction, in the format of Esplora. */
export interface Transaction {
  txid: string
  vin: { prevout: Output | null; is_coinbase?: boolean }[]
  vout: Output[]
  size?: number
  weight?: number
  fee?: number
  status: { confirmed: boolean; block_height?: number; block_hash?: string; block_time?: number }
}

/** Public instances of the Esplora API in the order of use. */
const instances = ["https://mempool.space/api", "https://blockstream.info/api"]

const outputs = ["funded_txo_count", "funded_txo_sum", "spent_txo_count", "spent_txo_sum"] as const

const complete = (stats: Partial<Totals> | undefined): boolean =>
  [...outputs, "tx_count" as const].every((name) => typeof stats?.[name] === "number")

export async function addressSummary(ctx: Context, address: string): Promise<AddressSummary> {
  const elsewhere = () => summaryOf(ctx, address)
  return fromAnyInstance(ctx, elsewhere, async (base) => {
    const summary = await request<AddressSummary>(ctx, `${base}/address/${address}`)
    if (!complete(summary?.chain_stats) || !complete(summary.mempool_stats)) {
      throw new Changed("The explorer's response has no totals of the Bitcoin address.")
    }
    return summary
  })
}

/**
 * Returns the newest transactions, unconfirmed ones first; `confirmed` is the number on the chain.
 * If a later page fails, returns those of the pages before it.
 */
export async function newestTransactions(
  ctx: Context,
  address: string,
  confirmed: number,
  limit: number,
): Promise<Transaction[]> {
  const elsewhere = async () => (await transactionsOf(ctx, address)).slice(0, limit)
  return fromAnyInstance(ctx, elsewhere, async (base) => {
    const byKey = new Map<string, Transaction>()
    let path = `${base}/address/${address}/txs`
    for (;;) {
      const pending = () => transactionsAt(ctx, path)
      const page = await (byKey.size === 0 ? pending() : orNull(ctx, "older transactions", pending))
      if (page === null) return [...byKey.values()]
      const known = byKey.size
      for (const transaction of page) byKey.set(transaction.txid, transaction)
      const onChain = [...byKey.values()].filter(({ status }) => status.confirmed)
      const whole = onChain.length >= confirmed || byKey.size === known
      if (whole || byKey.size >= limit) return [...byKey.values()].slice(0, limit)
      path = `${base}/address/${address}/txs/chain/${onChain.at(-1)?.txid ?? ""}`
    }
  })
}

async function transactionsAt(ctx: Context, url: string): Promise<Transaction[]> {
  const page = await request<Transaction[]>(ctx, url)
  const transactions = objectList(page).filter(
    (tx) => typeof tx.txid === "string" && Array.isArray(tx.vin) && Array.isArray(tx.vout),
  )
  if (!Array.isArray(page) || (page.length > 0 && transactions.length === 0)) {
    throw new Changed("The explorer's response is not a list of transactions.")
  }
  return transactions.map((tx) => ({ ...tx, vin: objectList(tx.vin), vout: objectList(tx.vout) }))
}

/** Calls one explorer after the other. A rejected Bitcoin address is not tried again. */
async function fromAnyInstance<T>(
  ctx: Context,
  elsewhere: () => Promise<T>,
  request: (base: string) => Promise<T>,
): Promise<T> {
  const own = ownUrl("BITCOIN_ESPLORA_URL", ctx.secret("BITCOIN_ESPLORA_URL"))?.href
  const bases = own ? [own.replace(/\/+$/, "")] : instances
  const places = bases.map((base) => ({ host: new URL(base).host, open: () => request(base) }))
  if (!own) places.push({ host: "blockchain.info", open: elsewhere })
  let first: unknown
  for (const { host, open } of places) {
    try {
      return await open()
    } catch (error) {
      ctx.signal.throwIfAborted()
      if (error instanceof BadInput || error instanceof NotFound) throw error
      first ??= error
      ctx.replaced(error)
      ctx.log(`${host}: ${(error as ScrapeError).message}`, "warning")
    }
  }
  throw first
}

async function request<T>(ctx: Context, url: string): Promise<T> {
  const response = await ctx.get(url, { accept: [400], retries: 1 })
  if (response.status !== 400) return response.json<T>()
  const reason = response.text().trim().slice(0, 200)
  const details = { url, statusCode: 400 }
  if (/too many/i.test(reason))
    throw new UpstreamError(`The node refuses the request: ${reason}`, details)
  throw new BadInput(`The node rejects the Bitcoin address: ${reason}`, details)
}

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

/** Returns the totals without the unconfirmed transactions, which blockchain.info includes. */
async function summaryOf(ctx: Context, address: string): Promise<AddressSummary> {
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
async function transactionsOf(ctx: Context, address: string): Promise<Transaction[]> {
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

const output = ({ addr, value }: Put) => ({ value, scriptpubkey_address: addr })
