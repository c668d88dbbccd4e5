import { type AnyElysia, Elysia } from "elysia"
import { searchScreen } from "../../console/routes.ts"
import { readText } from "../../http/body.ts"
import { ApiError } from "../../http/errors.ts"
import { queryOf } from "../../http/query.ts"
import type { KeylessSurface } from "../../keyless/surface.ts"
import type { MergedHit } from "../../search/merge.ts"
import {
  type EngineReport,
  maxResults,
  noticesOf,
  type SearchResult,
} from "../../search/web-search.ts"
import type { Call } from "../../service.ts"
import { answersBy } from "../common/refusal.ts"
import { searchForCall } from "../common/web-search.ts"
import { searxngRequest } from "./request.ts"

const hidden = { detail: { hide: true } }

/** SearXNG's search API: `/search?q=…&format=json`, by GET and as a posted form. */
export function searxngRoutes(surface: KeylessSurface): AnyElysia {
  const answered = answersBy(surface.service, refusalBody)
  const search = answered(async (call) => {
    const parameters = await parametersOf(call)
    const { category, ...request } = searxngRequest(parameters)
    const isAfterLast = (request.offset ?? 0) >= maxResults
    const result: SearchResult = isAfterLast
      ? { hits: [], engines: [], ignored: [] }
      : await searchForCall(surface, call, { ...request, token: tokenOf(call) })
    const notices = noticesOf(result.ignored)
    return {
      query: request.query,
      number_of_results: result.hits.length,
      results: result.hits.map((hit) => resultOf(hit, category)),
      answers: [],
      corrections: [],
      infoboxes: [],
      suggestions: [],
      unresponsive_engines: unresponsive(result.engines),
      // SearXNG has no field for these.
      ...(notices.length > 0 && { notices }),
    }
  })
  return new Elysia()
    .get(
      "/search",
      ({ request, set, server }) => {
        const call = { request, set, server }
        return isPage(request) ? searchScreen(surface.service, call) : search(call)
      },
      hidden,
    )
    .post("/search", ({ request, set, server }) => search({ request, set, server }), {
      ...hidden,
      parse: "none",
    })
}

/** As at SearXNG, a browser that names no format gets the page: the console's search. */
const isPage = (request: Request) =>
  ["", "html"].includes(queryOf(request).get("format") ?? "") &&
  (request.headers.get("accept")?.includes("text/html") ?? false)

/** The parameters of the form and the URL. The form takes precedence. */
async function parametersOf({ request }: Call): Promise<URLSearchParams> {
  const query = queryOf(request)
  if (request.method !== "POST") return query
  const type = request.headers.get("content-type") ?? ""
  const text = await readText(request)
  // LangChain.js posts nothing as JSON: its parameters are in the URL.
  if (text === "") return query
  if (type !== "" && !type.startsWith("application/x-www-form-urlencoded")) {
    throw new ApiError(415, "The body must be application/x-www-form-urlencoded.")
  }
  return new URLSearchParams([...new URLSearchParams(text), ...query])
}

/** Clients that cannot send `Authorization` send the key in this header. */
const tokenOf = ({ request }: Call) => request.headers.get("x-api-key")

function resultOf(
  { url, title, snippet, publishedAt, engines, score }: MergedHit,
  category: string,
) {
  const { protocol, host, pathname, search, hash } = new URL(url)
  return {
    url,
    title,
    content: snippet,
    publishedDate: publishedAt,
    engine: engines[0],
    engines,
    score,
    category,
    template: "default.html",
    parsed_url: [protocol.slice(0, -1), host, pathname, "", search.slice(1), hash.slice(1)],
  }
}

const unresponsive = (engines: readonly EngineReport[]) =>
  engines.flatMap(({ engine, error }) => (error ? [[engine, error.message]] : []))

/** SearXNG's clients display the status and the text of the body. */
function refusalBody({ message, details }: ApiError) {
  const { engines } = (details ?? {}) as { engines?: EngineReport[] }
  return { error: message, ...(engines && { unresponsive_engines: unresponsive(engines) }) }
}
