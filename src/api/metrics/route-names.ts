import type { AnyElysia } from "elysia"

/**
 * Returns the route of a request with the names of its parameters; `other` if there is none, so that
 * anonymous callers cannot create metric labels.
 */
export function routeName({ router }: AnyElysia, method: string, path: string): string {
  const requested = method === "HEAD" ? "GET" : method
  const fixed: object = router.static[path] ?? {}
  if (requested in fixed) return path
  const route = router.http.find(requested, path)
  if (!route) return "other"
  let name = path
  for (const [parameter, value] of Object.entries(route.params)) {
    name = name.replace(`/${value}`, `/:${parameter}`)
  }
  return name
}
