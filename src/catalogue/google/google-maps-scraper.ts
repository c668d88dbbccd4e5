import {
  Blocked,
  Changed,
  type Context,
  cursor,
  defineScraper,
  EmptyShell,
  inputs,
  items,
} from "../kit/index.ts"
import { google, googleCookies } from "./google.ts"
import {
  fromOffset,
  laterPlacesIn,
  type MapsQuery,
  mapsData,
  mapsPageSize,
  placesIn,
  placesVisible,
  placeUrl,
  preloadedUrl,
  readMapsQuery,
  viewportUrl,
} from "./maps.ts"
import { type FoundPlace, mapsTable, place } from "./maps-place.ts"

/** Maximum redirects of a short URL before the URL of a place. */
const maxHops = 5

export default defineScraper({
  slug: "google-maps-scraper",
  name: "Google Maps",
  tagline:
    "Places from Google Maps searches: name, address, phone, website, rating, hours, coordinates.",
  notServed: ["directions", "routes"],
  category: "business",
  tier: "premium",
  input: {
    queries: inputs.texts(
      "Search words, for example coffee in Athens, optionally followed by @lat,lng,zoom; or Google Maps URLs.",
      { max: 200 },
    ),
    maxPerQuery: inputs.count("Maximum places per search; Google lists about 120", {
      max: 120,
      or: 20,
    }),
  },
  item: {
    ...place.fields,
    position: items.requiredInteger("Position among the results, from 1."),
    query: items.requiredText("Query as written in the input."),
  },
  example: { queries: ["coffee in Athens"], maxPerQuery: 20 },
  probe: {
    input: { queries: ["Eiffel Tower, Paris"], maxPerQuery: 1 },
    expect: [
      "items.length equals 1",
      'items[0].title matches "eiffel"',
      "items[0].latitude gte 48.85",
      "items[0].latitude lte 48.87",
      "items[0].longitude gte 2.28",
      "items[0].longitude lte 2.31",
      'items[0].placeId matches "^ChIJ"',
      "items[0].rating gte 4",
      "?items[0].reviewCount gte 100000",
      "?items[0].website share 1",
      "?items[0].openingHours.length gte 7",
    ],
  },
  rateLimit: { "www.google.com": { perSecond: 0.5, concurrency: 1 } },
  fetchMethods: ["browser-http", "http", "browser", "unlocker"],
  targets: (input) => input.queries,
  identify: (query) => ({ input: query, query }),

  async *scrape(query, ctx) {
    const { maxPerQuery } = ctx.input
    const layout = ctx.upstream(mapsTable)
    const requested = await resolved(query, ctx)
    let list: string | null = null
    const request = async (offset = 0) => {
      const from = list
      const result = await ctx.escalate<Places>(google, {
        http: (ctx) =>
          from === null ? firstPlaces(requested, ctx) : laterPlaces(from, offset, ctx),
        // Chrome can only load the whole list.
        browser: async (ctx) => ({ places: await placesVisible(requested.page, ctx), list: null }),
      })
      list = result.list
      const rows = result.places.map((row) => place.read({ ...row, layout }))
      const isLast = list === null || rows.length < mapsPageSize
      return { rows, next: isLast ? null : offset + mapsPageSize }
    }
    let position = 0
    const places = cursor(request, { cap: maxPerQuery, keyOf: ({ dataId }) => dataId })
    for await (const row of places) yield { ...row, position: ++position, query }
  },
})

/**
 * Returns the requested place or search. Short URLs are followed to their destination, which is not
 * requested.
 */
async function resolved(query: string, ctx: Context): Promise<MapsQuery> {
  let read = readMapsQuery(query)
  for (let hops = 0; hops < maxHops && isShort(read); hops++) {
    const options = {
      identity: "browser",
      cookies: googleCookies(ctx),
      redirect: "manual",
    } as const
    const response = await ctx.get(read.page, options)
    const target = URL.parse(response.headers.get("location") ?? "", response.url)
    if (!target || target.href === read.page) throw response.explainMissing("the URL of a place")
    read = readMapsQuery(target.searchParams.get("continue") ?? target.href)
  }
  return read
}

const isShort = ({ kind, page }: MapsQuery) =>
  kind === "page" && /^https?:\/\/(?:[\w.]+\.)?goo\.gl\//.test(page)

interface Places {
  places: FoundPlace[]
  /** URL of the list's API call, used for the next page; null if there is none. */
  list: string | null
}

async function laterPlaces(list: string, offset: number, ctx: Context): Promise<Places> {
  const data = await mapsData(fromOffset(list, offset), ctx)
  return { places: laterPlacesIn(data, ctx.upstream(mapsTable)), list }
}

/** Calls the map's own API. If its URL is unknown, reads it from the map's page. */
async function firstPlaces(query: MapsQuery, ctx: Context): Promise<Places> {
  let url = directUrl(query, ctx)
  let refused: unknown
  let data: unknown
  if (url !== null) {
    data = await mapsData(url, ctx).catch((error) => {
      ctx.signal.throwIfAborted()
      if (!(error instanceof Blocked || error instanceof Changed)) throw error
      ctx.log(`${error.message} Reading the map's page instead.`)
      refused = error
    })
  }
  if (data === undefined) {
    url = await preloadedUrl(query.page, ctx).catch((error) => {
      ctx.signal.throwIfAborted()
      const isFinal = error instanceof Blocked || error instanceof EmptyShell
      throw isFinal ? error : (refused ?? error)
    })
    data = await mapsData(url, ctx)
  }
  const isList = url !== null && /[?&]tbm=map/.test(url)
  return { places: placesIn(data, ctx.upstream(mapsTable)), list: isList ? url : null }
}

function directUrl(query: MapsQuery, ctx: Context): string | null {
  if (query.kind === "place") return placeUrl(query.name, query.dataId, query.at, ctx)
  if (query.kind === "search" && query.at) return viewportUrl(query.words, query.at, ctx)
  return null
}
