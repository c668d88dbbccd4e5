import { at, findObjects, JsonReader, scriptJson } from "../../extract/embedded/index.ts"
import {
  assertScrapeError,
  Blocked,
  Changed,
  type Context,
  cursor,
  once,
  orNull,
  readOnce,
  type ScrapeError,
  Unreachable,
  UpstreamError,
  type UpstreamResponse,
  upstreamTable,
} from "../kit/index.ts"

export const pinterestSite = "https://www.pinterest.com"
/** Name of the page's script, which its calls contain. */
export const pinterestTable = upstreamTable("pinterest", "2026-08", {
  searchHandler: "www/search/[scope].js",
})

export const pinterestRateLimit = { "www.pinterest.com": { perSecond: 0.5, concurrency: 1 } }

const resource = `${pinterestSite}/resource/BaseSearchResource/get/`

type Page = { results: JsonReader[]; bookmark: string | null }

/** Yields a search's pins, each once. Requests the second page only if the first is too short. */
export function searchPins(query: string, wanted: number, ctx: Context) {
  const pins = async (bookmark: string | undefined) => {
    // Only the first page is required.
    const page = bookmark
      ? await orNull(ctx, "second page of pins", () => resourcePage(query, bookmark, ctx))
      : await searchPage(query, ctx)
    const isLast = bookmark !== undefined || page?.bookmark === "-end-"
    return {
      rows: page?.results.filter((result) => result.text("type") === "pin") ?? [],
      next: isLast ? null : page?.bookmark,
    }
  }
  // A first page may contain only suggestions and no pins.
  return cursor(pins, { cap: wanted, keyOf: (pin) => pin.text("id") ?? "", waitLimit: 2 })
}

const searchPage = (query: string, ctx: Context): Promise<Page> =>
  ctx.escalate(pinterestSite, {
    http: (ctx) => resourcePage(query, null, ctx),
    browser: (ctx) => visiblePage(query, ctx),
  })

/** Requests by GET, which needs no CSRF token; if Pinterest refuses, by POST with a token. */
async function resourcePage(query: string, bookmark: string | null, ctx: Context): Promise<Page> {
  const form = formOf(query, bookmark)
  const options = { identity: "browser", accept: [400, 401, 403] } as const
  const headersFor = (searchHandler: string) => ({
    accept: "application/json, text/javascript, */*, q=0.01",
    "sec-fetch-dest": "empty",
    "sec-fetch-mode": "cors",
    "sec-fetch-site": "same-origin",
    "x-pinterest-appstate": "active",
    "x-pinterest-pws-handler": searchHandler,
    "x-pinterest-source-url": form.source_url,
    "x-requested-with": "XMLHttpRequest",
  })
  const plain = await ctx.get(resource, {
    ...options,
    headers: headersFor(ctx.upstream(pinterestTable).searchHandler),
    query: { ...form, _: ctx.now().getTime() },
  })
  if (plain.status < 400 && !isPage(plain)) return pageOf(plain)
  const { token, searchHandler } = await once(ctx, "pinterest.page", () => pageFacts(query, ctx))
  let response = plain
  try {
    response = await ctx.post(resource, {
      ...options,
      headers: { ...headersFor(searchHandler), "x-csrftoken": token },
      form,
    })
  } catch (error) {
    // The earlier refusal is more informative than a failed connection.
    if (!(error instanceof Unreachable)) throw error
  }
  if (response.status < 400 && !isPage(response)) return pageOf(response)
  throw refused(response)
}

/** Returns whether the response is a page or empty instead of data, which is also a refusal. */
const isPage = (response: UpstreamResponse) => /^\s*(?:<|$)/.test(response.text().slice(0, 1000))

function refused(response: UpstreamResponse): ScrapeError {
  const lacking = response.explainMissing("Pinterest's results")
  if (lacking.code === "login_required") return lacking
  const message = `Pinterest refuses the search (status ${response.status}).`
  return new Blocked(message, "Pinterest", { response })
}

function formOf(query: string, bookmark: string | null) {
  const options = {
    query,
    scope: "pins",
    rs: "typed",
    appliedProductFilters: "---",
    auto_correction_disabled: false,
    redux_normalize_feed: true,
    bookmarks: bookmark ? [bookmark] : [],
  }
  return {
    source_url: `/search/pins/?q=${encodeURIComponent(query)}&rs=typed`,
    data: JSON.stringify({ options, context: {} }),
  }
}

/**
 * Returns the values that the calls of a search's page contain: the token and the name of the
 * calling script.
 */
async function pageFacts(query: string, ctx: Context) {
  const { searchHandler } = ctx.upstream(pinterestTable)
  try {
    const response = await ctx.get(searchUrl(query), { identity: "browser", retries: 0 })
    const cookies = response.headers.getSetCookie()
    const html = response.text()
    return {
      token:
        cookies.map((cookie) => /^csrftoken=([^;,\s]+)/.exec(cookie)?.[1]).find(Boolean) ??
        /"csrf_?token"\s*:\s*"([^"\\]{8,64})"/i.exec(html)?.[1] ??
        "",
      searchHandler: /"(www\/search\/[^"\\\s]{1,60}\.js)"/.exec(html)?.[1] ?? searchHandler,
    }
  } catch (error) {
    assertScrapeError(error, ctx)
    ctx.log(`Pinterest's page gave no token: ${error.message}`)
    return { token: "", searchHandler }
  }
}

const searchUrl = (query: string) => `${pinterestSite}/search/pins/?q=${encodeURIComponent(query)}`

function pageOf(response: UpstreamResponse): Page {
  const body = new JsonReader(response.json()).in("resource_response")
  if (body.text("status") === "failure") {
    const stated = body.text("error", "message") ?? body.text("message") ?? "no reason given"
    throw new UpstreamError(`Pinterest failed: ${stated}`, { url: response.url })
  }
  if (!Array.isArray(body.value("data", "results")))
    throw response.explainMissing("Pinterest's results")
  const results = body.list("data", "results")
  if (results.length > 0 && results.every((result) => !result.has("type")))
    throw new Changed("Pinterest's results have no type.", { url: response.url })
  return { results, bookmark: body.text("bookmark") }
}

/**
 * Returns the results from the page in Chrome: from the responses that it loaded, else from its
 * embedded state.
 */
async function visiblePage(query: string, ctx: Context): Promise<Page> {
  const what = "Pinterest's results"
  const page = await ctx.page(searchUrl(query), {
    has: (page) => page.captured.length > 0 || stateOn(page).length > 0,
    what,
    capture: /BaseSearchResource\/get/,
  })
  const first = page.captured.find(({ status }) => status < 400) ?? page.captured[0]
  const results = first ? pageOf(first).results : stateOn(page)
  if (!first && results.length === 0) throw page.explainMissing(what)
  return { results, bookmark: null }
}

const stateOn = readOnce(({ document }) => {
  for (const id of ["__PWS_INITIAL_PROPS__", "__PWS_DATA__"]) {
    const results = stateResults(scriptJson(document, `script#${id}`))
    if (results.length > 0) return results
  }
  return []
})

function stateResults(state: unknown): JsonReader[] {
  for (const holder of findObjects(state, (part) => "BaseSearchResource" in part)) {
    for (const response of new JsonReader(holder).list("BaseSearchResource")) {
      const results = response.list("data", "results")
      if (results.length > 0) return results
    }
  }
  for (const holder of findObjects(state, (part) => "initialReduxState" in part)) {
    return new JsonReader(at(holder, "initialReduxState")).list("pins")
  }
  return []
}
