import type { Insertable, Selectable } from "kysely"
import type { Db } from "../database.ts"
import type { PlannedRunsTable } from "../tables/automation-tables.ts"

export type PlannedRun = Selectable<PlannedRunsTable>

/** Rows of one statement. */
const chunk = 100

export async function planRuns(db: Db, runs: Insertable<PlannedRunsTable>[]): Promise<void> {
  for (let from = 0; from < runs.length; from += chunk) {
    await db
      .insertInto("planned_runs")
      .values(runs.slice(from, from + chunk))
      .execute()
  }
}

/** The run was started, or never will be. */
export async function dropPlannedRun(db: Db, plan: { runId: string }): Promise<void> {
  await db.deleteFrom("planned_runs").where("run_id", "=", plan.runId).execute()
  const run = db.selectFrom("runs").select("id").where("id", "=", plan.runId)
  await db
    .deleteFrom("run_sources")
    .where("run_id", "=", plan.runId)
    .where(({ exists, not }) => not(exists(run)))
    .execute()
}

export async function plannedRuns(db: Db): Promise<PlannedRun[]> {
  return db.selectFrom("planned_runs").selectAll().orderBy("run_id").execute()
}
