import { Type } from "@sinclair/typebox"
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
  booleanField,
  discountOf,
  field,
  itemObject,
  nullable,
  numberField,
  productFields,
  record,
  required,
  textField,
  textsField,
} from "../kit/index.ts"
import { play } from "./play.ts"
import type { PlayLayout } from "./play-layout.ts"

const web = (path: string, description: string) =>
  field.text(path, description, (address) => absoluteUrl(address, play))
/** Null only if the record cannot be read. */
const known = (description: string, isTrue: (record: JsonReader) => boolean) =>
  field.of(booleanField(description), ({ record }: { record?: JsonReader }) =>
    record ? isTrue(record) : null,
  )

/** Its rows have `record`, the parts of the store's record by their names in the layout, or `node`. */
const app = record({
  title: required(field.title("record.title|node.name", "Name.")),
  summary: field.title("record.summary", "One line on the app."),
  description: field.text("html", "Full description as plain text.", htmlToText),
  descriptionHtml: field.text(
    "record.descriptionTranslated|record.description",
    "Full description as HTML.",
  ),
  descriptionMarkdown: field.markdown(
    "record.descriptionTranslated|record.description",
    "Full description as Markdown.",
  ),
  installs: field.title("record.installs.0", "Installs as the store rounds them."),
  minInstalls: field.integer("record.installs.1", "The same as a number."),
  realInstalls: field.integer("record.installs.2", "Installs as counted."),
  rating: field.number(
    "record.ratings.0.1|node.aggregateRating.ratingValue",
    "Mean rating, 1 to 5.",
  ),
  ratingText: field.title("record.ratings.0.0", "Mean rating as the store shows it."),
  ratingCount: field.integer(
    "record.ratings.2.1|node.aggregateRating.ratingCount",
    "Number of ratings.",
  ),
  reviewCount: field.integer("record.ratings.3.1", "Number of written reviews."),
  histogram: nullable(
    Type.Record(Type.String(), Type.Integer(), {
      description: "Number of ratings by stars, 1 to 5.",
    }),
  ),
  price: numberField("Price; 0 for free apps."),
  currency: field.text("record.offer.1.0.1|node.offers.priceCurrency", "Currency code."),
  priceText: textField("Price as the store shows it."),
  free: booleanField("Whether it costs nothing."),
  originalPrice: numberField("Price before a reduction."),
  ...productFields("discountPercent"),
  // It is followed by the number of days left, in words.
  discountEndsAt: field.number(
    "record.offer.14.0.0|record.offer.14.1",
    "End of the reduction, as Unix time.",
  ),
  offersInAppPurchases: known(
    "Whether it has in-app purchases.",
    (record) => record.title("inAppPrices") !== null,
  ),
  inAppPriceRange: field.title("record.inAppPrices", "Prices of those."),
  containsAds: known("Whether it shows advertisements.", (record) => Boolean(record.value("ads"))),
  developer: field.title("record.developer.0|node.author.name", "Developer."),
  developerId: field.title(
    "record.developer.1.4.2",
    "Identifier of the developer.",
    (url) => /[?&]id=([^&]+)/.exec(url)?.[1] ?? null,
  ),
  developerUrl: web("record.developer.1.4.2", "The developer's page in the store."),
  developerEmail: field.title("record.contact.1.0", "Developer's e-mail address."),
  developerWebsite: web("record.contact.0.5.2", "Developer's website."),
  developerAddress: field.text("record.contact.2.0", "Developer's postal address."),
  developerLegalName: field.title("record.contact.4.0", "Legal name of the developer."),
  developerLegalEmail: field.title("record.contact.4.1.0", "Its e-mail address."),
  developerLegalAddress: field.text("record.contact.4.2.0", "Its postal address."),
  developerLegalPhone: field.title("record.contact.4.3", "Its telephone."),
  privacyPolicyUrl: web("record.privacyPolicy", "Privacy policy."),
  genre: field.title("record.genre.0", "Main category."),
  genreId: field.title(
    "record.genre.2|node.applicationCategory",
    "Identifier of the main category.",
  ),
  categories: Type.Array(
    itemObject({
      name: Type.String({ description: "Name." }),
      id: textField("Identifier; null for mere tags."),
    }),
    { description: "Categories and tags." },
  ),
  iconUrl: web("record.icon|node.image", "Icon."),
  headerImageUrl: web("record.headerImage", "Large image at the head of the page."),
  screenshots: textsField("URLs of the screenshots."),
  videoUrl: web("record.video", "Video."),
  videoImageUrl: web("record.videoImage", "Video's image."),
  contentRating: field.title("record.contentRating|node.contentRating", "For whom it is fit."),
  contentRatingDescription: field.title("record.contentRatingDescription", "Why."),
  releasedText: field.title("record.released", "Day of release as the store writes it."),
  releasedAt: field.title("record.released", "Day of release; only on English pages.", isoDay),
  updatedAt: field.unixTime("record.updated", "When it was last updated (ISO 8601, UTC)."),
  // Others are "Varies with device", in the language of the texts.
  version: field.title("record.version", "Version; null if it varies with the device.", (text) =>
    /\d/.test(text) ? text : null,
  ),
  androidVersion: field.title("record.androidVersion", "Oldest Android that it runs on."),
  androidMaxVersion: field.title("record.androidMaxVersion", "Newest Android that it runs on."),
  recentChanges: field.text("record.recentChanges", "Release notes.", htmlToText),
  available: known("Whether it can be installed.", (record) =>
    Boolean(record.value("availability", 0)),
  ),
  preregister: known(
    "Whether it is announced, and open for registration.",
    (record) => record.value("availability", 0) === 1,
  ),
  earlyAccess: known(
    "Whether it is in early access.",
    (record) => typeof record.value("availability", 2) === "string",
  ),
  inPlayPass: known("Whether it is part of Play Pass.", (record) =>
    Boolean(record.value("playPass")),
  ),
})
export const appFields = app.fields

/** Returns an app's fields from the store's record of it. */
export function recordApp(found: unknown[], layout: PlayLayout) {
  const parts = Object.entries(layout).filter(([, path]) => Array.isArray(path))
  const record = new JsonReader(
    Object.fromEntries(parts.map(([name, path]) => [name, valueAt(found, path as number[])])),
  )
  return app.read({
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

/** Returns the fields that the page's structured data has, for pages whose record cannot be read. */
export function structuredApp(document: Document) {
  const node = allSchemaNodes(document).find((node) => node.isOfType("SoftwareApplication"))
  if (!node?.title("name")) return undefined
  const price = node.number("offers", "price")
  const free = price === null ? null : price === 0
  return app.read({ node, html: node.text("description"), price, free })
}

/** Values past the end of the list lie in an object behind it, under their position plus one. */
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

interface Category {
  name: string
  id: string | null
}

/** Categories lie in lists of unequal depth. */
function categoriesOf(nested: unknown, genre: string | null, genreId: string | null): Category[] {
  const found = listOf(nested).flatMap(function read(entry): Category[] {
    if (!Array.isArray(entry)) return []
    const name = entry.length >= 3 ? titleOrNull(entry[0]) : null
    return name === null ? entry.flatMap(read) : [{ name, id: textOrNull(entry[2]) }]
  })
  return found.length > 0 || genre === null ? found : [{ name: genre, id: genreId }]
}
