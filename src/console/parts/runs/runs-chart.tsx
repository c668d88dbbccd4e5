import { useState } from "preact/hooks"
import { isFinished, type Run, runs } from "../../data/runs.ts"
import { useLoaded } from "../../hooks/use-loaded.ts"
import { Chart } from "../charts/chart.tsx"
import { ErrorMessage } from "../error-message.tsx"

/** Success and duration of the listed runs over time; loaded when it is opened. */
export function RunsChart({ path }: { path: string }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <details onToggle={(event) => setOpen((event.currentTarget as HTMLDetailsElement).open)}>
      <summary>Success and duration over time</summary>
      {isOpen && <Charts path={path.replace(/limit=\d+/, "limit=1000")} />}
    </details>
  )
}

const dayMs = 86_400_000
const maxDays = 60

function Charts({ path }: { path: string }) {
  const loaded = useLoaded((signal) => runs(path, signal), [path])
  if (loaded.state === "loading") return <p class="muted">Loading …</p>
  if (loaded.state === "failed") return <ErrorMessage>{loaded.error.message}</ErrorMessage>
  const over = loaded.value.items.filter(isFinished)
  const days = daysOf(over)
  const on = (day: number) => over.filter(({ createdAt }) => dayOf(createdAt) === day)
  return (
    <div class="halves">
      <Chart
        kind="bars"
        isByDay
        label="Runs a day by outcome"
        moments={days}
        series={[
          ["Succeeded", (run: Run) => run.status === "succeeded" && run.errorCount === 0] as const,
          ["Failed", (run: Run) => ["failed", "timed_out"].includes(run.status)] as const,
          [
            "Some targets failed",
            (run: Run) => run.status === "succeeded" && run.errorCount > 0,
          ] as const,
        ].map(([name, fits]) => ({ name, values: days.map((day) => on(day).filter(fits).length) }))}
      />
      <Chart
        isByDay
        label="Duration of runs in seconds (median a day)"
        moments={days}
        series={[
          { name: "Seconds", values: days.map((day) => median(on(day).flatMap(secondsOf))) },
        ]}
        format={(value) => `${value.toLocaleString(undefined, { maximumFractionDigits: 2 })} s`}
      />
    </div>
  )
}

/** The start of a local day. */
const dayOf = (at: string) => new Date(at).setHours(0, 0, 0, 0)

/** Returns the days from the first run to the last, including days without runs. */
function daysOf(all: Run[]): number[] {
  const days = all.map(({ createdAt }) => dayOf(createdAt))
  if (days.length === 0) return []
  const last = Math.max(...days)
  const first = Math.max(Math.min(...days), last - maxDays * dayMs)
  const count = Math.round((last - first) / dayMs) + 1
  return Array.from({ length: count }, (_, at) =>
    new Date(first + at * dayMs + dayMs / 2).setHours(0, 0, 0, 0),
  )
}

const secondsOf = ({ startedAt, finishedAt }: Run) =>
  startedAt && finishedAt ? [(Date.parse(finishedAt) - Date.parse(startedAt)) / 1000] : []

function median(values: number[]): number | null {
  if (values.length === 0) return null
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!
}
