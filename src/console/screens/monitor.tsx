import { useEffect, useRef, useState } from "preact/hooks"
import { checkOf, historyPath, type Monitor, monitorOf } from "../data/monitors.ts"
import { type Channel, channels } from "../data/notifications.ts"
import { runScheduleNow, shortSlug } from "../data/schedules.ts"
import { account, base } from "../data/shell.ts"
import { useLoaded } from "../hooks/use-loaded.ts"
import { useStored } from "../hooks/use-stored.ts"
import { useTask } from "../hooks/use-task.ts"
import { SignInFirst } from "../parts/accounts/sign-in-first.tsx"
import { CodeSnippet } from "../parts/code-snippet.tsx"
import { ErrorMessage } from "../parts/error-message.tsx"
import { LoadError } from "../parts/not-loaded.tsx"
import { When } from "../parts/status.tsx"
import { counted } from "../parts/value.tsx"
import { Changes } from "../parts/watching/changes.tsx"
import { Conditions } from "../parts/watching/conditions.tsx"
import { FeedLinks } from "../parts/watching/feed-links.tsx"
import { LineDiff } from "../parts/watching/line-diff.tsx"
import { ScheduleActions, ScheduleStatus } from "../parts/watching/schedule-state.tsx"
import { Tags } from "../parts/watching/tags.tsx"
import { ValueChart } from "../parts/watching/value-chart.tsx"
import { Watched } from "../parts/watching/watched.tsx"
import { Link } from "../routing/router.tsx"

/** One monitor: its watched values, changes, conditions and channels. */
export function MonitorScreen({ id }: { id: string }) {
  const [changes, setChanges] = useState(0)
  useEffect(() => {
    document.title = "Monitor · Trawl"
  }, [])
  const loaded = useStored(
    async (signal) => (account === undefined ? undefined : monitorOf(id, signal)),
    [id, changes],
  )
  if (account === undefined) return <SignInFirst title="Monitor" />
  if (loaded.state === "failed") {
    return (
      <LoadError {...loaded} what="monitor">
        <Link to="/monitors">All monitors</Link>
      </LoadError>
    )
  }
  if (loaded.state === "loading" || !loaded.value) return <h1 class="muted">Monitor</h1>
  return <Known of={loaded.value} onChanged={() => setChanges((count) => count + 1)} />
}

/** Interval and maximum number of requests while waiting for a check. */
const lookMs = 1_000
const maxLooks = 120

/** Starts a check, and reloads the screen when its results are compared. */
function useCheck({ id }: Monitor, onChanged: () => void) {
  const task = useTask()
  const [isChecking, setChecking] = useState(false)
  const leaving = useRef(new AbortController())
  useEffect(() => () => leaving.current.abort(), [])
  const follow = async (runId: string) => {
    const { signal } = leaving.current
    setChecking(true)
    try {
      for (let looks = 0; looks < maxLooks; looks++) {
        const { compared: comparison, over } = await checkOf(id, runId, signal)
        if (comparison || (over && looks > maxLooks / 4)) return
        await new Promise((resolve) => setTimeout(resolve, lookMs))
        if (signal.aborted) return
      }
    } finally {
      if (!signal.aborted) {
        setChecking(false)
        onChanged()
      }
    }
  }
  const check = () => task.run(async () => follow((await runScheduleNow(id)).id))
  return { ...task, isChecking, check, follow }
}

function Known({ of, onChanged }: { of: Monitor; onChanged(): void }) {
  const { id, lastRun, nextRunAt, watched } = of
  const { busy, issue, isChecking, check, follow } = useCheck(of, onChanged)
  const [isLinking, setLinking] = useState(false)
  // A new monitor is still running its first check.
  useEffect(() => {
    if (watched === 0 && lastRun?.runId) void follow(lastRun.runId).catch(() => {})
  }, [])
  return (
    <>
      <p class="crumbs">
        <Link to="/monitors">Monitors</Link> / {id}
      </p>
      <h1>{of.name || shortSlug(of.scraper)}</h1>
      <div class="bar after-title">
        <p class="count">
          <ScheduleStatus of={of} />
          <span class="muted">
            {counted(watched, "value")}
            {lastRun && (
              <>
                , checked <When at={lastRun.at} />
              </>
            )}
            {nextRunAt && (
              <>
                , next <When at={nextRunAt} />
              </>
            )}
          </span>
        </p>
        <div class="actions">
          <button type="button" class="main" disabled={busy || isChecking} onClick={check}>
            {isChecking ? "Checking …" : "Check now"}
          </button>
          {lastRun?.runId && (
            <Link class="button" to={`/runs/${lastRun.runId}`}>
              Last run
            </Link>
          )}
          <ScheduleActions of={of} onChanged={onChanged} />
          <Link class="button" to={`/schedules/${id}`}>
            Its schedule
          </Link>
          <button type="button" onClick={() => setLinking(true)}>
            Feed
          </button>
        </div>
      </div>
      <ErrorMessage>{issue}</ErrorMessage>
      <Watched points={of.points} label="Watched values" />
      <LineDiff scraper={of.scraper} points={of.points} />
      {of.points.length > 0 && <ValueChart points={of.points} />}
      <Changes id={id} news={Date.parse(lastRun?.at ?? "") + newest(of)} />
      {watched > 0 && (
        <p class="downloads">
          <a href={base + historyPath(id)} download>
            Values as CSV
          </a>
        </p>
      )}
      <div class="halves">
        <Conditions id={id} conditions={of.conditions} onChanged={onChanged} />
        <Receivers />
        <Tags id={id} tags={of.tags} onChanged={onChanged} />
      </div>
      {isLinking && <FeedLinks id={id} onClose={() => setLinking(false)} />}
      <CodeSnippet call={{ path: `/api/v1/monitors/${id}`, needsKey: true }} />
    </>
  )
}

/** Returns the time of the last check of any value. */
const newest = ({ points }: Monitor) =>
  Math.max(0, ...points.map(({ checkedAt }) => Date.parse(checkedAt)))

const listens = ({ enabled, events }: Channel) => enabled && events.includes("monitor.changed")

function Receivers() {
  const loaded = useLoaded(channels, [])
  if (loaded.state !== "there") return null
  const listening = loaded.value.items.filter(listens)
  return (
    <section class="box" aria-labelledby="receivers">
      <h2 id="receivers">Channels</h2>
      {listening.length === 0 && (
        <p class="notice">You have no notification channel yet: changes are listed here only.</p>
      )}
      <ul class="lines">
        {listening.map(({ id, name, kind, target }) => (
          <li key={id}>
            <Link to={`/notifications/${id}`}>{name || kind}</Link>
            <span class="muted">{target}</span>
          </li>
        ))}
      </ul>
      <p>
        <Link to="/notifications">{listening.length === 0 ? "Add a channel" : "All channels"}</Link>
      </p>
    </section>
  )
}
