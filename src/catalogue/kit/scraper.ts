import type { Static, TObject, TSchema } from "@sinclair/typebox"
import type { Canary } from "./canary.ts"
import type { Access, Context, Target } from "./context.ts"
import { type DeprecatedNames, oldNames } from "./deprecated.ts"
import type { CallerInput } from "./inputs.ts"
import type { ErrorItem } from "./outcome.ts"
import type { SecretName } from "./secrets.ts"
import { tellWall, type Wall } from "./wall.ts"
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

export interface HostPace {
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
  category: Category
  tier: "free" | "premium"
  input: I
  /** The shape of a good item; an error item (outcome.ts) may stand in its place. */
  item: O
  /** Names under which fields of the item are given too, until the next major version. */
  deprecated?: DeprecatedNames
  /** An input that works, for documentation and example calls. */
  example: CallerInput<I>
  /** A call by which the upstream is tried, and what must be true of its items. */
  canary?: Canary
  /** Limits by host name; `*` holds for every other host. */
  pace?: Record<string, HostPace>
  /**
   * The ways in to its pages, tried in this order for each page that is blocked or an empty shell. No
   * other is used. Default: http alone.
   */
  access?: readonly Access[]
  /** The signs of its site's own wall, by which the pages of every scraper are judged. */
  wall?: Wall
  /** What schedules of it watch from run to run. */
  watch?: Watch
  /** Ways to its data that no recording has shown, by the name of a host or of what is asked there. */
  unproven?: readonly string[]
  /** Targets worked on at once. Default 4; hosts are paced on their own. */
  concurrency?: number
  targets(input: Static<I>): T[]
  /** Of an account's own: the scraper that does its work, and what that is given. */
  own?: {
    id: string
    scraper: AnyScraper
    inputOf(input: Static<I>): Record<string, unknown>
    /** Whether it is made for an address. */
    fits(url: string): boolean
  }
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

/**
 * The ways in to a scraper's pages. Where Chrome's pages come behind plain HTTP, Chrome's connection
 * comes between: many walls look at no more than that, and it costs a tenth of a page.
 */
export function accessOf({ access = ["http"] }: Pick<AnyScraper, "access">): readonly Access[] {
  const isBehind = access.join().includes("http,browser")
  return isBehind
    ? access.flatMap((way): Access[] => (way === "browser" ? ["chrome-net", way] : [way]))
    : access
}

export function defineScraper<
  const I extends TObject,
  const O extends TSchema,
  const T extends Target,
>(scraper: Scraper<I, O, T>): Scraper<I, O, T> {
  if (scraper.wall) tellWall(scraper.wall)
  if (!scraper.deprecated) return scraper
  const old = oldNames(scraper.deprecated)
  return {
    ...scraper,
    item: old.schema(scraper.item),
    async *scrape(target, ctx) {
      for await (const item of scraper.scrape(target, ctx)) yield old.item(item)
    },
  }
}
