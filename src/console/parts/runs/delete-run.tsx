import { useState } from "preact/hooks"
import { deleteRun } from "../../data/runs.ts"
import { go } from "../../routing/router.tsx"
import { ConfirmButton } from "../confirm.tsx"

/** Deletes a finished run with its items and files. */
export function DeleteRun({ id }: { id: string }) {
  const [isRequested, setRequested] = useState(false)
  return (
    <>
      <button type="button" class="danger" onClick={() => setRequested(true)}>
        Delete …
      </button>
      {isRequested && (
        <ConfirmButton
          title="Delete the run?"
          act="Delete it"
          onClose={() => setRequested(false)}
          onConfirm={async () => {
            await deleteRun(id)
            go("/runs")
          }}
        >
          Its items, files and log are deleted as well, and links to its dataset stop working.
        </ConfirmButton>
      )}
    </>
  )
}
