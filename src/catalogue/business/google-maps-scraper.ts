import { Type } from "@sinclair/typebox"
import { unseen } from "../../extract/text.ts"
import { partFailed } from "../calls.ts"
import type { Context } from "../context.ts"
import { defineScraper } from "../define.ts"
import {
  booleanField,
  inputObject,
  integerField,
  itemObject,
  nullable,
  numberField,
  textField,
  textsField,
} from "../fields.ts"
import { inputs } from "../inputs.ts"
import { Blocked, type Changed, EmptyShell } from "../outcome.ts"
import { googleCookies } from "../search/google.ts"
import {
  type FoundPlace,
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
} from "./google-maps.ts"
import { type MapsLayout, mapsLayout } from "./google-maps-layout.ts"
import { placeFields } from "./google-maps-place.ts"

/** Short addresses that lead to one another, before the address of a place. */
const mostHops = 5

const namedLinks = (description: string) =>
  Type.Array(
    itemObject({
      url: Type.String({ description: "Address." }),
      source: textField("Whose link it is."),
    }),
    { description },
  )

const item = itemObject({
  title: Type.String({ description: "Name." }),
  placeId: textField("Google's id of the place, ChIJ…"),
  dataId: Type.String({ description: "Its id within the map, 0x…:0x…" }),
  cid: textField("Its number, as a text: it has 64 bits."),
  url: Type.String({ description: "The place on the map." }),
  category: textField("Main category."),
  categories: textsField("All categories."),
  address: textField("Address."),
  addressParts: nullable(
    itemObject(
      {
        borough: textField("Part of the city."),
        street: textField("Street and number."),
        city: textField("City."),
        postalCode: textField("Postal code."),
        state: textField("State or region."),
        countryCode: textField("Country code."),
      },
      { description: "The address in parts." },
    ),
  ),
  latitude: numberField("Degrees north."),
  longitude: numberField("Degrees east."),
  plusCode: textField("Plus code."),
  phone: textField("Telephone."),
  website: textField("Website."),
  rating: numberField("Mean rating, 1 to 5."),
  reviewCount: integerField("Number of reviews."),
  reviewsPerRating: nullable(
    Type.Record(Type.String(), Type.Integer(), {
      description: "Number of reviews by stars, 1 to 5.",
    }),
  ),
  reviewsUrl: textField("The reviews' page."),
  priceLevel: textField("Price level, such as $$."),
  status: textField("Whether it is open now, as Google writes it."),
  openingHours: Type.Array(
    itemObject({
      day: Type.String({ description: "Weekday." }),
      hours: textsField("Hours, or Closed."),
    }),
    { description: "Opening hours." },
  ),
  popularTimes: nullable(
    Type.Array(
      itemObject({
        day: Type.Integer({ description: "Weekday, from 1 for Monday to 7." }),
        hours: Type.Array(
          itemObject({
            hour: Type.Integer({ description: "Hour of the day." }),
            percent: Type.Integer({ description: "How busy it is, of its busiest hour." }),
          }),
        ),
      }),
      { description: "How busy it usually is." },
    ),
  ),
  description: textField("Description."),
  thumbnailUrl: textField("A picture."),
  images: Type.Array(
    itemObject({
      title: textField("Kind of pictures."),
      url: Type.String({ description: "Address." }),
    }),
    { description: "One picture of each kind." },
  ),
  timezone: textField("Time zone."),
  menuUrl: textField("The menu."),
  orderLinks: namedLinks("Where one can order."),
  reservationLinks: namedLinks("Where one can reserve."),
  owner: nullable(
    itemObject(
      { name: Type.String({ description: "Name." }), id: textField("Identifier.") },
      { description: "Who keeps the entry." },
    ),
  ),
  attributes: Type.Array(
    itemObject({
      id: textField("Google's name of the group."),
      name: Type.String({ description: "Group." }),
      options: Type.Array(
        itemObject({
          name: Type.String({ description: "What it is." }),
          enabled: Type.Boolean({ description: "The place has it." }),
        }),
      ),
    }),
    { description: "What the place offers, in groups." },
  ),
  claimed: booleanField("False where Google invites the owner to claim the entry."),
  isClosed: booleanField("It is closed for good, or for some time."),
  position: Type.Integer({ description: "Place among the results, from 1." }),
  query: Type.String({ description: "What was asked for." }),
})

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
  item,
  example: { queries: ["coffee in Athens"], maxPerQuery: 20 },
  pace: { "www.google.com": { perSecond: 0.5, concurrency: 1 } },
  access: ["http", "browser", "unlocker"],
  targets: (input) => input.queries,
  identify: (query) => ({ input: query, query }),

  async *scrape(query, ctx) {
    const { maxPerQuery } = ctx.input
    const layout = ctx.upstream("google_maps", mapsLayout)
    const seen = new Set<string>()
    let position = 0
    try {
      for await (const places of pages(await resolved(query, ctx), layout, ctx)) {
        const found = places.map(({ place, cid }) => placeFields(place, cid, layout))
        const fresh = unseen(found, seen, ({ dataId }) => dataId)
        for (const place of fresh) {
          yield { ...place, position: ++position, query }
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
    const options = { identity: "browser", cookies: googleCookies, redirect: "manual" } as const
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
  const direct = directUrl(query)
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

function directUrl(query: MapsQuery): string | null {
  if (query.kind === "place") return placeUrl(query.name, query.dataId, query.at)
  if (query.kind === "search" && query.at) return viewportUrl(query.words, query.at)
  return null
}
