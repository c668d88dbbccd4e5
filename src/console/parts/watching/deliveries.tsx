import { type Channel, type Delivery, deliveries, replay } from "../../data/notifications.ts"
import { useStored } from "../../hooks/use-stored.ts"
import { useTask } from "../../hooks/use-task.ts"
import { ErrorMessage } from "../error-message.tsx"
import { When } from "../status.tsx"
import { counted } from "../value.tsx"

const marks = {
  pending: ["running", "waits"],
  delivered: ["succeeded", "delivered"],
  failed: ["failed", "failed"],
  gathered: ["succeeded", "sent in a digest"],
} as const

interface DeliveriesProps {
  of: Channel
  changes: number
  onChanged(): void
}

/** The deliveries of a channel, each attempt with its response. */
export function Deliveries({ of, changes, onChanged }: DeliveriesProps) {
  const loaded = useStored((signal) => deliveries(of.id, signal), [of.id, changes])
  if (loaded.state === "loading") return null
  if (loaded.state === "failed") return <ErrorMessage>{loaded.error.message}</ErrorMessage>
  const { items } = loaded.value
  return (
    <section aria-labelledby="deliveries">
      <h2 id="deliveries">Deliveries</h2>
      {items.length === 0 && <p class="notice">No deliveries yet. Send a test notification.</p>}
      {items.map((delivery) => (
        <Sent key={delivery.id} of={delivery} channel={of} onChanged={onChanged} />
      ))}
    </section>
  )
}

interface SentProps {
  of: Delivery
  channel: Channel
  onChanged(): void
}

function Sent({ of, channel, onChanged }: SentProps) {
  const { busy, issue, run } = useTask()
  const [mark, words] = marks[of.state]
  const again = () =>
    run(async () => {
      await replay(channel.id, of.id)
      onChanged()
    })
  return (
    <details class="delivery">
      <summary>
        <span class={`status ${mark}`}>{words}</span>
        {of.event} <When at={of.createdAt} />{" "}
        <span class="muted">{counted(of.tries.length, "try", "tries")}</span>
      </summary>
      <ol class="times">
        {of.tries.map(({ at, status, error, milliseconds }) => (
          <li key={at}>
            <When at={at} /> {error ?? (status === null ? "delivered" : `status ${status}`)}{" "}
            <span class="muted">{milliseconds} ms</span>
          </li>
        ))}
      </ol>
      {of.nextTryAt && (
        <p class="muted">
          Next attempt <When at={of.nextTryAt} />
        </p>
      )}
      <pre>
        <code>{JSON.stringify(of.payload, null, 2)}</code>
      </pre>
      {channel.kind === "webhook" && (
        <p>
          <button type="button" disabled={busy} onClick={again}>
            Send again
          </button>
        </p>
      )}
      <ErrorMessage>{issue}</ErrorMessage>
    </details>
  )
}
