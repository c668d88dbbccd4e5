import {
  absoluteUrl,
  firstAttribute,
  firstText,
  foldSpace,
  numberOrNull,
  textList,
  titleOrNull,
} from "../../extract/core/index.ts"
import { currencyOfCountry, parsePrice } from "../../extract/price/index.ts"
import { SchemaReader, schemaNodes } from "../../extract/structured/index.ts"
import {
  BadInput,
  Changed,
  defineScraper,
  inputs,
  items,
  NotFound,
  orNull,
  productFields,
  type Refusal,
  readPage,
  record,
  Unreachable,
  type UpstreamResponse,
} from "../kit/index.ts"
import { type ApiPosting, apiPostings } from "./craigslist.ts"

const refusal: Refusal = {
  statuses: [403],
  sign: (response) => {
    const html = response.text()
    const parts = '[class*="cl-static"], [class*="cl-search"], script[type="application/ld+json"]'
    return (
      (html.length < 5000 && response.document.querySelector(parts) === null) ||
      /IP has been automatically blocked|request has been blocked/i.test(html)
    )
  },
}

/** The static page ends after about this many postings; with fewer, the list is complete. */
const fullPage = 300

const item = record({
  city: items.requiredText("City of the search."),
  category: items.requiredText("Category code of the search."),
  query: items.text("Search query."),
  position: items.requiredInteger("Position in the results, from 1."),
  id: items.requiredText("ID of the posting in its URL."),
  postingId: items.text("Numeric ID of the posting; null if the site does not show it."),
  url: items.requiredText("URL of the posting."),
  ...productFields("title", "price", "currency"),
  location: items.text("Neighbourhood, as displayed."),
  placeName: items.text("Name of the location."),
  region: items.text("State or region."),
  country: items.text("Country."),
  latitude: items.number("Latitude in degrees."),
  longitude: items.number("Longitude in degrees."),
  bedrooms: items.number("Number of bedrooms; only for housing."),
  bathrooms: items.number("Number of bathrooms; only for housing."),
  sqft: items.number("Area in square feet; only for housing."),
  ...productFields("images", "imageUrl"),
  postedAt: items.text("Time of posting (ISO 8601, UTC); null on the static page."),
  itemType: items.text("Type of item, for example Apartment, Product or House."),
})

export default defineScraper({
  slug: "craigslist-search-scraper",
  name: "Craigslist Search",
  tagline: "Craigslist postings of a city and category: title, price, location, coordinates, link.",
  category: "ecommerce",
  input: {
    city: inputs.text("City as in Craigslist host names, for example newyork or sfbay."),
    category: inputs.textOr(
      "Category code, optionally after a sub-area, for example mnh/apa. Codes: sss for sale, cta cars, apa apartments, roo rooms, rea real estate, jjj jobs, ggg gigs, bbb services, zip free, bia bikes, ela electronics, fua furniture.",
      "sss",
      { pattern: "^[a-z]{3}(/[a-z]{3})?$" },
    ),
    query: inputs.optionalText("Search words (default: all listings)."),
    maxItems: inputs.count("Maximum items of the run", { max: 1000, or: 100 }),
  },
  item,
  example: { city: "newyork", category: "mnh/apa", maxItems: 20 },
  probe: {
    input: { city: "newyork", category: "mnh/apa", maxItems: 10 },
    expect: [
      "items.length equals 10",
      "items[*].title share 1",
      "items[*].price share 0.8",
      'items[*].url matches "craigslist.org/"',
      "?items[*].postedAt fresh 3",
      "?items[*].latitude share 0.8",
      'items[*].currency only "USD"',
    ],
  },
  rateLimit: { "*": { perSecond: 0.4, concurrency: 1 } },
  fetchMethods: ["http", "browser-http", "browser"],
  targets: (input) => [input.city],
  identify: (city, { category, query = null }) => ({ input: city, city, category, query }),
  maxItems: (input) => input.maxItems,

  async *scrape(target, ctx) {
    const city = cityOf(target)
    const { category, maxItems: max } = ctx.input
    const query = ctx.input.query?.trim() || undefined
    const search = query === undefined ? "" : `?${new URLSearchParams({ query })}`
    const url = `https://${city}.craigslist.org/search/${category}${search}`
    const read = (response: UpstreamResponse) =>
      /\/about\/sites/.test(new URL(response.url).pathname) ? noCity(city) : postingsOf(response)
    const { listed, isFull } = await readPage(ctx, url, read, {
      what: "the list of postings",
      refusal,
      headers: { "accept-language": "en-US" },
    }).catch((error) => {
      throw error instanceof Unreachable && error.code === "dns" ? noCity(city) : error
    })
    const isCut = isFull && listed.length < max
    const known = isCut
      ? await orNull(ctx, "more postings", () => apiPostings(city, category, query, ctx))
      : null
    let position = 0
    for (const posting of [...withApi(listed, known ?? [])].slice(0, max)) {
      position++
      yield item.read({ city, category, query, position, ...posting })
    }
    if (position < max && isCut) ctx.log("Craigslist does not return more postings than these.")
  },
})

