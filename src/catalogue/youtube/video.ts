import {
  booleanOrNull,
  integerOrNull,
  isoDate,
  plainTime,
  textOrNull,
} from "../../extract/core/index.ts"
import { at, findKey, findObjects, JsonReader } from "../../extract/embedded/index.ts"
import { parseDuration } from "../../extract/feed/index.ts"
import { channelOf, countOf, images, isVerified, maxImage, written } from "./values.ts"
import type { Json } from "./youtube.ts"

const time = (value: unknown) => plainTime(isoDate(value))

/** Returns the player's data of a video: exact numbers and times, and the objects of others. */
export function playerFields(player: Json | undefined) {
  const details = at(player, "videoDetails")
  const page = at(player, "microformat", "playerMicroformatRenderer")
  const broadcast = at(page, "liveBroadcastDetails")
  const isLive = at(details, "isLive") === true
  const status = at(player, "playabilityStatus")
  const description = at(details, "shortDescription")
  const isFamilySafe = booleanOrNull(at(page, "isFamilySafe"))
  return {
    details,
    page,
    title: textOrNull(at(details, "title")),
    // "" means that the video has no description.
    description: typeof description === "string" ? description : null,
    durationSeconds: integerOrNull(at(details, "lengthSeconds")) || null,
    viewsCount: integerOrNull(at(details, "viewCount")),
    publishedAt: time(at(page, "publishDate")),
    uploadedAt: time(at(page, "uploadDate")),
    channelId: textOrNull(at(details, "channelId")) ?? textOrNull(at(page, "externalChannelId")),
    channelName: textOrNull(at(details, "author")) ?? textOrNull(at(page, "ownerChannelName")),
    channelUrl: textOrNull(at(page, "ownerProfileUrl"))?.replace(/^http:/, "https:") ?? null,
    isLive,
    liveStartedAt: time(at(broadcast, "startTimestamp")),
    liveEndedAt: time(at(broadcast, "endTimestamp")),
    isFamilySafe,
    isAgeRestricted: isFamilySafe === false || asksForAge(status),
    thumbnails: images(at(details, "thumbnail")),
    thumbnailUrl: maxImage(at(details, "thumbnail")),
    status: at(status, "status"),
    playabilityReason: reasonOf(status),
  }
}

/** Returns whether the player requires the visitor's age, by a field, its status or its words. */
const asksForAge = (status: unknown): boolean =>
  at(status, "desktopLegacyAgeGateReason") !== undefined ||
  /^AGE_(?:CHECK|VERIFICATION)_REQUIRED$/.test(String(at(status, "status"))) ||
  /confirm your age/i.test(reasonOf(status) ?? "")

/** Returns the reason for which a video cannot be watched, in YouTube's words. */
export function reasonOf(status: unknown): string | null {
  const reason = textOrNull(at(status, "reason")) ?? textOrNull(at(status, "messages", 0))
  const more = written(findKey(at(status, "errorScreen"), "subreason"))
  if (reason === null || more === null || reason.includes(more)) return reason ?? more
  return `${reason.replace(/[.:]$/, "")}: ${more}`
}

/** Returns the page's data outside the player: likes, subscribers, comments, chapters. */
export function watchFields(next: Json | null | undefined) {
  const primary = findKey(next?.contents, "videoPrimaryInfoRenderer")
  const secondary = findKey(next?.contents, "videoSecondaryInfoRenderer")
  const owner = at(secondary, "owner", "videoOwnerRenderer")
  const views = findKey(at(primary, "viewCount"), "videoViewCountRenderer")
  const viewText = written(at(views, "viewCount"))
  const isLive = at(views, "isLive") === true
  return {
    title: written(at(primary, "title")),
    description:
      written(at(secondary, "attributedDescription")) ?? written(at(secondary, "description")),
    viewsCount: isLive ? null : countOf(viewText),
    watchingCount: isLive ? countOf(viewText) : null,
    isLive,
    likesCount: likesOf(at(primary, "videoActions")),
    commentsCount: commentsOf(next),
    publishedText: written(at(primary, "dateText")),
    ...ownerOf(owner),
    chapters: chaptersOf(next),
  }
}

