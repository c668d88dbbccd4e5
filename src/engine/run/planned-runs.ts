import { type AnyScraper, Outcome } from "../../catalogue/kit/index.ts"
import { type PlannedRun, plannedRuns } from "../../store/automation/planned-runs.ts"
import { runById } from "../../store/runs/runs.ts"
import type { Store } from "../../store/store.ts"
import type { RunService } from "../workers/runs.ts"

export interface PlanParts {
  store: Store
  runs: RunService
  /** Of the catalogue, or of the account. */
  scraper(slug: string, accountId: string): AnyScraper | undefined | Promise<AnyScraper | undefined>
}

/** Starts runs that batches and schedules have promised; each once, also after a crash. */
export class PlannedRuns {
  private readonly starting = new Set<string>()

  constructor(private readonly parts: PlanParts) {}

  /** Starts what was promised and could not be started then: by an earlier process, or by this. */
  async recover(): Promise<void> {
    for (const plan of await plannedRuns(this.parts.store.db)) await this.start(plan)
  }

  /** Rejects while the service stops; the plan is then kept for the next start. */
  async start(plan: PlannedRun): Promise<void> {
    if (this.starting.has(plan.run_id)) return
    this.starting.add(plan.run_id)
    try {
      await this.startOnce(plan)
    } finally {
      this.starting.delete(plan.run_id)
    }
  }

  private async startOnce(plan: PlannedRun): Promise<void> {
    const { store, runs } = this.parts
    const scraper = await this.parts.scraper(plan.slug, plan.account_id)
    const started = await runById(store.db, plan.run_id)
    if (scraper && !started) {
      try {
        await runs.start({
          id: plan.run_id,
          scraper,
          input: JSON.parse(plan.input),
          accountId: plan.account_id,
          keyId: plan.key_id,
          origin: plan.origin,
        })
      } catch (error) {
        // The scraper itself refuses the input: there is no run to be had. Or another process was first.
        const isKept = error instanceof Outcome || (await runById(store.db, plan.run_id))
        if (!isKept) throw error
      }
    }
    await store.write("plans.drop", { runId: plan.run_id })
  }
}
