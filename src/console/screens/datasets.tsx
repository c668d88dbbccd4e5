import { useEffect } from "preact/hooks"
import { type Dataset, datasets, datasetsAtOnce, datasetsPath } from "../data/datasets.ts"
import { account } from "../data/shell.ts"
import { SignInFirst } from "../parts/accounts/sign-in-first.tsx"
import { Fault } from "../parts/fault.tsx"
import { Heads } from "../parts/heads.tsx"
import { SameCall } from "../parts/same-call.tsx"
import { Scroll } from "../parts/scroll.tsx"
import { When } from "../parts/status.tsx"
import { counted } from "../parts/value.tsx"
import { Link, type Place } from "../router.tsx"
import { useLoaded } from "../use-loaded.ts"

/** What the account's runs brought, the newest first. */
export function Datasets({ place }: { place: Place }) {
  const asked = Number(place.query.get("offset"))
  const offset = Number.isSafeInteger(asked) && asked > 0 ? asked : 0
  useEffect(() => {
    document.title = "Datasets · Trawl"
  }, [])
  if (account === undefined) return <SignInFirst title="Datasets" />
  return (
    <>
      <h1>Datasets</h1>
      <List offset={offset} />
      <SameCall call={{ path: datasetsPath(offset), needsKey: true }} />
    </>
  )
}

function List({ offset }: { offset: number }) {
  const loaded = useLoaded((signal) => datasets(offset, signal), [offset])
  if (loaded.state === "loading") return <p class="muted">Loading …</p>
  if (loaded.state === "failed") return <Fault>{loaded.error.message}</Fault>
  const { items, total } = loaded.value
  if (total === 0) {
    return (
      <p class="notice">
        None yet: each run makes one. <Link to="/scrapers">Choose a scraper</Link>, or give{" "}
        <Link to="/bulk">a whole file</Link> to one.
      </p>
    )
  }
  return (
    <>
      <p class="muted">{counted(total, "dataset")}</p>
      <Table datasets={items} />
      {total > datasetsAtOnce && (
        <p class="bar pages">
          {offset > 0 && <Link to={at(Math.max(0, offset - datasetsAtOnce))}>Newer</Link>}
          <span class="muted">
            {offset + 1} to {offset + items.length} of {total.toLocaleString()}
          </span>
          {offset + items.length < total && <Link to={at(offset + datasetsAtOnce)}>Older</Link>}
        </p>
      )}
    </>
  )
}

const at = (offset: number) => (offset > 0 ? `/datasets?offset=${offset}` : "/datasets")

function Table({ datasets }: { datasets: Dataset[] }) {
  return (
    <Scroll label="Datasets">
      <table class="runs">
        <Heads
          names={["Scraper", "Items", "Failed", "Begun", "Complete", "Run"]}
          numbers={["Items", "Failed"]}
        />
        <tbody>
          {datasets.map(({ id, runId, scraper, itemCount, errorCount, createdAt, finishedAt }) => (
            <tr key={id}>
              <td>
                <Link to={`/datasets/${id}`}>{scraper.replace(/-scraper$/, "")}</Link>
              </td>
              <td class="number">{itemCount.toLocaleString()}</td>
              <td class="number">{errorCount.toLocaleString()}</td>
              <td>
                <When at={createdAt} />
              </td>
              <td>{finishedAt ? <When at={finishedAt} /> : <span class="muted">not yet</span>}</td>
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
