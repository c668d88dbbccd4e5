import { messageOf } from "../../base/error-message.ts"
import { nearest } from "../../base/nearest.ts"
import { findSlug } from "../../catalogue/find.ts"
import {
  type AnyScraper,
  briefText,
  type InputIssue,
  inputFromQuery,
  maxIssues,
} from "../../catalogue/kit/index.ts"
import { checkRunInput } from "../schemas/run-input.ts"
import type { Service } from "../service.ts"
import type { ScraperParts } from "../service-parts.ts"
import { callOptions, callParameterNames, picksByFields } from "./call-options.ts"
import type { KeylessRequest } from "./calls.ts"
import { exampleOf } from "./card.ts"
import { type Alias, inCallersNames, invalidInput, KeylessError } from "./error.ts"

export type Mode =
  | { kind: "directory" }
  | { kind: "card"; scraper: AnyScraper }
  | { kind: "find"; need: string }
  | { kind: "run"; request: KeylessRequest }

/** Returns the kind of a `GET /api/scrape` call. @throws KeylessFault */
export function modeOf(service: ScraperParts, query: URLSearchParams): Mode {
  const provided = [...new Set(query.keys())].filter((name) => !callParameterNames.includes(name))
  if (provided.length === 0) return { kind: "directory" }
  const need = query.get("find")
  if (need !== null) return findMode(need, provided)
  const slug = query.get("scraper")
  if (slug !== null) return namedMode(service, slug, query, ["scraper"])
  if (!query.get("url")) {
    const words = searchWords.find((name) => query.has(name))
    if (words !== undefined) throw invalidInput([asFind(words, query.get(words)!)])
    throw invalidInput([
      ...misspelt(provided),
      {
        field: "url",
        message:
          "Set url (a page as Markdown), url and fields (your own extraction), scraper with its parameters, or find=<what you need> to find scrapers.",
        expected: "the URL of a page",
      },
    ])
  }
  if (query.has("fields") || inputHasFields(query)) return pageMode(service, "web-scraper", query)
  return pageMode(service, "url-to-markdown-scraper", query)
}

/** Names of search words in other APIs. */
const searchWords = ["q", "query", "search", "keyword", "keywords", "term", "text", "need"]

function asFind(name: string, value: string): InputIssue {
  const words = encodeURIComponent(briefText(value))
  const expected = `find=${words} to find a scraper, or /api/search?q=${words} to search the web`
  const message = `There is no parameter "${name}" here. Use ${expected}.`
  return { field: name, message, expected, actual: briefText(value) }
}

/** @throws KeylessFault */
function findMode(need: string, provided: readonly string[]): Mode {
  const expected = "what you need in your words, or the URL of a page"
  if (need.trim() === "" || need.length > maxNeed) {
    throw invalidInput([
      {
        field: "find",
        message: `"find" must be ${expected} of at most ${maxNeed} characters.`,
        expected,
        actual: briefText(need),
      },
    ])
  }
  const other = provided.find((name) => name !== "find")
  if (other === undefined) return { kind: "find", need }
  const field = briefText(other)
  const message = `"${field}" cannot be combined with "find": find a scraper first, then call it.`
  throw invalidInput([{ field, message, expected: "find alone" }])
}

const maxNeed = 2000

/** Whether the fields are in `input`. Invalid JSON is refused later. */
function inputHasFields(query: URLSearchParams): boolean {
  try {
    const input: unknown = JSON.parse(query.get("input") ?? "null")
    return typeof input === "object" && input !== null && "fields" in input
  } catch {
    return false
  }
}

/** Parameters that select the kind of call. */
const wants = ["url", "fields", "scraper", "find"]

function misspelt(provided: string[]): InputIssue[] {
  return provided.slice(0, maxIssues).flatMap((name) => {
    const near = wants.includes(name) ? undefined : nearest(name, wants)
    const message = `Unknown parameter "${briefText(name)}". Did you mean "${near}"?`
    return near ? [{ field: briefText(name), message, expected: near }] : []
  })
}

/**
 * A call of a scraper: its usage if there are no parameters, otherwise a run. @throws KeylessFault
 */
