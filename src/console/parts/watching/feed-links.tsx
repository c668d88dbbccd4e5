import { useState } from "preact/hooks"
import { feedLinks, makeFeedLink, revokeFeedLink } from "../../data/monitors.ts"
import { useLoaded } from "../../hooks/use-loaded.ts"
import { useTask } from "../../hooks/use-task.ts"
import { Copy } from "../copy.tsx"
import { Dialog } from "../dialog.tsx"
import { ErrorMessage } from "../error-message.tsx"
import { LinkList } from "../link-list.tsx"
import { When } from "../status.tsx"

const forms = [
  ["atom", "Atom"],
  ["rss", "RSS"],
  ["json", "JSON Feed"],
] as const

/** Links to the feed of a monitor's changes, for any feed reader. */
export function FeedLinks({ id, onClose }: { id: string; onClose(): void }) {
  const [made, setMade] = useState("")
  const [changes, setChanges] = useState(0)
  const links = useLoaded((signal) => feedLinks(id, signal), [id, changes])
  const { busy, issue, run } = useTask()
  const change = (work: () => Promise<unknown>) =>
    run(async () => {
      await work()
      setChanges((count) => count + 1)
    })
  return (
    <Dialog class="wide-one" title="Feed of changes" onClose={onClose}>
      <p>
        Subscribe to the changes of this monitor in any feed reader. A link opens only this feed,
        until you revoke it.
      </p>
      {made && (
        <ul class="lines">
          {forms.map(([format, name]) => (
            <li key={format}>
              <span>
                <strong>{name}</strong> <code class="breaks">{`${made}&format=${format}`}</code>
              </span>
              <Copy text={`${made}&format=${format}`} label={`Copy ${name}`} />
            </li>
          ))}
        </ul>
      )}
      {made && <p class="muted">Copy it now: it is displayed only once.</p>}
      <ErrorMessage>{links.state === "failed" ? links.error.message : issue}</ErrorMessage>
      {links.state === "there" && (
        <LinkList
          links={links.value.items}
          busy={busy}
          onRevoke={(link) => change(() => revokeFeedLink(id, link))}
        >
          {(link) => (
            <>
              Created <When at={link.createdAt} />
            </>
          )}
        </LinkList>
      )}
      <div class="actions">
        <button
          type="button"
          class="main"
          data-first
          disabled={busy}
          onClick={() => change(async () => setMade((await makeFeedLink(id)).url))}
        >
          Make a link
        </button>
        <button type="button" onClick={onClose}>
          Close
        </button>
      </div>
    </Dialog>
  )
}
