import { absoluteUrl, distinct, numberRecord } from "../../extract/core/index.ts"
import { at, JsonReader } from "../../extract/embedded/index.ts"
import {
  Changed,
  defineScraper,
  failsRun,
  field,
  having,
  hitFields,
  identifyQuery,
  inputs,
  items,
  type Row,
  readRows,
  record,
  required,
  sizeAt,
  targetUrl,
} from "../kit/index.ts"
import { pinterestRateLimit, pinterestSite, searchPins } from "./pinterest.ts"

const imagesOf = (pin: unknown) =>
  new JsonReader(pin)
    .entries("images")
    .filter(([, image]) => image.text("url"))
    .map(([size, image]) => ({ ...(image.root as object), size }))

const isProduct = (pin: unknown): boolean =>
  priceOf(pin) !== null || new JsonReader(pin).list("rich_summary", "products").length > 0

const facts = record({
  title: field.trimmed("title|grid_title|rich_summary.display_name", "Title of the pin."),
  description: field.trimmed(
    "description|rich_summary.display_description",
    "Description of the pin.",
  ),
  altText: field.trimmed("alt_text|auto_alt_text|seo_alt_text", "Alternative text of the image."),
  link: field.trimmed("link", "URL of the page that the pin links to."),
  domain: field.trimmed("domain", "Host of the linked page."),
  createdAt: field.time("created_at", "Time of the pin (ISO 8601, UTC)."),
  imageUrl: field.trimmed("images.orig.url", "URL of the image in its original size."),
  imageWidth: field.integer("images.orig.width", "Width of the image, in pixels."),
  imageHeight: field.integer("images.orig.height", "Height of the image, in pixels."),
  images: field.objects(imagesOf, "The image in all available sizes.", {
    size: required(field.text("size", "Name of the size, for example 736x or orig.")),
    url: required(field.trimmed("url", "URL of the image.")),
    ...sizeAt("width", "height"),
  }),
  dominantColor: field.trimmed("dominant_color", "Dominant colour, for example #A1B2C3."),
  isVideo: field.flag((pin) => videoOf(pin) !== null, "Whether the pin is a video."),
  videoUrl: field.text(
    (pin) => videoOf(pin)?.url,
    "URL of the best MP4; if there is none, of a playlist.",
  ),
  videoDurationMs: field.integer(
    (pin) => videoOf(pin)?.duration,
    "Length of the video, in milliseconds.",
  ),
  pageCount: field.integer("story_pin_data.page_count", "Number of pages of an idea pin."),
  isPromoted: field.flag("is_promoted", "Whether the pin is an advertisement."),
  isProduct: field.flag(isProduct, "Whether the pin is a product with a price."),
  price: field.object((pin) => (priceOf(pin) === null ? null : pin), "Price of the product.", {
    value: field.text(priceOf, "Amount, as written on the page."),
    currency: field.trimmed(
      "price_currency|rich_summary.products.0.offer_summary.currency",
      "Currency of the price, for example USD.",
    ),
  }),
  reactionCount: field.integer(
    (pin: Row) =>
      pin.reaction_counts == null
        ? null
        : Object.values(numberRecord(pin.reaction_counts)).reduce((sum, count) => sum + count, 0),
    "Number of reactions of all kinds.",
  ),
  reactions: field.of(
    items.numbersByName("Number of reactions by Pinterest's number for the kind."),
    ({ reaction_counts }: Row) => numberRecord(reaction_counts),
  ),
  savesCount: field.integer(
    "repin_count|aggregated_pin_data.aggregated_stats.saves",
    "Number of times that users saved the pin.",
  ),
  commentsCount: field.integer("aggregated_pin_data.comment_count", "Number of comments."),
  board: field.object(having("board", "name", "url"), "Board of the pin.", {
    id: field.trimmed("id", "ID of the board."),
    name: field.trimmed("name", "Name of the board."),
    url: field.trimmed("url", "URL of the board.", (path) => absoluteUrl(path, pinterestSite)),
  }),
  pinner: field.object(pinnerOf, "Account that pinned it.", {
    id: field.trimmed("id", "ID of the account."),
    username: field.trimmed("username", "Username of the account."),
    fullName: field.trimmed("full_name", "Display name of the account."),
    followersCount: field.integer("follower_count", "Number of followers."),
    imageUrl: field.trimmed("image_large_url|image_medium_url", "URL of the account's image."),
    url: field.trimmed(
      "username",
      "URL of the account's page.",
      (username) => `${pinterestSite}/${username}/`,
    ),
  }),
  richType: field.trimmed(
    "rich_summary.type_name",
    "Kind of the linked page, for example article.",
  ),
  siteName: field.trimmed("rich_summary.site_name", "Name of the linked site."),
  hashtags: field.texts(
    (pin) => new JsonReader(pin).texts("hashtags").map((tag) => tag.replace(/^#/, "")),
    "Hashtags without #.",
  ),
})

export default defineScraper({
  slug: "pinterest-search-scraper",
  name: "Pinterest Search",
  tagline: "Pins for a search: image, title, link, board, owner, reactions.",
  notServed: ["boards of a user"],
  category: "social",
  tier: "premium",
  input: {
    queries: inputs.texts("Search words, for example mid century living room, or search URLs.", {
      max: 100,
    }),
    pinsPerQuery: inputs.count("Maximum pins per search; the first page lists about 25", {
      max: 50,
      or: 25,
    }),
  },
  item: { ...hitFields("pin"), id: items.requiredText("ID of the pin."), ...facts.fields },
  example: { queries: ["reading nook"], pinsPerQuery: 10 },
  probe: {
    input: { queries: ["reading nook"], pinsPerQuery: 5 },
    expect: [
      "items.length equals 5",
      'items[*].id matches "^\\\\d+$"',
      'items[*].imageUrl matches "pinimg.com/"',
      "?items[*].board share 0.6",
      "?items[*].title share 0.4",
    ],
  },
  rateLimit: pinterestRateLimit,
  fetchMethods: ["browser-http", "http", "browser", "unlocker"],
  unverified: ["Chrome"],
  concurrency: 1,
  targets: ({ queries }) => distinct(queries.map(wordsOf)).filter((query) => query !== ""),
  identify: identifyQuery,
  failsRun,

  async *scrape(query, ctx) {
    let position = 0
    const pins = searchPins(query, ctx.input.pinsPerQuery, ctx)
    for await (const pin of readRows(pins, described, ctx)) {
      yield { type: "pin" as const, query, position: ++position, ...pin }
    }
  },
})

/** Returns the search words of a search URL; other texts as they are. */
function wordsOf(query: string): string {
  const text = query.trim()
  if (!/^(?:https?:\/\/)?[\w.-]*pinterest\.[\w.]+\/search\//i.test(text)) return text
  return targetUrl(text)?.searchParams.get("q")?.trim() ?? text
}

function described(pin: JsonReader) {
  const id = pin.text("id")
  if (!id) throw new Changed("Pinterest's response has a pin without an ID.")
  return { id, url: `${pinterestSite}/pin/${id}/`, ...facts.read(pin.root as Row) }
}

function priceOf(row: unknown): string | null {
  const pin = new JsonReader(row)
  return (
    pin.text("price_value") ?? pin.text("rich_summary", "products", 0, "offer_summary", "price")
  )
}

/** Returns the best MP4; if there is none, the playlist. */
function videoOf(pin: unknown) {
  const formats = new JsonReader(pin).entries("videos", "video_list").flatMap(([name, format]) => {
    const url = format.text("url")
    return url ? [{ name, url, duration: format.integer("duration") }] : []
  })
  const files = formats.filter(({ url }) => /\.mp4(?:\?|$)/.test(url))
  const best = files.find(({ name }) => name === "V_720P") ?? files.toSorted(byName).at(-1)
  return best ?? formats[0] ?? null
}

const byName = (a: { name: string }, b: { name: string }) => a.name.localeCompare(b.name)

function pinnerOf(pin: Row): unknown {
  const pinner = pin.pinner ?? pin.native_creator
  return at(pinner, "username") || at(pinner, "id") != null ? pinner : null
}
