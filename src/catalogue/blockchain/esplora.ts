import {
  BadInput,
  Changed,
  type Context,
  NotFound,
  type Outcome,
  orNull,
  UpstreamError,
} from "../kit/index.ts"

/** Public instances of the Esplora API, the first to be asked first. */
const instances = ["https://mempool.space/api", "https://blockstream.info/api"]

const totals = [
  "funded_txo_count",
  "funded_txo_sum",
  "spent_txo_count",
  "spent_txo_sum",
  "tx_count",
] as const

type Totals = Record<(typeof totals)[number], number>

const complete = (stats: Partial<Totals> | undefined): boolean =>
  totals.every((name) => typeof stats?.[name] === "number")

export interface AddressSummary {
  address: string
  chain_stats: Totals
  mempool_stats: Totals
}

interface Output {
  scriptpubkey_type?: string
  scriptpubkey_address?: string
  value: number
}

export interface Transaction {
  txid: string
  vin: { prevout: Output | null; is_coinbase?: boolean }[]
  vout: Output[]
  size?: number
  weight?: number
  fee?: number
  status: {
    confirmed: boolean
    block_height?: number
    block_hash?: string
    block_time?: number
  }
}

export async function addressSummary(ctx: Context, address: string): Promise<AddressSummary> {
  return fromAnyInstance(ctx, async (base) => {
    const summary = await ask<AddressSummary>(ctx, `${base}/address/${address}`)
    if (!complete(summary?.chain_stats) || !complete(summary.mempool_stats)) {
      throw new Changed("The answer holds no totals of the address.")
    }
    return summary
  })
}

/**
 * The newest transactions, unconfirmed ones first; `confirmed` is how many the chain has. A later
 * page that fails leaves those of the pages before it.
 */
export async function newestTransactions(
  ctx: Context,
  address: string,
  confirmed: number,
  limit: number,
): Promise<Transaction[]> {
  return fromAnyInstance(ctx, async (base) => {
    const found = new Map<string, Transaction>()
    let path = `${base}/address/${address}/txs`
    for (;;) {
      const asking = () => transactionsAt(ctx, path)
      const page = await (found.size === 0 ? asking() : orNull(ctx, "older transactions", asking))
      if (page === null) return [...found.values()]
      const known = found.size
      for (const transaction of page) found.set(transaction.txid, transaction)
      const onChain = [...found.values()].filter(({ status }) => status.confirmed)
      const whole = onChain.length >= confirmed || found.size === known
      if (whole || found.size >= limit) return [...found.values()].slice(0, limit)
      path = `${base}/address/${address}/txs/chain/${onChain.at(-1)?.txid ?? ""}`
    }
  })
}

async function transactionsAt(ctx: Context, url: string): Promise<Transaction[]> {
  const page = await ask<Transaction[]>(ctx, url)
  if (!Array.isArray(page) || !page.every(readable)) {
    throw new Changed("The answer is no list of transactions.")
  }
  return page
}

function readable(one: Partial<Transaction> | null): boolean {
  return typeof one?.txid === "string" && Array.isArray(one.vin) && Array.isArray(one.vout)
}

/** Asks one instance after the other; what the address itself lacks is not asked twice. */
async function fromAnyInstance<T>(ctx: Context, ask: (base: string) => Promise<T>): Promise<T> {
  const own = ctx.secret("BITCOIN_ESPLORA_URL")
  let first: unknown
  for (const base of own ? [own.replace(/\/+$/, "")] : instances) {
    try {
      return await ask(base)
    } catch (error) {
      ctx.signal.throwIfAborted()
      if (error instanceof BadInput || error instanceof NotFound) throw error
      first ??= error
      ctx.log(`${new URL(base).host}: ${(error as Outcome).message}`, "warning")
    }
  }
  throw first
}

async function ask<T>(ctx: Context, url: string): Promise<T> {
  const answer = await ctx.get(url, { accept: [400], retries: 1 })
  if (answer.status !== 400) return answer.json<T>()
  const reason = answer.text().trim().slice(0, 200)
  const details = { url, statusCode: 400 }
  if (/too many/i.test(reason)) throw new UpstreamError(`The node refuses: ${reason}`, details)
  throw new BadInput(`The node refuses the address: ${reason}`, details)
}
