import { type AnyElysia, Elysia } from "elysia"
import { briefText } from "../../catalogue/kit/index.ts"
import type { Service } from "../service.ts"
import { openRefusal } from "./cors.ts"
import { ApiError, errorBody } from "./errors.ts"
import { isOfAccount } from "./guard.ts"
import { loggedPath, pathOf } from "./logged-path.ts"
import { logFailure, storeFault } from "./store-fault.ts"

/** What all calls have in common: a request id, a log line, a body for every refusal. */
export function front(service: Service): AnyElysia {
  const { base } = service
  const hint = (pathname: string) =>
    base !== "" && `${pathname}/`.startsWith(`${base}/`)
      ? ` The reverse proxy has to take ${base} off before it passes a call on.`
      : ""
  return new Elysia({ name: "front" })
    .onError({ as: "global" }, ({ error, code, request, set }) => {
      const refusal = error instanceof ApiError ? error : storeFault(error)
      if (refusal) {
        Object.assign(set.headers, refusal.headers)
        set.status = refusal.status
        return errorBody(refusal.status, refusal.message, refusal.details)
      }
      if (code === "NOT_FOUND") {
        set.status = 404
        const path = pathOf(request.url)
        const message = `There is no ${request.method} ${briefText(path, 200)}.${hint(path)}`
        return errorBody(404, message)
      }
      const status = isBadRequest(code) ? 400 : 500
      set.status = status
      if (status === 400) return errorBody(400, "The request cannot be read.")
      logFailure(service.log, error, request.url)
      return errorBody(500, "The service failed; its log says why.")
    })
    .as("global")
}

const isBadRequest = (code: unknown) =>
  code === "PARSE" || code === "VALIDATION" || code === "INVALID_COOKIE_SIGNATURE"

/**
 * Wraps the whole application: names each call by an id, logs it, and turns "not found" into
 * "method not allowed" where only the method was wrong.
 */
export function wrapCalls(app: AnyElysia, service: Service): AnyElysia {
  type Handle = (request: Request) => Promise<Response>
  const { underWay } = service
  const methodsOf = methodTable(app)
  const wrapped = (handle: Handle): Handle => {
    const answer = async (request: Request): Promise<Response> => {
      if (!hasHost(request)) return hostMissing()
      // Who watches the service must hear of it also where it shares an attacker's address.
      if (watched.test(pathOf(request.url))) return handle(request)
      const call = { request, set: { headers: {} }, server: app.server }
      const enters = underWay.enter(request, service.callerKey(call))
      if (!enters && !(await isOfAccount(service, call))) return tooManyUnderWay()
      try {
        return await handle(request)
      } finally {
        underWay.leave(request)
      }
    }
    return async (request) => {
      const started = performance.now()
      let response = await answer(request)
      if (response.status === 404) response = refuseMethod(methodsOf, request) ?? response
      openRefusal(pathOf(request.url), response)
      const id = callId()
      response.headers.set("x-request-id", id)
      response.headers.set("x-content-type-options", "nosniff")
      service.log.info(
        {
          id,
          method: request.method,
          path: loggedPath(request.url),
          status: response.status,
          ms: Math.round((performance.now() - started) * 10) / 10,
        },
        "call",
      )
      return response
    }
  }
  // Elysia's type for this speaks of functions of any kind.
  return app.wrap(wrapped as never)
}

const watched = /^\/(?:health|ready)z$/
const hostForm = /^(?:[\w.~-]+|\[[\da-f:.]+\])(?::\d{1,5})?$/i

/** Whether the call names its host; without one, its address cannot be read, nor links be made. */
function hasHost({ url, headers }: Request): boolean {
  const host = headers.get("host")
  return !url.startsWith("/") && (host === null || hostForm.test(host))
}

function hostMissing(): Response {
  return Response.json(
    errorBody(400, "The header Host must name a host, as in example.com:8080."),
    {
      status: 400,
    },
  )
}

function tooManyUnderWay(): Response {
  const message = "Too many calls of this address are under way; wait for some to end."
  return Response.json(errorBody(429, message), {
    status: 429,
    headers: { "retry-after": "5", connection: "close" },
  })
}

const processName = crypto.randomUUID().slice(0, 8)
let calls = 0

/** Names a call: this process, and its place among the calls so far. */
function callId(): string {
  return `${processName}-${(++calls).toString(36)}`
}

/** The methods that a path has, by the routes' own list. */
function methodTable(app: AnyElysia): (path: string) => string[] {
  const routes = app.routes.map(({ method, path }) => ({
    method,
    pattern: new RegExp(`^${path.replace(/:[A-Za-z]+/g, "[^/]+").replace("*", ".*")}/?$`),
  }))
  return (path) => {
    const fitting = routes.filter(({ method, pattern }) => {
      return method !== "OPTIONS" && pattern.test(path)
    })
    return [...new Set(fitting.map(({ method }) => method))]
  }
}

/** Undefined when no method has this path, or this one has it. */
function refuseMethod(
  methodsOf: (path: string) => string[],
  request: Request,
): Response | undefined {
  const allowed = methodsOf(pathOf(request.url))
  const asked = request.method === "HEAD" ? "GET" : request.method
  if (allowed.length === 0 || allowed.includes(asked)) return undefined
  const allow = allowed.flatMap((method) => (method === "GET" ? ["GET", "HEAD"] : [method]))
  return Response.json(
    errorBody(405, `${request.method} is not possible here; ${allow.join(", ")} is.`),
    { status: 405, headers: { allow: allow.join(", ") } },
  )
}
