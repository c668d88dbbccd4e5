import { Type } from "@sinclair/typebox"
import { isoDate } from "../../extract/dates.ts"
import { absoluteUrl } from "../../extract/html.ts"
import type { JsonReader } from "../../extract/json-reader.ts"
import { numberRecord } from "../../extract/numbers.ts"
import { distinct } from "../../extract/text.ts"
import { defineScraper } from "../define.ts"
import {
  inputObject,
  integerField,
  itemObject,
  nullable,
  textField,
  textsField,
} from "../fields.ts"
import { inputs } from "../inputs.ts"
import { Changed } from "../outcome.ts"
import { pinterestPace, pinterestSite, searchPins } from "./pinterest.ts"
import { failsRun, hitFields, identifyQuery, sizeFields } from "./social.ts"

export default defineScraper({
  slug: "pinterest-search-scraper",
  name: "Pinterest Search",
  tagline: "Pins for a search: image, title, link, board, owner, reactions.",
  category: "social",
  tier: "premium",
  input: inputObject({
    queries: inputs.texts("Words, or addresses of searches.", { max: 100 }),
    pinsPerQuery: inputs.count("Most pins of a query; the first page holds about 25.", {
      max: 50,
      or: 25,
    }),
  }),
  item: itemObject({
    ...hitFields("pin"),
    id: Type.String({ description: "Id." }),
    title: textField("Title."),
    description: textField("Description."),
    altText: textField("Description for those who cannot see it."),
    link: textField("Page that it leads to."),
    domain: textField("Host of that page."),
    createdAt: textField("When it was pinned (ISO 8601, UTC)."),
    imageUrl: textField("Picture in its full size."),
    imageWidth: integerField("Pixels."),
    imageHeight: integerField("Pixels."),
    images: Type.Array(
      itemObject({
        size: Type.String({ description: "Name of the size, such as 736x or orig." }),
        url: Type.String({ description: "Address of the picture." }),
        ...sizeFields,
      }),
      { description: "Pictures by size." },
    ),
    dominantColor: textField("Colour, #RRGGBB."),
    isVideo: Type.Boolean({ description: "It is a video." }),
    videoUrl: textField("Best MP4, else a playlist."),
    videoDurationMs: integerField("Milliseconds."),
    pageCount: integerField("Pages of an idea pin."),
    isPromoted: Type.Boolean({ description: "An advertisement." }),
    isProduct: Type.Boolean({ description: "A product with a price." }),
    price: nullable(
      itemObject(
        { value: textField("Amount, as it is written."), currency: textField("Currency.") },
        { description: "Price." },
      ),
    ),
    reactionCount: integerField("Reactions of all kinds."),
    reactions: Type.Record(Type.String(), Type.Number(), {
      description: "Reactions by the network's number for the kind.",
    }),
    saveCount: integerField("Times saved."),
    commentCount: integerField("Comments."),
    board: nullable(
      itemObject(
        { id: textField("Id."), name: textField("Name."), url: textField("Page.") },
        { description: "Board." },
      ),
    ),
    pinner: nullable(
      itemObject(
        {
          id: textField("Id."),
          username: textField("Name."),
          fullName: textField("Name that is shown."),
          followersCount: integerField("Followers."),
          imageUrl: textField("Picture."),
          url: textField("Page."),
        },
        { description: "Who pinned it." },
      ),
    ),
    richType: textField("Kind of the page that it leads to, such as article."),
    siteName: textField("Name of that site."),
    hashtags: textsField("Hashtags without #."),
  }),
  example: { queries: ["reading nook"], pinsPerQuery: 10 },
  pace: pinterestPace,
  access: ["http", "unlocker"],
  concurrency: 1,
  targets: ({ queries }) => distinct(queries.map(wordsOf)).filter((query) => query !== ""),
  identify: identifyQuery,
  failsRun,

  async *scrape(query, ctx) {
    let position = 0
    for await (const pin of searchPins(query, ctx.input.pinsPerQuery, ctx)) {
      yield { type: "pin" as const, query, position: ++position, ...described(pin) }
    }
  },
})

