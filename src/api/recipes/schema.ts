import { Type } from "@sinclair/typebox"
import type { RecipeRow } from "../../store/automation/recipes.ts"
import { anyObject, maybe, pathId, responseObject, time } from "../schemas/common.ts"
import { chosenDestination } from "../schemas/destination.ts"
import { sessionOption } from "../schemas/session.ts"
import { fieldsOf, recipeInput } from "./recipe-scraper.ts"

const settings = {
  slug: Type.String({
    pattern: "^[a-z0-9]+(?:-[a-z0-9]+)*$",
    maxLength: 50,
    description: "Slug for calls: lowercase letters, digits and hyphens.",
  }),
  name: Type.String({ minLength: 1, maxLength: 100, description: "Name for people." }),
  description: Type.String({
    minLength: 1,
    maxLength: 300,
    description: "Description of the result in one sentence; agents choose by it.",
  }),
  pattern: Type.String({
    minLength: 1,
    maxLength: 300,
    description:
      "Pattern of its URLs: a host and a path, for example `shop.example/products/*`. `*` matches anything, and `*.shop.example` all hosts of a site.",
  }),
  input: Type.Object(
    {},
    {
      additionalProperties: true,
      description:
        "Input of `web-scraper`: `fields` by selector, or `extract` by JSON Schema, and other inputs. `urls` are read by runs that name none.",
    },
  ),
}

export const newRecipeBody = Type.Object(
  {
    ...settings,
    description: Type.Optional(settings.description),
    destination: Type.Optional(chosenDestination),
    session: Type.Optional(sessionOption),
  },
  { additionalProperties: false },
)

export const recipeChange = Type.Partial(
  Type.Object({
    ...settings,
    description: maybe(settings.description),
    destination: maybe(chosenDestination),
    session: maybe(sessionOption),
  }),
  { additionalProperties: false },
)

export const recipeSchema = responseObject(
  {
    id: Type.String({ description: "`rcp_…`" }),
    slug: Type.String(),
    name: Type.String(),
    description: maybe(Type.String()),
    pattern: Type.String(),
    input: anyObject("Input of `web-scraper`."),
    session: maybe(Type.String({ description: "Session used to fetch its pages." })),
    destination: maybe(Type.String({ description: "Destination that receives the items." })),
    fields: Type.Array(Type.String(), { description: "Names of its fields." }),
    scraperUrl: Type.String({ format: "uri", description: "URL of the recipe as a scraper." }),
    runsUrl: Type.String({ format: "uri", description: "POST `urls` there." }),
    createdAt: time("Time of creation."),
    updatedAt: time("Time of the last change."),
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
    session: row.session,
    destination: row.destination,
    fields: fieldsOf(input).map(({ name }) => name),
    scraperUrl: `${root}/api/v1/scrapers/${row.slug}`,
    runsUrl: `${root}/api/v1/scrapers/${row.slug}/runs`,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}
