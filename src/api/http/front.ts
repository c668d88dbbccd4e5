import { dirname } from "node:path"
import type { AnyElysia } from "elysia"
import { duringCall } from "../../engine/runtime/traces/calls.ts"
import type { SpanContext } from "../../engine/runtime/traces/span.ts"
import { factsOf } from "../log/call-facts.ts"
import { noted } from "../log/call-log.ts"
import { pathOf } from "../log/logged-path.ts"
import { routeName } from "../metrics/route-names.ts"
import { contextOfCall, spanOfCall } from "../metrics/spans.ts"
import type { AccessParts, ClientParts, CoreParts, OperationParts } from "../service-parts.ts"
import { bearerOf, isOfAccount } from "./access.ts"
import { maxAnonymousCallers } from "./calls-in-progress.ts"
import { compressed } from "./compress.ts"
import { confine } from "./content-policy.ts"
import { openRefusal } from "./cors.ts"
import { errorBody } from "./errors.ts"
import { nearestRoute } from "./nearest-route.ts"
import { logFailure } from "./store-error.ts"
import { passOverRest } from "./unread-body.ts"

/**
 * Wraps the application: assigns a request ID, logs, compresses the response, and turns 404 into
 * 405 if only the method is wrong.
 */
export function wrapCalls(
  app: AnyElysia,
  service: CoreParts & ClientParts & AccessParts & OperationParts,
  /** Responds to frequent requests without waiting; undefined for all others. */
  direct: (request: Request) => Response | undefined,
): AnyElysia {
  type Handle = (request: Request) => Promise<Response>
  const { running, keys } = service
  const wrapped = (routed: Handle): Handle => {
    const handle = async (request: Request) => {
      const response = await routed(request)
      const right = response.status === 404 ? refuseMethod(app, request) : undefined
      return passedOver(request, right ?? response)
    }
    const reply = async (request: Request): Promise<Response> => {
      if (isPlainHealthCheck(request)) return handle(withHost(request))
      if (!hasHost(request)) return passedOver(request, hostMissing())
      if (!isReadable(pathOf(request.url))) return passedOver(request, unreadablePath())
      // Health checks get a response even if they share an attacker's IP address.
      if (watched.test(pathOf(request.url))) return handle(request)
      const key = bearerOf(request)
      if (key !== undefined && keys.fresh(key)) return handle(request)
      const call = { request, set: { headers: {} }, server: app.server }
      const enters = running.enter(request, service.callerKey(call))
      if (!enters && !(await isOfAccount(service, call))) {
        return passedOver(request, tooManyRunning(), gracePeriodMs)
      }
      try {
        return await handle(request)
      } finally {
        running.leave(request)
      }
    }
    const watch = (
      request: Request,
      status: number,
      started: number,
      context: SpanContext | undefined,
    ) => {
      const { metrics, traces } = service
      const { method, url } = request
      const route = routeName(app, method, pathOf(url))
      const ms = performance.now() - started
      metrics?.called(method, route, status, ms / 1000)
      const endMs = Date.now()
      const facts = factsOf(request)
      if (!context) return
      traces?.add(
        spanOfCall({ context, request, route, status, startMs: endMs - ms, endMs, facts }),
      )
    }
    const route = async (request: Request, started: number): Promise<Response> => {
      const context = service.traces && contextOfCall(request)
      let response = await (context ? duringCall(context, () => reply(request)) : reply(request))
      openRefusal(request, response)
      response = await compressed(request, response, (error) =>
        logFailure(service, error, request.url),
      )
      return finished(request, response, started, context)
    }
    const finished = (
      request: Request,
      response: Response,
      started: number,
      context?: SpanContext,
    ): Response => {
      confine(response)
      if (service.metrics || service.traces) watch(request, response.status, started, context)
      return noted(service.log, request, response, started)
    }
    return ((request: Request) => {
      const started = performance.now()
      const response = service.traces ? undefined : direct(request)
      return response ? finished(request, response, started) : route(request, started)
    }) as Handle
  }
  // Elysia calls this for each request; `handle` is the same for all requests of a route.
  const made = new WeakMap<Handle, Handle>()
  const once = (handle: Handle): Handle => {
    const known = made.get(handle) ?? wrapped(handle)
    made.set(handle, known)
    return known
  }
  // Elysia's type for this accepts functions of any kind.
  return app.wrap(once as never)
}

