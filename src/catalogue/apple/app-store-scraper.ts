import {
  integerOrNull,
  numberOrNull,
  plainTime,
  textOrNull,
  titleOrNull,
} from "../../extract/core/index.ts"
import {
  BadInput,
  Changed,
  type Context,
  defineScraper,
  field,
  inputs,
  items,
  NotFound,
  type Row,
  record,
  required,
} from "../kit/index.ts"
import { itunesJson, itunesRateLimit, readStoreApp } from "./app-store.ts"

const app = record({
  id: required(field.integer("trackId", "ID of the app.")),
  bundleId: field.text("bundleId", "Bundle ID of the app."),
  title: required(field.title("trackName", "Name of the app.")),
  url: field.text("trackViewUrl", "URL of the app in the store."),
  kind: field.text("kind", "Kind of app: software (iOS) or mac-software."),
  description: field.trimmed("description", "Full description."),
  developer: field.title("artistName", "Name of the developer."),
  developerId: field.integer("artistId", "ID of the developer."),
  developerUrl: field.text("artistViewUrl", "URL of the developer in the store."),
  developerWebsite: field.trimmed("sellerUrl", "URL of the developer's website."),
  seller: field.title("sellerName", "Seller."),
  price: field.number("price", "Price in `currency`; null if the app is not sold."),
  formattedPrice: field.trimmed("formattedPrice", "Price, as the store displays it."),
  currency: field.text("currency", "Currency code (ISO 4217)."),
  free: field.boolean(isFree, "Whether the app is free."),
  rating: field.number("averageUserRating", "Mean rating in this country (1-5)."),
  ratingCount: field.integer("userRatingCount", "Number of ratings in this country."),
  currentVersionRating: field.number(
    "averageUserRatingForCurrentVersion",
    "Mean rating of the current version.",
  ),
  currentVersionRatingCount: field.integer(
    "userRatingCountForCurrentVersion",
    "Number of ratings of the current version.",
  ),
  version: field.trimmed("version", "Version, for example 1.4.2."),
  releaseNotes: field.trimmed("releaseNotes", "Release notes."),
  releasedAt: field.time("releaseDate", "Time of the first release (ISO 8601, UTC).", plainTime),
  updatedAt: field.time(
    "currentVersionReleaseDate",
    "Time of release of the current version (ISO 8601, UTC).",
    plainTime,
  ),
  genre: field.title("primaryGenreName", "Main genre."),
  genreId: field.integer("primaryGenreId", "ID of the main genre."),
  genres: field.texts("genres", "Genres."),
  genreIds: field.texts("genreIds", "IDs of the genres."),
  contentRating: field.text(
    "contentAdvisoryRating|trackContentRating",
    "Age rating, for example 12+.",
  ),
  advisories: field.texts("advisories", "Reasons for the age rating."),
  minimumOsVersion: field.text("minimumOsVersion", "Minimum version of the operating system."),
  supportedDevices: field.texts("supportedDevices", "Supported devices."),
  features: field.texts("features", "Supported features, as named by Apple."),
  fileSizeBytes: field.integer("fileSizeBytes", "Size in bytes."),
  languages: field.texts("languageCodesISO2A", "Language codes (ISO 639-1)."),
  iconUrl: field.text("artworkUrl512|artworkUrl100|artworkUrl60", "URL of the largest icon."),
  screenshots: field.texts("screenshotUrls", "URLs of the screenshots on a phone or a computer."),
  ipadScreenshots: field.texts("ipadScreenshotUrls", "URLs of the screenshots on a tablet."),
  appletvScreenshots: field.texts(
    "appletvScreenshotUrls",
    "URLs of the screenshots on a television.",
  ),
  isGameCenterEnabled: field.boolean("isGameCenterEnabled", "Whether Game Center is enabled."),
})

export default defineScraper({
  slug: "app-store-scraper",
  name: "App Store Apps",
  tagline:
    "App Store apps by ID or by search: price, rating, versions, genres, developer, screenshots.",
  notServed: ["Android apps", "user reviews"],
  category: "apps",
  input: {
    queries: inputs.texts("App Store IDs, URLs or bundle IDs to look up, or search words.", {
      max: 1000,
    }),
    mode: inputs.choice(
      ["lookup", "search"],
      "Mode: look up apps by ID, or search by keywords.",
      "lookup",
    ),
    country: inputs.optionalText(
      "App Store country code, for example de (default: the URL's country, or us).",
      { pattern: "^[A-Za-z]{2}$" },
    ),
    limitPerSearch: inputs.count("Maximum apps per search", { max: 200, or: 50 }),
  },
  item: {
    ...app.fields,
    country: items.requiredText("Country of the store (two letters)."),
    input: items.text("App as written in the input; null in a search."),
    query: items.text("Search query; null in a lookup."),
    position: items.integer("Position among the results of a search, from 1; null in a lookup."),
  },
  example: { queries: ["324684580"], mode: "lookup", country: "us" },
  probe: {
    expect: [
      "items.length equals 1",
      'items[0].bundleId equals "com.spotify.client"',
      'items[0].title matches "spotify"',
      "items[0].rating gte 1",
      "items[0].ratingCount gte 1000000",
      "items[0].version share 1",
      "?items[0].updatedAt fresh 120",
      'items[0].iconUrl matches "^https"',
    ],
  },
  rateLimit: { "itunes.apple.com": itunesRateLimit },
  targets: (input) => input.queries,
  identify: (query, input) =>
    input.mode === "search" ? { input: query, query } : { input: query },

  async *scrape(query, ctx) {
    if (ctx.input.mode !== "search") {
      yield await lookup(query, ctx)
      return
    }
    const country = (ctx.input.country ?? "us").toLowerCase()
    const limit = ctx.input.limitPerSearch
    const search = { term: query, media: "software", entity: "software", country, limit }
    const apps = appsIn(await itunesJson("/search", search, ctx))
    for (const [index, found] of apps.slice(0, limit).entries()) {
      yield { ...found, country, input: null, query, position: index + 1 }
    }
  },
})

async function lookup(target: string, ctx: Context<{ country?: string }>) {
  const requested = readStoreApp(target)
  const country = (ctx.input.country ?? requested?.country ?? "us").toLowerCase()
  const by = requested ? { id: requested.id } : { bundleId: requireBundleId(target) }
  const [first] = appsIn(await itunesJson("/lookup", { ...by, country, entity: "software" }, ctx))
  if (!first) {
    throw new NotFound(`The App Store of ${country.toUpperCase()} has no app "${target}".`)
  }
  return { ...first, country, input: target, query: null, position: null }
}

function requireBundleId(target: string): string {
  const text = target.trim()
  if (/^[\w-]+(?:\.[\w-]+)+$/.test(text)) return text
  throw new BadInput(
    `"${target}" is not an app ID, App Store URL or bundle ID. To search, set mode to "search".`,
  )
}

function appsIn(results: unknown[]) {
  const software = (results as Row[]).filter(
    (row) => (textOrNull(row?.wrapperType) ?? "software") === "software",
  )
  const apps = software.filter(
    (row) => integerOrNull(row?.trackId) !== null && titleOrNull(row.trackName) !== null,
  )
  if (software.length > 0 && apps.length === 0) {
    throw new Changed("Apple's results contain no app with an ID and a name.")
  }
  return apps.map((row) => app.read(row))
}

function isFree(row: Row): boolean | null {
  const price = numberOrNull(row.price)
  return price === null ? null : price === 0
}
