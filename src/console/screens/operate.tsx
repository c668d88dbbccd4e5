import { useEffect, useState } from "preact/hooks"
import * as api from "../data/operate.ts"
import { shortSlug } from "../data/schedules.ts"
import { isOwner } from "../data/shell.ts"
import { useStored } from "../hooks/use-stored.ts"
import { useTask } from "../hooks/use-task.ts"
import { OwnersOnly } from "../parts/accounts/owners-only.tsx"
import { Chart } from "../parts/charts/chart.tsx"
import { CodeSnippet } from "../parts/code-snippet.tsx"
import { ErrorMessage } from "../parts/error-message.tsx"
import { Figures } from "../parts/figures.tsx"
import { Scroll } from "../parts/scroll.tsx"
import { Status, When } from "../parts/status.tsx"
import { TableHead } from "../parts/table-head.tsx"
import { counted, sized } from "../parts/value.tsx"

/** Interval at which the screen is reloaded. */
const lookMs = 3_000

/** The current activity of the service, its free resources and its stored data. */
export function Operate() {
  useEffect(() => {
    document.title = "Operate · Trawl"
  }, [])
  return (
    <OwnersOnly title="Operate" path="/operate">
      {isOwner && <Now />}
      {isOwner && (
        <div class="halves">
          <Disk />
          <Backups />
        </div>
      )}
      <CodeSnippet call={{ path: api.nowPath, needsKey: true }} />
    </OwnersOnly>
  )
}

function Now() {
  const [looks, setLooks] = useState(0)
  useEffect(() => {
    const timer = setInterval(() => setLooks((count) => count + 1), lookMs)
    return () => clearInterval(timer)
  }, [])
  const loaded = useStored(api.now, [looks])
  if (loaded.state === "loading") return <p class="muted">Loading …</p>
  if (loaded.state === "failed") return <ErrorMessage>{loaded.error.message}</ErrorMessage>
  const { work, chrome, hosts, runs, minutes } = loaded.value
  return (
    <section aria-labelledby="now">
      <h2 id="now">Now</h2>
      <Figures
        of={[
          ["Running runs", work?.running ?? "–"],
          ["Queued runs", work?.queued ?? "–"],
          ["Workers", work?.workers ?? "–"],
          ["Chromes", chrome?.chromes ?? 0],
          ["Tabs in use", chrome?.leases ?? 0],
          ["Requests in progress", hosts?.inFlight ?? "–"],
          ["Waiting requests", hosts?.waiting ?? "–"],
        ]}
      />
      <Minutes of={minutes} />
      {hosts?.suspended.map(({ host, reason, seconds }) => (
        <p class="notice" key={host}>
          <strong>{host}</strong> gets no requests for another {counted(seconds, "second")}:{" "}
          {reason}
        </p>
      ))}
      {hosts?.quotas.map(({ host, requests, left, without }) => (
        <p class="muted" key={host}>
          {host}: {left} of {requests} requests left without {without}.
        </p>
      ))}
      {runs.length === 0 ? (
        <p class="notice">No run is running or queued.</p>
      ) : (
        <RunTable runs={runs} />
      )}
    </section>
  )
}

/** Pages, failures and memory of the last three hours. */
function Minutes({ of }: { of: api.Now["minutes"] }) {
  const moments = of.map(({ at }) => Date.parse(at))
  return (
    <div class="halves">
      <section aria-labelledby="pages-a-minute">
        <h3 id="pages-a-minute">Pages and failures per minute</h3>
        <Chart
          label="Pages and failures per minute"
          moments={moments}
          series={[
            { name: "Pages", values: of.map(({ pages }) => pages) },
            { name: "Failures", values: of.map(({ failures }) => failures) },
          ]}
        />
      </section>
      <section aria-labelledby="memory">
        <h3 id="memory">Memory of the process</h3>
        <Chart
          label="Memory of the process"
          moments={moments}
          series={[{ name: "Memory", values: of.map(({ memoryBytes }) => memoryBytes) }]}
          format={sized}
        />
      </section>
    </div>
  )
}

function RunTable({ runs }: { runs: api.Now["runs"] }) {
  return (
    <Scroll label="Unfinished runs" class="after-title">
      <table class="list as-cards">
        <TableHead
          names={["Scraper", "State", "Account", "Targets", "Started"]}
          numbers={["Targets"]}
        />
        <tbody>
          {runs.map((run) => (
            <tr key={run.id}>
              <td>{shortSlug(run.scraper)}</td>
              <td data-name="State">
                <Status run={run} />
                <div class="muted">{run.statusMessage}</div>
              </td>
              <td data-name="Account">{run.account ?? <span class="muted">anonymous</span>}</td>
              <td class="number" data-name="Targets">
                {run.targetsDone} of {run.targetsTotal}
              </td>
              <td data-name="Started">
                <When at={run.createdAt} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  )
}

function Disk() {
  const loaded = useStored(api.disk, [])
  if (loaded.state === "loading") return null
  if (loaded.state === "failed") return <ErrorMessage>{loaded.error.message}</ErrorMessage>
  const { databaseBytes, fileBytes, freeBytes, bytesPerDay, daysUntilFull, scrapers } = loaded.value
  return (
    <section aria-labelledby="disk">
      <h2 id="disk">Disk</h2>
      <Figures
        of={[
          ["Database", sized(databaseBytes)],
          ["Files", sized(fileBytes)],
          ["Free", sized(freeBytes)],
          ["Growth per day", sized(bytesPerDay)],
          ["Full in", daysUntilFull === null ? "never" : counted(daysUntilFull, "day")],
        ]}
      />
      {scrapers.length > 0 && (
        <table class="list after-title">
          <TableHead names={["Scraper", "Runs", "Size"]} numbers={["Runs", "Size"]} />
          <tbody>
            {scrapers.slice(0, 8).map(({ name, runs, bytes }) => (
              <tr key={name}>
                <td>{shortSlug(name)}</td>
                <td class="number">{runs.toLocaleString()}</td>
                <td class="number">{sized(bytes)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  )
}

function Backups() {
  const [made, setMade] = useState(0)
  const loaded = useStored(api.backups, [made])
  const { busy, issue, run } = useTask()
  const make = () =>
    run(async () => {
      await api.backUp()
      setMade((count) => count + 1)
    })
  const items = loaded.state === "there" ? loaded.value.items : []
  return (
    <section aria-labelledby="backups">
      <div class="bar">
        <h2 id="backups">Backups</h2>
        <button type="button" disabled={busy} onClick={make}>
          {busy ? "Making it …" : "Make a backup now"}
        </button>
      </div>
      <ErrorMessage>
        {issue || (loaded.state === "failed" ? loaded.error.message : "")}
      </ErrorMessage>
      {loaded.state === "there" && items.length === 0 && (
        <p class="notice">
          There are no backups. To make them, set <code>TRAWL_BACKUP_TO</code> to a folder or an S3
          URL.
        </p>
      )}
      <ul class="lines">
        {items.slice(0, 10).map(({ name, bytes, madeAt }) => (
          <li key={name}>
            <When at={madeAt} /> <span class="muted">{sized(bytes)}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}
