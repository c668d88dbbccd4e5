import type { Run } from "../data/runs.ts"
import { Link } from "../router.tsx"
import { Scroll } from "./scroll.tsx"
import { Status, When } from "./status.tsx"

/** Runs, each with the way to it. */
export function RunTable({ runs }: { runs: Run[] }) {
  return (
    <Scroll label="Runs">
      <table class="runs">
        <thead>
          <tr>
            <th scope="col">Scraper</th>
            <th scope="col">State</th>
            {["Targets", "Items", "Failed", "Credits"].map((name) => (
              <th scope="col" class="number" key={name}>
                {name}
              </th>
            ))}
            <th scope="col">Begun</th>
          </tr>
        </thead>
        <tbody>
          {runs.map((run) => (
            <tr key={run.id}>
              <td>
                <Link to={`/runs/${run.id}`}>{run.scraper.replace(/-scraper$/, "")}</Link>
              </td>
              <td>
                <Status run={run} />
              </td>
              <td class="number">
                {run.targetsDone} of {run.targetsTotal}
              </td>
              <td class="number">{run.itemCount}</td>
              <td class="number">{run.errorCount}</td>
              <td class="number">{run.creditsCharged}</td>
              <td>
                <When at={run.createdAt} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  )
}
