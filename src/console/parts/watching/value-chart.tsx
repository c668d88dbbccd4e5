import { useState } from "preact/hooks"
import { isFingerprint, type Point, type WatchedValue } from "../../data/monitors.ts"
import { Chart } from "../charts/chart.tsx"
import { SelectField } from "../fields.tsx"
import { Scroll } from "../scroll.tsx"
import { When } from "../status.tsx"
import { TableHead } from "../table-head.tsx"
import { Value } from "../value.tsx"

/** The values of one watched field over time, as a chart and as a table. */
export function ValueChart({ points }: { points: Point[] }) {
  const [key, setKey] = useState(points[0]?.key ?? "")
  const point = points.find((one) => one.key === key) ?? points[0]
  if (!point) return null
  const { history, unit } = point
  const isNumeric = history.some(({ value }) => typeof value === "number")
  const format = (value: number) =>
    `${value.toLocaleString(undefined, { maximumFractionDigits: 4 })}${unit ? ` ${unit}` : ""}`
  return (
    <section aria-labelledby="course">
      <div class="bar">
        <h2 id="course">History</h2>
        {points.length > 1 && (
          <SelectField
            id="course-of"
            label="Of"
            value={point.key}
            options={points.map((one) => [one.key, one.name] as const)}
            onChange={setKey}
          />
        )}
      </div>
      {isNumeric && (
        <Chart
          label={`History of ${point.name}`}
          moments={history.map(({ at }) => Date.parse(at))}
          series={[
            {
              name: point.name,
              values: history.map(({ value }) => (typeof value === "number" ? value : null)),
            },
          ]}
          format={format}
        />
      )}
      <details open={!isNumeric}>
        <summary>Values as a table ({history.length})</summary>
        <Scroll label={`Values of ${point.name}`} class="after-title tall">
          <table class="list as-cards">
            <TableHead names={["Checked", "Value"]} numbers={isNumeric ? ["Value"] : []} />
            <tbody>
              {history.toReversed().map(({ at, value }, index, all) => (
                <tr key={at}>
                  <td>
                    <When at={at} />
                  </td>
                  <td class={isNumeric ? "number" : undefined} data-name="Value">
                    {typeof value === "number" ? (
                      format(value)
                    ) : isFingerprint(value) ? (
                      <span title={String(value)}>{changeOf(value, all[index + 1]?.value)}</span>
                    ) : (
                      <Value value={value} />
                    )}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </Scroll>
      </details>
    </section>
  )
}

/** Returns the result of a check compared with the previous check. */
const changeOf = (value: WatchedValue, before: WatchedValue | undefined) =>
  before === undefined ? "first seen" : value === before ? "unchanged" : "changed"
