import { changeSchedule, isMuted, isMutedForGood, mutedUntil, mutes } from "../../data/schedules.ts"
import { useTask } from "../../hooks/use-task.ts"
import { ErrorMessage } from "../error-message.tsx"
import { When } from "../status.tsx"

interface ScheduleState {
  id: string
  enabled: boolean
  disabledReason?: string | null
  mutedUntil: string | null
}

/** Whether a schedule is on, and whether its notifications are muted. */
export function ScheduleStatus({ of }: { of: ScheduleState }) {
  return (
    <>
      <span class={`status ${of.enabled ? "succeeded" : ""}`}>{of.enabled ? "on" : "paused"}</span>
      {isMuted(of) && (
        <span class="muted">
          muted{" "}
          {!isMutedForGood(of) && (
            <>
              until <When at={of.mutedUntil!} />
            </>
          )}
        </span>
      )}
    </>
  )
}

/** Buttons that pause a schedule and mute its notifications. */
export function ScheduleActions({ of, onChanged }: { of: ScheduleState; onChanged(): void }) {
  const { busy, issue, run } = useTask()
  const change = (set: { enabled?: boolean; mutedUntil?: string | null }) =>
    run(async () => {
      await changeSchedule(of.id, set)
      onChanged()
    })
  return (
    <>
      <button type="button" disabled={busy} onClick={() => change({ enabled: !of.enabled })}>
        {of.enabled ? "Pause" : "Switch on"}
      </button>
      {isMuted(of) ? (
        <button type="button" disabled={busy} onClick={() => change({ mutedUntil: null })}>
          Unmute
        </button>
      ) : (
        <select
          class="as-button"
          aria-label="Mute"
          disabled={busy}
          value=""
          onChange={({ currentTarget: { value } }) => change({ mutedUntil: mutedUntil(value) })}
        >
          <option value="" disabled>
            Mute …
          </option>
          {mutes.map(([hours, words]) => (
            <option key={hours} value={hours}>
              {words}
            </option>
          ))}
        </select>
      )}
      <ErrorMessage>{issue}</ErrorMessage>
    </>
  )
}
