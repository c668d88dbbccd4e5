import { useEffect, useState } from "preact/hooks"
import * as api from "../data/destinations.ts"
import { account } from "../data/shell.ts"
import { useStored } from "../hooks/use-stored.ts"
import { useTask } from "../hooks/use-task.ts"
import { SignInFirst } from "../parts/accounts/sign-in-first.tsx"
import { CodeSnippet } from "../parts/code-snippet.tsx"
import { ConfirmButton } from "../parts/confirm.tsx"
import { RunDeliveries } from "../parts/delivery/run-deliveries.tsx"
import { ErrorMessage } from "../parts/error-message.tsx"
import { Facts } from "../parts/items/items.tsx"
import { LoadError } from "../parts/not-loaded.tsx"
import { go, Link } from "../routing/router.tsx"
import { StateMark } from "./destinations.tsx"

/** One destination, and the runs that it receives. */
export function DestinationScreen({ id }: { id: string }) {
  const [changes, setChanges] = useState(0)
  useEffect(() => {
    document.title = "Destination · Trawl"
  }, [])
  const loaded = useStored(
    async (signal) => (account === undefined ? undefined : api.destinationOf(id, signal)),
    [id, changes],
  )
  if (account === undefined) return <SignInFirst title="Destination" />
  if (loaded.state === "failed") {
    return (
      <LoadError {...loaded} what="destination">
        <Link to="/destinations">All destinations</Link>
      </LoadError>
    )
  }
  if (loaded.state === "loading" || !loaded.value) return <h1 class="muted">Destination</h1>
  const changed = () => setChanges((count) => count + 1)
  return (
    <>
      <Known of={loaded.value} onChanged={changed} />
      <RunDeliveries of={loaded.value} changes={changes} onChanged={changed} />
      <CodeSnippet call={{ path: api.runDeliveriesPath(id), needsKey: true }} />
    </>
  )
}

function Known({ of, onChanged }: { of: api.Destination; onChanged(): void }) {
  const { busy, issue, run } = useTask()
  const [result, setResult] = useState("")
  const [confirmsDelete, setConfirmsDelete] = useState(false)
  const { id, name, enabled, deliveries } = of
  const doing = (work: () => Promise<unknown>) => () => {
    setResult("")
    return run(async () => {
      await work()
      onChanged()
    })
  }
  const test = doing(async () => {
    const { ok, milliseconds, error } = await api.testDestination(id)
    if (!ok) throw new Error(`The test failed: ${error}`)
    setResult(`The test succeeded in ${milliseconds} ms.`)
  })
  const retry = doing(async () => {
    const { queued } = await api.retryAll(id)
    setResult(`${queued} deliveries are queued again.`)
  })
  return (
    <>
      <p class="crumbs">
        <Link to="/destinations">Destinations</Link> / {id}
      </p>
      <h1>{name}</h1>
      <div class="bar after-title">
        <p class="count">
          <StateMark of={of} /> <span class="muted">{of.target}</span>
        </p>
        <div class="actions">
          <button type="button" disabled={busy} onClick={test}>
            Test
          </button>
          {deliveries.failed > 0 && (
            <button type="button" disabled={busy} onClick={retry}>
              Retry failed deliveries
            </button>
          )}
          <button
            type="button"
            disabled={busy}
            onClick={doing(() => api.changeDestination(id, { enabled: !enabled }))}
          >
            {enabled ? "Switch off" : "Switch on"}
          </button>
          <button type="button" class="danger" onClick={() => setConfirmsDelete(true)}>
            Delete …
          </button>
        </div>
      </div>
      <ErrorMessage>{issue || of.lastError || ""}</ErrorMessage>
      <div aria-live="polite">{result && <p class="notice">{result}</p>}</div>
      <Facts facts={factsOf(of)} />
      {confirmsDelete && (
        <ConfirmButton
          title="Delete this destination?"
          act="Delete it"
          onClose={() => setConfirmsDelete(false)}
          onConfirm={async () => {
            await api.deleteDestination(id)
            go("/destinations")
          }}
        >
          Its waiting deliveries are deleted as well. Items that were already delivered stay at the
          destination.
        </ConfirmButton>
      )}
    </>
  )
}

function factsOf(of: api.Destination): [string, unknown][] {
  const { kind, deliver, format, uniqueBy, scraper, schedule, deliveries, itemCount } = of
  const timing = api.timings.find(([value]) => value === deliver)![1]
  const { delivered, waiting, failed } = deliveries
  return [
    ["Kind", api.kindName(kind)],
    ["Delivers", timing],
    ...(format ? [["Format", format] as [string, unknown]] : []),
    ...(uniqueBy ? [["Identified by", uniqueBy.join(", ")] as [string, unknown]] : []),
    ...(scraper ? [["All runs of", scraper] as [string, unknown]] : []),
    ...(schedule ? [["All runs of the schedule", schedule] as [string, unknown]] : []),
    ["Runs", `${delivered} delivered, ${waiting} waiting, ${failed} failed`],
    ["Items", itemCount],
  ]
}
