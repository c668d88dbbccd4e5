import { JsonReader } from "../../extract/embedded/index.ts"
import {
  BadInput,
  Changed,
  type Context,
  decodedPath,
  defineScraper,
  distinctTargets,
  Forbidden,
  field,
  inputs,
  items,
  oneOf,
  orNull,
  readOnce,
  readRows,
  record,
  recordFields,
  required,
  Unreachable,
  type UpstreamResponse,
} from "../kit/index.ts"
import {
  apiRefusal,
  embeddedObjects,
  instagramApi,
  instagramScraper,
  instagramSite,
  loginRequired,
} from "./instagram.ts"
import {
  instagramCounts,
  instagramMedia,
  locationOf,
  locationParts,
  mediaId,
  ownerIdPaths,
  ownerNamePaths,
  postUrl,
} from "./post.ts"

const { viewsCount, ...counts } = instagramCounts
const tagged = record({
  id: field.text(mediaId, "ID."),
  ...instagramMedia,
  ...counts,
  viewsCount,
  owner: required(
    field.object((node) => node, "Author.", {
      id: field.trimmed(ownerIdPaths, "ID."),
      username: field.trimmed(ownerNamePaths, "Username, without @."),
      fullName: field.trimmed("user.full_name", "Display name."),
      isPrivate: field.boolean("user.is_private", "Whether only followers see the posts."),
      isVerified: field.boolean("user.is_verified", "Whether the account is verified."),
      avatarUrl: field.trimmed("user.profile_pic_url", "URL of the image; signed, valid for days."),
    }),
  ),
  location: field.object(locationOf, "Location of the post.", {
    ...locationParts,
    latitude: field.number("lat", "Latitude in degrees."),
    longitude: field.number("lng", "Longitude in degrees."),
  }),
})

/** Maximum additional pages of recent posts. */
const maxPages = 5

export default defineScraper({
  slug: "instagram-hashtag-scraper",
  name: "Instagram Hashtags",
  tagline: "Top and recent Instagram posts under a hashtag, with the tag's post count.",
  notServed: ["profiles"],
  ...instagramScraper,
  input: {
    hashtags: inputs.texts("Hashtags, with or without #, or hashtag page URLs.", { max: 100 }),
    maxPosts: inputs.count("Maximum posts per hashtag, top and recent together", {
      max: 500,
      or: 50,
    }),
  },
  item: {
    ...recordFields("post"),
    hashtag: items.requiredText("Name of the hashtag."),
    hashtagId: items.text("ID of the hashtag."),
    hashtagPostCount: items.integer("Number of posts with the hashtag."),
    section: oneOf(["top", "recent"], { description: "Section that contains the post." }),
    position: items.requiredInteger("Position in the section, from 1."),
    ...tagged.fields,
  },
  example: { hashtags: ["sunset"], maxPosts: 20 },
  probe: {
    input: { hashtags: ["sunset"], maxPosts: 5 },
    expect: [
      "items.length gte 3",
      "items[*].shortcode share 1",
      "items[*].publishedAt share 0.8",
      "?items[*].likesCount share 0.6",
    ],
  },
  unverified: ["Chrome"],
  targets: ({ hashtags }) => distinctTargets(hashtags, tagName),

  async *scrape(target, ctx) {
    const { maxPosts } = ctx.input
    const name = tagName(target)
    const tag = await readTag(name, ctx)
    const seen = new Set<string>()
    const places = { top: 0, recent: 0 }
    const read = ({ node, section }: FoundPost) => {
      const post = tagged.read(node)
      if (seen.has(post.shortcode)) return null
      seen.add(post.shortcode)
      return {
        type: "post" as const,
        input: target,
        url: postUrl(post),
        hashtag: tag.name ?? name,
        hashtagId: tag.id,
        hashtagPostCount: tag.count,
        section,
        position: ++places[section],
        ...post,
      }
    }
    for await (const post of readRows(posts(name, tag, ctx), read, ctx)) {
      yield post
      if (seen.size >= maxPosts) return
    }
  },
})

type Tag = ReturnType<typeof tagOfSections>
type Section = "top" | "recent"

