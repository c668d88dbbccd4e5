import type { Verdict } from "../health/verdicts.ts"

export interface HealthTables {
  health: HealthTable
  health_counts: { slug: string; fetch_method: string; counts: string }
  health_days: { slug: string; day: string; state: Verdict }
  /** The time of the next health probe. */
  health_plan: { slug: string; fetch_method: string; due_at: string }
}

export interface HealthTable {
  slug: string
  /** `all` for the ways as the scraper takes them, one after the other. */
  fetch_method: string
  state: Verdict
  since: string
  /** On which the state rests: JSON of a Finding. */
  finding: string
  source: "traffic" | "probe" | null
  /** Findings in a row that were no success. */
  failures: number
  /** JSON of the last Finding, whatever came of it. */
  latest: string
  seen_at: string
  /** The time of the last health probe. */
  checked_at: string | null
  /** How often each field of the probe's items usually has a value: JSON of a Usual. */
  usual: string
}
