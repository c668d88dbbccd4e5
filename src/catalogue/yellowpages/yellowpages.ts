import {
  absoluteUrl,
  allTexts,
  distinct,
  firstAttribute,
  firstText,
  integerOrNull,
  numberOrNull,
  parseCount,
} from "../../extract/core/index.ts"
import { SchemaReader, schemaNodes } from "../../extract/structured/index.ts"
import { lineAddress, ratingsOf, schemaAddress, type UpstreamResponse } from "../kit/index.ts"

export const yellowPages = "https://www.yellowpages.com"

/** A listing: its entry in the page's data, its card, or both. */
type Listing = { id: string; url: string; entry: SchemaReader; card: Element | null }

/**
 * Returns the listings of a page in the order of its cards. Entries of the data and cards are
 * joined by the listing's ID; advertisements have only cards.
 */
export function listingsOf(response: UpstreamResponse) {
  const entries = new Map<string, SchemaReader>()
  const cards = new Map<string, Element>()
  for (const node of listingNodes(response.document)) {
    const key = keyOf(node.text("url"))
    if (key) entries.set(key.id, node)
  }
  for (const card of response.document.querySelectorAll(".result")) {
    const key = keyOf(firstAttribute(card, "a.business-name", "href"))
    if (key && !cards.has(key.id)) cards.set(key.id, card)
  }
  return distinct([...cards.keys(), ...entries.keys()]).flatMap((id) => {
    const card = cards.get(id) ?? null
    const entry = entries.get(id) ?? new SchemaReader(undefined)
    const written = entry.text("url") ?? (card && firstAttribute(card, "a.business-name", "href"))
    return listingOf({ id, url: keyOf(written)!.url, entry, card }) ?? []
  })
}

function listingNodes(document: Document): SchemaReader[] {
  const nodes = schemaNodes(document)
  const listed = nodes.flatMap((node) =>
    node.list("itemListElement").map((entry) => (entry.has("item") ? entry.in("item") : entry)),
  )
  return [...nodes, ...listed].filter((node) => /\/mip\//.test(node.text("url") ?? ""))
}

/** Returns the ID at the end of a listing's path, and its URL without the query. */
function keyOf(href: string | null): { id: string; url: string } | null {
  const url = absoluteUrl(href, yellowPages)
  if (!url) return null
  const { origin, pathname, searchParams } = new URL(url)
  const id = /-(\d+)\/?$/.exec(pathname)?.[1] ?? searchParams.get("lid")
  return id ? { id, url: `${origin}${pathname}` } : null
}

function listingOf({ id, url, entry, card }: Listing) {
  const visible = (...selectors: string[]) => card && firstText(card, ...selectors)
  const attribute = (selector: string, ...names: string[]) =>
    card && firstAttribute(card, selector, ...names)
  const name = entry.title("name") ?? visible("a.business-name span", "a.business-name")
  if (!name) return null
  const stated = ratingsOf(entry.in("aggregateRating"))
  return {
    id,
    url,
    name,
    phone: entry.text("telephone") ?? visible(".phones.phone.primary", ".phone"),
    address:
      schemaAddress(entry.in("address")) ??
      lineAddress(visible(".street-address"), visible(".locality")),
    rating: stated.rating ?? (card && starsOf(card)),
    reviewCount: stated.reviewCount ?? parseCount(visible(".ratings .count", ".count")),
    openingHours: entry.texts("openingHours"),
    categories: card ? distinct(allTexts(card, ".categories a")) : [],
    website: absoluteUrl(attribute("a.track-visit-website", "href"), yellowPages),
    yearsInBusiness: integerOrNull(/\d+/.exec(visible(".years-in-business") ?? "")?.[0]),
    priceRange: entry.text("priceRange") ?? visible(".price-range"),
    snippet: visible(".snippet"),
    tripAdvisorRating: tripAdvisorRating(attribute("[data-tripadvisor]", "data-tripadvisor")),
    amenities: card ? distinct(allTexts(card, ".amenities span")) : [],
    badges: card ? distinct(allTexts(card, ".badges span, .badges a")) : [],
    imageUrl: absoluteUrl(
      attribute(".media-thumbnail img, img", "data-original", "data-src", "src"),
      yellowPages,
    ),
    sponsored:
      card !== null && (!card.closest(".organic") || card.querySelector(".ad-pill") !== null),
  }
}

const words = ["zero", "one", "two", "three", "four", "five"]

/** Returns the stars in the words of a class, for example "result-rating four half". */
function starsOf(card: Element): number | null {
  const names = card.querySelector(".result-rating")?.getAttribute("class")?.split(/\s+/) ?? []
  const whole = words.findIndex((word) => names.includes(word))
  return whole < 1 ? null : whole + (names.includes("half") ? 0.5 : 0)
}

/** Parses `{"rating":"4.5","count":"12"}`. */
const tripAdvisorRating = (written: string | null) =>
  numberOrNull(/"rating"\s*:\s*"?([\d.]+)/.exec(written ?? "")?.[1])
