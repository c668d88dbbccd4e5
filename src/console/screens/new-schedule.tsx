import { useEffect, useState } from "preact/hooks"
import { type Definition, definition } from "../data/catalogue.ts"
import { inputOf } from "../data/form.ts"
import { filledIn, providedInput } from "../data/given-input.ts"
import type { Input } from "../data/keyless.ts"
import { type MisfirePolicy, makeSchedule, newSchedulePath } from "../data/schedules.ts"
import { account } from "../data/shell.ts"
import { SignInFirst } from "../parts/accounts/sign-in-first.tsx"
import { CodeSnippet } from "../parts/code-snippet.tsx"
import { Issue } from "../parts/fault.tsx"
import { Facts } from "../parts/items/items.tsx"
import { type Timing, TimingFields } from "../parts/watching/timing.tsx"
import { go, Link, type PageLocation } from "../router.tsx"
import { useLoaded } from "../use-loaded.ts"
import { useTask } from "../use-task.ts"

/** Makes a schedule of a scraper and its input, which the address says. */
export function NewSchedule({ slug, place }: { slug: string; place: PageLocation }) {
  useEffect(() => {
    document.title = "New schedule · Trawl"
  }, [])
  const loaded = useLoaded(
    async (signal) => {
      if (account === undefined) return undefined
      const of = await definition(slug, signal)
      return { of, provided: await providedInput(of.input, place.query, signal) }
    },
    [slug],
  )
  if (account === undefined) return <SignInFirst title="New schedule" />
  if (loaded.state === "loading") return <h1 class="muted">New schedule</h1>
  if (loaded.state === "failed") {
    return (
      <>
        <h1>New schedule</h1>
        <Issue>{loaded.error.message}</Issue>
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
  const input = inputOf(of.input, provided)
  const terms = { scraper: of.slug, input }
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget as HTMLFormElement)
    const name = String(form.get("name")).trim()
    const misfirePolicy = String(form.get("misfirePolicy")) as MisfirePolicy
    void run(async () => {
      if (!timing) return
      const made = await makeSchedule({ ...terms, ...timing, misfirePolicy, ...(name && { name }) })
      go(`/${of.watch ? "monitors" : "schedules"}/${made.id}`)
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
        {of.watch
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
        </section>
        <form class="box" onSubmit={submit}>
          <div class="field">
            <label for="name">
              Name <span class="muted">if you like</span>
            </label>
            <input id="name" name="name" maxLength={200} placeholder={of.name} />
          </div>
          <TimingFields onChange={setTiming} />
          <div class="field">
            <label for="misfirePolicy">Times at which the service does not run</label>
            <select id="misfirePolicy" name="misfirePolicy">
              <option value="skip">are left out</option>
              <option value="run_once">are made up for, all by one run</option>
            </select>
          </div>
          <Issue>{issue}</Issue>
          <div class="actions">
            <button type="submit" class="main" disabled={busy || !timing}>
              {of.watch ? "Watch it" : "Make the schedule"}
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
