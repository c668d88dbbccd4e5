import { asRow, type FieldLocation } from "../../../base/own-fields.ts"
import { openTarget } from "../../../store/automation/job-hooks.ts"
import type { Db } from "../../../store/db/database.ts"
import { type ItemPosition, storedItems } from "../../../store/runs/items.ts"
import { isOver } from "../../../store/runs/runs.ts"
import { TargetSet } from "../../../store/runs/target-set.ts"
import type { RunRow } from "../../../store/tables/schema.ts"
import type { DeliveredItem, Part, Sink } from "./model/sink.ts"

/** The targets of one pass: finished after the previous pass started and before the next. */
interface PassTargets {
  settled: string | null
  nextSettled: string | null
}

interface PartRequest {
  run: Pick<RunRow, "n" | "status">
  targets: PassTargets
  own: readonly FieldLocation[]
  from: ItemPosition
  bounds: Sink["bounds"]
  /** The end of a part that may already have been sent. */
  planned: ItemPosition | undefined
}

const isBeyond = (one: ItemPosition, other: ItemPosition) =>
  one.seq > other.seq || (one.seq === other.seq && one.idx > other.idx)

/**
 * Reads the next items of a run, without error items. While the run continues, they end before the
 * first unfinished target, so that no item is skipped.
 */
export async function nextPart(db: Db, request: PartRequest): Promise<Part> {
  const { run, targets, own, from, bounds, planned } = request
  const before = targets.settled === null ? undefined : TargetSet.parse(targets.settled)
  const after = targets.nextSettled === null ? undefined : TargetSet.parse(targets.nextSettled)
  const open = isOver(run.status)
    ? undefined
    : await openTarget(db, { runN: run.n, from: Math.max(0, from.seq) })
  const items: DeliveredItem[] = []
  let to = from
  let characters = 0
  for await (const { seq, idx, body } of storedItems(db, run.n, { after: from, clean: true })) {
    if (planned ? isBeyond({ seq, idx }, planned) : open !== undefined && seq >= open) break
    const isFull = items.length >= bounds.items || characters + body.length > bounds.characters
    if (!planned && isFull && items.length > 0) break
    if (before?.has(seq) || (after && !after.has(seq))) continue
    items.push({ seq, idx, row: asRow(JSON.parse(body), own, false) })
    characters += body.length
    to = { seq, idx }
  }
  return { from, to, items, characters }
}
