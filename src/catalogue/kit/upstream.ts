import { dayMs } from "../../base/time.ts"
import { type ScrapeErrorDetails, StaleKey } from "./core/errors.ts"

/** Values of site constants: IDs, positions, class names and switches, in lists and groups. */
export type TableValue =
  | string
  | number
  | boolean
  | readonly TableValue[]
  | { readonly [name: string]: TableValue }
export type TableValues = { readonly [name: string]: TableValue }

/**
 * The constants of one site that change with its releases. An operator can correct them without a
 * new version of Trawl: `<data>/upstreams.json` and `TRAWL_UPSTREAM_<SITE>` take precedence.
 */
export interface UpstreamTable<T extends TableValues = TableValues> {
  /** Name of the site: lower case, words joined by `_`. */
  readonly site: string
  /** The month in which the site was last seen to use the values, such as `2026-08`. */
  readonly asOf: string
  readonly values: T
  /** Groups to which an operator can add names, such as the parameters of a call. */
  readonly open: readonly string[]
}

/**
 * Returns the table of a site's constants. The values also define its schema.
 * @example const table = upstreamTable("shop", "2026-08", { queryId: "a1b2" }) // ctx.upstream(table)
 */
export function upstreamTable<const S extends string, T extends TableValues>(
  site: S,
  asOf: string,
  values: T,
  { open = [] as readonly string[] } = {},
): UpstreamTable<T> {
  return { site, asOf, values, open }
}

/**
 * Returns the days since the start of the month in which the site was last seen to use the values.
 * @example tableAgeDays({ asOf: "2026-08" }, new Date("2026-08-11")) // 10
 */
export const tableAgeDays = ({ asOf }: Pick<UpstreamTable, "asOf">, now: Date) =>
  Math.max(0, Math.floor((now.getTime() - Date.parse(`${asOf}-01T00:00:00Z`)) / dayMs))

/**
 * Returns the name of the setting that takes precedence over a site's table.
 * @example upstreamSetting("google_play") // "TRAWL_UPSTREAM_GOOGLE_PLAY"
 */
export const upstreamSetting = (site: string) => `TRAWL_UPSTREAM_${site.toUpperCase()}`

/**
 * Returns the error for a site constant that the upstream refused. Its message names the constant
 * and how to correct it.
 * @example throw staleKey(shopTable, "queryId", { url, statusCode: 404 })
 */
export function staleKey(
  table: UpstreamTable,
  key: string,
  message: string,
  details?: ScrapeErrorDetails,
): StaleKey {
  const { site, asOf } = table
  const advice = `set its new value in upstreams.json or ${upstreamSetting(site)}.`
  const outdated = `"${key}" of the table "${site}" (as of ${asOf}) is outdated: ${advice}`
  return new StaleKey(`${message} ${outdated}`, site, key, details)
}
