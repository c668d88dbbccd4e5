import type { Point } from "../../data/monitors.ts"
import { Heads } from "../heads.tsx"
import { Outside } from "../markdown.tsx"
import { Scroll } from "../scroll.tsx"
import { Spark } from "../spark.tsx"
import { When } from "../status.tsx"
import { Value } from "../value.tsx"

/** Watched things: what each said last, how that moved, what changed. */
export function Watched({ points, label }: { points: Point[]; label: string }) {
  if (points.length === 0) {
    return <p class="notice">Nothing was seen yet: what it watches is known after its first run.</p>
  }
  return (
    <Scroll label={label}>
      <table class="list">
        <Heads names={["Thing", "Now", "History", "Last change", "Checked"]} />
        <tbody>
          {points.map((point) => (
            <tr key={point.key}>
              <td>
                {point.url ? <Outside href={point.url}>{point.name}</Outside> : point.name}
                <div class="muted">{apart(point)}</div>
              </td>
              <td>
                <Said of={point} />
              </td>
              <td>
                <Spark history={point.history} />
              </td>
              <td>
                {point.change ?? <span class="muted">none yet</span>}{" "}
                {point.changedAt && (
                  <span class="muted">
                    <When at={point.changedAt} />
                  </span>
                )}
              </td>
              <td>
                <When at={point.checkedAt} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  )
}

/** What tells it from another of the same page, as the word that is looked for. */
const apart = ({ key, name, url }: Point) =>
  key
    .replace(url ?? "", "")
    .replace(name, "")
    .trim()

/** A fingerprint says nothing to people but that it is another. */
function Said({ of: { value, unit } }: { of: Point }) {
  if (typeof value === "string" && /^[\da-f]{16,}$/i.test(value)) {
    return <code title={value}>{value.slice(0, 8)}</code>
  }
  return (
    <strong>
      <Value value={value} /> {value !== null && unit}
    </strong>
  )
}
