import type { FetchMethod } from "../../../catalogue/kit/index.ts"
import { type Finding, finding } from "../../../store/health/verdicts.ts"
import { type CountedCode, readCounted } from "./codes.ts"
import type { CountsByMethod } from "./counters.ts"
import { addCounts, type Counts, noCounts } from "./counts.ts"

/** Minimum conclusive targets to judge a scraper. */
const minTargets = 5
/** Share of good targets below which a scraper does not work. */
const fewGood = 0.2

/** Knowledge about fields from the week before. */
export interface FieldsKnown {
  /** Fields that are filled far less often recently. */
  drifted?: readonly string[]
  /** Fields that every item had; all of them are lost if no items arrive. */
  always?: () => readonly string[]
}

/** Share of failures by changed pages above which the site is considered changed. */
const muchOurs = 0.3

/** Returns the counts of all fetch methods together. */
export function together(methods: CountsByMethod): Counts {
  return Object.values(methods).reduce((sum, counts) => addCounts(sum, counts), noCounts())
}

/** Returns the finding on a scraper from a sample of users' targets; null if it is too small. */
export function evaluateTraffic(
  sample: CountsByMethod,
  { drifted = [], always = () => [] }: FieldsKnown = {},
): Finding | null {
  const counts = together(sample)
  const { good, failed } = counts
  const [ours = 0, theirs = 0, needs = 0] = ["ours", "theirs", "needs"].map(
    (blame) => failed[blame],
  )
  const conclusive = good + ours + theirs + needs
  if (conclusive < minTargets) return null
  if (good > conclusive * fewGood && ours > conclusive * muchOurs) {
    const { stated, detail } = main(counts, "ours")
    const fields = [...new Set([...(detail === null ? [] : [detail]), ...drifted])]
    const reason = `${ours} of ${conclusive} targets failed: ${stated}`
    return finding("degraded", { reason, fields: fields.length > 0 ? fields : [...always()] })
  }
  if (good > conclusive * fewGood) {
    return drifted.length > 0 ? finding("degraded", driftOf(drifted)) : finding("works")
  }
  const max = Math.max(ours, theirs, needs)
  const worst = main(counts, max === ours ? "ours" : max === theirs ? "theirs" : "needs")
  const how = `${conclusive - good} of ${conclusive} targets failed: ${worst.stated}`
  if (max === ours) {
    const named =
      worst.code === "layout_changed" && worst.detail !== null ? [worst.detail] : drifted
    return finding("broken", { reason: how, fields: [...(named.length > 0 ? named : always())] })
  }
  if (max === needs) return finding("needs", { reason: worst.stated, needs: namesIn(worst.stated) })
  // Failures of the upstream itself are not about the scraper.
  if (!turnsAway.has(worst.code)) return finding("unknown", { reason: how })
  const fetchMethod =
    (Object.keys(sample) as FetchMethod[]).find(
      (fetchMethod) => challengesOf(sample[fetchMethod]!) > 0,
    ) ?? null
  return finding("blocked", {
    ...alsoChanged(counts, how, always),
    fetchMethod,
    vendor: worst.detail,
  })
}

/** Returns the reason of refusals, and what has changed at sources that were tried after them. */
function alsoChanged(counts: Counts, reason: string, always: () => readonly string[]) {
  if (!Object.keys(counts.codes).some((code) => code.startsWith("ours:"))) return { reason }
  const { stated, detail } = main(counts, "ours")
  const fields = detail === null ? [...always()] : [detail]
  return { reason: `${reason} Another source has changed: ${stated}`, fields }
}

/** Returns the findings on each fetch method from a sample. */
export function evaluateMethods(sample: CountsByMethod): Partial<Record<FetchMethod, Finding>> {
  const findings: Partial<Record<FetchMethod, Finding>> = {}
  for (const [fetchMethod, counts] of Object.entries(sample) as [FetchMethod, Counts][]) {
    const challenges = challengesOf(counts)
    const conclusive = counts.good + challenges
    if (conclusive < minTargets) continue
    if (counts.good > conclusive * fewGood)
      findings[fetchMethod] = finding("works", { fetchMethod })
    else {
      const { detail, stated } = main(counts, "theirs")
      findings[fetchMethod] = finding("blocked", { fetchMethod, vendor: detail, reason: stated })
    }
  }
  return findings
}

export const turnsAway = new Set(["blocked", "forbidden", "robots_disallowed", "rate_limited"])

const driftOf = (fields: readonly string[]) => ({
  reason: `Compared with the week before, far fewer items have a value for ${fields.join(", ")}.`,
  fields: [...fields],
})

function challengesOf({ codes }: Counts): number {
  return Object.entries(codes).reduce(
    (sum, [code, count]) => sum + (turnsAway.has(readCounted(code).code) ? count : 0),
    0,
  )
}

/** Returns the most frequent code of a class, with its last message. */
function main({ codes, stated }: Counts, wanted: string): CountedCode & { stated: string } {
  const [code = wanted] = Object.keys(codes)
    .filter((code) => code.startsWith(`${wanted}:`))
    .sort((a, b) => codes[b]! - codes[a]!)
  const read = readCounted(code)
  return { ...read, stated: stated[code] ?? [read.code, read.detail].filter(Boolean).join(", ") }
}

/** Returns the names of settings in a sentence. */
export function namesIn(sentence: string): string[] {
  const names = sentence.match(/\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\b/g) ?? []
  const tools = [/\bChrome\b/, /\bunlocker\b/].flatMap((tool) => tool.exec(sentence)?.[0] ?? [])
  return [...new Set([...names, ...tools])]
}
