import { Type } from "@sinclair/typebox"
import type { RecipeRow } from "../../store/automation/recipes.ts"
import { anyObject, maybe, pathId, responseObject, time } from "../schemas/common.ts"
import { fieldsOf, recipeInput } from "./recipe-scraper.ts"

const settings = {
  slug: Type.String({
    pattern: "^[a-z0-9]+(?:-[a-z0-9]+)*$",
    maxLength: 50,
    description: "Its name in calls: small letters, digits and -.",
  }),
  name: Type.String({ minLength: 1, maxLength: 100, description: "Its name for people." }),
  description: Type.String({
    minLength: 1,
    maxLength: 300,
    description: "What it gives, in a sentence; agents choose by it.",
  }),
  pattern: Type.String({
    minLength: 1,
    maxLength: 300,
    description:
      "The addresses that it is for: host and path, as `shop.example/products/*`; `*` stands for anything, `*.shop.example` for all hosts of a site.",
  }),
  input: Type.Object(
    {},
    {
      additionalProperties: true,
      description:
        "What `web-scraper` is given: `fields` by selector, or `extract` by a JSON Schema, and its other inputs. `urls`, where given, are read by runs that name none.",
    },
  ),
}

export const newRecipeBody = Type.Object(
  { ...settings, description: Type.Optional(settings.description) },
  { additionalProperties: false },
)

export const recipeChange = Type.Partial(
  Type.Object({ ...settings, description: maybe(settings.description) }),
  { additionalProperties: false },
)

export const recipeSchema = responseObject(
  {
    id: Type.String({ description: "`rcp_…`" }),
    slug: Type.String(),
    name: Type.String(),
    description: maybe(Type.String()),
    pattern: Type.String(),
    input: anyObject("What `web-scraper` is given."),
    fields: Type.Array(Type.String(), { description: "The names of its fields." }),
    scraperUrl: Type.String({ format: "uri", description: "It as a scraper." }),
    runsUrl: Type.String({ format: "uri", description: "POST `urls` there." }),
    createdAt: time("When it was made."),
    updatedAt: time("When it was last changed."),
  },
  { $id: "Recipe" },
)

export const recipeParams = { recipeId: pathId("recipe", "rcp") }

export function recipeResponse(row: RecipeRow, root: string) {
  const input = recipeInput(row.input)
  return {
    id: row.id,
    slug: row.slug,
    name: row.name,
    description: row.description,
    pattern: row.pattern,
    input,
    fields: fieldsOf(input).map(({ name }) => name),
    scraperUrl: `${root}/api/v1/scrapers/${row.slug}`,
    runsUrl: `${root}/api/v1/scrapers/${row.slug}/runs`,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}
