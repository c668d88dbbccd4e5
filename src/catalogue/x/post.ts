import { decodeEntities, distinct, htmlToText, textOrNull } from "../../extract/core/index.ts"
import { at, JsonReader } from "../../extract/embedded/index.ts"
import {
  Changed,
  eachOf,
  field,
  having,
  itemObject,
  items,
  namedInText,
  nullable,
  type Row,
  record,
  sizeAt,
} from "../kit/index.ts"
import { xAuthor, xAuthorItem } from "./user.ts"
import { xSite } from "./x.ts"

/** A post. Its fields are in `legacy`, the object that older clients read. */
type Post = { legacy: Row }

const shortFields = {
  id: items.requiredText("ID of the post."),
  url: items.requiredText("URL of the post."),
  text: items.text("Text of the post."),
  author: xAuthorItem,
}
/** Returns a post within another; null if there is none or X withholds it. */
const within = (path: string, description: string) =>
  field.of(nullable(itemObject(shortFields, { description })), (post: unknown) => {
    const inner = postOf(new JsonReader(post).in(...path.split(".")))
    return inner && shortPost(inner)
  })

const written = record({
  createdAt: field.time("legacy.created_at", "Time of the post (ISO 8601, UTC)."),
  language: field.trimmed("legacy.lang", "Language code that X detects in the text."),
})
const isReply = ({ legacy }: Post): boolean =>
  (legacy.in_reply_to_status_id_str ?? legacy.in_reply_to_screen_name) != null

/** Returns a list of entities in a post's text; a long post has its own list. */
const named = (list: string, key: string) => (row: unknown) => {
  const post = new JsonReader(row)
  const note = post.in("note_tweet", "note_tweet_results", "result")
  const entities = note.has("entity_set") ? note.in("entity_set") : post.in("legacy", "entities")
  return distinct(eachOf(list, key)(entities.root))
}

const variantsOf = (media: unknown) =>
  new JsonReader(media).list("video_info", "variants").flatMap((variant) => {
    const url = variant.text("url")
    if (!url) return []
    return [{ bitrate: variant.integer("bitrate"), contentType: variant.text("content_type"), url }]
  })

const versionsOf = (post: unknown): string[] =>
  new JsonReader(post).texts("edit_control", "edit_tweet_ids")

const cardValues = (card: unknown): Record<string, string> =>
  Object.fromEntries(
    new JsonReader(card).list("binding_values").flatMap((binding): [string, string][] => {
      const key = binding.text("key")
      const value =
        binding.text("value", "string_value") ??
        binding.text("value", "image_value", "url") ??
        binding.flag("value", "boolean_value")?.toString()
      return key && value ? [[key, value]] : []
    }),
  )

