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
  field,
  imageOf,
  itemObject,
  items,
  nullable,
  oneOf,
  type Row,
  record,
  recordOf,
  required,
  runtimeMinutes,
  scoreOf,
  screenNode,
  textsOf,
  type UpstreamResponse,
} from "../kit/index.ts"
import {
  absolute,
  castOf,
  imageUrlOf,
  olderScorecard,
  review,
  reviewCards,
  seasonsOf,
  servicesOf,
  whole,
} from "./lists.ts"

const kinds = ["movie", "tvSeries", "tvSeason"] as const

const people = (description: string) =>
  items.objects(description, {
    name: items.requiredText("Name of the person."),
    url: items.text("URL of the person's page."),
  })

const averageOf = (part: JsonReader) => scoreOf(part.text("averageRating"))

/**
 * Returns a score in percent from "82" or "82%". The key is missing until there are enough reviews.
 */
const score = (part: JsonReader): number | null =>
  whole(part.text("score") ?? part.text("scorePercent"))

const part = record({
  score: field.integer(score, "Score in percent."),
  count: field.integer("ratingCount|reviewCount", "Number of reviews or ratings."),
  average: field.number(averageOf, "Average rating: 0-10 for critics, 0-5 for the audience."),
  liked: field.integer("likedCount", "Number of positive ratings."),
  notLiked: field.integer("notLikedCount", "Number of negative ratings."),
})

/** Part of the ratings; null if the page has no numbers of it. */
const subset = (name: string, description: string) =>
  field.of(nullable(itemObject(part.fields, { description })), ({ card }: TitleParts) => {
    const read = part.read(card.in("overlay", name))
    return Object.values(read).some((value) => value !== null) ? read : null
  })

interface TitleParts extends Row {
  document: Document
  card: JsonReader
  critics: JsonReader
  audience: JsonReader
  node: SchemaReader
  /** Facts in the page's table, as texts by label. */
  written: Record<string, string>
}

/** Returns the day at the start of a text such as "Mar 31, 1999, Wide". */
const dayOf = (text: string): string | null =>
  isoDay(/^\p{L}+\.?\s\d{1,2},\s\d{4}/u.exec(text)?.[0])

