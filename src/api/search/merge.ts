import { normaliseUrl } from "../../extract/links/index.ts"
import type { Hit } from "./engines.ts"

/** A result with the engines that returned it. */
export interface MergedHit extends Hit {
  /** Names of the engines, in the order of their ranks. */
  engines: string[]
  /** Sum of the reciprocal ranks. */
  score: number
}

/** The ranks of one engine. */
export interface RankedHits {
  engine: string
  hits: readonly Hit[]
}

/** Dampens the first ranks: a result of two engines comes before the first result of one. */
const rankOffset = 60

/**
 * Merges the results of several engines by reciprocal rank fusion. URLs of the same page are one
 * result, with the longest snippet and the earliest title.
 */
export function mergedHits(lists: readonly RankedHits[]): MergedHit[] {
  const byPage = new Map<string, MergedHit & { best: number }>()
  for (const { engine, hits } of lists) {
    const counted = new Set<string>()
    for (const hit of hits) {
      const key = pageKey(hit.url)
      if (counted.has(key)) continue
      counted.add(key)
      const rank = counted.size
      const score = 1 / (rankOffset + rank)
      const known = byPage.get(key)
      if (!known) {
        byPage.set(key, { ...hit, engines: [engine], score, best: rank })
        continue
      }
      known.score += score
      if (rank < known.best) known.engines.unshift(engine)
      else known.engines.push(engine)
      known.best = Math.min(known.best, rank)
      known.publishedAt ??= hit.publishedAt
      if (known.title === "") known.title = hit.title
      if (hit.snippet.length > known.snippet.length) known.snippet = hit.snippet
      if (hit.url.startsWith("https:") && known.url.startsWith("http:")) known.url = hit.url
    }
  }
  return [...byPage.values()]
    .sort((a, b) => b.score - a.score || a.best - b.best)
    .map(({ best: _, ...hit }) => ({ ...hit, score: Math.round(hit.score * 1e6) / 1e6 }))
}

/** Returns one key for URLs of the same page, whatever the engine made of them. */
function pageKey(href: string): string {
  if (!URL.canParse(href)) return href
  const url = new URL(normaliseUrl(href))
  const host = url.host.replace(/^www\./, "").replace(/^(\w+)\.m\.(?=wikipedia\.org$)/, "$1.")
  const path = url.pathname.replace(/\/index\.(?:html?|php)$/i, "/").replace(/\/+$/, "")
  url.searchParams.sort()
  return `${host}${path}${url.search}`
}
