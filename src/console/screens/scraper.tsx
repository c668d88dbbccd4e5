import { useEffect, useState } from "preact/hooks"
import { accountCall } from "../data/account-run.ts"
import { type Definition, definition, fieldsOf, stateWords, titled } from "../data/catalogue.ts"
import { inputOf } from "../data/form.ts"
import { filledFromRun, filledIn, providedInput } from "../data/form-input.ts"
import { callOf, type Input, issuesOf } from "../data/keyless.ts"
import { startRun } from "../data/runs.ts"
import { account } from "../data/shell.ts"
import { useLoaded } from "../hooks/use-loaded.ts"
import { useRun } from "../hooks/use-run.ts"
import { CodeSnippet } from "../parts/code-snippet.tsx"
import { DestinationField } from "../parts/delivery/destination-field.tsx"
import { FieldTable } from "../parts/items/field-table.tsx"
import { Items } from "../parts/items/items.tsx"
import { LoadError } from "../parts/not-loaded.tsx"
import { Progress } from "../parts/progress.tsx"
import { HealthDays } from "../parts/runs/health-days.tsx"
import { InputField } from "../parts/runs/input-field.tsx"
import { SessionField } from "../parts/sessions/session-field.tsx"
import { counted } from "../parts/value.tsx"
import { go, Link, type PageLocation, replaceUrl } from "../routing/router.tsx"

/** One scraper: its input, its items, and a form to try it. */
export function Scraper({
  slug,
  pageLocation: route,
}: {
  slug: string
  pageLocation: PageLocation
}) {
  const loaded = useLoaded(
    async (signal) => {
      const of = await definition(slug, signal)
      return { of, requested: await providedInput(of.input, route.query, signal) }
    },
    [slug],
  )
  if (loaded.state === "loading") return <h1 class="muted">{titled(slug)}</h1>
  if (loaded.state === "failed") {
    return (
      <LoadError {...loaded} what="scraper">
        <Link to="/scrapers">All scrapers</Link>
      </LoadError>
    )
  }
  return <Known {...loaded.value} />
}

