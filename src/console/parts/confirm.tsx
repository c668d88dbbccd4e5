import type { ComponentChildren } from "preact"
import { useTask } from "../hooks/use-task.ts"
import { Dialog } from "./dialog.tsx"
import { ErrorMessage } from "./error-message.tsx"

interface ConfirmButtonProps {
  title: string
  /** Text of the button. */
  act: string
  children: ComponentChildren
  onConfirm(): Promise<unknown>
  onClose(): void
}

/** Asks for confirmation of an action that cannot be undone. */
export function ConfirmButton({ title, act, children, onConfirm, onClose }: ConfirmButtonProps) {
  const { busy, issue, run } = useTask()
  return (
    <Dialog title={title} onClose={onClose}>
      <p>{children}</p>
      <ErrorMessage>{issue}</ErrorMessage>
      <div class="actions">
        <button type="button" class="main danger" disabled={busy} onClick={() => run(onConfirm)}>
          {act}
        </button>
        <button type="button" onClick={onClose} data-first>
          Keep it
        </button>
      </div>
    </Dialog>
  )
}
