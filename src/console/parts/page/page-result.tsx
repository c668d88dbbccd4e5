import { useLayoutEffect, useRef, useState } from "preact/hooks"
import { type Item, isErrorItem, type Outcome } from "../../data/keyless.ts"
import { type PageCall, rowsIn } from "../../data/page/page-call.ts"
import { Choice } from "../choice.tsx"
import { Copy } from "../copy.tsx"
import { Facts, Items } from "../items/items.tsx"
import { Markdown } from "../markdown.tsx"

const views = [
  ["page", "Page"],
  ["markdown", "Markdown"],
  ["json", "JSON"],
] as const

/** The result of a URL with its facts. */
export function PageResult({ outcome, mode }: { outcome: Outcome; mode: PageCall["mode"] }) {
  const { response, seconds } = outcome
  const [item] = response.items
  const heading = useRef<HTMLHeadingElement>(null)
  // Runs together with the result: one frame later, the page would move while the user clicks.
  useLayoutEffect(() => {
    heading.current?.scrollIntoView({ block: "nearest" })
  }, [outcome])
  if (!item) return null
  if (isErrorItem(item)) {
    return (
      <p class="notice bad" role="alert">
        {item.error.message}
      </p>
    )
  }
  return (
    <section class="result" aria-labelledby="result">
      <h2 id="result" ref={heading} class="unseen">
        Result
      </h2>
      {mode === "markdown" ? (
        <PageText item={item} />
      ) : (
        <div>
          <Items items={rowsIn(response.items)} schema={{}} />
        </div>
      )}
      <aside aria-label="Facts on the page">
        <Facts facts={factsOf(item, seconds)} />
      </aside>
    </section>
  )
}

function PageText({ item }: { item: Item }) {
  const [view, setView] = useState<(typeof views)[number][0]>("page")
  const text = String(item.markdown ?? "")
  const visible = view === "json" ? JSON.stringify(item, null, 2) : text
  return (
    <article class="page">
      <div class="bar">
        <Choice label="Show as" options={views} value={view} onChange={setView} />
        <Copy text={visible} label={view === "json" ? "Copy JSON" : "Copy Markdown"} />
      </div>
      {view === "page" ? (
        <Markdown text={text} />
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
        <pre class="tall" tabIndex={0}>
          <code>{visible}</code>
        </pre>
      )}
    </article>
  )
}

function factsOf(item: Item, seconds: number): [string, unknown][] {
  const { title, siteName, author, publishedAt, language, wordCount, tokenEstimate } = item
  const all: [string, unknown][] = [
    ["Title", title],
    ["Site", siteName],
    ["Author", author],
    ["Published", typeof publishedAt === "string" ? publishedAt.slice(0, 10) : undefined],
    ["Language", language],
    ["Words", wordCount],
    ["Tokens, about", tokenEstimate],
    ["Missing", item.missing],
    ["Status", item.statusCode],
    ["Address", item.finalUrl ?? item.url],
    ["Time", `${seconds.toFixed(1)} s`],
  ]
  return all.filter(([, value]) => value !== null && value !== undefined && String(value) !== "")
}
