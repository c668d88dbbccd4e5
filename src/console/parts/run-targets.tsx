import { useEffect, useState } from "preact/hooks"
import * as api from "../data/runs.ts"
import { useKept } from "../use-kept.ts"
import { Fault } from "./fault.tsx"
import { Heads } from "./heads.tsx"
import { Scroll } from "./scroll.tsx"
import { Value } from "./value.tsx"

const states = [
  ["", "All"],
  ["running", "At work"],
  ["queued", "Waiting"],
  ["done", "Done"],
  ["failed", "Failed"],
] as const
const marks: Record<api.Target["state"], [word: string, mark: string]> = {
  queued: ["waits", ""],
  running: ["at work", "running"],
  done: ["done", "succeeded"],
  failed: ["failed", "failed"],
}
/** So often the targets of a run that goes on are looked at anew. */
const lookMs = 3_000

interface RunTargetsProps {
  run: api.Run
  state: string
  onState(state: string): void
}

/** What a run consists of, and how each part of it stands. */
export function RunTargets({ run, state, onState }: RunTargetsProps) {
  // Where the parts before this one began, to go back to them.
  const [cursors, setCursors] = useState<string[]>([])
  const [looks, setLooks] = useState(0)
  const goesOn = !api.isOver(run)
  const cursor = cursors.at(-1)
  const loaded = useKept(
    (signal) => api.targetsOf(run.id, state, cursor, signal),
    [run.id, run.status, state, cursor, looks],
  )
  useEffect(() => {
    if (!goesOn) return
    const timer = setInterval(() => setLooks((count) => count + 1), lookMs)
    return () => clearInterval(timer)
  }, [goesOn])
  const choose = (wanted: string) => {
    setCursors([])
    onState(wanted)
  }
  const part = loaded.state === "there" ? loaded.value : undefined
  return (
    <section aria-labelledby="targets">
      <div class="bar">
        <h2 id="targets">
          Targets {part && <span class="muted">{part.total.toLocaleString()}</span>}
        </h2>
        <label class="row-label">
          <span class="unseen">State of the targets</span>
          <select value={state} onChange={(event) => choose(event.currentTarget.value)}>
            {states.map(([value, word]) => (
              <option key={value} value={value}>
                {word}
              </option>
            ))}
          </select>
        </label>
      </div>
      <Fault>{loaded.state === "failed" ? loaded.error.message : ""}</Fault>
      {part?.items.length === 0 && (
        <p class="notice">{state ? "None is so now." : "It has none yet."}</p>
      )}
      {part && part.items.length > 0 && (
        <Scroll label="Targets of the run">
          <table class="list">
            <Heads names={["Target", "State", "Way in", "Why"]} />
            <tbody>
              {part.items.map((one) => (
                <tr key={one.position}>
                  <td class="target">
                    <Value value={one.target} />
                  </td>
                  <td>
                    <span class={`status ${marks[one.state][1]}`}>{marks[one.state][0]}</span>
                  </td>
                  <td>{one.way ?? <span class="muted">–</span>}</td>
                  <td>
                    {one.code && <strong class="fault">{one.code.replaceAll("_", " ")}: </strong>}
                    {one.message ?? one.reason ?? <span class="muted">–</span>}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </Scroll>
      )}
      {(cursors.length > 0 || part?.nextCursor) && (
        <div class="bar pages">
          <button
            type="button"
            disabled={cursors.length === 0}
            onClick={() => setCursors(cursors.slice(0, -1))}
          >
            Before
          </button>
          <button
            type="button"
            disabled={!part?.nextCursor}
            onClick={() => part?.nextCursor && setCursors([...cursors, part.nextCursor])}
          >
            Next
          </button>
        </div>
      )}
    </section>
  )
}
