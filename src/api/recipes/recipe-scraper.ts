import {
  type AnyScraper,
  BadInput,
  briefText,
  checkInput,
  inputObject,
  itemObject,
  pageUrls,
  provided,
} from "../../catalogue/kit/index.ts"
import { type FieldDefinition, parseFields } from "../../extract/page/index.ts"
import type { RecipeRow } from "../../store/automation/recipes.ts"
import { urlPattern } from "./pattern.ts"

const maxPages = 1000
/** Maximum fields named in a generated tagline. */
const namedFields = 8

/** A recipe's input for web-scraper. */
export interface RecipeInput {
  fields?: string[]
  rows?: string
  detail?: { link: string; fields: string[] }
  /** URLs that are read if a run names none. */
  urls?: string[]
  [name: string]: unknown
}

export type Recipe = Pick<
  RecipeRow,
  "id" | "slug" | "name" | "description" | "pattern" | "input"
> & { session?: string | null }

/** Parses a stored input. A list of one entry can be stored as that entry. */
export function recipeInput(stored: string): RecipeInput {
  const { fields, urls, detail, ...rest } = JSON.parse(stored)
  return {
    ...rest,
    ...(fields !== undefined && { fields: [fields].flat() }),
    ...(urls !== undefined && { urls: [urls].flat() }),
    ...(detail !== undefined && { detail: { ...detail, fields: [detail.fields ?? []].flat() } }),
  }
}

/** A recipe as a scraper of its account: `web-scraper` with all inputs fixed except the pages. */
export function recipeScraper(recipe: Recipe, web: AnyScraper): AnyScraper {
  const { probe: _, watch: _watch, unverified: _unverified, ...work } = web
  const { urls, ...fixed } = recipeInput(recipe.input)
  const pattern = urlPattern(recipe.pattern)
  const inputOf = (input: Record<string, unknown>) => checked(web, { ...fixed, ...input })
  const addresses = pageUrls(maxPages, `URLs of pages of ${recipe.pattern}`)
  return {
    ...work,
    slug: recipe.slug,
    name: recipe.name,
    tagline: recipe.description ?? `Reads ${wordsOf(fixed)} of ${recipe.pattern}.`,
    input: inputObject({ urls: urls ? provided(addresses, urls) : addresses }),
    item: itemOf(fixed, web),
    // An example could name a page that does not exist.
    example: urls ? { urls } : {},
    ownFields: (input) => web.ownFields?.(inputOf(input)) ?? [],
    targets(input) {
      const other = input.urls.find((url: string) => !pattern.fits(url))
      if (other !== undefined) {
        throw new BadInput(
          `urls: "${briefText(other)}" does not match ${recipe.pattern}, the URL pattern of ${recipe.slug}.`,
        )
      }
      return web.targets(inputOf(input))
    },
    own: {
      ...{ id: recipe.id, scraper: web, fixed, inputOf, fits: pattern.fits },
      session: recipe.session ?? null,
    },
  }
}

/**
 * Returns the complete input with defaults. @throws BadInput if it no longer fits the scraper's
 * schema
 */
function checked(web: AnyScraper, input: Record<string, unknown>): Record<string, unknown> {
  const result = checkInput(web.input, input)
  if (result.ok) return result.input
  throw new BadInput(`The recipe is outdated. Create it again: ${result.issues[0]!.message}`)
}

/** The names of a recipe's fields, and whether they are lists. */
export function fieldsOf({ fields = [], detail }: RecipeInput): FieldDefinition[] {
  return [fields, detail?.fields ?? []].flatMap((lines) =>
    lines.length > 0 ? parseFields(lines) : [],
  )
}

function wordsOf(input: RecipeInput): string {
  const names = fieldsOf(input).map(({ name }) => name)
  if (names.length === 0) return "typed data"
  const more = names.length > namedFields ? " …" : ""
  return `${names.slice(0, namedFields).join(", ")}${more}`
}

/** The item schema of web-scraper with the recipe's own fields. */
function itemOf(input: RecipeInput, web: AnyScraper) {
  const own = web.ownFields?.({ fields: [], ...input }) ?? []
  const fields = own.flatMap(({ name, at, schema }) => (at[0] === "data" ? [[name, schema]] : []))
  return itemObject({
    ...web.item.properties,
    data: itemObject(Object.fromEntries(fields), { description: "The recipe's fields." }),
  })
}
