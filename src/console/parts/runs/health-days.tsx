import { type DayOfHealth, type State, stateWords } from "../../data/catalogue.ts"

const marks: Record<State, string> = {
  works: "✓",
  degraded: "~",
  needs: "?",
  blocked: "✕",
  broken: "✕",
  target_gone: "–",
  unknown: "–",
}

const weekday = new Intl.DateTimeFormat("en", { weekday: "short", timeZone: "UTC" })

/** A mark for each of the last seven days; nothing if no day has data. */
export function HealthDays({ days }: { days: DayOfHealth[] }) {
  if (days.every(({ state, goodShare }) => state === null && goodShare === null)) return null
  return (
    <ol class="days" aria-label="The last seven days">
      {days.map((of) => (
        <li key={of.day} class={of.state ?? "unknown"} title={inWords(of)}>
          <span aria-hidden="true">{weekday.format(new Date(of.day))}</span>
          <strong aria-hidden="true">{marks[of.state ?? "unknown"]}</strong>
          <span class="unseen">{inWords(of)}</span>
        </li>
      ))}
    </ol>
  )
}

function inWords({ day, state, goodShare }: DayOfHealth): string {
  const seen = (state && stateWords[state]) || "no data"
  const good = goodShare === null ? "" : `, ${Math.round(goodShare * 100)} % of targets succeeded`
  return `${day}: ${seen}${good}`
}
