import { useState } from "preact/hooks"
import { deleteRun } from "../../data/runs.ts"
import { go } from "../../router.tsx"
import { Sure } from "../sure.tsx"

/** Takes a run that is over away, with all that it brought. */
export function DeleteRun({ id }: { id: string }) {
  const [isAsked, setAsked] = useState(false)
  return (
    <>
      <button type="button" class="danger" onClick={() => setAsked(true)}>
        Delete …
      </button>
      {isAsked && (
        <Sure
          title="Delete the run?"
          act="Delete it"
          onClose={() => setAsked(false)}
          onSure={async () => {
            await deleteRun(id)
            go("/runs")
          }}
        >
          Its items, files and log are deleted with it, and links to its dataset lead nowhere.
        </Sure>
      )}
    </>
  )
}
