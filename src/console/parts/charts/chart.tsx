import { useEffect, useRef, useState } from "preact/hooks"
import { endsOf, momentOf, ticksBetween } from "./scale.ts"

export interface Series {
  name: string
  /** One value for each time of the chart; null if the value is missing. */
  values: readonly (number | null)[]
}

interface ChartProps {
  /** Heading of the chart. */
  label: string
  /** Milliseconds since 1970, ascending. */
  moments: readonly number[]
  series: readonly Series[]
  kind?: "line" | "bars"
  format?: (value: number) => string
  /** Whether each moment is a day. */
  isByDay?: boolean
}

const height = 200
const margin = { left: 56, right: 12, top: 10, bottom: 24 }

/**
 * Values over time: lines with their points, or stacked bars. The arrow keys move from moment to
 * moment, and screen readers announce the values. A table lists all values.
 */
export function Chart({
  label,
  moments,
  series,
  kind = "line",
  format = plain,
  isByDay = false,
}: ChartProps) {
  const box = useRef<HTMLDivElement>(null)
  const width = useWidth(box)
  const [at, setAt] = useState<number>()
  const isStacked = kind === "bars"
  const sums = moments.map((_, index) => sum(series.map(({ values }) => values[index] ?? 0)))
  const all = isStacked
    ? sums
    : series.flatMap(({ values }) => values.filter((one) => one !== null))
  if (moments.length === 0 || all.length === 0) {
    return <p class="notice">No values yet.</p>
  }
  const ticks = ticksBetween(...endsOf(all, isStacked))
  const [min, max] = [ticks[0]!, ticks.at(-1)!]
  const inner = Math.max(1, width - margin.left - margin.right)
  const [first, last] = [moments[0]!, moments.at(-1)!]
  const slot = inner / moments.length
  const x = (index: number) => {
    if (isStacked || moments.length === 1) return margin.left + slot * (index + 0.5)
    return margin.left + ((moments[index]! - first) / Math.max(1, last - first)) * inner
  }
  const y = (value: number) =>
    margin.top + (1 - (value - min) / (max - min || 1)) * (height - margin.top - margin.bottom)
  const chosen = at !== undefined && at < moments.length ? at : undefined
  const onKey = (event: KeyboardEvent) => {
    const next = nextOf(event.key, chosen, moments.length)
    if (next === undefined) return
    event.preventDefault()
    setAt(next)
  }
  const onMove = (event: MouseEvent) => {
    const bounds = box.current!.getBoundingClientRect()
    const under = event.clientX - bounds.left
    const distances = moments.map((_, index) => Math.abs(x(index) - under))
    setAt(distances.indexOf(Math.min(...distances)))
  }
  return (
    <figure class="chart-figure">
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is of a form */}
      <div
        ref={box}
        class="plot"
        role="group"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the arrow keys go through its moments
        tabIndex={0}
        aria-label={`${label}. The arrow keys read its values.`}
        onKeyDown={onKey}
        onMouseMove={onMove}
        onMouseLeave={() => setAt(undefined)}
        onBlur={() => setAt(undefined)}
      >
        <svg width={width} height={height} role="img" aria-label={inWords(label, all, format)}>
          <Axes ticks={ticks} y={y} width={width} format={format} />
          <Moments moments={moments} x={x} inner={inner} isByDay={isByDay} />
          {chosen !== undefined && (
            <line
              class="at"
              x1={x(chosen)}
              x2={x(chosen)}
              y1={margin.top}
              y2={height - margin.bottom}
            />
          )}
          {isStacked ? (
            <Bars series={series} x={x} y={y} slot={slot} base={y(Math.max(0, min))} />
          ) : (
            series.map(({ name, values }, index) => (
              <Line key={name} values={values} x={x} y={y} color={index} chosen={chosen} />
            ))
          )}
        </svg>
      </div>
      <figcaption aria-live="polite">
        {chosen === undefined ? (
          <Legend series={series} />
        ) : (
          <strong>
            {new Date(moments[chosen]!).toLocaleString(undefined, {
              dateStyle: "medium",
              timeStyle: isByDay ? undefined : "short",
            })}
            : {description(series, chosen, format)}
          </strong>
        )}
      </figcaption>
    </figure>
  )
}

const plain = (value: number) => value.toLocaleString(undefined, { maximumFractionDigits: 2 })
const sum = (values: number[]) => values.reduce((total, value) => total + value, 0)

function nextOf(key: string, at: number | undefined, count: number): number | undefined {
  if (key === "Home") return 0
  if (key === "End") return count - 1
  if (key === "ArrowRight") return Math.min(count - 1, (at ?? -1) + 1)
  if (key === "ArrowLeft") return Math.max(0, (at ?? count) - 1)
  return undefined
}

