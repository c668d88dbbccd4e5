import { useEffect, useRef, useState } from "preact/hooks"
import { type PageView, visibleIn } from "../../data/page/page-view.ts"
import { PageSheet } from "./page-sheet.tsx"

interface PageFrameProps {
  page: Document
  /** The matches of the current selector. */
  hits: Element[]
  current: Element | undefined
  onMove(element: Element): void
  onTake(element: Element): void
}

/** The frame uses the style sheet of this page, because its policy allows no other. */
const frameOf = () => {
  const sheet = document.querySelector<HTMLLinkElement>('link[rel="stylesheet"]')?.href ?? ""
  return `<!doctype html><html class="shown-page"><link rel="stylesheet" href="${sheet}"><body></body></html>`
}

/**
 * A page in a frame without scripts and links. A transparent layer above it handles pointer and
 * keys.
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
    const bounds = frame.current!.getBoundingClientRect()
    const under = inner()?.elementFromPoint(event.clientX - bounds.left, event.clientY - bounds.top)
    return under ? view?.source.get(under) : undefined
  }
  const step = (element: Element) => {
    onMove(element)
    view?.visible.get(element)?.scrollIntoView({ block: "nearest" })
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
      <PageSheet
        order={view?.order ?? []}
        isVisible={(element) => heightOf(view?.visible.get(element)) > 0}
        current={current}
        at={at}
        onPoint={onMove}
        onStep={step}
        onTake={onTake}
      />
      {view?.isCut && <p class="muted">Only the first part of the page is shown.</p>}
    </div>
  )
}

const heightOf = (element: Element | undefined) =>
  (element as HTMLElement | undefined)?.offsetHeight ?? 0

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
