import { factsOf } from "./call-facts.ts"
import { type Logger, logInfo } from "./log.ts"
import { loggedPath } from "./logged-path.ts"

/** Assigns an ID to a request and logs its response; `started` is a time of `performance.now()`. */
export function noted(
  log: Logger,
  request: Request,
  response: Response,
  started: number,
): Response {
  const id = callId()
  response.headers.set("x-request-id", id)
  logInfo(
    log,
    {
      id,
      method: request.method,
      path: loggedPath(request.url),
      status: response.status,
      ...factsOf(request),
      ms: Math.round((performance.now() - started) * 10) / 10,
    },
    "call",
  )
  return response
}

const processName = crypto.randomUUID().slice(0, 8)
let calls = 0

/** Request ID: the process, and the number of the request. */
function callId(): string {
  return `${processName}-${(++calls).toString(36)}`
}
