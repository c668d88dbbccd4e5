import { useEffect, useMemo, useState } from "preact/hooks"
import { valueColumn } from "../../base/value-tables.ts"
import { fillable, planOf, sourcesOf, started, valuesOf } from "../data/bulk.ts"
import { catalogue, type Definition, definition } from "../data/catalogue.ts"
import { inputOf } from "../data/form.ts"
import type { Input } from "../data/keyless.ts"
import { account } from "../data/shell.ts"
import { headed, seemsHeaded, type TableFile, type UploadedFile } from "../data/table-file.ts"
import { useLoaded } from "../hooks/use-loaded.ts"
import { useTask } from "../hooks/use-task.ts"
import { SignInFirst } from "../parts/accounts/sign-in-first.tsx"
import { CodeSnippet } from "../parts/code-snippet.tsx"
import { ErrorMessage } from "../parts/error-message.tsx"
import { SelectField } from "../parts/fields.tsx"
import { FileDrop } from "../parts/file-drop.tsx"
import { BatchProgress } from "../parts/runs/batch-progress.tsx"
import { InputField, wordsOf } from "../parts/runs/input-field.tsx"
import { ScraperSelect } from "../parts/runs/scraper-select.tsx"
import { Scroll } from "../parts/scroll.tsx"
import { SessionField } from "../parts/sessions/session-field.tsx"
import { counted } from "../parts/value.tsx"
import { go, Link, type PageLocation, replaceUrl } from "../routing/router.tsx"

/** Runs a scraper for each value in a column of a file. */
export function Bulk({ pageLocation: route }: { pageLocation: PageLocation }) {
  const batch = route.query.get("batch")
  useEffect(() => {
    document.title = "Bulk · Trawl"
  }, [])
  if (account === undefined) return <SignInFirst title="Bulk" />
  return batch ? <BatchProgress key={batch} id={batch} /> : <NewBulk query={route.query} />
}

function NewBulk({ query }: { query: URLSearchParams }) {
  const [slug, setSlug] = useState(query.get("scraper") ?? "")
  const [file, setFile] = useState<UploadedFile>()
  const all = useLoaded(catalogue, [])
  useEffect(() => replaceUrl(slug ? `/bulk?scraper=${slug}` : "/bulk"), [slug])
  return (
    <>
      <h1>Bulk</h1>
      <p class="lead">
        Choose a file, a scraper, and the column with its input. Trawl shows the cost before you
        start all runs at once.
      </p>
      {all.state === "failed" && <ErrorMessage>{all.error.message}</ErrorMessage>}
      <div class="box">
        <FileDrop file={file} onFile={setFile} />
        <ScraperSelect
          id="bulk-scraper"
          value={slug}
          scrapers={all.state === "there" ? all.value : []}
          none="Choose one"
          onChange={setSlug}
        />
      </div>
      {slug && file ? (
        <Chosen key={`${slug} ${file.name}`} slug={slug} file={file} />
      ) : (
        <p class="notice">
          {file
            ? "Now choose the scraper for its rows."
            : "Choose a file first. One value per row is enough."}{" "}
          <Link to="/scrapers">Inputs and items of all scrapers</Link>
        </p>
      )}
    </>
  )
}

function Chosen({ slug, file }: { slug: string; file: UploadedFile }) {
  const loaded = useLoaded((signal) => definition(slug, signal), [slug])
  if (loaded.state === "loading") return <p class="muted">Loading …</p>
  if (loaded.state === "failed") return <ErrorMessage>{loaded.error.message}</ErrorMessage>
  if (fillable(loaded.value).length === 0) {
    return <p class="notice">This scraper has no text inputs. Start it on its own screen.</p>
  }
  return <Mapping of={loaded.value} provided={file} />
}

