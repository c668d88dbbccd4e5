import type { Static, TObject, TSchema } from "@sinclair/typebox"
import type { Context, FetchMethod, Target } from "./context.ts"
import type { ErrorItem } from "./errors.ts"
import type { CallerInput } from "./inputs.ts"
import type { OwnField } from "./own-fields.ts"
import type { Probe } from "./probe.ts"
import type { SecretName } from "./secrets.ts"
import type { Watch } from "./watch.ts"

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

export interface HostRateLimit {
  /** Requests started in a second, over all workers. */
  perSecond?: number
  /** Maximum concurrent requests, over all workers. */
  concurrency?: number
  /**
   * The host's quota for clients without a key. No request exceeds it unless the operator set the
   * secret.
   */
  quota?: { requests: number; hours: number; without: SecretName }
}

/** What one scraper is. All surfaces (API, MCP, docs, command line) are made from it. */
export interface Scraper<
  I extends TObject = TObject,
  O extends TSchema = TSchema,
  T extends Target = Target,
> {
  slug: string
  name: string
  /** One line for directories. */
  tagline: string
  /** Needs that it serves, in a person's words, by which it is found: "who owns a domain". */
  serves?: readonly string[]
  /** What people expect of it and it does not give, as "transcripts": it is not found by that, and its card says so. */
  notServed?: readonly string[]
  category: Category
  tier: "free" | "premium"
  input: I
  /** The schema of a good item; an error item (errors.ts) may replace it. */
  item: O
  /** An input that works, for documentation and example calls. */
  example: CallerInput<I>
  /** A call by which the upstream is tried, and what must be true of its items. */
  probe?: Probe
  /** Limits by host name; `*` holds for every other host. */
  rateLimit?: Record<string, HostRateLimit>
  /**
   * The fetch methods of its requests, tried in this order for each request that is blocked; no
   * other is used. If a site compares the TLS hello with the user agent, put `browser-http` first:
   * `http` after it serves without Chrome. Default: `http`, `browser-http`. Scrapers of hosts that
   * users name use only `http`.
   */
  fetchMethods?: readonly FetchMethod[]
  /**
   * It reports how things are right now. No response of it is taken from a cache, and for an anonymous
   * caller its memory belongs to that caller's agent ID.
   */
  isCheck?: boolean
  /** What schedules of it watch from run to run. */
  watch?: Watch
  /** Ways to its data that no recording has shown, by the name of a host or of what is asked there. */
  unverified?: readonly string[]
  /** Targets worked on at once. Default 4; hosts are paced on their own. */
  concurrency?: number
  targets(input: Static<I>): T[]
  /** Of an account's own: the scraper that does its work, and what that is given. */
  own?: {
    id: string
    scraper: AnyScraper
    /** What of its input does not change from run to run. */
    fixed: Record<string, unknown>
    /** The whole input, checked. @throws BadInput */
    inputOf(input: Static<I>): Record<string, unknown>
    /** Whether it is made for an address. */
    fits(url: string): boolean
  }
  /** The fields of its items that the input names, in their order. */
  ownFields?(input: Static<I>): OwnField[]
  /** The most items that the whole run may give. */
  maxItems?(input: Static<I>): number | undefined
  /** Fields by which an error item names its target. Default: `{ input: target }` for strings. */
  identify?(target: T, input: Static<I>): Record<string, unknown>
  scrape(target: T, ctx: Context<Static<I>>): AsyncIterable<Static<O> | ErrorItem>
  /**
   * Whether a run without any good item failed as a whole, given the codes of its error items.
   * Default: yes.
   */
  failsRun?(codes: string[]): boolean
}

// biome-ignore lint/suspicious/noExplicitAny: the catalogue is a list of scrapers of any shape
export type AnyScraper = Scraper<any, any, any>

const defaultFetchMethods: readonly FetchMethod[] = ["http", "browser-http"]

/** Returns the fetch methods of a scraper's requests. */
export const fetchMethodsOf = ({
  fetchMethods = defaultFetchMethods,
}: Pick<AnyScraper, "fetchMethods">) => fetchMethods

export function defineScraper<
  const I extends TObject,
  const O extends TSchema,
  const T extends Target,
>(scraper: Scraper<I, O, T>): Scraper<I, O, T> {
  return scraper
}
