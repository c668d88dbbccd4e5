import { useEffect, useState } from "preact/hooks"
import {
  optionsIn,
  type SearchOptions,
  type SearchResponse,
  searchCall,
  searchQuery,
  usualSearch,
} from "../../data/search.ts"
import { account } from "../../data/shell.ts"
import { useFree } from "../../hooks/use-free.ts"
import { useRun } from "../../hooks/use-run.ts"
import { Choice } from "../../parts/choice.tsx"
import { CodeSnippet } from "../../parts/code-snippet.tsx"
import { SelectField } from "../../parts/fields.tsx"
import { FreeQuota } from "../../parts/page/free-quota.tsx"
import { Progress } from "../../parts/progress.tsx"
import { Link, type PageLocation, replaceUrl } from "../../routing/router.tsx"
import { EngineReports, SearchResults } from "./search-results.tsx"

const kinds = [
  ["web", "Web"],
  ["news", "News"],
] as const

const limits = [10, 20, 50].map((count) => [String(count), String(count)] as const)
const pageCounts = [
  ["0", "None"],
  ["1", "First page"],
  ...[3, 5, 10].map((count) => [String(count), `First ${count} pages`] as const),
] as const
const ages = [
  ["", "Any"],
  ["day", "A day"],
  ["week", "A week"],
  ["month", "A month"],
  ["year", "A year"],
] as const
const safeLevels = [
  ["", "As the engines do"],
  ["off", "Off"],
  ["moderate", "Moderate"],
  ["strict", "Strict"],
] as const

/** Searches the web with several engines at once. */
export function Search({ pageLocation: route }: { pageLocation: PageLocation }) {
  const [words, setWords] = useState(route.query.get("q") ?? "")
  const [options, setOptions] = useState(() => optionsIn(route.query))
  const run = useRun()
  const response =
    run.current.state === "done"
      ? (run.current.outcome.response as unknown as SearchResponse)
      : undefined
  const free = useFree(response?.free)
  useEffect(() => {
    document.title = "Search · Trawl"
  }, [])
  const wanted = words.trim() || "tide tables Brest"
  const call = searchCall(wanted, options)
  const submit = (event: Event) => {
    event.preventDefault()
    replaceUrl(`/search?${searchQuery(wanted, options)}`)
    // Several runs at once have no single run of the account to wait for.
    run.start({ path: call.path })
  }
  return (
    <>
      <h1>Search</h1>
      <p class="lead">
        One query to several search engines at once. Results of the same page are merged, and
        numbered so that a text can cite them.
      </p>
      <div class="front">
        <form class="box" onSubmit={submit}>
          <label for="words">Search words</label>
          <div class="row">
            <input
              id="words"
              name="q"
              type="search"
              required
              maxLength={499}
              placeholder="tide tables Brest"
              value={words}
              onInput={(event) => setWords(event.currentTarget.value)}
            />
            <button type="submit" class="main">
              Search
            </button>
          </div>
          <Options options={options} onChange={setOptions} />
          {account === undefined ? (
            <FreeQuota free={free} />
          ) : (
            <p class="muted">
              Each engine and each page costs credits as in its scraper. The runs are in{" "}
              <Link to="/runs">Runs</Link>.
            </p>
          )}
        </form>
        <Progress run={run} none="The engines have no results for this. Try other words.">
          {(outcome) => <SearchResults response={outcome.response as unknown as SearchResponse} />}
        </Progress>
        {response && <EngineReports engines={response.engines ?? []} />}
        <CodeSnippet call={call} />
      </div>
    </>
  )
}

interface OptionsProps {
  options: SearchOptions
  onChange(options: SearchOptions): void
}

function Options({ options, onChange }: OptionsProps) {
  const change = (changed: Partial<SearchOptions>) => onChange({ ...options, ...changed })
  const { kind, pages, limit, maxTokens, timeRange, country, safeSearch } = options
  return (
    <>
      <Choice
        label="Kind of results"
        options={kinds}
        value={kind === "news" ? "news" : "web"}
        onChange={(kind) => change({ kind })}
      />
      <div class="filters">
        <SelectField
          id="pages"
          label="Pages as Markdown"
          value={String(pages)}
          options={withOwn(pageCounts, String(pages))}
          onChange={(pages) => change({ pages: Number(pages) })}
        />
        {pages > 0 && (
          <div class="field">
            <label for="max-tokens">Tokens of all results</label>
            <input
              id="max-tokens"
              type="number"
              min={200}
              max={1_000_000}
              value={maxTokens}
              onInput={(event) =>
                change({ maxTokens: Number(event.currentTarget.value) || usualSearch.maxTokens })
              }
            />
          </div>
        )}
        <SelectField
          id="limit"
          label="Results"
          value={String(limit)}
          options={withOwn(limits, String(limit))}
          onChange={(limit) => change({ limit: Number(limit) })}
        />
        <SelectField
          id="time-range"
          label="Maximum age"
          value={timeRange}
          options={ages}
          onChange={(timeRange) => change({ timeRange })}
        />
        <div class="field">
          <label for="country">Country</label>
          <input
            id="country"
            placeholder="for example de"
            pattern="[A-Za-z]{2}"
            title="A two-letter country code"
            autocapitalize="none"
            spellcheck={false}
            value={country}
            onInput={(event) => change({ country: event.currentTarget.value })}
          />
        </div>
        <SelectField
          id="safe-search"
          label="Safe search"
          value={safeSearch}
          options={safeLevels}
          onChange={(safeSearch) => change({ safeSearch })}
        />
      </div>
    </>
  )
}

/** Adds a value of the URL that the menu does not have. */
const withOwn = (
  options: readonly (readonly [value: string, text: string])[],
  value: string,
): readonly (readonly [value: string, text: string])[] =>
  options.some(([one]) => one === value) ? options : [...options, [value, value]]
