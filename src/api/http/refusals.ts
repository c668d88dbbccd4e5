import { type AnyElysia, Elysia } from "elysia"
import { briefText } from "../../catalogue/kit/index.ts"
import { pathOf } from "../log/logged-path.ts"
import type { Service } from "../service.ts"
import { sentWith } from "./body.ts"
import type { Judged } from "./contract.ts"
import { ApiError, errorBody, InvalidPart, invalidBoth } from "./errors.ts"
import { nearestRoute } from "./nearest-route.ts"
import { escapeHtml, htmlPage, pageHeaders } from "./page.ts"
import { queryOf } from "./query.ts"
import { logFailure, storeIssue } from "./store-fault.ts"

/** Whatever goes wrong with a call becomes the one body of all refusals. */
export function refusals(service: Service, app: () => AnyElysia): AnyElysia {
  const { base } = service
  const hint = (pathname: string) =>
    base !== "" && `${pathname}/`.startsWith(`${base}/`)
      ? ` The reverse proxy has to take ${base} off before it passes a call on.`
      : ""
  return new Elysia({ name: "refusals" })
    .onError({ as: "global" }, ({ error: thrown, code, request, route, set }) => {
      // What is thrown while a body is read comes inside an error of Elysia.
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
        if (isVisit(request)) {
          return missingPage(base, `There is no page ${briefText(path, 200)}.${hint(path)}`)
        }
        const near = nearestRoute(app(), request.method, path)
        const meant = near ? ` Did you mean ${request.method} ${base}${briefText(near, 200)}?` : ""
        const message = `There is no ${request.method} ${briefText(path, 200)}.${hint(path)}${meant} All routes are listed at ${base}/docs.md.`
        return errorBody(404, message)
      }
      const status = code === "INVALID_COOKIE_SIGNATURE" ? 400 : 500
      set.status = status
      if (status === 400) return errorBody(400, "The request cannot be read.")
      logFailure(service, error, request.url)
      return errorBody(500, "The service failed; its log says why.")
    })
    .as("global")
}

/** Somebody who opens an address in a browser; programs ask for what is under /api. */
function isVisit({ method, headers, url }: Request): boolean {
  const isRead = method === "GET" || method === "HEAD"
  return isRead && !!headers.get("accept")?.includes("text/html") && !/^\/api\b/.test(pathOf(url))
}

function missingPage(base: string, message: string): Response {
  const methods = [
    ["/", "The front page"],
    ["/scrapers", "All scrapers"],
    ["/signup", "Sign in or sign up"],
    ["/docs", "The reference"],
  ].map(([path, name]) => `<li><a href="${base}${path}">${name}</a></li>`)
  const body = `<h1>No such page</h1><p>${escapeHtml(message)}</p><ul>${methods.join("")}</ul>`
  const html = htmlPage({ title: "No such page · Trawl", base, narrow: true }, body)
  return new Response(html, { status: 404, headers: pageHeaders })
}

/** A call's other part is judged as well: Elysia stops at the first. */
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
  schema: Partial<Judged<unknown>> | undefined,
  raw: unknown,
): InvalidPart | undefined {
  try {
    schema?.judge?.(raw)
  } catch (error) {
    if (error instanceof InvalidPart) return error
    throw error
  }
  return undefined
}
