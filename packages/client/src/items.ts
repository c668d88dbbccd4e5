import type { Scrapers } from "./scrapers.js"

declare const itemType: unique symbol

/** The slug of a recipe of the account, with the type of its items. */
export type RecipeSlug<T = Record<string, unknown>> = string & { readonly [itemType]: T }
/** A scraper of the catalogue, or a recipe of the account. */
export type Slug = keyof Scrapers | RecipeSlug<unknown>
type Parts<S extends Slug> = S extends keyof Scrapers
  ? Scrapers[S]
  : { input: Record<string, unknown>; item: S extends RecipeSlug<infer T> ? T : never }
export type Input<S extends Slug> = Parts<S>["input"]
export type Item<S extends Slug> = Parts<S>["item"]

/** An object that validates a value, of Zod, Valibot, ArkType and others (Standard Schema). */
export interface StandardSchema<T> {
  readonly "~standard": { readonly types?: { readonly output: T } | undefined }
}

/**
 * Names a recipe of the account. Its items have the type that you give, or that of a schema.
 *
 * @example await trawl.run(recipe<{ title: string }>("shop-products"), { urls: ["https://shop.example/p/1"] })
 * @example await trawl.run(recipe("shop-products", z.object({ title: z.string() })), { urls })
 */
export function recipe<T = Record<string, unknown>>(
  slug: string,
  _schema?: StandardSchema<T>,
): RecipeSlug<T> {
  return slug as RecipeSlug<T>
}

/** The item of a target that failed. */
export interface ErrorItem {
  error: { code: string; message: string; statusCode?: number }
  [field: string]: unknown
}

/** Returns whether an item reports a failed target. */
export function isErrorItem(item: unknown): item is ErrorItem {
  if (typeof item !== "object" || item === null) return false
  const { error } = item as Partial<ErrorItem>
  return typeof error === "object" && error !== null && typeof error.code === "string"
}

/** Splits the items of a dataset into good items and failed targets. */
export function split<T>(mixed: Iterable<T | ErrorItem>): { items: T[]; errors: ErrorItem[] } {
  const items: T[] = []
  const errors: ErrorItem[] = []
  for (const item of mixed) {
    if (isErrorItem(item)) errors.push(item)
    else items.push(item)
  }
  return { items, errors }
}
