import { useCallback, useEffect, useMemo, useState } from "preact/hooks"
import { definition, type Schema } from "../data/catalogue.ts"
import * as api from "../data/datasets.ts"
import { ItemPages } from "../data/item-pages.ts"
import { readable } from "../data/keyless.ts"
import { whatRuns } from "../data/runs.ts"
import { account } from "../data/shell.ts"
import { useLoaded } from "../hooks/use-loaded.ts"
import { SignInFirst } from "../parts/accounts/sign-in-first.tsx"
import { CodeSnippet } from "../parts/code-snippet.tsx"
import { ErrorMessage } from "../parts/error-message.tsx"
import { ColumnChoice } from "../parts/items/column-choice.tsx"
import { DatasetLinks } from "../parts/items/dataset-links.tsx"
import { Downloads } from "../parts/items/downloads.tsx"
import { ItemGrid } from "../parts/items/item-grid.tsx"
import { ViewForm } from "../parts/items/view-form.tsx"
import { WholeItem } from "../parts/items/whole-item.tsx"
import { LoadError } from "../parts/not-loaded.tsx"
import { counted } from "../parts/value.tsx"
import { Link, type PageLocation, replaceUrl } from "../routing/router.tsx"

/** Interval at which the progress of a growing dataset is loaded. */
const lookMs = 3_000

/** The items of a run as a table of any length. */
export function DatasetScreen({
  id,
  pageLocation: route,
}: {
  id: string
  pageLocation: PageLocation
}) {
  useEffect(() => {
    document.title = "Dataset · Trawl"
  }, [])
  const loaded = useLoaded(
    async (signal) => {
      if (account === undefined) return undefined
      const dataset = await api.datasetOf(id, signal)
      const of = await definition(dataset.scraper, signal).catch(() => undefined)
      const schema = api.rowSchema(of?.item ?? {}, dataset)
      const single = api.itemsPath(id, { ...api.everything, clean: true }, { limit: 1 })
      // If the scraper is not part of this build, an item names the fields.
      const first = of ? undefined : (await api.itemsAt(single, signal)).items[0]
      const name = dataset.title ?? dataset.recipe ?? of?.name ?? dataset.scraper
      const provided = await api.sourceColumns(id, signal)
      return { dataset, name, schema, all: [...provided, ...api.columnsOf(schema, first)] }
    },
    [id],
  )
  if (account === undefined) return <SignInFirst title="Dataset" />
  if (loaded.state === "failed") {
    return (
      <LoadError {...loaded} what="dataset">
        <Link to="/datasets">All datasets</Link>
      </LoadError>
    )
  }
  if (loaded.state === "loading" || !loaded.value) return <h1 class="muted">Dataset</h1>
  return <Visible {...loaded.value} query={route.query} />
}

interface VisibleProps {
  dataset: api.Dataset
  name: string
  schema: Schema
  /** All available fields. */
  all: string[]
  query: URLSearchParams
}

function Visible({ dataset: first, name, schema, all, query }: VisibleProps) {
  const dataset = useGrowing(first)
  const own = (first.ownFields ?? []).map(({ name }) => name)
  const [fields, setFields] = useState(() =>
    api.chosenColumns(api.columnsKey(first), all, query.get("fields"), own),
  )
  const [clean, setClean] = useState(query.get("clean") === "true")
  const [isSharing, setSharing] = useState(false)
  const [row, setRow] = useState(() => rowOf(query))
  const [begin] = useState(row ?? 0)
  const [filter, setFilter] = useState(query.get("filter") ?? "")
  const [sort, setSort] = useState(query.get("sort") ?? "")
  const view = useMemo(() => ({ fields, clean, filter, sort }), [fields, clean, filter, sort])
  const held = dataset.itemCount + (clean ? 0 : dataset.errorCount)
  const { total, problem, isCounting } = useTotal(dataset.id, view, held)
  const isFiltered = filter !== ""
  const { pages, issue } = usePages(dataset.id, view, schema, total)
  const onSight = useCallback(
    (from: number, to: number) => pages.want(from, to, total),
    [pages, total],
  )
  useEffect(() => replaceUrl(urlOf(dataset.id, view, row)), [view, row])
  const choose = (wanted: string[]) => {
    api.keepColumns(api.columnsKey(first), wanted)
    setFields(wanted)
  }
  return (
    <>
      <p class="crumbs">
        <Link to="/datasets">Datasets</Link> / {dataset.id}
      </p>
      <h1>{name}</h1>
      <div class="bar after-title">
        <p class="count" aria-live="polite">
          {isFiltered && !isCounting && !problem && <strong>{counted(total, "row")} of </strong>}
          {counted(dataset.itemCount, "item")}
          {dataset.errorCount > 0 && `, ${counted(dataset.errorCount, "error row")}`}
          {!dataset.finishedAt && <span class="muted"> so far</span>}{" "}
          <Link to={`/runs/${dataset.runId}`}>Its run</Link>
          <span class="muted"> of {whatRuns(dataset)}</span>
        </p>
        <div class="downloads">
          {total > 0 && <Downloads id={dataset.id} view={view} all={all} own={own} total={total} />}
          <Link class="button" to={`/datasets/${dataset.id}/diff`}>
            What changed
          </Link>
          <button type="button" class="quiet" onClick={() => setSharing(true)}>
            Share
          </button>
        </div>
      </div>
      {held > 0 && (
        <ViewForm
          columns={fields}
          filter={filter}
          sort={sort}
          onFilter={setFilter}
          onSort={setSort}
        />
      )}
      <div class="bar">
        <ColumnChoice all={all} chosen={fields} schema={schema} onChange={choose} />
        {dataset.errorCount > 0 && (
          <label class="check">
            <input
              type="checkbox"
              checked={!clean}
              onChange={(event) => setClean(!event.currentTarget.checked)}
            />
            Error rows
          </label>
        )}
      </div>
      <ErrorMessage>{problem}</ErrorMessage>
      {issue && !problem && (
        <>
          <ErrorMessage>{issue}</ErrorMessage>
          <button type="button" onClick={() => pages.tryAgain()}>
            Try again
          </button>
        </>
      )}
      {isCounting && <p class="muted">Searching {held.toLocaleString()} rows …</p>}
      {held > 0 && total === 0 && !problem && !isCounting && (
        <p class="notice">No row matches the filter.</p>
      )}
      {held === 0 ? (
        <Empty dataset={dataset} />
      ) : total === 0 ? null : (
        <ItemGrid
          key={`${clean} ${filter} ${sort}`}
          total={total}
          columns={fields}
          schema={schema}
          at={(index) => pages.at(index)}
          onSight={onSight}
          onOpen={setRow}
          begin={filter || sort ? 0 : Math.min(begin, total - 1)}
        />
      )}
      {row !== undefined && row < total && (
        <WholeItem
          id={dataset.id}
          row={row}
          total={total}
          view={view}
          schema={schema}
          onRow={setRow}
          onClose={() => setRow(undefined)}
        />
      )}
      {isSharing && <DatasetLinks id={dataset.id} onClose={() => setSharing(false)} />}
      <CodeSnippet
        call={{
          path: api.itemsPath(dataset.id, api.besides(schema, view), { limit: 100, offset: 0 }),
          needsKey: true,
        }}
      />
    </>
  )
}

