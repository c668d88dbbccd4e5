import { useEffect, useRef, useState } from "preact/hooks"
import { exportFormats } from "../../base/export-formats.ts"
import { type Definition, definition } from "../data/catalogue.ts"
import { filledFromRun } from "../data/form-input.ts"
import * as api from "../data/runs.ts"
import { account, base } from "../data/shell.ts"
import { useLoaded } from "../hooks/use-loaded.ts"
import { useTask } from "../hooks/use-task.ts"
import { SignInFirst } from "../parts/accounts/sign-in-first.tsx"
import { CodeSnippet } from "../parts/code-snippet.tsx"
import { Dialog } from "../parts/dialog.tsx"
import { ErrorMessage } from "../parts/error-message.tsx"
import { Items } from "../parts/items/items.tsx"
import { LoadError } from "../parts/not-loaded.tsx"
import { DeleteRun } from "../parts/runs/delete-run.tsx"
import { RunTargets } from "../parts/runs/run-targets.tsx"
import { Status, When } from "../parts/status.tsx"
import { Tabs } from "../parts/tabs.tsx"
import { Link, type PageLocation, replaceUrl } from "../routing/router.tsx"

/** One run with its live progress, items, targets and log. */
export function RunScreen({ id, pageLocation: route }: { id: string; pageLocation: PageLocation }) {
  useEffect(() => {
    document.title = "Run · Trawl"
  }, [])
  const loaded = useLoaded(
    async (signal) => {
      if (!account) return undefined
      const run = await api.runOf(id, signal)
      // A run may outlive its scraper or recipe, which has no definition then.
      const known = (slug: string) => definition(slug, signal).catch(() => undefined)
      const own = run.recipe ? await known(run.recipe) : undefined
      return { run, of: own?.recipeId ? own : await known(run.scraper) }
    },
    [id],
  )
  if (!account) return <SignInFirst title="Run" />
  if (loaded.state === "failed") {
    return (
      <LoadError {...loaded} what="run">
        <Link to="/runs">All runs</Link>
      </LoadError>
    )
  }
  if (loaded.state === "loading" || !loaded.value) return <h1 class="muted">Run</h1>
  const { run, of } = loaded.value
  return <Live first={run} of={of} route={route} />
}

interface LiveProps {
  first: api.Run
  of: Definition | undefined
  route: PageLocation
}

const tabIds = ["items", "targets", "log"] as const
type TabId = (typeof tabIds)[number]

