import type { AnyElysia } from "elysia"

/**
 * A call's route, with the names of its parameters in their places; `other` where there is none, so
 * that strangers make no names.
 */
export function routeName({ router }: AnyElysia, method: string, path: string): string {
  const requested = method === "HEAD" ? "GET" : method
  const fixed: object = router.static[path] ?? {}
  if (requested in fixed) return path
  const found = router.http.find(requested, path)
  if (!found) return "other"
  let name = path
  for (const [parameter, value] of Object.entries(found.params)) {
    name = name.replace(`/${value}`, `/:${parameter}`)
  }
  return name
}
