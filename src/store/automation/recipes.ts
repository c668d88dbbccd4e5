import type { Insertable, Selectable } from "kysely"
import type { Db } from "../db/database.ts"
import { type Listed, listed, type Page } from "../db/page.ts"
import type { RecipesTable } from "../tables/automation-tables.ts"

export type RecipeRow = Selectable<RecipesTable>

/** `full`: the account has the maximum number of recipes; `taken`: another recipe has this name. */
export type Stored = "kept" | "full" | "taken"

export async function createRecipe(
  db: Db,
  { maximum: max, ...recipe }: Insertable<RecipesTable> & { maximum: number },
): Promise<Stored> {
  const { total } = await listRecipes(db, recipe.account_id, { limit: 1, offset: 0 })
  if (total >= max) return "full"
  const made = await db
    .insertInto("recipes")
    .values(recipe)
    .onConflict((conflict) => conflict.doNothing())
    .returning("id")
    .executeTakeFirst()
  return made ? "kept" : "taken"
}

export async function changeRecipe(db: Db, recipe: RecipeRow): Promise<Stored> {
  const { id, account_id: accountId, created_at: _, ...set } = recipe
  const other = await recipeBySlug(db, accountId, recipe.slug)
  if (other && other.id !== id) return "taken"
  await db
    .updateTable("recipes")
    .set(set)
    .where("id", "=", id)
    .where("account_id", "=", accountId)
    .execute()
  return "kept"
}

/** Returns whether the recipe existed. */
export async function deleteRecipe(
  db: Db,
  { id, accountId }: { id: string; accountId: string },
): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom("recipes")
    .where("id", "=", id)
    .where("account_id", "=", accountId)
    .executeTakeFirstOrThrow()
  return numDeletedRows > 0n
}

export async function recipeById(
  db: Db,
  { id, accountId }: { id: string; accountId: string },
): Promise<RecipeRow | undefined> {
  return db
    .selectFrom("recipes")
    .selectAll()
    .where("id", "=", id)
    .where("account_id", "=", accountId)
    .executeTakeFirst()
}

export async function recipeBySlug(
  db: Db,
  accountId: string,
  slug: string,
): Promise<RecipeRow | undefined> {
  return db
    .selectFrom("recipes")
    .selectAll()
    .where("account_id", "=", accountId)
    .where("slug", "=", slug)
    .executeTakeFirst()
}

/** Returns the account's recipes, newest first. */
export async function listRecipes(
  db: Db,
  accountId: string,
  page: Page,
): Promise<Listed<RecipeRow>> {
  return listed(
    db.selectFrom("recipes").where("account_id", "=", accountId).selectAll(),
    page,
    "id",
  )
}

/**
 * Returns a text that changes with each created, changed or deleted recipe of the account; ""
 * without recipes.
 */
export async function recipesVersion(db: Db, accountId: string): Promise<string> {
  const { total, latest } = await db
    .selectFrom("recipes")
    .where("account_id", "=", accountId)
    .select((row) => [
      row.fn.countAll<number>().as("total"),
      row.fn.max<string | null>("updated_at").as("latest"),
    ])
    .executeTakeFirstOrThrow()
  return latest === null ? "" : `${total} ${latest}`
}
