import type { TSchema } from "@sinclair/typebox"
import { evidenceOf } from "../../catalogue/evidence.ts"
import { type AnyScraper, accessOf } from "../../catalogue/kit/index.ts"
import type { Health } from "../../engine/health/board.ts"
import { type HealthOf, plain } from "./tools.ts"

/** Where a word is found, and what that is worth. */
const weights = { slug: 6, name: 5, category: 3, tagline: 3, input: 1, item: 1 } as const

/** Words that say nothing of what is wanted. */
const idle = new Set(
  "a an and all any by data every find for from get give how i in info information is list me my of on or scrape scraper scraping search show that the this to want web website what with".split(
    " ",
  ),
)

interface Indexed {
  scraper: AnyScraper
  words: Record<keyof typeof weights, Set<string>>
}

/** A word without its plural, so that "reviews" finds "review". */
function stem(word: string): string {
  return word.length > 3 ? word.replace(/(?:ies)$/, "y").replace(/(?<!s)s$/, "") : word
}

function wordsOf(text: string): string[] {
  const spaced = text.replace(/([a-z])([A-Z])/g, "$1 $2").toLowerCase()
  return (spaced.match(/[\p{L}\p{N}]+/gu) ?? []).map(stem)
}

function fieldWords(schema: TSchema): Set<string> {
  const shapes: TSchema[] = schema.anyOf ?? [schema]
  const fields = shapes.flatMap((shape) =>
    Object.entries((shape.properties ?? {}) as Record<string, TSchema>),
  )
  return new Set(
    fields.flatMap(([name, { description, deprecated }]) => [
      ...wordsOf(name),
      ...(deprecated ? [] : wordsOf(description ?? "")),
    ]),
  )
}

/** Ranks scrapers by a query: rare words count more, and words of names more than those of fields. */
export class ScraperFinder {
  private readonly index: Indexed[]
  private readonly frequency = new Map<string, number>()

  constructor(
    scrapers: readonly AnyScraper[],
    private readonly healthOf: HealthOf = () => undefined,
  ) {
    this.index = scrapers.map((scraper) => ({
      scraper,
      words: {
        slug: new Set(wordsOf(scraper.slug)),
        name: new Set(wordsOf(scraper.name)),
        category: new Set(wordsOf(scraper.category)),
        tagline: new Set(wordsOf(scraper.tagline)),
        input: fieldWords(scraper.input),
        item: fieldWords(scraper.item),
      },
    }))
    for (const { words } of this.index) {
      for (const word of new Set(Object.values(words).flatMap((set) => [...set]))) {
        this.frequency.set(word, (this.frequency.get(word) ?? 0) + 1)
      }
    }
  }

  find(query: string, options: { limit: number; category?: string }): Record<string, unknown>[] {
    const all = wordsOf(query)
    const telling = all.filter((word) => !idle.has(word))
    const wanted = new Set(telling.length > 0 ? telling : all)
    return this.index
      .filter(({ scraper }) => !options.category || scraper.category === options.category)
      .map((entry) => ({ ...entry, score: this.score(entry, wanted) }))
      .filter(({ score }) => score > 0)
      .sort((a, b) => b.score - a.score || a.scraper.slug.localeCompare(b.scraper.slug))
      .slice(0, options.limit)
      .map(({ scraper }) => describe(scraper, this.healthOf(scraper.slug)))
  }

  private score({ words }: Indexed, wanted: Set<string>): number {
    let score = 0
    for (const word of wanted) {
      const rarity = Math.log(
        1 + this.index.length / (this.frequency.get(word) ?? this.index.length),
      )
      for (const [place, weight] of Object.entries(weights)) {
        if (words[place as keyof typeof weights].has(word)) score += weight * rarity
      }
    }
    return score
  }
}

function describe(scraper: AnyScraper, health: Health | undefined): Record<string, unknown> {
  const { slug, name, tagline, category, tier } = scraper
  return {
    slug,
    name,
    tagline,
    category,
    tier,
    access: accessOf(scraper),
    evidence: evidenceOf(scraper),
    ...(health && { health }),
    inputSchema: plain(scraper.input),
    itemSchema: plain(scraper.item),
    exampleInput: scraper.example,
  }
}
