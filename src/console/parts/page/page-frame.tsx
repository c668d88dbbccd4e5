import { useEffect, useRef, useState } from "preact/hooks"
import { type PageView, visibleIn } from "../../data/page/page-view.ts"

interface PageFrameProps {
  page: Document
  /** What the present selector finds. */
  hits: Element[]
  current: Element | undefined
  onMove(element: Element): void
  onTake(element: Element): void
}

/** The style sheet of this page is the frame's, too: its policy lets it load no other. */
const frameOf = () => {
  const sheet = document.querySelector<HTMLLinkElement>('link[rel="stylesheet"]')?.href ?? ""
  return `<!doctype html><html class="shown-page"><link rel="stylesheet" href="${sheet}"><body></body></html>`
}

/**
 * A page in a frame in which no script runs and nothing can be followed: what is done with it is done on a
 * sheet above it.
 */
export function PageFrame({ page, hits, current, onMove, onTake }: PageFrameProps) {
  const frame = useRef<HTMLIFrameElement>(null)
  const [view, setView] = useState<PageView>()
  const [height, setHeight] = useState(0)
  const [srcdoc] = useState(frameOf)
  const inner = () => frame.current?.contentDocument ?? undefined
  const measure = () => setHeight(inner()?.body.offsetHeight ?? 0)
  const fill = () => {
    const into = inner()
    if (!into || view) return
    setView(visibleIn(into, page))
    measure()
  }
  useEffect(() => {
    addEventListener("resize", measure)
    return () => removeEventListener("resize", measure)
  }, [])
  useMarked(view, hits, "hit")
  useMarked(view, current ? [current] : [], "current")

  const at = (event: MouseEvent): Element | undefined => {
    const place = frame.current!.getBoundingClientRect()
    const under = inner()?.elementFromPoint(event.clientX - place.left, event.clientY - place.top)
    return under ? view?.source.get(under) : undefined
  }
  const move = (element: Element | undefined) => {
    if (!element) return
    onMove(element)
    view?.visible.get(element)?.scrollIntoView({ block: "nearest" })
  }
  const onKey = (event: KeyboardEvent) => {
    if (!view) return
    const next = nextOf(view, current, event.key)
    if (event.key === "Enter" || event.key === " ") {
      if (current) onTake(current)
    } else if (next) move(next)
    else return
    event.preventDefault()
  }
  return (
    <div class="page-frame">
      <iframe
        title="The page"
        sandbox="allow-same-origin"
        srcdoc={srcdoc}
        ref={frame}
        tabIndex={-1}
        onLoad={fill}
        style={{ height: `${height}px` }}
      />
      <div
        class="sheet"
        role="application"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: an application takes keys
        tabIndex={0}
        aria-label="The page's parts"
        aria-describedby="picker-keys"
        onMouseMove={(event) => {
          const under = at(event)
          if (under && under !== current) onMove(under)
        }}
        onClick={(event) => {
          const under = at(event)
          if (under) onTake(under)
        }}
        onKeyDown={onKey}
      />
      {view?.isCut && <p class="muted">Only the first part of the page is shown.</p>}
    </div>
  )
}

/** By the arrows: the next and the one before as they are read, the whole that holds it, its first part. */
function nextOf(view: PageView, current: Element | undefined, key: string): Element | undefined {
  const { order, visible } = view
  const isVisible = (element: Element) => (visible.get(element) as HTMLElement).offsetHeight > 0
  const index = current ? order.indexOf(current) : -1
  if (key === "ArrowDown") return order.slice(index + 1).find(isVisible)
  if (key === "ArrowUp") return order.slice(0, Math.max(0, index)).findLast(isVisible)
  if (key === "ArrowRight") {
    return order.slice(index + 1).find((part) => current?.contains(part) && isVisible(part))
  }
  const whole = current?.parentElement
  return key === "ArrowLeft" && whole && visible.has(whole) ? whole : undefined
}

const maxMarked = 2_000

function useMarked(view: PageView | undefined, elements: Element[], mark: string): void {
  useEffect(() => {
    const marked = elements.slice(0, maxMarked).map((element) => view?.visible.get(element))
    for (const element of marked) element?.classList.add(mark)
    return () => {
      for (const element of marked) element?.classList.remove(mark)
    }
  }, [view, elements, mark])
}
