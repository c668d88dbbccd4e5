import { ApiError } from "../../http/errors.ts"
import { identify } from "../../keyless/caller.ts"
import type { KeylessSurface } from "../../keyless/surface.ts"
import { partRuns } from "../../search/call-search.ts"
import { CallRefused, SeveralRuns } from "../../search/several-runs.ts"
import {
  SearchFailed,
  type SearchRequest,
  type SearchResult,
  searchWeb,
} from "../../search/web-search.ts"
import type { Call } from "../../service.ts"
import { failureOf, keylessRefusal, refusalIn } from "./run-now.ts"

interface CallSearch extends Omit<SearchRequest, "waitMs"> {
  /** Milliseconds for the whole search. Default: as for keyless calls. */
  waitMs?: number | undefined
  /** API key, if the call does not send it in the usual header. */
  token?: string | null
}

/** Searches for a call of a compatible API. @throws ApiError if no engine returns results */
export async function searchForCall(
  surface: KeylessSurface,
  call: Call,
  { waitMs, token = null, ...request }: CallSearch,
): Promise<SearchResult> {
  const { service } = surface
  try {
    const caller = await identify(service, call, { agentId: null, token })
    const stored = { tool: "search", inputText: request.query, caller }
    const several = new SeveralRuns(surface, { call, caller, stored })
    return await searchWeb(partRuns(surface, several), {
      ...request,
      waitMs: waitMs ?? service.config.keylessWait * 1000,
    })
  } catch (error) {
    if (error instanceof CallRefused) throw refusalIn(error.response)
    if (error instanceof SearchFailed) throw failedSearch(error)
    throw await keylessRefusal(surface, call, error, token ?? undefined)
  }
}

function failedSearch({ code, message, engines }: SearchFailed): ApiError {
  const { status } = failureOf({ code, message })
  return new ApiError(status === 404 ? 422 : status, message, { code, engines })
}
