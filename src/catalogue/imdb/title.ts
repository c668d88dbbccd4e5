import { htmlToText, isoDay, unseen } from "../../extract/core/index.ts"
import type { JsonReader } from "../../extract/embedded/index.ts"

/** The page's state, `pageProps`: `aboveTheFoldData` and `mainColumnData`. */
export type Page = JsonReader

/** An item's fields from the state of a title's page, whose names changed with the years. */
export function titleFields(page: Page) {
  const top = page.in("aboveTheFoldData")
  const main = page.in("mainColumnData")
  const episode = top.in("series", "episodeNumber")
  const visible = top.in("series", "displayableEpisodeNumber")
  const countries = main.has("countriesDetails") ? "countriesDetails" : "countriesOfOrigin"
  const type = top.has("titleType") ? top.in("titleType") : main.in("titleType")
  const seriesId = top.text("series", "series", "id")
  const trailer = nodes(top, "primaryVideos")[0]?.text("id")
  const genres = top.list("genres", "genres").map((genre) => genre.title("text"))
  const award = main.in("prestigiousAwardSummary")
  return {
    title: top.title("titleText", "text")!,
    originalTitle: top.title("originalTitleText", "text"),
    titleType: type.text("id"),
    isSeries: type.flag("isSeries"),
    isEpisode: type.flag("isEpisode"),
    year: top.integer("releaseYear", "year"),
    endYear: top.integer("releaseYear", "endYear"),
    releaseDate: partialDate(top.in("releaseDate")) ?? partialDate(main.in("releaseDate")),
    releaseCountry:
      top.title("releaseDate", "country", "text") ?? main.title("releaseDate", "country", "text"),
    runtimeMinutes: minutes(top.number("runtime", "seconds") ?? main.number("runtime", "seconds")),
    contentRating: top.title("certificate", "rating"),
    rating: top.number("ratingsSummary", "aggregateRating"),
    ratingCount: top.integer("ratingsSummary", "voteCount") ?? 0,
    topRank: main.integer("ratingsSummary", "topRanking", "rank"),
    popularityRank: top.integer("meterRanking", "currentRank"),
    metascore: top.integer("metacritic", "metascore", "score"),
    genres: known(
      genres.length > 0
        ? genres
        : top.list("titleGenres", "genres").map((genre) => genre.title("genre", "text")),
    ),
    interests: known(nodes(top, "interests").map((node) => node.title("primaryText", "text"))),
    keywords: known(nodes(top, "keywords").map((node) => node.title("text"))),
    plot: top.text("plot", "plotText", "plainText"),
    imageUrl: top.text("primaryImage", "url") ?? main.text("primaryImage", "url"),
    directors: people(page, "director"),
    writers: people(page, "writer"),
    creators: people(page, "creator"),
    cast: cast(main),
    series: seriesId
      ? {
          id: seriesId,
          title: top.title("series", "series", "titleText", "text"),
          url: `https://www.imdb.com/title/${seriesId}/`,
        }
      : null,
    seasonNumber: episode.integer("seasonNumber") ?? visible.integer("displayableSeason", "text"),
    episodeNumber: episode.integer("episodeNumber") ?? visible.integer("episodeNumber", "text"),
    seasonCount: main.has("episodes", "seasons")
      ? main.list("episodes", "seasons").filter((season) => season.has("number")).length
      : null,
    episodeCount:
      main.integer("episodes", "episodes", "total") ??
      main.integer("episodes", "totalEpisodes", "total"),
    originCountries: known(main.list(countries, "countries").map((country) => country.text("id"))),
    languages: known(
      main.list("spokenLanguages", "spokenLanguages").map((language) => language.title("text")),
    ),
    companies: companies(top, main),
    filmingLocations: known(nodes(main, "filmingLocations").map((node) => node.title("text"))),
    akas: known(nodes(main, "akas").map((node) => node.title("text"))),
    budget: money(main.in("productionBudget", "budget")),
    grossUsCanada: money(main.in("lifetimeGross", "total")),
    worldwideGross: money(main.in("worldwideGross", "total")),
    openingWeekendGross: money(main.in("openingWeekendGross", "gross", "total")),
    awardWins: main.integer("wins", "total"),
    awardNominations:
      main.integer("nominations", "total") ?? main.integer("nominationsExcludeWins", "total"),
    oscars: /oscar/i.test(award.text("award", "text") ?? "") ? award.integer("wins") : null,
    reviewCount: top.integer("reviews", "total") ?? main.integer("reviews", "total"),
    criticReviewCount: top.integer("criticReviewsTotal", "total"),
    featuredReviews: reviews(main, top),
    similar: similar(main),
    trailerUrl: trailer ? `https://www.imdb.com/video/${trailer}/` : null,
  }
}

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
  if (!month) return String(year)
  return day ? `${year}-${two(month)}-${two(day)}` : `${year}-${two(month)}`
}

type Role = "director" | "writer" | "creator"

/** The short list above the fold and the longer ones below it, each person once. */
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
  const found = credits.flatMap((credit) => {
    const id = credit.text("name", "id")
    const name = credit.title("name", "nameText", "text")
    return name ? [{ id, name, url: nameUrl(id) }] : []
  })
  return unseen(found, new Set(), (person) => person.id ?? person.name)
}

function nameUrl(id: string | null): string | null {
  return id ? `https://www.imdb.com/name/${id}/` : null
}

function cast(main: JsonReader) {
  const older = nodes(main, "cast")
  const credits =
    older.length > 0 ? older : main.list("castV2").flatMap((group) => group.list("credits"))
  const found = credits.flatMap((credit) => {
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
  return unseen(found, new Set(), (person) => person.id ?? person.name)
}

function companies(top: JsonReader, main: JsonReader) {
  const found = [...nodes(top, "production"), ...nodes(main, "production")].flatMap((node) => {
    const name = node.title("company", "companyText", "text")
    return name ? [{ id: node.text("company", "id"), name }] : []
  })
  return unseen(found, new Set(), (company) => company.id ?? company.name)
}

function money(value: JsonReader) {
  const amount = value.number("amount")
  return amount === null ? null : { amount, currency: value.text("currency") }
}

function reviews(main: JsonReader, top: JsonReader) {
  const below = nodes(main, "featuredReviews")
  const visible = below.length > 0 ? below : nodes(top, "featuredReviews")
  return visible.map((review) => ({
    id: review.text("id"),
    author: review.title("author", "username", "text") ?? review.title("author", "nickName"),
    title: review.title("summary", "originalText"),
    text:
      htmlToText(review.value("text", "originalText", "plaidHtml")) ??
      review.text("text", "originalText", "plainText"),
    rating: review.number("authorRating"),
    spoiler: review.flag("spoiler"),
    createdAt: isoDay(review.text("submissionDate")),
  }))
}

function similar(main: JsonReader) {
  return nodes(main, "moreLikeThisTitles").flatMap((title) => {
    const id = title.text("id")
    if (!id) return []
    return {
      id,
      title: title.title("titleText", "text"),
      year: title.integer("releaseYear", "year"),
      rating: title.number("ratingsSummary", "aggregateRating"),
    }
  })
}
