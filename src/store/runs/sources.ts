import type { Db } from "../db/database.ts"
import type { RunSourcesTable } from "../tables/schema.ts"

export type RunSource = RunSourcesTable

/** Rows of one statement. */
const chunk = 100

export async function keepSources(db: Db, sources: readonly RunSource[]): Promise<void> {
  for (let from = 0; from < sources.length; from += chunk) {
    await db
      .insertInto("run_sources")
      .values(sources.slice(from, from + chunk))
      .execute()
  }
}

/** Returns the input rows of a run's targets, by the targets' positions. */
export async function sourcesOf(db: Db, runN: number): Promise<Map<number, string>> {
  const rows = await db
    .selectFrom("runs")
    .innerJoin("run_sources", "run_sources.run_id", "runs.id")
    .innerJoin("targets", (join) =>
      join.onRef("targets.run_n", "=", "runs.n").onRef("targets.key", "=", "run_sources.key"),
    )
    .where("runs.n", "=", runN)
    .select(["targets.seq", "run_sources.body"])
    .execute()
  return new Map(rows.map(({ seq, body }) => [seq, body]))
}
