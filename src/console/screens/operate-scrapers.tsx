import { useEffect, useState } from "preact/hooks"
import { type State, stateWords } from "../data/catalogue.ts"
import * as api from "../data/operate.ts"
import { base, isOwner } from "../data/shell.ts"
import { useLoaded } from "../hooks/use-loaded.ts"
import { useStored } from "../hooks/use-stored.ts"
import { useTask } from "../hooks/use-task.ts"
import { OwnersOnly } from "../parts/accounts/owners-only.tsx"
import { CodeSnippet } from "../parts/code-snippet.tsx"
import { ErrorMessage } from "../parts/error-message.tsx"
import { SelectField } from "../parts/fields.tsx"
import { HealthGrid } from "../parts/runs/health-grid.tsx"
import { ScraperHealth } from "../parts/runs/scraper-health.tsx"
import { Scroll } from "../parts/scroll.tsx"
import { When } from "../parts/status.tsx"
import { TableHead } from "../parts/table-head.tsx"
import { counted, sized } from "../parts/value.tsx"
import { type PageLocation, replaceUrl } from "../routing/router.tsx"

const states = [
  "broken",
  "blocked",
  "degraded",
  "needs",
  "target_gone",
  "works",
  "unknown",
] as const
/** Interval between two looks at a running check, in milliseconds. */
const lookMs = 3_000

/** The state of all scrapers on this server, missing fields, and a button to check each. */
export function OperateScrapers({ pageLocation: route }: { pageLocation: PageLocation }) {
  const [state, setState] = useState(route.query.get("state") ?? "")
  useEffect(() => {
    document.title = "Scrapers' health · Trawl"
    if (isOwner) replaceUrl(`/operate/scrapers${state && `?state=${state}`}`)
  }, [state])
  return (
    <OwnersOnly title="Scrapers' health" path="/operate/scrapers">
      {isOwner && <HealthGrid />}
      {isOwner && <List state={state} onState={setState} />}
      {isOwner && <Cases />}
      <CodeSnippet call={{ path: "/api/v1/scrapers", needsKey: true }} />
    </OwnersOnly>
  )
}

function List({ state, onState }: { state: string; onState(state: string): void }) {
  const [looks, setLooks] = useState(0)
  const loaded = useStored(
    async (signal) => {
      const [list, { pending }] = await Promise.all([api.scrapers(signal), api.checks(signal)])
      return { all: list.items, pending: new Set(pending.map(({ scraper }) => scraper)) }
    },
    [looks],
  )
  const { busy, issue, run } = useTask()
  const isChecking = loaded.state === "there" && loaded.value.pending.size > 0
  useEffect(() => {
    if (!isChecking) return
    const timer = setTimeout(() => setLooks((count) => count + 1), lookMs)
    return () => clearTimeout(timer)
  }, [isChecking, looks])
  if (loaded.state === "loading") return <p class="muted">Loading …</p>
  if (loaded.state === "failed") return <ErrorMessage>{loaded.error.message}</ErrorMessage>
  const { all, pending } = loaded.value
  const counts = Map.groupBy(all, ({ health }) => health.state)
  const rank = ({ health }: api.Listed) => states.indexOf(health.state as "works")
  const visible = all
    .filter(({ health }) => !state || health.state === state)
    .sort((a, b) => rank(a) - rank(b))
  const check = (slugs: string[]) =>
    run(async () => {
      await api.check(slugs)
      setLooks((count) => count + 1)
    })
  return (
    <>
      <div class="filters after-title">
        <SelectField
          id="state"
          label="State"
          value={state}
          options={[
            ["", `All (${all.length})`],
            ...states.map(
              (name) => [name, `${wordsOf(name)} (${counts.get(name)?.length ?? 0})`] as const,
            ),
          ]}
          onChange={onState}
        />
        <button
          type="button"
          disabled={busy || visible.length === 0}
          onClick={() => check(visible.map(({ slug }) => slug))}
        >
          Check {state ? "these" : "all"} now
        </button>
        <p class="muted count" aria-live="polite">
          {isChecking && `${counted(pending.size, "check")} to go`}
        </p>
      </div>
      <ErrorMessage>{issue}</ErrorMessage>
      {visible.length === 0 && <p class="notice">No scraper has this state.</p>}
      {visible.map((scraper) => (
        <Row
          key={scraper.slug}
          of={scraper}
          isPending={pending.has(scraper.slug)}
          onCheck={() => check([scraper.slug])}
        />
      ))}
    </>
  )
}

/** Recorded responses of sites with which a scraper broke; a repair starts from them. */
function Cases() {
  const loaded = useLoaded(api.driftCases, [])
  if (loaded.state === "loading") return null
  if (loaded.state === "failed") return <ErrorMessage>{loaded.error.message}</ErrorMessage>
  const { items } = loaded.value
  return (
    <section aria-labelledby="cases">
      <h2 id="cases">Recorded responses of broken scrapers</h2>
      {items.length === 0 ? (
        <p class="notice">
          There are none. A check that finds a scraper broken stores the responses of the site.
        </p>
      ) : (
        <Scroll label="Recorded responses">
          <table class="list as-cards">
            <TableHead names={["Scraper", "When", "Size", "Case"]} numbers={["Size"]} />
            <tbody>
              {items.map((stored) => (
                <tr key={stored.scraper + stored.name}>
                  <td>{stored.scraper}</td>
                  <td data-name="When">
                    <When at={stored.storedAt} />
                  </td>
                  <td class="number" data-name="Size">
                    {sized(stored.bytes)}
                  </td>
                  <td data-name="Case">
                    <a href={base + api.driftPath(stored)} download>
                      Download
                    </a>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </Scroll>
      )}
    </section>
  )
}

const wordsOf = (state: State) => stateWords[state] || "not checked yet"
const marks: Partial<Record<State, string>> = {
  works: "succeeded",
  degraded: "running",
  blocked: "failed",
  broken: "failed",
}

interface RowProps {
  of: api.Listed
  isPending: boolean
  onCheck(): void
}

function Row({ of, isPending, onCheck }: RowProps) {
  const [open, setOpen] = useState(false)
  const { state, since, checkedAt, reason } = of.health
  return (
    <details class="delivery" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <span class={`status ${marks[state] ?? ""}`}>{of.name}</span>
        <span class="muted">
          {isPending ? "is being checked" : wordsOf(state)}
          {since && (
            <>
              {" "}
              since <When at={since} />
            </>
          )}
          {reason && `: ${reason}`}
        </span>
      </summary>
      {open && (
        <>
          <ScraperHealth slug={of.slug} />
          <p class="row">
            <button type="button" disabled={isPending} onClick={onCheck}>
              Check now
            </button>
            <span class="muted">{checkedAt ? <When at={checkedAt} /> : "Never checked."}</span>
          </p>
        </>
      )}
    </details>
  )
}