function Empty({ dataset }: { dataset: api.Dataset }) {
  if (!dataset.finishedAt) return <p class="notice">Nothing yet; the run is in progress.</p>
  return (
    <p class="notice">
      It has {dataset.errorCount > 0 ? "only error rows" : "no rows"}.{" "}
      <Link to={`/runs/${dataset.runId}`}>Its run</Link> shows the reason.
    </p>
  )
}

/** Returns the current dataset, and reloads it until its run has finished. */
function useGrowing(first: api.Dataset): api.Dataset {
  const [dataset, setDataset] = useState(first)
  useEffect(() => {
    if (dataset.finishedAt) return
    const leaving = new AbortController()
    const timer = setTimeout(() => {
      const same = { ...dataset }
      api.datasetOf(first.id, leaving.signal).then(setDataset, () => {
        if (!leaving.signal.aborted) setDataset(same)
      })
    }, lookMs)
    return () => {
      clearTimeout(timer)
      leaving.abort()
    }
  }, [dataset])
  return dataset
}

/** Returns the number of matching rows. If there is a filter, only the service can count them. */
function useTotal(id: string, view: api.View, held: number) {
  const { clean, filter, sort } = view
  const loaded = useLoaded(
    async (signal) => {
      if (!filter && !sort) return held
      const path = api.itemsPath(id, { ...api.everything, clean, filter, sort }, { limit: 1 })
      return (await api.itemsAt(path, signal)).total
    },
    [id, clean, filter, sort, held],
  )
  const isAll = !filter && !sort
  if (isAll) return { total: held, problem: "" }
  return {
    total: loaded.state === "there" ? loaded.value : 0,
    problem: loaded.state === "failed" ? loaded.error.message : "",
    isCounting: loaded.state === "loading",
  }
}

/** Returns the rows of a view, and the error if they could not be loaded. */
function usePages(id: string, view: api.View, schema: Schema, total: number) {
  const [, draw] = useState(0)
  const [issue, setIssue] = useState("")
  const pages = useMemo(() => {
    const wanted = api.besides(schema, view)
    return new ItemPages(
      async (offset, limit, signal) =>
        (await api.itemsAt(api.itemsPath(id, wanted, { limit, offset }), signal)).items,
      (news) => {
        setIssue(news)
        draw((count) => count + 1)
      },
    )
  }, [id, view])
  useEffect(() => () => pages.end(), [pages])
  useEffect(() => pages.grown(), [pages, total])
  return { pages, issue }
}

/** Returns the row number of a URL, which starts at 1, as an index from 0. */
function rowOf(query: URLSearchParams): number | undefined {
  const row = Number(query.get("row"))
  return Number.isSafeInteger(row) && row > 0 ? row - 1 : undefined
}

function urlOf(
  id: string,
  { fields, clean, filter, sort }: api.View,
  row: number | undefined,
): string {
  const query = new URLSearchParams({
    fields: fields.join(","),
    ...(clean && { clean: "true" }),
    ...(filter && { filter }),
    ...(sort && { sort }),
    ...(row !== undefined && { row: String(row + 1) }),
  })
  return `/datasets/${id}?${readable(query).replaceAll("%2C", ",")}`
}
