import { useEffect, useState } from "preact/hooks"
import { type Brief, byCategory, catalogue, titled } from "../data/catalogue.ts"
import { scraperCount } from "../data/shell.ts"
import { useLoaded } from "../hooks/use-loaded.ts"
import { CodeSnippet } from "../parts/code-snippet.tsx"
import { SearchField, SelectField } from "../parts/fields.tsx"
import { ScraperList, useMatches } from "../parts/runs/scraper-list.tsx"
import { type PageLocation, replaceUrl } from "../routing/router.tsx"

const healthFilters: Record<string, (scraper: Brief) => boolean> = {
  works: ({ state }) => state === "works",
  trouble: ({ state }) => !["works", "unknown"].includes(state),
}

const healthNames = [
  ["", "Any"],
  ["works", "Works"],
  ["trouble", "Has problems"],
] as const

/** The catalogue with a search, filtered by category, state and verification. */
export function Scrapers({ pageLocation: route }: { pageLocation: PageLocation }) {
  const [text, setText] = useState(route.query.get("search") ?? "")
  const [category, setCategory] = useState(route.query.get("category") ?? "")
  const [verifiedOnly, setVerifiedOnly] = useState(route.query.has("verified"))
  const [health, setHealth] = useState(route.query.get("health") ?? "")
  const loaded = useLoaded(() => catalogue(), [])
  useEffect(() => {
    document.title = "Scrapers · Trawl"
  }, [])
  useEffect(() => {
    const query = new URLSearchParams({
      ...(text && { search: text }),
      ...(category && { category }),
      ...(verifiedOnly && { verified: "" }),
      ...(health && { health }),
    })
    replaceUrl(`/scrapers${query.size > 0 ? `?${query}` : ""}`)
  }, [text, category, verifiedOnly, health])
  const all = loaded.state === "there" ? loaded.value : []
  const matches = useMatches(all, text).filter(
    (scraper) =>
      (!category || scraper.category === category) &&
      (!verifiedOnly || scraper.verified) &&
      healthFilters[health]?.(scraper) !== false,
  )
  return (
    <>
      <h1>Scrapers</h1>
      <p class="lead">
        {scraperCount} scrapers, each made for its site: enter names or URLs, and get structured
        items.
      </p>
      <div class="filters">
        <SearchField
          id="search"
          placeholder="for example Amazon, jobs, price, hotel"
          value={text}
          onChange={setText}
        />
        <SelectField
          id="category"
          label="Category"
          value={category}
          options={[
            ["", "All"],
            ...byCategory(all).map(
              ([name, { length }]) => [name, `${titled(name)} (${length})`] as const,
            ),
          ]}
          onChange={setCategory}
        />
        <SelectField
          id="health"
          label="State"
          value={health}
          options={healthNames}
          onChange={setHealth}
        />
        <label class="check">
          <input
            type="checkbox"
            checked={verifiedOnly}
            onChange={(event) => setVerifiedOnly(event.currentTarget.checked)}
          />
          Verified with recordings
        </label>
      </div>
      {loaded.state === "failed" && (
        <p class="notice bad" role="alert">
          {loaded.error.message}
        </p>
      )}
      {loaded.state === "there" && (
        <p class="muted" aria-live="polite">
          {matches.length === all.length
            ? `All ${all.length}`
            : `${matches.length} of ${all.length}`}
        </p>
      )}
      <ScraperList scrapers={matches} />
      {loaded.state === "there" && matches.length === 0 && (
        <p class="notice">
          No scraper matches.{" "}
          <button
            type="button"
            class="quiet"
            onClick={() => {
              setText("")
              setCategory("")
              setVerifiedOnly(false)
              setHealth("")
            }}
          >
            Show all
          </button>
        </p>
      )}
      <CodeSnippet
        call={{
          path: "/api/scrape",
          tool: { name: "find_scrapers", input: { query: text || "product price" } },
        }}
      />
    </>
  )
}
