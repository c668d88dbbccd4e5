import { type DayOfHealth, type State, stateWords } from "../../data/catalogue.ts"
import { healthOfAll } from "../../data/operate.ts"
import { shortSlug } from "../../data/schedules.ts"
import { useLoaded } from "../../hooks/use-loaded.ts"
import { Scroll } from "../scroll.tsx"

/** The state of each scraper on each of the last seven days. Scrapers without data are left out. */
export function HealthGrid() {
  const loaded = useLoaded(healthOfAll, [])
  if (loaded.state !== "there") return null
  const seen = loaded.value.items.filter(({ days }) => days.some(isSeen))
  if (seen.length === 0) return null
  const days = seen[0]!.days.map(({ day }) => day)
  return (
    <section aria-labelledby="health-days">
      <h2 id="health-days">The last seven days</h2>
      <Scroll label="Health by day" class="tall">
        <table class="health-grid">
          <thead>
            <tr>
              <th scope="col">Scraper</th>
              {days.map((day) => (
                <th scope="col" key={day}>
                  {dayName.format(new Date(day))}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {seen.map(({ scraper, days }) => (
              <tr key={scraper}>
                <th scope="row">{shortSlug(scraper)}</th>
                {days.map((day) => (
                  <Cell key={day.day} of={day} />
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
    </section>
  )
}

const dayName = new Intl.DateTimeFormat(undefined, {
  weekday: "short",
  day: "numeric",
  timeZone: "UTC",
})

const isSeen = ({ state, goodShare }: DayOfHealth) => state !== null || goodShare !== null

function Cell({ of }: { of: DayOfHealth }) {
  const { state, goodShare } = of
  const share = goodShare === null ? "" : `${Math.round(goodShare * 100)} %`
  const words = (state && stateWords[state]) || (isSeen(of) ? "" : "no data")
  return (
    <td class={colorOf(of)}>
      {share || (state ? marks[state] : "")}
      <span class="unseen">{words}</span>
    </td>
  )
}

const marks: Partial<Record<State, string>> = {
  works: "✓",
  degraded: "~",
  needs: "?",
  blocked: "✕",
  broken: "✕",
}

function colorOf({ state, goodShare }: DayOfHealth): string {
  if (state === "broken" || state === "blocked") return "bad"
  if (goodShare !== null && goodShare < 0.5) return "bad"
  if (state === "degraded" || (goodShare !== null && goodShare < 0.9)) return "doubtful"
  return state === "works" || goodShare !== null ? "good" : ""
}
