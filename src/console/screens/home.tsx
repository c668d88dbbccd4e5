import { useEffect, useRef, useState } from "preact/hooks"
import { accountCall } from "../data/account-run.ts"
import {
  type Brief,
  byCategory,
  catalogue,
  forgetCatalogue,
  shortName,
  titled,
} from "../data/catalogue.ts"
import { readable } from "../data/keyless.ts"
import {
  fieldLines,
  listingIn,
  type PageCall,
  pageCall,
  recipeInput,
  urlOf,
} from "../data/page/page-call.ts"
import { makeRecipe, patternFor } from "../data/recipes.ts"
import { account, freeDaily, scraperCount } from "../data/shell.ts"
import { useFree } from "../hooks/use-free.ts"
import { useLoaded } from "../hooks/use-loaded.ts"
import { useRun } from "../hooks/use-run.ts"
import { Choice } from "../parts/choice.tsx"
import { CodeSnippet } from "../parts/code-snippet.tsx"
import { FreeQuota } from "../parts/page/free-quota.tsx"
import { MorePages } from "../parts/page/more-pages.tsx"
import type { AddedField } from "../parts/page/new-field.tsx"
import { PageResult } from "../parts/page/page-result.tsx"
import { Picker } from "../parts/page/picker.tsx"
import { RecipeForm } from "../parts/page/recipe-form.tsx"
import { Suggestions } from "../parts/page/suggestions.tsx"
import { Progress } from "../parts/progress.tsx"
import { ScraperList, useMatches } from "../parts/runs/scraper-list.tsx"
import { go, Link, type PageLocation, replaceUrl } from "../routing/router.tsx"

const modes = [
  ["markdown", "As Markdown"],
  ["fields", "My fields"],
] as const

const firstFields = "title: h1\n[]links: a @href"

/** The home page: a form that takes any URL. */
export function Home({ pageLocation: route }: { pageLocation: PageLocation }) {
  const [url, setUrl] = useState(route.query.get("url") ?? "")
  const provided = route.query.get("fields")
  const [mode, setMode] = useState<PageCall["mode"]>(provided === null ? "markdown" : "fields")
  const [fields, setFields] = useState(provided?.replaceAll("|", "\n") ?? firstFields)
  const [rows, setRows] = useState(route.query.get("rows") ?? "")
  const [listing, setListing] = useState(() => listingIn(route.query))
  // The URL of one page that a row links to.
  const [sample, setSample] = useState("")
  const [picking, setPicking] = useState("")
  const [pickingDetail, setPickingDetail] = useState("")
  const picker = useRef<HTMLButtonElement>(null)
  const [isSaving, setSaving] = useState(false)
  const run = useRun()
  const [requested, setRequested] = useState<PageCall>()
  const free = useFree(run.current.state === "done" ? run.current.outcome.response.free : undefined)
  useEffect(() => {
    document.title = "Trawl: any web page as data"
  }, [])

  const wanted: PageCall = {
    mode,
    url: url.trim() || "https://example.com",
    fields: fieldLines(fields),
    rows: rows.trim(),
    listing,
  }
  const ownLines = fields === firstFields ? [] : fieldLines(fields)
  const submit = (event: Event) => {
    event.preventDefault()
    replaceUrl(urlOf(wanted))
    setRequested(wanted)
    run.start(pageCall(wanted))
  }
  const add = ({ line, rows, link, isDrawn }: AddedField) => {
    setFields([...ownLines, line].join("\n"))
    setRows(rows)
    if (link) setSample(link)
    if (isDrawn) setListing({ ...listing, renderScripts: true })
  }
  const detailLines = fieldLines(listing.detailFields)
  const addDetail = ({ line, isDrawn }: AddedField) =>
    setListing({
      ...listing,
      detailFields: [...detailLines, line].join("\n"),
      renderScripts: listing.renderScripts || isDrawn,
    })
  const names = ownLines.map(nameOf)
  return (
    <>
      <h1>Any web page as data</h1>
      <p class="lead">
        Clean Markdown, your own fields, or one of {scraperCount} scrapers made for their sites.
        {freeDaily > 0 && account === undefined && " No sign-up, no key."}
      </p>
      <div class="front">
        <form class="box" onSubmit={submit}>
          <label for="url">URL of a page</label>
          <div class="row">
            <input
              id="url"
              name="url"
              type="text"
              inputMode="url"
              autocomplete="url"
              autocapitalize="none"
              spellcheck={false}
              required
              placeholder="https://example.com"
              value={url}
              onInput={(event) => setUrl(event.currentTarget.value)}
            />
            <button type="submit" class="main">
              Get it
            </button>
          </div>
          <Choice label="What to get" options={modes} value={mode} onChange={setMode} />
          {mode === "fields" && (
            <div class="field">
              <label for="fields">Fields, one per line</label>
              <textarea
                id="fields"
                class="code"
                rows={4}
                spellcheck={false}
                value={fields}
                aria-describedby="fields-help"
                onInput={(event) => setFields(event.currentTarget.value)}
              />
              <p id="fields-help" class="help">
                <code>name: selector</code> for text, followed by <code>@attr</code> for an
                attribute, <code>[]name:</code> for all matches.
              </p>
              <div class="fields-in-row">
                <div class="field grow">
                  <label for="rows">
                    Rows <span class="muted">selector of the rows, if the page is a list</span>
                  </label>
                  <input
                    id="rows"
                    class="code"
                    spellcheck={false}
                    autocapitalize="none"
                    value={rows}
                    onInput={(event) => setRows(event.currentTarget.value)}
                  />
                </div>
                <button
                  type="button"
                  ref={picker}
                  disabled={!url.trim()}
                  onClick={() => {
                    setPickingDetail("")
                    setPicking(url.trim())
                  }}
                >
                  Pick from the page
                </button>
                {account !== undefined && (
                  <button type="button" disabled={!url.trim()} onClick={() => setSaving(true)}>
                    Save as a recipe
                  </button>
                )}
              </div>
              <label class="check after-fields">
                <input
                  type="checkbox"
                  checked={listing.renderScripts}
                  onChange={(event) =>
                    setListing({ ...listing, renderScripts: event.currentTarget.checked })
                  }
                />
                <span>
                  Read with Chrome{" "}
                  <span class="muted">for pages that are rendered by scripts; slower</span>
                </span>
              </label>
              <MorePages
                listing={listing}
                names={names}
                sample={sample}
                onChange={setListing}
                onSample={setSample}
                onPick={() => {
                  setPicking("")
                  setPickingDetail(sample.trim())
                }}
              />
            </div>
          )}
          <Suggestions url={url} />
          {account === undefined ? (
            <FreeQuota free={free} />
          ) : (
            <p class="muted">
              Each page costs one credit. The results are in <Link to="/runs">Runs</Link>.
            </p>
          )}
        </form>
        {mode === "fields" && picking && (
          <Picker
            key={picking}
            url={picking}
            rows={rows.trim()}
            lines={ownLines}
            names={names}
            renderScripts={listing.renderScripts}
            onField={add}
            onNextPage={(nextPage) => setListing({ ...listing, nextPage })}
            onClose={() => {
              setPicking("")
              picker.current?.focus()
            }}
          />
        )}
        {mode === "fields" && pickingDetail && (
          <Picker
            key={pickingDetail}
            url={pickingDetail}
            rows=""
            lines={detailLines}
            names={[...names, ...detailLines.map(nameOf)]}
            renderScripts={listing.renderScripts}
            onField={addDetail}
            onClose={() => setPickingDetail("")}
          />
        )}
        <Progress run={run}>
          {(outcome) => requested && <PageResult outcome={outcome} mode={requested.mode} />}
        </Progress>
        <CodeSnippet call={codeSample(wanted)} />
      </div>
      {isSaving && (
        <RecipeForm
          title="Save as a recipe"
          first={{
            name: "",
            slug: "",
            pattern: patternFor(url.trim()),
            input: recipeInput(wanted),
          }}
          onSave={async (terms) => {
            const { slug } = await makeRecipe(terms)
            forgetCatalogue()
            go(
              `/scrapers/${slug}?${readable(new URLSearchParams({ urls: withScheme(url.trim()) }))}`,
            )
          }}
          onClose={() => setSaving(false)}
        />
      )}
      <Catalogue />
    </>
  )
}

