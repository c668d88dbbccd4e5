import { type AnyScraper, type InputFault, mostFaults } from "../../catalogue/kit/index.ts"
import { fault } from "../http/body.ts"
import { invalid } from "../http/errors.ts"
import type { Service } from "../service.ts"
import { checkRunInput } from "../v1/run-input.ts"
import { scraperOfRecipes } from "./own-scrapers.ts"
import { PatternError, urlPattern } from "./pattern.ts"
import { type Recipe, type RecipeInput, recipeScraper } from "./recipe-scraper.ts"

const mostCharacters = 16_000

/** What a recipe is to be, and can: its input as it is stored. @throws ApiError 400 */
export function checkedRecipe(
  service: Service,
  { input: raw, ...recipe }: Omit<Recipe, "input"> & { input: RecipeInput },
): string {
  const faults: InputFault[] = []
  if (service.scraper(recipe.slug)) {
    const message = `"${recipe.slug}" is a scraper of the catalogue.`
    faults.push({ ...fault("slug", message, "another slug"), actual: recipe.slug })
  }
  const example = exampleOf(recipe.pattern, faults)
  if (JSON.stringify(raw).length > mostCharacters) {
    const expected = `at most ${mostCharacters} characters of JSON`
    faults.push(fault("input", `"input" must have ${expected}.`, expected))
  } else if (faults.length === 0) {
    const web = service.scraper(scraperOfRecipes)!
    const given = withoutNulls(raw)
    const checked = checkRunInput(web, { fields: [], urls: [example], ...given })
    if (!checked.ok) faults.push(...within(checked.faults))
    else {
      const input = JSON.stringify({ fields: [], ...given })
      if (given.urls) faults.push(...outside(recipeScraper({ ...recipe, input }, web), given.urls))
      if (faults.length === 0) return input
    }
  }
  throw invalid(faults.slice(0, mostFaults), "body")
}

function exampleOf(pattern: string, faults: InputFault[]): string {
  try {
    return urlPattern(pattern).example
  } catch (error) {
    if (!(error instanceof PatternError)) throw error
    const message = `"pattern" cannot be read: ${error.message}.`
    const expected = "a host and a path, as shop.example/products/*"
    faults.push({ ...fault("pattern", message, expected), actual: pattern })
    return ""
  }
}

/** Addresses of its own that are none of its pattern's. */
function outside(recipe: AnyScraper, urls: string[]): InputFault[] {
  const checked = checkRunInput(recipe, { urls })
  return checked.ok ? [] : within(checked.faults)
}

const within = (faults: InputFault[]) =>
  faults.map((fault) => ({
    ...fault,
    field: fault.field === "" ? "input" : `input.${fault.field}`,
  }))

const withoutNulls = (input: RecipeInput): RecipeInput =>
  Object.fromEntries(Object.entries(input).filter(([, value]) => value !== null))
