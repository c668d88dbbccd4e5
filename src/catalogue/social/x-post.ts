import { Type } from "@sinclair/typebox"
import { isoDate } from "../../extract/dates.ts"
import type { JsonReader } from "../../extract/json-reader.ts"
import { decodeEntities, distinct, htmlToText, textOrNull } from "../../extract/text.ts"
import {
  booleanField,
  integerField,
  itemObject,
  nullable,
  textField,
  textsField,
} from "../fields.ts"
import { Changed } from "../outcome.ts"
import { namedInText, sizeFields } from "./social.ts"
import { xSite } from "./x.ts"
import { xAuthor, xAuthorFacts } from "./x-user.ts"

const quoted = (description: string) =>
  nullable(
    itemObject(
      {
        id: Type.String({ description: "Id." }),
        url: Type.String({ description: "Its page." }),
        text: textField("Text."),
        author: xAuthor,
      },
      { description },
    ),
  )

export const xPostFields = {
  id: Type.String({ description: "Id." }),
  text: textField("Text, in full for long posts."),
  createdAt: textField("When it was posted (ISO 8601, UTC)."),
  lang: textField("Language that the network sees in it."),
  author: xAuthor,
  likeCount: integerField("Likes."),
  retweetCount: integerField("Reposts."),
  replyCount: integerField("Replies."),
  quoteCount: integerField("Quotes."),
  bookmarkCount: integerField("Bookmarks."),
  viewCount: integerField("Views."),
  conversationId: textField("Id of the conversation's first post."),
  inReplyToId: textField("Id of the post that it replies to."),
  inReplyToHandle: textField("Whom it replies to."),
  isReply: Type.Boolean({ description: "It is a reply." }),
  isQuote: Type.Boolean({ description: "It quotes a post." }),
  isRetweet: Type.Boolean({ description: "It repeats a post." }),
  quotedTweet: quoted("The post that it quotes."),
  retweetedTweet: quoted("The post that it repeats."),
  ...namedInText,
  cashtags: textsField("Symbols without $."),
  links: textsField("Links, expanded."),
  media: Type.Array(
    itemObject({
      type: textField("photo, video or animated_gif."),
      url: textField("Picture, or the best MP4."),
      thumbnailUrl: textField("Picture."),
      ...sizeFields,
      altText: textField("Description for those who cannot see it."),
      durationMs: integerField("Milliseconds."),
      variants: Type.Array(
        itemObject({
          bitrate: integerField("Bits a second."),
          contentType: textField("Media type."),
          url: Type.String({ description: "Video or playlist." }),
        }),
        { description: "Qualities of a video." },
      ),
    }),
    { description: "Pictures and videos." },
  ),
  place: textField("Place, in full."),
  source: textField("Client that it was posted with."),
  card: nullable(
    itemObject(
      {
        name: textField("Kind of card."),
        values: Type.Record(Type.String(), Type.String(), { description: "Its values, by key." }),
      },
      { description: "Preview of a link, or a poll." },
    ),
  ),
  isSensitive: booleanField("Marked as sensitive."),
  isEdited: Type.Boolean({ description: "It was edited." }),
  editIds: textsField("Ids of its versions."),
}

/** The post in a result; null for one that is gone or kept back, also with its author. */
export function postOf(result: JsonReader): JsonReader | null {
  const post = result.has("tweet") ? result.in("tweet") : result
  const { handle } = xAuthorFacts(post.in("core", "user_results", "result"))
  return post.has("rest_id") && post.has("legacy") && handle ? post : null
}