function Live({ first, of, route: { query } }: LiveProps) {
  // State of the targets that are displayed; "" for all.
  const [state, setState] = useState(query.get("targets") ?? "")
  const [tab, setTab] = useState<TabId>(
    tabIds.find((id) => id === query.get("tab")) ?? (state ? "targets" : "items"),
  )
  useEffect(() => {
    const visible = new URLSearchParams({
      ...(tab !== "items" && { tab }),
      ...(tab === "targets" && state && { targets: state }),
    })
    replaceUrl(`/runs/${first.id}${visible.size > 0 ? `?${visible}` : ""}`)
  }, [tab, state])
  const [run, setRun] = useState(first)
  const [lines, setLines] = useState<api.Line[]>([])
  const [issue, setIssue] = useState("")
  const [isThere, setThere] = useState(true)
  // Increases when the run is retried, so that the screen follows it again.
  const [life, setLife] = useState(0)
  useEffect(() => {
    setLines([])
    const onNews = (news: api.Run | undefined, more: api.Line[]) => {
      if (news) setRun((before) => ({ ...before, ...news }))
      if (more.length > 0) setLines((before) => api.lastOf([...before, ...more]))
    }
    return api.follow(first.id, onNews, setThere)
  }, [first.id, life])
  const act = (what: (id: string) => Promise<api.Run>) => async () => {
    try {
      setRun(await what(run.id))
      setIssue("")
      setLife((before) => before + 1)
    } catch (error) {
      setIssue((error as Error).message)
    }
  }
  const slug = of?.slug ?? run.scraper
  return (
    <>
      <p class="crumbs">
        <Link to="/runs">Runs</Link> / {run.id}
      </p>
      <Title run={run} of={of} onRenamed={setRun} />
      <div class="bar after-title">
        <p class="count" aria-live="polite">
          <Status run={run} /> <span class="muted">started </span>
          <When at={run.createdAt} />
        </p>
        <div class="actions">
          {api.isFinished(run) && run.errorCount > 0 && (
            <button type="button" onClick={act(api.retry)}>
              Retry failed targets
            </button>
          )}
          {api.mayGoOn(run) && (
            <button type="button" onClick={act(api.resume)}>
              Resume
            </button>
          )}
          {!api.isFinished(run) && (
            <button type="button" onClick={act(api.abort)}>
              Abort
            </button>
          )}
          <Link class="button" to={filledFromRun(`/scrapers/${slug}`, run.id)}>
            Edit and run again
          </Link>
          <Link class="button" to={filledFromRun(`/schedules/new/${slug}`, run.id)}>
            Create a schedule
          </Link>
          {api.isFinished(run) && <DeleteRun id={run.id} />}
        </div>
      </div>
      {[issue, run.error?.message].filter(Boolean).map((message) => (
        <p class="notice bad" role="alert" key={message}>
          {message}
        </p>
      ))}
      {!isThere && (
        <p class="notice bad" role="alert">
          The service does not respond. This is the last known progress; it is updated once the
          service is back.
        </p>
      )}
      {run.statusMessage && !api.isFinished(run) && <p class="notice">{run.statusMessage}</p>}
      <progress
        class="whole"
        aria-label="Targets done"
        max={Math.max(1, run.targetsTotal)}
        value={run.targetsDone}
      />
      <dl class="figures">
        <Figure
          name="Targets"
          value={`${run.targetsDone.toLocaleString()} of ${run.targetsTotal.toLocaleString()}`}
        />
        <Figure name="Items" value={run.itemCount.toLocaleString()} />
        <Figure name="Failed" value={run.errorCount.toLocaleString()} />
        <Figure name="Pages" value={run.pageCount.toLocaleString()} />
        <Figure name="Credits" value={run.creditsCharged.toLocaleString()} />
        <Figure name="Time" value={timeOf(run)} />
        <RateLimit run={run} />
      </dl>
      <Tabs
        label="Parts of the run"
        tabs={[
          ["items", "Items", run.itemCount],
          ["targets", "Targets", run.targetsTotal],
          ["log", "Log"],
        ]}
        chosen={tab}
        onChoose={(id) => setTab(id)}
      >
        {tab === "items" && <RunItems run={run} of={of} />}
        {tab === "targets" && <RunTargets run={run} state={state} onState={setState} />}
        {tab === "log" && <Log lines={lines} />}
      </Tabs>
      <CodeSnippet
        call={{
          path: tab === "targets" ? api.targetsPath(run.id, state) : `/api/v1/runs/${run.id}`,
          needsKey: true,
        }}
      />
    </>
  )
}

interface TitleProps {
  run: api.Run
  of: Definition | undefined
  onRenamed(run: api.Run): void
}

/** The title of the run, which the user can change. */
function Title({ run, of, onRenamed }: TitleProps) {
  const what = of?.name ?? api.whatRuns(run)
  const [isNaming, setNaming] = useState(false)
  const { busy, issue, run: act } = useTask()
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    const title = String(new FormData(event.currentTarget as HTMLFormElement).get("title")).trim()
    void act(async () => {
      onRenamed(await api.rename(run.id, title))
      setNaming(false)
    })
  }
  return (
    <>
      <h1>{run.title ?? what}</h1>
      <p class="count">
        {run.title && <span class="muted">{what} </span>}
        <button type="button" class="quiet" onClick={() => setNaming(true)}>
          Rename
        </button>
      </p>
      {isNaming && (
        <Dialog title="Rename the run" onClose={() => setNaming(false)}>
          <form onSubmit={submit}>
            <div class="field">
              <label for="title">Name</label>
              <input
                id="title"
                name="title"
                data-first
                required
                maxLength={200}
                defaultValue={run.title ?? ""}
              />
            </div>
            <ErrorMessage>{issue}</ErrorMessage>
            <div class="actions">
              <button type="submit" class="main" disabled={busy}>
                Rename
              </button>
              <button type="button" onClick={() => setNaming(false)}>
                Cancel
              </button>
            </div>
          </form>
        </Dialog>
      )}
    </>
  )
}

