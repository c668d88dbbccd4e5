import { JsonReader } from "../../extract/embedded/index.ts"
import { readFeed } from "../../extract/feed/index.ts"
import { assertScrapeError, Changed, type Context, orNull, type ScrapeError } from "../kit/index.ts"
import { profileOf, statusOf } from "./items.ts"

const activity = { headers: { accept: "application/activity+json" } }

/** Returns an account by its ActivityPub document and feed. Throws `refusal` if both are closed. */
export async function closedInstance(
  { self, host, user }: { self: string; host: string; user: string },
  wanted: number,
  refusal: ScrapeError,
  ctx: Context,
) {
  ctx.log(`${refusal.message} Reading the account's ActivityPub document.`)
  const actor = await publicActor(self, refusal, ctx)
  const total = (collection: string) => {
    const url = actor.text(collection)
    if (!url) return null
    return orNull(ctx, `number of ${collection}`, async () =>
      new JsonReader(await ctx.json(url, activity)).integer("totalItems"),
    )
  }
  const profile = profileOf(
    new JsonReader({
      username: actor.text("preferredUsername") ?? user,
      url: actor.text("url") ?? self,
      display_name: actor.text("name"),
      note: actor.text("summary"),
      avatar: actor.text("icon", "url"),
      header: actor.text("image", "url"),
      created_at: actor.text("published"),
      followers_count: await total("followers"),
      following_count: await total("following"),
      statuses_count: await total("outbox"),
      locked: actor.flag("manuallyApprovesFollowers"),
      discoverable: actor.flag("discoverable"),
      indexable: actor.flag("indexable"),
      fields: actor.list("attachment").map((field) => ({
        name: field.text("name"),
        value: field.text("value"),
      })),
    }),
    host,
    host,
  )
  const statuses = wanted > 0 ? await feedStatuses(host, user, ctx) : null
  return { profile, statuses: statuses?.slice(0, wanted) ?? [] }
}

async function publicActor(self: string, refusal: ScrapeError, ctx: Context): Promise<JsonReader> {
  try {
    const actor = new JsonReader(await ctx.json(self, activity))
    if (actor.has("preferredUsername") || actor.has("name")) return actor
    throw new Changed("The account's ActivityPub document does not name the account.", {
      url: self,
    })
  } catch (error) {
    assertScrapeError(error, ctx)
    ctx.log(`The account's ActivityPub document: ${error.message}`)
    throw refusal
  }
}

const feedStatuses = (host: string, user: string, ctx: Context) =>
  orNull(ctx, "posts", async () => {
    const response = await ctx.get(`https://${host}/@${user}.rss`)
    const feed = readFeed(response.text(), response.url)
    if (!feed) throw response.explainMissing("the account's feed")
    return [...feed.entries()].map((entry) =>
      statusOf(
        new JsonReader({
          id: entry.guid ?? entry.url,
          url: entry.url,
          uri: entry.guid,
          account: { username: user, acct: user, url: feed.link },
          created_at: entry.publishedAt,
          content: entry.content ?? entry.summary,
          tags: entry.categories.map((name) => ({ name })),
          media_attachments: entry.enclosures.map(({ url, type }) => ({
            url,
            type: type?.split("/")[0],
          })),
        }),
        host,
      ),
    )
  })
