import {
  type AnyScraper,
  checkInput,
  type FetchMethod,
  fetchMethodsOf,
  type Probe,
  readExpectation,
  Timeout,
} from "../../../catalogue/kit/index.ts"
import { type Finding, finding } from "../../../store/health/verdicts.ts"
import type { Environment } from "../../fetch/environment.ts"
import { FetchMethodMemory } from "../../fetch/method-memory.ts"
import { isAvailable } from "../../fetch/methods/choose.ts"
import { strategies } from "../../fetch/methods/index.ts"
import { unlocker as unlockerMethod } from "../../fetch/methods/unlocker.ts"
import { isErrorItem } from "../../runtime/run/checkpoints.ts"
import { executeRun } from "../../runtime/run/execute.ts"
import { MemoryCheckpoints } from "../../runtime/run/memory-checkpoints.ts"
import { type Counter, fieldsOf, hasContent, type TargetEnd } from "./counters.ts"
import { DriftCase } from "./drift-case.ts"
import { evaluateProbe } from "./judge-probe.ts"
import { filledInput, sourceOf } from "./probe-input.ts"

export interface CheckRequest {
  slug: string
  /** Only this fetch method. Default: as the scraper would choose. */
  fetchMethod?: FetchMethod
  /** Whether the operator's unlocker may be used, which costs money. */
  unlocker?: boolean
}

/** A check as it is sent to a worker, with its health probes. */
export interface CheckOrder extends CheckRequest {
  probes: Record<string, Probe>
  /** Usual shares of filled fields; below half of its share, a field counts as missing. */
  usual: Record<string, number>
  driftFolder: string
}

export interface CheckParts {
  environment: Environment
  scraper(slug: string): AnyScraper | undefined
  probe(slug: string): Probe | undefined
  /** Usual shares of filled fields; below half of its share, a field counts as missing. */
  usual?: Readonly<Record<string, number>>
  /** The folder for responses of failed probes; unset if they are not stored. */
  driftFolder?: string
  /** Whether to store the responses of all probes, not only of failed ones. */
  keepsAll?: boolean
  signal: AbortSignal
}

/** Runs a check in a worker, with the probes in its order. */
export function runOrder(
  { probes, usual, driftFolder, ...request }: CheckOrder,
  parts: Pick<CheckParts, "environment" | "scraper" | "signal">,
): Promise<CheckResult> {
  return runCheck(request, { ...parts, probe: (slug) => probes[slug], usual, driftFolder })
}

export interface CheckResult {
  slug: string
  fetchMethod: FetchMethod | null
  finding: Finding
  items: number
  /** Share of items in which each field has a value; unset if there are too few items. */
  shares?: Record<string, number>
  milliseconds: number
  /** The folder of the recorded case, if one was stored. */
  stored: string | null
}

/** Maximum milliseconds of a probe; a slower one has no verdict. */
const maxMs = 120_000
const maxCheckPages = 25

/**
 * Runs a scraper's health probe: with empty memory, without account, cookies or known fetch methods,
 * under the usual rate limits.
 */
export async function runCheck(request: CheckRequest, parts: CheckParts): Promise<CheckResult> {
  const { slug, fetchMethod = null } = request
  const startedAt = performance.now()
  const ended = (result: Finding, items = 0, stored: string | null = null): CheckResult => {
    const milliseconds = Math.round(performance.now() - startedAt)
    return { slug, fetchMethod, finding: result, items, milliseconds, stored }
  }
  const scraper = parts.scraper(slug)
  const probe = parts.probe(slug)
  if (!scraper || !probe) return ended(finding("unknown", { reason: "It has no health probe." }))
  const lacking = whatLacks(scraper, fetchMethod, parts.environment)
  if (lacking) return ended(lacking)
  const input = await inputOf(probe, request, parts)
  if ("verdict" in input) return ended(input)
  const drift = parts.driftFolder ? new DriftCase(parts.driftFolder, slug) : undefined
  try {
    const tried = { ...probe, input: input.value }
    const { result, items, all, shares } = await tryOut(scraper, tried, request, {
      ...parts,
      ...(drift && { drift }),
    })
    const isStored = parts.keepsAll || result.verdict === "broken"
    const stored = isStored ? await drift?.keep(probe, items.length > 0 ? all : []) : undefined
    const reported = result.verdict === "works" || result.verdict === "degraded" ? { shares } : {}
    return { ...ended(result, items.length, stored), ...reported }
  } finally {
    drift?.drop()
  }
}

/** Returns the reason why the only or requested fetch method is not available; null if it is. */
function whatLacks(
  scraper: AnyScraper,
  fetchMethod: FetchMethod | null,
  environment: Environment,
): Finding | null {
  const methods = fetchMethodsOf(scraper)
  if (fetchMethod !== null && !methods.includes(fetchMethod)) {
    const reason = `Its fetch methods are ${methods.join(", ")}.`
    return finding("unknown", { fetchMethod, reason })
  }
  const wanted = fetchMethod === null ? methods : [fetchMethod]
  if (wanted.some((method) => isAvailable(method, environment))) return null
  const { requires } = strategies[wanted[0]!]
  if (!requires) return null
  const { name, advice } = requires
  return finding("needs", { fetchMethod, needs: [name], reason: `It needs ${name}: ${advice}.` })
}

