import { unseen } from "../../extract/core/index.ts"
import { JsonReader, nextState } from "../../extract/embedded/index.ts"
import {
  BadInput,
  busyIsRateLimit,
  type Context,
  defineScraper,
  inputs,
  items,
  NotFound,
  parseError,
  type Refusal,
  readOnce,
  ScrapeError,
  screenNode,
  type UpstreamResponse,
  unreadable,
} from "../kit/index.ts"
import { leanRow, type Page, titleFields, titleRecord } from "./title.ts"
import { requestedTitle } from "./title-query.ts"

const site = "https://www.imdb.com"
/** Amazon's bot protection, which may refuse without a challenge page. */
const refusal: Refusal = { statuses: [403, 405] }

export default defineScraper({
  slug: "imdb-title-scraper",
  name: "IMDb Titles",
  tagline: "Film and series facts from IMDb: ratings, credits, plot, money, release data.",
  notServed: ["search by name"],
  category: "media",
  tier: "premium",
  input: {
    titles: inputs.texts("Title IDs, for example tt0133093, or www.imdb.com URLs.", { max: 1000 }),
    maxItems: inputs.count("Maximum titles", { max: 1000, or: 100 }),
  },
  item: {
    input: items.requiredText("Title as written in the input."),
    id: items.requiredText(
      "IMDb's ID (tt…); different from the requested one if titles were merged.",
    ),
    url: items.requiredText("URL of the title."),
    ...titleRecord.fields,
  },
  example: { titles: ["tt0133093"] },
  probe: {
    expect: [
      "items.length equals 1",
      'items[0].id equals "tt0133093"',
      'items[0].title matches "matrix"',
      "items[0].year equals 1999",
      "items[0].rating gte 8",
      "items[0].ratingCount gte 1500000",
      "items[0].cast.length gte 5",
      "?items[0].runtimeMinutes equals 136",
      "?items[0].directors.length gte 1",
      "?items[0].metascore gte 1",
      "?items[0].worldwideGross share 1",
    ],
  },
  rateLimit: {
    "www.imdb.com": { perSecond: 1, concurrency: 2 },
    "api.graphql.imdb.com": { perSecond: 1, concurrency: 2 },
  },
  fetchMethods: ["browser-http", "http", "browser"],
  targets: (input) =>
    unseen(input.titles, new Set(), (title) => titleId(title) ?? title).slice(0, input.maxItems),

  async *scrape(target, ctx) {
    const requested = titleId(target)
    if (!requested)
      throw new BadInput(`"${target}" is not an IMDb title. Use an ID (tt…) or a URL.`)
    const url = `${site}/title/${requested}/`
    const pending = ctx.escalate(url, {
      http: (ctx) => requestedOrVisible(requested, url, ctx),
      browser: (ctx) => titlePage(url, ctx),
    })
    const response = await busyIsRateLimit(pending).catch((error) => {
      throw error instanceof ScrapeError ? unreadable(error) : error
    })
    const itemOf = (id: string, fields: ReturnType<typeof titleFields>) => ({
      input: target,
      id,
      url: `${site}/title/${id}/`,
      ...fields,
    })
    if (response instanceof JsonReader) {
      yield itemOf(response.text("aboveTheFoldData", "id") ?? requested, titleFields(response))
      return
    }
    const page = stateOf(response)
    if (page) {
      const id = page.text("aboveTheFoldData", "id") ?? page.text("tconst") ?? requested
      yield itemOf(id, titleFields(page, nodeOf(response)))
      return
    }
    const node = nodeAlone(response)
    if (!node) throw unreadable(response.explainMissing(what))
    const id = titleId(node.text("url") ?? "") ?? titleId(response.url) ?? requested
    if (!/<\/html\s*>/i.test(response.text()))
      throw parseError("IMDb's page ends before its data.", response)
    ctx.log(`${id} has no page state; its structured data has fewer fields.`, "warning")
    const pageTitle = response.document.querySelector("title")?.textContent ?? ""
    const type = typesOfNodes[node.type ?? ""] ?? null
    yield itemOf(id, titleRecord.read(leanRow(node, type, pageTitle)))
  },
})

const what = "the title"

const titlePage = (url: string, ctx: Context) =>
  ctx.page(url, {
    has: (response) => stateOf(response) !== null || nodeAlone(response) !== null,
    what,
    refusal,
    retries: 2,
    headers: { "accept-language": "en-US,en;q=0.9" },
    waitFor: stateScript,
  })

/** Set if the data service failed in this run, so that later targets use the page directly. */
const silentKey = "imdb.silent"

/**
 * Returns the title from the data service of all pages, or else from the page. Since July 2026 the
 * page returns a challenge (status 202) to signed-out clients, so the service comes first.
 */
async function requestedOrVisible(id: string, url: string, ctx: Context) {
  if (ctx.shared.has(silentKey)) return titlePage(url, ctx)
  return requestedTitle(id, ctx).catch((error) => {
    ctx.signal.throwIfAborted()
    if (!(error instanceof ScrapeError) || error instanceof NotFound) throw error
    ctx.log(`${error.message} Reading the page.`)
    ctx.shared.set(silentKey, true)
    return titlePage(url, ctx)
  })
}

const stateScript = "script#__NEXT_DATA__"

const stateOf = readOnce(({ document }): Page | null => {
  const page = new JsonReader(nextState(document)).in("props", "pageProps")
  return page.title("aboveTheFoldData", "titleText", "text") ? page : null
})

const nodeOf = ({ document }: UpstreamResponse) => screenNode(document, Object.keys(typesOfNodes))

/** An unreadable state means a changed layout or a truncated page. */
const nodeAlone = (response: UpstreamResponse) =>
  response.document.querySelector(stateScript) === null ? (nodeOf(response) ?? null) : null

/** Types of schema.org that IMDb uses, mapped to its own types. */
const typesOfNodes: Record<string, string | null> = {
  Movie: "movie",
  TVSeries: "tvSeries",
  TVEpisode: "tvEpisode",
  VideoGame: "videoGame",
  CreativeWork: null,
}

function titleId(text: string): string | undefined {
  const written = text.trim()
  if (/^tt\d{7,9}$/i.test(written)) return written.toLowerCase()
  const match =
    /^(?:(?:https?:)?\/\/)?(?:(?:www|m)\.)?imdb\.com\/(?:.*?\/)?title\/(tt\d{7,9})(?![\w])/i.exec(
      written,
    ) ?? /^\/title\/(tt\d{7,9})(?!\w)/.exec(written)
  return match?.[1]?.toLowerCase()
}
