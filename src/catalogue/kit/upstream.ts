import { dayMs } from "../../base/time.ts"
import { type ScrapeErrorDetails, StaleKey } from "./errors.ts"

/** What a table may hold: identifiers, positions, class names, switches, in lists and groups. */
export type TableValue =
  | string
  | number
  | boolean
  | readonly TableValue[]
  | { readonly [name: string]: TableValue }
export type TableValues = { readonly [name: string]: TableValue }

/**
 * What rotates with the builds of one site, in one place, so that an operator can mend it without a
 * new version: `<data>/upstreams.json` and `TRAWL_UPSTREAM_<SITE>` are laid over it.
 */
export interface UpstreamTable<T extends TableValues = TableValues> {
  /** Lower case, words joined by `_`. */
  readonly site: string
  /** The month in which the values were last seen to be in use, as `2026-08`. */
  readonly asOf: string
  readonly values: T
  /** Groups whose members have free names, such as the parameters of a call. */
  readonly open: readonly string[]
}

/** The table of a site; its values are also its schema. */
export function upstreamTable<const S extends string, T extends TableValues>(
  site: S,
  asOf: string,
  values: T,
  { open = [] as readonly string[] } = {},
): UpstreamTable<T> {
  return { site, asOf, values, open }
}

/** Whole days since the month began in which a table's values were last seen to be in use. */
export const tableAgeDays = ({ asOf }: Pick<UpstreamTable, "asOf">, now: Date) =>
  Math.max(0, Math.floor((now.getTime() - Date.parse(`${asOf}-01T00:00:00Z`)) / dayMs))

/** The setting that is laid over a site's table. */
export const upstreamSetting = (site: string) => `TRAWL_UPSTREAM_${site.toUpperCase()}`

/** What a refusal of one of a table's values is: it names the value, and the way to mend it. */
export function staleKey(
  table: UpstreamTable,
  key: string,
  message: string,
  details?: ScrapeErrorDetails,
): StaleKey {
  const { site, asOf } = table
  return new StaleKey(
    `${message} "${key}" of the table "${site}" (as of ${asOf}) is stale: set its new value in upstreams.json or ${upstreamSetting(site)}.`,
    site,
    key,
    details,
  )
}
