import { scraperHealth } from "../../data/operate.ts"
import { useLoaded } from "../../hooks/use-loaded.ts"
import { ErrorMessage } from "../error-message.tsx"
import { Scroll } from "../scroll.tsx"
import { TableHead } from "../table-head.tsx"
import { HealthDays } from "./health-days.tsx"

/** Results of users' runs of a scraper, and fields that became empty. */
export function ScraperHealth({ slug }: { slug: string }) {
  const loaded = useLoaded((signal) => scraperHealth(slug, signal), [slug])
  if (loaded.state === "loading") return <p class="muted">Loading …</p>
  if (loaded.state === "failed") return <ErrorMessage>{loaded.error.message}</ErrorMessage>
  const { health, drifted, traffic } = loaded.value
  const rows = traffic.flatMap(({ fetchMethod, hour, day, week }) => [
    { fetchMethod, span: "hour", ...hour },
    { fetchMethod, span: "day", ...day },
    { fetchMethod, span: "week", ...week },
  ])
  const seen = rows.filter(({ targets }) => targets > 0)
  return (
    <>
      <HealthDays days={health.days} />
      {drifted.length > 0 && (
        <p class="notice bad">
          <strong>Fields that fewer items have than a week before:</strong> {drifted.join(", ")}
        </p>
      )}
      {seen.length === 0 ? (
        <p class="muted">No runs in the last week.</p>
      ) : (
        <Scroll label={`Traffic of ${slug}`}>
          <table class="list as-cards">
            <TableHead
              names={["Fetch method", "Last", "Targets", "Good", "Items", "Errors"]}
              numbers={["Targets", "Good", "Items"]}
            />
            <tbody>
              {seen.map(({ fetchMethod, span, targets, good, items, errors }) => (
                <tr key={fetchMethod + span}>
                  <td>{fetchMethod}</td>
                  <td data-name="Last">{span}</td>
                  <td class="number" data-name="Targets">
                    {targets}
                  </td>
                  <td class="number" data-name="Good">
                    {Math.round((good / targets) * 100)} %
                  </td>
                  <td class="number" data-name="Items">
                    {items}
                  </td>
                  <td data-name="Errors">
                    {Object.entries(errors)
                      .filter(([, count]) => count > 0)
                      .map(([name, count]) => `${name}: ${count}`)
                      .join(", ")}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </Scroll>
      )}
    </>
  )
}
