import type { DestinationRow } from "../../../../store/destinations/destinations.ts"
import type { RunDeliveryRow } from "../../../../store/destinations/run-deliveries.ts"
import type { ItemPosition, StoredItem } from "../../../../store/runs/items.ts"
import type { RunRow } from "../../../../store/tables/schema.ts"

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
  /** Waits for a part of this size while the run continues, up to this time. */
  readonly patience?: { characters: number; milliseconds: number }
  /**
   * Returns the position recorded in the destination by the transaction of the items. Sinks without
   * it get a planned part again.
   */
  recorded?(): Promise<{ position: ItemPosition; items: number } | undefined>
  /** Delivers part number `index` of the run; returns notes about differences from the items. */
  put(part: Part, index: number, signal: AbortSignal): Promise<string[]>
  close(): Promise<void>
}

/** Thrown if the destination refuses permanently, or asks for a later attempt. */
export class DestinationError extends Error {
  constructor(
    message: string,
    readonly details: { isFinal?: boolean; retryAfterSeconds?: number | null } = {},
  ) {
    super(message)
  }
}

/**
 * Maximum milliseconds of a request to a destination. It is shorter than a lease, so that two
 * processes never deliver at the same time.
 */
export const requestMs = 40_000
