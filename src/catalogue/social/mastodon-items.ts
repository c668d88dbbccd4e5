import { Type } from "@sinclair/typebox"
import { isoDate, isoDay } from "../../extract/dates.ts"
import type { JsonReader } from "../../extract/json-reader.ts"
import { htmlToText } from "../../extract/text.ts"
import {
  booleanField,
  integerField,
  itemObject,
  nullable,
  textField,
  textsField,
} from "../fields.ts"
import { Changed } from "../outcome.ts"
import { recordFields, sizeFields } from "./social.ts"

export const profileItem = itemObject({
  ...recordFields("profile"),
  id: textField("Id at the instance."),
  username: Type.String({ description: "Name without instance." }),
  acct: Type.String({ description: "Name with instance." }),
  instance: Type.String({ description: "Host that answered." }),
  displayName: Type.String({ description: "Name that is shown." }),
  note: textField("About text, in HTML."),
  noteText: textField("About text."),
  avatarUrl: textField("Picture."),
  headerUrl: textField("Banner."),
  followersCount: integerField("Followers; null when hidden."),
  followingCount: integerField("Accounts followed; null when hidden."),
  statusesCount: integerField("Posts."),
  createdAt: textField("When the account was made (ISO 8601, UTC)."),
  lastStatusAt: textField("Day of the last post."),
  locked: booleanField("Followers must be accepted."),
  bot: booleanField("A machine posts here."),
  group: booleanField("A group."),
  discoverable: booleanField("Wants to be found."),
  indexable: booleanField("Posts may be searched."),
  suspended: booleanField("Suspended by the instance."),
  limited: booleanField("Limited by the instance."),
  fields: Type.Array(
    itemObject({
      name: textField("Label."),
      value: textField("Value, in HTML."),
      valueText: textField("Value."),
      verifiedAt: textField("When the link was verified."),
    }),
    { description: "Labelled facts of the profile." },
  ),
  movedTo: textField("Page of the account that it moved to."),
  roles: textsField("Roles at the instance."),
  emojis: Type.Array(
    itemObject({ shortcode: textField("Code, without colons."), url: textField("Picture.") }),
    { description: "Custom emojis in the texts." },
  ),
})

export const statusItem = itemObject({
  ...recordFields("status"),
  id: Type.String({ description: "Id of the entry in the list." }),
  uri: textField("Lasting address of the post."),
  isBoost: Type.Boolean({ description: "The account repeats another's post." }),
  boostedAt: textField("When it was repeated."),
  author: itemObject(
    {
      username: textField("Name without instance."),
      acct: textField("Name, with instance where it is another."),
      displayName: textField("Name that is shown."),
      url: textField("Page."),
    },
    { description: "Who wrote it." },
  ),
  createdAt: textField("When it was written (ISO 8601, UTC)."),
  editedAt: textField("When it was last edited."),
  content: textField("Text, in HTML."),
  text: textField("Text."),
  spoilerText: textField("Warning before the text."),
  sensitive: booleanField("Media are hidden at first."),
  visibility: textField("public or unlisted."),
  language: textField("Language."),
  isReply: Type.Boolean({ description: "It is a reply." }),
  inReplyToId: textField("Id of the post that it replies to."),
  repliesCount: integerField("Replies."),
  reblogsCount: integerField("Boosts."),
  favouritesCount: integerField("Favourites."),
  quotesCount: integerField("Quotes."),
  media: Type.Array(
    itemObject({
      type: textField("image, video, gifv or audio."),
      url: textField("File."),
      previewUrl: textField("Small picture."),
      remoteUrl: textField("File at its home."),
      description: textField("Description for those who cannot see it."),
      ...sizeFields,
    }),
    { description: "Pictures, videos, sound." },
  ),
  tags: textsField("Hashtags without #."),
  mentions: textsField("Accounts mentioned."),
  poll: nullable(
    itemObject(
      {
        options: Type.Array(
          itemObject({ title: textField("Answer."), votes: integerField("Votes.") }),
          { description: "Answers." },
        ),
        votes: integerField("Votes for all answers."),
        endsAt: textField("When voting ends."),
        multiple: booleanField("Several answers may be chosen."),
      },
      { description: "Poll." },
    ),
  ),
  card: nullable(
    itemObject(
      {
        url: textField("Page."),
        title: textField("Title."),
        description: textField("Description."),
        image: textField("Picture."),
      },
      { description: "Preview of a link." },
    ),
  ),
  application: textField("Client that it was posted with."),
  pinned: booleanField("Pinned to the profile."),
})

