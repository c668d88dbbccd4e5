import { type Static, Type } from "@sinclair/typebox"
import { unseen } from "../../extract/text.ts"
import type { Context } from "../context.ts"
import { defineScraper } from "../define.ts"
import { inputObject, integerField, itemObject, textField } from "../fields.ts"
import { given, inputs } from "../inputs.ts"
import { NotFound } from "../outcome.ts"
import { namePlayApp, playLayout, playPace, playPage, playUrl, readPlayApp } from "./google-play.ts"
import { reviewPage, sorts } from "./google-play-reviews.ts"

const pageSize = 150

const item = itemObject({
  id: Type.String({ description: "Identifier." }),
  appId: Type.String({ description: "Package id of the app." }),
  url: Type.String({ description: "The review in the store." }),
  author: textField("Who wrote it."),
  authorImageUrl: textField("Their picture."),
  rating: Type.Integer({ description: "Stars, 1 to 5." }),
  text: textField("The review."),
  publishedAt: textField("When it was written or changed (ISO 8601, UTC)."),
  thumbsUpCount: integerField("How many find it helpful."),
  replyText: textField("The developer's answer."),
  repliedAt: textField("When the developer answered."),
  appVersion: textField("Version of the app that it is about."),
  criteria: Type.Array(
    itemObject({
      name: Type.String({ description: "Google's name of the question." }),
      rating: integerField("The answer, where it is a number."),
    }),
    { description: "Answers to Google's questions on the app." },
  ),
  language: Type.String({ description: "Language that was asked for." }),
  country: Type.String({ description: "Country that was asked for." }),
  sort: Type.String({ description: "Order that was asked for." }),
  position: Type.Integer({ description: "Place among the app's reviews, from 1." }),
})

const input = inputObject({
  apps: inputs.texts("Package ids such as org.mozilla.firefox, or addresses in the store.", {
    max: 200,
  }),
  maxReviewsPerApp: inputs.count("Most reviews of each app.", { max: 10_000, or: 100 }),
  sort: inputs.choice(["newest", "relevance", "rating"], "Order of the reviews.", "newest"),
  language: given(
    Type.String({
      pattern: "^[A-Za-z]{2,3}([-_]\\w+)?$",
      description: "Language; reviews in other languages are not given.",
    }),
    "en",
  ),
  country: given(Type.String({ pattern: "^[A-Za-z]{2}$", description: "Country code." }), "us"),
})
type Input = Static<typeof input>

export default defineScraper({
  slug: "google-play-reviews-scraper",
  name: "Google Play Reviews",
  tagline: "User reviews of Google Play apps with rating, version, thumbs-up and developer reply.",
  category: "apps",
  tier: "free",
  input,
  item,
  example: { apps: ["org.mozilla.firefox"], maxReviewsPerApp: 50 },
  pace: playPace,
  targets: (input) => input.apps,
  identify: namePlayApp,

  async *scrape(target, ctx) {
    const { appId } = readPlayApp(target)
    const { maxReviewsPerApp, sort, language, country } = ctx.input
    const call = ctx.upstream("google_play", playLayout).reviewsCall
    const asked = { appId, call, sort: sorts[sort], language, country }
    const seen = new Set<string>()
    let token: string | null = null
    let position = 0
    do {
      const count = Math.min(pageSize, maxReviewsPerApp - position)
      const page = await reviewPage({ ...asked, count, token }, ctx)
      const fresh = unseen(page.reviews, seen, ({ id }) => id)
      for (const review of fresh) {
        const url = `${playUrl(appId)}&reviewId=${encodeURIComponent(review.id)}`
        yield { ...review, appId, url, language, country, sort, position: ++position }
        if (position >= maxReviewsPerApp) return
      }
      token = fresh.length > 0 ? page.next : null
    } while (token !== null)
    if (position === 0) await requireApp(appId, ctx)
  },
})

/** An app that does not exist is answered like one without reviews. @throws NotFound */
async function requireApp(appId: string, ctx: Context<Input>): Promise<void> {
  const { language, country } = ctx.input
  try {
    await playPage(appId, language, country, ctx)
  } catch (error) {
    ctx.signal.throwIfAborted()
    if (error instanceof NotFound) throw error
    ctx.log(`Whether ${appId} exists could not be seen: ${(error as Error).message}`, "warning")
  }
  ctx.log(`${appId} has no reviews in this language.`)
}
