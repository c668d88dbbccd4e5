import { useEffect, useMemo, useState } from "preact/hooks"
import {
  type Check,
  checkFields,
  type PickedField,
  type PickedPage,
  plainReadingOf,
  readingOf,
  rightOne,
} from "../../data/page/picked-fields.ts"
import {
  attributeOf,
  elementsAt,
  isName,
  isType,
  nameFor,
  rowAround,
  rowsOf,
  selectorsOf,
  takable,
  typeName,
} from "../../data/page/selectors.ts"
import { Choice } from "../choice.tsx"
import { ErrorMessage } from "../error-message.tsx"
import { counted } from "../value.tsx"

export interface AddedField {
  line: string
  rows: string
  /** URL in the field's value, if it is a link. */
  link?: string | undefined
  /** Whether the element exists only after the page's scripts ran. */
  isDrawn: boolean
}

export interface FieldsSoFar {
  /** The selector of the rows that fields are taken from; "" for the page as a whole. */
  rows: string
  names: string[]
  onField(field: AddedField): void
  /** Called with the selector of the link or button to the next page. */
  onNextPage?(selector: string): void
}

interface NewFieldProps extends FieldsSoFar {
  element: Element
  page: Document
  html: string
  drawnHtml: string | undefined
  base: string
  onElement(element: Element): void
  onHits(hits: Element[]): void
}

