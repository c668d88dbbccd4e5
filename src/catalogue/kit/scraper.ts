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
  /** Requests under way at once, over all workers. */
  concurrency?: number
  /** What the host allows strangers; none are sent beyond it, but where the operator set the secret. */
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
  /** The shape of a good item; an error item (outcome.ts) may stand in its place. */
  item: O
  /** An input that works, for documentation and example calls. */
  example: CallerInput<I>
  /** A call by which the upstream is tried, and what must be true of its items. */
  probe?: Probe
  /** Limits by host name; `*` holds for every other host. */
  rateLimit?: Record<string, HostRateLimit>
  /**
   * The ways in to its requests, tried in this order for each that is turned away; no other is used. A
   * site that compares the hello with the agent is asked over Chrome's network stack first: `http`
   * behind `browser-http` serves where there is no Chrome. Default: `http`, `browser-http`; scrapers of
   * any host that is named to them state `http` alone.
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

/** The ways in to a scraper's requests, as its definition states them. */
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
