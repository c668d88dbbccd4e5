import { expect, test } from "bun:test"
import { runAgainst } from "../mock-site.ts"

const videoRenderer = (id: string, marks: object) => ({
  videoRenderer: { videoId: id, title: { simpleText: `Video ${id}` }, ...marks },
})
const badge = { metadataBadgeRenderer: { style: "BADGE_STYLE_TYPE_LIVE_NOW", label: "LIVE" } }

test("marks of a video that are no list do not lose the page", async () => {
  const contents = [
    videoRenderer("aaaaaaaaaaa", { badges: "x", thumbnailOverlays: 1 }),
    videoRenderer("bbbbbbbbbbb", { badges: [badge] }),
  ]
  const { items } = await runAgainst("youtube-search-scraper", () => ({
    type: "application/json",
    text: JSON.stringify({ contents: [{ itemSectionRenderer: { contents } }] }),
  }))
  expect(items).toMatchObject([
    { videoId: "aaaaaaaaaaa", isLive: false, badges: [] },
    { videoId: "bbbbbbbbbbb", isLive: true, badges: ["LIVE"] },
  ])
})
