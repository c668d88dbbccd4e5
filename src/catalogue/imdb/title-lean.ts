import { absoluteUrl, foldSpace, isoDate } from "../../extract/core/index.ts"
import type { SchemaReader } from "../../extract/structured/index.ts"
import { imageOf, runtimeMinutes, textsOf } from "../kit/index.ts"

/** Returns the row of a title that has only structured data. */
export function leanRow(node: SchemaReader, titleType: string | null, pageTitle: string) {
  const years = /\((?:[^()]*\s)?(\d{4})(?:[–-](\d{4})?\s*)?\)/.exec(pageTitle)
  const isSeries = titleType === "tvSeries"
  const authors = people(node, "creator")
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
    directors: people(node, "director"),
    // A film's JSON-LD lists its writers as creators.
    writers: isSeries ? [] : authors,
    creators: isSeries ? authors : [],
    cast: people(node, "actor").map((actor) => ({ ...actor, characters: [], imageUrl: null })),
    seasonCount: node.integer("numberOfSeasons"),
    featuredReviews: reviews(node),
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

const absolute = (url: string | null) => absoluteUrl(url, "https://www.imdb.com")
