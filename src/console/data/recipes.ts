import { ask, remove, tell } from "./ask.ts"
import type { Schema } from "./catalogue.ts"
import type { Input } from "./keyless.ts"
import type { Part } from "./part.ts"

export interface Recipe {
  id: string
  slug: string
  name: string
  description: string | null
  pattern: string
  input: Input
  fields: string[]
  updatedAt: string
}

/** The names of its fields; those of each row, where it reads rows. */
export function fieldsIn({ fields, input }: Recipe): string[] {
  if (fields.length > 0) return fields
  const { schema } = (input.extract ?? {}) as { schema?: Schema }
  const { rows } = schema?.properties ?? {}
  return Object.keys(rows?.items?.properties ?? schema?.properties ?? {})
}

export type RecipeTerms = Pick<Recipe, "slug" | "name" | "pattern" | "input">

/** An account has 100 at most. */
export const recipesPath = "/api/v1/recipes?limit=100"
export const recipes = (signal: AbortSignal) => ask<Part<Recipe>>(recipesPath, signal)
export const newRecipePath = "/api/v1/recipes"
export const makeRecipe = (terms: RecipeTerms) => tell<Recipe>(newRecipePath, terms)
export const changeRecipe = (id: string, change: Partial<RecipeTerms>) =>
  tell<Recipe>(`/api/v1/recipes/${id}`, change, "PATCH")
export const deleteRecipe = (id: string) => remove(`/api/v1/recipes/${id}`)

/** The pages that are like one: those beside it, or, of one at the top, all of its host. */
export function patternFor(url: string): string {
  const address = URL.parse(/^https?:\/\//i.test(url) ? url : `https://${url}`)
  if (!address) return ""
  const path = address.pathname.replace(/[^/]*$/, "")
  return address.host.replace(/^www\./, "") + (path === "/" ? "" : `${path}*`)
}

/** As calls name it. */
export const slugFor = (name: string) =>
  name
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .slice(0, 50)
    .replace(/^-|-$/g, "")
