import { field, items, record } from "../kit/index.ts"

/**
 * Fields of a user that come with each post. The user object has three forms: that of 2026, a mixed
 * form with names in `core`, and the old form with all fields in `legacy`.
 */
export const xAuthor = record({
  id: field.trimmed("rest_id", "ID of the user."),
  handle: field.trimmed("core.screen_name|legacy.screen_name", "Name, without @."),
  name: field.trimmed("core.name|legacy.name", "Display name of the user."),
  followersCount: field.integer(
    "relationship_counts.followers|legacy.followers_count",
    "Number of followers.",
  ),
  followingCount: field.integer(
    "relationship_counts.following|legacy.friends_count",
    "Number of accounts followed.",
  ),
  postsCount: field.integer("tweet_counts.tweets|legacy.statuses_count", "Number of posts."),
  isBlueVerified: field.boolean("is_blue_verified", "Whether the user has X Premium."),
  verifiedType: field.trimmed(
    "verification.verified_type|legacy.verified_type",
    "Kind of verified organisation: Business or Government.",
  ),
  avatarUrl: field.trimmed(
    "avatar.image_url|legacy.profile_image_url_https",
    "URL of the image in its original size.",
    (url) => url.replace(/_normal(?=\.\w+$)/, ""),
  ),
  description: field.trimmed(
    "profile_bio.description|legacy.description",
    "Description of the account.",
  ),
  location: field.trimmed("location.location|legacy.location", "Location, as the user wrote it."),
  createdAt: field.time(
    "core.created_at|legacy.created_at",
    "Time of the account's creation (ISO 8601, UTC).",
  ),
})
export const xAuthorItem = items.requiredObject("Author of the post.", xAuthor.fields)
