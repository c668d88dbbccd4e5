import type { SQL } from "bun"
import type { Acknowledged, Counted } from "./mixed-load.ts"

export interface ReadBack {
  runs: number
  items: number
  /** Runs that were acknowledged, and are not in the database or did not succeed. */
  lost: string[]
  /** Missing or failed items of acknowledged runs, and the number of expected items. */
  missing: number
  tooMany: number
  /** Several runs for the same request. */
  twice: number
  /** Requests that were rejected or lost with the connection, but whose run exists. */
  refusedThoughMade: string[]
  /** Charged credits according to the runs, the ledger, the balance and the usage. */
  credits: Record<"charged" | "ledger" | "balance" | "used", number>
}

export interface KeylessResult {
  status: string
  itemCount: number
  error?: { message: string }
}

interface StoredRun {
  id: string
  status: string
  why: string | null
  n: number
  items: number
  errors: number
}

/** Compares the responses that clients got with the content of the database. */
export async function readBack(
  database: SQL,
  { acknowledged, refused }: Counted,
  resultOf: (resultUrl: string) => Promise<KeylessResult>,
): Promise<ReadBack> {
  const rows: StoredRun[] = await database`
    SELECT id, status, coalesce(error_message, status_message) AS why,
      substring(input from '//[^/]*/([0-9]+)/')::int AS n,
      (SELECT count(*)::int FROM items WHERE run_n = runs.n AND is_error = 0) AS items,
      (SELECT count(*)::int FROM items WHERE run_n = runs.n AND is_error = 1) AS errors
    FROM runs`
  const byId = new Map(rows.map((row) => [row.id, row]))
  const calls = Map.groupBy(rows, ({ n }) => n)
  const back = { lost: [] as string[], missing: 0, tooMany: 0 }
  const compare = (items: number, expected: Acknowledged) => {
    back.missing += Math.max(0, expected.items - items)
    back.tooMany += Math.max(0, items - expected.items)
  }
  for (const one of acknowledged) {
    if (one.resultUrl !== undefined) {
      const { status, itemCount, error } = await resultOf(one.resultUrl)
      if (status !== "SUCCEEDED") back.lost.push(`${one.n}: ${status}, ${error?.message}`)
      else compare(itemCount, one)
      continue
    }
    const row = byId.get(one.id!)
    if (row?.status !== "succeeded") {
      back.lost.push(`${one.id}: ${row ? `${row.status}, ${row.why}` : "is not there"}`)
    } else compare(row.items + row.errors, one)
    back.missing += row?.errors ?? 0
  }
  const [credits] = await database`
    SELECT (SELECT sum(credits_charged)::int FROM runs) AS charged,
      (SELECT -sum(amount)::int FROM ledger WHERE run_id IS NOT NULL) AS ledger,
      (SELECT sum(amount)::int FROM ledger) - (SELECT sum(balance)::int FROM accounts) AS balance,
      (SELECT sum(credits)::int FROM usage_days) AS used`
  return {
    runs: rows.length,
    items: rows.reduce((sum, { items }) => sum + items, 0),
    ...back,
    twice: [...calls.values()].filter(({ length }) => length > 1).length,
    refusedThoughMade: refused.filter(({ n }) => calls.has(n)).map(({ response }) => response),
    credits,
  }
}
