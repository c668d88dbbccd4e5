import { useEffect } from "preact/hooks"
import { type Dataset, datasets, datasetsAtOnce, datasetsPath } from "../data/datasets.ts"
import { whatRuns } from "../data/runs.ts"
import { account } from "../data/shell.ts"
import { useLoaded } from "../hooks/use-loaded.ts"
import { SignInFirst } from "../parts/accounts/sign-in-first.tsx"
import { CodeSnippet } from "../parts/code-snippet.tsx"
import { ErrorMessage } from "../parts/error-message.tsx"
import { ListSearch } from "../parts/list-search.tsx"
import { Scroll } from "../parts/scroll.tsx"
import { When } from "../parts/status.tsx"
import { TableHead } from "../parts/table-head.tsx"
import { counted } from "../parts/value.tsx"
import { go, Link, type PageLocation } from "../routing/router.tsx"

/** The datasets of the account's runs, newest first. */
export function Datasets({ pageLocation: route }: { pageLocation: PageLocation }) {
  const requested = Number(route.query.get("offset"))
  const offset = Number.isSafeInteger(requested) && requested > 0 ? requested : 0
  const search = route.query.get("search") ?? ""
  useEffect(() => {
    document.title = "Datasets · Trawl"
  }, [])
  if (account === undefined) return <SignInFirst title="Datasets" />
  return (
    <>
      <h1>Datasets</h1>
      <div class="filters after-title">
        <ListSearch value={search} onChange={(text) => go(at(0, text))} />
      </div>
      <List offset={offset} search={search} />
      <CodeSnippet call={{ path: datasetsPath(offset, search), needsKey: true }} />
    </>
  )
}

function List({ offset, search }: { offset: number; search: string }) {
  const loaded = useLoaded((signal) => datasets(offset, search, signal), [offset, search])
  if (loaded.state === "loading") return <p class="muted">Loading …</p>
  if (loaded.state === "failed") return <ErrorMessage>{loaded.error.message}</ErrorMessage>
  const { items, total } = loaded.value
  if (total === 0 && search) return <p class="notice">No dataset matches.</p>
  if (total === 0) {
    return (
      <p class="notice">
        None yet. Each run creates one. <Link to="/scrapers">Choose a scraper</Link>, or run one on{" "}
        <Link to="/bulk">a whole file</Link>.
      </p>
    )
  }
  return (
    <>
      <p class="muted">{counted(total, "dataset")}</p>
      <Table datasets={items} />
      {total > datasetsAtOnce && (
        <p class="bar pages">
          {offset > 0 && <Link to={at(Math.max(0, offset - datasetsAtOnce), search)}>Newer</Link>}
          <span class="muted">
            {offset + 1} to {offset + items.length} of {total.toLocaleString()}
          </span>
          {offset + items.length < total && (
            <Link to={at(offset + datasetsAtOnce, search)}>Older</Link>
          )}
        </p>
      )}
    </>
  )
}

function at(offset: number, search: string): string {
  const query = new URLSearchParams({
    ...(search && { search }),
    ...(offset > 0 && { offset: String(offset) }),
  })
  return query.size > 0 ? `/datasets?${query}` : "/datasets"
}

function Table({ datasets }: { datasets: Dataset[] }) {
  return (
    <Scroll label="Datasets">
      <table class="runs as-cards">
        <TableHead
          names={["Dataset", "Scraper", "Items", "Failed", "Started", "Complete", "Run"]}
          numbers={["Items", "Failed"]}
        />
        <tbody>
          {datasets.map(({ id, runId, itemCount, errorCount, createdAt, finishedAt, ...of }) => (
            <tr key={id}>
              <td>
                <Link to={`/datasets/${id}`}>{of.title ?? whatRuns(of)}</Link>
              </td>
              <td data-name="Scraper">{whatRuns(of)}</td>
              <td class="number" data-name="Items">
                {itemCount.toLocaleString()}
              </td>
              <td class="number" data-name="Failed">
                {errorCount.toLocaleString()}
              </td>
              <td data-name="Started">
                <When at={createdAt} />
              </td>
              <td data-name="Complete">
                {finishedAt ? <When at={finishedAt} /> : <span class="muted">not yet</span>}
              </td>
              <td>
                <Link to={`/runs/${runId}`}>Its run</Link>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  )
}
