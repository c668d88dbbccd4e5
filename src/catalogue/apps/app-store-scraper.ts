import { type Static, Type } from "@sinclair/typebox"
import { isoDate, plainTime } from "../../extract/dates.ts"
import { JsonReader } from "../../extract/json-reader.ts"
import type { Context } from "../context.ts"
import { defineScraper } from "../define.ts"
import {
  booleanField,
  inputObject,
  integerField,
  itemObject,
  numberField,
  textField,
  textsField,
} from "../fields.ts"
import { inputs } from "../inputs.ts"
import { BadInput, Changed, NotFound } from "../outcome.ts"
import { itunesJson, itunesPace, readStoreApp } from "./app-store.ts"

const item = itemObject({
  id: Type.Integer({ description: "The app's number." }),
  bundleId: textField("Its bundle id."),
  title: Type.String({ description: "Name." }),
  url: textField("The app's page in the store."),
  kind: textField("software, or mac-software."),
  description: textField("Full description."),
  developer: textField("Developer."),
  developerId: integerField("The developer's number."),
  developerUrl: textField("The developer's page in the store."),
  developerWebsite: textField("Developer's website."),
  seller: textField("Who sells it."),
  price: numberField("Price; null where it is not sold."),
  formattedPrice: textField("Price as the store shows it."),
  currency: textField("Currency code."),
  free: booleanField("It costs nothing."),
  rating: numberField("Mean rating, 1 to 5; of one country, as all ratings are."),
  ratingCount: integerField("Number of ratings."),
  currentVersionRating: numberField("Mean rating of the current version."),
  currentVersionRatingCount: integerField("Number of ratings of the current version."),
  version: textField("Version."),
  releaseNotes: textField("What is new."),
  releasedAt: textField("When it first came out (ISO 8601, UTC)."),
  updatedAt: textField("When the current version came out."),
  genre: textField("Main genre."),
  genreId: integerField("Number of the main genre."),
  genres: textsField("Genres."),
  genreIds: textsField("Numbers of the genres."),
  contentRating: textField("Age for which it is fit."),
  advisories: textsField("Why."),
  minimumOsVersion: textField("Oldest system that it runs on."),
  supportedDevices: textsField("Devices that it runs on."),
  features: textsField("Apple's words for what it supports."),
  fileSizeBytes: integerField("Size in bytes."),
  languages: textsField("Codes of its languages."),
  iconUrl: textField("Icon, the largest one."),
  screenshots: textsField("Pictures from a phone or a computer."),
  ipadScreenshots: textsField("Pictures from a tablet."),
  appletvScreenshots: textsField("Pictures from a television."),
  isGameCenterEnabled: booleanField("It uses Game Center."),
  country: Type.String({ description: "Country of the store." }),
  input: textField("The app as it was asked for; null in a search."),
  query: textField("The words searched for; null in a lookup."),
  position: integerField("Place among the results of a search, from 1."),
})

const input = inputObject({
  queries: inputs.texts("Lookup: numbers, addresses or bundle ids of apps. Search: words.", {
    max: 1000,
  }),
  mode: inputs.choice(
    ["lookup", "search"],
    "Look apps up by their ids, or search for words.",
    "lookup",
  ),
  country: Type.Optional(
    Type.String({
      pattern: "^[A-Za-z]{2}$",
      description: "Country code of the store; else the address's own, else us.",
    }),
  ),
  limitPerSearch: inputs.count("Most apps of each search.", { max: 200, or: 50 }),
})
type Input = Static<typeof input>

export default defineScraper({
  slug: "app-store-scraper",
  name: "App Store Apps",
  tagline:
    "App Store apps by id or by search: price, rating, versions, genres, developer, screenshots.",
  category: "apps",
  tier: "free",
  input,
  item,
  example: { queries: ["324684580"], mode: "lookup", country: "us" },
  pace: { "itunes.apple.com": itunesPace },
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
    const found = await itunesJson(
      "/search",
      { term: query, media: "software", entity: "software", country, limit },
      ctx,
    )
    for (const [index, app] of appsIn(found).slice(0, limit).entries()) {
      yield { ...app, country, input: null, query, position: index + 1 }
    }
  },
})

async function lookup(target: string, ctx: Context<Input>) {
  const app = readStoreApp(target)
  const country = (ctx.input.country ?? app?.country ?? "us").toLowerCase()
  const by = app ? { id: app.id } : { bundleId: requireBundleId(target) }
  const found = await itunesJson("/lookup", { ...by, country, entity: "software" }, ctx)
  const [first] = appsIn(found)
  if (!first) {
    throw new NotFound(`The App Store of ${country.toUpperCase()} has no app "${target}".`)
  }
  return { ...first, country, input: target, query: null, position: null }
}

function requireBundleId(target: string): string {
  const text = target.trim()
  if (/^[\w-]+(?:\.[\w-]+)+$/.test(text)) return text
  throw new BadInput(`"${target}" is not an app's number, address or bundle id; try mode "search".`)
}

function appsIn(answer: unknown) {
  const results = new JsonReader(answer).list("results")
  const software = results.filter(
    (result) => (result.text("wrapperType") ?? "software") === "software",
  )
  const apps = software.flatMap((app) => readApp(app) ?? [])
  if (software.length > 0 && apps.length === 0) {
    throw new Changed("Apple's results hold no app with number and name.")
  }
  return apps
}

function readApp(app: JsonReader) {
  const id = app.integer("trackId")
  const title = app.title("trackName")
  if (id === null || title === null) return null
  const time = (name: string) => plainTime(isoDate(app.value(name)))
  const price = app.number("price")
  return {
    id,
    bundleId: app.text("bundleId"),
    title,
    url: app.text("trackViewUrl"),
    kind: app.text("kind"),
    description: app.text("description"),
    developer: app.title("artistName"),
    developerId: app.integer("artistId"),
    developerUrl: app.text("artistViewUrl"),
    developerWebsite: app.text("sellerUrl"),
    seller: app.title("sellerName"),
    price,
    formattedPrice: app.text("formattedPrice"),
    currency: app.text("currency"),
    free: price === null ? null : price === 0,
    rating: app.number("averageUserRating"),
    ratingCount: app.integer("userRatingCount"),
    currentVersionRating: app.number("averageUserRatingForCurrentVersion"),
    currentVersionRatingCount: app.integer("userRatingCountForCurrentVersion"),
    version: app.text("version"),
    releaseNotes: app.text("releaseNotes"),
    releasedAt: time("releaseDate"),
    updatedAt: time("currentVersionReleaseDate"),
    genre: app.title("primaryGenreName"),
    genreId: app.integer("primaryGenreId"),
    genres: app.texts("genres"),
    genreIds: app.texts("genreIds"),
    contentRating: app.text("contentAdvisoryRating") ?? app.text("trackContentRating"),
    advisories: app.texts("advisories"),
    minimumOsVersion: app.text("minimumOsVersion"),
    supportedDevices: app.texts("supportedDevices"),
    features: app.texts("features"),
    fileSizeBytes: app.integer("fileSizeBytes"),
    languages: app.texts("languageCodesISO2A"),
    iconUrl: app.text("artworkUrl512") ?? app.text("artworkUrl100") ?? app.text("artworkUrl60"),
    screenshots: app.texts("screenshotUrls"),
    ipadScreenshots: app.texts("ipadScreenshotUrls"),
    appletvScreenshots: app.texts("appletvScreenshotUrls"),
    isGameCenterEnabled: app.flag("isGameCenterEnabled"),
  }
}
