import { type Static, type TObject, Type } from "@sinclair/typebox"
import { type AnyElysia, Elysia } from "elysia"
import { checkInput, inputFromQuery, inputObject, oneOf } from "../../catalogue/kit/index.ts"
import { signedInAccount } from "../http/access.ts"
import { callContext } from "../http/context.ts"
import { requestSchema, responseSchema } from "../http/contract.ts"
import { preflight } from "../http/cors.ts"
import { operation } from "../http/operation.ts"
import { queryOf } from "../http/query.ts"
import {
  callParameterNames,
  callParameters,
  wholeNumber,
  windowOf,
} from "../keyless/call-options.ts"
import type { AnonymousCaller } from "../keyless/caller.ts"
import { invalidInput } from "../keyless/error.ts"
import { formFor, inForm, type RequestedForm } from "../keyless/form.ts"
import { type KeylessResponse, keylessSchema } from "../keyless/response.ts"
import { type KeylessSurface, requestedBy } from "../keyless/surface.ts"
import { addCallFacts } from "../log/call-facts.ts"
import type { Call } from "../service.ts"
import type { AccessParts, ClientParts } from "../service-parts.ts"
import { type CallSearch, searchFor, searchTool } from "./call-search.ts"
import { engineNames, kinds, safeLevels, timeRanges } from "./engines.ts"
import { type Region, regionOf, regionOfLanguage } from "./regions.ts"
import { type SearchItem, searchMarkdown } from "./search.ts"
import { maxQuery, maxResults } from "./web-search.ts"

const searchInput = inputObject({
  q: Type.String({
    pattern: "\\S",
    maxLength: maxQuery,
    description: "Search words; operators such as site: work if the engines support them.",
  }),
  limit: Type.Integer({ minimum: 1, maximum: 50, default: 10, description: "Maximum results." }),
  offset: Type.Integer({
    minimum: 0,
    maximum: maxResults - 1,
    default: 0,
    description: "Results before the first, for further pages.",
  }),
  pages: Type.Integer({
    minimum: 0,
    maximum: 10,
    default: 0,
    description:
      "Read the pages of this many results as Markdown, within maxTokens. They count as one more call.",
  }),
  kind: oneOf(kinds, { default: "web", description: "Web pages or news articles." }),
  engines: Type.Optional(
    Type.Array(oneOf(engineNames), {
      maxItems: 10,
      description: "Engines to query. Default: those of the kind that work on this server.",
    }),
  ),
  country: Type.Optional(
    Type.String({
      pattern: "^[A-Za-z]{2}$",
      description: "Two-letter country code, for example de.",
    }),
  ),
  language: Type.Optional(
    Type.String({
      pattern: "^[A-Za-z]{2}([-_][A-Za-z]{2})?$",
      description: "Language code, for example en or pt-BR.",
    }),
  ),
  timeRange: Type.Optional(
    oneOf(Object.keys(timeRanges) as (keyof typeof timeRanges)[], {
      description: "Maximum age of the results.",
    }),
  ),
  safeSearch: Type.Optional(
    oneOf(safeLevels, {
      description: "Filter of adult content. Default: that of each engine.",
    }),
  ),
})

/** `GET /api/search`: one query over several search engines, without a key. */
export function searchRoutes(surface: KeylessSurface): AnyElysia {
  const { service } = surface

  async function run(call: Call): Promise<KeylessResponse> {
    const parameters = queryOf(call.request)
    const requested = requestedBy(parameters, searchTool, parameters.get("q") ?? "")
    let form: RequestedForm = { form: "json", isNamed: false }
    const { response } = await surface.response(call, requested, async (caller) => {
      form = formFor(call, parameters)
      const request = requestIn(parameters)
      return searchFor(surface, { call, caller: await inConsole(service, call, caller) }, request)
    })
    if (form.form !== "md" || response.status !== "SUCCEEDED") return inForm(response, form)
    const text = `${searchMarkdown(response.items as unknown as SearchItem[])}\n`
    const headers = { "content-type": "text/markdown;charset=utf-8" }
    // Elysia sends a response as it is.
    return new Response(text, { headers }) as unknown as KeylessResponse
  }

  return new Elysia()
    .use(callContext(service))
    .model({ KeylessResult: responseSchema(keylessSchema) })
    .options("/api/search", preflight, { detail: { hide: true } })
    .get("/api/search", ({ call }) => run(call), {
      call: true,
      query: requestSchema.anyQuery(Type.Object({ ...searchInput.properties, ...callParameters })),
      response: { 200: "KeylessResult" },
      detail: operation({
        id: "search",
        tag: "Scrape",
        summary: "Search the web with several engines at once",
        description:
          "The engines that work on this server are queried at the same time. Their results are merged by rank, and URLs of the same page are one result. `engines` names each engine with its results or its error. If all engines fail, `status` is ERROR.",
        auth: "none",
        replies: { 200: "The outcome is in `status`." },
      }),
    })
}

/** The console has no key: its searches are paid by the account that is signed in. */
async function inConsole(
  service: ClientParts & AccessParts,
  call: Call,
  caller: AnonymousCaller,
): Promise<AnonymousCaller> {
  if (caller.accountId !== null) return caller
  const account = await signedInAccount(service, call)
  if (!account) return caller
  service.running.leave(call.request)
  addCallFacts(call.request, { caller: "browser", account: account.id })
  return { ...caller, accountId: account.id }
}

/** Parameters of a call as a search. @throws KeylessError */
function requestIn(parameters: URLSearchParams): CallSearch {
  const { q, country, language, engines, ...rest } = inputIn(parameters)
  const { maxTokens, pick: fields } = windowOf((name) => parameters.get(name))
  const maxAge = wholeNumber("maxAge", parameters.get("maxAge"), callParameters.maxAge)
  const region = regionIn(country, language)
  return {
    request: { ...rest, query: q, names: engines, region, maxTokens },
    fields,
    ...(maxAge !== undefined && { maxAgeMs: maxAge * 1000 }),
  }
}

/** @throws KeylessError if no engine knows the country or the language */
function regionIn(country: string | undefined, language: string | undefined): Region | undefined {
  if (country === undefined && language === undefined) return undefined
  const region = country ? regionOf(country, language) : regionOfLanguage(language!)
  if (region) return region
  const [field, actual] = country ? ["country", country] : ["language", language!]
  const expected = `a ${field} that the engines know, or none`
  throw invalidInput([
    { field, message: `No engine knows the ${field} "${actual}".`, expected, actual },
  ])
}

/** @throws KeylessError naming the parameter */
function inputIn(parameters: URLSearchParams): Static<typeof searchInput> {
  const own = new URLSearchParams(
    [...parameters].map(([name, value]) => [
      name === "query" && !parameters.has("q") ? "q" : name,
      name === "engines" ? value.replaceAll(",", "|") : value,
    ]),
  )
  const checked = checkInput(
    searchInput as TObject,
    inputFromQuery(searchInput, own, [...callParameterNames]),
  )
  if (!checked.ok) throw invalidInput(checked.issues)
  return checked.input as Static<typeof searchInput>
}
