interface PageSheetProps {
  /** The parts of the page, as they are read. */
  order: Element[]
  isVisible(element: Element): boolean
  current: Element | undefined
  /** Returns the part under the pointer. */
  at(event: MouseEvent): Element | undefined
  onPoint(element: Element): void
  /** Called if a key moved to it. */
  onStep(element: Element): void
  onTake(element: Element): void
}

/** Lies over a page, and takes the pointer and the keys. */
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

/** By the arrows: the next and the previous part in reading order, the parent, and the first child. */
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
