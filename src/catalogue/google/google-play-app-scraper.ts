import { defineScraper, inputs, items } from "../kit/index.ts"
import {
  appRecord,
  namePlayApp,
  playPage,
  playRateLimit,
  playTable,
  playUrl,
  readPlayApp,
} from "./play.ts"
import { appFields, recordApp, structuredApp } from "./play-record.ts"

export default defineScraper({
  slug: "google-play-app-scraper",
  name: "Google Play Apps",
  tagline:
    "All facts about a Google Play listing: installs, rating histogram, developer, price, versions.",
  notServed: ["iPhone apps", "user reviews"],
  category: "apps",
  input: {
    apps: inputs.texts("Package names, for example org.mozilla.firefox, or Google Play URLs.", {
      max: 500,
    }),
    language: inputs.optionalText(
      "Language code of the texts, for example de (default: the URL's language, or en).",
      { pattern: "^[A-Za-z]{2,3}([-_]\\w+)?$" },
    ),
    useUnlocker: inputs.flag(
      "Whether to fetch with the unlocker that the operator configured; costs credits.",
    ),
  },
  item: {
    input: items.requiredText("App as written in the input."),
    appId: items.requiredText("Package name of the app."),
    url: items.requiredText("The app's page in the store."),
    ...appFields,
  },
  example: { apps: ["org.mozilla.firefox"], language: "en" },
  probe: {
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
  pages: { ofTarget: 1 },
  targets: (input) => input.apps,
  identify: namePlayApp,

  async *scrape(target, ctx) {
    const { appId, hl, gl } = readPlayApp(target)
    const layout = ctx.upstream(playTable)
    const language = ctx.input.language ?? hl ?? "en"
    const response = await playPage(appId, language, gl ?? "us", ctx)
    const record = appRecord(response.text(), layout)
    const app = record ? recordApp(record, layout) : structuredApp(response.document)
    if (!app) throw response.explainMissing("the app's record")
    if (!record) ctx.log(`${appId}: the page's own record is unreadable.`, "warning")
    yield { input: target, appId, url: playUrl(appId), ...app }
  },
})
