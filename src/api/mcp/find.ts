import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js"
import type { Static, TSchema } from "@sinclair/typebox"
import type { AnyScraper } from "../../catalogue/kit/index.ts"
import { ScraperSearch } from "../../catalogue/search.ts"
import { verificationOf } from "../../catalogue/verification.ts"
import { beginning, tokensOf } from "../items/tokens.ts"
import { exampleOf, parametersOf } from "../keyless/card.ts"
import { healthWords } from "../schemas/health-texts.ts"
import type { inputs } from "./tool-inputs.ts"
import type { ToolSet } from "./tool-set.ts"
import { type HealthOf, plain } from "./tools.ts"

const searches = new WeakMap<ToolSet, ScraperSearch>()
/** Maximum tokens per scraper in the result. */
const tokensEach = 280

/** The result of find_scrapers: scrapers with their inputs as text and, on request, as schemas. */
export function found(
  tools: ToolSet,
  { query, category, limit }: Static<typeof inputs.find_scrapers>,
): CallToolResult {
  const search = searches.get(tools) ?? new ScraperSearch(tools.scrapers)
  searches.set(tools, search)
  const { scrapers, isWeak } = search.rank(query, { limit, category })
  const isStructured = tools.filter.outputSchema
  const lines =
    isStructured && scrapers.length > 0
      ? [`Found ${scrapers.length}: ${scrapers.map(({ slug }) => slug).join(", ")}.`]
      : scrapers.map((scraper) => inWords(scraper, tokensEach, tools.healthOf))
  const tryFirst =
    scrapers.length === 0
      ? "No scraper fits; try other words."
      : isWeak && "Weak matches: check what they return."
  const otherWays =
    "search_web searches the web, read_page reads any page, and extract returns its data."
  const text = [...(tryFirst ? [`${tryFirst} ${otherWays}`] : []), ...lines].join("\n")
  const content = [{ type: "text" as const, text }]
  if (!isStructured) return { content }
  return {
    content,
    structuredContent: { scrapers: scrapers.map((scraper) => asData(scraper, tools.healthOf)) },
  }
}

function asData(scraper: AnyScraper, healthOf: HealthOf): Record<string, unknown> {
  const { slug, name, tagline, category, tier, notServed } = scraper
  const health = healthOf(slug)
  return {
    slug,
    name,
    tagline,
    category,
    tier,
    ...(notServed && { notServed }),
    verification: verificationOf(scraper),
    ...(health && { health }),
    inputSchema: plain(scraper.input),
    ...(hasExample(scraper) && { exampleInput: scraper.example }),
  }
}

/** A scraper and its inputs as short text; inputs that do not fit are counted. */
export function inWords(
  scraper: AnyScraper,
  tokens: number,
  healthOf: HealthOf = () => undefined,
): string {
  const { slug, tagline, category, notServed = [] } = scraper
  const health = healthOf(slug)
  const trouble = health ? healthWords(health) : ""
  const isUnverified = !verificationOf(scraper).verified
  const lines = [
    `${slug} (${category}${isUnverified ? ", unverified" : ""}): ${beginning(tagline, 40)}${trouble && ` ${trouble}`}`,
    `  returns ${fieldsOf(scraper)}`,
    ...(notServed.length > 0 ? [`  lacks: ${notServed.join(", ")}`] : []),
    ...(hasExample(scraper) ? [`  e.g. ${shortExampleOf(scraper)}`] : []),
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
  const own = scraper.own ? Object.keys(scraper.item.properties?.data?.properties ?? {}) : []
  const named = fields.map(([name]) => name)
  const names = own.length > 0 ? ["url", ...own] : named
  const text = [...new Set(names)].join(", ")
  const part = beginning(text, 30)
  return part.length < text.length ? `${part.slice(0, part.lastIndexOf(",") + 1)} …` : text
}

/** A recipe without a page has no example, because a made-up URL would be called. */
const hasExample = ({ example }: AnyScraper) => Object.keys(example).length > 0

/** The example of an input, if it is short: enough to show the form of a call. */
function shortExampleOf(scraper: AnyScraper): string {
  const text = exampleOf(scraper)
  return tokensOf(text) > 60 ? `${beginning(text, 60)}…` : text
}
