import { useEffect, useState } from "preact/hooks"
import * as api from "../../data/runs.ts"
import { useStored } from "../../hooks/use-stored.ts"
import { ErrorMessage } from "../error-message.tsx"
import { Pager } from "../pager.tsx"
import { Scroll } from "../scroll.tsx"
import { TableHead } from "../table-head.tsx"
import { Value } from "../value.tsx"

const states = [
  ["", "All"],
  ["running", "Running"],
  ["queued", "Waiting"],
  ["done", "Done"],
  ["failed", "Failed"],
] as const
const marks: Record<api.Target["state"], [word: string, mark: string]> = {
  queued: ["waits", ""],
  running: ["running", "running"],
  done: ["done", "succeeded"],
  failed: ["failed", "failed"],
}
/** Interval at which the targets of an active run are reloaded, in milliseconds. */
const lookMs = 3_000

interface RunTargetsProps {
  run: api.Run
  state: string
  onState(state: string): void
}

/** The targets of a run with their status. */
export function RunTargets({ run, state, onState }: RunTargetsProps) {
  // The cursors of the previous pages, to go back to them.
  const [cursors, setCursors] = useState<string[]>([])
  const [looks, setLooks] = useState(0)
  const isActive = !api.isFinished(run)
  const cursor = cursors.at(-1)
  const loaded = useStored(
    (signal) => api.targetsOf(run.id, state, cursor, signal),
    [run.id, run.status, state, cursor, looks],
  )
  useEffect(() => {
    if (!isActive) return
    const timer = setInterval(() => setLooks((count) => count + 1), lookMs)
    return () => clearInterval(timer)
  }, [isActive])
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
      <ErrorMessage>{loaded.state === "failed" ? loaded.error.message : ""}</ErrorMessage>
      {part?.items.length === 0 && (
        <p class="notice">{state ? "No target has this state." : "There are no targets yet."}</p>
      )}
      {part && part.items.length > 0 && (
        <Scroll label="Targets of the run">
          <table class="list as-cards">
            <TableHead names={["Target", "State", "Fetch method", "Why"]} />
            <tbody>
              {part.items.map((target) => (
                <tr key={target.position}>
                  <td class="target">
                    <Value value={target.target} />
                  </td>
                  <td data-name="State">
                    <span class={`status ${marks[target.state][1]}`}>{marks[target.state][0]}</span>
                  </td>
                  <td data-name="Fetch method">
                    {target.fetchMethod ?? <span class="muted">–</span>}
                  </td>
                  <td data-name="Why">
                    {target.code && (
                      <strong class="fault">{target.code.replaceAll("_", " ")}: </strong>
                    )}
                    {target.message ?? target.reason ?? <span class="muted">–</span>}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </Scroll>
      )}
      <Pager cursors={cursors} next={part?.nextCursor ?? null} onPage={setCursors} />
    </section>
  )
}
