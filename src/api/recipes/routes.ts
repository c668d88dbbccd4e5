import { type AnyElysia, Elysia } from "elysia"
import {
  listRecipes,
  type RecipeRow,
  recipeById,
  type Stored,
} from "../../store/automation/recipes.ts"
import { isScheduled } from "../../store/automation/schedules.ts"
import { newId } from "../../store/db/ids.ts"
import { checkDestination } from "../destinations/own-destinations.ts"
import { requireFullKey } from "../http/access.ts"
import { callContext } from "../http/context.ts"
import { requestSchema, responseSchema } from "../http/contract.ts"
import { ApiError, notFound, requireBelowLimit } from "../http/errors.ts"
import { operation } from "../http/operation.ts"
import { cursorListed, cursorListOf, cursorQuery, cursors, query } from "../schemas/common.ts"
import type { AccessParts, ClientParts, CoreParts, ScraperParts } from "../service-parts.ts"
import { requireSession } from "../sessions/check.ts"
import { checkedRecipe } from "./check.ts"
import { maxRecipes } from "./own-scrapers.ts"
import {
  newRecipeBody,
  recipeChange,
  recipeParams,
  recipeResponse,
  recipeSchema,
} from "./schema.ts"

/** Recipes: named extractions, which are scrapers of one account. */
export function recipeRoutes(
  service: CoreParts & ClientParts & AccessParts & ScraperParts,
): AnyElysia {
  const { store } = service
  return new Elysia({ prefix: "/api/v1" })
    .use(callContext(service))
    .model({
      Recipe: responseSchema(recipeSchema),
      RecipeList: responseSchema(cursorListOf(recipeSchema, "RecipeList")),
    })
    .post(
      "/recipes",
      async ({ accountId, body, root, set }) => {
        const now = new Date().toISOString()
        const { slug, name, pattern, description = null, session = null } = body
        await requireSession(store.db, accountId, session)
        const recipe = { id: newId("rcp"), slug, name, description, pattern, session }
        const input = checkedRecipe(service, { ...recipe, input: body.input })
        const { destination = null } = body
        await checkDestination(service, accountId, destination)
        const times = { created_at: now, updated_at: now }
        const row = { ...recipe, account_id: accountId, input, destination, ...times }
        requireStored(await store.write("recipes.create", { ...row, maximum: maxRecipes }), row)
        set.status = 201
        return recipeResponse(row, root)
      },
      {
        account: true,
        root: true,
        json: true,
        body: requestSchema.body(newRecipeBody),
        response: { 201: "Recipe" },
        detail: operation({
          id: "createRecipe",
          tag: "Recipes",
          summary: "Save an extraction as a scraper of the account",
          description:
            "Run it by its slug like any scraper: by calls, batches, schedules and MCP. Its runs have `web-scraper` as scraper, and its slug as `recipe`.",
          examples: {
            products: {
              value: {
                slug: "shop-products",
                name: "Products of the shop",
                pattern: "shop.example/products/*",
                input: { fields: ["title: h1", "price: .price", "[]images: img @src"] },
              },
            },
          },
          replies: { 201: "The recipe." },
          refusals: [409],
        }),
      },
    )
    .get(
      "/recipes",
      async ({ accountId, query: page, root }) => {
        const recipes = await listRecipes(store.db, accountId, page)
        return cursorListed(
          recipes,
          recipes.rows.map((row) => recipeResponse(row, root)),
          page,
        )
      },
      {
        account: true,
        root: true,
        query: requestSchema.query(query(cursorQuery(cursors.id("rcp")))),
        response: { 200: "RecipeList" },
        detail: operation({
          id: "listRecipes",
          tag: "Recipes",
          summary: "List the account's recipes, newest first",
          replies: { 200: "The recipes." },
          refusals: [400],
        }),
      },
    )
    .get(
      "/recipes/:recipeId",
      async ({ accountId, params, root }) =>
        recipeResponse(await ownRecipe(service, accountId, params.recipeId), root),
      {
        account: true,
        root: true,
        params: requestSchema.params(recipeParams),
        response: { 200: "Recipe" },
        detail: operation({
          id: "getRecipe",
          tag: "Recipes",
          summary: "Get a recipe",
          replies: { 200: "The recipe." },
          refusals: [404],
        }),
      },
    )
    .patch(
      "/recipes/:recipeId",
      async ({ accountId, params, body: change, root, request }) => {
        if (Object.keys(change).length === 0) {
          throw new ApiError(
            400,
            "The body contains no change. Send at least one field to change.",
            [],
          )
        }
        const row = await ownRecipe(service, accountId, params.recipeId)
        await requireChangeable(service, request, row)
        await checkDestination(service, accountId, change.destination)
        const next = { ...row, ...change, updated_at: new Date().toISOString() }
        await requireSession(store.db, accountId, change.session)
        const input = checkedRecipe(service, {
          ...next,
          input: change.input ?? JSON.parse(row.input),
        })
        requireStored(await store.write("recipes.change", { ...next, input }), next)
        return recipeResponse({ ...next, input }, root)
      },
      {
        account: true,
        root: true,
        params: requestSchema.params(recipeParams),
        json: true,
        body: requestSchema.body(recipeChange),
        response: { 200: "Recipe" },
        detail: operation({
          id: "changeRecipe",
          tag: "Recipes",
          summary: "Change a recipe; its schedules use the new version",
          examples: { fields: { value: { input: { fields: ["title: h1 a"] } } } },
          replies: { 200: "The recipe." },
          refusals: [403, 404, 409],
        }),
      },
    )
    .delete(
      "/recipes/:recipeId",
      async ({ accountId, params, set, request }) => {
        const row = await ownRecipe(service, accountId, params.recipeId)
        await requireChangeable(service, request, row)
        const deleted = await store.write("recipes.delete", { id: params.recipeId, accountId })
        if (!deleted) throw notFound("recipe", params.recipeId)
        set.status = 204
      },
      {
        account: true,
        params: requestSchema.params(recipeParams),
        detail: operation({
          id: "deleteRecipe",
          tag: "Recipes",
          summary: "Delete a recipe; its runs stay, its schedules are disabled",
          replies: { 204: "Deleted." },
          refusals: [403, 404],
        }),
      },
    )
}

/**
 * A limited key must not change a recipe that a schedule runs, because it may not change the
 * schedule. @throws ApiError 403
 */
async function requireChangeable(
  { store }: CoreParts,
  request: Request,
  { account_id: accountId, slug }: RecipeRow,
): Promise<void> {
  if (await isScheduled(store.db, accountId, slug)) requireFullKey(request)
}

/** @throws ApiError 409 */
function requireStored(stored: Stored, { slug }: Pick<RecipeRow, "slug">): void {
  if (stored === "full") requireBelowLimit(maxRecipes, maxRecipes, "recipes")
  if (stored === "taken")
    throw new ApiError(409, `There is another recipe with the slug "${slug}". Choose another slug.`)
}

/** @throws ApiError 404 */
async function ownRecipe(service: CoreParts, accountId: string, id: string): Promise<RecipeRow> {
  const recipe = await recipeById(service.store.db, { id, accountId })
  if (!recipe) throw notFound("recipe", id)
  return recipe
}
