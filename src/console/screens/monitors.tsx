import { useEffect, useState } from "preact/hooks"
import { type Monitor, monitors, monitorsPath } from "../data/monitors.ts"
import { shortSlug } from "../data/schedules.ts"
import { account } from "../data/shell.ts"
import { SignInFirst } from "../parts/accounts/sign-in-first.tsx"
import { Fault } from "../parts/fault.tsx"
import { SameCall } from "../parts/same-call.tsx"
import { Turning } from "../parts/turning.tsx"
import { counted } from "../parts/value.tsx"
import { StandingMark } from "../parts/watching/standing.tsx"
import { Watched } from "../parts/watching/watched.tsx"
import { Link } from "../router.tsx"
import { useKept } from "../use-kept.ts"

const ways = [
  ["price-monitor", "prices and stock"],
  ["page-change-monitor", "pages"],
  ["keyword-monitor", "words"],
  ["uptime-checker", "uptime"],
  ["ssl-cert-scraper", "certificates"],
  ["whois-rdap-scraper", "domains"],
] as const

/** All that is watched, and how it changed. */
export function Monitors() {
  useEffect(() => {
    document.title = "Monitors · Trawl"
  }, [])
  if (account === undefined) return <SignInFirst title="Monitors" />
  return (
    <>
      <h1>Monitors</h1>
      <p class="lead">
        Look again by the clock, and be told what changed. <Link to="/notifications">Where to</Link>{" "}
        is yours to choose.
      </p>
      <p class="suggestions">
        <span class="muted">Watch</span>
        {ways.map(([slug, words]) => (
          <Link key={slug} class="chip" to={`/scrapers/${slug}`}>
            {words}
          </Link>
        ))}
      </p>
      <List />
      <SameCall call={{ path: monitorsPath(), needsKey: true }} />
    </>
  )
}

function List() {
  // Where the parts before this one began, to go back to them.
  const [cursors, setCursors] = useState<string[]>([])
  const cursor = cursors.at(-1)
  const loaded = useKept((signal) => monitors(cursor, signal), [cursor])
  if (loaded.state === "loading") return <p class="muted">Loading …</p>
  if (loaded.state === "failed") return <Fault>{loaded.error.message}</Fault>
  const { items, total, nextCursor } = loaded.value
  if (items.length === 0) {
    return (
      <p class="notice">
        There is none yet. Choose above what to watch, fill the form in and press “Watch this”. Any
        schedule becomes one by a condition on a field of its items.
      </p>
    )
  }
  return (
    <>
      <p class="muted">{counted(total, "monitor")}</p>
      {items.map((monitor) => (
        <Watching key={monitor.id} of={monitor} />
      ))}
      <Turning cursors={cursors} next={nextCursor} onTurn={setCursors} />
    </>
  )
}

function Watching({ of }: { of: Monitor }) {
  const name = of.name || shortSlug(of.scraper)
  return (
    <section>
      <div class="bar">
        <h2>
          <Link to={`/monitors/${of.id}`}>{name}</Link>
        </h2>
        <p class="count">
          <StandingMark of={of} />
        </p>
      </div>
      <Watched points={of.points} label={name} />
      {of.watched > of.points.length && (
        <p class="muted">
          These and {of.watched - of.points.length} more:{" "}
          <Link to={`/monitors/${of.id}`}>all of them</Link>.
        </p>
      )}
    </section>
  )
}
