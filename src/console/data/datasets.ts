import { fieldsOf, type Schema } from "./catalogue.ts"
import type { Item } from "./keyless.ts"
import { readable } from "./keyless.ts"
import { remove, requestJson, sendChange } from "./request.ts"

export interface Dataset {
  id: string
  runId: string
  scraper: string
  recipe: string | null
  title: string | null
  itemCount: number
  errorCount: number
  /** Fields that the call named, in their order. */
  ownFields?: { name: string; type: string }[]
  createdAt: string
  finishedAt: string | null
}

/** The part of a dataset that is displayed. */
export interface View {
  fields: string[]
  /** Whether error items are left out. */
  clean: boolean
  /** The filter in the API's syntax; empty for none. */
  filter: string
  sort: string
}

/** All fields of all items. */
export const everything: View = { fields: [], clean: false, filter: "", sort: "" }

interface Part<T> {
  items: T[]
  total: number
}

export const datasetsPath = (offset: number, search = "") => {
  const query = new URLSearchParams({
    limit: String(datasetsAtOnce),
    ...(search && { search }),
    ...(offset > 0 && { offset: String(offset) }),
  })
  return `/api/v1/datasets?${query}`
}
export const datasetsAtOnce = 50

export const datasets = (offset: number, search: string, signal: AbortSignal) =>
  requestJson<Part<Dataset>>(datasetsPath(offset, search), signal)

export const datasetOf = (id: string, signal: AbortSignal) =>
  requestJson<Dataset>(`/api/v1/datasets/${id}`, signal)

/** Returns the call for the items of a view, with further parameters. */
export function itemsPath(id: string, view: View, more: Record<string, string | number>): string {
  const query = new URLSearchParams()
  const fields = new Set(view.fields.map((name) => (isSource(name) ? "source" : name)))
  if (fields.size > 0) query.set("columns", [...fields].join(","))
  const isBySource = /^!?source\./.test(view.filter) || /^-?source\./.test(view.sort)
  if (fields.has("source") || isBySource) query.set("sources", "true")
  if (view.clean) query.set("clean", "true")
  if (view.filter) query.set("filter", view.filter)
  if (view.sort) query.set("sort", view.sort)
  for (const [name, value] of Object.entries(more)) query.set(name, String(value))
  return `/api/v1/datasets/${id}/items?${readable(query).replaceAll("%2C", ",")}`
}

/** Returns items; the other cells of their row in an uploaded file become columns. */
export async function itemsAt(path: string, signal: AbortSignal): Promise<Part<Item>> {
  const part = await requestJson<Part<Item>>(path, signal)
  return { ...part, items: part.items.map(withSource) }
}

function withSource({ source, ...item }: Item): Item {
  const row = Object.entries((source ?? {}) as Item)
  return { ...Object.fromEntries(row.map(([name, value]) => [sourceName + name, value])), ...item }
}

const sourceName = "source."
const isSource = (name: string) => name.startsWith(sourceName)

/** Returns the columns of the file that a dataset was made from; empty if there was no file. */
export async function sourceColumns(id: string, signal: AbortSignal): Promise<string[]> {
  const path = `/api/v1/datasets/${id}/items?limit=1&sources=true&fields=source`
  const { items } = await itemsAt(path, signal)
  // Columns are separated by commas in a URL.
  return Object.keys(items[0] ?? {}).filter((name) => isSource(name) && !name.includes(","))
}

interface DatasetLink {
  id: string
  expiresAt: string
  hasPassword: boolean
}

const linksOf = (id: string) => `/api/v1/datasets/${id}/links`

/** A dataset has at most 100 links. */
export const datasetLinks = (id: string, signal: AbortSignal) =>
  requestJson<Part<DatasetLink>>(linksOf(id), signal)
export const makeDatasetLink = (id: string, days: number, password: string) => {
  const expiresAt = new Date(Date.now() + days * 86_400_000).toISOString()
  return sendChange<DatasetLink & { url: string; pageUrl: string }>(linksOf(id), {
    expiresAt,
    ...(password && { password }),
  })
}
export const revokeDatasetLink = (id: string, link: string) => remove(`${linksOf(id)}/${link}`)