const facts = record({
  likesCount: field.integer("legacy.favorite_count", "Number of likes."),
  repostsCount: field.integer("legacy.retweet_count", "Number of reposts."),
  repliesCount: field.integer("legacy.reply_count", "Number of replies."),
  quotesCount: field.integer("legacy.quote_count", "Number of quotes."),
  bookmarksCount: field.integer("legacy.bookmark_count", "Number of bookmarks."),
  viewsCount: field.integer("views.count", "Number of views."),
  conversationId: field.trimmed(
    "legacy.conversation_id_str",
    "ID of the conversation's first post.",
  ),
  inReplyToId: field.trimmed(
    "legacy.in_reply_to_status_id_str",
    "ID of the post that this post replies to.",
  ),
  inReplyToHandle: field.trimmed(
    "legacy.in_reply_to_screen_name",
    "Username of the account that this post replies to.",
  ),
  isReply: field.flag(isReply, "Whether the post is a reply."),
  isQuote: field.flag("legacy.is_quote_status", "Whether the post quotes a post."),
  isRetweet: field.flag(
    ({ legacy }: Post) => legacy.retweeted_status_result != null,
    "Whether the post reposts a post.",
  ),
  quotedTweet: within("quoted_status_result.result", "Quoted post."),
  retweetedTweet: within("legacy.retweeted_status_result.result", "Reposted post."),
  hashtags: field.of(namedInText.hashtags, named("hashtags", "text")),
  mentions: field.of(namedInText.mentions, named("user_mentions", "screen_name")),
  cashtags: field.texts(named("symbols", "text"), "Stock symbols in the text, without $."),
  links: field.texts(named("urls", "expanded_url"), "URLs in the text, expanded."),
  media: field.objects(
    (post) => mediaOf(new JsonReader(post).in("legacy")).map((media) => media.root),
    "Images and videos of the post.",
    {
      type: field.trimmed("type", "Kind of media: photo, video or animated_gif."),
      url: field.text(
        (media) => bestOf(variantsOf(media))?.url ?? at(media, "media_url_https"),
        "URL of the image, or of the best MP4.",
      ),
      thumbnailUrl: field.trimmed(
        "media_url_https",
        "URL of the image, or of the still image of a video.",
      ),
      ...sizeAt("original_info.width", "original_info.height"),
      altText: field.trimmed("ext_alt_text", "Alternative text of the media."),
      durationMs: field.integer(
        "video_info.duration_millis",
        "Length of the video, in milliseconds.",
      ),
      variants: field.of(
        items.objects("Available qualities of the video.", {
          bitrate: items.integer("Bit rate in bits per second."),
          contentType: items.text("Media type, for example video/mp4."),
          url: items.requiredText("URL of the video or playlist."),
        }),
        variantsOf,
      ),
    },
  ),
  place: field.trimmed("legacy.place.full_name", "Full name of the tagged place."),
  source: field.text(
    (post) => htmlToText(at(post, "source")),
    "Name of the client application that posted it.",
  ),
  card: field.object(having("card.legacy", "name"), "Preview of a link, or a poll.", {
    name: field.trimmed("name", "Kind of card, for example summary_large_image."),
    values: field.of(items.textsByName("Values of the card, by key."), cardValues),
  }),
  isSensitive: field.boolean(
    "legacy.possibly_sensitive",
    "Whether the post is marked as sensitive.",
  ),
  isEdited: field.flag((post) => versionsOf(post).length > 1, "Whether the post was edited."),
  editIds: field.texts(versionsOf, "IDs of the post's versions."),
})

export const xPostFields = {
  id: items.requiredText("ID of the post."),
  text: items.text("Text of the post; long posts in full."),
  ...written.fields,
  author: xAuthorItem,
  ...facts.fields,
}

/**
 * Returns the post in a result; null if the post is deleted or withheld, also if only its author is
 * present.
 */
export function postOf(result: JsonReader): JsonReader | null {
  const post = result.has("tweet") ? result.in("tweet") : result
  const { handle } = authorOf(post)
  return post.has("rest_id") && post.has("legacy") && handle ? post : null
}

/** @throws Changed if the post has no author */
export function xPost(post: JsonReader) {
  const row = post.root as Post
  return { ...shortPost(post), ...written.read(row), ...facts.read(row) }
}

const authorOf = (post: JsonReader) => xAuthor.read(post.value("core", "user_results", "result"))

function shortPost(post: JsonReader) {
  const id = post.text("rest_id")
  const author = authorOf(post)
  if (!id || !author.handle) throw new Changed("X's response has a post without its author.")
  return { id, url: `${xSite}/${author.handle}/status/${id}`, text: textOf(post), author }
}

/** Returns the full text of a post, without the short links of its own media at the end. */
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

/** Returns the best MP4; if there is none, the playlist. */
function bestOf(variants: ReturnType<typeof variantsOf>) {
  const files = variants.filter(({ contentType }) => contentType === "video/mp4")
  return files.toSorted((a, b) => (b.bitrate ?? 0) - (a.bitrate ?? 0))[0] ?? variants[0]
}
