import {
  absoluteUrl,
  htmlToText,
  integerOrNull,
  isoDay,
  textOrNull,
  titleOrNull,
} from "../../extract/core/index.ts"
import { at, JsonReader } from "../../extract/embedded/index.ts"
import { allSchemaNodes } from "../../extract/structured/index.ts"
import {
  discountOf,
  field,
  items,
  nullable,
  productFields,
  record,
  required,
} from "../kit/index.ts"
import { type PlayLayout, play } from "./play.ts"

const web = (path: string, description: string) =>
  field.text(path, description, (url) => absoluteUrl(url, play))
/** Null only if the record is unreadable. */
const known = (description: string, isTrue: (record: JsonReader) => boolean) =>
  field.of(items.boolean(description), ({ record }: { record?: JsonReader }) =>
    record ? isTrue(record) : null,
  )

/** Rows have the parts of the store's record, named by the layout, and all as `record`; or `node`. */
const app = record({
  title: required(field.title("title|node.name", "Name of the app.")),
  summary: field.title("summary", "One-line description of the app."),
  description: field.text("html", "Full description as plain text.", htmlToText),
  descriptionHtml: field.text("descriptionTranslated|description", "Full description as HTML."),
  descriptionMarkdown: field.markdown(
    "descriptionTranslated|description",
    "Full description as Markdown.",
  ),
  installs: field.title("installs.0", "Number of installs, rounded by the store, as displayed."),
  minInstalls: field.integer("installs.1", "Minimum number of installs."),
  realInstalls: field.integer("installs.2", "Exact number of installs."),
  rating: field.number("ratings.0.1|node.aggregateRating.ratingValue", "Mean rating (1-5)."),
  ratingText: field.title("ratings.0.0", "Mean rating, as the store displays it."),
  ratingCount: field.integer("ratings.2.1|node.aggregateRating.ratingCount", "Number of ratings."),
  reviewCount: field.integer("ratings.3.1", "Number of written reviews."),
  histogram: nullable(items.countsByName("Number of ratings per number of stars (1-5).")),
  price: items.number("Price in `currency`; 0 for free apps."),
  currency: field.text("offer.1.0.1|node.offers.priceCurrency", "Currency code (ISO 4217)."),
  priceText: items.text("Price, as the store displays it."),
  free: items.boolean("Whether the app is free."),
  originalPrice: items.number("Price before a discount, in the currency of `currency`."),
  ...productFields("discountPercent"),
  // The next value is a text with the number of days left.
  discountEndsAt: field.number("offer.14.0.0|offer.14.1", "End of the discount (Unix time)."),
  offersInAppPurchases: known(
    "Whether the app has in-app purchases.",
    (record) => record.title("inAppPrices") !== null,
  ),
  inAppPriceRange: field.title("inAppPrices", "Price range of the in-app purchases."),
  containsAds: known("Whether the app contains advertisements.", (record) =>
    Boolean(record.value("ads")),
  ),
  developer: field.title("developer.0|node.author.name", "Name of the developer."),
  developerId: field.title(
    "developer.1.4.2",
    "ID of the developer.",
    (url) => /[?&]id=([^&]+)/.exec(url)?.[1] ?? null,
  ),
  developerUrl: web("developer.1.4.2", "URL of the developer in the store."),
  developerEmail: field.title("contact.1.0", "Developer's email address."),
  developerWebsite: web("contact.0.5.2", "URL of the developer's website."),
  developerAddress: field.text("contact.2.0", "Developer's postal address."),
  developerLegalName: field.title("contact.4.0", "Legal name of the developer."),
  developerLegalEmail: field.title(
    "contact.4.1.0",
    "Email address of the developer's legal entity.",
  ),
  developerLegalAddress: field.text(
    "contact.4.2.0",
    "Postal address of the developer's legal entity.",
  ),
  developerLegalPhone: field.title("contact.4.3", "Phone number of the developer's legal entity."),
  privacyPolicyUrl: web("privacyPolicy", "URL of the privacy policy."),
  genre: field.title("genre.0", "Main category."),
  genreId: field.title("genre.2|node.applicationCategory", "ID of the main category."),
  categories: items.objects("Categories and tags.", {
    name: items.requiredText("Name."),
    id: items.text("ID; null for tags."),
  }),
  iconUrl: web("icon|node.image", "URL of the icon."),
  headerImageUrl: web("headerImage", "URL of the header image."),
  screenshots: items.texts("URLs of the screenshots."),
  videoUrl: web("video", "URL of the video."),
  videoImageUrl: web("videoImage", "URL of the video's preview image."),
  contentRating: field.title(
    "contentRating|node.contentRating",
    "Content rating, for example Everyone.",
  ),
  contentRatingDescription: field.title(
    "contentRatingDescription",
    "Reasons for the content rating.",
  ),
  releasedText: field.title("released", "Day of release, as the store displays it."),
  releasedAt: field.title(
    "released",
    "Day of release (YYYY-MM-DD); only on English pages.",
    isoDay,
  ),
  updatedAt: field.unixTime("updated", "Time of the last update (ISO 8601, UTC)."),
  // Other values are "Varies with device", in the language of the texts.
  version: field.title("version", "Version; null if it varies with the device.", (text) =>
    /\d/.test(text) ? text : null,
  ),
  androidVersion: field.title("androidVersion", "Minimum Android version."),
  androidMaxVersion: field.title("androidMaxVersion", "Maximum Android version."),
  recentChanges: field.text("recentChanges", "Release notes.", htmlToText),
  available: known("Whether the app can be installed.", (record) =>
    Boolean(record.value("availability", 0)),
  ),
  preregister: known(
    "Whether the app is announced and open for pre-registration.",
    (record) => record.value("availability", 0) === 1,
  ),
  earlyAccess: known(
    "Whether the app is in early access.",
    (record) => typeof record.value("availability", 2) === "string",
  ),
  inPlayPass: known("Whether the app is part of Play Pass.", (record) =>
    Boolean(record.value("playPass")),
  ),
})
export const appFields = app.fields

