import { counted } from "./value.tsx"

interface DayChartProps {
  days: { day: string; value: number }[]
  /** One of what is counted. */
  unit: string
}

const height = 120

/** A bar for each day. Who uses no eyes reads the sum and the highest; each bar has its words. */
export function DayChart({ days, unit }: DayChartProps) {
  const most = Math.max(1, ...days.map(({ value }) => value))
  const top = days.find(({ value }) => value === most)
  const sum = days.reduce((total, { value }) => total + value, 0)
  const words = top
    ? `${counted(sum, unit)} in ${days.length} days, most on ${top.day}: ${counted(most, unit)}`
    : `None in ${days.length} days`
  const width = 100 / days.length
  return (
    <figure class="chart">
      <svg viewBox={`0 0 100 ${height}`} preserveAspectRatio="none" role="img" aria-label={words}>
        {days.map(({ day, value }, index) => {
          const tall = value === 0 ? 1 : Math.max(2, (value / most) * (height - 4))
          return (
            <rect
              key={day}
              class={value === 0 ? "none" : ""}
              x={index * width + width * 0.1}
              y={height - tall}
              width={width * 0.8}
              height={tall}
            >
              <title>{`${day}: ${counted(value, unit)}`}</title>
            </rect>
          )
        })}
      </svg>
      <figcaption class="muted">
        <span>{days[0]?.day}</span>
        <span>{days.at(-1)?.day}</span>
      </figcaption>
    </figure>
  )
}
