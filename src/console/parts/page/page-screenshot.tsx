import { useEffect, useMemo, useRef, useState } from "preact/hooks"
import { type Box, elementAt } from "../../data/page/boxes.ts"
import type { Drawn } from "../../data/page/drawn.ts"
import { PageSheet } from "./page-sheet.tsx"

interface PageScreenshotProps {
  drawn: Drawn
  /** The matches of the current selector. */
  hits: Element[]
  current: Element | undefined
  onMove(element: Element): void
  onTake(element: Element): void
}

const maxMarked = 500

/** The page as Chrome rendered it, with the boxes of its parts. */
export function PageScreenshot({ drawn, hits, current, onMove, onTake }: PageScreenshotProps) {
  const { src, width, height, fullHeight, boxes } = drawn
  const image = useRef<HTMLImageElement>(null)
  const mark = useRef<HTMLDivElement>(null)
  const byKey = useRef(false)
  const [isMissing, setMissing] = useState(false)
  const order = useMemo(() => [...boxes.keys()], [boxes])
  useEffect(() => {
    if (byKey.current) mark.current?.scrollIntoView({ block: "nearest" })
    byKey.current = false
  }, [current])
  const at = ({ clientX, clientY }: MouseEvent) => {
    const bounds = image.current!.getBoundingClientRect()
    const scale = width / bounds.width
    return elementAt(boxes, (clientX - bounds.left) * scale, (clientY - bounds.top) * scale)
  }
  /** In percent of the screenshot, so that boxes scale with it. */
  const styleOf = (box: Box) => ({
    left: `${(box.left / width) * 100}%`,
    top: `${(box.top / height) * 100}%`,
    width: `${(box.width / width) * 100}%`,
    height: `${(box.height / height) * 100}%`,
  })
  const marked = hits.slice(0, maxMarked).flatMap((hit) => boxes.get(hit) ?? [])
  const own = current && boxes.get(current)
  return (
    <>
      {isMissing && <p class="notice bad">The screenshot could not be loaded. Choose “Text”.</p>}
      <div class="page-picture" style={{ aspectRatio: `${width} / ${height}` }}>
        <img
          ref={image}
          src={src}
          alt="The page as Chrome rendered it"
          width={width}
          height={height}
          onError={() => setMissing(true)}
        />
        {marked.map((box, index) => (
          <div class="hit" key={index} style={styleOf(box)} />
        ))}
        {own && <div class="current" ref={mark} style={styleOf(own)} />}
        <PageSheet
          order={order}
          isVisible={(element) => boxes.has(element)}
          current={current}
          at={at}
          onPoint={onMove}
          onStep={(element) => {
            byKey.current = true
            onMove(element)
          }}
          onTake={onTake}
        />
      </div>
      {fullHeight !== undefined && (
        <p class="muted">
          Only the first {height} of {fullHeight} pixels of the page are shown.
        </p>
      )}
    </>
  )
}
