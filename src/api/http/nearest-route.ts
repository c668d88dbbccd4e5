import type { AnyElysia } from "elysia"
import { nearest } from "../../base/nearest.ts"

/** Longer paths are not compared. */
const maxPathLength = 200

/**
 * Returns the API route that a path was probably meant to be, with the path's own IDs: one with a
 * single misspelt segment, or one with the same end (`/scrape`, `/api/scrape`).
 */
export function nearestRoute(app: AnyElysia, method: string, path: string): string | undefined {
  const segments = path.split("/").filter(Boolean)
  if (path.length > maxPathLength || segments.length === 0) return undefined
  const routes = app.routes.filter((route) => route.path.startsWith("/api/"))
  const paths = [...new Set(routes.filter((route) => route.method === method).map(pathOf))]
  // A path of another method is not misspelt.
  const isSpelt = routes.some((route) => pathOf(route) === path)
  const misspelt = isSpelt ? undefined : withOneSegment(segments, paths)
  if (misspelt) return misspelt
  const end = `/${segments.at(-1)}`
  const ending = paths.filter((route) => route !== path && route.endsWith(end))
  return ending.sort((a, b) => a.length - b.length)[0]
}

const pathOf = ({ path }: { path: string }) => path

/** The route that differs in a few letters of one segment. */
function withOneSegment(segments: readonly string[], paths: readonly string[]) {
  let best: { path: string; length: number } | undefined
  for (const path of paths) {
    const parts = path.split("/").filter(Boolean)
    if (parts.length !== segments.length) continue
    const filled = parts.map((part, at) => (part.startsWith(":") ? segments[at]! : part))
    const others = filled.filter((part, at) => part !== segments[at])
    const own = segments.filter((segment, at) => segment !== filled[at])[0]
    if (others.length !== 1 || !own || !nearest(own, others)) continue
    const length = Math.abs(others[0]!.length - own.length)
    if (!best || length < best.length) best = { path: `/${filled.join("/")}`, length }
  }
  return best?.path
}
