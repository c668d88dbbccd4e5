import type { Schema } from "../../data/catalogue.ts"
import { itemsAt, itemsPath, type View } from "../../data/datasets.ts"
import { useLoaded } from "../../hooks/use-loaded.ts"
import { Dialog } from "../dialog.tsx"
import { ErrorMessage } from "../error-message.tsx"
import { Items } from "./items.tsx"

interface WholeItemProps {
  id: string
  row: number
  total: number
  view: View
  schema: Schema
  onRow(row: number): void
  onClose(): void
}

/** A row of a dataset with all its fields, and buttons for the previous and next row. */
export function WholeItem({ id, row, total, view, schema, onRow, onClose }: WholeItemProps) {
  const path = itemsPath(id, { ...view, fields: [] }, { columns: "all", limit: 1, offset: row })
  const loaded = useLoaded((signal) => itemsAt(path, signal), [path])
  return (
    <Dialog
      class="wide-one"
      title={`Row ${(row + 1).toLocaleString()} of ${total.toLocaleString()}`}
      onClose={onClose}
    >
      <div class="whole-item">
        {loaded.state === "failed" && <ErrorMessage>{loaded.error.message}</ErrorMessage>}
        {loaded.state === "there" && (
          <Items items={loaded.value.items} schema={schema} first="cards" />
        )}
      </div>
      <div class="actions">
        <button type="button" disabled={row === 0} onClick={() => onRow(row - 1)}>
          Previous
        </button>
        <button type="button" disabled={row + 1 >= total} onClick={() => onRow(row + 1)}>
          Next
        </button>
        <button type="button" class="main" data-first onClick={onClose}>
          Close
        </button>
      </div>
    </Dialog>
  )
}
