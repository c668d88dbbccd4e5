import { htmlToText, isoDate, textOrNull } from "../../extract/core/index.ts"
import type { JsonReader } from "../../extract/embedded/index.ts"
import {
  Changed,
  field,
  having,
  itemObject,
  items,
  type Row,
  record,
  recordFields,
  required,
  sizeAt,
} from "../kit/index.ts"

const image = (url: string) => (url.endsWith("/missing.png") ? null : url)

/** Returns null for a hidden count, which some servers report as -1. */
const visible = (count: number) => (count < 0 ? null : count)

const account = record({
  note: field.trimmed("note", "About text of the account, in HTML."),
  noteText: field.text(
    (account: Row) => htmlToText(account.note),
    "About text of the account, as plain text.",
  ),
  noteMarkdown: field.markdown("note", "About text of the account, as Markdown.", "url"),
  avatarUrl: field.trimmed("avatar", "URL of the account's image.", image),
  headerUrl: field.trimmed("header", "URL of the account's banner image.", image),
  followersCount: field.integer("followers_count", "Number of followers; null if hidden.", visible),
  followingCount: field.integer(
    "following_count",
    "Number of accounts followed; null if hidden.",
    visible,
  ),
  postsCount: field.integer("statuses_count", "Number of posts.", visible),
  createdAt: field.time("created_at", "Time of the account's creation (ISO 8601, UTC)."),
  lastStatusAt: field.time("last_status_at", "Day of the last post (YYYY-MM-DD).", (time) =>
    time.slice(0, 10),
  ),
  locked: field.boolean("locked", "Whether the account must accept followers."),
  bot: field.boolean("bot", "Whether a program posts here."),
  group: field.boolean("group", "Whether the account is a group."),
  discoverable: field.boolean(
    "discoverable",
    "Whether the account wants to be found in directories.",
  ),
  indexable: field.boolean("indexable", "Whether the account's posts may be indexed by search."),
  suspended: field.boolean("suspended", "Whether the instance has suspended the account."),
  limited: field.boolean("limited", "Whether the instance has limited the account."),
  fields: field.objects(
    "fields",
    "Labelled facts of the profile, for example a link to the account's site.",
    {
      name: field.trimmed("name", "Label of the fact."),
      value: field.trimmed("value", "Value, in HTML."),
      valueText: field.text(
        (fact: Row) => htmlToText(fact.value),
        "Value of the fact, as plain text.",
      ),
      verifiedAt: field.time(
        "verified_at",
        "Time of the link's verification; null if it is not verified.",
      ),
    },
  ),
  movedTo: field.trimmed(
    "moved.url",
    "URL of the account that this account moved to; null if it has not moved.",
  ),
  roles: field.texts("roles.*.name", "Names of the account's roles at the instance."),
  emojis: field.objects("emojis", "Custom emojis in the account's texts.", {
    shortcode: field.trimmed("shortcode", "Code of the emoji, without colons."),
    url: field.trimmed("url", "URL of the emoji's image."),
  }),
})

export const profileItem = itemObject({
  ...recordFields("profile"),
  id: items.text("Account ID at the instance."),
  username: items.requiredText("Username without the instance."),
  acct: items.requiredText("Username with the instance, for example Gargron@mastodon.social."),
  instance: items.requiredText("Host of the instance that responded."),
  displayName: items.requiredText("Display name of the account."),
  ...account.fields,
})