/** Returns an app's fields from the store's record of it. */
export function recordApp(matches: unknown[], layout: PlayLayout) {
  const parts = Object.entries(layout).filter(([, path]) => Array.isArray(path))
  const named = Object.fromEntries(
    parts.map(([name, path]) => [name, valueAt(matches, path as number[])]),
  )
  const record = new JsonReader(named)
  return app.read({
    ...named,
    record,
    html: record.value("descriptionTranslated") || record.value("description"),
    histogram: histogramOf(record.value("ratings", 1)),
    ...offerFields(record.value("offer")),
    categories: categoriesOf(
      record.value("categories"),
      record.title("genre", 0),
      record.title("genre", 2),
    ),
    screenshots: listOf(record.value("screenshots")).flatMap(
      (shot) => absoluteUrl(textOrNull(at(shot, 3, 2)), play) ?? [],
    ),
  })
}

/** Returns the fields of the page's structured data, for pages with an unreadable record. */
export function structuredApp(document: Document) {
  const node = allSchemaNodes(document).find((node) => node.isOfType("SoftwareApplication"))
  if (!node?.title("name")) return undefined
  const price = node.number("offers", "price")
  const free = price === null ? null : price === 0
  return app.read({ node, html: node.text("description"), price, free })
}

/**
 * Returns a value by position. Values past the end of the list are in the object at its end, under
 * their position plus one.
 */
function valueAt(record: unknown[], [first, ...rest]: number[]): unknown {
  const direct = at(record, first!, ...rest)
  if (direct !== undefined && direct !== null) return direct
  const behind = record.at(-1)
  return Array.isArray(behind) ? direct : at(behind, String(first! + 1), ...rest)
}

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])

function histogramOf(rows: unknown): Record<string, number> | null {
  if (!Array.isArray(rows)) return null
  const counts = [1, 2, 3, 4, 5].map((stars) => [stars, integerOrNull(at(rows, stars, 1)) ?? 0])
  return Object.fromEntries(counts)
}

function offerFields(offer: unknown) {
  const micros = integerOrNull(at(offer, 1, 0, 0))
  const original = integerOrNull(at(offer, 1, 1, 0))
  const price = micros === null ? null : micros / 1e6
  const originalPrice = original ? original / 1e6 : null
  return {
    price,
    priceText: titleOrNull(at(offer, 1, 0, 2)) ?? (price === 0 ? "Free" : null),
    free: price === null ? null : price === 0,
    originalPrice,
    discountPercent: discountOf(price, originalPrice),
  }
}

type Category = { name: string; id: string | null }

/** Categories are in lists of different depth. */
function categoriesOf(nested: unknown, genre: string | null, genreId: string | null): Category[] {
  const matches = listOf(nested).flatMap(function read(entry): Category[] {
    if (!Array.isArray(entry)) return []
    const name = entry.length >= 3 ? titleOrNull(entry[0]) : null
    return name === null ? entry.flatMap(read) : [{ name, id: textOrNull(entry[2]) }]
  })
  return matches.length > 0 || genre === null ? matches : [{ name: genre, id: genreId }]
}