function ownerOf(owner: unknown) {
  const lead = at(findKey(owner, "listItems"), 0, "listItemViewModel")
  if (lead !== undefined) return leadOf(lead)
  return {
    ...channelOf(at(owner, "title")),
    channelSubscriberCount: countOf(written(at(owner, "subscriberCountText"))),
    channelVerified: owner === undefined ? null : isVerified(at(owner, "badges")),
    channelThumbnailUrl: maxImage(at(owner, "thumbnail")),
  }
}

/**
 * Returns the main channel. A video of several channels names them only in a dialog, its own
 * channel first. A missing badge does not mean "not verified" there.
 */
function leadOf(lead: unknown) {
  const title = at(lead, "title")
  const avatar = at(lead, "leadingAccessory")
  const link = findKey(avatar, "browseEndpoint") === undefined ? title : avatar
  // "@handle • 2.86m subscribers": in any language, the number is in the last part.
  const subscribers = (written(at(lead, "subtitle")) ?? "").split("•").slice(1).at(-1) ?? null
  const marks = [...findObjects(title, (object) => typeof object.imageName === "string")]
  const isMarked = marks.some(({ imageName }) => verifiedMarks.has(imageName as string))
  return {
    ...channelOf(link),
    channelName: written(title),
    channelSubscriberCount: countOf(subscribers),
    channelVerified: isMarked || null,
    channelThumbnailUrl: maxImage(avatar),
  }
}

/** Badges of channels and of artists. */
const verifiedMarks = new Set(["CHECK_CIRCLE_FILLED", "AUDIO_BADGE"])

/**
 * Returns the likes in the button's text "like this video along with 351,216 other people"; null if
 * it has no number.
 */
function likesOf(actions: unknown): number | null {
  const button =
    findKey(actions, "likeButtonViewModel") ??
    findKey(actions, "segmentedLikeDislikeButtonRenderer")
  for (const key of ["accessibilityText", "label"]) {
    for (const labelled of findObjects(button, (object) => typeof object[key] === "string")) {
      const count = exact(labelled[key])
      if (count !== null) return count
    }
  }
  return null
}

function exact(text: unknown): number | null {
  const digits = /\d[\d,.\s]*/.exec(String(text))?.[0].replace(/\D/g, "")
  return digits ? Number(digits) : null
}

function commentsOf(next: Json | null | undefined): number | null {
  const entry = findKey(next?.contents, "commentsEntryPointHeaderRenderer")
  const count = countOf(written(at(entry, "commentCount")))
  if (count !== null) return count
  const panel = new JsonReader(next?.engagementPanels)
    .list()
    .map((panel) => panel.value("engagementPanelSectionListRenderer"))
    .find((panel) => at(panel, "panelIdentifier") === "engagement-panel-comments-section")
  return countOf(written(findKey(at(panel, "header"), "contextualInfo")))
}

function chaptersOf(next: Json | null | undefined) {
  const bar = findKey(next?.playerOverlays, "multiMarkersPlayerBarRenderer")
  const maps = at<unknown[]>(bar, "markersMap") ?? []
  // The author's chapters and YouTube's own may both be present.
  const lists = maps.map((map) => [...findObjects(map, (object) => "chapterRenderer" in object)])
  const chapters = lists.find((list) => list.length > 0) ?? []
  return chapters.flatMap(({ chapterRenderer }) => {
    const title = written(at(chapterRenderer, "title"))
    const start = integerOrNull(at(chapterRenderer, "timeRangeStartMillis"))
    return title === null || start === null ? [] : { title, startSeconds: Math.floor(start / 1000) }
  })
}

/** Returns chapters that authors write as lines of `1:02 Title`, the first at 0:00. */
export function chaptersIn(description: string | null) {
  const lines = (description ?? "").matchAll(
    /^[ \t]*[([]?((?:\d{1,2}:)?\d{1,2}:\d{2})[)\]]?[ \t]*(?:[-–—:|][ \t]*)?(\S[^\n]*)$/gm,
  )
  const chapters = [...lines].map((line) => ({
    title: line[2]!.trim(),
    startSeconds: parseDuration(line[1]!) ?? 0,
  }))
  const rising = chapters.every(
    (chapter, i) => i === 0 || chapter.startSeconds > chapters[i - 1]!.startSeconds,
  )
  return chapters.length >= 3 && chapters[0]!.startSeconds === 0 && rising ? chapters : []
}