async function inputOf(
  { input }: Probe,
  request: CheckRequest,
  parts: CheckParts,
): Promise<{ value: Record<string, unknown> } | Finding> {
  const source = sourceOf(input)
  if (source === null) return { value: { ...input } }
  const scraper = parts.scraper(source)
  const probe = parts.probe(source)
  // Only one step: the source of a probe must not depend on another source.
  if (!scraper || !probe || sourceOf(probe.input) !== null) {
    return finding("unknown", {
      reason: `Its input comes from ${source}, which has no health probe.`,
    })
  }
  const { usual: _usual, ...others } = parts
  const { result, items } = await tryOut(scraper, probe, { ...request, slug: source }, others)
  const value = filledInput(input, items)
  if (value) return { value }
  const reason = `Its input comes from ${source}, which returned none (${result.reason ?? result.verdict}).`
  return finding("unknown", { reason })
}

interface Tried {
  /** Items and error items, in order. */
  all: readonly Record<string, unknown>[]
  result: Finding
  items: Record<string, unknown>[]
  shares: Record<string, number>
}

interface TryParts extends CheckParts {
  drift?: DriftCase
}

async function tryOut(
  scraper: AnyScraper,
  probe: Probe,
  request: CheckRequest,
  { environment, signal, drift, usual }: TryParts,
): Promise<Tried> {
  const checked = checkInput(scraper.input, probe.input)
  if (!checked.ok) {
    const reason = `Its health probe: ${checked.issues.map(({ message }) => message).join(" ")}`
    return { result: finding("unknown", { reason }), items: [], all: [], shares: {} }
  }
  const { input } = checked
  const ends: TargetEnd[] = []
  const world = worldOf(environment, request, ends)
  const recorded = drift?.record(world, { slug: scraper.slug, input }) ?? world
  const checkpoint = new MemoryCheckpoints(scraper.targets(input))
  const late = AbortSignal.timeout(maxMs)
  const control = AbortSignal.any([signal, late])
  const end = await executeRun({
    scraper,
    input,
    checkpoint,
    environment: recorded,
    signal: abortedBy(control),
    maxPages: maxCheckPages,
    checkItems: true,
  })
  signal.throwIfAborted()
  const all = await Array.fromAsync(checkpoint.items())
  const items = all.filter((item) => !isErrorItem(item))
  const shares = sharesOf(scraper, items)
  const expectations = probe.expect
    .map(readExpectation)
    .filter((expectation) => typeof expectation !== "string")
  const isCut = end.status === "timed_out" || end.status === "aborted"
  const result = evaluateProbe(
    {
      items,
      shares,
      targets: ends,
      stopped: isCut ? new Timeout(`It took longer than ${maxMs / 1000} s.`) : null,
      now: environment.clock.now(),
      missing: fetchMethodsOf(scraper).filter((method) => !isAvailable(method, world)),
    },
    expectations,
    usual,
  )
  return {
    result: request.fetchMethod ? ofMethod(request.fetchMethod, result, ends) : result,
    items,
    all,
    shares,
  }
}

/** Returns the verdict on one fetch method; unknown if the run did not use it, for example for an API. */
function ofMethod(fetchMethod: FetchMethod, result: Finding, ends: readonly TargetEnd[]): Finding {
  const used = [...new Set(ends.map((end) => end.fetchMethod))]
  const isGood = result.verdict === "works" || result.verdict === "degraded"
  if (!isGood || used.includes(fetchMethod)) return { ...result, fetchMethod }
  return finding("unknown", {
    fetchMethod,
    reason: `The fetch method was not needed: ${used.join(", ")} returned all fields.`,
  })
}

function sharesOf({ item }: AnyScraper, items: readonly Record<string, unknown>[]) {
  const share = (name: string) =>
    items.filter((row) => hasContent(row[name])).length / Math.max(1, items.length)
  return Object.fromEntries(fieldsOf(item).map((name) => [name, share(name)]))
}

/** Wraps the abort reason in a ScrapeError, which the engine expects. */
function abortedBy(signal: AbortSignal): AbortSignal {
  const control = new AbortController()
  const abort = () => control.abort(new Timeout("The check was aborted."))
  if (signal.aborted) abort()
  else signal.addEventListener("abort", abort, { once: true })
  return control.signal
}

function worldOf(live: Environment, request: CheckRequest, ends: TargetEnd[]): Environment {
  const { unlocker, reuseCookies: _cookies, ...world } = live
  const counter: Counter = { item() {}, target: (end) => void ends.push({ ...end }) }
  const mayUnlock = request.unlocker || request.fetchMethod === unlockerMethod.name
  return {
    ...world,
    ...(unlocker && mayUnlock ? { unlocker } : {}),
    ...(request.fetchMethod ? { onlyMethod: request.fetchMethod } : {}),
    methods: new FetchMethodMemory(live.clock.now),
    counts: { of: () => counter },
  }
}
