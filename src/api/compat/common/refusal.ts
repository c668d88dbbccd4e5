import { ScrapeError } from "../../../catalogue/kit/index.ts"
import { Stopping } from "../../../engine/runtime/workers/supervisor.ts"
import { ApiError } from "../../http/errors.ts"
import { logFailure, storeIssue } from "../../http/store-error.ts"
import { KeylessError } from "../../keyless/error.ts"
import type { Call } from "../../service.ts"
import type { CoreParts } from "../../service-parts.ts"

/** Path parameters of a route. */
type Params = Record<string, string>

export type Work = (call: Call, params: Params) => Promise<Response | object>

/**
 * A handler destructures its context in the parameter list, so that Elysia does not read the body.
 */
type Handler = (context: Call & { params?: Params }) => Promise<Response>

/** Handlers of a compatible API. All errors are returned in that API's format. */
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
  return new ApiError(500, "Internal error; see the service's log.")
}

/** An error for a feature of the other API that Trawl does not have. */
export function notOffered(what: string, instead = ""): ApiError {
  return new ApiError(400, `${what} is not supported.${instead && ` ${instead}`}`)
}
