import { appendFileSync } from "node:fs"

/** What became of a call: docs/guide/use/compatibility.md is made of it (scripts/list-compatibility.ts). */
export type ScrapeError = "answered" | "refused"

/** File to which calls are noted; without it, nothing is. Not named TRAWL_…, because Trawl refuses settings that it does not know. */
const path = process.env.COMPATIBILITY_CALLS

/** Notes a call of a route, a method or a header by its name in docs/guide/use/compatibility.md. */
export function note(kind: string, name: string, outcome: ScrapeError): void {
  if (path) appendFileSync(path, `${JSON.stringify([kind, name, outcome])}\n`)
}

/** A pattern such as `/v2/crawl/:id` as an expression. */
const expression = (pattern: string) =>
  new RegExp(
    `^${pattern
      .replace(/[.+?^${}()|[\]\\]/g, "\\$&")
      .replace(/:\w+/g, "[^/]+")
      .replace(/\*/g, ".*")}$`,
  )

/** The route that takes a path: that with the fewest parameters. */
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

/** Notes the route and, of Jina's form, the headers of a call. */
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
    // There is no Chrome in these tests: what needs it was heard.
    const isReceived = outcome === "answered" || text.includes("needs Chrome")
    if (!isRequested || (!isReceived && !isRefused)) continue
    note("header", name, isRefused || ignored.includes(name) ? "refused" : "answered")
  }
}

type Methods = Record<string, unknown>

/** A client whose methods are noted, those of its parts by the parts' names. */
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
              // Clients make nothing of a 404.
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