const status = record({
  author: required(
    field.object("account", "Author of the post.", {
      username: field.trimmed("username", "Username without the instance."),
      acct: field.trimmed("acct", "Username, with the instance if it is another one."),
      displayName: field.trimmed("display_name|username", "Display name of the author."),
      url: field.trimmed("url", "URL of the author's page."),
    }),
  ),
  createdAt: field.time("created_at", "Time of the post (ISO 8601, UTC)."),
  editedAt: field.time("edited_at", "Time of the last edit (ISO 8601, UTC); null if never edited."),
  content: field.trimmed("content", "Text, in HTML."),
  text: field.text((status: Row) => htmlToText(status.content), "Text of the post, as plain text."),
  textMarkdown: field.markdown("content", "Text of the post, as Markdown.", "url"),
  spoilerText: field.trimmed("spoiler_text", "Content warning before the text."),
  sensitive: field.boolean(
    "sensitive",
    "Whether the media are hidden until the reader opens them.",
  ),
  visibility: field.trimmed("visibility", "Visibility of the post: public or unlisted."),
  language: field.trimmed("language", "Language code of the post, for example en."),
  isReply: field.flag(
    (status: Row) => textOrNull(status.in_reply_to_id) !== null,
    "Whether the post is a reply.",
  ),
  inReplyToId: field.trimmed("in_reply_to_id", "ID of the post that this post replies to."),
  repliesCount: field.integer("replies_count", "Number of replies."),
  repostsCount: field.integer("reblogs_count", "Number of boosts."),
  likesCount: field.integer("favourites_count", "Number of favourites."),
  quotesCount: field.integer("quotes_count", "Number of quotes."),
  media: field.objects("media_attachments", "Attached images, videos and audio.", {
    type: field.trimmed("type", "Kind of the file: image, video, gifv or audio."),
    url: field.trimmed("url", "URL of the file on the instance."),
    previewUrl: field.trimmed("preview_url", "URL of the small preview image."),
    remoteUrl: field.trimmed("remote_url", "URL of the file at its original instance."),
    description: field.trimmed("description", "Alternative text of the file."),
    ...sizeAt("meta.original.width", "meta.original.height"),
  }),
  tags: field.texts("tags.*.name", "Hashtags without #."),
  mentions: field.texts("mentions.*.acct", "Accounts that the post mentions."),
  poll: field.object(having("poll", "options"), "Poll in the post; null if it has none.", {
    options: field.objects("options", "Options of the poll.", {
      title: field.trimmed("title", "Text of the option."),
      votes: field.integer("votes_count", "Number of votes for the option; null while hidden."),
    }),
    votes: field.integer("votes_count", "Votes for all options together."),
    endsAt: field.time("expires_at", "Time at which voting ends (ISO 8601, UTC)."),
    multiple: field.boolean("multiple", "Whether several options may be chosen."),
  }),
  card: field.object(having("card", "url"), "Preview of the link in the post.", {
    url: field.trimmed("url", "URL of the linked page."),
    title: field.trimmed("title", "Title of the linked page."),
    description: field.trimmed("description", "Description of the linked page."),
    imageUrl: field.trimmed("image", "URL of the preview's image."),
  }),
  application: field.trimmed("application.name", "Name of the client application that posted it."),
})

export const statusItem = itemObject({
  ...recordFields("status"),
  id: items.requiredText("ID of the entry in the account's list."),
  uri: items.text("Permanent URL of the post."),
  isBoost: items.requiredBoolean("Whether the account repeats another account's post."),
  boostedAt: items.text("Time of the boost (ISO 8601, UTC)."),
  ...status.fields,
  pinned: items.boolean("Whether the post is pinned to the profile."),
})

export function profileOf(reader: JsonReader, domain: string, host: string) {
  const username = reader.text("username") ?? ""
  const acct = reader.text("acct") ?? username
  return {
    id: reader.text("id"),
    username,
    acct: acct.includes("@") ? acct : `${username}@${domain}`,
    instance: host,
    url: reader.text("url") ?? `https://${host}/@${username}`,
    displayName: reader.text("display_name") ?? username,
    ...account.read(reader.root as Row),
  }
}

/** A boost has no content: the boosted post is returned under the boost's ID. */
export function statusOf(entry: JsonReader, host: string) {
  const isBoost = entry.has("reblog")
  const post = isBoost ? entry.in("reblog") : entry
  const id = entry.text("id")
  if (!id || !post.has("account"))
    throw new Changed("Mastodon's list has a post without its author.")
  const uri = post.text("uri")
  return {
    id,
    url: post.text("url") ?? uri ?? `https://${host}/@${post.text("account", "acct")}/${id}`,
    uri,
    isBoost,
    boostedAt: isBoost ? isoDate(entry.text("created_at")) : null,
    ...status.read(post.root as Row),
    pinned: entry.flag("pinned"),
  }
}
