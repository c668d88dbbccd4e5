import goalsText from "./goals.txt" with { type: "text" }

let bySlug: ReadonlyMap<string, readonly string[]> | undefined

/**
 * Returns the goals of people who do not know a scraper's words. They are compared with a query only,
 * and never shown: what a scraper serves is in its definition.
 */
export function goalsOf(slug: string): readonly string[] {
  bySlug ??= new Map(
    goalsText.split("\n\n").map((block) => {
      const [scraper = "", ...goals] = block.trim().split(/\n */)
      return [scraper, goals]
    }),
  )
  return bySlug.get(slug) ?? []
}
