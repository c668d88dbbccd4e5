import { Type } from "@sinclair/typebox"
import { isoDate } from "../../extract/dates.ts"
import { absoluteUrl, textOf } from "../../extract/html.ts"
import { integerOrNull, numberOrNull, parseCount } from "../../extract/numbers.ts"
import { distinct, hashtags, htmlToText, mentions } from "../../extract/text.ts"
import {
  integerField,
  itemObject,
  nullable,
  numberField,
  textField,
  textsField,
} from "../fields.ts"
import { Changed } from "../outcome.ts"
import { namedInText, recordFields } from "./social.ts"

const site = "https://t.me"

export const postItem = itemObject({
  ...recordFields("post"),
  channel: Type.String({ description: "The channel's name." }),
  id: Type.Integer({ description: "Number in the channel." }),
  publishedAt: textField("When it was posted (ISO 8601, UTC)."),
  isEdited: Type.Boolean({ description: "It was edited." }),
  text: textField("Text."),
  textHtml: textField("Text, in HTML."),
  views: integerField("Views; rounded above a thousand."),
  reactions: Type.Array(
    itemObject({
      emoji: textField("Character; null for a custom one."),
      customEmojiId: textField("Id of a custom emoji."),
      count: integerField("How often."),
    }),
    { description: "Reactions." },
  ),
  author: textField("Signature."),
  isService: Type.Boolean({ description: "A notice of the service." }),
  forwardedFrom: nullable(
    itemObject(
      { name: textField("Name."), url: textField("Page.") },
      { description: "Where it was forwarded from." },
    ),
  ),
  replyTo: nullable(
    itemObject(
      {
        id: integerField("Number of the post."),
        url: textField("The post."),
        author: textField("Who wrote it."),
        text: textField("Its text, cut."),
      },
      { description: "What it replies to." },
    ),
  ),
  media: Type.Array(
    itemObject({
      type: Type.String({
        description: "photo, video, roundvideo, voice, audio, sticker or videosticker.",
      }),
      url: textField("File, for hours only; null when it is too large for the web."),
      thumbnailUrl: textField("Picture."),
      durationSeconds: integerField("Duration."),
      link: textField("The post that it belongs to."),
    }),
    { description: "Pictures, videos, sound, in order." },
  ),
  document: nullable(
    itemObject(
      {
        title: textField("Name of the file."),
        extra: textField("Its size, or who performs."),
        isMusic: Type.Boolean({ description: "It is music." }),
        link: textField("The post that it belongs to."),
      },
      { description: "File." },
    ),
  ),
  poll: nullable(
    itemObject(
      {
        question: textField("Question."),
        type: textField("Kind, such as Anonymous Poll."),
        options: Type.Array(
          itemObject({ text: textField("Answer."), percent: numberField("Share of the votes.") }),
          { description: "Answers." },
        ),
      },
      { description: "Poll." },
    ),
  ),
  location: nullable(
    itemObject(
      {
        latitude: numberField("Degrees."),
        longitude: numberField("Degrees."),
        url: textField("Map."),
      },
      { description: "Place." },
    ),
  ),
  linkPreview: nullable(
    itemObject(
      {
        url: textField("Page."),
        siteName: textField("Site."),
        title: textField("Title."),
        description: textField("Description."),
        imageUrl: textField("Picture."),
      },
      { description: "Preview of a link." },
    ),
  ),
  links: textsField("Links in the text."),
  ...namedInText,
})

/** The messages of a page, oldest first. */
export const messagesOf = (document: Document) => [
  ...document.querySelectorAll(".tgme_widget_message[data-post]"),
]

export function messageOf(message: Element, pageUrl: string) {
  const [channel = "", number] = (message.getAttribute("data-post") ?? "").split("/")
  const id = integerOrNull(number)
  const date = message.querySelector(".tgme_widget_message_date time[datetime]")
  if (id === null || !date)
    throw new Changed("Telegram's page holds a message without number or date.")
  const body = [...message.querySelectorAll(".tgme_widget_message_text.js-message_text")].find(
    (one) => !one.closest(".tgme_widget_message_reply"),
  )
  const text = htmlToText(body?.innerHTML)
  const meta = message.querySelector(".tgme_widget_message_meta")
  return {
    channel,
    id,
    url: `${site}/${channel}/${id}`,
    publishedAt: isoDate(date.getAttribute("datetime")),
    isEdited: /^edited/i.test(textOf(meta) ?? ""),
    text,
    textHtml: body?.innerHTML.trim() || null,
    views: parseCount(textOf(message.querySelector(".tgme_widget_message_views"))),
    reactions: [...message.querySelectorAll(".tgme_reaction")].map(reactionOf),
    author: textOf(message.querySelector(".tgme_widget_message_from_author")),
    isService: message.classList.contains("service_message"),
    forwardedFrom: forwardOf(message),
    replyTo: replyOf(message),
    media: mediaOf(message),
    document: documentOf(message),
    poll: pollOf(message),
    location: locationOf(message),
    linkPreview: previewOf(message),
    links: linksOf(body, pageUrl),
    hashtags: hashtags(text),
    mentions: mentions(text),
  }
}

function reactionOf(reaction: Element) {
  const custom = reaction.querySelector("tg-emoji[emoji-id]")
  const star = reaction.querySelector(".telegram-star") ? "⭐" : null
  return {
    emoji: textOf(reaction.querySelector("i.emoji b")) ?? star,
    customEmojiId: custom?.getAttribute("emoji-id") ?? null,
    count: parseCount(textOf(reaction)),
  }
}

