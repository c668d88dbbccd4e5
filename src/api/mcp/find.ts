import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js"
import type { Static, TSchema } from "@sinclair/typebox"
import { evidenceOf, evidenceWords } from "../../catalogue/evidence.ts"
import type { AnyScraper } from "../../catalogue/kit/index.ts"
import { parametersOf, requiredParams } from "../keyless/card.ts"
import { healthWords } from "../schemas/health-words.ts"
import { beginning, tokensOf } from "./tokens.ts"
import type { inputs } from "./tool-inputs.ts"
import type { ToolSet } from "./tool-set.ts"
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

  constructor(scrapers: readonly AnyScraper[]) {
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

  find(query: string, options: { limit: number; category?: string | undefined }): AnyScraper[] {
    const all = wordsOf(query)
    const telling = all.filter((word) => !idle.has(word))
    const wanted = new Set(telling.length > 0 ? telling : all)
    return this.index
      .filter(({ scraper }) => !options.category || scraper.category === options.category)
      .map((entry) => ({ ...entry, score: this.score(entry, wanted) }))
      .filter(({ score }) => score > 0)
      .sort((a, b) => b.score - a.score || a.scraper.slug.localeCompare(b.scraper.slug))
      .slice(0, options.limit)
      .map(({ scraper }) => scraper)
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

const finders = new WeakMap<ToolSet, ScraperFinder>()
/** Of one scraper that was found. */
const tokensEach = 280

/** The result of find_scrapers: scrapers with what they take, in words and, where asked for, as schemas. */
export function found(
  tools: ToolSet,
  { query, category, limit }: Static<typeof inputs.find_scrapers>,
): CallToolResult {
  const finder = finders.get(tools) ?? new ScraperFinder(tools.scrapers)
  finders.set(tools, finder)
  const scrapers = finder.find(query, { limit, category })
  const text = scrapers.map((scraper) => inWords(scraper, tokensEach, tools.healthOf)).join("\n")
  const content = [{ type: "text" as const, text: text || "No scraper fits; try other words." }]
  if (!tools.filter.outputSchema) return { content }
  return {
    content,
    structuredContent: { scrapers: scrapers.map((scraper) => asData(scraper, tools.healthOf)) },
  }
}

function asData(scraper: AnyScraper, healthOf: HealthOf): Record<string, unknown> {
  const { slug, name, tagline, category, tier } = scraper
  const health = healthOf(slug)
  return {
    slug,
    name,
    tagline,
    category,
    tier,
    evidence: evidenceOf(scraper),
    ...(health && { health }),
    inputSchema: plain(scraper.input),
    exampleInput: scraper.example,
  }
}

/** A scraper and its inputs in few words; what does not fit is named by its number. */
export function inWords(
  scraper: AnyScraper,
  tokens: number,
  healthOf: HealthOf = () => undefined,
): string {
  const { slug, tagline, category } = scraper
  const health = healthOf(slug)
  const trouble = health ? healthWords(health) : ""
  const lines = [
    `${slug} (${category}, ${evidenceWords(scraper)}): ${beginning(tagline, 40)}${trouble && ` ${trouble}`}`,
    `  gives ${fieldsOf(scraper)}`,
    `  e.g. ${exampleOf(scraper)}`,
  ]
  const parameters = parametersOf(scraper).sort((a, b) => Number(b.required) - Number(a.required))
  let left = tokens - tokensOf(lines.join("\n")) - 12
  for (const [index, parameter] of parameters.entries()) {
    const line = `  ${parameterLine(parameter)}`
    left -= tokensOf(line)
    if (left < 0) {
      lines.push(`  … ${parameters.length - index} more inputs`)
      break
    }
    lines.push(line)
  }
  return lines.join("\n")
}

function parameterLine(parameter: ReturnType<typeof parametersOf>[number]): string {
  const { name, type, required, description, allowedValues, default: value } = parameter
  const kind = allowedValues ? beginning(allowedValues.join("|"), 30) : type
  const preset = value === undefined || required ? "" : ` = ${beginning(JSON.stringify(value), 10)}`
  const sentence = required ? beginning(description, 50) : beginning(description, 20)
  return `${name}${required ? " (required)" : ""}: ${kind}${preset}. ${sentence}${sentence.length < description.length ? "…" : ""}`
}

function fieldsOf(scraper: AnyScraper): string {
  const forms: TSchema[] = scraper.item.anyOf ?? [scraper.item]
  const fields = forms.flatMap((form) => Object.entries((form.properties ?? {}) as typeof form))
  const names = fields.filter(([, field]) => !field.deprecated).map(([name]) => name)
  const text = [...new Set(names)].join(", ")
  const part = beginning(text, 30)
  return part.length < text.length ? `${part.slice(0, part.lastIndexOf(",") + 1)} …` : text
}

/** The example's required part, or its first field: enough to see the form of a call. */
function exampleOf(scraper: AnyScraper): string {
  const example = scraper.example as Record<string, unknown>
  const needed = requiredParams(scraper)
  const names = needed.length > 0 ? needed : Object.keys(example).slice(0, 1)
  const input = Object.fromEntries(names.map((name) => [name, example[name]]))
  const text = JSON.stringify(input)
  return tokensOf(text) > 60 ? `${beginning(text, 60)}…` : text
}