/** Returns the subdomain of the city, also from a host or URL. */
function cityOf(target: string): string {
  const label = target
    .trim()
    .toLowerCase()
    .replace(/^https?:\/\//, "")
    .replace(/\.craigslist\..*$/, "")
  if (/^[a-z0-9-]{2,30}$/.test(label)) return label
  throw new BadInput(`"${target}" is not a Craigslist city. Use a city such as newyork or sfbay.`)
}

const noCity = (city: string) => new NotFound(`Craigslist has no city "${city}".`)

/** The rows of a static page, else those of a rendered one, else those of a page until 2022. */
const rowForms = [
  "li.cl-static-search-result",
  ".cl-search-result[data-pid]",
  "li.result-row[data-pid]",
]

type Posting = NonNullable<ReturnType<typeof staticPosting>>

/** Returns the postings of a page, or null if it has no list of them. */
function postingsOf(response: UpstreamResponse) {
  const { document } = response
  const entries = schemaNodes(document)
    .filter((node) => !node.isOfType("BreadcrumbList"))
    .flatMap((node) => node.list("itemListElement"))
    .map((entry) => entry.in("item"))
  const lists = rowForms.map((form) => [...document.querySelectorAll(form)])
  const rows = lists.find((list) => list.length > 0)
  if (rows) {
    const next = entryFinder(entries)
    const postings = rows.flatMap((row) => staticPosting(row, next, response.url) ?? [])
    if (postings.length === 0) throw new Changed("Craigslist's postings have no links or titles.")
    return { listed: postings, isFull: rows.length >= fullPage }
  }
  const list = document.querySelector("ol.cl-static-search-results > li.cl-static-hub-links")
  const isEmpty = list && entries.length === 0 && /<\/ol>/i.test(response.text())
  return isEmpty ? { listed: [], isFull: false } : null
}

/**
 * Returns a function that finds the next entry with a name in the structured list.
 * It never goes back: both lists have the same order, and names may repeat.
 * A later page of the rendered list starts anywhere in the structured list.
 */
function entryFinder(entries: SchemaReader[]): (name: string) => SchemaReader {
  let start = 0
  return (name) => {
    const end = start === 0 ? entries.length : Math.min(entries.length, start + 10)
    for (let index = start; index < end; index++) {
      if (entries[index]!.title("name") !== name) continue
      start = index + 1
      return entries[index]!
    }
    return new SchemaReader(undefined)
  }
}

function staticPosting(row: Element, next: (name: string) => SchemaReader, pageUrl: string) {
  const selector = "a.posting-title .label"
  const title =
    titleOrNull(row.getAttribute("title")) ??
    firstText(row, ".title", selector, ".titlestring", "a.post-title", "a.result-title")
  const link = absoluteUrl(firstAttribute(row, 'a[href*="/"]', "href"), pageUrl)
  if (!title || !link) return null
  const url = link.replace(/[?#].*$/s, "")
  const id = url
    .replace(/\/$/, "")
    .replace(/^.*\//s, "")
    .replace(/\.html$/, "")
  const entry = next(title)
  const offer = entry.in("offers")
  const place = entry.has("address")
    ? entry.in("address")
    : offer.in("availableAtOrFrom", "address")
  const geo = entry.has("latitude") ? entry : offer.in("availableAtOrFrom", "geo")
  const visible = firstText(row, ".price", ".priceinfo", ".result-price")
  const country = place.title("addressCountry")
  const currency = offer.text("priceCurrency") ?? currencyOfCountry(country ?? "") ?? "USD"
  const price = parsePrice(visible ?? "", { currency })
  // Sellers who must enter a price but do not want to write $0.
  const amount = price?.amount || offer.number("price") || null
  const images = textList([entry.value("image")].flat()).filter(Boolean)
  const location =
    firstText(row, ".location") ??
    firstText(row, ".result-hood")?.replace(/^\(|\)$/g, "") ??
    firstText(row, ".meta")?.split("·")[1]
  const housing = firstText(row, ".housing") ?? ""
  return {
    id,
    postingId: row.getAttribute("data-pid") ?? (/^\d+$/.test(id) ? id : null),
    url,
    title,
    price: amount,
    currency: amount === null ? null : (offer.text("priceCurrency") ?? price?.currency ?? currency),
    location: location ? foldSpace(location) || null : null,
    placeName: place.title("addressLocality"),
    region: place.title("addressRegion"),
    country,
    latitude: geo.number("latitude"),
    longitude: geo.number("longitude"),
    bedrooms: entry.number("numberOfBedrooms") ?? numberOrNull(/(\d+)\s?br\b/i.exec(housing)?.[1]),
    bathrooms: entry.number("numberOfBathroomsTotal"),
    sqft: entry.number("floorSize", "value") ?? numberOrNull(/(\d+)\s?ft/i.exec(housing)?.[1]),
    images,
    imageUrl: images[0],
    itemType: entry.type,
  }
}

/** Yields the page's postings, completed from the API, then those that only the API has. */
function* withApi(listed: Posting[], known: ApiPosting[]) {
  // A city has one currency, which the API does not return.
  const currency = listed.find((posting) => posting.currency !== null)?.currency ?? "USD"
  const byId = new Map(known.map((posting) => [posting.id ?? posting.postingId, posting]))
  for (const posting of listed) {
    const more = byId.get(posting.id)
    byId.delete(posting.id)
    const images = posting.images.length > 0 ? posting.images : (more?.images ?? [])
    yield {
      ...posting,
      postingId: posting.postingId ?? more?.postingId,
      postedAt: more?.postedAt,
      sqft: posting.sqft ?? more?.sqft,
      images,
      imageUrl: images[0],
    }
  }
  for (const { id, ...more } of byId.values()) {
    yield {
      ...more,
      id: id ?? more.postingId,
      currency: more.price === null ? null : currency,
      imageUrl: more.images[0],
    }
  }
}
