import { JsonReader } from "../../extract/embedded/index.ts"
import {
  BadInput,
  Changed,
  type Context,
  defineScraper,
  distinctTargets,
  inputs,
  items,
} from "../kit/index.ts"
import {
  isShortLink,
  loginRequired,
  orEmbedded,
  resolveShortLink,
  stateRefusal,
  tiktokScraper,
  tiktokSite,
  tiktokState,
} from "./tiktok.ts"
import { tiktokVideo, tiktokVideoFields, videoUrl } from "./video.ts"

export default defineScraper({
  slug: "tiktok-video-scraper",
  name: "TikTok Videos",
  tagline: "Facts, counts, music, tags and media links of single TikTok videos.",
  notServed: ["comments", "transcript", "search"],
  ...tiktokScraper,
  input: {
    videoUrls: inputs.texts(
      "URLs of videos or photo posts, for example https://www.tiktok.com/@tiktok/video/7106594312292453675, short links, or IDs.",
      { max: 200 },
    ),
  },
  item: {
    ...tiktokVideoFields,
    partial: items.requiredBoolean(
      "Whether TikTok refused the page, so that only its preview was read.",
    ),
  },
  example: { videoUrls: ["https://www.tiktok.com/@tiktok/video/7106594312292453675"] },
  probe: {
    expect: [
      "items.length equals 1",
      'items[0].id equals "7106594312292453675"',
      'items[0].author.username equals "tiktok"',
      'items[0].createdAt matches "^2022-06"',
      "?items[0].playsCount gte 100000",
      "?items[0].partial equals false",
    ],
  },
  targets: ({ videoUrls }) =>
    distinctTargets(videoUrls, (target) => (isShortLink(target) ? target : videoOf(target).id)),

  async *scrape(target, ctx) {
    const { id, username } = videoOf(
      isShortLink(target) ? await resolveShortLink(target, ctx) : target,
    )
    const { video, partial } = await orEmbedded(
      ctx,
      "the preview",
      async () => ({ video: await read(id, username, ctx), partial: false }),
      async (ctx) => ({ video: await preview(id, username, ctx), partial: true }),
    )
    yield { ...tiktokVideo(video, target), partial }
  },
})

function videoOf(target: string): { id: string; username: string | null } {
  const text = target.trim()
  const plain = /^(\d{15,20})$/.exec(text)
  const url =
    /^(?:https?:\/\/)?(?:www\.|m\.)?tiktok\.com\/(?:@([\w.-]*)\/(?:video|photo)\/|v\/|embed\/(?:v\d\/)?|share\/video\/|player\/v1\/)(\d{15,20})/i.exec(
      text,
    )
  const id = plain?.[1] ?? url?.[2]
  if (!id) throw new BadInput(`"${target}" is not the URL of a TikTok video.`)
  return { id, username: url?.[1] || null }
}

async function read(id: string, username: string | null, ctx: Context): Promise<JsonReader> {
  const path = new URL(videoUrl(id, username)).pathname
  const page = await tiktokState(path, "webapp.video-detail", ctx, (state) => {
    const itemStruct = state.value("ItemModule", id)
    return itemStruct && { itemInfo: { itemStruct }, statusCode: 0 }
  })
  const refusal = stateRefusal(page)
  if (refusal) throw refusal
  const video = page.state.in("itemInfo", "itemStruct")
  if (video.flag("isContentClassified") && !video.has("video"))
    throw loginRequired(page.response.url)
  if (!video.has("id")) throw new Changed("TikTok's page has no video.", { url: page.response.url })
  return video
}

/** Returns TikTok's data for pages that embed the video: text, author and cover. */
async function preview(id: string, username: string | null, ctx: Context): Promise<JsonReader> {
  const query = { url: videoUrl(id, username) }
  const response = await ctx.data(`${tiktokSite}/oembed`, { query, retries: 0 })
  const reported = new JsonReader(response.json())
  if (!reported.has("author_name")) throw response.explainMissing("the video's preview")
  const url = /@([\w.]+)/.exec(reported.text("author_url") ?? "")
  return new JsonReader({
    id,
    desc: reported.text("title"),
    author: {
      uniqueId: reported.text("author_unique_id") ?? url?.[1] ?? username,
      nickname: reported.text("author_name"),
    },
    video: { cover: reported.text("thumbnail_url") },
  })
}
