import { ScrapeError } from "../../../catalogue/kit/index.ts"
import { Stopping } from "../../../engine/runtime/workers/supervisor.ts"
import { ApiError } from "../../http/errors.ts"
import { logFailure, storeIssue } from "../../http/store-fault.ts"
import { KeylessError } from "../../keyless/error.ts"
import type { Call } from "../../service.ts"
import type { CoreParts } from "../../service-parts.ts"

/** What a route is given besides its call. */
type Params = Record<string, string>

export type Work = (call: Call, params: Params) => Promise<Response | object>

/** What Elysia gives a handler; taken apart in its head, so that Elysia reads no body for it. */
type Handler = (context: Call & { params?: Params }) => Promise<Response>

/**
 * Handlers of one foreign API: whatever goes wrong with a call is answered in that API's own form,
 * from the same refusals as everywhere.
 */
export function answersBy(
  service: CoreParts,
  inTheirForm: (refusal: ApiError) => object,
): (work: Work) => Handler {
  return (work) =>
    async ({ request, set, server, params = {} }) => {
      const call: Call = { request, set, server }
      const headers = () => set.headers as Record<string, string>
      try {
        const response = await work(call, params)
        if (!(response instanceof Response)) return Response.json(response, { headers: headers() })
        for (const [name, value] of Object.entries(headers())) response.headers.set(name, value)
        return response
      } catch (error) {
        const refusal = refusalOf(service, call, error)
        return Response.json(inTheirForm(refusal), {
          status: refusal.status,
          headers: { ...headers(), ...refusal.headers },
        })
      }
    }
}

function refusalOf(service: CoreParts, { request }: Call, error: unknown): ApiError {
  if (error instanceof ApiError) return error
  if (error instanceof KeylessError) {
    return new ApiError(
      error.httpStatus < 400 ? 500 : error.httpStatus,
      error.message,
      error.details,
    )
  }
  const issue = storeIssue(error)
  if (issue) return issue
  if (error instanceof ScrapeError) return new ApiError(400, error.message)
  if (error instanceof Stopping) {
    return new ApiError(503, error.message, undefined, { "retry-after": "5" })
  }
  logFailure(service, error, request.url)
  return new ApiError(500, "The service failed; its log says why.")
}

/** What their API has, and this service has not. */
export function notOffered(what: string, instead = ""): ApiError {
  return new ApiError(400, `${what} is not offered here.${instead && ` ${instead}`}`)
}
