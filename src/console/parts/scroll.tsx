import type { ComponentChildren } from "preact"

interface ScrollProps {
  label: string
  class?: string
  children: ComponentChildren
}

/** A scrollable box for wide or tall content. */
export function Scroll({ label, children, class: more = "" }: ScrollProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
    <section class={`scroll ${more}`} tabIndex={0} aria-label={label}>
      {children}
    </section>
  )
}
