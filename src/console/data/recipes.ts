import type { Schema } from "./catalogue.ts"
import type { Input } from "./keyless.ts"
import type { Part } from "./part.ts"
import { remove, requestJson, sendChange } from "./request.ts"

export interface Recipe {
  id: string
  slug: string
  name: string
  description: string | null
  pattern: string
  input: Input
  session?: string | null
  fields: string[]
  updatedAt: string
}

/** Returns the names of a recipe's fields; for a list of rows, those of each row. */
export function fieldsIn({ fields, input }: Recipe): string[] {
  if (fields.length > 0) return fields
  const { schema } = (input.extract ?? {}) as { schema?: Schema }
  const { rows } = schema?.properties ?? {}
  return Object.keys(rows?.items?.properties ?? schema?.properties ?? {})
}

export type RecipeTerms = Pick<Recipe, "slug" | "name" | "pattern" | "input" | "session">

/** An account has at most 100 recipes. */
export const recipesPath = "/api/v1/recipes?limit=100"
export const recipes = (signal: AbortSignal) => requestJson<Part<Recipe>>(recipesPath, signal)
export const newRecipePath = "/api/v1/recipes"
export const makeRecipe = (terms: RecipeTerms) => sendChange<Recipe>(newRecipePath, terms)
export const changeRecipe = (id: string, change: Partial<RecipeTerms>) =>
  sendChange<Recipe>(`/api/v1/recipes/${id}`, change, "PATCH")
export const deleteRecipe = (id: string) => remove(`/api/v1/recipes/${id}`)

/** Returns the URL pattern for pages like this one: the same folder, or all of the host for a top page. */
export function patternFor(url: string): string {
  const address = URL.parse(/^https?:\/\//i.test(url) ? url : `https://${url}`)
  if (!address) return ""
  const path = address.pathname.replace(/[^/]*$/, "")
  return address.host.replace(/^www\./, "") + (path === "/" ? "" : `${path}*`)
}

/** Returns the slug of a recipe's name, by which calls run it. */
export const slugFor = (name: string) =>
  name
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .slice(0, 50)
    .replace(/^-|-$/g, "")
