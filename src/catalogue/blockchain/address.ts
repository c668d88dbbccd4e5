/** A Bitcoin address and its transactions, in the format of Esplora. */

export interface Totals {
  /** Null if an explorer does not count outputs. */
  funded_txo_count: number | null
  spent_txo_count: number | null
  funded_txo_sum: number
  spent_txo_sum: number
  tx_count: number
}

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
