import type { ComponentChildren } from "preact"
import { useTask } from "../use-task.ts"
import { Dialog } from "./dialog.tsx"
import { Fault } from "./fault.tsx"

interface SureProps {
  title: string
  /** What the button does. */
  act: string
  children: ComponentChildren
  onSure(): Promise<unknown>
  onClose(): void
}

/** Asks before something that nothing brings back. */
export function Sure({ title, act, children, onSure, onClose }: SureProps) {
  const { busy, fault, run } = useTask()
  return (
    <Dialog title={title} onClose={onClose}>
      <p>{children}</p>
      <Fault>{fault}</Fault>
      <div class="actions">
        <button type="button" class="main danger" disabled={busy} onClick={() => run(onSure)}>
          {act}
        </button>
        <button type="button" onClick={onClose} data-first>
          Keep it
        </button>
      </div>
    </Dialog>
  )
}
