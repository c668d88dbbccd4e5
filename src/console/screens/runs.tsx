import { useEffect, useState } from "preact/hooks"
import { isOver, type Run, runs } from "../data/runs.ts"
import { account } from "../data/shell.ts"
import { RunTable } from "../parts/run-table.tsx"
import { SameCall } from "../parts/same-call.tsx"
import { SignInFirst } from "../parts/sign-in-first.tsx"
import { counted } from "../parts/value.tsx"
import { keepAddress, Link, type Place } from "../router.tsx"

/** So often the list looks for news, while something runs. */
const lookMs = 2_000
const atOnce = 50

const filters = [
  ["", "All"],
  ["running", "Running"],
  ["succeeded", "Succeeded"],
  ["failed", "Failed"],
  ["aborted", "Aborted"],
] as const

/** The account's runs, the newest first. */
export function Runs({ place }: { place: Place }) {
  const [status, setStatus] = useState(place.query.get("status") ?? "")
  const [shown, setShown] = useState<{ items: Run[]; total: number }>()
  const [fault, setFault] = useState("")
  const query = new URLSearchParams({ limit: String(atOnce), ...(status && { status }) })
  useEffect(() => {
    document.title = "Runs · Trawl"
    keepAddress(`/runs${status ? `?status=${status}` : ""}`)
    if (!account) return
    const leaving = new AbortController()
    let timer: ReturnType<typeof setTimeout> | undefined
    const look = async () => {
      try {
        const list = await runs(query, leaving.signal)
        setShown(list)
        setFault("")
        if (!list.items.every(isOver)) timer = setTimeout(look, lookMs)
      } catch (error) {
        if (!leaving.signal.aborted) setFault((error as Error).message)
      }
    }
    look()
    return () => {
      leaving.abort()
      clearTimeout(timer)
    }
  }, [status])
  if (!account) return <SignInFirst title="Runs" />
  return (
    <>
      <h1>Runs</h1>
      <div class="filters after-title">
        <div class="field">
          <label for="status">State</label>
          <select
            id="status"
            value={status}
            onChange={(event) => setStatus(event.currentTarget.value)}
          >
            {filters.map(([value, text]) => (
              <option key={value} value={value}>
                {text}
              </option>
            ))}
          </select>
        </div>
        {shown && <p class="muted count">{counted(shown.total, "run")}</p>}
      </div>
      {fault && (
        <p class="notice bad" role="alert">
          {fault}
        </p>
      )}
      {shown?.items.length === 0 && (
        <p class="notice">
          None yet. <Link to="/scrapers">Choose a scraper</Link> and start one: a run is kept, with
          its items, and goes on after a restart.
        </p>
      )}
      {shown && shown.items.length > 0 && <RunTable runs={shown.items} />}
      <SameCall call={{ path: `/api/v1/runs?${query}`, needsKey: true }} />
    </>
  )
}
