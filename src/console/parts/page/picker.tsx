import { useEffect, useMemo, useRef, useState } from "preact/hooks"
import { type Item, isErrorItem } from "../../data/keyless.ts"
import { type Drawn, drawnIn } from "../../data/page/drawn.ts"
import { screenshotCall, sourceCall } from "../../data/page/page-call.ts"
import { parsed } from "../../data/page/page-view.ts"
import { useRun } from "../../hooks/use-run.ts"
import { Choice } from "../choice.tsx"
import { ErrorMessage } from "../error-message.tsx"
import { Progress } from "../progress.tsx"
import { counted } from "../value.tsx"
import { type AddedField, type FieldsSoFar, NewField, shortly } from "./new-field.tsx"
import { PageFrame } from "./page-frame.tsx"
import { PageScreenshot } from "./page-screenshot.tsx"
import { SecondPage } from "./second-page.tsx"

interface PickerProps extends FieldsSoFar {
  url: string
  /** The lines of the fields so far. */
  lines: string[]
  /** Whether runs read the page with Chrome. */
  renderScripts: boolean
  onClose(): void
}

/** Phones use the mobile layout, because a wide page would be too small for pointing. */
const screenshotWidth = () => (innerWidth < 700 ? 480 : 1280)

/** A page whose parts become fields when the user clicks them. */
export function Picker({ url, lines, renderScripts, onClose, ...rest }: PickerProps) {
  const source = useRun()
  const screenshot = useRun()
  useEffect(() => {
    source.start(sourceCall(url, renderScripts))
    screenshot.start(screenshotCall(url, screenshotWidth()))
  }, [url])
  const { current } = screenshot
  const drawing = useMemo(() => {
    if (current.state === "failed") return { issue: current.message }
    if (current.state !== "done") return undefined
    const [item] = current.outcome.response.items
    return { drawn: drawnIn(item), issue: issueOf(item) }
  }, [current])
  return (
    <section class="picker box" aria-labelledby="picker">
      <div class="bar">
        <h2 id="picker">Pick from the page</h2>
        <button type="button" class="quiet" onClick={onClose}>
          Close
        </button>
      </div>
      <Progress run={source}>
        {({ response: { items } }) => {
          const [item] = items
          if (!item || isErrorItem(item)) return <ErrorMessage>{issueOf(item)}</ErrorMessage>
          const html = String(item.html ?? "")
          if (!html.includes("<")) return <ErrorMessage>This URL is not an HTML page.</ErrorMessage>
          const base = String(item.finalUrl ?? url)
          return (
            <Views html={html} base={base} drawing={drawing} {...{ renderScripts }} {...rest} />
          )
        }}
      </Progress>
      {lines.length > 0 && (
        <SecondPage lines={lines} rows={rest.rows} renderScripts={renderScripts} />
      )}
    </section>
  )
}

const issueOf = (item: Item | undefined) =>
  item && isErrorItem(item) ? item.error.message : "There is no screenshot of this page."

interface ViewsProps extends FieldsSoFar {
  html: string
  base: string
  renderScripts: boolean
  /** Undefined while Chrome renders the page. */
  drawing: { drawn?: Drawn | undefined; issue: string } | undefined
}

const views = [
  ["picture", "Picture"],
  ["text", "Text"],
] as const

/** The page as a screenshot, or as text if there is none or the user prefers it. */
function Views({ drawing, html, renderScripts, ...rest }: ViewsProps) {
  const [wanted, setWanted] = useState<(typeof views)[number][0]>("picture")
  const text = useMemo(() => parsed(html), [html])
  const drawn = wanted === "picture" ? drawing?.drawn : undefined
  const read = renderScripts ? (drawing?.drawn?.html ?? html) : html
  return (
    <>
      <Choice label="View" options={views} value={wanted} onChange={setWanted} />
      {wanted === "picture" && drawing && !drawn && (
        <p class="notice">
          Chrome could not render this page, so it is displayed as text. {drawing.issue}
        </p>
      )}
      {wanted === "picture" && !drawing ? (
        <p class="working" role="status">
          <progress aria-label="Rendering" /> Chrome is rendering the page …
        </p>
      ) : (
        <Pointed
          key={drawn ? "picture" : "text"}
          page={drawn?.page ?? text}
          html={read}
          drawn={drawn}
          {...rest}
        />
      )}
    </>
  )
}

interface PointedProps extends FieldsSoFar {
  page: Document
  html: string
  drawn: Drawn | undefined
  base: string
}

function Pointed({ page, html, drawn, base, rows, names, onField, onNextPage }: PointedProps) {
  const [under, setUnder] = useState<Element>()
  const [picked, setPicked] = useState<Element>()
  const none = useMemo<Element[]>(() => [], [])
  const [hits, setHits] = useState<Element[]>(none)
  const panel = useRef<HTMLDivElement>(null)
  const whole = useRef<HTMLDivElement>(null)
  const take = (element: Element) => {
    setPicked(element)
    setUnder(element)
  }
  const leave = () => {
    setPicked(undefined)
    setHits(none)
    whole.current?.querySelector<HTMLElement>(".sheet")?.focus({ preventScroll: true })
  }
  const add = (field: AddedField) => {
    onField(field)
    leave()
  }
  const pickNextPage = (selector: string) => {
    onNextPage?.(selector)
    leave()
  }
  useEffect(() => {
    if (picked) panel.current?.querySelector<HTMLElement>("#picked-name")?.focus()
  }, [picked])
  const pointing = { hits, current: under, onMove: setUnder, onTake: take }
  return (
    <>
      <p class="help" id="picker-keys">
        Point at a part and click it. With the keyboard: ↓ and ↑ go to the next and previous part, ←
        to the part around it, → into it, and Enter picks it.
      </p>
      <div class="picker-halves" ref={whole}>
        <div class="scroll picker-page">
          {drawn ? (
            <PageScreenshot drawn={drawn} {...pointing} />
          ) : (
            <PageFrame page={page} {...pointing} />
          )}
        </div>
        <div ref={panel}>
          <p class="count under" aria-live="polite">
            {under ? (
              <>
                <code>{shortly(under)}</code> <span>{wordsIn(under)}</span>
              </>
            ) : (
              <span class="muted">Nothing yet</span>
            )}
          </p>
          {picked ? (
            <NewField
              element={picked}
              page={page}
              html={html}
              drawnHtml={drawn?.html}
              base={base}
              rows={rows}
              names={names}
              onElement={take}
              onHits={setHits}
              onField={add}
              {...(onNextPage && { onNextPage: pickNextPage })}
            />
          ) : (
            <p class="notice">
              {names.length > 0
                ? `${counted(names.length, "field")} so far. Click another one, or get the results.`
                : "The part that you click is displayed here, with a selector that finds it."}
            </p>
          )}
        </div>
      </div>
    </>
  )
}

const maxWords = 80

/** Returns the first words of a part, or the description of its image. */
function wordsIn(element: Element): string {
  const text = (element.textContent ?? "").replace(/\s+/g, " ").trim()
  const words = text || element.getAttribute("alt") || ""
  return words.length > maxWords ? `${words.slice(0, maxWords)} …` : words
}
