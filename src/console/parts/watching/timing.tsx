import { useEffect, useState } from "preact/hooks"
import { nextTimes, ownZone, zones } from "../../data/schedules.ts"
import { cronOf, inWords, usual } from "../../data/when.ts"
import { useLoaded } from "../../hooks/use-loaded.ts"
import { ErrorMessage } from "../error-message.tsx"

export interface Timing {
  cron: string
  timeZone: string
}

interface TimingFieldsProps {
  first?: Timing
  /** Undefined while the text cannot be read as a schedule. */
  onChange(timing: Timing | undefined): void
}

/** The time of a schedule: in words or as cron, with its next times. */
export function TimingFields({ first, onChange }: TimingFieldsProps) {
  const [words, setWords] = useState(inWords(first?.cron ?? "0 9 * * 1-5"))
  const [timeZone, setZone] = useState(first?.timeZone ?? ownZone)
  const cron = cronOf(words)
  useEffect(() => onChange(cron === undefined ? undefined : { cron, timeZone }), [cron, timeZone])
  return (
    <>
      <div class="fields-in-row">
        <div class="field grow">
          <label for="when">When</label>
          <input
            id="when"
            list="usual-times"
            autocomplete="off"
            aria-describedby="when-help"
            aria-invalid={cron === undefined && words.trim() !== ""}
            required
            value={words}
            onInput={(event) => setWords(event.currentTarget.value)}
          />
          <datalist id="usual-times">
            {usual.map((text) => (
              <option key={text} value={text} />
            ))}
          </datalist>
        </div>
        <div class="field">
          <label for="zone">Time zone</label>
          <select
            id="zone"
            value={timeZone}
            onChange={(event) => setZone(event.currentTarget.value)}
          >
            {zones(timeZone).map((zone) => (
              <option key={zone} value={zone}>
                {zone}
              </option>
            ))}
          </select>
        </div>
      </div>
      <p class="help" id="when-help">
        {cron === undefined ? (
          <>
            {words.trim() && <strong class="bad">“{words.trim()}” is not understood. </strong>}
            In words, for example “weekdays at 9:00”, “every 15 minutes” or “mondays and fridays at
            8 pm”, or as cron.
          </>
        ) : (
          <>
            As cron: <code>{cron}</code>
          </>
        )}
      </p>
      {cron !== undefined && (cron !== first?.cron || timeZone !== first.timeZone) && (
        <Next cron={cron} timeZone={timeZone} />
      )}
    </>
  )
}

function Next({ cron, timeZone }: Timing) {
  const loaded = useLoaded((signal) => nextTimes(cron, timeZone, signal), [cron, timeZone])
  if (loaded.state === "failed") return <ErrorMessage>{loaded.error.message}</ErrorMessage>
  const times = loaded.state === "there" ? loaded.value : []
  return <Times times={times} timeZone={timeZone} />
}

/** Times in the time zone of the schedule. */
export function Times({ times, timeZone }: { times: string[]; timeZone: string }) {
  return (
    <ol class="times" aria-label="The next times">
      {times.map((at) => (
        <li key={at}>
          <time dateTime={at}>{inZone(at, timeZone)}</time>
        </li>
      ))}
    </ol>
  )
}

export const inZone = (at: string, timeZone: string) =>
  new Date(at).toLocaleString(undefined, {
    timeZone,
    weekday: "short",
    day: "numeric",
    month: "short",
    hour: "2-digit",
    minute: "2-digit",
  })
