import type { AnyScraper } from "../../catalogue/kit/index.ts"
import { listRecipes, type RecipeRow, recipeBySlug } from "../../store/automation/recipes.ts"
import type { Db } from "../../store/db/database.ts"
import { recipeScraper } from "./recipe-scraper.ts"

/** Maximum recipes of an account. */
export const maxRecipes = 100

/** The scraper that recipes use. */
export const scraperOfRecipes = "web-scraper"

/** The catalogue, and the store of the recipes. */
interface Parts {
  scraper(slug: string): AnyScraper | undefined
  store: { db: Db }
}

/** The recipes of an account as scrapers, newest first. */
export async function ownScrapers(parts: Parts, accountId: string): Promise<AnyScraper[]> {
  const page = { limit: maxRecipes, offset: 0 }
  const { rows } = await listRecipes(parts.store.db, accountId, page)
  return rows.map((row) => asScraper(parts, row))
}

/** A scraper of the catalogue or of the account. */
export async function scraperFor(
  parts: Parts,
  accountId: string,
  slug: string,
): Promise<AnyScraper | undefined> {
  const known = parts.scraper(slug)
  if (known) return known
  const recipe = await recipeBySlug(parts.store.db, accountId, slug)
  return recipe && asScraper(parts, recipe)
}

const asScraper = (parts: Parts, recipe: RecipeRow): AnyScraper =>
  recipeScraper(recipe, parts.scraper(scraperOfRecipes)!)
