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

/** Where a finding comes from: the runs of callers, or a check of the scraper's canary. */
export type Source = "traffic" | "probe"

/** What one look at a scraper has shown. */
export interface Finding {
  verdict: Verdict
  /** A sentence; null where all is well. */
  reason: string | null
  /** The way in that it is about; null where that makes no difference. */
  fetchMethod: string | null
  /** Of the wall. */
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
 * What stands after one more finding. Two failures in a row make a bad verdict, one success clears
 * it; what tells nothing of the scraper (nobody answered) leaves it as it was. A canary's own target
 * was chosen to stay: that it is not found counts as a failure, too.
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
  reason: `Its own target was not found, twice (${found.reason ?? "no reason given"}): the upstream has changed, or the canary needs another target.`,
})