/** A proposed field, which the user can change: a single value, or one value per row. */
export function NewField(props: NewFieldProps) {
  const { element, page, base, rows, names, onElement, onHits, onField, onNextPage } = props
  const { html, drawnHtml } = props
  const control = onNextPage ? element.closest("a[href], button") : null
  const likes = useMemo(() => rowsOf(element, page), [element, page])
  const inRow = rows ? rowAround(element, rows) : undefined
  const [wide, setWide] = useState(Boolean(rows))
  const isOfRows = rows ? inRow !== undefined : wide && likes !== undefined
  const rowSelector = rows || likes?.selector || ""
  const row = rows ? inRow : likes?.row
  const proposed = useMemo(() => {
    if (!isOfRows || !row) return selectorsOf(element, page)
    return row === element ? [""] : selectorsOf(element, row, row)
  }, [element, page, isOfRows, row])
  const [selector, setSelector] = useState(proposed[0]!)
  const methods = useMemo(() => takable(element), [element])
  const [fetchMethod, setMethod] = useState(methods[0]!)
  const [name, setName] = useState("")
  useEffect(() => setSelector(proposed[0]!), [proposed])
  useEffect(() => {
    setMethod(methods[0]!)
    setName(nameFor(element, methods[0]!, names))
  }, [element])
  const hits = useMemo(() => {
    if (!isOfRows) return elementsAt(page, selector)
    const places = elementsAt(page, rowSelector)
    return selector
      ? places?.flatMap((root) => elementsAt(root, selector)?.slice(0, 1) ?? [])
      : places
  }, [page, isOfRows, rowSelector, selector])
  useEffect(() => onHits(hits ?? []), [hits])
  const pick = { html, drawnHtml, url: base, rows: isOfRows ? rowSelector : "" }
  const pointedAt = attributeOf(isOfRows ? (hits?.[0] ?? element) : element, fetchMethod, base)
  const check = useCheck(pick, selector, { proposed, fetchMethod, element, pointedAt }, setSelector)
  const add = () => {
    if (problem || !name.trim()) return
    onField({
      line: `${name.trim()}: ${readingOf(selector, fetchMethod, element)}`,
      rows: isOfRows ? rowSelector : rows,
      link: fetchMethod === "href" ? check.field?.values[0] : undefined,
      isDrawn: check.isDrawn ?? false,
    })
  }
  const problem =
    hits === undefined
      ? "This is not a valid selector."
      : rows && !isOfRows
        ? "It is outside the rows. Pick something within a row, or clear “Rows” first."
        : names.includes(name.trim())
          ? "Another field has this name."
          : name.trim() && !isName(name.trim())
            ? "A name starts with a letter or _ and contains only letters, digits, _ and -."
            : (check.issue ?? "")
  return (
    <div class="new-field">
      <Holders element={element} onElement={onElement} />
      {!rows && likes && (
        <Choice
          label="Values"
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
          <label for="picked-way">Type</label>
          <select
            id="picked-way"
            value={fetchMethod}
            onChange={(event) => {
              setMethod(event.currentTarget.value)
              setName(nameFor(element, event.currentTarget.value, names))
            }}
          >
            {methods.map((name) => (
              <option key={name} value={name}>
                {typeName(name, element)}
              </option>
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
        {check.field ? <strong>{counted(check.field.count, "hit")}</strong> : "Checking …"}
      </p>
      <ol class="hits">
        {check.field?.values.map((value, index) => (
          <li key={index}>{value.slice(0, 160) || <span class="muted">empty</span>}</li>
        ))}
      </ol>
      {check.isDrawn && (
        <p class="notice">
          Scripts of the page create this part. With this field, runs fetch the pages with Chrome.
        </p>
      )}
      <ErrorMessage>{problem}</ErrorMessage>
      <div class="actions">
        <button
          type="button"
          class="main"
          disabled={Boolean(problem) || !name.trim() || !check.field}
          onClick={add}
        >
          Add the field
        </button>
        {control && (
          <button type="button" onClick={() => onNextPage?.(selectorsOf(control, page)[0]!)}>
            Use as next page
          </button>
        )}
      </div>
    </div>
  )
}

const maxHolders = 4

/** Ancestors of an element, which can be picked instead. */
function Holders({ element, onElement }: Pick<NewFieldProps, "element" | "onElement">) {
  const all: Element[] = []
  for (let up = element.parentElement; up && up.localName !== "body"; up = up.parentElement) {
    if (all.length < maxHolders) all.unshift(up)
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

export function shortly(element: Element): string {
  const [first] = (element.getAttribute("class") ?? "").split(/\s+/).filter(Boolean)
  return `${element.localName}${first ? `.${first.slice(0, 30)}` : ""}`
}

interface Checked {
  /** Undefined until the server has responded. */
  field?: PickedField
  issue?: string
  isDrawn?: boolean
}

const nothingRead = (fetchMethod: string) =>
  isType(fetchMethod)
    ? `A run finds no ${fetchMethod} in this element.`
    : "A run finds nothing with this selector."

const countOf = ({ fields }: Check) => fields.at(-1)!.count

const afterTypingMs = 200

interface Proposal {
  proposed: string[]
  fetchMethod: string
  element: Element
  /** The value of the element that was clicked, as the browser reads it. */
  pointedAt: string
}

/**
 * Returns what the service finds with a selector. If a proposed selector does not read the clicked
 * value, the first one that does replaces it.
 */
function useCheck(
  page: PickedPage,
  selector: string,
  { proposed, fetchMethod, element, pointedAt }: Proposal,
  onBetter: (selector: string) => void,
): Checked {
  const [checked, setChecked] = useState<Checked & { of: string }>({ of: "" })
  const key = JSON.stringify([page.rows, selector, fetchMethod])
  useEffect(() => {
    const provided = new AbortController()
    const all = proposed.includes(selector) ? proposed : [selector]
    const request = async () => {
      const readings = all.map((one) => plainReadingOf(one, fetchMethod))
      const read = (html: string) =>
        checkFields(
          { ...page, html },
          [...readings, readingOf(selector, fetchMethod, element)],
          provided.signal,
        )
      let check = await read(page.html)
      let isDrawn = false
      if (page.drawnHtml !== undefined && rightOne(check, pointedAt) < 0) {
        const drawn = await read(page.drawnHtml)
        isDrawn = rightOne(drawn, pointedAt) >= 0 || countOf(drawn) > countOf(check)
        if (isDrawn) check = drawn
      }
      if (provided.signal.aborted) return
      const better = all[rightOne(check, pointedAt)]
      if (better !== undefined && better !== selector) return onBetter(better)
      const field = check.fields.at(-1)!
      const issue = check.issue ?? (field.count === 0 ? nothingRead(fetchMethod) : undefined)
      setChecked({ of: key, field, isDrawn, ...(issue && { issue }) })
    }
    const failed = (error: Error) => {
      if (!provided.signal.aborted) setChecked({ of: key, issue: error.message })
    }
    const timer = setTimeout(() => void request().catch(failed), afterTypingMs)
    return () => {
      clearTimeout(timer)
      provided.abort()
    }
  }, [key])
  return checked.of === key ? checked : {}
}
