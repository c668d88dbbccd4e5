interface PageSheetProps {
  /** The parts of the page in reading order. */
  order: Element[]
  isVisible(element: Element): boolean
  current: Element | undefined
  /** Returns the part under the pointer. */
  at(event: MouseEvent): Element | undefined
  onPoint(element: Element): void
  /** Called if the keyboard moved to a part. */
  onStep(element: Element): void
  onTake(element: Element): void
}

/** A layer above a page that handles pointer and keys. */
export function PageSheet(props: PageSheetProps) {
  const { current, at, onPoint, onStep, onTake } = props
  const onKey = (event: KeyboardEvent) => {
    const next = nextOf(props, event.key)
    if (event.key === "Enter" || event.key === " ") {
      if (current) onTake(current)
    } else if (next) onStep(next)
    else return
    event.preventDefault()
  }
  return (
    <div
      class="sheet"
      role="application"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: an application takes keys
      tabIndex={0}
      aria-label="The page's parts"
      aria-describedby="picker-keys"
      onMouseMove={(event) => {
        const under = at(event)
        if (under && under !== current) onPoint(under)
      }}
      onClick={(event) => {
        const under = at(event)
        if (under) onTake(under)
      }}
      onKeyDown={onKey}
    />
  )
}

/**
 * Returns the next part for an arrow key: the next or previous one in reading order, the parent, or
 * the first child.
 */
function nextOf({ order, isVisible, current }: PageSheetProps, key: string): Element | undefined {
  const index = current ? order.indexOf(current) : -1
  if (key === "ArrowDown") return order.slice(index + 1).find(isVisible)
  if (key === "ArrowUp") return order.slice(0, Math.max(0, index)).findLast(isVisible)
  if (key === "ArrowRight") {
    return order.slice(index + 1).find((part) => current?.contains(part) && isVisible(part))
  }
  const parent = current?.parentElement
  return key === "ArrowLeft" && parent && order.includes(parent) ? parent : undefined
}
