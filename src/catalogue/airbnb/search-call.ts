import { JsonReader } from "../../extract/embedded/index.ts"
import { type Context, staleKey, upstreamTable } from "../kit/index.ts"

/** Stored query ID of the search and the API key that the pages' scripts send. */
export const airbnbTable = upstreamTable("airbnb", "2026-05", {
  StaysSearch: "753d97c7b19a1a402d2fa63882ff4d6802004d11f2499647deef923a19a1641a",
  apiKey: "d306zoyjsyarp7ifhu67rjxn52tv0t20",
})
const operationName = "StaysSearch"

/** Returns `staysSearch.results` of a search from the API call that the page's scripts make. */
export async function resultsByCall(search: URL, cursor: string | undefined, ctx: Context) {
  const { StaysSearch: hash, apiKey } = ctx.upstream(airbnbTable)
  const url = new URL(`/api/v3/${operationName}/${hash}`, search.origin)
  url.searchParams.set("operationName", operationName)
  url.searchParams.set("locale", search.searchParams.get("locale") ?? "en")
  url.searchParams.set("currency", search.searchParams.get("currency") ?? "USD")
  const request = {
    ...(cursor ? { cursor } : {}),
    metadataOnly: false,
    requestedPageType: "STAYS_SEARCH",
    searchType: "unknown",
    rawParams: rawParams(search),
  }
  const response = await ctx.data(url.href, {
    refusal: { statuses: [403, 429] },
    what: "the results of a search",
    identity: "browser",
    accept: [400, 404],
    headers: {
      origin: search.origin,
      referer: search.href,
      "x-airbnb-api-key": apiKey,
      "x-airbnb-graphql-platform": "web",
      "x-airbnb-graphql-platform-client": "minimalist-niobe",
      "x-csrf-without-token": "1",
      "x-niobe-short-circuited": "true",
      "sec-fetch-dest": "empty",
      "sec-fetch-mode": "cors",
      "sec-fetch-site": "same-origin",
    },
    json: {
      operationName,
      variables: {
        staysSearchRequest: request,
        staysMapSearchRequestV2: request,
        isLeanTreatment: false,
        aiSearchEnabled: false,
        skipExtendedSearchParams: false,
      },
      extensions: { persistedQuery: { version: 1, sha256Hash: hash } },
    },
  })
  const body = new JsonReader(response.json())
  const results = body.in("data", "presentation", "staysSearch", "results")
  if (Array.isArray(results.value("searchResults"))) return results
  const stated = JSON.stringify(body.value("errors") ?? body.value("error_message") ?? "")
  if (/PersistedQueryNotFound|ValidationError|unknown_operation/i.test(stated)) {
    const message = "Airbnb's API rejects the stored query ID."
    throw staleKey(airbnbTable, operationName, message, { url: url.href, response })
  }
  throw response.explainMissing("the results of a search")
}

/** Maps the parameters of the search URL to those of the API call. */
function rawParams(search: URL) {
  const query = decodeURIComponent(search.pathname.split("/")[2] ?? "")
    .replaceAll("--", ", ")
    .replaceAll("-", " ")
  const provided = [...new Set(search.searchParams.keys())].flatMap((name) => {
    const filterName = name
      .replace(/\[\]$/, "")
      .replace(/_([a-z])/g, (_, letter) => letter.toUpperCase())
    const filterValues = search.searchParams.getAll(name)
    return /^(?:currency|locale|cursor|query)$/.test(name) ? [] : [{ filterName, filterValues }]
  })
  return [
    { filterName: "query", filterValues: [search.searchParams.get("query") ?? query] },
    { filterName: "itemsPerGrid", filterValues: ["18"] },
    { filterName: "cdnCacheSafe", filterValues: ["false"] },
    ...provided,
  ]
}
