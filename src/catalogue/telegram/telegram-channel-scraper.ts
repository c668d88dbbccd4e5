import { Type } from "@sinclair/typebox"
import {
  absoluteUrl,
  firstAttribute,
  htmlToText,
  parseCount,
  plainText,
  titleOrNull,
} from "../../extract/core/index.ts"
import { metaContent, readMeta } from "../../extract/page/index.ts"
import {
  BadInput,
  type Context,
  cursor,
  defineScraper,
  distinctTargets,
  errorItem,
  Forbidden,
  failsRun,
  inputs,
  itemObject,
  items,
  NotFound,
  readRows,
  record,
  recordFields,
  type UpstreamResponse,
} from "../kit/index.ts"
import { messageOf, messagesOf, postItem } from "./post.ts"

const site = "https://t.me"

const common = recordFields("channel")

const channel = record({
  username: items.requiredText("Name of the channel in URLs."),
  url: common.url,
  title: items.text("Title of the channel."),
  description: items.text("About text of the channel."),
  avatarUrl: items.text("URL of the channel's image, valid for hours."),
  isVerified: items.boolean("Whether Telegram has verified the channel."),
  subscribersCount: items.integer("Number of subscribers; rounded above a thousand."),
  photosCount: items.integer("Number of photos."),
  videosCount: items.integer("Number of videos."),
  filesCount: items.integer("Number of files."),
  linksCount: items.integer("Number of links."),
})

export default defineScraper({
  slug: "telegram-channel-scraper",
  name: "Telegram Channels",
  tagline: "Posts and channel facts of public Telegram channels, no account needed.",
  notServed: ["private chats"],
  category: "social",
  input: {
    channels: inputs.texts("Channel names, for example telegram or @telegram, or t.me URLs.", {
      max: 200,
    }),
    postsPerChannel: inputs.count("Maximum posts per channel, newest first", { max: 1000, or: 20 }),
    includeChannelInfo: inputs.flag("Whether to also return the channel as an item."),
  },
  item: Type.Union([itemObject({ ...common, ...channel.fields }), postItem]),
  example: { channels: ["telegram"], postsPerChannel: 5, includeChannelInfo: true },
  probe: {
    input: { channels: ["telegram"], postsPerChannel: 3, includeChannelInfo: true },
    expect: [
      "items.length gte 3",
      'items[0].username equals "telegram"',
      "items[0].subscribersCount gte 5000000",
      "items[*].publishedAt fresh 120",
      "?items[*].viewsCount share 0.6",
    ],
  },
  rateLimit: { "t.me": { perSecond: 2, concurrency: 1 } },
  targets: ({ channels }) => distinctTargets(channels, channelName),
  failsRun,

  async *scrape(target, ctx) {
    const { postsPerChannel: wanted, includeChannelInfo } = ctx.input
    const name = channelName(target)
    const page = await firstPage(name, ctx)
    if (!isHistory(page)) {
      const facts = landingChannel(page, name)
      if (includeChannelInfo) yield { type: "channel" as const, input: target, ...facts }
      const message = "This channel has no web preview, so its posts are not available."
      const error = new Forbidden(message, { code: "no_preview", response: page })
      yield errorItem(error, { input: target })
      return
    }
    if (includeChannelInfo)
      yield { type: "channel" as const, input: target, ...previewChannel(page, name) }
    for await (const post of readRows(history(page, name, wanted, ctx), messageOf, ctx)) {
      yield { type: "post" as const, input: target, ...post }
    }
  },
})

