import { type Static, type TSchema, Type } from "@sinclair/typebox"
import { type AnyScraper, nullable, oneOf } from "./kit/index.ts"
import { proven } from "./proven.ts"
import { unprovenFields } from "./unproven-fields.ts"

export const evidenceSchema = Type.Object(
  {
    status: oneOf(["proven", "unproven"]),
    newestRecording: nullable(
      Type.String({ description: "Its month, or its year; null where it is not known." }),
    ),
    unprovenWays: Type.Array(Type.String(), {
      description: "Ways to its data whose form is known from public sources alone.",
    }),
    unprovenFields: Type.Array(Type.String(), {
      description:
        "Fields of its items that no recording fills; none is listed of a scraper that is unproven as a whole.",
    }),
  },
  {
    additionalProperties: false,
    description:
      "Whether the scraper is known to read a true answer of its upstream: proven by a recording, or built to what public sources tell.",
  },
)
export type Evidence = Static<typeof evidenceSchema>

/** What a scraper's items rest on. */
export function evidenceOf(scraper: AnyScraper): Evidence {
  const { slug, unproven = [] } = scraper.own?.scraper ?? scraper
  return {
    status: slug in proven ? "proven" : "unproven",
    newestRecording: proven[slug] ?? null,
    unprovenWays: [...unproven],
    unprovenFields: [...(unprovenFields[slug] ?? [])],
  }
}

/** Behind the description of a field that no recording fills. */
const mark = "Not proven: no recording fills it."

/** A scraper's item, whose schema marks the fields that no recording fills. */
export function markedItem(scraper: AnyScraper): TSchema {
  const { item } = scraper
  const unfilled = new Set(unprovenFields[(scraper.own?.scraper ?? scraper).slug] ?? [])
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
export function evidenceWords(scraper: AnyScraper): string {
  const { status, newestRecording } = evidenceOf(scraper)
  return newestRecording ? `${status} ${newestRecording}` : status
}

/** The same in a few words. */
export function evidenceText(scraper: AnyScraper): string {
  const { status, newestRecording, unprovenWays, unprovenFields } = evidenceOf(scraper)
  const dated = status === "proven" ? `proven (${newestRecording ?? "undated"})` : status
  const fields = unprovenFields.length > 0 ? [`${unprovenFields.length} fields of its items`] : []
  const others = [...unprovenWays, ...fields]
  return others.length > 0 ? `${dated}, but for ${others.join(", ")}` : dated
}
