import { join } from "node:path"
import { messageOf } from "../../../base/error-message.ts"
import { dayMs, hourMs } from "../../../base/time.ts"
import type { Verdict } from "../../../store/health/verdicts.ts"
import { publishedName, RefusedTables } from "./published.ts"
import { heldTables, rollBack } from "./published-files.ts"

/** Time before a failed fetch is repeated. */
const againMs = 6 * hourMs

export interface TrialOptions {
  dataDir: string
  /** Slugs of the scrapers that read the table of a site. */
  usersOf(site: string): readonly string[]
  /**
   * Fetches newer tables, applies them and returns a summary. Missing if the daily update is off.
   */
  update?(): Promise<string>
  log(level: "info" | "warn", message: string): void
  now(): number
}

/** Health probes for the trial. */
export interface Probes {
  stateOf(slug: string): Verdict
  /** Queues probes; returns the slugs that have one. */
  check(slugs: readonly string[]): string[]
}

interface Trial {
  sequence: number
  /** Scrapers to probe, with their previous states. */
  waiting: Map<string, Verdict>
  broken: string[]
}

/**
 * Fetches published tables once a day and tests them: the scrapers that use them are probed, and if
 * one that worked is broken, the previous tables are restored.
 */
export class TablesTrial {
  private known: number
  private dueAt: number
  private trial: Trial | undefined

  constructor(private readonly options: TrialOptions) {
    this.known = this.held()?.sequence ?? 0
    this.dueAt = options.now()
  }

  /** Fetches tables if they are due, and starts a trial of new ones. */
  async look(probes: Probes): Promise<void> {
    const { update, now, log } = this.options
    if (update && now() >= this.dueAt) {
      this.dueAt = now() + dayMs
      try {
        log("info", `Site constants: ${await update()}`)
      } catch (error) {
        this.dueAt = now() + againMs
        const what = error instanceof RefusedTables ? "are refused" : "cannot be fetched"
        log("warn", `Newer site constants ${what}. ${messageOf(error)}`)
      }
    }
    const held = this.held()
    if (!held || held.sequence === this.known) return
    this.known = held.sequence
    const users = Object.keys(held.tables).flatMap((site) => this.options.usersOf(site))
    const started = probes.check([...new Set(users)])
    const waiting = new Map(started.map((slug) => [slug, probes.stateOf(slug)]))
    this.trial = { sequence: held.sequence, waiting, broken: [] }
  }

  /** Records the result of a probe. The last one ends the trial. */
  note(slug: string, verdict: Verdict, probes: Probes): void {
    const { trial } = this
    const before = trial?.waiting.get(slug)
    if (!trial || before === undefined) return
    trial.waiting.delete(slug)
    if (before === "works" && verdict === "broken") trial.broken.push(slug)
    if (trial.waiting.size > 0) return
    this.trial = undefined
    const { sequence, broken } = trial
    const isHeld = this.held()?.sequence === sequence
    if (broken.length === 0 || !isHeld || !rollBack(this.options.dataDir)) return
    this.options.log(
      "warn",
      `Site constants number ${sequence} were rolled back, because ${broken.join(", ")} broke. The previous tables are in use again.`,
    )
    probes.check(broken)
  }

  private held() {
    return heldTables(join(this.options.dataDir, publishedName))
  }
}
