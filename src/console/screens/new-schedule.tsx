import { useEffect, useState } from "preact/hooks"
import { type Definition, definition } from "../data/catalogue.ts"
import { inputOf } from "../data/form.ts"
import { filledIn, providedInput } from "../data/form-input.ts"
import type { Input } from "../data/keyless.ts"
import type { Condition } from "../data/monitors.ts"
import { type MisfirePolicy, makeSchedule, newSchedulePath } from "../data/schedules.ts"
import { account } from "../data/shell.ts"
import { useLoaded } from "../hooks/use-loaded.ts"
import { useTask } from "../hooks/use-task.ts"
import { SignInFirst } from "../parts/accounts/sign-in-first.tsx"
import { CodeSnippet } from "../parts/code-snippet.tsx"
import { DestinationField } from "../parts/delivery/destination-field.tsx"
import { ErrorMessage } from "../parts/error-message.tsx"
import { Facts } from "../parts/items/items.tsx"
import { SessionField } from "../parts/sessions/session-field.tsx"
import { ConditionList } from "../parts/watching/conditions.tsx"
import { type Timing, TimingFields } from "../parts/watching/timing.tsx"
import { go, Link, type PageLocation } from "../routing/router.tsx"

/** Creates a schedule of a scraper. The URL contains its input. */
export function NewSchedule({
  slug,
  pageLocation: route,
}: {
  slug: string
  pageLocation: PageLocation
}) {
  useEffect(() => {
    document.title = "New schedule · Trawl"
  }, [])
  const loaded = useLoaded(
    async (signal) => {
      if (account === undefined) return undefined
      const of = await definition(slug, signal)
      return { of, provided: await providedInput(of.input, route.query, signal) }
    },
    [slug],
  )
  if (account === undefined) return <SignInFirst title="New schedule" />
  if (loaded.state === "loading") return <h1 class="muted">New schedule</h1>
  if (loaded.state === "failed") {
    return (
      <>
        <h1>New schedule</h1>
        <ErrorMessage>{loaded.error.message}</ErrorMessage>
        <Link to="/scrapers">Choose a scraper</Link>
      </>
    )
  }
  if (!loaded.value) return null
  return <Form {...loaded.value} />
}

function Form({ of, provided }: { of: Definition; provided: Input }) {
  const { busy, issue, run } = useTask()
  const [timing, setTiming] = useState<Timing>()
  const [conditions, setConditions] = useState<Condition[]>([])
  const isMonitor = of.watch !== null || conditions.length > 0
  const input = inputOf(of.input, provided)
  const [destination, setDestination] = useState("")
  const [session, setSession] = useState("")
  const terms = {
    scraper: of.slug,
    input,
    ...(conditions.length > 0 && { conditions }),
    ...(destination && { destination }),
    ...(session && { session }),
  }
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget as HTMLFormElement)
    const name = String(form.get("name")).trim()
    const misfirePolicy = String(form.get("misfirePolicy")) as MisfirePolicy
    void run(async () => {
      if (!timing) return
      const made = await makeSchedule({ ...terms, ...timing, misfirePolicy, ...(name && { name }) })
      go(`/${isMonitor ? "monitors" : "schedules"}/${made.id}`)
    })
  }
  return (
    <>
      <p class="crumbs">
        <Link to={of.watch ? "/monitors" : "/schedules"}>
          {of.watch ? "Monitors" : "Schedules"}
        </Link>{" "}
        / new
      </p>
      <h1>
        {of.watch ? "Watch" : "Schedule"} with {of.name}
      </h1>
      <p class="lead">
        {isMonitor
          ? "Trawl compares each run with the previous one and notifies you of changes."
          : "Each scheduled time starts one run."}
      </p>
      <div class="bench">
        <section aria-labelledby="input">
          <h2 id="input">Input</h2>
          <Facts facts={Object.entries(input)} />
          <p>
            <button
              type="button"
              class="quiet"
              onClick={() => go(filledIn(`/scrapers/${of.slug}`, input))}
            >
              Change it
            </button>
          </p>
          {!of.watch && (
            <ConditionList conditions={conditions} busy={busy} onChange={setConditions} />
          )}
        </section>
        <form class="box" onSubmit={submit}>
          <div class="field">
            <label for="name">
              Name <span class="muted">optional</span>
            </label>
            <input id="name" name="name" maxLength={200} placeholder={of.name} />
          </div>
          <TimingFields onChange={setTiming} />
          <SessionField value={session} onChange={setSession} />
          <DestinationField value={destination} onChange={setDestination} />
          <div class="field">
            <label for="misfirePolicy">If the server is down at a scheduled time</label>
            <select id="misfirePolicy" name="misfirePolicy">
              <option value="skip">Skip them</option>
              <option value="run_once">Start one run for all missed times</option>
            </select>
          </div>
          <ErrorMessage>{issue}</ErrorMessage>
          <div class="actions">
            <button type="submit" class="main" disabled={busy || !timing}>
              {isMonitor ? "Create the monitor" : "Create the schedule"}
            </button>
          </div>
        </form>
      </div>
      {timing && (
        <CodeSnippet
          call={{ path: newSchedulePath, needsKey: true, body: { ...terms, ...timing } }}
        />
      )}
    </>
  )
}
