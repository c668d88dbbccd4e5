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

/** In words, as far as anything was seen of it here. */
export const stateWords: Record<State, string> = {
  works: "works here",
  degraded: "lacks fields now",
  blocked: "blocked here now",
  broken: "broken now",
  needs: "needs something set up",
  target_gone: "its target is gone",
  unknown: "",
}

export interface Brief {
  slug: string
  name: string
  tagline: string
  category: string
  /** The items rest on recordings of true answers. */
  verified: boolean
  /** Whether it works here, now. */
  state: State
  /** The fetch methods, in their order. */
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

/** What was seen of a scraper on one day (UTC). */
export interface DayOfHealth {
  day: string
  /** The worst state of the day; null without data. */
  state: State | null
  /** The share of targets that gave the expected items. */
  goodShare: number | null
}

export interface Definition extends Brief {
  /** Why its state is what it is. */
  reason: string | null
  /** The last seven, today at the end. */
  days: DayOfHealth[]
  tier: "free" | "premium"
  creditsPerPage: number
  creditsPerUnlockedPage: number
  lastVerifiedAt: string | null
  unverifiedFetchMethods: string[]
  input: Schema
  item: Schema
  example: Input
  /** The conditions that a schedule of it watches; null if the user defines them. */
  watch: { conditions: Condition[]; lines?: { added: string; removed: string } } | null
  /** An item of a recorded response of the site. */
  recorded: { input: Input; item: Item } | null
}

export interface Suggestion extends Brief {
  /** By which the scraper takes the very address. */
  input?: Input
}

let all: Promise<Brief[]> | undefined

/** All scrapers; asked for once. */
export function catalogue(): Promise<Brief[]> {
  all ??= requestJson<{ scrapers: Brief[] }>("/console/catalogue").then(({ scrapers }) => scrapers)
  all.catch(() => {
    all = undefined
  })
  return all
}

/** There is a further one: a recipe of the account. */
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

/** The slugs of the scrapers that serve a need, the best first. */
export const slugsFor = async (text: string, signal: AbortSignal) =>
  (await requestJson<{ slugs: string[] }>(`/console/find?text=${encodeURIComponent(text)}`, signal))
    .slugs

/** A category as people write it. */
export const titled = (word: string) =>
  word === "ecommerce"
    ? "E-commerce"
    : (word[0] ?? "").toUpperCase() + word.slice(1).replaceAll("-", " ")

/** What a scraper is called where all are scrapers. */
export const shortName = ({ name }: Brief) => name.replace(/ Scraper$/, "")

/** The categories with their scrapers, the largest first. */
export function byCategory(all: Brief[]): [category: string, scrapers: Brief[]][] {
  const groups = Map.groupBy(all, ({ category }) => category)
  return [...groups].sort(([, a], [, b]) => b.length - a.length)
}

export const fieldsOf = ({ properties = {} }: Schema) => Object.entries(properties)

/** What a field holds, in a word or two. */
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
