import { type Static, type TSchema, Type } from "@sinclair/typebox"
import { type AnyScraper, nullable, oneOf } from "./kit/index.ts"
import { unverifiedFields } from "./unverified-fields.ts"
import { verified } from "./verified.ts"

export const verificationSchema = Type.Object(
  {
    status: oneOf(["proven", "unproven"]),
    newestRecording: nullable(Type.String({ description: "Its month or year; null if unknown." })),
    unverifiedFetchMethods: Type.Array(Type.String(), {
      description: "Ways to its data whose form is known from public sources alone.",
    }),
    unverifiedFields: Type.Array(Type.String(), {
      description:
        "Fields of its items that no recording fills; none is listed of a scraper that is unproven as a whole.",
    }),
  },
  {
    additionalProperties: false,
    description:
      "Whether the scraper is known to read a true response of its upstream: verified by a recording, or built to public sources.",
  },
)
export type Verification = Static<typeof verificationSchema>

/** What a scraper's items rest on. */
export function verificationOf(scraper: AnyScraper): Verification {
  const { slug, unverified = [] } = scraper.own?.scraper ?? scraper
  return {
    status: slug in verified ? "proven" : "unproven",
    newestRecording: verified[slug] ?? null,
    unverifiedFetchMethods: [...unverified],
    unverifiedFields: [...(unverifiedFields[slug] ?? [])],
  }
}

/** Behind the description of a field that no recording fills. */
const mark = "Not proven: no recording fills it."

/** A scraper's item, whose schema marks the fields that no recording fills. */
export function markedItem(scraper: AnyScraper): TSchema {
  const { item } = scraper
  const unfilled = new Set(unverifiedFields[(scraper.own?.scraper ?? scraper).slug] ?? [])
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

/** The same in a word or two, such as "proven 2026-07"; a recording without a date proves, too. */
export function verificationWords(scraper: AnyScraper): string {
  const { status, newestRecording } = verificationOf(scraper)
  return newestRecording ? `${status} ${newestRecording}` : status
}

/** The same in a few words. */
export function verificationText(scraper: AnyScraper): string {
  const { status, newestRecording, unverifiedFetchMethods, unverifiedFields } =
    verificationOf(scraper)
  const dated = status === "proven" ? `proven (${newestRecording ?? "undated"})` : status
  const fields =
    unverifiedFields.length > 0 ? [`${unverifiedFields.length} fields of its items`] : []
  const others = [...unverifiedFetchMethods, ...fields]
  return others.length > 0 ? `${dated}, but for ${others.join(", ")}` : dated
}