function description(
  series: readonly Series[],
  at: number,
  format: (value: number) => string,
): string {
  return series
    .flatMap(({ name, values }) => {
      const value = values[at] ?? null
      return value === null ? [] : [series.length > 1 ? `${name} ${format(value)}` : format(value)]
    })
    .join(", ")
}

const inWords = (label: string, all: readonly (number | null)[], format: (v: number) => string) => {
  const values = all.filter((value) => value !== null)
  return `${label}: ${values.length} values, from ${format(Math.min(...values))} to ${format(Math.max(...values))}, last ${format(values.at(-1)!)}`
}

function useWidth(box: { current: HTMLElement | null }): number {
  const [width, setWidth] = useState(320)
  useEffect(() => {
    if (!box.current) return
    const observer = new ResizeObserver(([entry]) => setWidth(Math.floor(entry!.contentRect.width)))
    observer.observe(box.current)
    return () => observer.disconnect()
  }, [])
  return width
}

interface AxesProps {
  ticks: number[]
  y(value: number): number
  width: number
  format(value: number): string
}

function Axes({ ticks, y, width, format }: AxesProps) {
  return (
    <g class="axis">
      {ticks.map((tick) => (
        <g key={tick}>
          <line x1={margin.left} x2={width - margin.right} y1={y(tick)} y2={y(tick)} />
          <text x={margin.left - 8} y={y(tick) + 4} text-anchor="end">
            {format(tick)}
          </text>
        </g>
      ))}
    </g>
  )
}

/** Minimum distance of the labels on the time axis, in pixels. */
const momentWidth = 80

interface MomentsProps {
  moments: readonly number[]
  x(index: number): number
  inner: number
  isByDay: boolean
}

function Moments({ moments, x, inner, isByDay }: MomentsProps) {
  const span = moments.at(-1)! - moments[0]!
  const count = Math.max(1, Math.min(moments.length, Math.floor(inner / momentWidth)))
  const step = Math.max(1, Math.ceil(moments.length / count))
  const visible = moments.flatMap((_, index) => (index % step === 0 ? [index] : []))
  let end = Number.NEGATIVE_INFINITY
  return (
    <g class="axis">
      {visible.map((index) => {
        if (x(index) - end < momentWidth) return null
        end = x(index)
        return (
          <text key={index} x={x(index)} y={height - 6} text-anchor={anchorOf(x(index), inner)}>
            {momentOf(moments[index]!, span, isByDay)}
          </text>
        )
      })}
    </g>
  )
}

/** Keeps a label within the chart. */
function anchorOf(x: number, inner: number): "start" | "middle" | "end" {
  if (x < margin.left + momentWidth / 2) return "start"
  return x > margin.left + inner - momentWidth / 2 ? "end" : "middle"
}

interface LineProps {
  values: readonly (number | null)[]
  x(index: number): number
  y(value: number): number
  color: number
  chosen: number | undefined
}

const maxDots = 120

function Line({ values, x, y, color, chosen }: LineProps) {
  const points = values.flatMap((value, index) => (value === null ? [] : [{ value, index }]))
  return (
    <g class={`series-${color % 6}`}>
      <polyline points={points.map(({ value, index }) => `${x(index)},${y(value)}`).join(" ")} />
      {points
        .filter(({ index }) => points.length <= maxDots || index === chosen)
        .map(({ value, index }) => (
          <circle key={index} cx={x(index)} cy={y(value)} r={index === chosen ? 5 : 3} />
        ))}
    </g>
  )
}

interface BarsProps {
  series: readonly Series[]
  x(index: number): number
  y(value: number): number
  slot: number
  base: number
}

function Bars({ series, x, y, slot, base }: BarsProps) {
  const stacked = new Map<number, number>()
  const zero = y(0)
  return (
    <>
      {series.map(({ name, values }, color) => (
        <g key={name} class={`series-${color % 6}`}>
          {values.map((value, index) => {
            if (!value) return null
            const below = stacked.get(index) ?? 0
            stacked.set(index, below + value)
            const tall = Math.max(1, zero - y(value))
            return (
              <rect
                key={index}
                x={x(index) - slot * 0.4}
                y={base - (zero - y(below)) - tall}
                width={Math.max(1, slot * 0.8)}
                height={tall}
              />
            )
          })}
        </g>
      ))}
    </>
  )
}

function Legend({ series }: { series: readonly Series[] }) {
  if (series.length < 2) return <span class="muted">{series[0]?.name}</span>
  return (
    <ul class="legend">
      {series.map(({ name }, index) => (
        <li key={name} class={`series-${index % 6}`}>
          {name}
        </li>
      ))}
    </ul>
  )
}
