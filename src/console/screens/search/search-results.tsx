import { useLayoutEffect, useRef, useState } from "preact/hooks"
import {
  asCsv,
  asMarkdown,
  type EngineReport,
  type SearchItem,
  type SearchResponse,
} from "../../data/search.ts"
import { Choice } from "../../parts/choice.tsx"
import { Copy } from "../../parts/copy.tsx"
import { Markdown, Outside } from "../../parts/markdown.tsx"
import { counted } from "../../parts/value.tsx"
import { Link } from "../../routing/router.tsx"

const views = [
  ["list", "List"],
  ["markdown", "Markdown"],
  ["json", "JSON"],
  ["csv", "CSV"],
] as const

/** The merged results of a search, each with its number, its engines and its page. */
export function SearchResults({ response }: { response: SearchResponse }) {
  const { items, engines = [] } = response
  const [view, setView] = useState<(typeof views)[number][0]>("list")
  const heading = useRef<HTMLHeadingElement>(null)
  // Runs together with the results: one frame later, the page would move while the user clicks.
  useLayoutEffect(() => {
    heading.current?.scrollIntoView({ block: "nearest" })
  }, [response])
  const text =
    view === "json"
      ? JSON.stringify({ items, engines }, null, 2)
      : view === "csv"
        ? asCsv(items)
        : asMarkdown(items)
  const [, name] = views.find(([one]) => one === (view === "list" ? "markdown" : view))!
  return (
    <section aria-labelledby="results">
      <div class="bar">
        <h2 id="results" ref={heading}>
          {counted(items.length, "result")}
        </h2>
        <Choice label="Show as" options={views} value={view} onChange={setView} />
        <Copy text={text} label={`Copy ${name}`} />
      </div>
      {view === "list" ? (
        <ol class="found">
          {items.map((item) => (
            <Result key={item.source} item={item} engines={engines} />
          ))}
        </ol>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
        <pre class="tall" tabIndex={0}>
          <code>{text}</code>
        </pre>
      )}
    </section>
  )
}

function Result({ item, engines }: { item: SearchItem; engines: EngineReport[] }) {
  const { source, title, url, snippet, publishedAt, markdown, isShortened, pageError } = item
  return (
    <li class="item">
      <h3>
        <span class="muted">[{source}]</span> <Outside href={url}>{title || url}</Outside>
      </h3>
      <p class="help">{url}</p>
      {snippet && <p>{snippet}</p>}
      <p class="help">
        {publishedAt && <>{publishedAt.slice(0, 10)} · </>}
        {item.engines.map((engine, index) => (
          <span key={engine}>
            {index > 0 && ", "}
            <EngineLink of={engine} engines={engines} />
          </span>
        ))}
      </p>
      {markdown !== undefined && (
        <details>
          <summary>Page{isShortened && " (its beginning)"}</summary>
          <Markdown text={markdown} label={`Page of result ${source}`} />
        </details>
      )}
      {pageError && <p class="fault">The page could not be read: {pageError.message}</p>}
    </li>
  )
}

/** The engine's scraper, by which its results can be read alone. */
function EngineLink({ of, engines }: { of: string; engines: EngineReport[] }) {
  const scraper = engines.find(({ engine }) => engine === of)?.scraper
  return scraper ? <Link to={`/scrapers/${scraper}`}>{of}</Link> : <span>{of}</span>
}

/** What each engine returned, also if all of them failed. */
export function EngineReports({ engines }: { engines: EngineReport[] }) {
  if (engines.length === 0) return null
  return (
    <ul class="engines" aria-label="Engines">
      {engines.map(({ engine, scraper, results, error }) => (
        <li key={engine}>
          <Link to={`/scrapers/${scraper}`}>{engine}</Link>:{" "}
          {error ? (
            <span class="fault">
              {error.code}. {error.message}
            </span>
          ) : (
            counted(results, "result")
          )}
        </li>
      ))}
    </ul>
  )
}
