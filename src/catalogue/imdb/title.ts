import { Type } from "@sinclair/typebox"
import {
  absoluteUrl,
  foldSpace,
  htmlToText,
  isoDate,
  isoDay,
  unseen,
} from "../../extract/core/index.ts"
import type { JsonReader } from "../../extract/embedded/index.ts"
import type { SchemaReader } from "../../extract/structured/index.ts"
import {
  field,
  imageOf,
  itemObject,
  items,
  nullable,
  record,
  required,
  runtimeMinutes,
  textsOf,
} from "../kit/index.ts"

/** The page's state, `pageProps`: `aboveTheFoldData` and `mainColumnData`. */
export type Page = JsonReader

const person = itemObject({
  id: items.text("IMDb's id, nm…"),
  name: items.requiredText("Name."),
  url: items.text("URL of the person."),
})

const money = (description: string, ...path: string[]) =>
  field.of(
    nullable(
      itemObject(
        { amount: items.requiredNumber("Amount."), currency: items.text("Currency (ISO 4217).") },
        { description },
      ),
    ),
    ({ main }: { main?: JsonReader }) => {
      const amount = main?.number(...path, "amount") ?? null
      return amount === null ? null : { amount, currency: main!.text(...path, "currency") }
    },
  )

/** Rows have `top` and `main` of a page's state, or `node` of its structured data. */
export const titleRecord = record({
  title: required(field.title("top.titleText.text|node.name", "Title.")),
  originalTitle: field.title("top.originalTitleText.text|node.alternateName", "Original title."),
  titleType: field.trimmed(
    "type.id",
    "movie, tvSeries, tvMiniSeries, tvEpisode, short, video, videoGame …",
  ),
  isSeries: field.boolean("type.isSeries", "Whether the title is a series."),
  isEpisode: field.boolean("type.isEpisode", "Whether the title is an episode."),
  year: field.integer(
    "top.releaseYear.year|year",
    "Year of the first release in any country, or of the start of a series.",
  ),
  endYear: field.integer("top.releaseYear.endYear|endYear", "Year in which a series ended."),
  releaseDate: items.text("Release date in `releaseCountry`: YYYY-MM-DD, YYYY-MM or YYYY."),
  releaseCountry: field.title(
    "top.releaseDate.country.text|main.releaseDate.country.text",
    "Country of `releaseDate`.",
  ),
  runtimeMinutes: items.integer("Running time in minutes."),
  contentRating: field.title(
    "top.certificate.rating|gap.contentRating",
    "Age rating, for example PG-13.",
  ),
  rating: field.number(
    "top.ratingsSummary.aggregateRating|node.aggregateRating.ratingValue",
    "Average rating by users (1-10).",
  ),
  ratingCount: items.integer("Number of ratings; 0 if unrated."),
  topRank: field.integer(
    "main.ratingsSummary.topRanking.rank",
    "Rank in IMDb's list of top rated titles.",
  ),
  popularityRank: field.integer("top.meterRanking.currentRank", "Popularity rank this week."),
  metascore: field.integer("top.metacritic.metascore.score", "Metascore of Metacritic (0-100)."),
  genres: items.texts("Genres."),
  interests: items.texts("IMDb's interests, finer than genres."),
  keywords: items.texts("Keywords."),
  plot: items.text("Short plot summary."),
  imageUrl: field.trimmed("top.primaryImage.url|main.primaryImage.url|image", "URL of the poster."),
  directors: Type.Array(person, { description: "Directors." }),
  writers: Type.Array(person, { description: "Writers." }),
  creators: Type.Array(person, { description: "Creators; only for series." }),
  cast: items.objects("Leading cast.", {
    id: items.text("IMDb's id, nm…"),
    name: items.requiredText("Name."),
    characters: items.texts("Characters."),
    imageUrl: items.text("URL of the image."),
    url: items.text("URL of the person."),
  }),
  series: field.object("series", "Series of the episode; only for episodes.", {
    id: required(field.trimmed("id", "IMDb's ID of the series.")),
    title: field.title("titleText.text", "Title of the series."),
    url: required(
      field.text((series: JsonReader) => titleUrl(series.text("id")), "URL of the series."),
    ),
  }),
  seasonNumber: field.integer(
    "top.series.episodeNumber.seasonNumber|top.series.displayableEpisodeNumber.displayableSeason.text",
    "Season of the episode.",
  ),
  episodeNumber: field.integer(
    "top.series.episodeNumber.episodeNumber|top.series.displayableEpisodeNumber.episodeNumber.text",
    "Number of the episode in its season.",
  ),
  seasonCount: items.integer("Number of seasons; only for series."),
  episodeCount: field.integer(
    "main.episodes.episodes.total|main.episodes.totalEpisodes.total|node.numberOfEpisodes",
    "Number of episodes; only for series.",
  ),
  originCountries: items.texts("Countries of origin (ISO 3166-1 alpha-2)."),
  languages: items.texts("Spoken languages."),
  companies: items.objects("First production companies.", {
    id: items.text("IMDb's id, co…"),
    name: items.requiredText("Name."),
  }),
  filmingLocations: items.texts("First filming locations."),
  akas: items.texts("First alternative titles."),
  budget: money("Estimated budget.", "productionBudget", "budget"),
  grossUsCanada: money("Gross in the US and Canada.", "lifetimeGross", "total"),
  worldwideGross: money("Worldwide gross.", "worldwideGross", "total"),
  openingWeekendGross: money(
    "Gross of the opening weekend in the US and Canada.",
    ...["openingWeekendGross", "gross", "total"],
  ),
  awardWins: field.integer("main.wins.total", "Number of awards won."),
  awardNominations: field.integer(
    "main.nominations.total|main.nominationsExcludeWins.total",
    "Number of nominations; on newer pages without those that won.",
  ),
  oscars: items.integer("Number of Oscars won; null if IMDb reports none."),
  reviewCount: field.integer("top.reviews.total|main.reviews.total", "Number of user reviews."),
  criticReviewCount: field.integer("top.criticReviewsTotal.total", "Number of critic reviews."),
  featuredReviews: field.objects("featuredReviews", "Reviews that the page contains.", {
    id: field.trimmed("id", "IMDb's id, rw…"),
    author: field.title("author.username.text|author.nickName|author.name", "Name of the user."),
    title: field.title("summary.originalText|name", "Headline."),
    text: field.text(
      (review: JsonReader) =>
        htmlToText(review.value("text", "originalText", "plaidHtml")) ??
        review.text("text", "originalText", "plainText") ??
        review.title("reviewBody"),
      "Text.",
    ),
    rating: field.number("authorRating|reviewRating.ratingValue", "Rating (1-10)."),
    spoiler: field.boolean(
      (review) => review.flag("spoiler"),
      "Whether the review reveals the plot.",
    ),
    createdAt: field.text(
      (review) => isoDay(review.text("submissionDate")) ?? isoDate(review.text("dateCreated")),
      "Day of the review (ISO 8601).",
    ),
  }),
  similar: field.objects("similar", "Similar titles.", {
    id: required(field.trimmed("id", "IMDb's ID.")),
    title: field.title("titleText.text", "Title."),
    year: field.integer("releaseYear.year", "Year."),
    rating: field.number("ratingsSummary.aggregateRating", "Rating (1-10)."),
  }),
  trailerUrl: items.text("URL of the trailer."),
})