/** Returns the call without a key, or with a key of the account. */
function codeSample(wanted: PageCall) {
  const call = pageCall(wanted)
  return account !== undefined && call.tool ? accountCall(call.tool) : call
}

const withScheme = (url: string) => (/^https?:\/\//i.test(url) ? url : `https://${url}`)
const nameOf = (line: string) => line.split(":")[0]!.replace("[]", "").trim()

/** Maximum scrapers named per category. */
const maxNamed = 5
const maxMatches = 12

function Catalogue() {
  const [text, setText] = useState("")
  const loaded = useLoaded(() => catalogue(), [])
  const matches = useMatches(loaded.state === "there" ? loaded.value : [], text)
  if (loaded.state !== "there") return null
  return (
    <section aria-labelledby="catalogue">
      <div class="bar">
        <h2 id="catalogue">{scraperCount} ready-made scrapers</h2>
        <Link to="/scrapers">See all</Link>
      </div>
      <input
        type="search"
        aria-label="Search the scrapers"
        placeholder="for example Amazon, jobs, price, hotel"
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
      />
      {text.trim() ? (
        <ScraperList scrapers={matches.slice(0, maxMatches)} />
      ) : (
        <Categories scrapers={loaded.value} />
      )}
      {matches.length === 0 && (
        <p class="notice">No scraper matches. Enter the URL of any page above.</p>
      )}
      {text.trim() && matches.length > maxMatches && (
        <p>
          <Link to={`/scrapers?${new URLSearchParams({ search: text })}`}>
            {matches.length - maxMatches} more
          </Link>
        </p>
      )}
    </section>
  )
}

function Categories({ scrapers }: { scrapers: Brief[] }) {
  return (
    <ul class="scrapers">
      {byCategory(scrapers).map(([category, { length }]) => (
        <li key={category}>
          <Link to={`/scrapers?category=${category}`}>
            <strong>
              {titled(category)} <small>{length}</small>
            </strong>
            <span>{namesOf(scrapers, category)}</span>
          </Link>
        </li>
      ))}
    </ul>
  )
}

/** Returns some names of a category, verified scrapers first. */
function namesOf(scrapers: Brief[], category: string): string {
  const own = scrapers.filter((scraper) => scraper.category === category)
  const named = own.sort((a, b) => Number(b.verified) - Number(a.verified)).slice(0, maxNamed)
  return named.map(shortName).join(", ") + (own.length > maxNamed ? " …" : "")
}
