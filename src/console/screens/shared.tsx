import { useCallback, useEffect, useMemo, useState } from "preact/hooks"
import { downloadFormats, exportFormats } from "../../base/export-formats.ts"
import { ItemPages } from "../data/item-pages.ts"
import { type Item, isErrorItem } from "../data/keyless.ts"
import { isLocked } from "../data/request.ts"
import { type SharedView, sharedItems, sharedPath, unlocked } from "../data/shared.ts"
import { base } from "../data/shell.ts"
import { useLoaded } from "../hooks/use-loaded.ts"
import { useTask } from "../hooks/use-task.ts"
import { Dialog } from "../parts/dialog.tsx"
import { ErrorMessage } from "../parts/error-message.tsx"
import { SelectField } from "../parts/fields.tsx"
import { ItemGrid } from "../parts/items/item-grid.tsx"
import { Items } from "../parts/items/items.tsx"
import { ListSearch } from "../parts/list-search.tsx"
import { counted } from "../parts/value.tsx"
import type { PageLocation } from "../routing/router.tsx"

const firstRows = 100

/** A dataset as anyone with its link reads it, without an account. */
export function Shared({ id, pageLocation: route }: { id: string; pageLocation: PageLocation }) {
  const provided = route.query.get("link") ?? ""
  const [link, setLink] = useState(provided)
  useEffect(() => {
    document.title = "Shared dataset · Trawl"
  }, [])
  const all: SharedView = { id, link, filter: "", sort: "" }
  const loaded = useLoaded((signal) => sharedItems(all, 0, firstRows, signal), [id, link])
  if (loaded.state === "loading") return <h1 class="muted">Shared dataset</h1>
  if (loaded.state === "failed" && isLocked(loaded.error)) {
    return <PasswordForm id={id} link={provided} onUnlocked={setLink} />
  }
  if (loaded.state === "failed") {
    return (
      <>
        <h1>Shared dataset</h1>
        <ErrorMessage>
          This link is not valid: it has expired or was revoked. Ask its sender for a new one.
        </ErrorMessage>
      </>
    )
  }
  const { items, total } = loaded.value
  return <Rows all={all} columns={columnsOf(items)} total={total} />
}

interface PasswordFormProps {
  id: string
  link: string
  onUnlocked(link: string): void
}

/** Asks for the password of a link. */
function PasswordForm({ id, link, onUnlocked }: PasswordFormProps) {
  const { busy, issue, run } = useTask()
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget as HTMLFormElement)
    const password = String(form.get("password"))
    void run(async () => {
      try {
        onUnlocked(await unlocked(id, link, password))
      } catch (error) {
        throw isLocked(error as Error) ? new Error("This is not the password of the link.") : error
      }
    })
  }
  return (
    <>
      <h1>Shared dataset</h1>
      <form class="box after-title" onSubmit={submit}>
        <div class="field">
          <label for="password">Password of the link</label>
          <input id="password" name="password" type="password" required autocomplete="off" />
        </div>
        <ErrorMessage>{issue}</ErrorMessage>
        <div class="actions">
          <button type="submit" class="main" disabled={busy}>
            Open
          </button>
        </div>
      </form>
    </>
  )
}

const isFilled = (value: unknown) => value !== null && value !== undefined && value !== ""

/** Returns the columns that the first rows fill. */
function columnsOf(items: Item[]): string[] {
  const good = items.filter((item) => !isErrorItem(item))
  const names = [...new Set(good.flatMap((item) => Object.keys(item)))]
  const filled = names.filter((name) => good.some((item) => isFilled(item[name])))
  // On a phone only the first column is visible.
  return [...filled.filter((name) => name !== "url"), ...filled.filter((name) => name === "url")]
}

interface RowsProps {
  all: SharedView
  columns: string[]
  total: number
}

function Rows({ all, columns, total: held }: RowsProps) {
  const [words, setWords] = useState("")
  const [column, setColumn] = useState(
    columns.find((name) => name !== "url") ?? columns[0] ?? "url",
  )
  const [sort, setSort] = useState("")
  const filter = words && `${column}~${words}`
  const view = useMemo(() => ({ ...all, filter, sort }), [filter, sort])
  const counting = useLoaded(
    async (signal) => (filter ? (await sharedItems(view, 0, 1, signal)).total : held),
    [filter, held],
  )
  const total = counting.state === "there" ? counting.value : 0
  const { pages, issue } = usePages(view, total)
  const [row, setRow] = useState<number>()
  const onSight = useCallback(
    (from: number, to: number) => pages.want(from, to, total),
    [pages, total],
  )
  const opened = row === undefined ? undefined : pages.at(row)
  return (
    <>
      <h1>Shared dataset</h1>
      <div class="bar after-title">
        <p class="count" aria-live="polite">
          {filter ? `${counted(total, "row")} of ${held.toLocaleString()}` : counted(held, "row")}
        </p>
        <p class="downloads">
          {downloadFormats.map((format) => (
            <a key={format} href={base + sharedPath(view, { format })} download>
              {exportFormats[format].name}
            </a>
          ))}
        </p>
      </div>
      <div class="filters">
        <ListSearch placeholder="Words" value={words} onChange={setWords} />
        <SelectField
          id="column"
          label="In"
          value={column}
          options={columns.map((name) => [name, name] as const)}
          onChange={setColumn}
        />
        <SelectField
          id="sort"
          label="Order"
          value={sort}
          options={[
            ["", "Original order"],
            ...columns.flatMap((name) => [
              [name, `${name}, upwards`] as const,
              [`-${name}`, `${name}, downwards`] as const,
            ]),
          ]}
          onChange={setSort}
        />
      </div>
      <ErrorMessage>{counting.state === "failed" ? counting.error.message : issue}</ErrorMessage>
      {counting.state === "there" && total === 0 && <p class="notice">No row matches.</p>}
      {total > 0 && (
        <ItemGrid
          key={`${filter} ${sort}`}
          total={total}
          columns={columns}
          schema={{}}
          at={(index) => pages.at(index)}
          onSight={onSight}
          onOpen={setRow}
          begin={0}
        />
      )}
      {row !== undefined && opened && (
        <Dialog class="wide-one" title={`Row ${row + 1}`} onClose={() => setRow(undefined)}>
          <div class="whole-item">
            <Items items={[opened]} schema={{}} first="cards" />
          </div>
          <div class="actions">
            <button type="button" class="main" data-first onClick={() => setRow(undefined)}>
              Close
            </button>
          </div>
        </Dialog>
      )}
    </>
  )
}

/** Returns the rows of a view as they become visible. */
function usePages(view: SharedView, total: number) {
  const [, draw] = useState(0)
  const [issue, setIssue] = useState("")
  const pages = useMemo(
    () =>
      new ItemPages(
        async (offset, limit, signal) => (await sharedItems(view, offset, limit, signal)).items,
        (news) => {
          setIssue(news)
          draw((count) => count + 1)
        },
      ),
    [view],
  )
  useEffect(() => () => pages.end(), [pages])
  useEffect(() => pages.grown(), [pages, total])
  return { pages, issue }
}