export function namedMode(
  service: ScraperParts,
  slug: string,
  query: URLSearchParams,
  reserved: readonly string[] = [],
): Mode {
  const scraper = findScraper(service, slug)
  const known = Object.keys(scraper.input.properties)
  const own = picksByFields(query, scraper) ? ["fields"] : []
  const apart = [...callParameterNames, ...own, ...reserved].filter((name) => !known.includes(name))
  if ([...query.keys()].every((name) => apart.includes(name))) return { kind: "card", scraper }
  const wanted = request(scraper, fromQuery(scraper, query, apart))
  return { kind: "run", request: { ...wanted, ...callOptions(query, scraper) } }
}

/** `url` sets the scraper's list of pages; its other inputs may be added. */
function pageMode(service: ScraperParts, slug: string, query: URLSearchParams): Mode {
  const scraper = findScraper(service, slug)
  const input = fromQuery(scraper, query, [...callParameterNames, "url"])
  const alias = { field: "urls", parameter: "url" }
  const whole = { urls: query.getAll("url"), ...input }
  const wanted = request(scraper, whole, { alias })
  return { kind: "run", request: { ...wanted, ...callOptions(query, scraper) } }
}

/** Scrapers by slug: those of the catalogue and an account's own. */
export type Registry = Pick<Service, "slugs" | "scraper">

/**
 * Finds a scraper by its slug or by unambiguous words. @throws KeylessFault with the nearest slugs
 */
export function findScraper(registry: Registry, slug: string, httpStatus = 400): AnyScraper {
  const match = findSlug(slug, registry.slugs)
  if ("slug" in match) return registry.scraper(match.slug)!
  const { near } = match
  const hint =
    near.length > 0
      ? ` Did you mean ${near.join(" or ")}?`
      : " Find one with /api/scrape?find=<your need>."
  throw invalidInput(
    [
      {
        field: "scraper",
        message: `There is no scraper "${briefText(slug)}".${hint}`,
        expected: near.length > 0 ? near.join(", ") : "a slug listed at /api/scrape",
        actual: briefText(slug),
      },
    ],
    httpStatus,
  )
}

function fromQuery(
  scraper: AnyScraper,
  query: URLSearchParams,
  reserved: readonly string[],
): Record<string, unknown> {
  try {
    return inputFromQuery(scraper.input, query, reserved)
  } catch (error) {
    const example = exampleOf(scraper)
    const actual = briefText(query.get("input") ?? "")
    const isOther = isJson(actual)
    const reason = isOther ? `, not ${actual}` : `: ${messageOf(error)}`
    throw invalidInput([
      {
        field: "input",
        message: `"input" must be a JSON object, for example ${example}${reason}.`,
        expected: `a URL-encoded JSON object, for example ${example}`,
        actual,
      },
    ])
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** Returns a request with a valid input. @throws KeylessFault */
export function request(
  scraper: AnyScraper,
  raw: unknown,
  answered: { tool?: string; inputText?: string; alias?: Alias } = {},
): KeylessRequest {
  const checked = checkRunInput(scraper, raw)
  const { alias } = answered
  if (!checked.ok) {
    const issues = checked.issues.map((issue) => withResponseParameters(scraper, issue))
    throw invalidInput(inCallersNames(issues, alias))
  }
  const { tool = scraper.slug, inputText = JSON.stringify(checked.input) } = answered
  return { scraper, input: checked.input, tool, inputText, ...(alias && { alias }) }
}

/** Names by which other APIs limit a response. */
const limits =
  /^(?:limit|max|count|size|top|first|page|perPage|per_page|pageSize|offset|columns|select|only)$/i

/** Names the parameters that limit the response, which are not inputs of the scraper. */
function withResponseParameters(scraper: AnyScraper, issue: InputIssue): InputIssue {
  const isInput = Object.hasOwn(scraper.input.properties, issue.field)
  if (isInput || !limits.test(issue.field)) return issue
  const hint = "For a smaller response, set pick (fields) or maxTokens."
  return { ...issue, message: `${issue.message} ${hint}` }
}

export function toolMissing(tool: string): KeylessError {
  return new KeylessError("ERROR", `The tool ${tool} is not included in this build.`)
}
