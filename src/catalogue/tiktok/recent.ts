import { JsonReader } from "../../extract/embedded/index.ts"
import {
  assertScrapeError,
  Blocked,
  Changed,
  type Context,
  isPlain,
  orNull,
  type Refusal,
  readRows,
  type UpstreamResponse,
} from "../kit/index.ts"
import { tiktokSite } from "./tiktok.ts"
import { tiktokTable } from "./upstream.ts"
import { tiktokVideo } from "./video.ts"

const max = 15
const maxCalls = 10
const weekMs = 7 * 24 * 3600 * 1000

/** Returns a profile's latest videos; null and the reason if TikTok withholds them. */
export async function recentVideos(
  { secUid, username }: { secUid: string | null; username: string },
  target: string,
  ctx: Context,
) {
  try {
    const videos = await ctx.escalate(tiktokSite, {
      http: secUid ? (ctx) => bySite(secUid, ctx) : undefined,
      browser: (ctx) => byChrome(username, ctx),
    })
    const read = (video: JsonReader) => tiktokVideo(video, target)
    const known = await Array.fromAsync(readRows(videos, read, ctx))
    return { videos: known.slice(0, max), error: null }
  } catch (error) {
    assertScrapeError(error, ctx)
    ctx.log(`No recent videos of ${username}: ${error.message}`, "warning")
    return { videos: null, error: error.message }
  }
}

/** TikTok may withhold the list from plain requests but return it to its page in Chrome. */
const refusal: Refusal = { vendor: "TikTok", statuses: [400, 403, 404, 429], sign: isPlain }
const isList = (response: UpstreamResponse) =>
  response.bytes.length === 0 || /"itemList"\s*:|"statusCode"\s*:\s*0\b/.test(response.text())

/** Requests the list that needs no signature, backwards from the current time. */
async function bySite(secUid: string, ctx: Context): Promise<JsonReader[]> {
  const videos = new Map<string, JsonReader>()
  const query = {
    ...ctx.upstream(tiktokTable).listQuery,
    secUid,
    device_id: randomDigits("7", 19),
    verifyFp: `verify_${randomHex(7)}`,
  }
  let cursor = ctx.now().getTime()
  for (let call = 0; call < maxCalls && videos.size < max; call++) {
    const request = async () =>
      videoList(
        await ctx.data(`${tiktokSite}/api/creator/item_list/`, {
          identity: "browser",
          has: isList,
          what: "the profile's videos",
          refusal,
          query: { ...query, cursor },
        }),
      )
    // If a later call fails, the earlier videos remain.
    const list = videos.size > 0 ? await orNull(ctx, "older videos", request) : await request()
    if (!list) break
    const items = list.list("itemList").filter((item) => item.has("id"))
    for (const item of items) videos.set(item.text("id")!, item)
    const oldest = items.at(-1)?.integer("createTime")
    if (list.value("hasMorePrevious") === false) break
    cursor = oldest ? oldest * 1000 : cursor - weekMs
  }
  return [...videos.values()]
}

/** Returns a list of videos in the form of the site's API. @throws Blocked if it is empty */
export function videoList(response: UpstreamResponse): JsonReader {
  if (response.bytes.length === 0)
    throw new Blocked("TikTok's response is empty, as it is for robots.", "TikTok", { response })
  const list = new JsonReader(response.json({ bigIntegers: true }))
  if (!list.has("itemList") && (list.integer("statusCode") ?? -1) !== 0)
    throw new Changed("TikTok's response has no list of videos.", { url: response.url })
  return list
}

async function byChrome(username: string, ctx: Context): Promise<JsonReader[]> {
  const what = "the profile's videos"
  const page = await ctx.page(`${tiktokSite}/@${username}`, {
    has: ({ captured }) => captured.length > 0,
    what,
    capture: /\/api\/post\/item_list\//,
    scroll: 2,
  })
  if (page.captured.length === 0) throw page.explainMissing(what)
  return page.captured.flatMap((response) => videoList(response).list("itemList"))
}

const randomDigits = (first: string, length: number) =>
  first + Array.from({ length: length - 1 }, () => Math.floor(Math.random() * 10)).join("")

const randomHex = (length: number) =>
  Array.from({ length }, () => Math.floor(Math.random() * 16).toString(16)).join("")
