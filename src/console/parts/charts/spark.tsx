import type { Point, WatchedValue } from "../../data/monitors.ts"

const [width, height] = [96, 24]

/** History of a watched value: a line for numbers, marks for other values. */
export function Spark({ history }: { history: Point["history"] }) {
  const values = history.map(({ value }) => value)
  if (values.length < 2) return <span class="muted">–</span>
  const numbers = values.filter((value): value is number => typeof value === "number")
  return (
    <svg class="spark" viewBox={`0 0 ${width} ${height}`} role="img" aria-label={inWords(values)}>
      {numbers.length === values.length ? <Line values={numbers} /> : <Marks values={values} />}
    </svg>
  )
}

function Line({ values }: { values: number[] }) {
  const [min, max] = [Math.min(...values), Math.max(...values)]
  const y = (value: number) =>
    max === min ? height / 2 : 2 + (1 - (value - min) / (max - min)) * (height - 4)
  const x = (index: number) => 2 + (index / (values.length - 1)) * (width - 4)
  return <polyline points={values.map((value, index) => `${x(index)},${y(value)}`).join(" ")} />
}

/** A bar for each check; a tall one if its value differs from the previous check. */
function Marks({ values }: { values: WatchedValue[] }) {
  const step = width / values.length
  return (
    <>
      {values.map((value, index) => {
        const isOther = index > 0 && value !== values[index - 1]
        const tall = isOther ? height : height / 3
        return (
          <rect
            key={index}
            class={isOther ? "" : "none"}
            x={index * step}
            y={(height - tall) / 2}
            width={Math.max(1, step * 0.6)}
            height={tall}
          />
        )
      })}
    </>
  )
}

function inWords(values: WatchedValue[]): string {
  const changes = values.filter((value, index) => index > 0 && value !== values[index - 1]).length
  return `${values.length} checks, ${changes === 0 ? "no change" : `${changes} changes`}`
}