function Mapping({ of, provided: whole }: { of: Definition; provided: UploadedFile }) {
  const fields = fillable(of)
  const [field, setField] = useState(fields[0]![0])
  const [hasHeader, setHeader] = useState(() => seemsHeaded(whole))
  const file = useMemo(() => headed(whole, hasHeader), [whole, hasHeader])
  const [column, setColumn] = useState(() => valueColumn(file.columns, file.rows, field) ?? 0)
  const [values, setValues] = useState<Input>({})
  const [isJoined, setJoined] = useState(true)
  const [session, setSession] = useState("")
  const { busy, issue, run } = useTask()
  const provided = valuesOf(file, column)
  const others = allFields(of).filter(([name]) => name !== field)
  const rest = inputOf({ properties: Object.fromEntries(others) }, values)
  const hasOthers = file.columns.length > 1
  const sources = hasOthers && isJoined ? sourcesOf(file, field, column) : undefined
  const [plan, problem] = tried(() => planOf(of, field, provided, rest, sources))
  const required = of.input.required ?? []
  const entry = ([name, schema]: (typeof others)[number]) => (
    <InputField
      key={name}
      name={name}
      schema={schema}
      required={required.includes(name)}
      value={values[name]}
      issues={[]}
      onChange={(value) => setValues((before) => ({ ...before, [name]: value }))}
    />
  )
  const must = others.filter(([name]) => required.includes(name))
  const may = others.filter(([name]) => !required.includes(name))
  const start = (event: Event) => {
    event.preventDefault()
    if (plan) void run(async () => go(await started(plan, { name: file.name, session })))
  }
  return (
    <form class="mapping" onSubmit={start}>
      <div class="fields-in-row">
        <SelectField
          id="bulk-column"
          label="Column"
          value={String(column)}
          options={file.columns.map((name, index) => [String(index), name] as const)}
          onChange={(value) => setColumn(Number(value))}
        />
        <SelectField
          id="bulk-field"
          label="Goes into"
          value={field}
          options={fields.map(([name]) => [name, wordsOf(name)] as const)}
          onChange={setField}
        />
      </div>
      <label class="check">
        <input
          type="checkbox"
          checked={hasHeader}
          onChange={(event) => setHeader(event.currentTarget.checked)}
        />
        The first row names the columns
      </label>
      {hasOthers && (
        <label class="check">
          <input
            type="checkbox"
            checked={isJoined}
            onChange={(event) => setJoined(event.currentTarget.checked)}
          />
          Add the columns of the file to the items
        </label>
      )}
      <Preview file={file} column={column} />
      {must.map(entry)}
      {may.length > 0 && (
        <details>
          <summary>More options ({may.length})</summary>
          {may.map(entry)}
        </details>
      )}
      {plan && (
        <p class="notice" aria-live="polite">
          {counted(plan.values, "value")} of {counted(file.rows.length, "row")}, in{" "}
          {plan.runs === 1 ? "one run" : `${plan.runs.toLocaleString()} runs`}. A page costs{" "}
          {counted(of.creditsPerPage, "credit")}, and each value needs at least one page: at least{" "}
          <strong>{counted(plan.values * of.creditsPerPage, "credit")}</strong>.
        </p>
      )}
      <ErrorMessage>{problem || issue}</ErrorMessage>
      <SessionField value={session} onChange={setSession} />
      <div class="actions">
        <button type="submit" class="main" disabled={busy || !plan}>
          Start
        </button>
      </div>
      {plan && <CodeSnippet call={{ path: plan.path, needsKey: true, body: briefly(plan.body) }} />}
    </form>
  )
}

const allFields = ({ input }: Definition) => Object.entries(input.properties ?? {})

const rowsVisible = 5

/** The first rows of the file, with the chosen column highlighted. */
function Preview({ file: { columns, rows }, column }: { file: TableFile; column: number }) {
  return (
    <Scroll label="The first rows">
      <table class="preview">
        <thead>
          <tr>
            {columns.map((name, index) => (
              <th scope="col" key={index} class={index === column ? "taken" : undefined}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, rowsVisible).map((row, at) => (
            <tr key={at}>
              {columns.map((_, index) => (
                <td key={index} class={index === column ? "taken" : undefined}>
                  {(row[index] ?? "").slice(0, 160)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  )
}

function tried<T>(make: () => T): [made: T | undefined, problem: string] {
  try {
    return [make(), ""]
  } catch (error) {
    return [undefined, (error as Error).message]
  }
}

/** Returns a call as an example, with only the first entries of its lists. */
function briefly(body: Input): Input {
  const short = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.slice(0, 3).map(short)
    return typeof value === "object" && value !== null ? briefly(value as Input) : value
  }
  return Object.fromEntries(Object.entries(body).map(([name, value]) => [name, short(value)]))
}
