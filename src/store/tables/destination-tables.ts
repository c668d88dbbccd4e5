import type { Generated } from "kysely"

/** Where the items of runs are delivered to. Times are ISO 8601 UTC; JSON is text. */
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
  /** The part of its address that is not secret. */
  target: string
  /** JSON of DestinationOptions (engine/ops/destinations). */
  options: string
  /** Encrypted JSON: URL with password, access keys, signing secret. */
  secret: string
  timing: "as_they_come" | "at_end"
  /** Receives all runs of this scraper or recipe. */
  scraper: string | null
  /** Receives all runs of this schedule. */
  schedule_id: string | null
  disabled_at: string | null
  /** Names the process that delivers to it, until `lease_until`. */
  lease: string | null
  lease_until: string | null
  /** Failed attempts since the last success. */
  failures: Generated<number>
  /** No attempt before this time. */
  retry_at: string | null
  delivered_at: string | null
  failed_at: string | null
  /** Of the last failed attempt; null after a success. */
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
  /** 0; one more each time that the run was resumed or its failed targets were retried. */
  pass: Generated<number>
  /** Targets that had finished before this pass (target-set.ts); null for the first pass. */
  settled: string | null
  state: "waiting" | "delivered" | "failed"
  /** Position of the last item that was delivered. */
  seq: Generated<number>
  idx: Generated<number>
  /** JSON of the position at which the part ends that may have been sent. */
  planned: string | null
  parts: Generated<number>
  items: Generated<number>
  /** Items that the run had when they were last read. */
  seen: Generated<number>
  tries: Generated<number>
  /** The time of the next attempt; null when it has ended. */
  next_at: string | null
  error: string | null
  /** JSON list: what differs in the destination from the items. */
  notes: Generated<string>
  created_at: string
  sent_at: string | null
  ended_at: string | null
}