export function profileOf(account: JsonReader, domain: string, host: string) {
  const username = account.text("username") ?? ""
  const acct = account.text("acct") ?? username
  return {
    id: account.text("id"),
    username,
    acct: acct.includes("@") ? acct : `${username}@${domain}`,
    instance: host,
    url: account.text("url") ?? `https://${host}/@${username}`,
    displayName: account.text("display_name") ?? username,
    note: account.text("note"),
    noteText: htmlToText(account.text("note")),
    avatarUrl: pictureOf(account.text("avatar")),
    headerUrl: pictureOf(account.text("header")),
    followersCount: shown(account.integer("followers_count")),
    followingCount: shown(account.integer("following_count")),
    statusesCount: shown(account.integer("statuses_count")),
    createdAt: isoDate(account.text("created_at")),
    lastStatusAt: isoDay(account.text("last_status_at")),
    locked: account.flag("locked"),
    bot: account.flag("bot"),
    group: account.flag("group"),
    discoverable: account.flag("discoverable"),
    indexable: account.flag("indexable"),
    suspended: account.flag("suspended"),
    limited: account.flag("limited"),
    fields: account.list("fields").map((field) => ({
      name: field.text("name"),
      value: field.text("value"),
      valueText: htmlToText(field.text("value")),
      verifiedAt: isoDate(field.text("verified_at")),
    })),
    movedTo: account.text("moved", "url"),
    roles: account.list("roles").flatMap((role) => role.text("name") ?? []),
    emojis: account.list("emojis").map((emoji) => ({
      shortcode: emoji.text("shortcode"),
      url: emoji.text("url"),
    })),
  }
}

const pictureOf = (url: string | null) => (url?.endsWith("/missing.png") ? null : url)

/** Hidden counts are -1 on some servers. */
const shown = (count: number | null) => (count !== null && count < 0 ? null : count)

/** A boost has nothing of its own: what it repeats is shown under the boost's id. */
export function statusOf(entry: JsonReader, host: string) {
  const isBoost = entry.has("reblog")
  const status = isBoost ? entry.in("reblog") : entry
  const id = entry.text("id")
  if (!id || !status.has("account")) throw new Changed("The list holds a post without its author.")
  const author = status.in("account")
  const content = status.text("content")
  return {
    id,
    url:
      status.text("url") ?? status.text("uri") ?? `https://${host}/@${author.text("acct")}/${id}`,
    uri: status.text("uri"),
    isBoost,
    boostedAt: isBoost ? isoDate(entry.text("created_at")) : null,
    author: {
      username: author.text("username"),
      acct: author.text("acct"),
      displayName: author.text("display_name") ?? author.text("username"),
      url: author.text("url"),
    },
    createdAt: isoDate(status.text("created_at")),
    editedAt: isoDate(status.text("edited_at")),
    content,
    text: htmlToText(content),
    spoilerText: status.text("spoiler_text"),
    sensitive: status.flag("sensitive"),
    visibility: status.text("visibility"),
    language: status.text("language"),
    isReply: status.has("in_reply_to_id"),
    inReplyToId: status.text("in_reply_to_id"),
    repliesCount: status.integer("replies_count"),
    reblogsCount: status.integer("reblogs_count"),
    favouritesCount: status.integer("favourites_count"),
    quotesCount: status.integer("quotes_count"),
    media: status.list("media_attachments").map((media) => ({
      type: media.text("type"),
      url: media.text("url"),
      previewUrl: media.text("preview_url"),
      remoteUrl: media.text("remote_url"),
      description: media.text("description"),
      width: media.integer("meta", "original", "width"),
      height: media.integer("meta", "original", "height"),
    })),
    tags: status.list("tags").flatMap((tag) => tag.text("name") ?? []),
    mentions: status.list("mentions").flatMap((one) => one.text("acct") ?? []),
    poll: pollOf(status.in("poll")),
    card: cardOf(status.in("card")),
    application: status.text("application", "name"),
    pinned: entry.flag("pinned"),
  }
}

function pollOf(poll: JsonReader) {
  if (!poll.has("options")) return null
  return {
    options: poll.list("options").map((option) => ({
      title: option.text("title"),
      votes: option.integer("votes_count"),
    })),
    votes: poll.integer("votes_count"),
    endsAt: isoDate(poll.text("expires_at")),
    multiple: poll.flag("multiple"),
  }
}

function cardOf(card: JsonReader) {
  if (!card.has("url")) return null
  return {
    url: card.text("url"),
    title: card.text("title"),
    description: card.text("description"),
    image: card.text("image"),
  }
}
