import type { ComponentChildren } from "preact"
import { useEffect, useId, useRef } from "preact/hooks"

interface DialogProps {
  title: string
  class?: string
  children: ComponentChildren
  onClose(): void
}

/**
 * A modal dialog, which Escape closes. The element with `data-first` gets the focus first. On closing, the
 * focus returns to the element that opened the dialog.
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
