import { distinct, objectList, type WordTable, words as wordsIn } from "../../extract/core/index.ts"
import { at, jsonAfter } from "../../extract/embedded/index.ts"
import {
  BadInput,
  type Context,
  cursor,
  decodedPath,
  defineScraper,
  Forbidden,
  inputs,
  items,
  type Refusal,
  readOnce,
  readRows,
  ScrapeError,
  Unreachable,
  type UpstreamResponse,
} from "../kit/index.ts"
import { apiJobs } from "./api.ts"
import { descriptionsOf, type JobCard, job } from "./job.ts"

const refusal: Refusal = {
  statuses: [403],
  sign: /INDEED_CLOUDFLARE_STATIC_PAGE|<title>\s*Security Check|Additional Verification Required/i,
}
const jobCards = /mosaic\.providerData\[["']mosaic-provider-jobcards["']\]/
/** Organic results per page; sponsored ones are additional. */
const pageSize = 10
const lastStart = 990

export default defineScraper({
  slug: "indeed-jobs-scraper",
  name: "Indeed Jobs",
  tagline: "Job adverts from Indeed for any search in any country.",
  notServed: ["jobs of one company only"],
  category: "jobs",
  tier: "premium",
  input: {
    queries: inputs.texts("Search words, for example data analyst, or Indeed search URLs.", {
      max: 100,
    }),
    location: inputs.optionalText("City, state, postal code, or remote; for example Austin, TX."),
    domain: inputs.textOr(
      "Country site, for example uk.indeed.com, or country code, for example de.",
      "www.indeed.com",
    ),
    maxPerQuery: inputs.count("Maximum jobs per search", { max: 1000, or: 50 }),
  },
  item: {
    query: items.requiredText("Query as written in the input."),
    searchLocation: items.text("Location of the search."),
    ...job.fields,
  },
  example: { queries: ["data analyst"], location: "Austin, TX", maxPerQuery: 15 },
  probe: {
    input: { queries: ["nurse"], location: "New York, NY", maxPerQuery: 5 },
    expect: [
      "items.length equals 5",
      "items[*].title share 1",
      "items[*].company share 0.8",
      "items[*].location share 0.8",
      "?items[*].snippet share 0.5",
      "?items[*].postedAt fresh 45",
    ],
  },
  rateLimit: { "indeed.com": { perSecond: 0.33, concurrency: 1 } },
  fetchMethods: ["browser", "unlocker"],
  concurrency: 1,
  targets: (input) => distinct(input.queries),
  identify: (query) => ({ input: query, query }),

  unverified: ["the API of Indeed's apps (INDEED_API_KEY)"],

  async *scrape(query, ctx) {
    const search = searchUrl(query, ctx.input.location, ctx.input.domain)
    const requested = { query, searchLocation: search.searchParams.get("l") || null }
    const key = isAddress(query) ? undefined : ctx.secret("INDEED_API_KEY")
    yield* key ? byApi(ctx, key, search, requested) : jobs(ctx, search, requested)
  },
})

/** Uses the API, or the pages if it returns nothing. */
async function* byApi(ctx: IndeedContext, key: string, search: URL, requested: Requested) {
  const words = requested.query.trim()
  const cap = ctx.input.maxPerQuery
  const wanted = { site: search, words, location: requested.searchLocation, cap }
  let provided = 0
  try {
    for await (const row of apiJobs(wanted, key, ctx)) {
      provided++
      yield { ...requested, ...row }
    }
  } catch (failure) {
    ctx.signal.throwIfAborted()
    if (!(failure instanceof ScrapeError) || provided > 0) throw failure
    ctx.log(`Indeed's API returned no jobs: ${failure.message}`, "warning")
    try {
      yield* jobs(ctx, search, requested)
    } catch (error) {
      throw error instanceof Unreachable ? failure : error
    }
  }
}

type IndeedContext = Context<{ maxPerQuery: number }>
type Requested = { query: string; searchLocation: string | null }

function jobs(ctx: IndeedContext, search: URL, requested: Requested) {
  const page = async (start = 0) => {
    const response = await searchPage(ctx, search, start)
    if (isSignIn(response)) {
      if (start === 0) {
        const details = { code: "login_required", url: search.href }
        throw new Forbidden("Indeed requires a login.", details)
      }
      ctx.log(`login_required: Indeed shows at most ${start / pageSize} pages.`, "warning")
      return { rows: [], next: null }
    }
    const cards = cardsOf(response)
    if (!cards) {
      if (!statesNothingFound(response)) throw response.explainMissing(what)
      ctx.log(`Indeed found no jobs for "${requested.query}".`)
      return { rows: [], next: null }
    }
    const descriptions = descriptionsOf(response.text())
    const read = (card: JobCard) => {
      const descriptionHtml = descriptions.get(card.jobkey)
      return { ...requested, ...job.read({ ...card, site: search, descriptionHtml }) }
    }
    const rows = await Array.fromAsync(readRows(cards, read, ctx))
    const next = start + pageSize
    const link = `[data-testid="pagination-page-next"], a[href*="start=${next}"]`
    const isLast = next > lastStart || !response.document.querySelector(link)
    return { rows, next: isLast ? null : next }
  }
  return cursor(page, { cap: ctx.input.maxPerQuery, keyOf: ({ id }) => id })
}

const what = "the job cards"

function searchPage(ctx: Context, search: URL, start: number) {
  const url = new URL(search)
  if (start > 0) url.searchParams.set("start", String(start))
  return ctx.page(url.href, {
    has: (response) =>
      isSignIn(response) || cardsOf(response) !== undefined || statesNothingFound(response),
    what,
    refusal,
    headers: { "accept-language": languageOf(search.host) },
    waitFor: "script#mosaic-data",
  })
}

const cardsOf = readOnce((response): JobCard[] | undefined => {
  const data = jsonAfter(response.text(), jobCards)
  const results = at<JobCard[]>(data, "metaData", "mosaicProviderJobCardsModel", "results")
  if (!Array.isArray(results)) return undefined
  const cards = objectList(results)
  return cards.length > 0 || !statesNothingFound(response) ? cards : undefined
})

/** Each of Indeed's hosts has its own language. */
const noJobs: WordTable = {
  en: "did not match any jobs",
  de: "keine (?:passenden )?(?:stellenangebote|jobs)[^<]{0,60}gefunden|hat keine (?:treffer|ergebnisse)",
  es: "no (?:coincide con|produjo) ning(?:ún empleo|una (?:oferta|vacante))|no se encontraron empleos",
  fr: "ne correspond à aucune? (?:offre d['’]emploi|emploi)",
  it: "non (?:corrisponde a|ha prodotto) nessun[ao]? (?:offerta|lavoro)",
  ja: "に一致する(?:求人|仕事)[^<]{0,20}(?:ありません|見つかりません)",
  nl: "komt niet overeen met vacatures|geen vacatures gevonden",
  pl: "nie (?:znaleziono|pasuje do) (?:żadnych )?ofert",
  pt: "não (?:corresponde a|encontrou) nenhuma? (?:vaga|emprego)",
}
const nothing = new RegExp(wordsIn(noJobs), "iu")

const statesNothingFound = (response: UpstreamResponse): boolean =>
  response.document.querySelector(".jobsearch-NoResult-messageContainer") !== null ||
  nothing.test(response.text())

function isSignIn(response: UpstreamResponse): boolean {
  const { host, pathname } = new URL(response.url)
  return host === "secure.indeed.com" || pathname.startsWith("/account/login")
}

const isAddress = (query: string) => /^(?:https?:)?\/\/|indeed\.com\//i.test(query)

/** Returns the URL of a search's first page; of a given URL, it keeps only the filters. */
function searchUrl(query: string, location: string | undefined, domain: string): URL {
  if (isAddress(query)) {
    const url = URL.parse(query.trim().replace(/^(?:https?:)?\/*/i, "https://"))
    if (!url || !/(?:^|\.)indeed\.com$/i.test(url.host) || !toSearch(url))
      throw new BadInput(`"${query}" is not an Indeed search URL.`)
    for (const name of ["start", "vjk", "pp"]) url.searchParams.delete(name)
    if (location && !url.searchParams.get("l")) url.searchParams.set("l", location)
    return url
  }
  const url = new URL(`https://${hostOf(domain)}/jobs`)
  url.searchParams.set("q", query.trim())
  if (location?.trim()) url.searchParams.set("l", location.trim())
  return url
}

/**
 * Changes the URL of a search to its usual path; returns whether it is a search. Country sites have
 * their own word for jobs (`/ofertas`), and search engines link `/q-nurse-l-austin,-tx-jobs.html`.
 */
function toSearch(url: URL): boolean {
  const path = decodedPath(url.pathname)
  const [, words, place] =
    /^\/(?:q-(.+?)(?=-l-|-jobs\.html))?(?:-?l-(.+?))?-jobs\.html$/i.exec(path) ?? []
  if (words) url.searchParams.set("q", words.replaceAll("-", " "))
  if (place) url.searchParams.set("l", place.replaceAll("-", " "))
  const isSearch = url.searchParams.has("q") || url.searchParams.has("l")
  if (/\/(?:cmp|viewjob)\b/i.test(path)) return false
  if (!isSearch && !/\/jobs\/?$/i.test(path)) return false
  url.pathname = "/jobs"
  return true
}

const countries = new Set(
  (
    "ar au at be br ca ch cl cn co cz de dk es fi fr gr hk hu id ie il in it jp kr lu mx my ng nl " +
    "no nz pe ph pk pl pt ro sa se sg th tr tw ua uk ae za"
  ).split(" "),
)

function hostOf(domain: string): string {
  const text = domain
    .trim()
    .toLowerCase()
    .replace(/^https?:\/\//, "")
    .replace(/\/.*$/, "")
  if (text === "us" || text === "indeed.com") return "www.indeed.com"
  if (text === "gb") return "uk.indeed.com"
  const own = /^(?:www\.)?indeed\.(?:com?\.)?([a-z]{2})$/.exec(text)?.[1]
  if (own && countries.has(own)) return `${own}.indeed.com`
  if (countries.has(text)) return `${text}.indeed.com`
  if (/^[a-z]{2,3}\.indeed\.com$/.test(text)) return text
  throw new BadInput(`"${domain}" is not an Indeed site. Use a site such as uk.indeed.com or uk.`)
}

const languages: Record<string, string> = {
  ar: "es-AR,es", at: "de-AT,de", be: "fr-BE,fr", br: "pt-BR,pt", ch: "de-CH,de", cl: "es-CL,es",
  cn: "zh-CN,zh", co: "es-CO,es", cz: "cs-CZ,cs", de: "de-DE,de", dk: "da-DK,da", es: "es-ES,es",
  fi: "fi-FI,fi", fr: "fr-FR,fr", gr: "el-GR,el", hk: "zh-HK,zh", hu: "hu-HU,hu", id: "id-ID,id",
  il: "he-IL,he", it: "it-IT,it", jp: "ja-JP,ja", kr: "ko-KR,ko", lu: "fr-LU,fr", mx: "es-MX,es",
  nl: "nl-NL,nl", no: "nb-NO,nb", pe: "es-PE,es", pl: "pl-PL,pl", pt: "pt-PT,pt", ro: "ro-RO,ro",
  se: "sv-SE,sv", th: "th-TH,th", tr: "tr-TR,tr", tw: "zh-TW,zh", ua: "uk-UA,uk", uk: "en-GB,en",
} // biome-ignore format: a table reads better dense

function languageOf(host: string): string {
  const own = languages[host.split(".")[0]!] ?? "en-US,en"
  return own.startsWith("en") ? `${own};q=0.9` : `${own};q=0.9,en;q=0.8`
}