/** A search's address stands for its words. */
function wordsOf(query: string): string {
  const text = query.trim()
  if (!/^https?:\/\/[\w.-]*pinterest\.[\w.]+\/search\//i.test(text)) return text
  return new URL(text).searchParams.get("q")?.trim() ?? text
}

function described(pin: JsonReader) {
  const id = pin.text("id")
  if (!id) throw new Changed("Pinterest's answer holds a pin without id.")
  const reactions = numberRecord(pin.value("reaction_counts"))
  const orig = pin.in("images", "orig")
  const rich = pin.in("rich_summary")
  const video = videoOf(pin)
  const value = pin.text("price_value") ?? rich.text("products", 0, "offer_summary", "price")
  return {
    id,
    url: `${pinterestSite}/pin/${id}/`,
    title: pin.text("title") ?? pin.text("grid_title") ?? rich.text("display_name"),
    description: pin.text("description") ?? rich.text("display_description"),
    altText: pin.text("alt_text") ?? pin.text("auto_alt_text") ?? pin.text("seo_alt_text"),
    link: pin.text("link"),
    domain: pin.text("domain"),
    createdAt: isoDate(pin.text("created_at")),
    imageUrl: orig.text("url"),
    imageWidth: orig.integer("width"),
    imageHeight: orig.integer("height"),
    images: pin.entries("images").flatMap(([size, image]) => {
      const url = image.text("url")
      if (!url) return []
      return [{ size, url, width: image.integer("width"), height: image.integer("height") }]
    }),
    dominantColor: pin.text("dominant_color"),
    isVideo: video !== null,
    videoUrl: video?.url ?? null,
    videoDurationMs: video?.duration ?? null,
    pageCount: pin.integer("story_pin_data", "page_count"),
    isPromoted: pin.value("is_promoted") === true,
    isProduct: value !== null || rich.list("products").length > 0,
    price: value
      ? {
          value,
          currency:
            pin.text("price_currency") ?? rich.text("products", 0, "offer_summary", "currency"),
        }
      : null,
    reactionCount: pin.has("reaction_counts")
      ? Object.values(reactions).reduce((sum, count) => sum + count, 0)
      : null,
    reactions,
    saveCount:
      pin.integer("repin_count") ?? pin.integer("aggregated_pin_data", "aggregated_stats", "saves"),
    commentCount: pin.integer("aggregated_pin_data", "comment_count"),
    board: boardOf(pin.in("board")),
    pinner: pinnerOf(pin.has("pinner") ? pin.in("pinner") : pin.in("native_creator")),
    richType: rich.text("type_name"),
    siteName: rich.text("site_name"),
    hashtags: pin.texts("hashtags").map((tag) => tag.replace(/^#/, "")),
  }
}

/** The best MP4; where there is none, the playlist. */
function videoOf(pin: JsonReader) {
  const formats = pin.entries("videos", "video_list").flatMap(([name, format]) => {
    const url = format.text("url")
    return url ? [{ name, url, duration: format.integer("duration") }] : []
  })
  const files = formats.filter(({ url }) => /\.mp4(?:\?|$)/.test(url))
  const best = files.find(({ name }) => name === "V_720P") ?? files.toSorted(byName).at(-1)
  return best ?? formats[0] ?? null
}

const byName = (a: { name: string }, b: { name: string }) => a.name.localeCompare(b.name)

function boardOf(board: JsonReader) {
  if (!board.has("name") && !board.has("url")) return null
  return {
    id: board.text("id"),
    name: board.text("name"),
    url: absoluteUrl(board.text("url"), pinterestSite),
  }
}

function pinnerOf(pinner: JsonReader) {
  const username = pinner.text("username")
  if (!username && !pinner.has("id")) return null
  return {
    id: pinner.text("id"),
    username,
    fullName: pinner.text("full_name"),
    followersCount: pinner.integer("follower_count"),
    imageUrl: pinner.text("image_large_url") ?? pinner.text("image_medium_url"),
    url: username ? `${pinterestSite}/${username}/` : null,
  }
}
