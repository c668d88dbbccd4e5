import { join } from "node:path"
import { messageOf } from "../../base/error-message.ts"
import { every, type Loop } from "../../base/every.ts"
import { dayMs, hourMs, minuteMs } from "../../base/time.ts"
import { type Access, type AnyScraper, accessOf } from "../../catalogue/kit/index.ts"
import { type PlannedCheck, plannedChecks } from "../../store/health/counted.ts"
import { allWays } from "../../store/health/health.ts"
import type { Verdict } from "../../store/health/verdicts.ts"
import type { Store } from "../../store/store.ts"
import type { Probes, TablesTrial } from "../upstreams/trial.ts"
import type { HealthBoard } from "./board.ts"
import { CanaryBook } from "./canary-book.ts"
import { sourceOf } from "./canary-input.ts"
import type { CheckOrder, CheckRequest, CheckResult } from "./check.ts"
import { dropUnfinished } from "./drift-case.ts"
import { canariesName, driftName } from "./names.ts"

const lookMs = minuteMs
/** Checks that wait for their turn. */
const mostWaiting = 1000
/** Of a host's quota, so much is left alone by checks that nobody asked for. */
const partForCallers = 0.25
/** When to check again after a first failure, or after an inconclusive check. */
const againMs: Partial<Record<Verdict, number>> = {
  broken: hourMs,
  blocked: 6 * hourMs,
  degraded: 6 * hourMs,
  target_gone: 3 * hourMs,
  unknown: 3 * hourMs,
}

export interface CheckerOptions {
  store: Store
  board: HealthBoard
  scrapers: readonly AnyScraper[]
  dataDir: string
  /** Carries one out, in a worker. */
  carryOut(order: CheckOrder, signal: AbortSignal): Promise<CheckResult>
  /** What hosts still allow to strangers, of whom the canaries are some. */
  quotas?(): readonly { host: string; requests: number; left: number }[]
  /** Whether checks are made that nobody asked for. */
  isScheduled: boolean
  /** Tries published site constants by the probes of the scrapers that read them. */
  trial?: TablesTrial
  now?: () => number
  random?: () => number
  onError?(message: string): void
}

/** Has scrapers tried by their canaries, one at a time: when somebody asks for it, and by a plan. */
export class Checker {
  private readonly waiting: CheckRequest[] = []
  private readonly ending = new AbortController()
  private readonly now: () => number
  private readonly random: () => number
  private loops: Loop[] = []
  readonly canaries: CanaryBook
  private readonly driftFolder: string
  private underWay: CheckRequest | undefined
  private working: Promise<void> = Promise.resolve()

  constructor(private readonly options: CheckerOptions) {
    this.now = options.now ?? Date.now
    this.random = options.random ?? Math.random
    this.canaries = new CanaryBook(options.scrapers, join(options.dataDir, canariesName), this.now)
    this.driftFolder = join(options.dataDir, driftName)
  }

  /** Begins to look at the plan, where there is one. */
  start(): void {
    dropUnfinished(this.driftFolder)
    const { isScheduled, trial } = this.options
    const failing = (what: string) => ({
      onError: (error: unknown) => this.tell(`${what}: ${messageOf(error)}`),
    })
    if (isScheduled)
      this.loops.push(
        every(lookMs, () => this.lookAtPlan(), failing("Checks could not be planned")),
      )
    if (trial)
      this.loops.push(
        every(lookMs, () => trial.look(this.probes), failing("Site constants could not be tried")),
      )
  }

  async stop(): Promise<void> {
    this.ending.abort(new Error("The service stops."))
    this.waiting.length = 0
    await Promise.all(this.loops.map((loop) => loop.stop()))
    await this.working
  }

  private readonly probes: Probes = {
    stateOf: (slug) => this.options.board.of(slug).state,
    ask: (slugs) => {
      const known = slugs.filter((slug) => this.canaries.canary(slug))
      this.ask(known.map((slug) => ({ slug })))
      return known.filter((slug) => this.pending().some((check) => check.slug === slug))
    },
  }

  /** What is under way and what waits, in order. */
  pending(): CheckRequest[] {
    return [...(this.underWay ? [this.underWay] : []), ...this.waiting]
  }

  /** Queues checks, each once; those that found room. */
  ask(requests: readonly CheckRequest[]): CheckRequest[] {
    const taken = requests.filter((request) => {
      const isNew = !this.pending().some((other) => sameCheck(other, request))
      return isNew && this.waiting.length < mostWaiting && this.waiting.push(request) > 0
    })
    if (!this.underWay && this.waiting.length > 0) this.working = this.workOff()
    return taken
  }

