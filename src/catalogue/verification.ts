import { type Static, type TSchema, Type } from "@sinclair/typebox"
import { type AnyScraper, items } from "./kit/index.ts"
import verifiedTable from "./verified.json"

interface VerifiedScraper {
  /** Month or year of the newest recording that yields an item; null if it has no date. */
  at: string | null
  /** Item fields that no recording fills. */
  unfilled: readonly string[]
}

/** The verified scrapers by slug. `scripts/list-verified.ts` writes the table. */
export const verified: Readonly<Record<string, VerifiedScraper>> = verifiedTable

export const verificationSchema = Type.Object(
  {
    verified: items.requiredBoolean("Whether a recorded response of the site yields items."),
    lastVerifiedAt: items.text(
      "Month or year of the newest recording, for example 2026-07; null if unknown.",
    ),
    unverifiedFetchMethods: items.texts(
      "Fetch methods that are based only on public descriptions of the site.",
    ),
    unverifiedFields: items.texts(
      "Item fields that no recording fills; empty for scrapers that are not verified at all.",
    ),
  },
  {
    additionalProperties: false,
    description:
      "Whether a recorded response shows that the scraper works. If not, it is based only on public descriptions of the site.",
  },
)
export type Verification = Static<typeof verificationSchema>

/** Returns how well recordings verify a scraper. */
export function verificationOf(scraper: AnyScraper): Verification {
  const { slug, unverified = [] } = scraper.own?.scraper ?? scraper
  return {
    verified: slug in verified,
    lastVerifiedAt: verified[slug]?.at ?? null,
    unverifiedFetchMethods: [...unverified],
    unverifiedFields: [...(verified[slug]?.unfilled ?? [])],
  }
}

/** Appended to the description of a field that no recording fills. */
const mark = "Not verified: no recording fills it."

/** Returns a scraper's item schema, with a mark on the fields that no recording fills. */
export function markedItem(scraper: AnyScraper): TSchema {
  const { item } = scraper
  const unfilled = new Set(verified[(scraper.own?.scraper ?? scraper).slug]?.unfilled)
  if (unfilled.size === 0) return item
  const marked = (member: TSchema): TSchema => {
    const properties = Object.entries<TSchema>(member.properties ?? {}).map(([name, schema]) => {
      if (!unfilled.has(name)) return [name, schema]
      const description = [schema.description, mark].filter(Boolean).join(" ")
      return [name, { ...schema, description }]
    })
    return { ...member, properties: Object.fromEntries(properties) }
  }
  const members: TSchema[] | undefined = item.anyOf
  return members ? { ...item, anyOf: members.map(marked) } : marked(item)
}

export function verificationText(scraper: AnyScraper): string {
  const { lastVerifiedAt, unverifiedFetchMethods, unverifiedFields, ...state } =
    verificationOf(scraper)
  const dated = state.verified ? `verified (${lastVerifiedAt ?? "date unknown"})` : "not verified"
  const fields = unverifiedFields.length > 0 ? [`${unverifiedFields.length} item fields`] : []
  const others = [...unverifiedFetchMethods, ...fields]
  return others.length > 0 ? `${dated}, except ${others.join(", ")}` : dated
}
