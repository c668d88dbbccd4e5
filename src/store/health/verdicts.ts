/** What is known of a scraper here and now. */
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

/** What one look at a scraper has shown. */
export interface Finding {
  verdict: Verdict
  /** A sentence; null where all is well. */
  reason: string | null
  /** The fetch method that it is about; null if that makes no difference. */
  fetchMethod: string | null
  /** Vendor of the bot protection. */
  vendor: string | null
  /** Items' fields that are missing or wrong. */
  fields: string[]
  /** What would have to be set up: the name of a setting, Chrome, an unlocker. */
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

/** What the findings so far come to. */
export interface Standing {
  finding: Finding
  source: Source | null
  /** Findings in a row that were no success. */
  failures: number
}

export const unheardOf: Standing = { finding: finding("unknown"), source: null, failures: 0 }

/** Failures in a row before a bad verdict. */
const minFailures = 2

/**
 * Returns the verdict after one more finding. Two failures in a row make a bad verdict, one success
 * clears it; a finding that does not concern the scraper (no response) changes nothing. A probe's
 * target was chosen because it stays, so `not_found` counts as a failure.
 */
export function after(before: Standing, seen: Finding, source: Source): Standing {
  const isOwnTargetGone = seen.verdict === "target_gone" && source === "probe"
  const found = isOwnTargetGone ? ofLostTarget(seen) : seen
  const { verdict } = found
  if (verdict === "unknown" || verdict === "target_gone") return before
  if (verdict === "needs") return { finding: found, source, failures: 0 }
  if (verdict === "works") {
    // What some fields lack, the other kind of look may not see.
    const isOthers = before.finding.verdict === "degraded" && before.source !== source
    return isOthers ? { ...before, failures: 0 } : { finding: found, source, failures: 0 }
  }
  const failures = before.failures + 1
  return failures < minFailures
    ? { ...before, failures }
    : { finding: found, source, failures: Math.min(failures, 1000) }
}

/** An upstream that changed may answer for every target that there is none. */
const ofLostTarget = (found: Finding): Finding => ({
  ...found,
  verdict: "broken",
  reason: `Its own target was not found, twice (${found.reason ?? "no reason given"}): the upstream has changed, or the health probe needs another target.`,
})