function channelName(target: string): string {
  const text = target.trim()
  const url =
    /^(?:https?:\/\/)?(?:t\.me|telegram\.me|telegram\.dog)\/(?:s\/)?([^/?#]+)/i.exec(text)?.[1] ??
    /^tg:\/\/resolve\?(?:.*&)?domain=([^&]+)/i.exec(text)?.[1]
  const name = url ?? text.replace(/^@/, "")
  if (/^[a-z]\w{3,31}$/i.test(name) && !/^joinchat$/i.test(name)) return name
  throw new BadInput(`"${target}" is not a public channel. Write its name or t.me URL.`)
}

/** Returns the preview of the newest posts; without one, Telegram redirects to the landing page. */
async function firstPage(name: string, ctx: Context): Promise<UpstreamResponse> {
  const response = await request(`${site}/s/${name}`, ctx)
  if (response.status < 300) return response
  const location = absoluteUrl(response.headers.get("location"), response.url)
  return request(location ?? `${site}/${name}`, ctx)
}

const request = (url: string, ctx: Context) =>
  ctx.get(url, { identity: "browser", redirect: "manual", headers: { "accept-language": "en" } })

const isHistory = ({ document }: UpstreamResponse) =>
  document.querySelector(".tgme_channel_history, .tme_no_messages_found") !== null

/** Yields messages, newest first, page by page, each once. */
function history(first: UpstreamResponse, name: string, wanted: number, ctx: Context) {
  const messages = async (before: string | undefined) => {
    const page = before ? await request(`${site}/s/${name}?before=${before}`, ctx) : first
    if (!isHistory(page)) throw page.explainMissing("the channel's older posts")
    return { rows: messagesOf(page.document).reverse(), next: olderThan(page.document) }
  }
  const keyOf = (message: Element) => message.getAttribute("data-post") ?? ""
  return cursor(messages, { cap: wanted, keyOf })
}

function olderThan(document: Document): string | null {
  const more = firstAttribute(document, "a.tme_messages_more[data-before]", "data-before")
  const previous = firstAttribute(document, 'link[rel="prev"]', "href")
  return more ?? /[?&]before=(\d+)/.exec(previous ?? "")?.[1] ?? null
}

function previewChannel(page: UpstreamResponse, requested: string) {
  const { document } = page
  const counters = new Map<string, number | null>()
  for (const counter of document.querySelectorAll(".tgme_channel_info_counter")) {
    const kind = plainText(counter.querySelector(".counter_type"))?.toLowerCase().replace(/s$/, "")
    if (kind) counters.set(kind, parseCount(plainText(counter.querySelector(".counter_value"))))
  }
  // In another language, the kinds are unknown; the subscribers come first.
  const isEnglish = counterKinds.some((kind) => counters.has(kind))
  if (!isEnglish) counters.set("subscriber", [...counters.values()][0] ?? null)
  const count = (kind: (typeof counterKinds)[number]) => counters.get(kind) ?? null
  const written = plainText(document.querySelector(".tgme_channel_info_header_username a"))
  const username = written?.replace(/^@/, "") ?? requested
  const about = document.querySelector(".tgme_channel_info_description")
  return channel.read({
    username,
    url: `${site}/${username}`,
    title:
      plainText(document.querySelector(".tgme_channel_info_header_title")) ?? meta(page, "title"),
    description: htmlToText(about?.innerHTML) ?? meta(page, "description"),
    avatarUrl: absoluteUrl(
      firstAttribute(document, ".tgme_channel_info .tgme_page_photo_image img", "src") ??
        firstAttribute(document, ".tgme_page_photo_image img", "src") ??
        meta(page, "image"),
      page.url,
    ),
    isVerified: document.querySelector(".tgme_channel_info_header .verified-icon") !== null,
    subscribersCount: count("subscriber"),
    photosCount: count("photo"),
    videosCount: count("video"),
    filesCount: count("file"),
    linksCount: count("link"),
  })
}

/** Kinds of the counters on a channel's card, in English without a plural. */
const counterKinds = ["subscriber", "photo", "video", "file", "link"] as const

/** @throws NotFound for unused names, and for names of users and bots */
function landingChannel(page: UpstreamResponse, requested: string) {
  const { document } = page
  const title = plainText(document.querySelector(".tgme_page_title"))
  const extra = plainText(document.querySelector(".tgme_page_extra")) ?? ""
  const counted = /^(\d[\d\s.,]{0,30}[KM]?)\s{0,5}(\p{L}+)/iu.exec(extra)
  // In any language the number comes first, but bots have users instead of subscribers.
  const isMembers = /^(?:subscriber|member)/i.test(counted?.[2] ?? "")
  const isBot = /bot$/i.test(requested) || /\busers?\b/i.test(extra)
  const members = isMembers || !isBot ? counted?.[1] : undefined
  if (members === undefined) {
    const hidden = /noindex/.test(firstAttribute(document, 'meta[name="robots"]', "content") ?? "")
    const isLanding = document.querySelector(".tgme_page") !== null
    if ((title && extra !== "") || (isLanding && !title) || (hidden && !title))
      throw new NotFound("No such channel on Telegram.", { url: page.url })
    throw page.explainMissing("the channel")
  }
  const about = document.querySelector(".tgme_page_description")
  return channel.read({
    username: requested,
    url: `${site}/${requested}`,
    title: title ?? meta(page, "title"),
    description: htmlToText(about?.innerHTML) ?? meta(page, "description"),
    avatarUrl: absoluteUrl(
      firstAttribute(document, ".tgme_page_photo_image", "src") ?? meta(page, "image"),
      page.url,
    ),
    isVerified: document.querySelector(".tgme_page_title .verified-icon") !== null,
    subscribersCount: parseCount(members),
  })
}

const meta = ({ document }: UpstreamResponse, name: string) =>
  titleOrNull(metaContent(readMeta(document), `og:${name}`))
