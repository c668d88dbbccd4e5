import {
  firstAttribute,
  firstText,
  isoDay,
  plainText,
  titleOrNull,
} from "../../extract/core/index.ts"
import { JsonReader, scriptJson } from "../../extract/embedded/index.ts"
import { SchemaReader } from "../../extract/structured/index.ts"
import {
  imageOf,
  runtimeMinutes,
  scoreOf,
  screenNode,
  textsOf,
  type UpstreamResponse,
} from "../kit/index.ts"
import {
  absolute,
  castOf,
  imageAddress,
  reviewsOf,
  seasonsOf,
  whereToWatch,
  whole,
} from "./lists.ts"

const types = { Movie: "movie", TvSeries: "tvSeries", TvSeason: "tvSeason" } as const

/** An item's fields; undefined where the page has neither a scorecard nor structured data. */
export function titleOf(response: UpstreamResponse) {
  const { document } = response
  const card = new JsonReader(scriptJson(document, "script#media-scorecard-json"))
  const node =
    screenNode(document, ["Movie", "TVSeries", "TVSeason"]) ?? new SchemaReader(undefined)
  const title = node.title("name") ?? headTitle(document)
  const scored = card.has("criticsScore") || card.has("audienceScore")
  if (!title || (!scored && !node.has("name"))) return undefined
  const canonical = firstAttribute(document, "link[rel=canonical]", "href")
  const url = canonical && /\/(?:m|tv)\/./.test(canonical) ? absolute(canonical)! : response.url
  const slug = new URL(url).pathname.replace(/^\/+|(?<!\/)\/+$/g, "")
  const facts = factsOf(document)
  const written = (label: string) =>
    facts
      .get(label)
      ?.map((fact) => fact.name)
      .join(", ") ?? null
  const critics = card.in("criticsScore")
  const rating = node.in("aggregateRating")
  return {
    url,
    slug,
    type: typeOf(card.text("overlay", "mediaType") ?? node.type, slug),
    title,
    year: yearOf(response, node, title),
    tomatometer: scored ? score(critics) : whole(rating.text("ratingValue")),
    ...criticsFields(critics, rating, scored),
    ...audienceFields(card.in("audienceScore"), scored),
    topCritics: subset(card.in("overlay", "criticsTop")),
    allCritics: subset(card.in("overlay", "criticsAll")),
    audienceVerified: subset(card.in("overlay", "audienceVerified")),
    audienceAll: subset(card.in("overlay", "audienceAll")),
    isAverage: /^avg\b/i.test(critics.text("title") ?? ""),
    criticsConsensus: firstText(document, "#critics-consensus p"),
    synopsis: card.title("description") ?? firstText(document, "[data-qa=synopsis-value]"),
    contentRating:
      node.title("contentRating") ?? /^[\w-]+/.exec(written("rating") ?? "")?.[0] ?? null,
    genres: node.has("genre")
      ? textsOf(node, "genre")
      : (facts.get("genre") ?? []).map((fact) => fact.name),
    releaseDate: isoDay(node.text("dateCreated")) ?? dayOf(written("release date (theaters)")),
    releaseDateStreaming: dayOf(written("release date (streaming)")),
    runtimeMinutes: runtimeMinutes(written("runtime")),
    originalLanguage: written("original language"),
    distributor: written("distributor"),
    productionCompanies: (facts.get("production co") ?? []).map((fact) => fact.name),
    boxOffice: written("box office (gross usa)"),
    aspectRatio: written("aspect ratio"),
    soundMix: written("sound mix"),
    network: written("network"),
    directors: people(node, "director", facts.get("director")),
    producers: people(node, "producer", facts.get("producer")),
    writers: facts.get("screenwriter") ?? people(node, "author"),
    cast: castOf(document, node),
    criticReviews: reviewsOf(document),
    whereToWatch: whereToWatch(document),
    seasons: seasonsOf(document, node),
    series: node.has("partOfSeries")
      ? {
          title: node.title("partOfSeries", "name"),
          url: absolute(node.text("partOfSeries", "url")),
        }
      : null,
    imageUrl: imageAddress(imageOf(node)),
    reviewsUrl: absolute(critics.text("reviewsPageUrl")),
  }
}

function headTitle(document: Document): string | null {
  const written = firstAttribute(document, 'meta[property="og:title"]', "content")
  return titleOrNull(written?.replace(/(?<!\s)\s*\|\s*Rotten Tomatoes\s*$/i, ""))
}

