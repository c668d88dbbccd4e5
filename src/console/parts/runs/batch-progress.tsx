import { useEffect, useState } from "preact/hooks"
import { type Batch, batchOf, hasSources, runsOfBatch } from "../../data/bulk.ts"
import type { Run } from "../../data/runs.ts"
import { base } from "../../data/shell.ts"
import { Link } from "../../router.tsx"
import { useLoaded } from "../../use-loaded.ts"
import { Fault } from "../fault.tsx"
import { SameCall } from "../same-call.tsx"
import { RunTable } from "./run-table.tsx"

/** So often it is asked how far it is. */
const lookMs = 2_000

/** Many runs that were started as one. */
export function BatchProgress({ id }: { id: string }) {
  const [seen, setSeen] = useState<{ batch: Batch; runs: Run[] }>()
  const [fault, setFault] = useState("")
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
        setFault("")
        if (batch.status === "running") timer = setTimeout(look, lookMs)
      } catch (error) {
        if (!leaving.signal.aborted) setFault((error as Error).message)
      }
    }
    void look()
    return () => {
      leaving.abort()
      clearTimeout(timer)
    }
  }, [id])
  const path = `/api/v1/batches/${id}`
  const made = seen ? seen.batch.itemCount + seen.batch.errorCount : 0
  const joined = useLoaded((signal) => hasSources(id, signal), [id, made > 0])
  const more = joined.state === "there" && joined.value ? "&sources=true" : ""
  return (
    <>
      <p class="crumbs">
        <Link to="/bulk">Bulk</Link> / {id}
      </p>
      <h1>{seen?.batch.name ?? "Bulk"}</h1>
      <Fault>{fault}</Fault>
      {seen && <Figures batch={seen.batch} />}
      {seen && (
        <p class="downloads">
          {["csv", "xlsx", "jsonl"].map((format) => (
            <a key={format} href={`${base}${path}/items?format=${format}${more}`} download>
              {{ csv: "CSV", xlsx: "Excel", jsonl: "JSON Lines" }[format]}
            </a>
          ))}
        </p>
      )}
      {more && <p class="muted">Each row of your file stands beside the items that it gave.</p>}
      {seen && <RunTable runs={seen.runs} />}
      <SameCall call={{ path, needsKey: true }} />
    </>
  )
}

function Figures({ batch }: { batch: Batch }) {
  const over = ["succeeded", "failed", "timed_out", "aborted"]
  const done = over.reduce((sum, status) => sum + (batch.byStatus[status] ?? 0), 0)
  const figures: [string, string | number][] = [
    ["Runs", `${done} of ${batch.size}`],
    ["Items", batch.itemCount.toLocaleString()],
    ["Failed", batch.errorCount.toLocaleString()],
    ["Credits", batch.creditsCharged.toLocaleString()],
  ]
  return (
    <>
      <progress class="whole" aria-label="Runs done" max={batch.size} value={done} />
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
