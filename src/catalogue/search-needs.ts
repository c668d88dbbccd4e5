import text from "./needs.txt" with { type: "text" }

interface Needs {
  /** Needs that the scraper serves, in words of its subject: "who owns a domain". */
  needs: readonly string[]
  /** Goals of people who do not know these words: "is this shop a fraud". They weigh less. */
  goals: readonly string[]
}

let bySlug: ReadonlyMap<string, Needs> | undefined

/**
 * Returns what users of a scraper want, which a search compares with a query. No caller sees it. In needs.txt
 * a scraper's needs are indented by two spaces, its goals by four.
 */
export function needsOf(slug: string): Needs {
  bySlug ??= new Map(
    text.split("\n\n").map((block): [string, Needs] => {
      const [scraper = "", ...lines] = block.trimEnd().split("\n")
      const indentedBy = (spaces: number) =>
        lines.filter((line) => line.search(/\S/) === spaces).map((line) => line.slice(spaces))
      return [scraper, { needs: indentedBy(2), goals: indentedBy(4) }]
    }),
  )
  return bySlug.get(slug) ?? { needs: [], goals: [] }
}