/** @throws Changed when the post has no author */
export function xPost(post: JsonReader) {
  const legacy = post.in("legacy")
  const short = shortPost(post)
  const note = post.in("note_tweet", "note_tweet_results", "result")
  const entities = note.has("entity_set") ? note.in("entity_set") : legacy.in("entities")
  const named = (list: string, key: string) =>
    distinct(entities.list(list).flatMap((one) => one.text(key) ?? []))
  const repeated = postOf(legacy.in("retweeted_status_result", "result"))
  const quote = postOf(post.in("quoted_status_result", "result"))
  const editIds = post.texts("edit_control", "edit_tweet_ids")
  return {
    ...short,
    createdAt: isoDate(legacy.text("created_at")),
    lang: legacy.text("lang"),
    likeCount: legacy.integer("favorite_count"),
    retweetCount: legacy.integer("retweet_count"),
    replyCount: legacy.integer("reply_count"),
    quoteCount: legacy.integer("quote_count"),
    bookmarkCount: legacy.integer("bookmark_count"),
    viewCount: post.integer("views", "count"),
    conversationId: legacy.text("conversation_id_str"),
    inReplyToId: legacy.text("in_reply_to_status_id_str"),
    inReplyToHandle: legacy.text("in_reply_to_screen_name"),
    isReply: legacy.has("in_reply_to_status_id_str") || legacy.has("in_reply_to_screen_name"),
    isQuote: legacy.value("is_quote_status") === true,
    isRetweet: legacy.has("retweeted_status_result"),
    quotedTweet: quote && shortPost(quote),
    retweetedTweet: repeated && shortPost(repeated),
    hashtags: named("hashtags", "text"),
    mentions: named("user_mentions", "screen_name"),
    cashtags: named("symbols", "text"),
    links: named("urls", "expanded_url"),
    media: mediaOf(legacy).map(mediaItem),
    place: legacy.text("place", "full_name"),
    source: htmlToText(post.text("source")),
    card: cardOf(post.in("card", "legacy")),
    isSensitive: legacy.flag("possibly_sensitive"),
    isEdited: editIds.length > 1,
    editIds,
  }
}

function shortPost(post: JsonReader) {
  const id = post.text("rest_id")
  const author = xAuthorFacts(post.in("core", "user_results", "result"))
  if (!id || !author.handle) throw new Changed("X's answer holds a post without its author.")
  return { id, url: `${xSite}/${author.handle}/status/${id}`, text: textOf(post), author }
}

/** In full where the post is long; without the short links of its own media at the end. */
function textOf(post: JsonReader): string | null {
  const legacy = post.in("legacy")
  const note = post.text("note_tweet", "note_tweet_results", "result", "text")
  let text = note ?? legacy.text("full_text") ?? ""
  for (const media of mediaOf(legacy)) {
    const link = media.text("url")
    if (link && text.endsWith(link)) text = text.slice(0, -link.length).trimEnd()
  }
  return textOrNull(decodeEntities(text))
}

function mediaOf(legacy: JsonReader): JsonReader[] {
  const extended = legacy.list("extended_entities", "media")
  return extended.length > 0 ? extended : legacy.list("entities", "media")
}

function mediaItem(media: JsonReader) {
  const picture = media.text("media_url_https")
  const variants = media.list("video_info", "variants").flatMap((variant) => {
    const url = variant.text("url")
    if (!url) return []
    return [{ bitrate: variant.integer("bitrate"), contentType: variant.text("content_type"), url }]
  })
  const best = variants
    .filter(({ contentType }) => contentType === "video/mp4")
    .toSorted((a, b) => (b.bitrate ?? 0) - (a.bitrate ?? 0))[0]
  return {
    type: media.text("type"),
    url: best?.url ?? variants[0]?.url ?? picture,
    thumbnailUrl: picture,
    width: media.integer("original_info", "width"),
    height: media.integer("original_info", "height"),
    altText: media.text("ext_alt_text"),
    durationMs: media.integer("video_info", "duration_millis"),
    variants,
  }
}

function cardOf(card: JsonReader) {
  if (!card.has("name")) return null
  const values = card.list("binding_values").flatMap((binding): [string, string][] => {
    const key = binding.text("key")
    const value =
      binding.text("value", "string_value") ??
      binding.text("value", "image_value", "url") ??
      binding.flag("value", "boolean_value")?.toString()
    return key && value ? [[key, value]] : []
  })
  return { name: card.text("name"), values: Object.fromEntries(values) }
}