/** Adds the fields that cells need in addition to their own: the error of a row and the currency of a price. */
export function besides({ properties = {} }: Schema, view: View): View {
  const more = [...(properties.currency ? ["currency"] : []), ...(view.clean ? [] : ["error"])]
  return { ...view, fields: [...new Set([...view.fields, ...more])] }
}

/** Number of columns shown by default. */
const firstColumns = 8
/** Maximum number of a recipe's own fields shown by default. */
const maxOwn = 30

/** Returns the fields of a dataset's schema, or of its first item if the schema has none. */
export function columnsOf(schema: Schema, first: Item | undefined): string[] {
  const known = fieldsOf(schema).map(([name]) => name)
  return known.length > 0 ? known : Object.keys(first ?? {}).filter((name) => name !== "error")
}

/** Returns the schema of a dataset's rows: the fields that the call named come first. */
export function rowSchema(item: Schema, { ownFields = [] }: Dataset): Schema {
  if (ownFields.length === 0) return item
  const { url, ...others } = item.properties ?? {}
  const rest = Object.entries(others).sort(
    ([a], [b]) => Number(technical.test(a)) - Number(technical.test(b)),
  )
  const own = ownFields.map(({ name, type }) => [name, type === "any" ? {} : { type }] as const)
  return {
    ...item,
    properties: { ...Object.fromEntries(own), ...(url && { url }), ...Object.fromEntries(rest) },
  }
}

/** Key under which chosen columns are stored, by scraper. */
const retained = (slug: string) => `columns:${slug}`
export const columnsKey = ({ scraper, ownFields = [] }: Dataset) =>
  [scraper, ...ownFields.map(({ name }) => name)].join(" ")

/** Returns the columns chosen in this browser for a scraper; otherwise the most informative ones. */
export function chosenColumns(
  slug: string,
  all: string[],
  requested: string | null,
  own: string[] = [],
): string[] {
  const wanted = requested ?? stored(slug)
  const known = (wanted?.split(",") ?? []).filter((name) => all.includes(name))
  return known.length > 0 ? known : firstOf(all, own)
}

/** Returns the most informative columns, in their order. */
function firstOf(all: string[], own: string[]): string[] {
  if (own.length > 0) {
    const first = [...all.filter(isSource), ...own.slice(0, maxOwn), "url"]
    return all.filter((name) => first.includes(name))
  }
  const rank = (name: string) => (descriptive.test(name) ? 0 : technical.test(name) ? 2 : 1)
  const first = [...all].sort((a, b) => rank(a) - rank(b)).slice(0, firstColumns)
  return all.filter((name) => first.includes(name))
}

/** Returns the view of a file: the chosen columns, otherwise every column that an item fills. */
export function fileView(
  view: View,
  all: string[],
  own: string[] = [],
): { view: View; sources: boolean } {
  const isChosen = view.fields.join() !== firstOf(all, own).join()
  return isChosen
    ? { view, sources: false }
    : { view: { ...view, fields: [] }, sources: all.some(isSource) }
}

/** Fields that describe a row; they are among the first columns, wherever the schema has them. */
const descriptive =
  /^(?:source\.|input$|url$|title$|name$|fullName$|headline$|price$|rating$|publishedAt$|images$|(?:image|thumbnail|logo|avatar)Url$)/
/** Technical fields, which are among the last columns. */
const technical = /^(?:finalUrl|canonicalUrl|statusCode|missing)$/

/** Stores the chosen columns. A browser without storage shows the default columns next time. */
export function keepColumns(slug: string, columns: string[]): void {
  try {
    localStorage.setItem(retained(slug), columns.join(","))
  } catch {}
}

function stored(slug: string): string | null {
  try {
    return localStorage.getItem(retained(slug))
  } catch {
    return null
  }
}

/** A difference between a dataset and an earlier one. */
export interface Change {
  change: "added" | "removed" | "changed"
  key: string
  name: string | null
  url: string | null
  field: string | null
  before: unknown
  after: unknown
}

export const changesPerPage = 100

export const changesPath = (id: string, since: string) =>
  `/api/v1/datasets/${id}/diff?since=${since}`

export const changesOf = (id: string, since: string, offset: number, signal: AbortSignal) =>
  requestJson<{ items: Change[]; total: number }>(
    `${changesPath(id, since)}&limit=${changesPerPage}&offset=${offset}`,
    signal,
  )