function Known({ of, requested }: { of: Definition; requested: Input }) {
  const [values, setValues] = useState<Input>(
    Object.keys(requested).length > 0 ? requested : of.example,
  )
  const run = useRun()
  const [issue, setIssue] = useState("")
  const [destination, setDestination] = useState("")
  const [session, setSession] = useState("")
  useEffect(() => {
    document.title = `${of.name} · Trawl`
  }, [of])
  const input = inputOf(of.input, values)
  const issues = run.current.state === "done" ? issuesOf(run.current.outcome.response) : []
  // Starts a run of the account, which is stored with its items and has no time limit.
  const keep = async () => {
    try {
      setIssue("")
      const { id } = await startRun(of.slug, input, { destination, session })
      // Keeps the input in the URL, for users who come back from the run.
      replaceUrl(filledFromRun(`/scrapers/${of.slug}`, id))
      go(`/runs/${id}`)
    } catch (error) {
      setIssue((error as Error).message)
    }
  }
  const submit = (event: Event) => {
    event.preventDefault()
    if (account !== undefined) return void keep()
    replaceUrl(filledIn(`/scrapers/${of.slug}`, input))
    run.start({ path: callOf(of.slug, input) })
  }
  const field = ([name, schema]: [string, Definition["input"]]) => (
    <InputField
      key={name}
      name={name}
      schema={schema}
      required={(of.input.required ?? []).includes(name)}
      value={values[name]}
      issues={issues
        .filter((issue) => issue.field.split(/[.[]/)[0] === name)
        .map(({ message }) => message)}
      onChange={(value) => setValues((before) => ({ ...before, [name]: value }))}
    />
  )
  const [first, more] = ordered(of)
  return (
    <>
      <p class="crumbs">
        <Link to="/scrapers">Scrapers</Link> /{" "}
        <Link to={`/scrapers?category=${of.category}`}>{titled(of.category)}</Link>
      </p>
      <h1>{of.name}</h1>
      <p class="lead">{of.tagline}</p>
      <Badges of={of} />
      <HealthDays days={of.days} />
      <div class="bench">
        <form onSubmit={submit} class="box">
          {first.map(field)}
          {more.length > 0 && (
            <details open={more.some(([name]) => name in input)}>
              <summary>More options ({more.length})</summary>
              {more.map(field)}
            </details>
          )}
          <SessionField value={session} onChange={setSession} />
          <DestinationField value={destination} onChange={setDestination} />
          <div class="actions">
            {account && (
              <button type="submit" class="main">
                Run
              </button>
            )}
            {account === undefined && (
              <button type="submit" class="main" disabled={run.current.state === "running"}>
                Run without a key
              </button>
            )}
            {account && (
              <button
                type="button"
                onClick={() => go(filledIn(`/schedules/new/${of.slug}`, input))}
              >
                {of.watch ? "Watch this" : "Schedule"}
              </button>
            )}
          </div>
          {issue && (
            <p class="notice bad" role="alert">
              {issue}
            </p>
          )}
        </form>
        <div class="outcome">
          {run.current.state === "idle" ? (
            <Recorded of={of} />
          ) : (
            <Progress run={run}>
              {({ response, seconds }) => (
                <>
                  <h2>
                    {counted(response.items.length, "item")}{" "}
                    <span class="muted">in {seconds.toFixed(1)} s</span>
                  </h2>
                  <Items items={response.items} schema={of.item} />
                </>
              )}
            </Progress>
          )}
        </div>
      </div>
      <CodeSnippet
        call={
          account !== undefined
            ? accountCall({ name: of.slug, input })
            : { path: callOf(of.slug, input), tool: { name: of.slug, input } }
        }
      />
      <FieldTable schema={of.item} />
    </>
  )
}

/** Splits the fields of an input into required and optional ones. If none is required, the first few count. */
function ordered({ input, example }: Definition): [FieldEntry[], FieldEntry[]] {
  const all = fieldsOf(input)
  const required = input.required ?? []
  const isFirst = ([name]: FieldEntry) => required.includes(name) || name in example
  return [all.filter(isFirst), all.filter((entry) => !isFirst(entry))]
}
type FieldEntry = ReturnType<typeof fieldsOf>[number]

function Recorded({ of: { recorded, item, recipeId } }: { of: Definition }) {
  if (recipeId) {
    return (
      <p class="notice">
        It is a <Link to="/recipes">recipe</Link> of yours. Run it to see its items.
      </p>
    )
  }
  if (!recorded)
    return <p class="notice">No recorded response shows its items yet. Run it to see some.</p>
  return (
    <>
      <h2>
        An item <span class="muted">from a recorded response</span>
      </h2>
      <Items items={[recorded.item]} schema={item} />
    </>
  )
}

const methods: Record<string, string> = {
  http: "HTTP",
  "browser-http": "HTTP through Chrome",
  browser: "Chrome",
  unlocker: "unlocker",
}

const sentence = (words: string) => words[0]!.toUpperCase() + words.slice(1)

function Badges({ of }: { of: Definition }) {
  const price = `${of.creditsPerPage} ${of.creditsPerPage === 1 ? "credit" : "credits"} a page`
  return (
    <ul class="badges">
      <li>{price}</li>
      <li>
        By{" "}
        {of.fetchMethods.map((fetchMethod) => methods[fetchMethod] ?? fetchMethod).join(", then ")}
      </li>
      {!of.recipeId && (
        <li>
          {of.verified
            ? `Verified with recorded responses${of.lastVerifiedAt ? `, last on ${of.lastVerifiedAt}` : ""}`
            : "Not verified: built from public descriptions of the site"}
        </li>
      )}
      {stateWords[of.state] && (
        <li>
          {sentence(stateWords[of.state])}
          {of.reason && `: ${of.reason}`}
        </li>
      )}
      {of.unverifiedFetchMethods.length > 0 && (
        <li>Not verified: {of.unverifiedFetchMethods.join(", ")}</li>
      )}
    </ul>
  )
}
