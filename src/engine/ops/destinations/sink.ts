import type { DestinationRow } from "../../../store/destinations/destinations.ts"
import type { RunDeliveryRow } from "../../../store/destinations/run-deliveries.ts"
import type { ItemPosition, StoredItem } from "../../../store/runs/items.ts"
import type { RunRow } from "../../../store/tables/schema.ts"

export type Row = Record<string, unknown>

/** An item as a row of a table, with its position in the run. */
export type DeliveredItem = Pick<StoredItem, "seq" | "idx"> & { row: Row }

/** Items that are delivered together. */
export interface Part {
  from: ItemPosition
  to: ItemPosition
  items: DeliveredItem[]
  characters: number
}

/** A run that is delivered. */
export interface Delivering {
  destination: Pick<DestinationRow, "id" | "name" | "kind">
  delivery: Pick<RunDeliveryRow, "id" | "pass">
  run: Pick<RunRow, "id" | "slug" | "recipe" | "created_at" | "unique_by">
}

/** Receives the parts of one run, in order. */
export interface Sink {
  /** Maximum size of a part. */
  readonly bounds: { items: number; characters: number }
  /** Waits for a part of this size while the run continues, but not for longer. */
  readonly patience?: { characters: number; milliseconds: number }
  /** Its position is stored in the destination, in the transaction of the items. Others get a planned part again. */
  recorded?(): Promise<{ position: ItemPosition; items: number } | undefined>
  /** Delivers a part, the number `index` of the run; returns what differs from the items. */
  put(part: Part, index: number, signal: AbortSignal): Promise<string[]>
  close(): Promise<void>
}

/** Thrown if the destination refuses for good, or asks for a later attempt. */
export class DestinationError extends Error {
  constructor(
    message: string,
    readonly details: { isFinal?: boolean; retryAfterSeconds?: number | null } = {},
  ) {
    super(message)
  }
}

/** Milliseconds of one request to a destination. Shorter than a lease, so that no two processes deliver at once. */
export const requestMs = 40_000