/** The current speed of the run, and the estimated time left for its known targets. */
function RateLimit({ run }: { run: api.Run }) {
  const seen = useRef<api.Sight[]>([])
  seen.current = api.sights(seen.current, { at: Date.now(), done: run.targetsDone })
  const perSecond = api.rateOf(seen.current)
  if (api.isFinished(run) || perSecond === 0) return null
  const left = (run.targetsTotal - run.targetsDone) / perSecond
  return (
    <>
      <Figure name="Targets a minute" value={Math.round(perSecond * 60).toLocaleString()} />
      <Figure name="Time left" value={`about ${api.spanOf(left)}`} />
    </>
  )
}

const Figure = ({ name, value }: { name: string; value: string | number }) => (
  <div>
    <dt>{name}</dt>
    <dd>{value}</dd>
  </div>
)

function timeOf({ startedAt, finishedAt }: api.Run): string {
  if (!startedAt) return "–"
  const seconds =
    ((finishedAt ? Date.parse(finishedAt) : Date.now()) - Date.parse(startedAt)) / 1000
  return seconds < 90 ? `${Math.max(0, seconds).toFixed(1)} s` : api.spanOf(seconds)
}

function RunItems({ run, of }: { run: api.Run; of: Definition | undefined }) {
  const [offset, setOffset] = useState(0)
  const [visible, setVisible] = useState<{ items: Record<string, unknown>[]; total: number }>()
  const made = run.itemCount + run.errorCount
  // While the run is in progress, its first page grows; a full page is not loaded again.
  const wanted = Math.min(made, offset + api.itemsAtOnce)
  useEffect(() => {
    if (wanted === 0) return
    const leaving = new AbortController()
    api.itemsOf(run.datasetId, offset, leaving.signal).then(setVisible, () => {})
    return () => leaving.abort()
  }, [run.datasetId, offset, wanted])
  if (made === 0) return api.isFinished(run) ? <p class="notice">The run has no items.</p> : null
  const file = (format: string) => `${base}/api/v1/datasets/${run.datasetId}/items?format=${format}`
  return (
    <section aria-labelledby="items">
      <div class="bar">
        <h2 id="items">Items</h2>
        <p class="count downloads">
          <Link to={`/datasets/${run.datasetId}`}>Whole dataset</Link>
          {(["csv", "jsonl"] as const).map((format) => (
            <a key={format} href={file(format)} download={`${run.scraper}.${format}`}>
              {exportFormats[format].name}
            </a>
          ))}
        </p>
      </div>
      {visible && <Items key={offset} items={visible.items} schema={of?.item ?? {}} />}
      {made > api.itemsAtOnce && (
        <div class="bar pages">
          <button
            type="button"
            disabled={offset === 0}
            onClick={() => setOffset(offset - api.itemsAtOnce)}
          >
            Previous
          </button>
          <span class="muted">
            {offset + 1} to {Math.min(made, offset + api.itemsAtOnce)} of {made.toLocaleString()}
          </span>
          <button
            type="button"
            disabled={offset + api.itemsAtOnce >= made}
            onClick={() => setOffset(offset + api.itemsAtOnce)}
          >
            Next
          </button>
        </div>
      )}
    </section>
  )
}

function Log({ lines }: { lines: api.Line[] }) {
  if (lines.length === 0) return <p class="notice">No lines yet.</p>
  return (
    <section aria-labelledby="log">
      <h2 id="log">Log</h2>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard */}
      <ol class="log" tabIndex={0} aria-label="Lines of the log">
        {lines.map(({ at, level, message }, index) => (
          <li key={index} class={level}>
            <When at={at} /> {message}
          </li>
        ))}
      </ol>
    </section>
  )
}
