import { type Static, Type } from "@sinclair/typebox"
import { type AnyScraper, nullable, oneOf } from "./kit/index.ts"
import { proven } from "./proven.ts"

export const evidenceSchema = Type.Object(
  {
    status: oneOf(["proven", "unproven"]),
    newestRecording: nullable(
      Type.String({ description: "Its month, or its year; null where it is not known." }),
    ),
    unprovenWays: Type.Array(Type.String(), {
      description: "Ways to its data whose form is known from public sources alone.",
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
  }
}

/** The same in a word or two, such as "proven 2026-07"; a recording without a date proves, too. */
export function evidenceWords(scraper: AnyScraper): string {
  const { status, newestRecording } = evidenceOf(scraper)
  return newestRecording ? `${status} ${newestRecording}` : status
}

/** The same in a few words. */
export function evidenceText(scraper: AnyScraper): string {
  const { status, newestRecording, unprovenWays } = evidenceOf(scraper)
  const dated = status === "proven" ? `proven (${newestRecording ?? "undated"})` : status
  return unprovenWays.length > 0 ? `${dated}, but for ${unprovenWays.join(", ")}` : dated
}
