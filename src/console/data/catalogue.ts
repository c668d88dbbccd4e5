import type { Input, Item } from "./keyless.ts"
import type { Condition } from "./monitors.ts"
import { requestJson } from "./request.ts"

export type State =
  | "works"
  | "degraded"
  | "blocked"
  | "broken"
  | "needs"
  | "target_gone"
  | "unknown"

/** Texts for the states of a scraper on this server. */
export const stateWords: Record<State, string> = {
  works: "works here",
  degraded: "has missing fields now",
  blocked: "blocked here now",
  broken: "broken now",
  needs: "needs setup",
  target_gone: "target no longer exists",
  unknown: "",
}

export interface Brief {
  slug: string
  name: string
  tagline: string
  category: string
  /** Whether the items were verified with recorded responses. */
  verified: boolean
  /** State of the scraper on this server. */
  state: State
  /** The fetch methods in the order in which they are tried. */
  fetchMethods: string[]
  /** The ID of a recipe; null for a scraper of the catalogue. */
  recipeId: string | null
}

export interface Schema {
  type?: string
  description?: string
  enum?: (string | number)[]
  anyOf?: Schema[]
  items?: Schema
  properties?: Record<string, Schema>
  required?: string[]
  default?: unknown
  minimum?: number
  maximum?: number
  maxItems?: number
}

/** State of a scraper on one day (UTC). */
export interface DayOfHealth {
  day: string
  /** The worst state of the day; null without data. */
  state: State | null
  /** Share of targets with the expected items, from 0 to 1. */
  goodShare: number | null
}

export interface Definition extends Brief {
  /** Reason for the state. */
  reason: string | null
  /** The last seven days; today is the last one. */
  days: DayOfHealth[]
  tier: "free" | "premium"
  creditsPerPage: number
  creditsPerUnlockedPage: number
  lastVerifiedAt: string | null
  unverifiedFetchMethods: string[]
  input: Schema
  item: Schema
  example: Input
  /** The conditions that schedules of this scraper watch; null if the user defines them. */
  watch: { conditions: Condition[]; lines?: { added: string; removed: string } } | null
  /** An item from a recorded response of the site. */
  recorded: { input: Input; item: Item } | null
}

export interface Suggestion extends Brief {
  /** Input with which the scraper accepts exactly this URL. */
  input?: Input
}

let all: Promise<Brief[]> | undefined

/** Returns all scrapers; they are loaded once. */
export function catalogue(): Promise<Brief[]> {
  all ??= requestJson<{ scrapers: Brief[] }>("/console/catalogue").then(({ scrapers }) => scrapers)
  all.catch(() => {
    all = undefined
  })
  return all
}

/** Reloads the catalogue at the next use, for example after a recipe was created. */
export function forgetCatalogue(): void {
  all = undefined
}

export const definition = (slug: string, signal: AbortSignal) =>
  requestJson<Definition>(`/console/scrapers/${slug}`, signal)

export const suggestions = async (url: string, signal: AbortSignal) =>
  (
    await requestJson<{ scrapers: Suggestion[] }>(
      `/console/which?url=${encodeURIComponent(url)}`,
      signal,
    )
  ).scrapers

/** Returns the slugs of the scrapers for a need, best first. */
export const slugsFor = async (text: string, signal: AbortSignal) =>
  (await requestJson<{ slugs: string[] }>(`/console/find?text=${encodeURIComponent(text)}`, signal))
    .slugs

/** Returns the name of a category for people. */
export const titled = (word: string) =>
  word === "ecommerce"
    ? "E-commerce"
    : (word[0] ?? "").toUpperCase() + word.slice(1).replaceAll("-", " ")

/** Returns a scraper's name without the word "scraper". */
export const shortName = ({ name }: Brief) => name.replace(/ Scraper$/, "")

/** Returns the categories with their scrapers, largest first. */
export function byCategory(all: Brief[]): [category: string, scrapers: Brief[]][] {
  const groups = Map.groupBy(all, ({ category }) => category)
  return [...groups].sort(([, a], [, b]) => b.length - a.length)
}

export const fieldsOf = ({ properties = {} }: Schema) => Object.entries(properties)

/** Returns the type of a field in one or two words. */
export function typeOf(schema: Schema): string {
  const forms = (schema.anyOf ?? [schema]).filter(({ type }) => type !== "null")
  const words = forms.map((form) => {
    if (form.type === "array") return form.items ? `list of ${typeOf(form.items)}` : "list"
    if (form.enum) return "choice"
    return typeWords[form.type ?? ""] ?? "any"
  })
  return [...new Set(words)].join(" or ") || "nothing"
}

const typeWords: Record<string, string> = {
  string: "text",
  integer: "whole number",
  number: "number",
  boolean: "yes or no",
  object: "object",
}

export const mayBeMissing = ({ anyOf }: Schema) =>
  anyOf?.some(({ type }) => type === "null") ?? false
