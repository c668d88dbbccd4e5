import { useEffect, useState } from "preact/hooks"
import { catalogue } from "../data/catalogue.ts"
import { isFinished, listPath, type Run, runs, spans } from "../data/runs.ts"
import { account } from "../data/shell.ts"
import { useLoaded } from "../hooks/use-loaded.ts"
import { SignInFirst } from "../parts/accounts/sign-in-first.tsx"
import { CodeSnippet } from "../parts/code-snippet.tsx"
import { ErrorMessage } from "../parts/error-message.tsx"
import { SelectField } from "../parts/fields.tsx"
import { ListSearch } from "../parts/list-search.tsx"
import { Pager } from "../parts/pager.tsx"
import { RunTable } from "../parts/runs/run-table.tsx"
import { RunsChart } from "../parts/runs/runs-chart.tsx"
import { ScraperSelect } from "../parts/runs/scraper-select.tsx"
import { counted } from "../parts/value.tsx"
import { Link, type PageLocation, replaceUrl } from "../routing/router.tsx"

/** Interval at which the list is reloaded while a run is in progress. */
const lookMs = 2_000

const states = [
  ["", "All"],
  ["running", "Running"],
  ["succeeded", "Succeeded"],
  ["failed", "Failed"],
  ["aborted", "Aborted"],
] as const

/** The account's runs, newest first. */
export function Runs({ pageLocation: route }: { pageLocation: PageLocation }) {
  const [status, setStatus] = useState(route.query.get("status") ?? "")
  const [scraper, setScraper] = useState(route.query.get("scraper") ?? "")
  const [span, setSpan] = useState(route.query.get("span") ?? "")
  // Cursors of the previous pages, to go back to them.
  const [cursors, setCursors] = useState<string[]>([])
  const [search, setSearch] = useState(route.query.get("search") ?? "")
  const path = listPath({ search, status, scraper, span }, cursors.at(-1))
  const { visible, issue } = useRuns(path)
  const known = useLoaded(() => catalogue(), [])
  useEffect(() => {
    document.title = "Runs · Trawl"
  }, [])
  useEffect(() => {
    const filled = Object.entries({ search, status, scraper, span }).filter(([, value]) => value)
    replaceUrl(`/runs${filled.length > 0 ? `?${new URLSearchParams(filled)}` : ""}`)
  }, [search, status, scraper, span])
  if (!account) return <SignInFirst title="Runs" />
  const choosing = (set: (value: string) => void) => (value: string) => {
    setCursors([])
    set(value)
  }
  return (
    <>
      <h1>Runs</h1>
      <div class="filters after-title">
        <ListSearch value={search} onChange={choosing(setSearch)} />
        <SelectField
          id="status"
          label="Status"
          value={status}
          options={states}
          onChange={choosing(setStatus)}
        />
        <ScraperSelect
          id="scraper"
          value={scraper}
          scrapers={known.state === "there" ? known.value : []}
          none="All"
          onChange={choosing(setScraper)}
        />
        <SelectField
          id="span"
          label="Started"
          value={span}
          options={spans}
          onChange={choosing(setSpan)}
        />
        {visible && <p class="muted count">{counted(visible.total, "run")}</p>}
      </div>
      <ErrorMessage>{issue}</ErrorMessage>
      {visible?.items.length === 0 &&
        (search || status || scraper || span ? (
          <p class="notice">No run matches.</p>
        ) : (
          <p class="notice">
            None yet. <Link to="/scrapers">Choose a scraper</Link> and start one. A run is stored
            with its items, and continues after a restart.
          </p>
        ))}
      {visible && visible.items.length > 0 && (
        <RunsChart path={listPath({ search, status, scraper, span })} />
      )}
      {visible && visible.items.length > 0 && <RunTable runs={visible.items} />}
      <Pager cursors={cursors} next={visible?.nextCursor ?? null} onPage={setCursors} />
      <CodeSnippet call={{ path, needsKey: true }} />
    </>
  )
}

/** Returns a page of the list, and reloads it while one of its runs is in progress. */
function useRuns(path: string) {
  const [visible, setVisible] = useState<{
    items: Run[]
    total: number
    nextCursor: string | null
  }>()
  const [issue, setIssue] = useState("")
  useEffect(() => {
    if (!account) return
    const leaving = new AbortController()
    let timer: ReturnType<typeof setTimeout> | undefined
    const look = async () => {
      try {
        const list = await runs(path, leaving.signal)
        setVisible(list)
        setIssue("")
        if (!list.items.every(isFinished)) timer = setTimeout(look, lookMs)
      } catch (error) {
        if (!leaving.signal.aborted) setIssue((error as Error).message)
      }
    }
    void look()
    return () => {
      leaving.abort()
      clearTimeout(timer)
    }
  }, [path])
  return { visible, issue }
}
