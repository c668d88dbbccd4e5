import { type AnyScraper, type InputIssue, maxIssues } from "../../catalogue/kit/index.ts"
import { issue } from "../http/body.ts"
import { invalid } from "../http/errors.ts"
import { checkRunInput } from "../schemas/run-input.ts"
import type { ScraperParts } from "../service-parts.ts"
import { scraperOfRecipes } from "./own-scrapers.ts"
import { PatternError, urlPattern } from "./pattern.ts"
import { type Recipe, type RecipeInput, recipeScraper } from "./recipe-scraper.ts"

const maxCharacters = 16_000

/** Validates a recipe and its input for storage. @throws ApiError 400 */
export function checkedRecipe(
  service: ScraperParts,
  { input: raw, ...recipe }: Omit<Recipe, "input"> & { input: RecipeInput },
): string {
  const issues: InputIssue[] = []
  if (service.scraper(recipe.slug)) {
    const message = `"${recipe.slug}" is a scraper of the catalogue; choose another slug.`
    issues.push({ ...issue("slug", message, "another slug"), actual: recipe.slug })
  }
  const example = exampleOf(recipe.pattern, issues)
  if (JSON.stringify(raw).length > maxCharacters) {
    const expected = `at most ${maxCharacters} characters of JSON`
    issues.push(issue("input", `"input" must have ${expected}.`, expected))
  } else if (issues.length === 0) {
    const web = service.scraper(scraperOfRecipes)!
    const provided = withoutNulls(raw)
    const checked = checkRunInput(web, { fields: [], urls: [example], ...provided })
    if (!checked.ok) issues.push(...within(checked.issues))
    else {
      const input = JSON.stringify({ fields: [], ...provided })
      if (provided.urls)
        issues.push(...outside(recipeScraper({ ...recipe, input }, web), [provided.urls].flat()))
      if (issues.length === 0) return input
    }
  }
  throw invalid(issues.slice(0, maxIssues), "body")
}

function exampleOf(pattern: string, issues: InputIssue[]): string {
  try {
    return urlPattern(pattern).example
  } catch (error) {
    if (!(error instanceof PatternError)) throw error
    const message = `"pattern" is not valid: ${error.message}.`
    const expected = "a host and a path, for example shop.example/products/*"
    issues.push({ ...issue("pattern", message, expected), actual: pattern })
    return ""
  }
}

/** The issues of URLs in the input that do not match the pattern. */
function outside(recipe: AnyScraper, urls: string[]): InputIssue[] {
  const checked = checkRunInput(recipe, { urls })
  return checked.ok ? [] : within(checked.issues)
}

const within = (issues: InputIssue[]) =>
  issues.map((issue) => ({
    ...issue,
    field: issue.field === "" ? "input" : `input.${issue.field}`,
  }))

const withoutNulls = (input: RecipeInput): RecipeInput =>
  Object.fromEntries(Object.entries(input).filter(([, value]) => value !== null))