/**
 * Time to receive the body of a call over the limit. A reverse proxy has it already; others must
 * not wait.
 */
const gracePeriodMs = 1000

async function passedOver(request: Request, response: Response, waitMs?: number) {
  await passOverRest(request, response, waitMs)
  return response
}

const watched = /^\/(?:(?:health|ready)z|metrics)$/
const hostForm = /^(?:[\w.~-]+|\[[\da-f:.]+\])(?::\d{1,5})?$/i

/**
 * Whether the request has a host. Without one, its URL cannot be parsed, and no links can be made.
 */
function hasHost({ url, headers }: Request): boolean {
  const host = headers.get("host")
  return !url.startsWith("/") && (host === null || hostForm.test(host))
}

/** A health check by HTTP/1.0, which may omit Host; its response contains no links. */
const isPlainHealthCheck = ({ url, headers }: Request) =>
  headers.get("host") === null && url.startsWith("/") && watched.test(pathOf(url))

const withHost = ({ url, method, headers }: Request) =>
  new Request(`http://localhost${url}`, { method, headers })

function hostMissing(): Response {
  return Response.json(
    errorBody(400, "The header Host must contain a host name, for example example.com:8080."),
    {
      status: 400,
    },
  )
}

/** Paths that contain a page's URL as it is, in which % may be unencoded. */
const holdsUrl = /^\/[rs]\//

/**
 * Whether each % of a path starts a valid encoded character. Otherwise the router passes null
 * instead of a string.
 */
function isReadable(path: string): boolean {
  if (!path.includes("%") || holdsUrl.test(path)) return true
  try {
    decodeURIComponent(path)
    return true
  } catch {
    return false
  }
}

function unreadablePath(): Response {
  const message =
    "The path contains a % that does not start an encoded UTF-8 character; write % itself as %25."
  return Response.json(errorBody(400, message), { status: 400 })
}

function tooManyRunning(): Response {
  const message = `Too many concurrent requests from this IP address (${maxAnonymousCallers}). Retry in 5 s.`
  return Response.json(errorBody(429, message), {
    status: 429,
    headers: { "retry-after": "5", connection: "close" },
  })
}

const methods = ["GET", "POST", "PUT", "PATCH", "DELETE"]

/** A 405 response, or 204 for OPTIONS; undefined if no method or this method has the path. */
function refuseMethod(app: AnyElysia, request: Request): Response | undefined {
  // A trailing slash is ignored.
  const path = pathOf(request.url).replace(/(?<=.)\/$/, "")
  const { router } = app
  const fixed: object = router.static[path] ?? {}
  const allowed = methods.filter((method) => method in fixed || router.http.find(method, path))
  const requested = request.method === "HEAD" ? "GET" : request.method
  if (allowed.length === 0 || allowed.includes(requested)) return undefined
  const allow = allowed.flatMap((method) => (method === "GET" ? ["GET", "HEAD"] : [method]))
  if (request.method === "OPTIONS" && !request.headers.has("access-control-request-method")) {
    return new Response(null, { status: 204, headers: { allow: [...allow, "OPTIONS"].join(", ") } })
  }
  const near = nearestRoute(app, requested, path) ?? nearestRoute(app, requested, dirname(path))
  const suggestion = near ? ` Did you mean ${requested} ${near}?` : ""
  return Response.json(
    errorBody(
      405,
      `${request.method} is not supported here; use ${allow.join(" or ")}.${suggestion}`,
    ),
    { status: 405, headers: { allow: allow.join(", ") } },
  )
}
