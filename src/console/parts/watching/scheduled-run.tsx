import type { ScheduledRun } from "../../data/schedules.ts"
import { Link } from "../../routing/router.tsx"
import { When } from "../status.tsx"
import { counted } from "../value.tsx"

const outcomes = {
  started: "started",
  skipped: "skipped",
  out_of_credit: "no credits",
  failed: "failed",
} as const

/** The outcome of a scheduled time. */
export function ScheduledRunMark({ scheduledRun }: { scheduledRun: ScheduledRun }) {
  const { runId, outcome, dueAt, missed } = scheduledRun
  return (
    <>
      {runId ? <Link to={`/runs/${runId}`}>{outcomes[outcome]}</Link> : outcomes[outcome]}{" "}
      <span class="muted">
        <When at={dueAt} />
        {missed > 0 && `, ${counted(missed, "time")} missed`}
      </span>
    </>
  )
}
