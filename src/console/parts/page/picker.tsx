import { useEffect, useMemo, useRef, useState } from "preact/hooks"
import { isErrorItem } from "../../data/keyless.ts"
import { sourceCall } from "../../data/page-call.ts"
import { parsed } from "../../data/page-view.ts"
import {
  found,
  isName,
  nameFor,
  rowAround,
  rowsOf,
  selectorOf,
  takable,
  takenOf,
} from "../../data/selectors.ts"
import { useRun } from "../../use-run.ts"
import { Choice } from "../choice.tsx"
import { Fault } from "../fault.tsx"
import { Progress } from "../progress.tsx"
import { counted } from "../value.tsx"
import { PageFrame } from "./page-frame.tsx"

interface PickerProps {
  url: string
  /** The rows of which fields are taken so far. */
  rows: string
  /** Of the fields that there are. */
  names: string[]
  onField(line: string, rows: string): void
  onClose(): void
}

/** A page at whose parts one points, to have them as fields. */
export function Picker({ url, onClose, ...rest }: PickerProps) {
  const run = useRun()
  useEffect(() => run.start(sourceCall(url)), [url])
  return (
    <section class="picker box" aria-labelledby="picker">
      <div class="bar">
        <h2 id="picker">Pick from the page</h2>
        <button type="button" class="quiet" onClick={onClose}>
          Close
        </button>
      </div>
      <Progress run={run}>
        {({ answer: { items } }) => {
          const [item] = items
          if (!item || isErrorItem(item)) return <Fault>{item?.error.message ?? ""}</Fault>
          const html = String(item.html ?? "")
          if (!html.includes("<")) return <Fault>This address is no page of HTML.</Fault>
          return <Pointed html={html} base={String(item.finalUrl ?? url)} {...rest} />
        }}
      </Progress>
    </section>
  )
}

interface PointedProps extends Pick<PickerProps, "rows" | "names" | "onField"> {
  html: string
  base: string
}

function Pointed({ html, base, rows, names, onField }: PointedProps) {
  const page = useMemo(() => parsed(html), [html])
  const [under, setUnder] = useState<Element>()
  const [taken, setTaken] = useState<Element>()
  const none = useMemo<Element[]>(() => [], [])
  const [hits, setHits] = useState<Element[]>(none)
  const panel = useRef<HTMLDivElement>(null)
  const whole = useRef<HTMLDivElement>(null)
  const take = (element: Element) => {
    setTaken(element)
    setUnder(element)
  }
  const add = (line: string, of: string) => {
    onField(line, of)
    setTaken(undefined)
    setHits(none)
    whole.current?.querySelector<HTMLElement>(".sheet")?.focus({ preventScroll: true })
  }
  useEffect(() => {
    if (taken) panel.current?.querySelector<HTMLElement>("#picked-name")?.focus()
  }, [taken])
  return (
    <>
      <p class="help" id="picker-keys">
        Point at what you want and click it. By keyboard: ↓ and ↑ go from part to part, ← to what
        holds it, → into it, Enter takes it.
      </p>
      <div class="picker-halves" ref={whole}>
        <div class="scroll picker-page">
          <PageFrame page={page} hits={hits} current={under} onMove={setUnder} onTake={take} />
        </div>
        <div ref={panel}>
          <p class="count under" aria-live="polite">
            {under ? <code>{shortly(under)}</code> : <span class="muted">Nothing yet</span>}
          </p>
          {taken ? (
            <NewField
              element={taken}
              page={page}
              base={base}
              rows={rows}
              names={names}
              onElement={take}
              onHits={setHits}
              onField={add}
            />
          ) : (
            <p class="notice">
              {names.length > 0
                ? `${counted(names.length, "field")} so far. Click the next one, or get it.`
                : "What you click is shown here, with a selector that finds it."}
            </p>
          )}
        </div>
      </div>
    </>
  )
}

interface NewFieldProps extends Pick<PickerProps, "rows" | "names" | "onField"> {
  element: Element
  page: Document
  base: string
  onElement(element: Element): void
  onHits(hits: Element[]): void
}

