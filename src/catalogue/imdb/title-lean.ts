import { absoluteUrl, foldSpace, isoDate } from "../../extract/core/index.ts"
import type { SchemaReader } from "../../extract/structured/index.ts"
import { imageOf, runtimeMinutes, textsOf } from "../kit/index.ts"

/** Returns a title from its JSON-LD, for pages without state; all other fields are null. */
export function leanFields(node: SchemaReader, titleType: string | null, pageTitle: string) {
  const years = /\((?:[^()]*\s)?(\d{4})(?:[–-](\d{4})?\s*)?\)/.exec(pageTitle)
  const series = titleType === "tvSeries"
  const authors = people(node, "creator")
  return {
    title: node.title("name")!,
    originalTitle: node.title("alternateName"),
    titleType,
    isSeries: titleType === null ? null : series,
    isEpisode: titleType === null ? null : titleType === "tvEpisode",
    year: years ? Number(years[1]) : null,
    endYear: years?.[2] ? Number(years[2]) : null,
    releaseDate: isoDate(node.text("datePublished")) ?? plainDate(node.text("datePublished")),
    releaseCountry: null,
    runtimeMinutes: runtimeMinutes(node.text("duration")),
    contentRating: node.title("contentRating"),
    rating: node.number("aggregateRating", "ratingValue"),
    ratingCount: node.has("aggregateRating") ? node.integer("aggregateRating", "ratingCount") : 0,
    topRank: null,
    popularityRank: null,
    metascore: null,
    genres: textsOf(node, "genre"),
    interests: [],
    keywords: (node.title("keywords") ?? "").split(",").map(foldSpace).filter(Boolean),
    plot: node.title("description"),
    imageUrl: imageOf(node),
    directors: people(node, "director"),
    // A film's JSON-LD calls its writers creators.
    writers: series ? [] : authors,
    creators: series ? authors : [],
    cast: people(node, "actor").map((actor) => ({ ...actor, characters: [], imageUrl: null })),
    series: null,
    seasonNumber: null,
    episodeNumber: null,
    seasonCount: node.integer("numberOfSeasons"),
    episodeCount: node.integer("numberOfEpisodes"),
    originCountries: [],
    languages: [],
    companies: [],
    filmingLocations: [],
    akas: [],
    budget: null,
    grossUsCanada: null,
    worldwideGross: null,
    openingWeekendGross: null,
    awardWins: null,
    awardNominations: null,
    oscars: null,
    reviewCount: null,
    criticReviewCount: null,
    featuredReviews: reviews(node),
    similar: [],
    trailerUrl: absolute(node.text("trailer", "url") ?? node.text("trailer", "embedUrl")),
  }
}

function people(node: SchemaReader, property: string) {
  return node.list(property).flatMap((person) => {
    const name = person.title("name")
    if (!name || person.isOfType("Organization")) return []
    const url = absolute(person.text("url"))
    return { id: /\/name\/(nm\d+)/.exec(url ?? "")?.[1] ?? null, name, url }
  })
}

function reviews(node: SchemaReader) {
  return node.list("review").flatMap((review) => {
    const title = review.title("name")
    const text = review.title("reviewBody")
    if (!title && !text) return []
    return {
      id: null,
      author: review.title("author", "name"),
      title,
      text,
      rating: review.number("reviewRating", "ratingValue"),
      spoiler: null,
      createdAt: isoDate(review.text("dateCreated")),
    }
  })
}

function plainDate(text: string | null): string | null {
  return /^\d{4}(?:-\d{2})?$/.exec(text ?? "")?.[0] ?? null
}

const absolute = (address: string | null) => absoluteUrl(address, "https://www.imdb.com")
