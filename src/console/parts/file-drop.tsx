import { useState } from "preact/hooks"
import { readTableFile, type UploadedFile } from "../data/table-file.ts"
import { useTask } from "../hooks/use-task.ts"
import { ErrorMessage } from "./error-message.tsx"
import { counted } from "./value.tsx"

interface FileDropProps {
  file: UploadedFile | undefined
  onFile(file: UploadedFile | undefined): void
}

/** Reads a file that the user drops or chooses. It is not uploaded yet. */
export function FileDrop({ file, onFile }: FileDropProps) {
  const [isOver, setOver] = useState(false)
  const { issue, run } = useTask()
  const take = (provided: File | undefined) => {
    if (!provided) return
    onFile(undefined)
    void run(async () => onFile(await readTableFile(provided)))
  }
  const hover = (event: DragEvent, over: boolean) => {
    event.preventDefault()
    setOver(over)
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the field in it does the same by keyboard
    <div
      class={`drop ${isOver ? "over" : ""}`}
      onDragOver={(event) => hover(event, true)}
      onDragLeave={(event) => hover(event, false)}
      onDrop={(event) => {
        hover(event, false)
        take(event.dataTransfer?.files[0])
      }}
    >
      <label for="bulk-file">A file with one value per row</label>
      <input
        id="bulk-file"
        type="file"
        accept=".csv,.tsv,.txt,.xlsx"
        aria-describedby="bulk-file-help"
        onChange={(event) => take(event.currentTarget.files?.[0])}
      />
      <p class="help" id="bulk-file-help" aria-live="polite">
        {file
          ? `${file.name}: ${counted(file.rows.length, "row")}.`
          : "CSV, Excel (its first sheet), or lines of text; drop it here or choose it. It stays in this tab until you start."}
      </p>
      <ErrorMessage>{issue}</ErrorMessage>
    </div>
  )
}
