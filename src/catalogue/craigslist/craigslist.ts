import { isoFromUnix, titleOrNull } from "../../extract/core/index.ts"
import { JsonReader } from "../../extract/embedded/index.ts"
import { Changed, type Context, NotFound, staleKey, upstreamTable } from "../kit/index.ts"

/** Search API that the site's own scripts call. */
export const craigslistTable = upstreamTable("craigslist", "2026-08", {
  searchUrl: "https://sapi.craigslist.org/web/v8/postings/search/full",
  /** Tags of the arrays inside a posting's array. */
  tags: { images: 4, housing: 5, slug: 6, id: 13 },
})

/** A posting in the format of the site's API. */
export type ApiPosting = NonNullable<ReturnType<typeof postingOf>>

/** Returns the newest 360 postings of a search; none if they belong to another city. */
export async function apiPostings(
  city: string,
  category: string,
  query: string | undefined,
  ctx: Context,
): Promise<ApiPosting[]> {
  const area = await areaId(city, ctx)
  const { searchUrl, tags } = ctx.upstream(craigslistTable)
  const call = ctx.json(searchUrl, {
    identity: "browser",
    headers: { referer: `https://${city}.craigslist.org/` },
    query: {
      batch: `${area}-0-360-0-0`,
      cc: "US",
      lang: "en",
      searchPath: category,
      query,
      sort: "date",
    },
  })
  const response = await call.catch((error) => {
    if (!(error instanceof NotFound)) throw error
    const message = "Craigslist's search API is no longer at the expected URL."
    throw staleKey(craigslistTable, "searchUrl", message, error)
  })
  const data = new JsonReader(response).in("data")
  if (!Array.isArray(data.value("items"))) {
    throw new Changed("Craigslist's response has no postings.")
  }
  // Without a postal code the API may return the area of the client's IP address.
  const isArea = data.has("areas", String(area)) || data.integer("location", "areaId") === area
  if (!(data.text("location", "url")?.includes(city) ?? isArea)) {
    ctx.log(`Craigslist returned another area than ${city}; its response is ignored.`, "warning")
    return []
  }
  return data.value<unknown[]>("items")!.flatMap((item) => postingOf(item, data, city, tags) ?? [])
}

/** Returns the ID of a city in the site's list of areas. */
async function areaId(city: string, ctx: Context): Promise<number> {
  const key = `area:${city}`
  const known = await ctx.memory.get<number>(key)
  if (known !== undefined) return known
  const area = new JsonReader(await ctx.json("https://reference.craigslist.org/Areas"))
    .list()
    .find((area) => area.text("Hostname") === city)
    ?.integer("AreaID")
  if (area == null) throw new Changed(`Craigslist's list of areas does not contain ${city}.`)
  await ctx.memory.set(key, area)
  return area
}

function postingOf(
  item: unknown,
  data: JsonReader,
  city: string,
  tags: typeof craigslistTable.values.tags,
) {
  if (!Array.isArray(item)) return null
  const decode = data.in("decode")
  const title = titleOrNull(item.findLast((part) => typeof part === "string"))
  const number = (decode.integer("minPostingId") ?? 0) + Number(item[0])
  if (!title || !Number.isSafeInteger(number)) return null
  const tagged = (tag: number): unknown[] => {
    const match = item.find((part) => Array.isArray(part) && part[0] === tag)
    return Array.isArray(match) ? match.slice(1) : []
  }
  const [indices = "", latitude, longitude] = String(item[4] ?? "").split("~")
  const [place, description, hood] = indices.split(":").map(Number)
  const subarea = decode.text("locations", place ?? 0, 2)
  const slug = String(tagged(tags.slug)[0] ?? "")
  const id = tagged(tags.id)[0]
  const path = [subarea, data.text("categoryAbbr"), "d", slug, `${number}.html`].filter(Boolean)
  const posted = decode.number("minPostedDate")
  const [bedrooms, sqft] = tagged(tags.housing)
  return {
    postingId: String(number),
    /** Current ID of the posting in its URL; null if the response has none. */
    id: typeof id === "string" ? id : null,
    url:
      typeof id === "string"
        ? `https://www.craigslist.org/view/d/${slug}/${id}`
        : `https://${city}.craigslist.org/${path.join("/")}`,
    title,
    postedAt: posted === null ? null : isoFromUnix(posted + Number(item[1])),
    price: typeof item[3] === "number" && item[3] > 0 ? item[3] : null,
    location:
      decode.title("neighborhoods", hood ?? -1) ??
      decode.title("locationDescriptions", description ?? -1),
    latitude: Number(latitude) || null,
    longitude: Number(longitude) || null,
    bedrooms: typeof bedrooms === "number" && bedrooms > 0 ? bedrooms : null,
    sqft: typeof sqft === "number" && sqft > 0 ? sqft : null,
    images: tagged(tags.images).map(
      (image) => `https://images.craigslist.org/${String(image).replace(/^\d+:/, "")}_600x450.jpg`,
    ),
  }
}
