import {
  absoluteUrl,
  distinct,
  hashtags,
  htmlToText,
  integerOrNull,
  mentions,
  parseCount,
  plainText,
} from "../../extract/core/index.ts"
import {
  Changed,
  field,
  itemObject,
  items,
  namedInText,
  recordFields,
  recordOf,
  required,
} from "../kit/index.ts"

const site = "https://t.me"

const text = (selector: string) => (element: Element) => plainText(element.querySelector(selector))
const linked = (link: Element | null | undefined) => absoluteUrl(link?.getAttribute("href"), site)
/** Returns the text of an element without that of its children, in any language. */
const ownText = (element: Element | null) =>
  [...(element?.childNodes ?? [])]
    .filter(({ nodeType }) => nodeType === textNode)
    .map(({ textContent }) => textContent)
    .join("")
const textNode = 3
const element = (selector: string) => (message: Element) => message.querySelector(selector)

const mediaKind = (media: Element): string =>
  mediaKinds.find(([selector]) => media.matches(selector))![1]

const mediaOf = (message: Element): Element[] =>
  [...message.querySelectorAll(anyMedia)].filter(
    (media) => !media.closest(".tgme_widget_message_reply"),
  )

const textIn = (message: Element): string | null => htmlToText(bodyOf(message)?.innerHTML)

const emojiOf = (reaction: Element): string | null =>
  text("i.emoji b")(reaction) ?? (reaction.querySelector(".telegram-star") ? "⭐" : null)

/** Returns the links in the text. Hashtags link to the channel's search and are left out. */
const linksOf = (message: Element): string[] =>
  distinct(
    [...(bodyOf(message)?.querySelectorAll("a[href]") ?? [])].flatMap((anchor) => {
      const href = anchor.getAttribute("href") ?? ""
      return href.startsWith("?") ? [] : (absoluteUrl(href, `${site}/s/`) ?? [])
    }),
  )

const content = recordOf<Element>()({
  publishedAt: field.time(
    (message) => dateOf(message)?.getAttribute("datetime"),
    "Time of the post (ISO 8601, UTC).",
  ),
  isEdited: field.flag(
    (message) => /\p{L}/u.test(ownText(message.querySelector(".tgme_widget_message_meta"))),
    "Whether the post was edited.",
  ),
  text: field.text(textIn, "Text of the post, as plain text."),
  textHtml: field.trimmed((message) => bodyOf(message)?.innerHTML, "Text, in HTML."),
  textMarkdown: field.markdown(
    (message) => bodyOf(message)?.innerHTML,
    "Text of the post, as Markdown.",
    () => "https://t.me/",
  ),
  viewsCount: field.count(
    text(".tgme_widget_message_views"),
    "Number of views; rounded above a thousand.",
  ),
  reactions: field.objects(
    (message) => [...message.querySelectorAll(".tgme_reaction")],
    "Reactions to the post.",
    {
      emoji: field.text(emojiOf, "Emoji character; null for a custom emoji."),
      customEmojiId: field.text(
        (reaction: Element) =>
          reaction.querySelector("tg-emoji[emoji-id]")?.getAttribute("emoji-id"),
        "ID of a custom emoji.",
      ),
      count: field.count(plainText, "Number of reactions with this emoji."),
    },
  ),
  author: field.text(text(".tgme_widget_message_from_author"), "Signature of the post's author."),
  isService: field.flag(
    (message) => message.classList.contains("service_message"),
    "Whether the post is a service message.",
  ),
  forwardedFrom: field.object(
    element(".tgme_widget_message_forwarded_from_name"),
    "Source of the forwarded post.",
    {
      name: field.text(plainText, "Name of the source."),
      url: field.text(linked, "URL of the source."),
    },
  ),
  replyTo: field.object(element("a.tgme_widget_message_reply"), "Post that this post replies to.", {
    id: field.integer(
      (reply: Element) => /\/(\d+)(?:\?|$)/.exec(reply.getAttribute("href") ?? "")?.[1],
      "ID of the post in the channel.",
    ),
    url: field.text(linked, "URL of that post."),
    author: field.text(text(".tgme_widget_message_author_name"), "Name of that post's author."),
    text: field.text(
      (reply: Element) =>
        plainText(
          reply.querySelector(".js-message_reply_text, .tgme_widget_message_metatext") ??
            reply.querySelector(".tgme_widget_message_text"),
        ),
      "Text of that post, shortened.",
    ),
  }),
  media: field.objects(mediaOf, "Images, videos and audio, in order.", {
    type: required(
      field.text(
        mediaKind,
        "Kind of the file: photo, video, roundvideo, voice, audio, sticker or videosticker.",
      ),
    ),
    url: field.text(
      fileOf,
      "URL of the file, valid for hours; null if the file is too large for the web.",
    ),
    thumbnailUrl: field.text(thumbnailOf, "URL of the thumbnail."),
    durationSeconds: field.integer(
      (media: Element) => secondsOf(text("[class*=_duration]")(media)),
      "Length of the audio or video, in seconds.",
    ),
    link: field.text(
      (media: Element) => linked(media.closest("a[href]")),
      "URL of the post with the file.",
    ),
  }),
  document: field.object(element(".tgme_widget_message_document"), "Attached document.", {
    title: field.text(text(".tgme_widget_message_document_title"), "Name of the file."),
    extra: field.text(
      text(".tgme_widget_message_document_extra"),
      "Size of the file, or the performer.",
    ),
    isMusic: field.flag(
      (file: Element) =>
        file.closest("a")?.querySelector(".tgme_widget_message_document_icon.audio") != null,
      "Whether the file is music.",
    ),
    link: field.text(
      (file: Element) => linked(file.closest("a")),
      "URL of the post with the file.",
    ),
  }),
  poll: field.object(
    element(".tgme_widget_message_poll"),
    "Poll in the post; null if it has none.",
    {
      question: field.text(text(".tgme_widget_message_poll_question"), "Question of the poll."),
      type: field.text(
        text(".tgme_widget_message_poll_type"),
        "Kind of poll, for example Anonymous Poll.",
      ),
      options: field.objects(
        (poll: Element) =>
          [...poll.querySelectorAll(".tgme_widget_message_poll_option")].filter(plainText),
        "Options of the poll.",
        {
          text: field.text(text(".tgme_widget_message_poll_option_text"), "Text of the option."),
          percent: field.number(
            (option: Element) =>
              parseCount(text(".tgme_widget_message_poll_option_percent")(option)),
            "Share of the votes, in percent.",
          ),
        },
      ),
    },
  ),
  location: field.object(
    element("a.tgme_widget_message_location_wrap[href]"),
    "Location in the post; null if it has none.",
    {
      latitude: field.number((place: Element) => positionOf(place)?.[1], "Latitude, in degrees."),
      longitude: field.number((place: Element) => positionOf(place)?.[2], "Longitude, in degrees."),
      url: field.text(linked, "URL of the map."),
    },
  ),
  linkPreview: field.object(
    element("a.tgme_widget_message_link_preview"),
    "Preview of the link in the post.",
    {
      url: field.text(linked, "URL of the linked page."),
      siteName: field.text(text(".link_preview_site_name"), "Name of the linked site."),
      title: field.text(text(".link_preview_title"), "Title of the linked page."),
      description: field.text(text(".link_preview_description"), "Description of the linked page."),
      imageUrl: field.text(
        (preview: Element) =>
          styleImage(preview.querySelector(".link_preview_image, .link_preview_right_image")) ??
          styleImage(preview.querySelector(".link_preview_video_thumb")),
        "URL of the preview's image.",
      ),
    },
  ),
  links: field.texts(linksOf, "Links in the text."),
  hashtags: field.of(namedInText.hashtags, (message) => hashtags(textIn(message))),
  mentions: field.of(namedInText.mentions, (message) => mentions(textIn(message))),
})

