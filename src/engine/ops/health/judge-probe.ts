import type { FetchMethod, ProbeExpectation, ScrapeError } from "../../../catalogue/kit/index.ts"
import { type Finding, finding } from "../../../store/health/verdicts.ts"
import { strategies } from "../../fetch/methods/index.ts"
import { classOf, detailOf } from "./codes.ts"
import type { TargetEnd } from "./counters.ts"
import { unmet } from "./expectations.ts"
import { namesIn, turnsAway } from "./judge-traffic.ts"

/** The result of a probe's run. */
export interface ProbeRun {
  /** Items without errors. */
  items: readonly Record<string, unknown>[]
  /** Share of these items in which each field has a value. */
  shares: Readonly<Record<string, number>>
  targets: readonly TargetEnd[]
  /** The error that stopped the run. */
  stopped: ScrapeError | null
  now: number
  /** Fetch methods of the scraper that are not set up. */
  missing: readonly FetchMethod[]
}

/** One failure of a target, thrown or as an error item. */
interface Failure {
  code: string
  message: string
  vendor: string | null
  field: string | null
}

/** Returns the finding on a scraper from its probe's run. */
export function evaluateProbe(
  run: ProbeRun,
  expectations: readonly ProbeExpectation[],
  usual: Readonly<Record<string, number>> = {},
): Finding {
  const failures = run.targets.flatMap(failuresOf)
  if (run.stopped) failures.push(failureOf(run.stopped))
  const absence = expectations.filter(({ gone }) => gone)
  if (absence.length > 0 && unmet(run.items, absence, run.now).length === 0) {
    return finding("target_gone", { reason: absence.map(({ line }) => line.slice(1)).join("; ") })
  }
  const wanted = expectations.filter(({ gone }) => !gone)
  const wrong = unmet(run.items, wanted, run.now)
  const hard = wrong.filter(({ soft }) => !soft)
  // The expectations are met although a target failed.
  const [worst] = failures.sort((a, b) => rank(a) - rank(b))
  if (worst && (hard.length > 0 || run.items.length === 0)) {
    return ofFailure(worst, run, Object.keys(usual))
  }
  const lines = wrong.map(({ line, actual }) => `${line.replace(/^\?/, "")}, found ${actual}`)
  const missed = Object.keys(usual).filter((name) => (run.shares[name] ?? 0) * 2 < usual[name]!)
  const fields = [...new Set([...wrong.flatMap(({ field }) => field ?? []), ...missed])]
  if (hard.length > 0) return finding("broken", { reason: brief(lines), fields })
  // An absent target among others is a correct response.
  if (worst && classOf(worst.code) !== "callers") lines.push(worst.message)
  if (missed.length > 0) lines.push(`earlier checks had more values for ${missed.join(", ")}`)
  return lines.length > 0
    ? finding("degraded", { reason: brief(lines), fields })
    : finding("works", { fetchMethod: strongest(run.targets) })
}

function failuresOf({ failure, errors }: TargetEnd): Failure[] {
  const own = errors.map(({ code, message, cause }) =>
    cause ? failureOf(cause) : { code, message, vendor: null, field: null },
  )
  return failure ? [failureOf(failure), ...own] : own
}

function failureOf(failure: ScrapeError): Failure {
  const { code, message } = failure
  const detail = detailOf(failure)
  const isChange = failure.kind === "Changed"
  return { code, message, vendor: isChange ? null : detail, field: isChange ? detail : null }
}

const ranks = ["needs", "ours", "theirs", "network", "callers"]
const rank = ({ code }: Failure) => ranks.indexOf(classOf(code))

/** @param usual Fields that its items had; all of them are lost if no items arrive. */
function ofFailure(
  { code, message, vendor, field }: Failure,
  run: ProbeRun,
  usual: string[],
): Finding {
  const reason = `${code}: ${message}`
  switch (classOf(code)) {
    case "needs":
      return finding("needs", { reason, needs: namesIn(message) })
    case "ours":
      return finding("broken", { reason, fields: field ? [field] : usual })
    case "theirs": {
      if (!turnsAway.has(code)) return finding("unknown", { reason })
      const needs = run.missing.flatMap((method) => strategies[method].requires?.name ?? [])
      const fetchMethod = strongest(run.targets)
      return finding("blocked", { reason, fetchMethod, vendor, needs: [...new Set(needs)] })
    }
    case "network":
      return finding("unknown", { reason })
    case "callers":
      return finding("target_gone", { reason, fields: usual })
  }
}

const strongest = (targets: readonly TargetEnd[]) => targets.at(-1)?.fetchMethod ?? null

const maxReasonChars = 600
const brief = (parts: string[]) => parts.join("; ").slice(0, maxReasonChars)
