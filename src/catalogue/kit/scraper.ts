import { Kind, type Static, type TObject, type TProperties, type TSchema } from "@sinclair/typebox"
import type { Context, FetchMethod, Target } from "./context.ts"
import type { ErrorItem } from "./core/errors.ts"
import { itemObject } from "./core/fields.ts"
import type { CallerInput } from "./core/inputs.ts"
import type { OwnField } from "./own-fields.ts"
import type { Probe } from "./probe.ts"
import type { SecretName } from "./secrets.ts"
import type { Watch } from "./watch.ts"

/**
 * The categories of the catalogue.
 * @example category: "jobs",
 */
export const categories = [
  "web",
  "ecommerce",
  "social",
  "search",
  "news",
  "video",
  "apps",
  "developer",
  "data",
  "research",
  "finance",
  "media",
  "jobs",
  "business",
  "reviews",
  "real-estate",
  "travel",
  "network",
] as const
type Category = (typeof categories)[number]

/** Pages of each target, or a list that is read page by page, without a page for each row. */
type PageLimit =
  | { ofTarget: number }
  | {
      /** Rows of a full page. */
      rows: number
      /** The input with the maximum rows of each target; without it, `maxItems` is that of the run. */
      cap?: string
    }

export interface HostRateLimit {
  /** Maximum requests started per second, over all workers. */
  perSecond?: number
  /** Maximum concurrent requests, over all workers. */
  concurrency?: number
  /** The host's quota for clients without a key. Without the key, no request exceeds it. */
  quota?: { requests: number; hours: number; without: SecretName }
}

/** A scraper. Its API route, MCP tool, documentation and command are made from it. */
export interface Scraper<
  I extends TObject = TObject,
  O extends TSchema = TSchema,
  T extends Target = Target,
> {
  slug: string
  name: string
  /** One line for lists of scrapers. */
  tagline: string
  /**
   * Things that users expect and it does not return, such as "transcripts". Searches do not match
   * them, and its page lists them.
   */
  notServed?: readonly string[]
  category: Category
  tier: "free" | "premium"
  input: I
  /** The schema of an item. A failed target has an error item (errors.ts) instead. */
  item: O
  /** An input that works, for documentation and example calls. */
  example: CallerInput<I>
  /** A call that tests the upstream, and the expectations of its items. */
  probe?: Probe
  /** Rate limits by host name; `*` is for all other hosts. */
  rateLimit?: Record<string, HostRateLimit>
  /**
   * Fetch methods of its requests. If a request is blocked, the next method is tried; no other is
   * used. If a site compares the TLS handshake with the user agent, put `browser-http` first:
   * `http` after it is used without Chrome. Default: `http`, `browser-http`. Scrapers whose hosts
   * come from the input use only `http`.
   */
  fetchMethods?: readonly FetchMethod[]
  /**
   * Whether it reports the present state. If so, no response comes from a cache, and an anonymous
   * caller's memory belongs to the caller's agent ID.
   */
  isCheck?: boolean
  /** The fields that schedules compare from run to run. */
  watch?: Watch
  /** Sources of its data that no recording verifies, by the name of the host or of the request. */
  unverified?: readonly string[]
  /**
   * Limit of the pages of a run, for estimates of its cost. Null if it fetches more than its input counts.
   * Default: `maxPages` of the input, if it has it.
   */
  pages?: PageLimit | null
  /** Maximum concurrent targets. Default 4. Hosts have their own rate limits. */
  concurrency?: number
  targets(input: Static<I>): T[]
  /** For an account's own scraper: the scraper that it is based on, and its fixed input. */
  own?: {
    id: string
    scraper: AnyScraper
    /** The part of the input that is the same in all runs. */
    fixed: Record<string, unknown>
    /** Returns the whole input, checked. Throws BadInput. */
    inputOf(input: Static<I>): Record<string, unknown>
    /** Returns whether the scraper is made for a URL. */
    fits(url: string): boolean
    /** Name of the account's stored session with which its pages are fetched. */
    session?: string | null
  }
  /** Returns the fields of its items that the input defines, in order. */
  ownFields?(input: Static<I>): OwnField[]
  /** Returns the maximum items of the whole run. */
  maxItems?(input: Static<I>): number | undefined
  /** Returns the fields by which an error item names its target. Default for texts: `{ input }`. */
  identify?(target: T, input: Static<I>): Record<string, unknown>
  scrape(target: T, ctx: Context<Static<I>>): AsyncIterable<Static<O> | ErrorItem>
  /** Returns whether a run that has only error items, with these codes, failed. Default: yes. */
  failsRun?(codes: string[]): boolean
}

// biome-ignore lint/suspicious/noExplicitAny: the catalogue is a list of scrapers of any shape
export type AnyScraper = Scraper<any, any, any>

/**
 * Returns the fetch methods of a scraper's requests.
 * @example fetchMethodsOf({}) // ["http", "browser-http"]
 */
export const fetchMethodsOf = ({ fetchMethods }: Pick<AnyScraper, "fetchMethods">) =>
  fetchMethods ?? (["http", "browser-http"] as const)

type InputSchema<I> = I extends TObject ? I : I extends TProperties ? TObject<I> : never
type ItemSchema<O> = O extends TSchema
  ? O
  : O extends RecordFields<infer P>
    ? TObject<P>
    : O extends TProperties
      ? TObject<O>
      : never

/** A record that reads whole items. */
interface RecordFields<P extends TProperties> {
  readonly fields: P
  // biome-ignore lint/suspicious/noExplicitAny: a record of rows of any type
  read(row: any): unknown
}

/**
 * A scraper as its file defines it: `input` and `item` may be written as their fields, `item` also
 * as the record that reads it, a probe without an input calls the example, and the tier is free
 * unless it is written.
 */
type Definition<I, O, T extends Target> = Omit<
  Scraper<InputSchema<I>, ItemSchema<O>, T>,
  "input" | "item" | "probe" | "tier"
> & { input: I; item: O; probe?: Partial<Probe> & Pick<Probe, "expect">; tier?: Scraper["tier"] }

/**
 * Returns the scraper. Its functions get the types of its input and items. An input or item that is
 * written as its fields allows no others.
 * @example
 * ```ts
 * const scraper = defineScraper({
 *   slug: "shop-scraper",
 *   input: { urls: inputs.texts("Product URLs.", { max: 100 }) },
 *   item: { url: items.requiredText("URL of the product."), title: items.text("Title.") },
 *   targets: ({ urls }) => urls,
 *   scrape,
 *   …
 * })
 * ```
 */
export function defineScraper<
  const I extends TObject | TProperties,
  const O extends TSchema | TProperties | RecordFields<TProperties>,
  const T extends Target,
>(scraper: Definition<I, O, T>): Scraper<InputSchema<I>, ItemSchema<O>, T> {
  const { probe, input, item, ...others } = scraper
  return {
    tier: "free",
    ...others,
    input: schemaOf(input) as InputSchema<I>,
    item: schemaOf(item) as ItemSchema<O>,
    ...(probe && { probe: { input: scraper.example, ...probe } }),
  } as Scraper<InputSchema<I>, ItemSchema<O>, T>
}

function schemaOf(fields: TSchema | TProperties | RecordFields<TProperties>): TSchema {
  if (Kind in fields) return fields as TSchema
  return itemObject(isRecord(fields) ? fields.fields : fields)
}

const isRecord = (
  fields: TProperties | RecordFields<TProperties>,
): fields is RecordFields<TProperties> => typeof fields.read === "function"
