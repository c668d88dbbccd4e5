import { Type } from "@sinclair/typebox"
import {
  booleanField,
  defineScraper,
  inputObject,
  inputs,
  integerField,
  itemObject,
  nullable,
  numberField,
  productFields,
  textField,
  textsField,
} from "../kit/index.ts"
import { appRecord, namePlayApp, playPage, playRateLimit, playUrl, readPlayApp } from "./play.ts"
import { playTable } from "./play-layout.ts"
import { recordFields, structuredFields } from "./play-record.ts"

const item = itemObject({
  input: Type.String({ description: "App as written in the input." }),
  appId: Type.String({ description: "Package id." }),
  url: Type.String({ description: "The app's page in the store." }),
  title: Type.String({ description: "Name." }),
  summary: textField("One line on the app."),
  description: textField("Full description as plain text."),
  descriptionHtml: textField("Full description as HTML."),
  descriptionMarkdown: textField("Full description as Markdown."),
  installs: textField("Installs as the store rounds them."),
  minInstalls: integerField("The same as a number."),
  realInstalls: integerField("Installs as counted."),
  rating: numberField("Mean rating, 1 to 5."),
  ratingText: textField("Mean rating as the store shows it."),
  ratingCount: integerField("Number of ratings."),
  reviewCount: integerField("Number of written reviews."),
  histogram: nullable(
    Type.Record(Type.String(), Type.Integer(), {
      description: "Number of ratings by stars, 1 to 5.",
    }),
  ),
  price: numberField("Price; 0 for free apps."),
  currency: textField("Currency code."),
  priceText: textField("Price as the store shows it."),
  free: booleanField("Whether it costs nothing."),
  originalPrice: numberField("Price before a reduction."),
  ...productFields("discountPercent"),
  discountEndsAt: numberField("End of the reduction, as Unix time."),
  offersInAppPurchases: booleanField("Whether it has in-app purchases."),
  inAppPriceRange: textField("Prices of those."),
  containsAds: booleanField("Whether it shows advertisements."),
  developer: textField("Developer."),
  developerId: textField("Identifier of the developer."),
  developerUrl: textField("The developer's page in the store."),
  developerEmail: textField("Developer's e-mail address."),
  developerWebsite: textField("Developer's website."),
  developerAddress: textField("Developer's postal address."),
  developerLegalName: textField("Legal name of the developer."),
  developerLegalEmail: textField("Its e-mail address."),
  developerLegalAddress: textField("Its postal address."),
  developerLegalPhone: textField("Its telephone."),
  privacyPolicyUrl: textField("Privacy policy."),
  genre: textField("Main category."),
  genreId: textField("Identifier of the main category."),
  categories: Type.Array(
    itemObject({
      name: Type.String({ description: "Name." }),
      id: textField("Identifier; null for mere tags."),
    }),
    { description: "Categories and tags." },
  ),
  iconUrl: textField("Icon."),
  headerImageUrl: textField("Large image at the head of the page."),
  screenshots: textsField("URLs of the screenshots."),
  videoUrl: textField("Video."),
  videoImageUrl: textField("Video's image."),
  contentRating: textField("For whom it is fit."),
  contentRatingDescription: textField("Why."),
  releasedText: textField("Day of release as the store writes it."),
  releasedAt: textField("Day of release; only on English pages."),
  updatedAt: textField("When it was last updated (ISO 8601, UTC)."),
  version: textField("Version; null if it varies with the device."),
  androidVersion: textField("Oldest Android that it runs on."),
  androidMaxVersion: textField("Newest Android that it runs on."),
  recentChanges: textField("Release notes."),
  available: booleanField("Whether it can be installed."),
  preregister: booleanField("Whether it is announced, and open for registration."),
  earlyAccess: booleanField("Whether it is in early access."),
  inPlayPass: booleanField("Whether it is part of Play Pass."),
})

export default defineScraper({
  slug: "google-play-app-scraper",
  name: "Google Play Apps",
  tagline:
    "Everything on a Google Play listing: installs, rating histogram, developer, price, versions.",
  serves: [
    "details of an Android app",
    "how many installs an app has",
    "who develops an app on the Play Store",
    "app version and last update",
    "downloads of an app on Google Play",
    "how many people installed an Android app",
    "permissions, size and changelog of an Android app",
    "rating of an app on Google Play",
    "is an Android app free or with ads",
    "download numbers of an Android game",
    "Google Play rating of an app",
  ],
  notServed: ["iPhone apps", "user reviews"],
  category: "apps",
  tier: "free",
  input: inputObject({
    apps: inputs.texts("Package names, for example org.mozilla.firefox, or Google Play URLs.", {
      max: 500,
    }),
    language: Type.Optional(
      Type.String({
        pattern: "^[A-Za-z]{2,3}([-_]\\w+)?$",
        description:
          "Language code of the texts, for example de (default: the URL's language, or en).",
      }),
    ),
    useUnlocker: inputs.flag(
      "Fetch with the unlocker that the operator configured; costs credits.",
    ),
  }),
  item,
  example: { apps: ["org.mozilla.firefox"], language: "en" },
  probe: {
    input: { apps: ["org.mozilla.firefox"], language: "en" },
    expect: [
      "items.length equals 1",
      'items[0].title matches "firefox"',
      'items[0].developer matches "mozilla"',
      "items[0].minInstalls gte 100000000",
      "items[0].rating gte 2",
      "items[0].ratingCount gte 1000000",
      "?items[0].updatedAt fresh 120",
      "?items[0].version share 1",
      "?items[0].description share 1",
    ],
  },
  rateLimit: playRateLimit,
  fetchMethods: ["http", "unlocker"],
  targets: (input) => input.apps,
  identify: namePlayApp,

  async *scrape(target, ctx) {
    const { appId, hl, gl } = readPlayApp(target)
    const layout = ctx.upstream(playTable)
    const language = ctx.input.language ?? hl ?? "en"
    const response = await playPage(appId, language, gl ?? "us", ctx)
    const record = appRecord(response.text(), layout)
    const fields = recordFields(record ?? [], layout)
    const structured = record ? undefined : structuredFields(response.document)
    const title = fields.title ?? structured?.title
    if (!title) throw response.explainMissing("the app's record")
    if (structured) ctx.log(`${appId}: the page's own record cannot be read.`, "warning")
    yield {
      input: target,
      appId,
      url: playUrl(appId),
      ...fields,
      ...(structured && unknownFlags),
      ...structured,
      title,
    }
  },
})

/** Fields that only the record has. */
const unknownFlags = {
  offersInAppPurchases: null,
  containsAds: null,
  available: null,
  preregister: null,
  earlyAccess: null,
  inPlayPass: null,
}
