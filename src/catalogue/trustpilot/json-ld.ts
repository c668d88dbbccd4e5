import { JsonReader } from "../../extract/embedded/index.ts"
import { schemaNodes } from "../../extract/structured/index.ts"
import { ratingsOf, starsOf } from "../kit/index.ts"

const pageSize = 20
const lastPart = (url: string | null) =>
  url
    ?.replace(/(?<!\/)\/+$/, "")
    .split("/")
    .at(-1) ?? null

/**
 * Returns the JSON-LD of a company's page in the form of the page's state, as far as possible: no
 * replies, no verification. Null if it has no company.
 */
export function jsonLdState(document: Document, name: string): JsonReader | null {
  const nodes = schemaNodes(document)
  const company = nodes.find((node) => node.has("aggregateRating"))
  if (!company?.text("name")) return null
  const { rating, reviewCount } = ratingsOf(company.in("aggregateRating"))
  const listed = nodes.filter((node) => node.isOfType("Review"))
  const stated = listed.length > 0 ? listed : company.list("review")
  // Pages before 2022 have the IDs only in their cards, which are in the same order.
  const cards = document.querySelectorAll("article.review[id]")
  const reviews = stated.map((review, index) => ({
    id:
      lastPart(review.text("@id")) ??
      (cards.length === stated.length ? cards[index]!.getAttribute("id") : null),
    rating: starsOf(review.in("reviewRating")),
    title: review.text("headline"),
    text: review.text("reviewBody"),
    language: review.text("inLanguage"),
    dates: { publishedDate: review.text("datePublished") },
    consumer: {
      id: lastPart(review.text("author", "url")),
      displayName: review.text("author", "name"),
    },
  }))
  const businessUnit = {
    identifyingName: /\/review\/(.+)$/.exec(company.text("url") ?? "")?.[1] ?? name,
    displayName: company.text("name"),
    trustScore: rating,
    numberOfReviews: reviewCount,
  }
  const totalPages = Math.ceil((reviewCount ?? 0) / pageSize)
  const filters = { pagination: { totalCount: reviewCount, totalPages } }
  return new JsonReader({ props: { pageProps: { businessUnit, reviews, filters } } })
}
