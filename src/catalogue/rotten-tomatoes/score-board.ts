import { firstText, parseCount } from "../../extract/core/index.ts"
import { JsonReader, scriptJson } from "../../extract/embedded/index.ts"

const sentiments: Record<string, string> = {
  "certified-fresh": "POSITIVE",
  fresh: "POSITIVE",
  upright: "POSITIVE",
  rotten: "NEGATIVE",
  spilled: "NEGATIVE",
}

/**
 * Returns the scores of pages from 2020 to 2023 in the form of today's scorecard: from their data, or
 * else from the element that displays them.
 */
export function olderScorecard(document: Document): JsonReader {
  const board = document.querySelector("score-board, score-board-deprecated")
  const data = new JsonReader(scriptJson(document, "script#score-details-json")).in("modal")
  if (!board && !data.has()) return new JsonReader(undefined)
  const stated = (kind: "tomatometer" | "audience") => {
    const state = board?.getAttribute(`${kind}state`) ?? ""
    return {
      score: board?.getAttribute(`${kind}score`) || undefined,
      sentiment: sentiments[state],
      certified: state === "certified-fresh",
    }
  }
  const slot = (name: string) => board && firstText(board, `[slot="${name}"]`)
  const parts = (name: string) => data.value<object>(name) ?? {}
  const viewers = data.has("audienceScoreVerified", "score") ? "Verified" : "All"
  return new JsonReader({
    criticsScore: {
      ...stated("tomatometer"),
      reviewCount: parseCount(slot("critics-count")),
      ...parts("tomatometerScoreAll"),
    },
    audienceScore: {
      ...stated("audience"),
      bandedRatingCount: slot("audience-count"),
      ...parts(`audienceScore${viewers}`),
    },
    overlay: {
      criticsAll: parts("tomatometerScoreAll"),
      criticsTop: parts("tomatometerScoreTop"),
      audienceAll: parts("audienceScoreAll"),
      audienceVerified: parts("audienceScoreVerified"),
    },
  })
}
