import { useState } from "preact/hooks"
import { datasetLinks, makeDatasetLink, revokeDatasetLink } from "../../data/datasets.ts"
import { useLoaded } from "../../use-loaded.ts"
import { useTask } from "../../use-task.ts"
import { Copy } from "../copy.tsx"
import { Dialog } from "../dialog.tsx"
import { Fault } from "../fault.tsx"
import { When } from "../status.tsx"

/** Links by which whoever has them reads this dataset alone. */
export function DatasetLinks({ id, onClose }: { id: string; onClose(): void }) {
  const [made, setMade] = useState("")
  const [changes, setChanges] = useState(0)
  const links = useLoaded((signal) => datasetLinks(id, signal), [id, changes])
  const { busy, fault, run } = useTask()
  const change = (work: () => Promise<unknown>) =>
    run(async () => {
      await work()
      setChanges((count) => count + 1)
    })
  const make = () => change(async () => setMade((await makeDatasetLink(id)).url))
  return (
    <Dialog class="wide-one" title="Share this dataset" onClose={onClose}>
      <p>
        Whoever has a link reads the items of this dataset for seven days, in every format, and
        nothing else.
      </p>
      {made && (
        <div class="code-box">
          <pre>
            <code>{made}</code>
          </pre>
          <Copy text={made} />
        </div>
      )}
      {made && (
        <p class="muted">
          It is shown this once. It opens as JSON; with <code>&amp;format=csv</code> or{" "}
          <code>&amp;format=xlsx</code> behind it, as a file for a spreadsheet.
        </p>
      )}
      <Fault>{links.state === "failed" ? links.error.message : fault}</Fault>
      {links.state === "there" && links.value.items.length > 0 && (
        <ul class="links">
          {links.value.items.map((link) => (
            <li key={link.id}>
              Ends <When at={link.expiresAt} />{" "}
              <button
                type="button"
                class="quiet"
                disabled={busy}
                onClick={() => change(() => revokeDatasetLink(id, link.id))}
              >
                Revoke
              </button>
            </li>
          ))}
        </ul>
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
