import { isFingerprint, type Point } from "../../data/monitors.ts"
import { Spark } from "../charts/spark.tsx"
import { Outside } from "../markdown.tsx"
import { Scroll } from "../scroll.tsx"
import { When } from "../status.tsx"
import { TableHead } from "../table-head.tsx"
import { Value } from "../value.tsx"

/** The watched values: the last value of each, its history and the last change. */
export function Watched({ points, label }: { points: Point[]; label: string }) {
  if (points.length === 0) {
    return <p class="notice">Nothing yet. The first check lists the watched values.</p>
  }
  return (
    <Scroll label={label}>
      <table class="list as-cards">
        <TableHead names={["Value", "Now", "History", "Last change", "Checked"]} />
        <tbody>
          {points.map((point) => (
            <tr key={point.key}>
              <td>
                {point.url ? <Outside href={point.url}>{point.name}</Outside> : point.name}
                <div class="muted">{apart(point)}</div>
              </td>
              <td data-name="Now">
                <WatchedValue of={point} />
              </td>
              <td data-name="History">
                <Spark history={point.history} />
              </td>
              <td data-name="Last change">
                <div>
                  {point.change ?? <span class="muted">none yet</span>}{" "}
                  {point.changedAt && (
                    <span class="muted">
                      <When at={point.changedAt} />
                    </span>
                  )}
                </div>
              </td>
              <td data-name="Checked">
                <When at={point.checkedAt} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  )
}

/** Returns the part of a key that distinguishes values of the same page, for example the searched word. */
const apart = ({ key, name, url }: Point) =>
  key
    .replace(url ?? "", "")
    .replace(name, "")
    .trim()

/** A fingerprint is displayed only as changed or unchanged. */
function WatchedValue({ of: point }: { of: Point }) {
  const { value, unit } = point
  if (isFingerprint(value)) {
    return <span title={String(value)}>{point.changedAt ? "changed" : "first seen"}</span>
  }
  return (
    <strong>
      <Value value={value} /> {value !== null && unit}
    </strong>
  )
}