const item = recordOf<TitleParts>()({
  url: items.requiredText("URL of the title's page, after redirects."),
  slug: items.requiredText("Path of the title, for example m/matrix."),
  type: oneOf(kinds, { description: "Kind of title: movie, tvSeries or tvSeason." }),
  title: items.requiredText("Title of the film or series."),
  year: items.integer("Year of the release."),
  tomatometer: items.integer(
    "Percentage of critics who liked the title; null if there are too few reviews.",
  ),
  tomatometerStatus: nullable(
    oneOf(["certified-fresh", "fresh", "rotten", "no-score"], {
      description: "Critics' rating, for example fresh; null if the page has no scorecard.",
    }),
  ),
  criticsAverage: field.number(
    ({ critics }) => averageOf(critics),
    "Average rating of the critics (0-10).",
  ),
  criticsReviewCount: field.integer(
    "critics.ratingCount|critics.reviewCount|rating.ratingCount|rating.reviewCount",
    "Number of critics' reviews.",
  ),
  criticsFresh: field.integer("critics.likedCount", "Number of fresh reviews."),
  criticsRotten: field.integer("critics.notLikedCount", "Number of rotten reviews."),
  popcornmeter: field.integer(
    ({ audience }) => score(audience),
    "Percentage of the audience who liked the title.",
  ),
  popcornmeterStatus: nullable(
    oneOf(["verified-hot", "upright", "spilled", "no-score"], {
      description: "Audience rating, for example upright; null if the page has no scorecard.",
    }),
  ),
  audienceAverage: field.number(
    ({ audience }) => averageOf(audience),
    "Average rating of the audience (0-5).",
  ),
  audienceReviewCount: field.integer("audience.reviewCount", "Number of audience reviews."),
  audienceRatingBand: field.title(
    "audience.bandedRatingCount",
    "Number of ratings in words, for example 250,000+ Ratings.",
  ),
  audienceLiked: field.integer("audience.likedCount", "Number of positive ratings."),
  audienceNotLiked: field.integer("audience.notLikedCount", "Number of negative ratings."),
  audienceScoreType: field.trimmed(
    "audience.scoreType",
    "Ratings in the audience score: ALL or VERIFIED.",
  ),
  topCritics: subset("criticsTop", "Ratings of top critics only."),
  allCritics: subset("criticsAll", "Ratings of all critics."),
  audienceVerified: subset("audienceVerified", "Ratings of viewers with a verified ticket."),
  audienceAll: subset("audienceAll", "Ratings of the whole audience."),
  isAverage: field.flag(
    ({ critics }) => /^avg\b/i.test(critics.text("title") ?? ""),
    "Whether the scores are averages over seasons.",
  ),
  criticsConsensus: field.text(
    ({ document }) => firstText(document, "#critics-consensus p", "[data-qa=critics-consensus]"),
    "Critics' consensus in one sentence or two.",
  ),
  synopsis: items.text("Summary of the plot."),
  contentRating: items.text("Content rating, for example R."),
  genres: items.texts("Genres."),
  releaseDate: items.text("Day of the release (YYYY-MM-DD)."),
  releaseDateStreaming: field.text(
    "written.release date (streaming)",
    "Day of the streaming release (YYYY-MM-DD).",
    dayOf,
  ),
  runtimeMinutes: field.integer(
    ({ written }) => runtimeMinutes(written.runtime ?? null),
    "Running time in minutes.",
  ),
  originalLanguage: field.text("written.original language", "Original language of the title."),
  distributor: field.text("written.distributor", "Distributors, separated by commas."),
  productionCompanies: field.texts("facts.production co.*.name", "Production companies."),
  boxOffice: field.text(
    "written.box office (gross usa)",
    "Gross in the US as written on the page, for example $171.4M.",
  ),
  aspectRatio: field.text("written.aspect ratio", "Aspect ratio, for example 2.35:1."),
  soundMix: field.text("written.sound mix", "Sound formats."),
  network: field.text("written.network", "Network of the series."),
  directors: people("Directors."),
  producers: people("Producers."),
  writers: people("Screenwriters."),
  cast: items.objects("Cast in the order of the page.", {
    name: items.requiredText("Name of the person."),
    role: items.text("Character that the person plays, or task."),
    url: items.text("URL of the person's page."),
    imageUrl: items.text("URL of the person's image."),
  }),
  criticReviews: field.objects(
    ({ document }) => reviewCards(document),
    "Critics' reviews on the page, about 10.",
    review,
  ),
  whereToWatch: field.objects(
    ({ document }) => servicesOf(document),
    "Streaming services that offer the title.",
    {
      name: required(field.title("text", "Name of the service.")),
      url: field.trimmed("url", "URL of the title at the service.", absolute),
      sponsored: field.flag("isSponsoredLink", "Whether the link is sponsored."),
    },
  ),
  seasons: items.objects("Seasons of the series.", {
    number: items.integer("Number of the season."),
    url: items.requiredText("URL of the season's page."),
    tomatometer: items.integer("Tomatometer of the season, in percent."),
  }),
  series: field.object("series", "Series of the season.", {
    title: field.title("name", "Title of the series."),
    url: field.trimmed("url", "URL of the series' page.", absolute),
  }),
  imageUrl: field.text(({ node }) => imageUrlOf(imageOf(node)), "URL of the poster."),
  reviewsUrl: field.trimmed(
    "critics.reviewsPageUrl",
    "URL of the page with the critics' reviews.",
    absolute,
  ),
})
export const titleFields = item.fields