export const postItem = itemObject({
  ...recordFields("post"),
  channel: items.requiredText("Name of the channel in URLs."),
  id: items.requiredInteger("ID of the post in the channel."),
  ...content.fields,
})

/** Returns the messages of a page, oldest first. */
export const messagesOf = (document: Document) => [
  ...document.querySelectorAll(".tgme_widget_message[data-post]"),
]

export function messageOf(message: Element) {
  const [channel = "", number] = (message.getAttribute("data-post") ?? "").split("/")
  const id = integerOrNull(number)
  if (id === null || !dateOf(message))
    throw new Changed("Telegram's page has a message without an ID or date.")
  return { channel, id, url: `${site}/${channel}/${id}`, ...content.read(message) }
}

const dateOf = (message: Element) =>
  message.querySelector(".tgme_widget_message_date time[datetime]")

/** Returns the message's own text, not the text of the message that it replies to. */
const bodyOf = (message: Element): Element | undefined =>
  [...message.querySelectorAll(".tgme_widget_message_text.js-message_text")].find(
    (text) => !text.closest(".tgme_widget_message_reply"),
  )

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

const isImage = (media: Element) => ["photo", "sticker"].includes(mediaKind(media))

function fileOf(media: Element): string | null | undefined {
  if (isImage(media)) return media.getAttribute("data-webp") ?? styleImage(media)
  const file = media.matches("[src]") ? media : media.querySelector("video[src], audio[src]")
  return absoluteUrl(file?.getAttribute("src"), site)
}

function thumbnailOf(media: Element): string | null {
  if (isImage(media)) return null
  return styleImage(
    media.querySelector(".tgme_widget_message_video_thumb, .tgme_widget_message_roundvideo_thumb"),
  )
}

/** Returns the URL in `background-image:url('…')`; null for the page's embedded placeholders. */
function styleImage(element: Element | null): string | null {
  const style = element?.getAttribute("style") ?? ""
  const url = /background-image:\s*url\(["']?([^"')]+)/.exec(style)?.[1]
  return absoluteUrl(url, site)
}

/** Returns `1:02:03` as seconds. */
function secondsOf(time: string | null): number | null {
  if (!time || !/^\d+(?::\d{2})+$/.test(time)) return null
  return time.split(":").reduce((seconds, part) => seconds * 60 + Number(part), 0)
}

const positionOf = (place: Element) =>
  /[?&]q=(-?[\d.]+),(-?[\d.]+)/.exec(place.getAttribute("href") ?? "")