function typeOf(type: string | null, slug: string): "movie" | "tvSeries" | "tvSeason" {
  for (const [name, own] of Object.entries(types)) {
    if (type?.toLowerCase() === name.toLowerCase()) return own
  }
  if (!slug.startsWith("tv/")) return "movie"
  return slug.split("/").length > 2 ? "tvSeason" : "tvSeries"
}

function yearOf(response: UpstreamResponse, node: JsonReader, title: string): number | null {
  const year =
    /^\d{4}/.exec(node.text("dateCreated") ?? "")?.[0] ??
    /"releaseYear":\s*"?(\d{4})/.exec(response.text())?.[1] ??
    /\((\d{4})\)/.exec(`${title} ${headTitle(response.document)}`)?.[1]
  return year ? Number(year) : null
}

/** Percent, written "82" or "82%"; no key until there are enough reviews. */
function score(part: JsonReader): number | null {
  return whole(part.text("score") ?? part.text("scorePercent"))
}

function criticsFields(critics: JsonReader, rating: JsonReader, scored: boolean) {
  const standing = critics.flag("certified")
    ? ("certified-fresh" as const)
    : ({ POSITIVE: "fresh", NEGATIVE: "rotten" } as const)[critics.text("sentiment") ?? ""]
  const count = critics.integer("ratingCount") ?? critics.integer("reviewCount")
  return {
    tomatometerStatus: !scored
      ? null
      : score(critics) === null
        ? ("no-score" as const)
        : (standing ?? null),
    criticsAverage: scoreOf(critics.text("averageRating")),
    criticsReviewCount: count ?? rating.integer("ratingCount") ?? rating.integer("reviewCount"),
    criticsFresh: critics.integer("likedCount"),
    criticsRotten: critics.integer("notLikedCount"),
  }
}

function audienceFields(audience: JsonReader, scored: boolean) {
  const hot = audience.text("certified") === "certified" || audience.flag("certified") === true
  const standing =
    hot || audience.text("certifiedFresh") === "certified"
      ? ("verified-hot" as const)
      : ({ POSITIVE: "upright", NEGATIVE: "spilled" } as const)[audience.text("sentiment") ?? ""]
  return {
    popcornmeter: score(audience),
    popcornmeterStatus: !scored
      ? null
      : score(audience) === null
        ? ("no-score" as const)
        : (standing ?? null),
    audienceAverage: scoreOf(audience.text("averageRating")),
    audienceReviewCount: audience.integer("reviewCount"),
    audienceRatingBand: audience.title("bandedRatingCount"),
    audienceLiked: audience.integer("likedCount"),
    audienceNotLiked: audience.integer("notLikedCount"),
    audienceScoreType: audience.text("scoreType"),
  }
}

function subset(part: JsonReader) {
  const fields = {
    score: score(part),
    count: part.integer("ratingCount") ?? part.integer("reviewCount"),
    average: scoreOf(part.text("averageRating")),
    liked: part.integer("likedCount"),
    notLiked: part.integer("notLikedCount"),
  }
  return Object.values(fields).some((value) => value !== null) ? fields : null
}

interface Fact {
  name: string
  url: string | null
}

/** The page's table of facts, by label in lower case. */
function factsOf(document: Document): Map<string, Fact[]> {
  const facts = new Map<string, Fact[]>()
  for (const row of document.querySelectorAll("[data-qa=item]")) {
    const label = firstText(row, "[data-qa=item-label]")?.replace(/:$/, "").toLowerCase()
    if (!label) continue
    const values = [...row.querySelectorAll("[data-qa=item-value]")].flatMap((value) => {
      const name = plainText(value)?.replace(/,$/, "")
      return name ? [{ name, url: absolute(value.getAttribute("href")) }] : []
    })
    if (values.length > 0) facts.set(label, values)
  }
  return facts
}

/** The day at the start of a text such as "Mar 31, 1999, Wide". */
function dayOf(text: string | null): string | null {
  return isoDay(/^\p{L}+\.?\s\d{1,2},\s\d{4}/u.exec(text ?? "")?.[0])
}

function people(node: SchemaReader, property: string, facts: Fact[] = []): Fact[] {
  const named = node.list(property).flatMap((person) => {
    const name = person.title("name")
    return name ? [{ name, url: absolute(person.text("sameAs") ?? person.text("url")) }] : []
  })
  return named.length > 0 ? named : facts
}
