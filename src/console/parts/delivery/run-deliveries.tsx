import {
  type Destination,
  type RunDelivery,
  retryDelivery,
  runDeliveries,
} from "../../data/destinations.ts"
import { useStored } from "../../hooks/use-stored.ts"
import { useTask } from "../../hooks/use-task.ts"
import { Link } from "../../routing/router.tsx"
import { ErrorMessage } from "../error-message.tsx"
import { Scroll } from "../scroll.tsx"
import { When } from "../status.tsx"
import { TableHead } from "../table-head.tsx"

const marks = { waiting: "running", delivered: "succeeded", failed: "failed" } as const

interface RunDeliveriesProps {
  of: Destination
  changes: number
  onChanged(): void
}

/** The runs that a destination receives, and their errors. */
export function RunDeliveries({ of, changes, onChanged }: RunDeliveriesProps) {
  const loaded = useStored((signal) => runDeliveries(of.id, signal), [of.id, changes])
  if (loaded.state === "loading") return null
  if (loaded.state === "failed") return <ErrorMessage>{loaded.error.message}</ErrorMessage>
  const { items } = loaded.value
  return (
    <section aria-labelledby="deliveries">
      <h2 id="deliveries">Deliveries</h2>
      {items.length === 0 && (
        <p class="notice">
          No run has been delivered yet. Choose this destination when you run a scraper.
        </p>
      )}
      {items.length > 0 && (
        <Scroll label="Runs and their deliveries">
          <table class="list as-cards">
            <TableHead names={["Run", "State", "Items", "Queued", "Details"]} />
            <tbody>
              {items.map((delivery) => (
                <Row key={delivery.id} of={delivery} destination={of} onChanged={onChanged} />
              ))}
            </tbody>
          </table>
        </Scroll>
      )}
    </section>
  )
}

interface RowProps {
  of: RunDelivery
  destination: Destination
  onChanged(): void
}

function Row({ of, destination, onChanged }: RowProps) {
  const { busy, issue, run } = useTask()
  const again = () =>
    run(async () => {
      await retryDelivery(destination.id, of.id)
      onChanged()
    })
  return (
    <tr>
      <td>
        <Link to={`/runs/${of.runId}`}>{of.runId}</Link>
      </td>
      <td data-name="State">
        <span class={`status ${marks[of.state]}`}>{of.state}</span>
      </td>
      <td data-name="Items">{of.itemCount}</td>
      <td data-name="Queued">
        <When at={of.createdAt} />
      </td>
      <td data-name="Details">
        {of.error}
        {of.state === "waiting" && of.attempts > 0 && of.nextAttemptAt && (
          <div class="muted">
            Next attempt <When at={of.nextAttemptAt} />
          </div>
        )}
        {of.notes.map((note) => (
          <div key={note} class="muted">
            {note}
          </div>
        ))}
        {of.state === "failed" && (
          <button type="button" disabled={busy} onClick={again}>
            Deliver again
          </button>
        )}
        <ErrorMessage>{issue}</ErrorMessage>
      </td>
    </tr>
  )
}
