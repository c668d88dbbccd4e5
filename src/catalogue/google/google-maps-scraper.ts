import { Type } from "@sinclair/typebox"
import { unseen } from "../../extract/core/index.ts"
import {
  Blocked,
  type Changed,
  type Context,
  defineScraper,
  EmptyShell,
  inputObject,
  inputs,
  itemObject,
  partFailed,
} from "../kit/index.ts"
import { googleCookies } from "./google.ts"
import {
  fromOffset,
  isWall,
  laterPlacesIn,
  type MapsQuery,
  mapsData,
  mapsPageSize,
  placesIn,
  placeUrl,
  preloadedUrl,
  readMapsQuery,
  viewportUrl,
} from "./maps.ts"
import { type MapsLayout, mapsTable } from "./maps-layout.ts"
import { type FoundPlace, place } from "./maps-place.ts"

/** Short addresses that lead to one another, before the address of a place. */
const mostHops = 5

export default defineScraper({
  slug: "google-maps-scraper",
  name: "Google Maps",
  tagline:
    "Places from Google Maps searches: name, address, phone, website, rating, hours, coordinates.",
  category: "business",
  tier: "premium",
  input: inputObject({
    queries: inputs.texts(
      "Searches such as coffee in Athens, perhaps with @lat,lng,zoom behind them, or addresses of Google Maps.",
      { max: 200 },
    ),
    maxPerQuery: inputs.count("Most places of each search; Google gives about 120.", {
      max: 120,
      or: 20,
    }),
  }),
  item: itemObject({
    ...place.fields,
    position: Type.Integer({ description: "Place among the results, from 1." }),
    query: Type.String({ description: "What was asked for." }),
  }),
  example: { queries: ["coffee in Athens"], maxPerQuery: 20 },
  pace: { "www.google.com": { perSecond: 0.5, concurrency: 1 } },
  access: ["http", "browser", "unlocker"],
  targets: (input) => input.queries,
  identify: (query) => ({ input: query, query }),

  async *scrape(query, ctx) {
    const { maxPerQuery } = ctx.input
    const layout = ctx.upstream(mapsTable)
    const seen = new Set<string>()
    let position = 0
    try {
      for await (const places of pages(await resolved(query, ctx), layout, ctx)) {
        const found = places.map((row) => place.read({ ...row, layout }))
        const fresh = unseen(found, seen, ({ dataId }) => dataId)
        for (const row of fresh) {
          yield { ...row, position: ++position, query }
          if (position >= maxPerQuery) return
        }
        if (fresh.length < mapsPageSize) return
      }
    } catch (error) {
      if (position === 0) throw error
      yield partFailed(ctx, error, { input: query, query })
    }
  },
})

/** What is asked for; short addresses are followed to what they stand for, which need not be asked. */
async function resolved(query: string, ctx: Context): Promise<MapsQuery> {
  let read = readMapsQuery(query)
  for (let hops = 0; hops < mostHops && isShort(read); hops++) {
    const options = {
      identity: "browser",
      cookies: googleCookies(ctx),
      redirect: "manual",
    } as const
    const answer = await ctx.get(read.page, options)
    const target = URL.parse(answer.headers.get("location") ?? "", answer.url)
    if (!target || target.href === read.page) throw answer.lacks("the address of a place")
    read = readMapsQuery(target.searchParams.get("continue") ?? target.href)
  }
  return read
}

const isShort = ({ kind, page }: MapsQuery) =>
  kind === "page" && /^https?:\/\/(?:[\w.]+\.)?goo\.gl\//.test(page)

async function* pages(
  query: MapsQuery,
  layout: MapsLayout,
  ctx: Context,
): AsyncGenerator<FoundPlace[]> {
  const direct = directUrl(query, ctx)
  let first: unknown
  let wall: Blocked | Changed | undefined
  let url = direct
  if (direct !== null) {
    first = await mapsData(direct, ctx).catch((error) => {
      ctx.signal.throwIfAborted()
      if (!isWall(error)) throw error
      ctx.log(`${error.message} Reading the map's page instead.`)
      wall = error
    })
  }
  if (first === undefined) {
    const shell = await preloadedUrl(query.page, ctx).catch((error) => {
      ctx.signal.throwIfAborted()
      const says = error instanceof Blocked || error instanceof EmptyShell
      throw says ? error : (wall ?? error)
    })
    if ("data" in shell) {
      yield shell.data.flatMap((data) => placesIn(data, layout))
      return
    }
    url = shell.url
    first = await mapsData(url, ctx)
  }
  yield placesIn(first, layout)
  if (url === null || !/[?&]tbm=map/.test(url)) return
  for (let offset = mapsPageSize; ; offset += mapsPageSize) {
    yield laterPlacesIn(await mapsData(fromOffset(url, offset), ctx), layout)
  }
}

function directUrl(query: MapsQuery, ctx: Context): string | null {
  if (query.kind === "place") return placeUrl(query.name, query.dataId, query.at, ctx)
  if (query.kind === "search" && query.at) return viewportUrl(query.words, query.at, ctx)
  return null
}
