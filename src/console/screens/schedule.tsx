import { useEffect, useState } from "preact/hooks"
import {
  changeSchedule,
  deleteSchedule,
  runScheduleNow,
  type Schedule,
  scheduleOf,
  shortSlug,
} from "../data/schedules.ts"
import { account } from "../data/shell.ts"
import { inWords } from "../data/when.ts"
import { useStored } from "../hooks/use-stored.ts"
import { useTask } from "../hooks/use-task.ts"
import { SignInFirst } from "../parts/accounts/sign-in-first.tsx"
import { CodeSnippet } from "../parts/code-snippet.tsx"
import { ConfirmButton } from "../parts/confirm.tsx"
import { ErrorMessage } from "../parts/error-message.tsx"
import { Facts } from "../parts/items/items.tsx"
import { LoadError } from "../parts/not-loaded.tsx"
import { ScheduleActions, ScheduleStatus } from "../parts/watching/schedule-state.tsx"
import { ScheduledRunMark } from "../parts/watching/scheduled-run.tsx"
import { Times, type Timing, TimingFields } from "../parts/watching/timing.tsx"
import { go, Link } from "../routing/router.tsx"

/** One schedule: its times, recent runs and settings. */
export function ScheduleScreen({ id }: { id: string }) {
  const [changes, setChanges] = useState(0)
  useEffect(() => {
    document.title = "Schedule · Trawl"
  }, [])
  const loaded = useStored(
    async (signal) => (account === undefined ? undefined : scheduleOf(id, signal)),
    [id, changes],
  )
  if (account === undefined) return <SignInFirst title="Schedule" />
  if (loaded.state === "failed") {
    return (
      <LoadError {...loaded} what="schedule">
        <Link to="/schedules">All schedules</Link>
      </LoadError>
    )
  }
  if (loaded.state === "loading" || !loaded.value) return <h1 class="muted">Schedule</h1>
  return <Known of={loaded.value} onChanged={() => setChanges((count) => count + 1)} />
}

function Known({ of, onChanged }: { of: Schedule; onChanged(): void }) {
  const { busy, issue, run } = useTask()
  const [requested, setRequested] = useState(false)
  const { id, scraper, timeZone, input = {} } = of
  const now = () => run(async () => go(`/runs/${(await runScheduleNow(id)).id}`))
  return (
    <>
      <p class="crumbs">
        <Link to="/schedules">Schedules</Link> / {id}
      </p>
      <h1>{of.name || shortSlug(scraper)}</h1>
      <div class="bar after-title">
        <p class="count">
          <ScheduleStatus of={of} /> <span class="muted">{`${inWords(of.cron)}, ${timeZone}`}</span>
        </p>
        <div class="actions">
          <button type="button" disabled={busy} onClick={now}>
            Run now
          </button>
          <ScheduleActions of={of} onChanged={onChanged} />
          <Link class="button" to={`/monitors/${id}`}>
            What it watches
          </Link>
          <button type="button" class="danger" onClick={() => setRequested(true)}>
            Delete …
          </button>
        </div>
      </div>
      <ErrorMessage>{issue || of.disabledReason || of.inputError || ""}</ErrorMessage>
      <div class="halves">
        <section aria-labelledby="next">
          <h2 id="next">
            Next <span class="muted">{timeZone}</span>
          </h2>
          {of.enabled ? (
            <Times times={of.nextFireTimes} timeZone={timeZone} />
          ) : (
            <p class="muted">The schedule is paused.</p>
          )}
        </section>
        <section aria-labelledby="last">
          <h2 id="last">Last</h2>
          {of.recentRuns.length === 0 && <p class="muted">No scheduled time has come yet.</p>}
          <ol class="times">
            {of.recentRuns.map((scheduledRun) => (
              <li key={scheduledRun.dueAt}>
                <ScheduledRunMark scheduledRun={scheduledRun} />
              </li>
            ))}
          </ol>
        </section>
      </div>
      <div class="halves">
        <Change of={of} onChanged={onChanged} />
        <section aria-labelledby="input">
          <h2 id="input">Input</h2>
          <Facts facts={Object.entries(input)} />
          <p>
            <Link to={`/scrapers/${scraper}?from=${id}`}>Open in the scraper's form</Link>
          </p>
        </section>
      </div>
      <CodeSnippet call={{ path: `/api/v1/schedules/${id}`, needsKey: true }} />
      {requested && (
        <ConfirmButton
          title="Delete the schedule?"
          act="Delete it"
          onClose={() => setRequested(false)}
          onConfirm={async () => {
            await deleteSchedule(id)
            go("/schedules")
          }}
        >
          Its runs stay, with their items. To stop it temporarily, pause it instead.
        </ConfirmButton>
      )}
    </>
  )
}

function Change({ of, onChanged }: { of: Schedule; onChanged(): void }) {
  const { busy, issue, run } = useTask()
  const [timing, setTiming] = useState<Timing>()
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    const name = String(new FormData(event.currentTarget as HTMLFormElement).get("name"))
    void run(async () => {
      await changeSchedule(of.id, { name, ...timing })
      onChanged()
    })
  }
  return (
    <section class="box" aria-labelledby="change">
      <h2 id="change">Change it</h2>
      <form onSubmit={submit}>
        <div class="field">
          <label for="name">Name</label>
          <input id="name" name="name" maxLength={200} defaultValue={of.name ?? ""} />
        </div>
        <TimingFields first={of} onChange={setTiming} />
        <ErrorMessage>{issue}</ErrorMessage>
        <div class="actions">
          <button type="submit" class="main" disabled={busy || !timing}>
            Change it
          </button>
        </div>
      </form>
    </section>
  )
}
