import { useEffect, useRef, useState } from "preact/hooks"
import { downloadFormats, exportFormats } from "../../../base/export-formats.ts"
import {
  abortBatch,
  type Batch,
  batchOf,
  hasSources,
  itemsOfBatch,
  retryBatch,
  runsOfBatch,
} from "../../data/bulk.ts"
import { type Run, rateOf, type Sight, sights, spanOf } from "../../data/runs.ts"
import { base } from "../../data/shell.ts"
import { useLoaded } from "../../hooks/use-loaded.ts"
import { useStored } from "../../hooks/use-stored.ts"
import { useTask } from "../../hooks/use-task.ts"
import { Link } from "../../routing/router.tsx"
import { CodeSnippet } from "../code-snippet.tsx"
import { ErrorMessage } from "../error-message.tsx"
import { Items } from "../items/items.tsx"
import { RunTable } from "./run-table.tsx"

/** Interval at which the progress is loaded. */
const lookMs = 2_000

/** A batch of runs that were started together. */
export function BatchProgress({ id }: { id: string }) {
  const [seen, setSeen] = useState<{ batch: Batch; runs: Run[] }>()
  const [issue, setIssue] = useState("")
  // Counts the actions on this screen; each one reloads the batch.
  const [looks, setLooks] = useState(0)
  const task = useTask()
  useEffect(() => {
    const leaving = new AbortController()
    let timer: ReturnType<typeof setTimeout> | undefined
    const look = async () => {
      try {
        const [batch, runs] = await Promise.all([
          batchOf(id, leaving.signal),
          runsOfBatch(id, leaving.signal),
        ])
        setSeen({ batch, runs: runs.items })
        setIssue("")
        if (batch.status === "running") timer = setTimeout(look, lookMs)
      } catch (error) {
        if (!leaving.signal.aborted) setIssue((error as Error).message)
      }
    }
    void look()
    return () => {
      leaving.abort()
      clearTimeout(timer)
    }
  }, [id, looks])
  const act = (what: (id: string) => Promise<Batch>) =>
    task.run(async () => {
      await what(id)
      setLooks((count) => count + 1)
    })
  const path = `/api/v1/batches/${id}`
  const made = seen ? seen.batch.itemCount + seen.batch.errorCount : 0
  const joined = useLoaded(
    async (signal) => ({ hasItems: made > 0, hasRows: made > 0 && (await hasSources(id, signal)) }),
    [id, made > 0],
  )
  const isKnown = joined.state === "failed" || (joined.state === "there" && joined.value.hasItems)
  const more = joined.state === "there" && joined.value.hasRows ? "&sources=true" : ""
  const batch = seen?.batch
  return (
    <>
      <p class="crumbs">
        <Link to="/bulk">Bulk</Link> / {id}
      </p>
      <h1>{batch?.name ?? "Bulk"}</h1>
      {batch && (
        <div class="bar after-title">
          <p class="count" aria-live="polite">
            {batch.status === "running" ? "Running" : "Finished"}
          </p>
          <div class="actions">
            {batch.targetsFailed > 0 && batch.status === "finished" && (
              <button type="button" disabled={task.busy} onClick={() => act(retryBatch)}>
                Retry failed targets
              </button>
            )}
            {batch.status === "running" && (
              <button type="button" disabled={task.busy} onClick={() => act(abortBatch)}>
                Abort
              </button>
            )}
          </div>
        </div>
      )}
      <ErrorMessage>{task.issue || issue}</ErrorMessage>
      {batch && <Figures batch={batch} />}
      {batch && made > 0 && isKnown && (
        <p class="downloads">
          {downloadFormats.map((format) => (
            <a key={format} href={`${base}${path}/items?format=${format}${more}`} download>
              {exportFormats[format].name}
            </a>
          ))}
        </p>
      )}
      {more && <p class="muted">Each item contains the columns of its row in your file.</p>}
      {seen && <RunTable runs={seen.runs} />}
      <BatchItems id={id} made={Math.min(made, itemsVisible)} />
      <CodeSnippet call={{ path, needsKey: true }} />
    </>
  )
}

const itemsVisible = 50

/** The first items; the downloads contain all. */
function BatchItems({ id, made }: { id: string; made: number }) {
  const loaded = useStored((signal) => itemsOfBatch(id, signal), [id, made])
  if (made === 0 || loaded.state !== "there") return null
  const { items, total } = loaded.value
  return (
    <section aria-labelledby="items">
      <h2 id="items">Items</h2>
      {total > items.length && (
        <p class="muted">
          The first {items.length} of {total.toLocaleString()}.
        </p>
      )}
      <Items items={items} schema={{}} />
    </section>
  )
}

/** Progress by targets: a batch of one run ends when all its targets are finished. */
function Figures({ batch }: { batch: Batch }) {
  const over = ["succeeded", "failed", "timed_out", "aborted"]
  const done = over.reduce((sum, status) => sum + (batch.byStatus[status] ?? 0), 0)
  const { targetsDone, targetsTotal } = batch
  const seen = useRef<Sight[]>([])
  seen.current = sights(seen.current, { at: Date.now(), done: targetsDone })
  const perSecond = batch.status === "running" ? rateOf(seen.current) : 0
  const figures: [string, string | number][] = [
    ["Targets", `${targetsDone.toLocaleString()} of ${targetsTotal.toLocaleString()}`],
    ["Runs", `${done} of ${batch.size}`],
    ["Items", batch.itemCount.toLocaleString()],
    ["Failed", batch.targetsFailed.toLocaleString()],
    ["Credits", batch.creditsCharged.toLocaleString()],
    ...(perSecond > 0
      ? ([["Time left", `about ${spanOf((targetsTotal - targetsDone) / perSecond)}`]] as [
          string,
          string,
        ][])
      : []),
  ]
  return (
    <>
      <progress
        class="whole"
        aria-label="Targets done"
        max={Math.max(1, targetsTotal)}
        value={targetsDone}
      />
      <dl class="figures" aria-live="polite">
        {figures.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </>
  )
}
