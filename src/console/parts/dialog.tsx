import type { ComponentChildren } from "preact"
import { useEffect, useId, useRef } from "preact/hooks"

interface DialogProps {
  title: string
  class?: string
  children: ComponentChildren
  onClose(): void
}

/** A question before all else; Escape answers no. What has `data-first` is where it begins. */
export function Dialog({ title, class: kind, children, onClose }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const id = useId()
  useEffect(() => {
    dialog.current?.showModal()
    dialog.current?.querySelector<HTMLElement>("[data-first]")?.focus()
  }, [])
  return (
    <dialog ref={dialog} class={kind} aria-labelledby={id} onClose={onClose}>
      <h2 id={id}>{title}</h2>
      {children}
    </dialog>
  )
}