  private async workOff(): Promise<void> {
    for (;;) {
      this.underWay = this.ending.signal.aborted ? undefined : this.waiting.shift()
      if (!this.underWay) return
      const request = this.underWay
      await this.check(request).catch(async (error) => {
        if (this.ending.signal.aborted) return
        this.tell(messageOf(error))
        await this.plan(request, "unknown")
        this.options.trial?.note(request.slug, "unknown", this.probes)
      })
    }
  }

  private async check(request: CheckRequest): Promise<void> {
    const { canaries, driftFolder } = this
    const { board, carryOut } = this.options
    const { slug } = request
    const canary = canaries.canary(slug)
    const source = sourceOf(canary?.input)
    const known = [slug, ...(source === null ? [] : [source])].flatMap((key) => {
      const found = canaries.canary(key)
      return found ? [[key, found] as const] : []
    })
    const way = request.way ?? allWays
    const usual = board.missedShares(slug, way)
    const order = { ...request, canaries: Object.fromEntries(known), usual, driftFolder }
    const { finding, shares } = await carryOut(order, this.ending.signal)
    const at = new Date(this.now()).toISOString()
    await board.note([{ slug, way, finding, source: "canary", at, ...(shares && { shares }) }])
    await this.plan(request, finding.verdict)
    if (!request.way) this.options.trial?.note(slug, finding.verdict, this.probes)
  }

  /** Plans what has no time yet, and queues what is due. */
  async lookAtPlan(): Promise<void> {
    const { canaries } = this
    const { store, scrapers } = this.options
    const planned = new Map(
      (await plannedChecks(store.db)).map((check) => [keyOf(check), check.dueAt]),
    )
    const now = this.now()
    const later: PlannedCheck[] = []
    const scarce = (this.options.quotas?.() ?? [])
      .filter(({ requests, left }) => left < requests * partForCallers)
      .map(({ host }) => host)
    for (const scraper of scrapers) {
      if (!canaries.canary(scraper.slug)) continue
      const { slug } = scraper
      for (const { way, everyMs } of plansOf(scraper)) {
        const key = way ?? allWays
        const dueAt = planned.get(keyOf({ slug, way: key }))
        const put = (part: number) => later.push({ slug, way: key, dueAt: this.in(everyMs * part) })
        if (dueAt === undefined) put(this.random())
        else if (Date.parse(dueAt) > now) continue
        else if (!way && this.hasShownTheSame(slug)) put(this.about())
        // What is left is for callers.
        else if (scarce.some((host) => host in (scraper.pace ?? {}))) put(hourMs / everyMs)
        else this.ask([{ slug, ...(way && { way }) }])
      }
    }
    if (later.length > 0) await store.write("health.plan", { planned: later })
  }

  /** Whether callers' runs of the last hour say what is known already. */
  private hasShownTheSame(slug: string): boolean {
    const { board } = this.options
    const shown = board.traffic.lastHour(slug)
    return shown !== null && shown.verdict === board.of(slug).state
  }

  private async plan({ slug, way }: CheckRequest, found: Verdict): Promise<void> {
    if (!this.options.isScheduled) return
    const scraper = this.options.scrapers.find((entry) => entry.slug === slug)
    const own = scraper && plansOf(scraper).find((plan) => plan.way === way)
    if (!own) return
    const isKnown = found !== "unknown" && this.options.board.of(slug).state === found
    const soon = isKnown ? undefined : againMs[found]
    const dueAt = this.in(Math.min(own.everyMs, soon ?? own.everyMs) * this.about())
    const planned = [{ slug, way: way ?? allWays, dueAt }]
    await this.options.store.write("health.plan", { planned })
  }

  private in(milliseconds: number): string {
    return new Date(this.now() + milliseconds).toISOString()
  }

  /** Jitter, so that checks do not fall on the same minute each day. */
  private about(): number {
    return 0.75 + this.random() / 2
  }

  private tell(message: string): void {
    const { onError = console.error } = this.options
    onError(message)
  }
}

const keyOf = ({ slug, way }: { slug: string; way: string }) => `${slug} ${way}`

const sameCheck = (one: CheckRequest, other: CheckRequest) =>
  one.slug === other.slug && one.way === other.way && one.unlocker === other.unlocker

/**
 * How often a scraper is tried: an open API once a day, what stands behind walls once a week, and each
 * of its ways by itself once a week. The unlocker costs, and is asked for by hand alone.
 */
function plansOf(scraper: AnyScraper): { way?: Access; everyMs: number }[] {
  const ways = accessOf(scraper)
  const isOpen = ways.every((way) => way === "http" || way === "chrome-net")
  const single = isOpen ? [] : ways.filter((way) => way !== "unlocker")
  return [
    { everyMs: isOpen ? dayMs : 7 * dayMs },
    ...single.map((way) => ({ way, everyMs: 7 * dayMs })),
  ]
}
