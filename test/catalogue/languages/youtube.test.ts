import { describe, expect, test } from "bun:test"
import { videoLockup } from "../../../src/catalogue/youtube/values.ts"
import { playerFields, watchFields } from "../../../src/catalogue/youtube/video.ts"
import { namesBots } from "../../../src/catalogue/youtube/youtube.ts"
import { playlistFields } from "../../../src/catalogue/youtube/youtube-playlist-scraper.ts"

const lockup = (...texts: string[]) =>
  videoLockup({
    contentId: "abcdefghijk",
    contentType: "LOCKUP_CONTENT_TYPE_VIDEO",
    metadata: {
      lockupMetadataViewModel: {
        title: { content: "A lamp" },
        metadata: {
          contentMetadataViewModel: {
            metadataRows: [
              { metadataParts: [{ text: { content: "Lamps & Co" } }] },
              { metadataParts: texts.map((content) => ({ text: { content } })) },
            ],
          },
        },
      },
    },
  })

describe("a YouTube video in the newer layout", () => {
  test.each([
    ["1.2M views", "3 years ago"],
    ["1,2 Mio. Aufrufe", "vor 3 Jahren"],
    ["120万 回視聴", "3 年前"],
    ["1,2 M de vues", "il y a 3 ans"],
  ])("has its views and age: %s, %s", (views, age) => {
    expect(lockup(views, age)).toMatchObject({
      channelName: "Lamps & Co",
      viewCountText: views,
      publishedText: age,
    })
  })

  test("has its age only", () => {
    expect(lockup("3 years ago")).toMatchObject({
      viewCountText: null,
      publishedText: "3 years ago",
    })
    expect(lockup("vor 3 Jahren")).toMatchObject({ viewCountText: null, publishedText: null })
  })
})

describe("details of a playlist", () => {
  const fields = (...stats: string[]) =>
    playlistFields({
      sidebar: {
        playlistSidebarPrimaryInfoRenderer: {
          stats: stats.map((simpleText) => ({ simpleText })),
        },
      },
    })

  test.each([
    ["200 videos", "1,038 views", "Last updated on Jul 1, 2018"],
    ["200 Videos", "1.038 Aufrufe", "Zuletzt am 01.07.2018 aktualisiert"],
    ["200 本の動画", "1,038 回視聴", "最終更新日: 2018/07/01"],
  ])("%s, %s, %s", (videos, views, updated) => {
    expect(fields(videos, views, updated)).toMatchObject({
      playlistVideoCount: 200,
      playlistViewCount: 1038,
      playlistUpdatedText: updated,
    })
  })

  test("the last change is not a count", () => {
    expect(fields("Zuletzt am 1. Juli 2018 aktualisiert")).toMatchObject({
      playlistVideoCount: null,
      playlistViewCount: null,
    })
  })
})

test.each([
  ["@one • 2.86m subscribers", 2_860_000],
  ["@one • 2,86 Mio. Abonnenten", 2_860_000],
  ["@one • チャンネル登録者数 286万人", 2_860_000],
  ["@one", null],
])("the channel of a joint video has %s", (content, channelSubscriberCount) => {
  const listItemViewModel = { title: { content: "One" }, subtitle: { content } }
  const owner = { videoOwnerRenderer: { dialog: { listItems: [{ listItemViewModel }] } } }
  const contents = { videoSecondaryInfoRenderer: { owner } }
  expect(watchFields({ contents })).toMatchObject({ channelSubscriberCount })
})

test.each([
  [{ status: "LOGIN_REQUIRED", desktopLegacyAgeGateReason: 1, reason: "Melde dich an" }, true],
  [{ status: "AGE_CHECK_REQUIRED", reason: "Inicia sesión" }, true],
  [{ status: "LOGIN_REQUIRED", reason: "Dieses Video ist privat" }, false],
])("a video's age limit: %j", (playabilityStatus, isAgeRestricted) => {
  expect(playerFields({ playabilityStatus })).toMatchObject({ isAgeRestricted })
})

test.each([
  ["Sign in to confirm you’re not a bot", true],
  ["Melde dich an, um zu bestätigen, dass du kein Bot bist", true],
  ["Connectez-vous pour confirmer que vous n'êtes pas un robot", true],
  ["ログインして、ボットではないことを確認してください", true],
  ["Войдите, чтобы подтвердить, что вы не бот", true],
  ["Dieses Video ist privat", false],
])("%s", (reason, isRequested) => {
  expect(namesBots.test(reason)).toBe(isRequested)
})
