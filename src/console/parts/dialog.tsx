import type { ComponentChildren } from "preact"
import { useEffect, useId, useRef } from "preact/hooks"

interface DialogProps {
  title: string
  class?: string
  children: ComponentChildren
  onClose(): void
}

/**
 * A question before all else; Escape answers no. What has `data-first` is where it begins; who ends it is
 * where it was opened from.
 */
export function Dialog({ title, class: kind, children, onClose }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const id = useId()
  useEffect(() => {
    const element = dialog.current!
    element.showModal()
    element.querySelector<HTMLElement>("[data-first]")?.focus()
    return () => element.close()
  }, [])
  return (
    <dialog ref={dialog} class={kind} aria-labelledby={id} onClose={onClose}>
      <h2 id={id}>{title}</h2>
      {children}
    </dialog>
  )
}
