import { useEffect, useState } from "preact/hooks"
import { type Destination, destinations, destinationsPath, kindName } from "../data/destinations.ts"
import { account } from "../data/shell.ts"
import { useStored } from "../hooks/use-stored.ts"
import { SignInFirst } from "../parts/accounts/sign-in-first.tsx"
import { CodeSnippet } from "../parts/code-snippet.tsx"
import { NewDestination } from "../parts/delivery/new-destination.tsx"
import { ErrorMessage } from "../parts/error-message.tsx"
import { Scroll } from "../parts/scroll.tsx"
import { When } from "../parts/status.tsx"
import { TableHead } from "../parts/table-head.tsx"
import { Link } from "../routing/router.tsx"

/** The destinations of an account. */
export function Destinations() {
  const [changes, setChanges] = useState(0)
  useEffect(() => {
    document.title = "Destinations · Trawl"
  }, [])
  if (account === undefined) return <SignInFirst title="Destinations" />
  return (
    <>
      <h1>Destinations</h1>
      <p class="lead">
        Have the items of your runs delivered to a database, a storage or a webhook.
      </p>
      <NewDestination onMade={() => setChanges((count) => count + 1)} />
      <List changes={changes} />
      <CodeSnippet call={{ path: destinationsPath, needsKey: true }} />
    </>
  )
}

function List({ changes }: { changes: number }) {
  const loaded = useStored(destinations, [changes])
  if (loaded.state === "loading") return <p class="muted">Loading …</p>
  if (loaded.state === "failed") return <ErrorMessage>{loaded.error.message}</ErrorMessage>
  const { items } = loaded.value
  if (items.length === 0) {
    return <p class="notice">There are no destinations yet. Add one above, and test it.</p>
  }
  return (
    <Scroll label="Destinations">
      <table class="list as-cards">
        <TableHead names={["Destination", "To", "Runs", "Items", "Last", "State"]} />
        <tbody>
          {items.map((destination) => (
            <Row key={destination.id} of={destination} />
          ))}
        </tbody>
      </table>
    </Scroll>
  )
}

function Row({ of }: { of: Destination }) {
  const { id, name, kind, target, deliveries, itemCount, lastDeliveredAt, lastError } = of
  return (
    <tr>
      <td>
        <Link to={`/destinations/${id}`}>{name}</Link>
        <div class="muted">{kindName(kind)}</div>
      </td>
      <td data-name="To">{target}</td>
      <td data-name="Runs">
        {deliveries.delivered} delivered, {deliveries.waiting} waiting, {deliveries.failed} failed
      </td>
      <td data-name="Items">{itemCount}</td>
      <td data-name="Last">
        {lastDeliveredAt ? <When at={lastDeliveredAt} /> : <span class="muted">nothing yet</span>}
        {lastError && <div class="muted">{lastError}</div>}
      </td>
      <td data-name="State">
        <StateMark of={of} />
      </td>
    </tr>
  )
}

/** Whether a destination is on, off or failing. */
export function StateMark({ of: { enabled, lastError } }: { of: Destination }) {
  if (!enabled) return <span class="status">off</span>
  return (
    <span class={`status ${lastError ? "failed" : "succeeded"}`}>{lastError ? "fails" : "on"}</span>
  )
}
