import { useState } from "preact/hooks"
import { datasetLinks, makeDatasetLink, revokeDatasetLink } from "../../data/datasets.ts"
import { useLoaded } from "../../hooks/use-loaded.ts"
import { useTask } from "../../hooks/use-task.ts"
import { Copy } from "../copy.tsx"
import { Dialog } from "../dialog.tsx"
import { ErrorMessage } from "../error-message.tsx"
import { SelectField } from "../fields.tsx"
import { LinkList } from "../link-list.tsx"
import { When } from "../status.tsx"

/** Share links: each gives read access to this dataset only. */
export function DatasetLinks({ id, onClose }: { id: string; onClose(): void }) {
  const [made, setMade] = useState<{ url: string; pageUrl: string }>()
  const [changes, setChanges] = useState(0)
  const links = useLoaded((signal) => datasetLinks(id, signal), [id, changes])
  const { busy, issue, run } = useTask()
  const change = (work: () => Promise<unknown>) =>
    run(async () => {
      await work()
      setChanges((count) => count + 1)
    })
  const [days, setDays] = useState("7")
  const [password, setPassword] = useState("")
  const make = () => change(async () => setMade(await makeDatasetLink(id, Number(days), password)))
  return (
    <Dialog class="wide-one" title="Share this dataset" onClose={onClose}>
      <p>Anyone with the link can search and download this dataset as a table, and nothing else.</p>
      <SelectField
        id="link-days"
        label="Expires after"
        value={days}
        options={[
          ["1", "A day"],
          ["7", "7 days"],
          ["30", "30 days"],
          ["90", "90 days"],
          ["365", "A year"],
        ]}
        onChange={setDays}
      />
      <div class="field">
        <label for="link-password">
          Password <span class="muted">optional, 6 characters or more</span>
        </label>
        <input
          id="link-password"
          type="text"
          autocomplete="off"
          maxLength={200}
          value={password}
          onInput={(event) => setPassword(event.currentTarget.value)}
        />
      </div>
      {made && (
        <div class="code-box">
          <pre>
            <code>{made.pageUrl}</code>
          </pre>
          <Copy text={made.pageUrl} />
        </div>
      )}
      {made && (
        <>
          <p class="muted">Copy it now: it is displayed only once.</p>
          <details>
            <summary>For programs</summary>
            <p>
              <code class="breaks">{made.url}</code> returns JSON; add <code>&amp;format=csv</code>{" "}
              or <code>&amp;format=xlsx</code> for a file.
            </p>
          </details>
        </>
      )}
      <ErrorMessage>{links.state === "failed" ? links.error.message : issue}</ErrorMessage>
      {links.state === "there" && (
        <LinkList
          links={links.value.items}
          busy={busy}
          onRevoke={(link) => change(() => revokeDatasetLink(id, link))}
        >
          {(link) => (
            <>
              Expires <When at={link.expiresAt} />
              {link.hasPassword && ", with a password"}
            </>
          )}
        </LinkList>
      )}
      <div class="actions">
        <button type="button" class="main" data-first disabled={busy} onClick={make}>
          Make a link
        </button>
        <button type="button" onClick={onClose}>
          Close
        </button>
      </div>
    </Dialog>
  )
}
