import { type Run, whatRuns } from "../../data/runs.ts"
import { Link } from "../../routing/router.tsx"
import { Scroll } from "../scroll.tsx"
import { Status, When } from "../status.tsx"
import { TableHead } from "../table-head.tsx"

const numbers = ["Targets", "Items", "Failed", "Credits"]

/** A list of runs, each with a link to it. */
export function RunTable({ runs }: { runs: Run[] }) {
  return (
    <Scroll label="Runs">
      <table class="runs as-cards">
        <TableHead names={["Run", "Scraper", "Status", ...numbers, "Started"]} numbers={numbers} />
        <tbody>
          {runs.map((run) => (
            <tr key={run.id}>
              <td>
                <Link to={`/runs/${run.id}`}>{run.title ?? whatRuns(run)}</Link>
              </td>
              <td data-name="Scraper">{whatRuns(run)}</td>
              <td data-name="Status">
                <Status run={run} />
              </td>
              <td class="number" data-name="Targets">
                {run.targetsDone.toLocaleString()} of {run.targetsTotal.toLocaleString()}
              </td>
              <td class="number" data-name="Items">
                {run.itemCount.toLocaleString()}
              </td>
              <td class="number" data-name="Failed">
                {run.errorCount.toLocaleString()}
              </td>
              <td class="number" data-name="Credits">
                {run.creditsCharged.toLocaleString()}
              </td>
              <td data-name="Started">
                <When at={run.createdAt} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  )
}
