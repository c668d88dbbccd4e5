import type { Db } from "../db/database.ts"
import { asMade, type Listed, listed, type Page } from "../db/page.ts"

export const targetStates = ["queued", "running", "done", "failed"] as const
export type TargetState = (typeof targetStates)[number]

export interface ListedTarget {
  seq: number
  /** The target as text; for long targets, their key. */
  target: string
  state: TargetState
  fetchMethod: string | null
  /** JSON of the target's last error item. */
  error: string | null
}

/** Returns a page of a run's targets in order, of one state or of all. */
export async function targetPage(
  db: Db,
  { runN, state }: { runN: number; state?: TargetState | undefined },
  page: Page,
): Promise<Listed<ListedTarget>> {
  const query = db
    .selectFrom("targets")
    .select(["seq", "key", "target", "state", "fetch_method"])
    .where("run_n", "=", runN)
    .$if(state !== undefined, (some) => some.where("state", "=", state!))
  const { rows, ...rest } = await listed(query, page, "seq", asMade)
  const errors = await errorsOf(
    db,
    runN,
    rows.filter((row) => row.state === "failed").map(({ seq }) => seq),
  )
  return {
    rows: rows.map(({ seq, key, target, state, fetch_method }) => ({
      seq,
      target: textOf(target) ?? key,
      state,
      fetchMethod: fetch_method,
      error: errors.get(seq) ?? null,
    })),
    ...rest,
  }
}

function textOf(target: string): string | undefined {
  const value = JSON.parse(target) as unknown
  return typeof value === "string" ? value : undefined
}

async function errorsOf(db: Db, runN: number, seqs: number[]): Promise<Map<number, string>> {
  if (seqs.length === 0) return new Map()
  const rows = await db
    .selectFrom("items")
    .select(["seq", "body"])
    .where("run_n", "=", runN)
    .where("seq", "in", seqs)
    .where("is_error", "=", 1)
    .execute()
  return new Map(rows.map(({ seq, body }) => [seq, body]))
}