function forwardOf(message: Element) {
  const from = message.querySelector(".tgme_widget_message_forwarded_from_name")
  return from && { name: textOf(from), url: from.getAttribute("href") }
}

function replyOf(message: Element) {
  const reply = message.querySelector("a.tgme_widget_message_reply")
  if (!reply) return null
  const url = reply.getAttribute("href")
  return {
    id: integerOrNull(/\/(\d+)(?:\?|$)/.exec(url ?? "")?.[1]),
    url,
    author: textOf(reply.querySelector(".tgme_widget_message_author_name")),
    text: textOf(
      reply.querySelector(".js-message_reply_text, .tgme_widget_message_metatext") ??
        reply.querySelector(".tgme_widget_message_text"),
    ),
  }
}

const mediaKinds: [selector: string, type: string][] = [
  ["a.tgme_widget_message_photo_wrap", "photo"],
  [".tgme_widget_message_video_player", "video"],
  [".tgme_widget_message_roundvideo_player", "roundvideo"],
  [".tgme_widget_message_voice_player", "voice"],
  ["audio:not(.tgme_widget_message_voice)", "audio"],
  [".tgme_widget_message_sticker", "sticker"],
  [".tgme_widget_message_videosticker", "videosticker"],
]
const anyMedia = mediaKinds.map(([selector]) => selector).join(", ")

function mediaOf(message: Element) {
  return [...message.querySelectorAll(anyMedia)]
    .filter((one) => !one.closest(".tgme_widget_message_reply"))
    .map((one) => {
      const type = mediaKinds.find(([selector]) => one.matches(selector))![1]
      const file = one.matches("[src]") ? one : one.querySelector("video[src], audio[src]")
      const picture = styleImage(one)
      const isPicture = type === "photo" || type === "sticker"
      const thumb = one.querySelector(
        ".tgme_widget_message_video_thumb, .tgme_widget_message_roundvideo_thumb",
      )
      const time = one.querySelector("[class*=_duration]")
      return {
        type,
        url: isPicture
          ? (one.getAttribute("data-webp") ?? picture)
          : (file?.getAttribute("src") ?? null),
        thumbnailUrl: isPicture ? null : styleImage(thumb),
        durationSeconds: secondsOf(textOf(time)),
        link: one.getAttribute("href") ?? one.closest("a")?.getAttribute("href") ?? null,
      }
    })
}

/** The address in `background-image:url('…')`; placeholders that the page carries are none. */
function styleImage(element: Element | null): string | null {
  const style = element?.getAttribute("style") ?? ""
  const address = /background-image:\s*url\(["']?([^"')]+)/.exec(style)?.[1]
  if (!address || address.startsWith("data:")) return null
  return address.startsWith("//") ? `https:${address}` : address
}

/** `1:02:03` as seconds. */
function secondsOf(time: string | null): number | null {
  if (!time || !/^\d+(?::\d{2})+$/.test(time)) return null
  return time.split(":").reduce((seconds, part) => seconds * 60 + Number(part), 0)
}

function documentOf(message: Element) {
  const file = message.querySelector(".tgme_widget_message_document")
  if (!file) return null
  const wrap = file.closest("a")
  return {
    title: textOf(file.querySelector(".tgme_widget_message_document_title")),
    extra: textOf(file.querySelector(".tgme_widget_message_document_extra")),
    isMusic: wrap?.querySelector(".tgme_widget_message_document_icon.audio") != null,
    link: wrap?.getAttribute("href") ?? null,
  }
}

function pollOf(message: Element) {
  const poll = message.querySelector(".tgme_widget_message_poll")
  if (!poll) return null
  return {
    question: textOf(poll.querySelector(".tgme_widget_message_poll_question")),
    type: textOf(poll.querySelector(".tgme_widget_message_poll_type")),
    options: [...poll.querySelectorAll(".tgme_widget_message_poll_option")].map((option) => ({
      text: textOf(option.querySelector(".tgme_widget_message_poll_option_text")),
      percent: parseCount(textOf(option.querySelector(".tgme_widget_message_poll_option_percent"))),
    })),
  }
}

function locationOf(message: Element) {
  const url = message.querySelector("a.tgme_widget_message_location_wrap")?.getAttribute("href")
  if (!url) return null
  const place = /[?&]q=(-?[\d.]+),(-?[\d.]+)/.exec(url)
  return { latitude: numberOrNull(place?.[1]), longitude: numberOrNull(place?.[2]), url }
}

function previewOf(message: Element) {
  const preview = message.querySelector("a.tgme_widget_message_link_preview")
  if (!preview) return null
  const picture = preview.querySelector(".link_preview_image, .link_preview_right_image")
  const video = preview.querySelector(".link_preview_video_thumb")
  return {
    url: preview.getAttribute("href"),
    siteName: textOf(preview.querySelector(".link_preview_site_name")),
    title: textOf(preview.querySelector(".link_preview_title")),
    description: textOf(preview.querySelector(".link_preview_description")),
    imageUrl: styleImage(picture) ?? styleImage(video),
  }
}

/** Hashtags are links into the channel's own search, and no links of the text. */
function linksOf(body: Element | undefined, pageUrl: string): string[] {
  const anchors = [...(body?.querySelectorAll("a[href]") ?? [])]
  return distinct(
    anchors.flatMap((anchor) => {
      const href = anchor.getAttribute("href") ?? ""
      return href.startsWith("?") ? [] : (absoluteUrl(href, pageUrl) ?? [])
    }),
  )
}
