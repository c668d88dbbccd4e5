import type { Run } from "../data/runs.ts"

const marks: Record<Run["status"], string> = {
  queued: "queued",
  running: "running",
  succeeded: "succeeded",
  failed: "failed",
  timed_out: "timed out",
  aborting: "aborting",
  aborted: "aborted",
}

/** The status of a run: a word and a colour. */
export function Status({ run: { status } }: { run: Pick<Run, "status"> }) {
  return <span class={`status ${status}`}>{marks[status]}</span>
}

/** A local time with the exact time as its title. */
export function When({ at }: { at: string }) {
  const date = new Date(at)
  const isToday = date.toDateString() === new Date().toDateString()
  const text = isToday
    ? date.toLocaleTimeString(undefined, { hour: "2-digit", minute: "2-digit", second: "2-digit" })
    : date.toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" })
  return (
    <time dateTime={at} title={at}>
      {text}
    </time>
  )
}
