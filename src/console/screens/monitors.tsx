import { useEffect, useState } from "preact/hooks"
import {
  actOnGroup,
  type GroupAction,
  type Monitor,
  monitors,
  monitorsPath,
} from "../data/monitors.ts"
import { shortSlug } from "../data/schedules.ts"
import { account } from "../data/shell.ts"
import { useStored } from "../hooks/use-stored.ts"
import { useTask } from "../hooks/use-task.ts"
import { SignInFirst } from "../parts/accounts/sign-in-first.tsx"
import { CodeSnippet } from "../parts/code-snippet.tsx"
import { ErrorMessage } from "../parts/error-message.tsx"
import { Pager } from "../parts/pager.tsx"
import { counted } from "../parts/value.tsx"
import { ScheduleStatus } from "../parts/watching/schedule-state.tsx"
import { Watched } from "../parts/watching/watched.tsx"
import { Link, type PageLocation } from "../routing/router.tsx"

const methods = [
  ["price-monitor", "prices and stock"],
  ["page-change-monitor", "pages"],
  ["keyword-monitor", "words"],
  ["uptime-checker", "uptime"],
  ["ssl-cert-scraper", "certificates"],
  ["whois-rdap-scraper", "domains"],
] as const

/** All monitors and their last changes. */
export function Monitors({ pageLocation: route }: { pageLocation: PageLocation }) {
  const tag = route.query.get("tag") ?? ""
  useEffect(() => {
    document.title = "Monitors · Trawl"
  }, [])
  if (account === undefined) return <SignInFirst title="Monitors" />
  return (
    <>
      <h1>Monitors</h1>
      <p class="lead">
        Repeat a scraper on a schedule, and get a notification of changes through the{" "}
        <Link to="/notifications">channels</Link> of your choice.
      </p>
      <p class="suggestions">
        <span class="muted">Watch</span>
        {methods.map(([slug, words]) => (
          <Link key={slug} class="chip" to={`/scrapers/${slug}`}>
            {words}
          </Link>
        ))}
      </p>
      <List key={tag} tag={tag} />
      <CodeSnippet call={{ path: monitorsPath(tag), needsKey: true }} />
    </>
  )
}

function List({ tag }: { tag: string }) {
  // Cursors of the previous pages, to go back to them.
  const [cursors, setCursors] = useState<string[]>([])
  const cursor = cursors.at(-1)
  const [changes, setChanges] = useState(0)
  const loaded = useStored((signal) => monitors(tag, cursor, signal), [tag, cursor, changes])
  if (loaded.state === "loading") return <p class="muted">Loading …</p>
  if (loaded.state === "failed") return <ErrorMessage>{loaded.error.message}</ErrorMessage>
  const { items, total, nextCursor } = loaded.value
  if (items.length === 0 && tag) {
    return (
      <p class="notice">
        No monitor has the tag “{tag}”. <Link to="/monitors">All monitors</Link>
      </p>
    )
  }
  if (items.length === 0) {
    return (
      <p class="notice">
        There are no monitors yet. Choose above what to watch, fill in the form and press “Watch
        this”. You can also add a condition to any schedule.
      </p>
    )
  }
  return (
    <>
      <div class="bar">
        <p class="muted count">
          {counted(total, "monitor")}
          {tag && (
            <>
              {" "}
              with the tag <strong>{tag}</strong>. <Link to="/monitors">All</Link>
            </>
          )}
        </p>
        {tag && <Group tag={tag} onChanged={() => setChanges((count) => count + 1)} />}
      </div>
      {items.map((monitor) => (
        <Watching key={monitor.id} of={monitor} />
      ))}
      <Pager cursors={cursors} next={nextCursor} onPage={setCursors} />
    </>
  )
}

const actions: readonly (readonly [GroupAction, string])[] = [
  ["check", "Check all now"],
  ["pause", "Pause all"],
  ["resume", "Resume all"],
]

/** Buttons for all monitors of a tag. */
function Group({ tag, onChanged }: { tag: string; onChanged(): void }) {
  const { busy, issue, run } = useTask()
  const act = (action: GroupAction) =>
    run(async () => {
      const { items } = await actOnGroup(tag, action)
      onChanged()
      const failed = items.find(({ error }) => error !== null)
      if (failed) throw new Error(failed.error!)
    })
  return (
    <div class="actions">
      {actions.map(([action, words]) => (
        <button key={action} type="button" disabled={busy} onClick={() => act(action)}>
          {words}
        </button>
      ))}
      <ErrorMessage>{issue}</ErrorMessage>
    </div>
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
          <ScheduleStatus of={of} />
          {of.tags.map((tag) => (
            <Link key={tag} class="chip" to={`/monitors?${new URLSearchParams({ tag })}`}>
              {tag}
            </Link>
          ))}
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