function tagName(target: string): string {
  const text = target.trim()
  const url = /instagram\.com\/explore\/tags\/([^/?#]+)/i.exec(text)
  const name = (url ? decodedPath(url[1]!) : text.replace(/^#/, "")).toLowerCase()
  if (/^[\p{L}\p{M}\p{N}_]{1,100}$/u.test(name)) return name
  throw new BadInput(`"${target}" is not a hashtag.`)
}

const tagPage = (name: string) => `${instagramSite}/explore/tags/${encodeURIComponent(name)}/`

function readTag(name: string, ctx: Context): Promise<Tag> {
  if (!ctx.secret("INSTAGRAM_COOKIE")) return tagOfPage(name, ctx)
  return ctx.escalate(instagramSite, {
    http: (ctx) => tagOfApi(name, ctx),
    browser: async (ctx) => {
      // Chrome waits until a challenge is solved; its cookie is then valid for the API.
      const options = { scripted: true, accept: "any", retries: 0 } as const
      await orNull(ctx, "page of the tag", () => ctx.page(tagPage(name), options))
      return tagOfApi(name, ctx)
    },
  })
}

async function tagOfApi(name: string, ctx: Context): Promise<Tag> {
  const path = `/api/v1/tags/web_info/?tag_name=${encodeURIComponent(name)}`
  const response = await instagramApi(path, tagPage(name), ctx)
  if (response.status !== 200 && response.status !== 404) throw apiRefusal(response)
  const body = response.status === 200 ? new JsonReader(response.json({ bigIntegers: true })) : null
  if (body) {
    for (const old of [body.in("graphql", "hashtag"), body.in("data", "hashtag")]) {
      if (old.has("edge_hashtag_to_media")) return tagOfGraph(old)
    }
    const data = body.in("data")
    if (!data.has("name") && !data.has("media_count")) throw response.explainMissing("the hashtag")
    const tag = tagOfSections(data)
    if (tag.top.length + tag.recent.length > 0 || tag.count === 0) return tag
    const warning = warningOf(data, "warning_message") ?? warningOf(data, "content_advisory")
    if (warning) throw unavailable(`Instagram hides this tag: ${warning}`, response.url)
  }
  try {
    return await tagOfSearch(name, ctx)
  } catch (error) {
    // If the search cannot be requested, the hashtag's own response is used.
    if (response.status === 404 && error instanceof Unreachable) throw apiRefusal(response)
    throw error
  }
}

/** Returns the warning, from a text or an object that has one; null if the tag is not hidden. */
function warningOf(data: JsonReader, key: string): string | null {
  const value = data.in(key)
  if (typeof value.root !== "object" || value.root === null) return data.text(key)
  const stated = ["message", "text", "title", "body"].flatMap((name) => value.text(name) ?? [])
  return stated[0] ?? "no reason given"
}

const unavailable = (message: string, url: string) =>
  new Forbidden(message, { code: "unavailable", url })

/** Newer web builds open a hashtag as a search. */
async function tagOfSearch(name: string, ctx: Context): Promise<Tag> {
  const path = `/api/v1/fbsearch/web/top_serp/?query=${encodeURIComponent(`#${name}`)}`
  const response = await instagramApi(path, tagPage(name), ctx)
  if (response.status !== 200) throw apiRefusal(response)
  const grid = new JsonReader(response.json({ bigIntegers: true })).in("media_grid")
  if (!grid.has("sections")) throw response.explainMissing("the hashtag's posts")
  return { name: null, id: null, count: null, top: nodesOf(grid), recent: [], next: null }
}

/** Without a session the page is tried once; it nearly always requires a login. */
async function tagOfPage(name: string, ctx: Context): Promise<Tag> {
  const url = tagPage(name)
  const has = (response: UpstreamResponse) => topOn(response).length > 0
  const options = { scripted: true, has, what: "the tag's posts" }
  const page = await orNull(ctx, "page of the tag", () => ctx.page(url, options))
  const top = page ? topOn(page) : []
  if (top.length === 0) throw loginRequired({ url, status: 401 })
  return { name, id: null, count: null, top, recent: [], next: null }
}

const topOn = readOnce(({ document }) => {
  const parts = embeddedObjects(document, "sections")
  const lists = parts.map((part) => nodesOf(new JsonReader({ sections: part })))
  return lists.find((list) => list.length > 0) ?? []
})

function tagOfSections(data: JsonReader) {
  return {
    name: data.text("name"),
    id: data.text("id"),
    count: data.integer("media_count"),
    top: nodesOf(data.in("top")),
    recent: nodesOf(data.in("recent")),
    /** Cursor of the next recent posts. */
    next: data.value("recent", "more_available") === true ? data.in("recent") : null,
  }
}

function tagOfGraph(tag: JsonReader): Tag {
  const nodes = (key: string) => tag.list(key, "edges").map((edge) => edge.in("node"))
  return {
    name: tag.text("name"),
    id: tag.text("id"),
    count: tag.integer("edge_hashtag_to_media", "count"),
    top: nodes("edge_hashtag_to_top_posts"),
    recent: nodes("edge_hashtag_to_media"),
    next: null,
  }
}

const nodesOf = (list: JsonReader): JsonReader[] =>
  list.list("sections").flatMap((section) => {
    const content = section.in("layout_content")
    const rows = [
      ...content.list("one_by_two_item", "clips", "items"),
      ...content.list("medias"),
      ...content.list("fill_items"),
    ]
    return rows.map((row) => row.in("media")).filter((media) => media.has("code"))
  })

/** A post with its section: top posts come first, then recent ones. */
type FoundPost = { node: JsonReader; section: Section }

async function* posts(name: string, tag: Tag, ctx: Context): AsyncGenerator<FoundPost> {
  for (const node of tag.top) yield { node, section: "top" }
  for (const node of tag.recent) yield { node, section: "recent" }
  let next = tag.next
  for (let page = 0; next && page < maxPages; page++) {
    const from: JsonReader = next
    const list: JsonReader = await ctx.escalate(instagramSite, {
      http: (ctx) => nextPage(name, from, ctx),
    })
    for (const node of nodesOf(list)) yield { node, section: "recent" }
    next = list.value("more_available") === true ? list : null
  }
}

async function nextPage(name: string, from: JsonReader, ctx: Context): Promise<JsonReader> {
  const path = `/api/v1/tags/${encodeURIComponent(name)}/sections/`
  const ids = from.value<unknown[]>("next_media_ids") ?? []
  const form = new URLSearchParams({
    include_persistent: "0",
    max_id: from.text("next_max_id") ?? "",
    page: from.text("next_page") ?? "1",
    surface: "grid",
    tab: "recent",
  })
  for (const id of ids) form.append("next_media_ids[]", String(id))
  const response = await instagramApi(path, tagPage(name), ctx, form)
  if (response.status !== 200) throw apiRefusal(response)
  const list = new JsonReader(response.json({ bigIntegers: true }))
  if (!list.has("sections")) throw new Changed("Instagram's response has no more posts.")
  return list
}
