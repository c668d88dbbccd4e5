import { Component } from "preact"
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks"
import { type Schema, typeOf } from "../../data/catalogue.ts"
import { type Item, isErrorItem } from "../../data/keyless.ts"
import { Track } from "../../data/track.ts"
import { Cell } from "./cell.tsx"

/** Same as in style.css, in pixels. */
const rowHeight = 36
const numberWidth = 92
/**
 * In narrower boxes, for example on phones, columns are narrower, so that more than one is visible.
 */
const narrowBox = 480
const narrowScale = 0.62
const minNarrow = 96
const shortNumberWidth = 64

interface ItemGridProps {
  total: number
  columns: string[]
  schema: Schema
  at(row: number): Item | undefined
  /** Called with the first and last visible row. */
  onSight(first: number, last: number): void
  onOpen(row: number): void
  /** Index of the first visible row at the start. */
  begin: number
}

/** A table of any length, which contains only the visible rows. */
export function ItemGrid({ total, columns, schema, at, onSight, onOpen, begin }: ItemGridProps) {
  const box = useRef<HTMLElement>(null)
  const track = useRef(new Track(0, 0))
  const [, draw] = useState(0)
  const [sight, setSight] = useState(0)
  const [isNarrow, setNarrow] = useState(false)
  const length = total * rowHeight
  useLayoutEffect(() => {
    const watcher = new ResizeObserver(([entry]) => {
      const { width, height } = entry!.contentRect
      setSight(Math.max(0, Math.floor(height) - rowHeight))
      setNarrow(width < narrowBox)
    })
    watcher.observe(box.current!)
    return () => watcher.disconnect()
  }, [])
  useLayoutEffect(() => {
    if (sight === 0) return
    const isFirst = track.current.height === 0
    track.current = track.current.changed(length, sight)
    if (isFirst && begin > 0) box.current!.scrollTop = track.current.go(begin * rowHeight)
    draw((count) => count + 1)
  }, [length, sight])
  useScrolled(box, track, () => draw((count) => count + 1))

  const { top } = track.current
  const first = Math.floor(top / rowHeight)
  const last = Math.min(total, Math.ceil((top + sight) / rowHeight) + 1) - 1
  useEffect(() => {
    if (sight > 0) onSight(first, last)
  }, [first, last, sight, onSight])
  const slots = Math.ceil(sight / rowHeight) + 2
  const scaled = (pixels: number) =>
    isNarrow ? Math.max(minNarrow, Math.round(pixels * narrowScale)) : pixels
  const rowWidth = isNarrow && total < 10_000 ? shortNumberWidth : numberWidth
  const widths = columns.map((name) => scaled(widthOf(schema.properties?.[name])))
  const width = widths.reduce((sum, pixels) => sum + pixels, rowWidth)
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
    <section class="scroll item-grid" tabIndex={0} aria-label="Items" ref={box}>
      <div style={{ height: `${Math.min(length, track.current.height || length) + rowHeight}px` }}>
        <div class="pane" style={{ height: `${sight + rowHeight}px` }}>
          <table aria-rowcount={total + 1} style={{ width: `${width}px` }}>
            <colgroup>
              <col style={{ width: `${rowWidth}px` }} />
              {/* The last one takes what is left of the place. */}
              {widths.slice(0, -1).map((pixels, index) => (
                <col key={columns[index]} style={{ width: `${pixels}px` }} />
              ))}
              <col />
            </colgroup>
            <thead>
              <tr aria-rowindex={1}>
                <th scope="col" class="number">
                  Row
                </th>
                {columns.map((name) => (
                  <th
                    key={name}
                    scope="col"
                    class={isNumber(schema.properties?.[name]) ? "number" : undefined}
                    title={schema.properties?.[name]?.description}
                  >
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody style={{ transform: `translateY(${first * rowHeight - top}px)` }}>
              {Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => (
                <Row
                  // A row that leaves at one end is reused at the other end.
                  key={(first + index) % slots}
                  row={first + index}
                  item={at(first + index)}
                  columns={columns}
                  onOpen={onOpen}
                />
              ))}
            </tbody>
          </table>
        </div>
      </div>
    </section>
  )
}

/** Draws once per frame, and aligns the scroll bar with the list when scrolling stops. */
function useScrolled(
  box: { current: HTMLElement | null },
  track: { current: Track },
  draw: () => void,
): void {
  useEffect(() => {
    const element = box.current!
    let planned = 0
    let rest: ReturnType<typeof setTimeout> | undefined
    const onScroll = () => {
      clearTimeout(rest)
      rest = setTimeout(() => {
        element.scrollTop = track.current.go(track.current.top)
      }, 200)
      planned ||= requestAnimationFrame(() => {
        planned = 0
        track.current.scrolled(element.scrollTop)
        draw()
      })
    }
    element.addEventListener("scroll", onScroll, { passive: true })
    return () => {
      element.removeEventListener("scroll", onScroll)
      cancelAnimationFrame(planned)
      clearTimeout(rest)
    }
  }, [])
}

interface RowProps {
  row: number
  item: Item | undefined
  columns: string[]
  onOpen(row: number): void
}

/** A row that stays visible during scrolling is not rendered again. */
class Row extends Component<RowProps> {
  override shouldComponentUpdate({ row, item, columns }: RowProps): boolean {
    const before = this.props
    return row !== before.row || item !== before.item || columns !== before.columns
  }

  render({ row, item, columns, onOpen }: RowProps) {
    return (
      <tr aria-rowindex={row + 2}>
        <th scope="row" class="number">
          <button type="button" class="quiet" onClick={() => onOpen(row)}>
            {(row + 1).toLocaleString()}
          </button>
        </th>
        {item !== undefined && isErrorItem(item) ? (
          <td colSpan={columns.length} class="fault">
            <strong>{item.error.code.replaceAll("_", " ")}</strong>: {item.error.message}
          </td>
        ) : (
          columns.map((name) => (
            <td key={name} class={typeof item?.[name] === "number" ? "number" : undefined}>
              {item && <Cell item={item} name={name} />}
            </td>
          ))
        )}
      </tr>
    )
  }
}

const isNumber = (schema: Schema | undefined) =>
  schema !== undefined && /^(?:whole )?number$/.test(typeOf(schema))

function widthOf(schema: Schema | undefined): number {
  const type = schema ? typeOf(schema) : ""
  if (type.includes("number") || type === "yes or no") return 130
  return type.includes("text") || type === "" ? 240 : 190
}
