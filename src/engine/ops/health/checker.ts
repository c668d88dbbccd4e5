import { join } from "node:path"
import { messageOf } from "../../../base/error-message.ts"
import { every, type Loop } from "../../../base/every.ts"
import { dayMs, hourMs, minuteMs } from "../../../base/time.ts"
import { type AnyScraper, type FetchMethod, fetchMethodsOf } from "../../../catalogue/kit/index.ts"
import { type PlannedCheck, plannedChecks } from "../../../store/health/counted.ts"
import { allMethods } from "../../../store/health/health.ts"
import type { Verdict } from "../../../store/health/verdicts.ts"
import type { Store } from "../../../store/store.ts"
import { strategies } from "../../fetch/methods/index.ts"
import type { Probes, TablesTrial } from "../../fetch/site-constants/trial.ts"
import type { CheckOrder, CheckRequest, CheckResult } from "./check.ts"
import { dropUnfinished } from "./drift-case.ts"
import type { HealthService } from "./health-service.ts"
import { driftName, probesName } from "./names.ts"
import { sourceOf } from "./probe-input.ts"
import { ProbeStore } from "./probe-store.ts"

const lookMs = minuteMs
/** Maximum waiting checks. */
const maxWaiting = 1000
/** The part of a host's quota that scheduled checks leave for users. */
const partForCallers = 0.25
/** Pause before the next check after a first failure or an inconclusive check. */
const againMs: Partial<Record<Verdict, number>> = {
  broken: hourMs,
  blocked: 6 * hourMs,
  degraded: 6 * hourMs,
  target_gone: 3 * hourMs,
  unknown: 3 * hourMs,
}

export interface CheckerOptions {
  store: Store
  health: HealthService
  scrapers: readonly AnyScraper[]
  dataDir: string
  /** Runs a check in a worker. */
  carryOut(order: CheckOrder, signal: AbortSignal): Promise<CheckResult>
  /** Remaining quotas of hosts for anonymous requests, which probes use, too. */
  quotas?(): readonly { host: string; requests: number; left: number }[]
  /** Whether checks are scheduled. */
  isScheduled: boolean
  /** Tests published site constants with the probes of the scrapers that use them. */
  trial?: TablesTrial
  now?: () => number
  random?: () => number
  onError?(message: string): void
}

/** Runs the health probes of scrapers one at a time, on request and on a schedule. */
export class Checker {
  private readonly waiting: CheckRequest[] = []
  private readonly ending = new AbortController()
  private readonly now: () => number
  private readonly random: () => number
  private loops: Loop[] = []
  readonly probes: ProbeStore
  private readonly driftFolder: string
  private running: CheckRequest | undefined
  private working: Promise<void> = Promise.resolve()

  constructor(private readonly options: CheckerOptions) {
    this.now = options.now ?? Date.now
    this.random = options.random ?? Math.random
    this.probes = new ProbeStore(options.scrapers, join(options.dataDir, probesName), this.now)
    this.driftFolder = join(options.dataDir, driftName)
  }

  /** Starts the schedule, if checks are scheduled. */
  start(): void {
    dropUnfinished(this.driftFolder)
    const { isScheduled, trial } = this.options
    const failing = (what: string) => ({
      onError: (error: unknown) => this.report(`${what}: ${messageOf(error)}`),
    })
    if (isScheduled)
      this.loops.push(
        every(lookMs, () => this.lookAtPlan(), failing("Health checks could not be scheduled")),
      )
    if (trial)
      this.loops.push(
        every(
          lookMs,
          () => trial.look(this.trialProbes),
          failing("Site constants could not be tested"),
        ),
      )
  }

  async stop(): Promise<void> {
    this.ending.abort(new Error("The service is shutting down."))
    this.waiting.length = 0
    await Promise.all(this.loops.map((loop) => loop.stop()))
    await this.working
  }

  private readonly trialProbes: Probes = {
    stateOf: (slug) => this.options.health.of(slug).state,
    check: (slugs) => {
      const known = slugs.filter((slug) => this.probes.probe(slug))
      this.runChecks(known.map((slug) => ({ slug })))
      return known.filter((slug) => this.pending().some((check) => check.slug === slug))
    },
  }

  /** Returns the running and waiting checks, in order. */
  pending(): CheckRequest[] {
    return [...(this.running ? [this.running] : []), ...this.waiting]
  }

  /** Queues checks, each once; returns those that were queued. */
  runChecks(requests: readonly CheckRequest[]): CheckRequest[] {
    const claimed = requests.filter((request) => {
      const isNew = !this.pending().some((other) => sameCheck(other, request))
      return isNew && this.waiting.length < maxWaiting && this.waiting.push(request) > 0
    })
    if (!this.running && this.waiting.length > 0) this.working = this.workOff()
    return claimed
  }

