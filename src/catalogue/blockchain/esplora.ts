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
import type { AddressSummary, Totals, Transaction } from "./address.ts"
import { summaryOf, transactionsOf } from "./blockchain-info.ts"

/** Public instances of the Esplora API in the order of use. */
const instances = ["https://mempool.space/api", "https://blockstream.info/api"]

const totals = [
  "funded_txo_count",
  "funded_txo_sum",
  "spent_txo_count",
  "spent_txo_sum",
  "tx_count",
] as const

const complete = (stats: Partial<Totals> | undefined): boolean =>
  totals.every((name) => typeof stats?.[name] === "number")

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
  const transactions = objectList(page).filter(readable)
  if (!Array.isArray(page) || (page.length > 0 && transactions.length === 0)) {
    throw new Changed("The explorer's response is not a list of transactions.")
  }
  return transactions.map((tx) => ({ ...tx, vin: objectList(tx.vin), vout: objectList(tx.vout) }))
}

function readable(tx: Partial<Transaction> | null): boolean {
  return typeof tx?.txid === "string" && Array.isArray(tx.vin) && Array.isArray(tx.vout)
}

/**
 * Calls one instance after the other, then another explorer. A rejected Bitcoin address is not
 * tried again.
 */
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
