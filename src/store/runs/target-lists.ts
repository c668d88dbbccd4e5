import type { Db } from "../database.ts"
import type { Listed, Page } from "../page.ts"

export const targetStates = ["queued", "running", "done", "failed"] as const
export type TargetState = (typeof targetStates)[number]

export interface ListedTarget {
  seq: number
  /** A text; of targets of more than that, the key by which it is known. */
  target: string
  state: TargetState
  way: string | null
  /** JSON of its last error item. */
  error: string | null
}

/** A part of a run's targets, in their order, of one state or of all. */
export async function targetPage(
  db: Db,
  { runN, state }: { runN: number; state?: TargetState | undefined },
  { limit, offset, cursor }: Page,
): Promise<Listed<ListedTarget>> {
  const query = db
    .selectFrom("targets")
    .where("run_n", "=", runN)
    .$if(state !== undefined, (some) => some.where("state", "=", state!))
  const rows = await query
    .select(["seq", "key", "target", "state", "way"])
    .$if(cursor !== undefined, (some) => some.where("seq", ">", Number(cursor)))
    .orderBy("seq")
    // One more tells whether the list goes on.
    .limit(limit + 1)
    .offset(offset)
    .execute()
  const more = rows.splice(limit).length > 0
  const { total } = await query
    .select((row) => row.fn.countAll<number>().as("total"))
    .executeTakeFirstOrThrow()
  const errors = await errorsOf(
    db,
    runN,
    rows.filter((row) => row.state === "failed").map(({ seq }) => seq),
  )
  return {
    rows: rows.map(({ seq, key, target, state, way }) => ({
      seq,
      target: textOf(target) ?? key,
      state,
      way,
      error: errors.get(seq) ?? null,
    })),
    total,
    nextCursor: more ? String(rows.at(-1)!.seq) : null,
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
