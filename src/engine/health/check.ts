import {
  type Access,
  type AnyScraper,
  accessOf,
  type Canary,
  checkInput,
  readExpectation,
  Timeout,
} from "../../catalogue/kit/index.ts"
import { type Finding, finding } from "../../store/health/verdicts.ts"
import type { Environment } from "../environment/environment.ts"
import { WayMemory } from "../fetch/way-memory.ts"
import { isHere } from "../fetch/ways.ts"
import { executeRun } from "../run/execute.ts"
import { isErrorItem } from "../run/journal.ts"
import { MemoryJournal } from "../run/memory-journal.ts"
import { filledInput, sourceOf } from "./canary-input.ts"
import { DriftCase } from "./drift-case.ts"
import { judgeCanary } from "./judge-canary.ts"
import { type Counter, fieldsOf, saysSomething, type TargetEnd } from "./tally.ts"

export interface CheckRequest {
  slug: string
  /** By this way alone; default: as the scraper goes. */
  way?: Access
  /** Whether the operator's unlocker may be used, which costs him. */
  unlocker?: boolean
}

/** A check as it goes to a worker, with the canaries that it is made by. */
export interface CheckOrder extends CheckRequest {
  canaries: Record<string, Canary>
  /** Shares of its items that are missed where they fall under their half. */
  usual: Record<string, number>
  driftFolder: string
}

export interface CheckParts {
  environment: Environment
  scraper(slug: string): AnyScraper | undefined
  canary(slug: string): Canary | undefined
  /** Shares of its items' fields that are missed where they fall under their half. */
  usual?: Readonly<Record<string, number>>
  /** Where what a broken one was answered is kept; none where it is not. */
  driftFolder?: string
  /** Keeps what every one was answered, not only what a broken one was. */
  keepsAll?: boolean
  signal: AbortSignal
}

export interface CheckResult {
  slug: string
  way: Access | null
  finding: Finding
  items: number
  /** The share of them in which each field says something; none where that tells nothing. */
  shares?: Record<string, number>
  milliseconds: number
  /** The folder of the recorded case, where one was kept. */
  kept: string | null
}

/** A canary that is not done by then tells nothing. */
const longestMs = 120_000
const mostPages = 25

/**
 * Tries a scraper by its canary: in a memory of its own, with no account, cookies or knowledge of
 * ways, by the pace of everybody.
 */
export async function runCheck(request: CheckRequest, parts: CheckParts): Promise<CheckResult> {
  const { slug, way = null } = request
  const begunAt = performance.now()
  const ended = (found: Finding, items = 0, kept: string | null = null): CheckResult => {
    const milliseconds = Math.round(performance.now() - begunAt)
    return { slug, way, finding: found, items, milliseconds, kept }
  }
  const scraper = parts.scraper(slug)
  const canary = parts.canary(slug)
  if (!scraper || !canary) return ended(finding("unknown", { reason: "It has no canary." }))
  const lacking = whatLacks(scraper, way, parts.environment)
  if (lacking) return ended(lacking)
  const input = await inputOf(canary, request, parts)
  if ("verdict" in input) return ended(input)
  const drift = parts.driftFolder ? new DriftCase(parts.driftFolder, slug) : undefined
  try {
    const tried = { ...canary, input: input.value }
    const { found, items, shares } = await tryOut(scraper, tried, request, {
      ...parts,
      ...(drift && { drift }),
    })
    const isKept = parts.keepsAll || found.verdict === "broken"
    const kept = isKept ? await drift?.keep(canary, items) : undefined
    const told = found.verdict === "works" || found.verdict === "degraded" ? { shares } : {}
    return { ...ended(found, items.length, kept), ...told }
  } finally {
    drift?.drop()
  }
}

/** Without its only way in, or the one that is asked for, nothing is to be tried. */
function whatLacks(
  scraper: AnyScraper,
  way: Access | null,
  environment: Environment,
): Finding | null {
  const ways = accessOf(scraper)
  if (way !== null && !ways.includes(way)) {
    const reason = `Its ways in are ${ways.join(", ")}.`
    return finding("unknown", { way, reason })
  }
  const wanted = way === null ? ways : [way]
  if (wanted.some((access) => isHere[access](environment))) return null
  const needs = wanted[0] === "unlocker" ? "unlocker" : "Chrome"
  const advice = needs === "Chrome" ? "`trawl browser install`" : "TRAWL_UNLOCKER_URL"
  return finding("needs", { way, needs: [needs], reason: `It needs ${needs}: ${advice}.` })
}

