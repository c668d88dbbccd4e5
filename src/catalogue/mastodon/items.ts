import { Type } from "@sinclair/typebox"
import { htmlToText, isoDate, textOrNull } from "../../extract/core/index.ts"
import type { JsonReader } from "../../extract/embedded/index.ts"
import {
  booleanField,
  Changed,
  field,
  having,
  itemObject,
  type Row,
  record,
  recordFields,
  required,
  sizeAt,
  textField,
} from "../kit/index.ts"

const account = record({
  note: field.trimmed("note", "About text, in HTML."),
  noteText: field.text((account: Row) => htmlToText(account.note), "About text."),
  noteMarkdown: field.markdown("note", "About text, as Markdown.", "url"),
  avatarUrl: field.trimmed("avatar", "Image.", image),
  headerUrl: field.trimmed("header", "Banner.", image),
  followersCount: field.integer("followers_count", "Followers; null when hidden.", visible),
  followingCount: field.integer("following_count", "Accounts followed; null when hidden.", visible),
  postsCount: field.integer("statuses_count", "Posts.", visible),
  createdAt: field.time("created_at", "When the account was made (ISO 8601, UTC)."),
  lastStatusAt: field.time("last_status_at", "Day of the last post.", (time) => time.slice(0, 10)),
  locked: field.boolean("locked", "Followers must be accepted."),
  bot: field.boolean("bot", "A machine posts here."),
  group: field.boolean("group", "A group."),
  discoverable: field.boolean("discoverable", "Wants to be found."),
  indexable: field.boolean("indexable", "Posts may be searched."),
  suspended: field.boolean("suspended", "Suspended by the instance."),
  limited: field.boolean("limited", "Limited by the instance."),
  fields: field.objects("fields", "Labelled facts of the profile.", {
    name: field.trimmed("name", "Label."),
    value: field.trimmed("value", "Value, in HTML."),
    valueText: field.text((fact: Row) => htmlToText(fact.value), "Value."),
    verifiedAt: field.time("verified_at", "When the link was verified."),
  }),
  movedTo: field.trimmed("moved.url", "Page of the account that it moved to."),
  roles: field.texts("roles.*.name", "Roles at the instance."),
  emojis: field.objects("emojis", "Custom emojis in the texts.", {
    shortcode: field.trimmed("shortcode", "Code, without colons."),
    url: field.trimmed("url", "Image."),
  }),
})

export const profileItem = itemObject({
  ...recordFields("profile"),
  id: textField("Id at the instance."),
  username: Type.String({ description: "Name without instance." }),
  acct: Type.String({ description: "Name with instance." }),
  instance: Type.String({ description: "Host that answered." }),
  displayName: Type.String({ description: "Name that is shown." }),
  ...account.fields,
})

const status = record({
  author: required(
    field.object("account", "Author.", {
      username: field.trimmed("username", "Name without instance."),
      acct: field.trimmed("acct", "Name, with the instance if it is another one."),
      displayName: field.trimmed("display_name|username", "Name that is shown."),
      url: field.trimmed("url", "Page."),
    }),
  ),
  createdAt: field.time("created_at", "When it was written (ISO 8601, UTC)."),
  editedAt: field.time("edited_at", "When it was last edited."),
  content: field.trimmed("content", "Text, in HTML."),
  text: field.text((status: Row) => htmlToText(status.content), "Text."),
  textMarkdown: field.markdown("content", "Text, as Markdown.", "url"),
  spoilerText: field.trimmed("spoiler_text", "Warning before the text."),
  sensitive: field.boolean("sensitive", "Media are hidden at first."),
  visibility: field.trimmed("visibility", "public or unlisted."),
  language: field.trimmed("language", "Language."),
  isReply: field.flag(
    (status: Row) => textOrNull(status.in_reply_to_id) !== null,
    "Whether it is a reply.",
  ),
  inReplyToId: field.trimmed("in_reply_to_id", "ID of the post that it replies to."),
  repliesCount: field.integer("replies_count", "Replies."),
  repostsCount: field.integer("reblogs_count", "Boosts."),
  likesCount: field.integer("favourites_count", "Favourites."),
  quotesCount: field.integer("quotes_count", "Quotes."),
  media: field.objects("media_attachments", "Images, videos, sound.", {
    type: field.trimmed("type", "image, video, gifv or audio."),
    url: field.trimmed("url", "File."),
    previewUrl: field.trimmed("preview_url", "Small image."),
    remoteUrl: field.trimmed("remote_url", "File at its home."),
    description: field.trimmed("description", "Description for those who cannot see it."),
    ...sizeAt("meta.original.width", "meta.original.height"),
  }),
  tags: field.texts("tags.*.name", "Hashtags without #."),
  mentions: field.texts("mentions.*.acct", "Accounts mentioned."),
  poll: field.object(having("poll", "options"), "Poll.", {
    options: field.objects("options", "Answers.", {
      title: field.trimmed("title", "Answer."),
      votes: field.integer("votes_count", "Votes."),
    }),
    votes: field.integer("votes_count", "Votes for all answers."),
    endsAt: field.time("expires_at", "When voting ends."),
    multiple: field.boolean("multiple", "Whether several options may be chosen."),
  }),
  card: field.object(having("card", "url"), "Preview of a link.", {
    url: field.trimmed("url", "Page."),
    title: field.trimmed("title", "Title."),
    description: field.trimmed("description", "Description."),
    imageUrl: field.trimmed("image", "Image."),
  }),
  application: field.trimmed("application.name", "Client that it was posted with."),
})

export const statusItem = itemObject({
  ...recordFields("status"),
  id: Type.String({ description: "ID of the entry in the list." }),
  uri: textField("Permanent URL of the post."),
  isBoost: Type.Boolean({ description: "The account repeats another's post." }),
  boostedAt: textField("When it was repeated."),
  ...status.fields,
  pinned: booleanField("Pinned to the profile."),
})

function image(url: string): string | null {
  return url.endsWith("/missing.png") ? null : url
}

/** Hidden counts are -1 on some servers. */
function visible(count: number): number | null {
  return count < 0 ? null : count
}

export function profileOf(found: JsonReader, domain: string, host: string) {
  const username = found.text("username") ?? ""
  const acct = found.text("acct") ?? username
  return {
    id: found.text("id"),
    username,
    acct: acct.includes("@") ? acct : `${username}@${domain}`,
    instance: host,
    url: found.text("url") ?? `https://${host}/@${username}`,
    displayName: found.text("display_name") ?? username,
    ...account.read(found.root as Row),
  }
}

/** A boost has nothing of its own: what it repeats is shown under the boost's id. */
export function statusOf(entry: JsonReader, host: string) {
  const isBoost = entry.has("reblog")
  const post = isBoost ? entry.in("reblog") : entry
  const id = entry.text("id")
  if (!id || !post.has("account")) throw new Changed("The list holds a post without its author.")
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
