import { useEffect, useState } from "preact/hooks"
import { type Schedule, schedules, schedulesPath, shortSlug } from "../data/schedules.ts"
import { account } from "../data/shell.ts"
import { inWords } from "../data/when.ts"
import { useStored } from "../hooks/use-stored.ts"
import { SignInFirst } from "../parts/accounts/sign-in-first.tsx"
import { CodeSnippet } from "../parts/code-snippet.tsx"
import { ErrorMessage } from "../parts/error-message.tsx"
import { Pager } from "../parts/pager.tsx"
import { Scroll } from "../parts/scroll.tsx"
import { TableHead } from "../parts/table-head.tsx"
import { counted } from "../parts/value.tsx"
import { ScheduleStatus } from "../parts/watching/schedule-state.tsx"
import { ScheduledRunMark } from "../parts/watching/scheduled-run.tsx"
import { inZone } from "../parts/watching/timing.tsx"
import { Link } from "../routing/router.tsx"

/** The schedules of the account. */
export function Schedules() {
  useEffect(() => {
    document.title = "Schedules · Trawl"
  }, [])
  if (account === undefined) return <SignInFirst title="Schedules" />
  return (
    <>
      <h1>Schedules</h1>
      <p class="lead">
        Schedules start runs at fixed times. <Link to="/scrapers">Choose a scraper</Link>, fill in
        its form and press “Schedule”, or create one from a <Link to="/runs">run</Link> in your
        list.
      </p>
      <List />
      <CodeSnippet call={{ path: schedulesPath(), needsKey: true }} />
    </>
  )
}

function List() {
  // Cursors of the previous pages, to go back to them.
  const [cursors, setCursors] = useState<string[]>([])
  const cursor = cursors.at(-1)
  const loaded = useStored((signal) => schedules(cursor, signal), [cursor])
  if (loaded.state === "loading") return <p class="muted">Loading …</p>
  if (loaded.state === "failed") return <ErrorMessage>{loaded.error.message}</ErrorMessage>
  const { items, total, nextCursor } = loaded.value
  if (items.length === 0) return <p class="notice">There are no schedules yet.</p>
  return (
    <>
      <p class="muted">{counted(total, "schedule")}</p>
      <Scroll label="Schedules">
        <table class="list as-cards">
          <TableHead names={["Schedule", "When", "Next", "Last", "State"]} />
          <tbody>
            {items.map((schedule) => (
              <Row key={schedule.id} of={schedule} />
            ))}
          </tbody>
        </table>
      </Scroll>
      <Pager cursors={cursors} next={nextCursor} onPage={setCursors} />
    </>
  )
}

function Row({ of }: { of: Schedule }) {
  const [next] = of.nextFireTimes
  const [last] = of.recentRuns
  return (
    <tr>
      <td>
        <Link to={`/schedules/${of.id}`}>{of.name || shortSlug(of.scraper)}</Link>
        {of.name && <div class="muted">{shortSlug(of.scraper)}</div>}
      </td>
      <td data-name="When">
        {inWords(of.cron)}
        <div class="muted">{of.timeZone}</div>
      </td>
      <td data-name="Next">{next ? inZone(next, of.timeZone) : <span class="muted">–</span>}</td>
      <td data-name="Last">
        {last ? <ScheduledRunMark scheduledRun={last} /> : <span class="muted">not yet</span>}
      </td>
      <td data-name="State">
        <ScheduleStatus of={of} />
      </td>
    </tr>
  )
}
