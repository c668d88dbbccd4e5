import type { Verdict } from "../health/verdicts.ts"

export interface HealthTables {
  health: HealthTable
  health_counts: { slug: string; fetch_method: string; counts: string }
  health_days: { slug: string; day: string; state: Verdict }
  /** Times of the next health probes. */
  health_plan: { slug: string; fetch_method: string; due_at: string }
}

export interface HealthTable {
  slug: string
  /** `all` for the scraper's usual order of fetch methods. */
  fetch_method: string
  state: Verdict
  since: string
  /** JSON of the Finding on which the state is based. */
  finding: string
  source: "traffic" | "probe" | null
  /** Consecutive findings without success. */
  failures: number
  /** JSON of the last Finding, whether or not it changed the state. */
  latest: string
  seen_at: string
  /** Time of the last health probe. */
  checked_at: string | null
  /** JSON of a Usual: the usual share of the probe's items in which each field has a value. */
  usual: string
}
