import { Type } from "@sinclair/typebox"
import { isoDate } from "../../extract/dates.ts"
import type { JsonReader } from "../../extract/json-reader.ts"
import { booleanField, integerField, itemObject, textField } from "../fields.ts"

/** The facts of a user that come with each post. */
export const xAuthorFields = {
  id: textField("Id."),
  handle: textField("Name, without @."),
  name: textField("Name that is shown."),
  followersCount: integerField("Followers."),
  followingCount: integerField("Accounts followed."),
  tweetsCount: integerField("Posts."),
  isBlueVerified: booleanField("Has X Premium."),
  verifiedType: textField("Business or Government."),
  avatarUrl: textField("Picture in its full size."),
  description: textField("About text."),
  location: textField("Place, as the user wrote it."),
  createdAt: textField("When the account was made (ISO 8601, UTC)."),
}
export const xAuthor = itemObject(xAuthorFields, { description: "Who wrote it." })
export const xUrlItem = itemObject({
  url: textField("Address in the text."),
  expandedUrl: Type.String({ description: "Where it leads." }),
})

/**
 * The user object in any of its shapes: the one of 2026, the mixed one that has names in `core`,
 * and the old one that has all in `legacy`.
 */
export function xAuthorFacts(user: JsonReader) {
  return {
    id: user.text("rest_id"),
    handle: user.text("core", "screen_name") ?? user.text("legacy", "screen_name"),
    name: user.text("core", "name") ?? user.text("legacy", "name"),
    followersCount:
      user.integer("relationship_counts", "followers") ?? user.integer("legacy", "followers_count"),
    followingCount:
      user.integer("relationship_counts", "following") ?? user.integer("legacy", "friends_count"),
    tweetsCount: user.integer("tweet_counts", "tweets") ?? user.integer("legacy", "statuses_count"),
    isBlueVerified: user.flag("is_blue_verified"),
    verifiedType:
      user.text("verification", "verified_type") ?? user.text("legacy", "verified_type"),
    avatarUrl: fullSize(
      user.text("avatar", "image_url") ?? user.text("legacy", "profile_image_url_https"),
    ),
    description: user.text("profile_bio", "description") ?? user.text("legacy", "description"),
    location: user.text("location", "location") ?? user.text("legacy", "location"),
    createdAt: isoDate(user.text("core", "created_at") ?? user.text("legacy", "created_at")),
  }
}

const fullSize = (address: string | null) => address?.replace(/_normal(?=\.\w+$)/, "") ?? null
