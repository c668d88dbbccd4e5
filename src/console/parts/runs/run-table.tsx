import type { Run } from "../../data/runs.ts"
import { Link } from "../../router.tsx"
import { Heads } from "../heads.tsx"
import { Scroll } from "../scroll.tsx"
import { Status, When } from "../status.tsx"

const numbers = ["Targets", "Items", "Failed", "Credits"]

/** Runs, each with the way to it. */
export function RunTable({ runs }: { runs: Run[] }) {
  return (
    <Scroll label="Runs">
      <table class="runs">
        <Heads names={["Scraper", "State", ...numbers, "Begun"]} numbers={numbers} />
        <tbody>
          {runs.map((run) => (
            <tr key={run.id}>
              <td>
                <Link to={`/runs/${run.id}`}>
                  {run.recipe ?? run.scraper.replace(/-scraper$/, "")}
                </Link>
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
