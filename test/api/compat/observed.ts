import { appendFileSync } from "node:fs"

/**
 * The result of a call, from which docs/guide/use/compatibility.md is generated
 * (scripts/list-compatibility.ts).
 */
export type ScrapeError = "answered" | "refused"

/**
 * File in which calls are recorded, if it is set. Not named TRAWL_…, because Trawl rejects settings
 * that it does not know.
 */
const path = process.env.COMPATIBILITY_CALLS

/**
 * Records a call of a route, a method or a header by its name in docs/guide/use/compatibility.md.
 */
export function note(kind: string, name: string, outcome: ScrapeError): void {
  if (path) appendFileSync(path, `${JSON.stringify([kind, name, outcome])}\n`)
}

/** Converts a pattern such as `/v2/crawl/:id` to a regular expression. */
const expression = (pattern: string) =>
  new RegExp(
    `^${pattern
      .replace(/[.+?^${}()|[\]\\]/g, "\\$&")
      .replace(/:\w+/g, "[^/]+")
      .replace(/\*/g, ".*")}$`,
  )

/** Returns the route that matches a path: the one with the fewest parameters. */
function routeOf(
  routes: readonly { method: string; path: string }[],
  method: string,
  path: string,
) {
  const names = (one: string) => one.split(/[:*]/).length
  return routes
    .filter((route) => [method, "ALL"].includes(route.method) && expression(route.path).test(path))
    .sort((a, b) => names(a.path) - names(b.path))[0]
}

const isReader = /^\/(?:[rs]\/|https?:|$)/

/** Records the route of a request and, for Jina's reader, its headers. */
export async function noteCall(
  routes: readonly { method: string; path: string }[],
  request: Request,
  response: Response,
): Promise<void> {
  if (!path) return
  const { pathname } = new URL(request.url)
  const { method } = request
  const isJson = response.headers.get("content-type")?.includes("json")
  const text = isJson && response.status >= 400 ? await response.clone().text() : ""
  const isRefused = response.status === 400 && text.includes("is not supported")
  const outcome = response.status < 400 ? "answered" : isRefused ? "refused" : undefined
  const route = /^\/https?:/.test(pathname)
    ? { method: "GET", path: "/https://example.com/page?x=1" }
    : routeOf(routes, method, pathname)
  if (route && outcome) note("call", `${route.method} ${route.path}`, outcome)
  if (!isReader.test(pathname)) return
  const ignored = response.headers.get("x-warning") ?? ""
  for (const [name, value] of request.headers) {
    const isRequested = name === "accept" ? value !== "*/*" : name.startsWith("x-")
    // There is no Chrome in these tests: an error that asks for it means that the option was
    // accepted.
    const isReceived = outcome === "answered" || text.includes("needs Chrome")
    if (!isRequested || (!isReceived && !isRefused)) continue
    note("header", name, isRefused || ignored.includes(name) ? "refused" : "answered")
  }
}

type Methods = Record<string, unknown>

/**
 * Wraps a client so that calls of its methods are recorded, those of its parts by the parts' names.
 */
export function observed<C extends object>(
  client: C,
  kind: string,
  nameOf: (part: object) => string | undefined = () => undefined,
): C {
  if (!path) return client
  const part = nameOf(client)
  return new Proxy(client, {
    get(target, property) {
      const value = (target as Methods)[property as string]
      if (typeof property !== "string") return value
      if (typeof value === "object" && value !== null && property === "v1") {
        return observed(value, kind, nameOf)
      }
      if (typeof value !== "function") return value
      const name = part === undefined ? property : `${part}.${property}`
      return (...provided: unknown[]) => {
        const made: unknown = value.apply(target, provided)
        if (made instanceof Promise) {
          made.then(
            (value) => {
              // Clients return undefined for a 404.
              const isThere = value !== undefined || !/(?:^|\.)get/.test(name)
              if (isThere) note(kind, name, "answered")
            },
            () => {},
          )
          return made
        }
        const isPart = typeof made === "object" && made !== null && nameOf(made) !== undefined
        note(kind, name, "answered")
        return isPart ? observed(made, kind, nameOf) : made
      }
    },
  })
}
