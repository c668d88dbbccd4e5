import {
  absoluteUrl,
  htmlToText,
  integerOrNull,
  isoDay,
  isoFromUnix,
  numberOrNull,
  textOrNull,
  titleOrNull,
} from "../../extract/core/index.ts"
import { at } from "../../extract/embedded/index.ts"
import { fragmentMarkdown } from "../../extract/markdown/index.ts"
import { allSchemaNodes } from "../../extract/structured/index.ts"
import { discountOf } from "../kit/index.ts"
import { play } from "./play.ts"
import type { PlayLayout } from "./play-layout.ts"

type Path = readonly number[]

/** An app's fields out of the store's record of it. */
export function recordFields(record: unknown[], layout: PlayLayout) {
  const value = (path: Path, ...more: number[]) => valueAt(record, [...path, ...more])
  const text = (path: Path, ...more: number[]) => titleOrNull(value(path, ...more))
  const web = (path: Path, ...more: number[]) => absoluteUrl(textOrNull(value(path, ...more)), play)
  const html =
    textOrNull(value(layout.descriptionTranslated)) ?? textOrNull(value(layout.description))
  const genre = text(layout.genre, 0)
  const genreId = text(layout.genre, 2)
  const state = value(layout.availability, 0)
  const version = text(layout.version)
  const released = text(layout.released)
  return {
    title: text(layout.title),
    summary: text(layout.summary),
    description: htmlToText(html),
    descriptionHtml: html,
    descriptionMarkdown: fragmentMarkdown(html),
    installs: text(layout.installs, 0),
    minInstalls: integerOrNull(value(layout.installs, 1)),
    realInstalls: integerOrNull(value(layout.installs, 2)),
    rating: numberOrNull(value(layout.ratings, 0, 1)),
    ratingText: text(layout.ratings, 0, 0),
    ratingCount: integerOrNull(value(layout.ratings, 2, 1)),
    reviewCount: integerOrNull(value(layout.ratings, 3, 1)),
    histogram: histogramOf(value(layout.ratings, 1)),
    ...offerFields(value(layout.offer)),
    offersInAppPurchases: text(layout.inAppPrices) !== null,
    inAppPriceRange: text(layout.inAppPrices),
    containsAds: Boolean(value(layout.ads)),
    developer: text(layout.developer, 0),
    developerId: /[?&]id=([^&]+)/.exec(text(layout.developer, 1, 4, 2) ?? "")?.[1] ?? null,
    developerUrl: web(layout.developer, 1, 4, 2),
    developerEmail: text(layout.contact, 1, 0),
    developerWebsite: web(layout.contact, 0, 5, 2),
    developerAddress: textOrNull(value(layout.contact, 2, 0)),
    developerLegalName: text(layout.contact, 4, 0),
    developerLegalEmail: text(layout.contact, 4, 1, 0),
    developerLegalAddress: textOrNull(value(layout.contact, 4, 2, 0)),
    developerLegalPhone: text(layout.contact, 4, 3),
    privacyPolicyUrl: web(layout.privacyPolicy),
    genre,
    genreId,
    categories: categoriesOf(value(layout.categories), genre, genreId),
    iconUrl: web(layout.icon),
    headerImageUrl: web(layout.headerImage),
    screenshots: listOf(value(layout.screenshots)).flatMap(
      (shot) => absoluteUrl(textOrNull(at(shot, 3, 2)), play) ?? [],
    ),
    videoUrl: web(layout.video),
    videoImageUrl: web(layout.videoImage),
    contentRating: text(layout.contentRating),
    contentRatingDescription: text(layout.contentRatingDescription),
    releasedText: released,
    releasedAt: isoDay(released),
    updatedAt: isoFromUnix(value(layout.updated)),
    // "Varies with device", in the language of the texts.
    version: version !== null && /\d/.test(version) ? version : null,
    androidVersion: text(layout.androidVersion),
    androidMaxVersion: text(layout.androidMaxVersion),
    recentChanges: htmlToText(value(layout.recentChanges)),
    available: Boolean(state),
    preregister: state === 1,
    earlyAccess: typeof value(layout.availability, 2) === "string",
    inPlayPass: Boolean(value(layout.playPass)),
  }
}

/** What the page says of its app for search engines, where its own record cannot be read. */
export function structuredFields(document: Document) {
  const app = allSchemaNodes(document).find((node) => node.isOfType("SoftwareApplication"))
  if (!app) return
  const price = app.number("offers", "price")
  return {
    title: app.title("name"),
    description: htmlToText(app.text("description")),
    rating: app.number("aggregateRating", "ratingValue"),
    ratingCount: app.integer("aggregateRating", "ratingCount"),
    price,
    currency: app.text("offers", "priceCurrency"),
    free: price === null ? null : price === 0,
    developer: app.title("author", "name"),
    genreId: app.text("applicationCategory"),
    contentRating: app.title("contentRating"),
    iconUrl: absoluteUrl(app.text("image"), play),
  }
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
    currency: textOrNull(at(offer, 1, 0, 1)),
    priceText: titleOrNull(at(offer, 1, 0, 2)) ?? (price === 0 ? "Free" : null),
    free: price === null ? null : price === 0,
    originalPrice,
    discountPercent: discountOf(price, originalPrice),
    // It is followed by the number of days left, in words.
    discountEndsAt: numberOrNull(at(offer, 14, 0, 0)) ?? numberOrNull(at(offer, 14, 1)),
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
