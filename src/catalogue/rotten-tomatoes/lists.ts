import {
  absoluteUrl,
  firstAttribute,
  firstText,
  isoDay,
  parseCount,
  unseen,
} from "../../extract/core/index.ts"
import { JsonReader, scriptJson } from "../../extract/embedded/index.ts"
import { SchemaReader } from "../../extract/structured/index.ts"
import { css, field, imageOf, scoreOf } from "../kit/index.ts"

export const absolute = (url: string | null) => absoluteUrl(url, "https://www.rottentomatoes.com")

/** Returns null for placeholders of missing images. */
export const imageUrlOf = (url: string | null) => (url === "none" ? null : absolute(url))

/** Returns a score in percent from "82" or "82%". */
export function whole(text: string | null): number | null {
  const number = scoreOf(text)
  return number === null ? null : Math.round(number)
}

export function castOf(document: Document, node: SchemaReader) {
  const cards = "[data-qa=person-item], [data-qa=cast-crew-item], [data-qa=cast-item]"
  const visible = [...document.querySelectorAll(cards)].flatMap((card) => {
    const name = firstText(card, "[data-qa=person-name]", ".name", "[data-qa=cast-item-link]")
    if (!name) return []
    const link = card.getAttribute("href") ?? firstAttribute(card, "a, rt-link", "href")
    return {
      name,
      role: firstText(card, "[data-qa=person-role]", ".role", ".characters"),
      url: absolute(link),
      imageUrl: imageUrlOf(firstAttribute(card, "rt-img, img", "src")),
    }
  })
  if (visible.length > 0) return visible
  const older = new SchemaReader(scriptJson(document, "#castAndCrewData")).list("people")
  const listed = older.length > 0 ? older : node.list("actor")
  return listed.flatMap((person) => {
    const name = person.title("name")
    if (!name) return []
    return {
      name,
      role: person.title("role") ?? person.title("characterName"),
      url: absolute(person.text("sameAs") ?? person.text("url")),
      imageUrl: imageUrlOf(imageOf(person)),
    }
  })
}

/** Audience cards have the same element; older pages have a separate element for critics. */
const criticCards =
  "review-card-critic, .critics-reviews review-card, review-card[fixed-size-critic]"

const link = ":is([slot=review-link], [slot=reviewLink])"

export const review = {
  critic: field.text(css("[slot=name]"), "Name of the critic."),
  criticUrl: field.text(
    css("[slot=name][href], [slot=name] [href]", "href"),
    "URL of the critic's page.",
    absolute,
  ),
  publication: field.text(css("[slot=publication]"), "Name of the publication."),
  topCritic: field.flag(isTopCritic, "Whether the critic is a top critic."),
  sentiment: field.text(
    css("score-icon-critics", "sentiment"),
    "Verdict of the critic: POSITIVE or NEGATIVE.",
  ),
  rating: field.text(css("[slot=rating]"), "Rating on the critic's own scale, for example 3/4."),
  publishedAt: field.text(css("[slot=timestamp]"), "Day of the review (YYYY-MM-DD).", dayWritten),
  quote: field.text(css("[slot=review]"), "Quote of one sentence from the review."),
  url: field.text(
    css(`${link}[href], ${link} [href]`, "href"),
    "URL of the full review.",
    absolute,
  ),
}

/** Returns the cards of critics that have a name or a text. */
export const reviewCards = (document: Document) =>
  [...document.querySelectorAll(criticCards)].filter(
    (card) => firstText(card, "[slot=name]") || firstText(card, "[slot=review]"),
  )

function isTopCritic(card: Element): boolean {
  const top = card.getAttribute("top-critic")
  return top !== null && top !== "false"
}

function dayWritten(text: string): string | null {
  const date = /(\d{1,2})\/(\d{1,2})\/(\d{4})/.exec(text)
  return isoDay(date ? `${date[3]}-${date[1]}-${date[2]}` : text)
}

export const servicesOf = (document: Document) =>
  new JsonReader(scriptJson(document, "script#where-to-watch-json"))
    .list("affiliates")
    .filter((service) => service.title("text"))

export function seasonsOf(document: Document, node: SchemaReader) {
  const tiles = [...document.querySelectorAll("tile-season[href]")].map((tile) => ({
    url: absolute(tile.getAttribute("href")),
    tomatometer: whole(firstText(tile, "[slot=critics-score]")),
  }))
  const links = node.list("containsSeason").map((season) => absolute(season.text("url")))
  const listed = links.map((url) => ({ url, tomatometer: null }))
  const seasons = [...tiles, ...listed].flatMap(({ url, tomatometer }) => {
    const number = /\/s(\d+)(?:\/|$)/.exec(url ?? "")?.[1]
    return url ? [{ number: number ? Number(number) : null, url, tomatometer }] : []
  })
  return unseen(seasons, new Set(), (season) => season.url.replace(/\/$/, "")).toSorted(
    (season, other) => (season.number ?? Infinity) - (other.number ?? Infinity),
  )
}

/**
 * Returns the URL of the first film of a search, or of the first film of the year that the words
 * contain.
 */
export function firstResultPath(document: Document, words: string): string | undefined {
  const rows = [
    ...document.querySelectorAll("search-page-result[type=movie] search-page-media-row"),
  ].flatMap((row) => {
    const url =
      firstAttribute(row, "a[data-qa=info-name]", "href") ??
      firstAttribute(row, "a[data-qa=thumbnail-link]", "href")
    const year = row.getAttribute("release-year") ?? row.getAttribute("releaseyear")
    return url ? [{ url, year }] : []
  })
  return (rows.find(({ year }) => year && words.includes(year)) ?? rows[0])?.url
}

const sentiments: Record<string, string> = {
  "certified-fresh": "POSITIVE",
  fresh: "POSITIVE",
  upright: "POSITIVE",
  rotten: "NEGATIVE",
  spilled: "NEGATIVE",
}

/** Returns the scores of pages of 2020 to 2023 in today's form, from their data or element. */
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
