/** Verdicts on a scraper on this server. */
export const verdicts = [
  "works",
  "degraded",
  "blocked",
  "broken",
  "needs",
  "target_gone",
  "unknown",
] as const
export type Verdict = (typeof verdicts)[number]

/** The source of a finding: runs of users, or a check by the scraper's health probe. */
export type Source = "traffic" | "probe"

/** Result of one check of a scraper, or of one run. */
export interface Finding {
  verdict: Verdict
  /** The reason as a sentence; null if the scraper works. */
  reason: string | null
  /** The fetch method that the finding is about; null if it does not matter. */
  fetchMethod: string | null
  /** Vendor of the bot protection. */
  vendor: string | null
  /** Fields of items that are missing or wrong. */
  fields: string[]
  /** Requirements that are not set up: the name of a setting, Chrome, an unlocker. */
  needs: string[]
}

export const finding = (verdict: Verdict, about: Partial<Finding> = {}): Finding => ({
  reason: null,
  fetchMethod: null,
  vendor: null,
  fields: [],
  needs: [],
  ...about,
  verdict,
})

/** Verdict by the findings so far. */
export interface StoredVerdict {
  finding: Finding
  source: Source | null
  /** Consecutive findings without success. */
  failures: number
}

export const unheardOf: StoredVerdict = { finding: finding("unknown"), source: null, failures: 0 }

/** Consecutive failures before a bad verdict. */
const minFailures = 2

/**
 * Returns the verdict after one more finding. Two failures in a row make a bad verdict, one success
 * clears it; a finding that does not concern the scraper (no response) changes nothing. A probe's
 * target was chosen because it stays, so `not_found` counts as a failure.
 */
export function after(before: StoredVerdict, seen: Finding, source: Source): StoredVerdict {
  const isOwnTargetGone = seen.verdict === "target_gone" && source === "probe"
  const finding = isOwnTargetGone ? ofLostTarget(seen) : seen
  const { verdict } = finding
  if (verdict === "unknown" || verdict === "target_gone") return before
  if (verdict === "needs") return { finding: finding, source, failures: 0 }
  if (verdict === "works") {
    // Checks and runs may see different fields: a success of one does not clear missing fields that
    // the other found.
    const isOthers = before.finding.verdict === "degraded" && before.source !== source
    return isOthers ? { ...before, failures: 0 } : { finding: finding, source, failures: 0 }
  }
  const failures = before.failures + 1
  return failures < minFailures
    ? { ...before, failures }
    : { finding: finding, source, failures: Math.min(failures, 1000) }
}

/** After a change, an upstream may return "not found" for every target. */
const ofLostTarget = (finding: Finding): Finding => ({
  ...finding,
  verdict: "broken",
  reason: `The health probe's target was not found, twice (${finding.reason ?? "no reason given"}): the upstream has changed, or the health probe needs another target.`,
})
