import type { KeylessResponse } from "../keyless/response.ts"
import text from "./examples.json" with { type: "text" }
import { linksOf } from "./links.ts"

/** An input and an item of a scraper's recorded case, written by `scripts/list-examples.ts`. */
export interface Example {
  input: Record<string, unknown>
  item: Record<string, unknown>
}

let known: Record<string, Example> | undefined

/** Loaded at the first use: only the OpenAPI document needs them. */
export function exampleOf(slug: string): Example | undefined {
  known ??= JSON.parse(text as unknown as string) as Record<string, Example>
  return known[slug]
}

const visibleSlug = "pypi-package-scraper"

export function visibleItems(): Record<string, unknown>[] {
  const example = exampleOf(visibleSlug)
  return example ? [example.item] : []
}

/** A keyless call with items. */
export function maxVisibleResponse(): KeylessResponse {
  const items = visibleItems()
  return {
    status: "SUCCEEDED",
    tool: visibleSlug,
    input: JSON.stringify(exampleOf(visibleSlug)?.input ?? {}),
    itemCount: items.length,
    items,
    agentId: "agent_7f3a1c",
    free: { limit: 25, used: 1, remaining: 24, resetsAt: "2026-02-01T00:00:00.000Z" },
    links: linksOf("http://127.0.0.1:8080"),
  }
}
