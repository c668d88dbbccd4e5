import { useEffect, useState } from "preact/hooks"
import { diffFormats, exportFormats } from "../../base/export-formats.ts"
import * as api from "../data/datasets.ts"
import { whatRuns } from "../data/runs.ts"
import { account, base } from "../data/shell.ts"
import { useLoaded } from "../hooks/use-loaded.ts"
import { SignInFirst } from "../parts/accounts/sign-in-first.tsx"
import { CodeSnippet } from "../parts/code-snippet.tsx"
import { ErrorMessage } from "../parts/error-message.tsx"
import { SelectField } from "../parts/fields.tsx"
import { LoadError } from "../parts/not-loaded.tsx"
import { Scroll } from "../parts/scroll.tsx"
import { TableHead } from "../parts/table-head.tsx"
import { counted, Value } from "../parts/value.tsx"
import { Link, type PageLocation, replaceUrl } from "../routing/router.tsx"

/** The differences between a dataset and an earlier one. */
export function DatasetDiff({
  id,
  pageLocation: route,
}: {
  id: string
  pageLocation: PageLocation
}) {
  useEffect(() => {
    document.title = "Changes · Trawl"
  }, [])
  const loaded = useLoaded(
    async (signal) => {
      if (account === undefined) return undefined
      const dataset = await api.datasetOf(id, signal)
      const like = await api.datasets(0, dataset.recipe ?? dataset.scraper, signal)
      const earlier = like.items.filter(
        (one) => one.id !== id && whatRuns(one) === whatRuns(dataset),
      )
      return { dataset, earlier }
    },
    [id],
  )
  if (account === undefined) return <SignInFirst title="Changes" />
  if (loaded.state === "failed") {
    return (
      <LoadError {...loaded} what="dataset">
        <Link to="/datasets">All datasets</Link>
      </LoadError>
    )
  }
  if (loaded.state === "loading" || !loaded.value) return <h1 class="muted">Changes</h1>
  return <Compared {...loaded.value} requested={route.query.get("since") ?? "previous"} />
}

interface ComparedProps {
  dataset: api.Dataset
  earlier: api.Dataset[]
  requested: string
}

const nameOf = (one: api.Dataset) =>
  `${one.title ?? whatRuns(one)}, ${new Date(one.createdAt).toLocaleString()}`

function Compared({ dataset, earlier, requested }: ComparedProps) {
  const [since, setSince] = useState(requested)
  const [offset, setOffset] = useState(0)
  const { id } = dataset
  useEffect(() => replaceUrl(`/datasets/${id}/diff?since=${since}`), [since])
  const loaded = useLoaded((signal) => api.changesOf(id, since, offset, signal), [since, offset])
  const path = api.changesPath(id, since)
  return (
    <>
      <p class="crumbs">
        <Link to="/datasets">Datasets</Link> /{" "}
        <Link to={`/datasets/${id}`}>{dataset.title ?? id}</Link> / changes
      </p>
      <h1>What changed</h1>
      <div class="filters after-title">
        <SelectField
          id="since"
          label="Since"
          value={since}
          options={[
            ["previous", "The previous run with the same input"],
            ...earlier.map((one) => [one.id, nameOf(one)] as const),
          ]}
          onChange={(value) => {
            setOffset(0)
            setSince(value)
          }}
        />
        {loaded.state === "there" && (
          <p class="muted count">{counted(loaded.value.total, "change")}</p>
        )}
      </div>
      {loaded.state === "failed" && <ErrorMessage>{loaded.error.message}</ErrorMessage>}
      {loaded.state === "loading" && <p class="muted">Comparing …</p>}
      {loaded.state === "there" && loaded.value.total === 0 && (
        <p class="notice">Nothing changed.</p>
      )}
      {loaded.state === "there" && loaded.value.total > 0 && (
        <>
          <p class="downloads">
            {diffFormats
              .filter((format) => format !== "json")
              .map((format) => (
                <a key={format} href={`${base}${path}&format=${format}`} download>
                  {exportFormats[format].name}
                </a>
              ))}
          </p>
          <Changes items={loaded.value.items} />
          {loaded.value.total > api.changesPerPage && (
            <div class="bar pages">
              <button
                type="button"
                disabled={offset === 0}
                onClick={() => setOffset(offset - api.changesPerPage)}
              >
                Before
              </button>
              <button
                type="button"
                disabled={offset + api.changesPerPage >= loaded.value.total}
                onClick={() => setOffset(offset + api.changesPerPage)}
              >
                Next
              </button>
            </div>
          )}
        </>
      )}
      <CodeSnippet call={{ path, needsKey: true }} />
    </>
  )
}

function Changes({ items }: { items: api.Change[] }) {
  return (
    <Scroll label="Changes">
      <table class="as-cards">
        <TableHead names={["Item", "Change", "Field", "Before", "After"]} />
        <tbody>
          {items.map((change, index) => (
            <tr key={index}>
              <td>
                {change.name ?? <Value value={change.key} />}{" "}
                {change.url && (
                  <a href={change.url} target="_blank" rel="noopener noreferrer nofollow">
                    Open
                  </a>
                )}
              </td>
              <td data-name="Change">
                <span class={`change ${change.change}`}>{change.change}</span>
              </td>
              <td data-name="Field">{change.field ?? ""}</td>
              <td data-name="Before">{change.field && <Value value={change.before} />}</td>
              <td data-name="After">{change.field && <Value value={change.after} />}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  )
}
