import { useEffect, useState } from "preact/hooks"
import { type Channel, channels, channelsPath, kindName } from "../data/notifications.ts"
import { account } from "../data/shell.ts"
import { useStored } from "../hooks/use-stored.ts"
import { SignInFirst } from "../parts/accounts/sign-in-first.tsx"
import { CodeSnippet } from "../parts/code-snippet.tsx"
import { ErrorMessage } from "../parts/error-message.tsx"
import { Scroll } from "../parts/scroll.tsx"
import { When } from "../parts/status.tsx"
import { TableHead } from "../parts/table-head.tsx"
import { NewChannel } from "../parts/watching/new-channel.tsx"
import { Link } from "../routing/router.tsx"

/** The notification channels of an account. */
export function Notifications() {
  const [changes, setChanges] = useState(0)
  useEffect(() => {
    document.title = "Notifications · Trawl"
  }, [])
  if (account === undefined) return <SignInFirst title="Notifications" />
  return (
    <>
      <h1>Notifications</h1>
      <p class="lead">
        Get an email, a chat message, a push notification or a webhook when a run fails or a monitor
        finds a change.
      </p>
      <NewChannel onMade={() => setChanges((count) => count + 1)} />
      <List changes={changes} />
      <CodeSnippet call={{ path: channelsPath, needsKey: true }} />
    </>
  )
}

function List({ changes }: { changes: number }) {
  const loaded = useStored(channels, [changes])
  if (loaded.state === "loading") return <p class="muted">Loading …</p>
  if (loaded.state === "failed") return <ErrorMessage>{loaded.error.message}</ErrorMessage>
  const { items } = loaded.value
  if (items.length === 0) {
    return <p class="notice">There are no channels yet. Add one above, and send a test.</p>
  }
  return (
    <Scroll label="Channels">
      <table class="list as-cards">
        <TableHead names={["Channel", "To", "Events", "Last", "State"]} />
        <tbody>
          {items.map((channel) => (
            <Row key={channel.id} of={channel} />
          ))}
        </tbody>
      </table>
    </Scroll>
  )
}

function Row({ of }: { of: Channel }) {
  const { id, name, kind, target, events, enabled, lastDelivery } = of
  return (
    <tr>
      <td>
        <Link to={`/notifications/${id}`}>{name || kindName(kind)}</Link>
        {name && <div class="muted">{kindName(kind)}</div>}
      </td>
      <td data-name="To">{target}</td>
      <td data-name="Events">{events.join(", ")}</td>
      <td data-name="Last">
        {lastDelivery ? (
          <>
            {lastDelivery.state} <When at={lastDelivery.at} />
          </>
        ) : (
          <span class="muted">nothing yet</span>
        )}
      </td>
      <td data-name="State">
        <span class={`status ${enabled ? "succeeded" : ""}`}>{enabled ? "on" : "off"}</span>
      </td>
    </tr>
  )
}