/**
 * Returns an item's fields from the state of a title's page, whose names changed over the years.
 * `node`, its structured data, fills gaps.
 */
export function titleFields(page: Page, node?: SchemaReader) {
  const top = page.in("aboveTheFoldData")
  const main = page.in("mainColumnData")
  const countries = main.has("countriesDetails") ? "countriesDetails" : "countriesOfOrigin"
  const trailer = nodes(top, "primaryVideos")[0]?.text("id")
  const genres = top.list("genres", "genres").map((genre) => genre.title("text"))
  const award = main.in("prestigiousAwardSummary")
  const gap = node && leanRow(node, null, "")
  const own = {
    genres: known(
      genres.length > 0
        ? genres
        : top.list("titleGenres", "genres").map((genre) => genre.title("genre", "text")),
    ),
    keywords: known(nodes(top, "keywords").map((node) => node.title("text"))),
  }
  return titleRecord.read({
    top,
    main,
    gap: node,
    type: top.has("titleType") ? top.in("titleType") : main.in("titleType"),
    releaseDate:
      partialDate(top.in("releaseDate")) ?? partialDate(main.in("releaseDate")) ?? gap?.releaseDate,
    runtimeMinutes:
      minutes(top.number("runtime", "seconds") ?? main.number("runtime", "seconds")) ??
      gap?.runtimeMinutes,
    ratingCount: top.integer("ratingsSummary", "voteCount") ?? 0,
    genres: own.genres.length > 0 ? own.genres : gap?.genres,
    interests: known(nodes(top, "interests").map((node) => node.title("primaryText", "text"))),
    keywords: own.keywords.length > 0 ? own.keywords : gap?.keywords,
    plot: top.text("plot", "plotText", "plainText") ?? gap?.plot,
    image: gap?.image,
    directors: people(page, "director"),
    writers: people(page, "writer"),
    creators: people(page, "creator"),
    cast: cast(main),
    series: top.text("series", "series", "id") ? top.in("series", "series") : null,
    seasonCount: main.has("episodes", "seasons")
      ? main.list("episodes", "seasons").filter((season) => season.has("number")).length
      : null,
    originCountries: known(main.list(countries, "countries").map((country) => country.text("id"))),
    languages: known(
      main.list("spokenLanguages", "spokenLanguages").map((language) => language.title("text")),
    ),
    companies: companies(top, main),
    filmingLocations: known(nodes(main, "filmingLocations").map((node) => node.title("text"))),
    akas: known(nodes(main, "akas").map((node) => node.title("text"))),
    oscars: /oscar/i.test(award.text("award", "text") ?? "") ? award.integer("wins") : null,
    featuredReviews: [main, top]
      .map((part) => nodes(part, "featuredReviews"))
      .find((reviews) => reviews.length > 0),
    similar: nodes(main, "moreLikeThisTitles").filter((title) => title.text("id")),
    trailerUrl: trailer ? `https://www.imdb.com/video/${trailer}/` : null,
  })
}