/** Returns an item's fields; undefined if the page has neither a scorecard nor structured data. */
export function titleOf(response: UpstreamResponse) {
  const { document } = response
  const today = new JsonReader(scriptJson(document, "script#media-scorecard-json"))
  const card = today.has() ? today : olderScorecard(document)
  const node =
    screenNode(document, ["Movie", "TVSeries", "TVSeason"]) ?? new SchemaReader(undefined)
  const title = node.title("name") ?? headTitle(document)
  const isScored = card.has("criticsScore") || card.has("audienceScore")
  if (!title || (!isScored && !node.has("name"))) return undefined
  const canonical = firstAttribute(document, "link[rel=canonical]", "href")
  const url = canonical && /\/(?:m|tv)\/./.test(canonical) ? absolute(canonical)! : response.url
  const slug = new URL(url).pathname.replace(/^\/+|(?<!\/)\/+$/g, "")
  const facts = factsOf(document)
  const joined = (known: Fact[]) => known.map(({ name }) => name).join(", ")
  const written = Object.fromEntries(
    Object.entries(facts).map(([label, known]) => [label, joined(known)]),
  )
  const critics = card.in("criticsScore")
  const audience = card.in("audienceScore")
  const rating = node.in("aggregateRating")
  return item.read({
    document,
    card,
    critics,
    audience,
    node,
    rating,
    facts,
    written,
    url,
    slug,
    type: typeOf(card.text("overlay", "mediaType") ?? node.type, slug),
    title,
    year: yearOf(response, node, title),
    tomatometer: isScored ? score(critics) : whole(rating.text("ratingValue")),
    tomatometerStatus: isScored ? criticsStatus(critics) : null,
    popcornmeterStatus: isScored ? audienceStatus(audience) : null,
    synopsis:
      card.title("description") ??
      firstText(document, "[data-qa=synopsis-value]", "[data-qa=movie-info-synopsis]"),
    contentRating: node.title("contentRating") ?? /^[\w-]+/.exec(written.rating ?? "")?.[0],
    genres: node.has("genre")
      ? textsOf(node, "genre")
      : (facts.genre ?? []).map((fact) => fact.name),
    releaseDate:
      isoDay(node.text("dateCreated")) ?? dayOf(written["release date (theaters)"] ?? ""),
    directors: peopleOf(node, "director", facts.director),
    producers: peopleOf(node, "producer", facts.producer),
    writers: facts.screenwriter ?? peopleOf(node, "author"),
    cast: castOf(document, node),
    seasons: seasonsOf(document, node),
    series: node.has("partOfSeries") ? node.in("partOfSeries") : null,
  })
}

function headTitle(document: Document): string | null {
  const written = firstAttribute(document, 'meta[property="og:title"]', "content")
  return titleOrNull(written?.replace(/(?<!\s)\s*\|\s*Rotten Tomatoes\s*$/i, ""))
}

function typeOf(type: string | null, slug: string) {
  const named = kinds.find((kind) => kind.toLowerCase() === type?.toLowerCase())
  if (named) return named
  return !slug.startsWith("tv/") ? "movie" : slug.split("/").length > 2 ? "tvSeason" : "tvSeries"
}

function yearOf(response: UpstreamResponse, node: JsonReader, title: string): number | null {
  const year =
    /^\d{4}/.exec(node.text("dateCreated") ?? "")?.[0] ??
    /"releaseYear":\s*"?(\d{4})/.exec(response.text())?.[1] ??
    /\((\d{4})\)/.exec(`${title} ${headTitle(response.document)}`)?.[1]
  return year ? Number(year) : null
}

function criticsStatus(critics: JsonReader) {
  if (score(critics) === null) return "no-score" as const
  if (critics.flag("certified")) return "certified-fresh" as const
  return ({ POSITIVE: "fresh", NEGATIVE: "rotten" } as const)[critics.text("sentiment") ?? ""]
}

function audienceStatus(audience: JsonReader) {
  if (score(audience) === null) return "no-score" as const
  const isHot =
    audience.text("certified") === "certified" ||
    audience.flag("certified") === true ||
    audience.text("certifiedFresh") === "certified"
  if (isHot) return "verified-hot" as const
  return ({ POSITIVE: "upright", NEGATIVE: "spilled" } as const)[audience.text("sentiment") ?? ""]
}

type Fact = { name: string; url: string | null }

/** Returns the page's table of facts, by label in lower case. */
function factsOf(document: Document): Record<string, Fact[]> {
  const facts: Record<string, Fact[]> = Object.create(null)
  for (const row of document.querySelectorAll("[data-qa=item], [data-qa=movie-info-item]")) {
    const label = firstText(row, "[data-qa=item-label]", "[data-qa=movie-info-item-label]")
      ?.replace(/:$/, "")
      .toLowerCase()
    if (!label) continue
    const older = row.querySelector("[data-qa=movie-info-item-value]")
    const links = older?.querySelectorAll("a[href]") ?? []
    const cells = older ? (links.length > 0 ? links : [older]) : []
    const values = [...row.querySelectorAll("[data-qa=item-value]"), ...cells].flatMap((value) => {
      const name = plainText(value)?.replace(/,$/, "")
      return name ? [{ name, url: absolute(value.getAttribute("href")) }] : []
    })
    if (values.length > 0) facts[label] = values
  }
  return facts
}

function peopleOf(node: SchemaReader, property: string, facts: Fact[] = []): Fact[] {
  const named = node.list(property).flatMap((person) => {
    const name = person.title("name")
    return name ? [{ name, url: absolute(person.text("sameAs") ?? person.text("url")) }] : []
  })
  return named.length > 0 ? named : facts
}