  private async workOff(): Promise<void> {
    for (;;) {
      this.running = this.ending.signal.aborted ? undefined : this.waiting.shift()
      if (!this.running) return
      const request = this.running
      await this.check(request).catch(async (error) => {
        if (this.ending.signal.aborted) return
        this.report(messageOf(error))
        await this.plan(request, "unknown")
        this.options.trial?.note(request.slug, "unknown", this.trialProbes)
      })
    }
  }

  private async check(request: CheckRequest): Promise<void> {
    const { probes: probeList, driftFolder } = this
    const { health, carryOut } = this.options
    const { slug } = request
    const probe = probeList.probe(slug)
    const source = sourceOf(probe?.input)
    const known = [slug, ...(source === null ? [] : [source])].flatMap((key) => {
      const scheduled = probeList.probe(key)
      return scheduled ? [[key, scheduled] as const] : []
    })
    const fetchMethod = request.fetchMethod ?? allMethods
    const usual = health.missedShares(slug, fetchMethod)
    const order = { ...request, probes: Object.fromEntries(known), usual, driftFolder }
    const { finding, shares } = await carryOut(order, this.ending.signal)
    const at = new Date(this.now()).toISOString()
    await health.note([
      { slug, fetchMethod, finding, source: "probe", at, ...(shares && { shares }) },
    ])
    await this.plan(request, finding.verdict)
    if (!request.fetchMethod) this.options.trial?.note(slug, finding.verdict, this.trialProbes)
  }

  /** Schedules checks that have no time yet, and queues due ones. */
  async lookAtPlan(): Promise<void> {
    const { probes: probeList } = this
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
      if (!probeList.probe(scraper.slug)) continue
      const { slug } = scraper
      for (const { fetchMethod, everyMs } of plansOf(scraper)) {
        const key = fetchMethod ?? allMethods
        const dueAt = planned.get(keyOf({ slug, fetchMethod: key }))
        const put = (part: number) =>
          later.push({ slug, fetchMethod: key, dueAt: this.in(everyMs * part) })
        if (dueAt === undefined) put(this.random())
        else if (Date.parse(dueAt) > now) continue
        else if (!fetchMethod && this.hasVisibleTheSame(slug)) put(this.about())
        // The rest of the quota is for users.
        else if (scarce.some((host) => host in (scraper.rateLimit ?? {}))) put(hourMs / everyMs)
        else this.runChecks([{ slug, ...(fetchMethod && { fetchMethod }) }])
      }
    }
    if (later.length > 0) await store.write("health.plan", { planned: later })
  }

  /** Whether users' runs of the last hour confirm the current state. */
  private hasVisibleTheSame(slug: string): boolean {
    const { health } = this.options
    const visible = health.traffic.lastHour(slug)
    return visible !== null && visible.verdict === health.of(slug).state
  }

  private async plan({ slug, fetchMethod }: CheckRequest, verdict: Verdict): Promise<void> {
    if (!this.options.isScheduled) return
    const scraper = this.options.scrapers.find((entry) => entry.slug === slug)
    const own = scraper && plansOf(scraper).find((plan) => plan.fetchMethod === fetchMethod)
    if (!own) return
    const isKnown = verdict !== "unknown" && this.options.health.of(slug).state === verdict
    const soon = isKnown ? undefined : againMs[verdict]
    const dueAt = this.in(Math.min(own.everyMs, soon ?? own.everyMs) * this.about())
    const planned = [{ slug, fetchMethod: fetchMethod ?? allMethods, dueAt }]
    await this.options.store.write("health.plan", { planned })
  }

  private in(milliseconds: number): string {
    return new Date(this.now() + milliseconds).toISOString()
  }

  /** Jitter, so that checks do not fall on the same minute each day. */
  private about(): number {
    return 0.75 + this.random() / 2
  }

  private report(message: string): void {
    const { onError = console.error } = this.options
    onError(message)
  }
}

const keyOf = ({ slug, fetchMethod }: { slug: string; fetchMethod: string }) =>
  `${slug} ${fetchMethod}`

const sameCheck = (one: CheckRequest, other: CheckRequest) =>
  one.slug === other.slug &&
  one.fetchMethod === other.fetchMethod &&
  one.unlocker === other.unlocker

/**
 * Returns the schedule of a scraper: an open API is checked once a day, a protected site once a
 * week, and each of its fetch methods once a week. The unlocker costs money and is checked only on
 * request.
 */
function plansOf(scraper: AnyScraper): { fetchMethod?: FetchMethod; everyMs: number }[] {
  const methods = fetchMethodsOf(scraper)
  const isFree = (method: FetchMethod) => strategies[method].connection !== "service"
  const isOpen = methods.every((method) => isFree(method) && !strategies[method].rendersPages)
  const single = methods.length > 1 ? methods.filter(isFree) : []
  return [
    { everyMs: isOpen ? dayMs : 7 * dayMs },
    ...single.map((fetchMethod) => ({ fetchMethod, everyMs: 7 * dayMs })),
  ]
}