const titleUrl = (id: string | null) => `https://www.imdb.com/title/${id}/`

const nodes = (root: JsonReader, connection: string): JsonReader[] =>
  root.list(connection, "edges").map((edge) => edge.in("node"))

const known = (texts: (string | null)[]): string[] => [
  ...new Set(texts.filter((text) => text !== null)),
]

const minutes = (seconds: number | null): number | null =>
  seconds === null ? null : Math.round(seconds / 60)

function partialDate(date: JsonReader): string | null {
  const [year, month, day] = ["year", "month", "day"].map((part) => date.integer(part))
  const two = (part: number) => String(part).padStart(2, "0")
  if (!year) return null
  return !month ? String(year) : day ? `${year}-${two(month)}-${two(day)}` : `${year}-${two(month)}`
}

type Role = "director" | "writer" | "creator"

/** Merges the short list above the fold with the longer ones below it, without duplicates. */
function people(page: Page, role: Role) {
  const top = page.in("aboveTheFoldData")
  const main = page.in("mainColumnData")
  const named = new RegExp(`^${role}s?$`, "i")
  const mixed = [
    ...top.list("principalCredits"),
    ...top.list("principalCreditsV2"),
    ...main.list("crewV2"),
  ].filter((group) =>
    [
      ["category", "id"],
      ["category", "text"],
      ["grouping", "text"],
    ].some((path) => named.test(group.text(...path) ?? "")),
  )
  const credits = [...mixed, ...main.list(`${role}s`), ...top.list(`${role}sPageTitle`)].flatMap(
    (group) => group.list("credits"),
  )
  const matches = credits.flatMap((credit) => {
    const id = credit.text("name", "id")
    const name = credit.title("name", "nameText", "text")
    return name ? [{ id, name, url: nameUrl(id) }] : []
  })
  return unseen(matches, new Set(), (person) => person.id ?? person.name)
}

