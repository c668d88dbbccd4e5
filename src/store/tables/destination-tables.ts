import type { Generated } from "kysely"

/**
 * Tables of destinations, which receive the items of runs. Times are ISO 8601 UTC; JSON is text.
 */
export interface DestinationTables {
  destinations: DestinationsTable
  run_deliveries: RunDeliveriesTable
}

export interface DestinationsTable {
  /** `dst_…` */
  id: string
  account_id: string
  /** Unique in the account. */
  name: string
  kind: "postgres" | "s3" | "webhook" | "folder"
  /** The part of its URL that is not secret. */
  target: string
  /** JSON of DestinationOptions (engine/ops/destinations). */
  options: string
  /** Encrypted JSON: URL with password, access keys, signing secret. */
  secret: string
  timing: "as_they_come" | "at_end"
  /** The scraper or recipe whose runs are all delivered to it. */
  scraper: string | null
  /** The schedule whose runs are all delivered to it. */
  schedule_id: string | null
  disabled_at: string | null
  /** Identifies a turn of the process that delivers to it, until `lease_until`. */
  lease: string | null
  lease_until: string | null
  /** Failed attempts since the last success. */
  failures: Generated<number>
  /** No attempt before this time. */
  retry_at: string | null
  delivered_at: string | null
  failed_at: string | null
  /** Error of the last failed attempt; null after a success. */
  error: string | null
  created_at: string
  updated_at: string
}

/** The delivery of a run to a destination. */
export interface RunDeliveriesTable {
  /** `rdl_…` */
  id: string
  destination_id: string
  run_id: string
  /** 0 at first; increased each time the run is resumed or its failed targets are retried. */
  pass: Generated<number>
  /** Targets that had finished before this pass (target-set.ts); null for the first pass. */
  settled: string | null
  state: "waiting" | "delivered" | "failed"
  /** Position of the last item that was delivered. */
  seq: Generated<number>
  idx: Generated<number>
  /** JSON of the end position of the part that may have been sent. */
  planned: string | null
  parts: Generated<number>
  items: Generated<number>
  /** Number of items of the run when they were last read. */
  seen: Generated<number>
  tries: Generated<number>
  /** Time of the next attempt; null if there is none. */
  next_at: string | null
  error: string | null
  /** JSON list of differences between the destination and the items. */
  notes: Generated<string>
  created_at: string
  sent_at: string | null
  ended_at: string | null
}
