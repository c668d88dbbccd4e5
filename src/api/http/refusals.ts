import { type AnyElysia, Elysia } from "elysia"
import { briefText, maxIssues } from "../../catalogue/kit/index.ts"
import { pathOf } from "../log/logged-path.ts"
import type { CoreParts } from "../service-parts.ts"
import { sentWith } from "./body.ts"
import type { Validating } from "./contract.ts"
import { ApiError, errorBody, InvalidPart, invalid, invalidBoth } from "./errors.ts"
import { nearestRoute } from "./nearest-route.ts"
import { escapeHtml, htmlPage, pageHeaders } from "./page.ts"
import { queryOf } from "./query.ts"
import { logFailure, storeIssue } from "./store-error.ts"

/** Converts every error of a request into an error response. */
export function refusals(service: CoreParts, app: () => AnyElysia): AnyElysia {
  const { base } = service
  const hint = (pathname: string) =>
    base !== "" && `${pathname}/`.startsWith(`${base}/`)
      ? ` Configure the reverse proxy to remove ${base} from the path before it forwards a request.`
      : ""
  let withoutQuery: ReadonlySet<string> | undefined
  return new Elysia({ name: "refusals" })
    .onBeforeHandle({ as: "global" }, ({ request, route }) => {
      if (!request.url.includes("?") || !route.startsWith("/api/v1/")) return
      withoutQuery ??= routesWithoutQuery(app())
      if (withoutQuery.has(nameOf(request.method, route))) refuseParameters(request)
    })
    .onError({ as: "global" }, ({ error: thrown, code, request, route, set }) => {
      // Errors thrown while a body is read are wrapped in an error of Elysia.
      const error = code === "PARSE" ? (thrown as Error).cause : thrown
      const refusal = error instanceof ApiError ? error : storeIssue(error)
      if (refusal) {
        const whole =
          refusal instanceof InvalidPart ? wholeOf(app(), refusal, request, route) : refusal
        if (whole.status === 404 && isVisit(request)) return missingPage(base, whole.message)
        Object.assign(set.headers, whole.headers)
        set.status = whole.status
        return errorBody(whole.status, whole.message, whole.details)
      }
      if (code === "NOT_FOUND") {
        set.status = 404
        const path = pathOf(request.url)
        const plain = plainPath(path)
        if (plain !== undefined) return movedTo(base + plain, request)
        if (isVisit(request)) {
          return missingPage(base, `There is no page at ${briefText(path, 200)}.${hint(path)}`)
        }
        const near = nearestRoute(app(), request.method, path)
        const suggestion = near
          ? ` Did you mean ${request.method} ${base}${briefText(near, 200)}?`
          : ""
        const message = `There is no ${request.method} ${briefText(path, 200)}.${hint(path)}${suggestion} All routes are listed at ${base}/docs.md.`
        return errorBody(404, message)
      }
      const status = code === "INVALID_COOKIE_SIGNATURE" ? 400 : 500
      set.status = status
      if (status === 400) return errorBody(400, "The request cannot be parsed.")
      logFailure(service, error, request.url)
      return errorBody(500, "Internal error; see the service's log.")
    })
    .as("global")
}

const nameOf = (method: string, path: string) => `${method === "HEAD" ? "GET" : method} ${path}`

/** The routes that have no query parameters. */
function routesWithoutQuery({ routes }: AnyElysia): Set<string> {
  const plain = routes.filter(({ hooks }) => !hooks?.query)
  return new Set(plain.map(({ method, path }) => nameOf(method, path)))
}

/** Refuses parameters that would otherwise be ignored. @throws InvalidPart */
function refuseParameters(request: Request): void {
  const names = [...new Set(queryOf(request).keys())].slice(0, maxIssues)
  if (names.length === 0) return
  throw invalid(
    names.map((name) => ({
      field: briefText(name),
      message: `This route has no query parameter "${briefText(name)}"; remove it.`,
      expected: "no query parameters",
      actual: briefText(queryOf(request).get(name) ?? ""),
    })),
    "query",
  )
}

/** Whether a user opens the URL in a browser; programs request what is under /api. */
function isVisit({ method, headers, url }: Request): boolean {
  const isRead = method === "GET" || method === "HEAD"
  return isRead && !!headers.get("accept")?.includes("text/html") && !/^\/api\b/.test(pathOf(url))
}

function missingPage(base: string, message: string): Response {
  const methods = [
    ["/", "The home page"],
    ["/scrapers", "All scrapers"],
    ["/signup", "Sign in or sign up"],
    ["/docs", "The reference"],
  ].map(([path, name]) => `<li><a href="${base}${path}">${name}</a></li>`)
  const body = `<h1>No such page</h1><p>${escapeHtml(message)}</p><ul>${methods.join("")}</ul>`
  const html = htmlPage({ title: "No such page · Trawl", base, narrow: true }, body)
  return new Response(html, { status: 404, headers: pageHeaders })
}

/** An encoded character that needs no encoding (RFC 3986, 6.2.2.2). */
const needlesslyEncoded = /%(?:2D|2E|5F|7E|3[0-9]|[46][1-9A-F]|[57][0-9A])/gi

/** Returns the path without needless encoding; undefined if it has none. */
function plainPath(path: string): string | undefined {
  const plain = path.replace(needlesslyEncoded, (encoded) => decodeURIComponent(encoded))
  // Two leading slashes would name another host.
  return plain === path || path.startsWith("//") ? undefined : plain
}

function movedTo(path: string, { url }: Request): Response {
  const start = url.indexOf("?")
  const location = path + (start < 0 ? "" : url.slice(start))
  return new Response(null, { status: 308, headers: { location } })
}

/**
 * Validates the other part of the request as well, because Elysia stops at the first invalid part.
 */
function wholeOf(app: AnyElysia, first: InvalidPart, request: Request, route: string): ApiError {
  const hooks = app.routes.find(
    ({ method, path }) => method === request.method && path === route,
  )?.hooks
  if (first.part === "body") {
    const query = refusalOf(hooks?.query, queryOf(request))
    return query ? invalidBoth(query, first) : first
  }
  const sent = sentWith(request)
  const body = sent && refusalOf(hooks?.body, sent.body)
  return body ? invalidBoth(first, body) : first
}

function refusalOf(
  schema: Partial<Validating<unknown>> | undefined,
  raw: unknown,
): InvalidPart | undefined {
  try {
    schema?.validate?.(raw)
  } catch (error) {
    if (error instanceof InvalidPart) return error
    throw error
  }
  return undefined
}
