import { type Change, changesOf } from "../../data/monitors.ts"
import { useStored } from "../../hooks/use-stored.ts"
import { Link } from "../../routing/router.tsx"
import { ErrorMessage } from "../error-message.tsx"
import { Outside } from "../markdown.tsx"
import { Scroll } from "../scroll.tsx"
import { When } from "../status.tsx"
import { TableHead } from "../table-head.tsx"
import { counted, Value } from "../value.tsx"

/** The changes that a monitor found, newest first. `news` changes after each check. */
export function Changes({ id, news }: { id: string; news: number }) {
  const loaded = useStored((signal) => changesOf(id, signal), [id, news])
  if (loaded.state === "loading") return null
  if (loaded.state === "failed") return <ErrorMessage>{loaded.error.message}</ErrorMessage>
  const { items } = loaded.value
  return (
    <section aria-labelledby="changes">
      <h2 id="changes">
        Changes <span class="muted">{counted(items.length, "change")}</span>
      </h2>
      {items.length === 0 ? (
        <p class="notice">None yet. Checks in which a condition is met are listed here.</p>
      ) : (
        <Scroll label="Changes" class="tall">
          <table class="list as-cards">
            <TableHead names={["What", "Old", "New", "Found"]} />
            <tbody>
              {items.map((change) => (
                <Row key={`${change.at} ${change.name} ${change.condition}`} of={change} />
              ))}
            </tbody>
          </table>
        </Scroll>
      )}
    </section>
  )
}

function Row({ of: { name, url, sentence, before, after, at, runId } }: { of: Change }) {
  return (
    <tr>
      <td>
        {url ? <Outside href={url}>{name}</Outside> : name}
        <div class="muted">{sentence}</div>
      </td>
      <td data-name="Old">
        <Value value={before} />
      </td>
      <td data-name="New">
        <Value value={after} />
      </td>
      <td data-name="Found">
        <Link to={`/runs/${runId}`}>
          <When at={at} />
        </Link>
      </td>
    </tr>
  )
}