/** A field of one value, or of each row, as it is proposed and may be changed. */
function NewField(props: NewFieldProps) {
  const { element, page, base, rows, names, onElement, onHits, onField } = props
  const likes = useMemo(() => rowsOf(element, page), [element, page])
  const inRow = rows ? rowAround(element, rows) : undefined
  const [wide, setWide] = useState(Boolean(rows))
  const isOfRows = rows ? inRow !== undefined : wide && likes !== undefined
  const rowSelector = rows || likes?.selector || ""
  const row = rows ? inRow : likes?.row
  const proposed = useMemo(() => {
    if (!isOfRows || !row) return selectorOf(element, page)
    return row === element ? "" : selectorOf(element, row, row)
  }, [element, page, isOfRows, row])
  const [selector, setSelector] = useState(proposed)
  const ways = useMemo(() => takable(element), [element])
  const [way, setWay] = useState(ways[0]!)
  const [name, setName] = useState("")
  useEffect(() => setSelector(proposed), [proposed])
  useEffect(() => {
    setWay(ways[0]!)
    setName(nameFor(element, ways[0]!, names))
  }, [element])
  const hits = useMemo(() => {
    if (!isOfRows) return found(page, selector)
    const places = found(page, rowSelector)
    return selector ? places?.flatMap((place) => found(place, selector)?.slice(0, 1) ?? []) : places
  }, [page, isOfRows, rowSelector, selector])
  useEffect(() => onHits(hits ?? []), [hits])
  const values = (hits ?? []).slice(0, 3).map((hit) => takenOf(hit, way, base))
  const add = () => {
    if (problem || !name.trim()) return
    const what = way === "text" && selector ? selector : `${selector} @${way}`.trim()
    onField(`${name.trim()}: ${what}`, isOfRows ? rowSelector : rows)
  }
  const problem =
    hits === undefined
      ? "This is no selector."
      : rows && !isOfRows
        ? "It stands outside of the rows; take something within one, or empty “Of each row” first."
        : names.includes(name.trim())
          ? "There is a field of this name."
          : name.trim() && !isName(name.trim())
            ? "A name begins with a letter, and has letters, digits, _ and -."
            : ""
  return (
    <div class="new-field">
      <Holders element={element} onElement={onElement} />
      {!rows && likes && (
        <Choice
          label="Of what"
          options={[
            ["one", "One value"],
            ["each", `Each of ${counted(likes.count, "row")}`],
          ]}
          value={isOfRows ? "each" : "one"}
          onChange={(value) => setWide(value === "each")}
        />
      )}
      {isOfRows && (
        <p class="help">
          Rows: <code>{rowSelector}</code>
        </p>
      )}
      <div class="field">
        <label for="picked-selector">Selector</label>
        <input
          id="picked-selector"
          class="code"
          spellcheck={false}
          value={selector}
          placeholder={isOfRows ? "the row itself" : ""}
          onInput={(event) => setSelector(event.currentTarget.value)}
        />
      </div>
      <div class="fields-in-row">
        <div class="field">
          <label for="picked-way">Take its</label>
          <select
            id="picked-way"
            value={way}
            onChange={(event) => {
              setWay(event.currentTarget.value)
              setName(nameFor(element, event.currentTarget.value, names))
            }}
          >
            {ways.map((name) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </div>
        <div class="field grow">
          <label for="picked-name">Name</label>
          <input
            id="picked-name"
            value={name}
            spellcheck={false}
            onInput={(event) => setName(event.currentTarget.value)}
            onKeyDown={(event) => {
              if (event.key !== "Enter") return
              event.preventDefault()
              add()
            }}
          />
        </div>
      </div>
      <p class="count" aria-live="polite">
        <strong>{counted(hits?.length ?? 0, "hit")}</strong>
      </p>
      <ol class="hits">
        {values.map((value, index) => (
          <li key={index}>{value.slice(0, 160) || <span class="muted">empty</span>}</li>
        ))}
      </ol>
      <Fault>{problem}</Fault>
      <div class="actions">
        <button
          type="button"
          class="main"
          disabled={Boolean(problem) || !name.trim()}
          onClick={add}
        >
          Add the field
        </button>
      </div>
    </div>
  )
}

const mostHolders = 4

/** What holds an element, to take that in its place. */
function Holders({ element, onElement }: Pick<NewFieldProps, "element" | "onElement">) {
  const all: Element[] = []
  for (let up = element.parentElement; up && up.localName !== "body"; up = up.parentElement) {
    if (all.length < mostHolders) all.unshift(up)
  }
  if (all.length === 0) return null
  return (
    <p class="holders">
      <span class="muted">In</span>
      {all.map((holder, index) => (
        <button type="button" class="quiet" key={index} onClick={() => onElement(holder)}>
          <code>{shortly(holder)}</code>
        </button>
      ))}
    </p>
  )
}

function shortly(element: Element): string {
  const [first] = (element.getAttribute("class") ?? "").split(/\s+/).filter(Boolean)
  return `${element.localName}${first ? `.${first.slice(0, 30)}` : ""}`
}