async function inputOf(
  { input }: Canary,
  request: CheckRequest,
  parts: CheckParts,
): Promise<{ value: Record<string, unknown> } | Finding> {
  const source = sourceOf(input)
  if (source === null) return { value: { ...input } }
  const scraper = parts.scraper(source)
  const canary = parts.canary(source)
  // One step alone: a canary that leads on to another leads nowhere.
  if (!scraper || !canary || sourceOf(canary.input) !== null) {
    return finding("unknown", { reason: `Its target comes from ${source}, which has no canary.` })
  }
  const { usual: _usual, ...others } = parts
  const { found, items } = await tryOut(scraper, canary, { ...request, slug: source }, others)
  const value = filledInput(input, items)
  if (value) return { value }
  const reason = `Its target comes from ${source}, which gave none (${found.reason ?? found.verdict}).`
  return finding("unknown", { reason })
}

interface Tried {
  found: Finding
  items: Record<string, unknown>[]
  shares: Record<string, number>
}

interface TryParts extends CheckParts {
  drift?: DriftCase
}

async function tryOut(
  scraper: AnyScraper,
  canary: Canary,
  request: CheckRequest,
  { environment, signal, drift, usual }: TryParts,
): Promise<Tried> {
  const checked = checkInput(scraper.input, canary.input)
  if (!checked.ok) {
    const reason = `Its canary: ${checked.faults.map(({ message }) => message).join(" ")}`
    return { found: finding("unknown", { reason }), items: [], shares: {} }
  }
  const { input } = checked
  const ends: TargetEnd[] = []
  const world = worldOf(environment, request, ends)
  const recorded = drift?.record(world, { slug: scraper.slug, input }) ?? world
  const journal = new MemoryJournal(scraper.targets(input))
  const late = AbortSignal.timeout(longestMs)
  const control = AbortSignal.any([signal, late])
  const end = await executeRun({
    scraper,
    input,
    journal,
    environment: recorded,
    signal: abortedBy(control),
    maxPages: mostPages,
    checkItems: true,
  })
  signal.throwIfAborted()
  const items = (await Array.fromAsync(journal.items())).filter((item) => !isErrorItem(item))
  const shares = sharesOf(scraper, items)
  const expectations = canary.expect
    .map(readExpectation)
    .filter((expectation) => typeof expectation !== "string")
  const isCut = end.status === "timed_out" || end.status === "aborted"
  const found = judgeCanary(
    {
      items,
      shares,
      targets: ends,
      stopped: isCut ? new Timeout(`It took longer than ${longestMs / 1000} s.`) : null,
      now: environment.clock.now(),
      missing: accessOf(scraper).filter((way) => !isHere[way](world)),
    },
    expectations,
    usual,
  )
  return { found: request.way ? ofWay(request.way, found, ends) : found, items, shares }
}

/** What one way shows by itself: nothing where all was asked for by others, as an API is. */
function ofWay(way: Access, found: Finding, ends: readonly TargetEnd[]): Finding {
  const used = [...new Set(ends.map((end) => end.way))]
  const isGood = found.verdict === "works" || found.verdict === "degraded"
  if (!isGood || used.includes(way)) return { ...found, way }
  return finding("unknown", { way, reason: `It was not needed: ${used.join(", ")} gave all.` })
}

function sharesOf({ item }: AnyScraper, items: readonly Record<string, unknown>[]) {
  const share = (name: string) =>
    items.filter((row) => saysSomething(row[name])).length / Math.max(1, items.length)
  return Object.fromEntries(fieldsOf(item).map((name) => [name, share(name)]))
}

/** The engine wants an outcome as the reason. */
function abortedBy(signal: AbortSignal): AbortSignal {
  const control = new AbortController()
  const abort = () => control.abort(new Timeout("The check was given up."))
  if (signal.aborted) abort()
  else signal.addEventListener("abort", abort, { once: true })
  return control.signal
}

function worldOf(live: Environment, request: CheckRequest, ends: TargetEnd[]): Environment {
  const { unlocker, keepCookies: _cookies, ...world } = live
  const counter: Counter = { item() {}, target: (end) => void ends.push({ ...end }) }
  const mayUnlock = request.unlocker || request.way === "unlocker"
  return {
    ...world,
    ...(unlocker && mayUnlock ? { unlocker } : {}),
    ...(request.way ? { onlyWay: request.way } : {}),
    ways: new WayMemory(live.clock.now),
    tally: { of: () => counter },
  }
}
