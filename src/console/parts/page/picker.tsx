import { useEffect, useMemo, useRef, useState } from "preact/hooks"
import { isErrorItem } from "../../data/keyless.ts"
import { sourceCall } from "../../data/page/page-call.ts"
import { parsed } from "../../data/page/page-view.ts"
import { useRun } from "../../use-run.ts"
import { ErrorMessage } from "../error-message.tsx"
import { Progress } from "../progress.tsx"
import { counted } from "../value.tsx"
import { type FieldsSoFar, NewField, shortly } from "./new-field.tsx"
import { PageFrame } from "./page-frame.tsx"
import { SecondPage } from "./second-page.tsx"

interface PickerProps extends FieldsSoFar {
  url: string
  /** The lines of the fields so far. */
  lines: string[]
  onClose(): void
}

/** A page whose parts are picked as fields by pointing at them. */
export function Picker({ url, lines, onClose, ...rest }: PickerProps) {
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
        {({ response: { items } }) => {
          const [item] = items
          if (!item || isErrorItem(item))
            return <ErrorMessage>{item?.error.message ?? ""}</ErrorMessage>
          const html = String(item.html ?? "")
          if (!html.includes("<")) return <ErrorMessage>This URL is not an HTML page.</ErrorMessage>
          return <Pointed html={html} base={String(item.finalUrl ?? url)} {...rest} />
        }}
      </Progress>
      {lines.length > 0 && <SecondPage lines={lines} rows={rest.rows} />}
    </section>
  )
}

interface PointedProps extends FieldsSoFar {
  html: string
  base: string
}

function Pointed({ html, base, rows, names, onField, onNextPage }: PointedProps) {
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
  const leave = () => {
    setTaken(undefined)
    setHits(none)
    whole.current?.querySelector<HTMLElement>(".sheet")?.focus({ preventScroll: true })
  }
  const add: FieldsSoFar["onField"] = (...field) => {
    onField(...field)
    leave()
  }
  const takeNextPage = (selector: string) => {
    onNextPage?.(selector)
    leave()
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
              html={html}
              base={base}
              rows={rows}
              names={names}
              onElement={take}
              onHits={setHits}
              onField={add}
              {...(onNextPage && { onNextPage: takeNextPage })}
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