const nameUrl = (id: string | null) => id && `https://www.imdb.com/name/${id}/`

function cast(main: JsonReader) {
  const older = nodes(main, "cast")
  const credits =
    older.length > 0 ? older : main.list("castV2").flatMap((group) => group.list("credits"))
  const matches = credits.flatMap((credit) => {
    const id = credit.text("name", "id")
    const name = credit.title("name", "nameText", "text")
    if (!name) return []
    const roles = nodes(credit, "creditedRoles").flatMap((role) => nodes(role, "characters"))
    const characters = credit.has("characters") ? credit.list("characters") : roles
    return {
      id,
      name,
      characters: known(characters.map((character) => character.title("name"))),
      imageUrl: credit.text("name", "primaryImage", "url"),
      url: nameUrl(id),
    }
  })
  return unseen(matches, new Set(), (person) => person.id ?? person.name)
}

function companies(top: JsonReader, main: JsonReader) {
  const matches = [...nodes(top, "production"), ...nodes(main, "production")].flatMap((node) => {
    const name = node.title("company", "companyText", "text")
    return name ? [{ id: node.text("company", "id"), name }] : []
  })
  return unseen(matches, new Set(), (company) => company.id ?? company.name)
}

/** Returns the row of a title that has only structured data. */
export function leanRow(node: SchemaReader, titleType: string | null, pageTitle: string) {
  const years = /\((?:[^()]*\s)?(\d{4})(?:[–-](\d{4})?\s*)?\)/.exec(pageTitle)
  const isSeries = titleType === "tvSeries"
  const authors = peopleOf(node, "creator")
  return {
    node,
    gap: node,
    type: titleType && { id: titleType, isSeries, isEpisode: titleType === "tvEpisode" },
    year: years ? Number(years[1]) : null,
    endYear: years?.[2],
    releaseDate: isoDate(node.text("datePublished")) ?? plainDate(node.text("datePublished")),
    runtimeMinutes: runtimeMinutes(node.text("duration")),
    ratingCount: node.has("aggregateRating") ? node.integer("aggregateRating", "ratingCount") : 0,
    genres: textsOf(node, "genre"),
    keywords: (node.title("keywords") ?? "").split(",").map(foldSpace).filter(Boolean),
    plot: node.title("description"),
    image: imageOf(node),
    directors: peopleOf(node, "director"),
    // A film's JSON-LD lists its writers as creators.
    writers: isSeries ? [] : authors,
    creators: isSeries ? authors : [],
    cast: peopleOf(node, "actor").map((actor) => ({ ...actor, characters: [], imageUrl: null })),
    seasonCount: node.integer("numberOfSeasons"),
    featuredReviews: node
      .list("review")
      .filter((review) => review.title("name") ?? review.title("reviewBody")),
    trailerUrl: absolute(node.text("trailer", "url") ?? node.text("trailer", "embedUrl")),
  }
}

const peopleOf = (node: SchemaReader, property: string) =>
  node.list(property).flatMap((person) => {
    const name = person.title("name")
    if (!name || person.isOfType("Organization")) return []
    const url = absolute(person.text("url"))
    return { id: /\/name\/(nm\d+)/.exec(url ?? "")?.[1] ?? null, name, url }
  })

const plainDate = (text: string | null) => /^\d{4}(?:-\d{2})?$/.exec(text ?? "")?.[0] ?? null

const absolute = (url: string | null) => absoluteUrl(url, "https://www.imdb.com")
