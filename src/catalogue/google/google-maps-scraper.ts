import { at, parseGuarded } from "../../extract/embedded/index.ts"
import {
  BadInput,
  Blocked,
  Changed,
  type Context,
  cursor,
  decodedPath,
  defineScraper,
  EmptyShell,
  inputs,
  items,
  readOnce,
  type UpstreamResponse,
} from "../kit/index.ts"
import { google, googleCaptcha, googleChallenge, googleCookies } from "./google.ts"
import { type FoundPlace, isPlace, type MapsLayout, mapsTable, place } from "./maps-place.ts"

/** A requested place by ID, or a search, possibly around a point. */
type MapsQuery =
  | { kind: "place"; name: string; dataId: string; at: Point | null; page: string }
  | { kind: "search"; words: string; at: (Point & { zoom: number }) | null; page: string }
  | { kind: "page"; page: string }

type Point = { latitude: string; longitude: string }

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
    const response = await ctx.get(read.page, {
      identity: "browser",
      cookies: googleCookies(ctx),
      redirect: "manual",
    })
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
  const layout = ctx.upstream(mapsTable)
  const data = await mapsData(fromOffset(list, offset), ctx)
  // After the last page there may be no list.
  const isOver = at(data, ...layout.results) == null && anywhere(data, layout).next().done
  return { places: isOver ? [] : placesIn(data, layout), list }
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

const mapsPageSize = 20

/**
 * Too many requests after all retries count as a challenge, which another fetch method may solve.
 * The API returns only JSON: a page instead is a refusal.
 */
const refusal = {
  statuses: [403, 429],
  sign: (response: UpstreamResponse) => /^\s*</.test(response.text()),
}

const pointForm = /@(-?\d+(?:\.\d+)?),(-?\d+(?:\.\d+)?)(?:,(\d+(?:\.\d+)?)z?)?/

function readMapsQuery(query: string): MapsQuery {
  const text = query.trim()
  if (/^https?:\/\//i.test(text)) return fromUrl(text)
  const point = new RegExp(`\\s${pointForm.source}$`).exec(text)
  const words = point ? text.slice(0, point.index).trim() : text
  return { kind: "search", words, at: pointOf(point), page: searchPage(words) }
}

function fromUrl(href: string): MapsQuery {
  const url = URL.parse(href)
  const isMaps = /(?:^|\.)google\.[a-z.]+$|^(?:maps\.app\.)?goo\.gl$/.test(url?.hostname ?? "")
  if (!url || !isMaps) throw new BadInput(`"${href}" is not a Google Maps URL.`, { url: href })
  const id = /!1s(0x[0-9a-f]+(?::|%3A)0x[0-9a-f]+)/i.exec(url.href)?.[1]?.replace(/%3A/i, ":")
  const [, kind, written] = /\/maps\/(place|search)\/([^/@]+)/.exec(url.pathname) ?? []
  const name = decodedPath((written ?? "").replaceAll("+", " "))
  const point = pointOf(pointForm.exec(url.pathname))
  if (id)
    return { kind: "place", name, dataId: id, at: exactPoint(url.href) ?? point, page: url.href }
  if (kind === "search" && name) return { kind, words: name, at: point, page: url.href }
  return { kind: "page", page: url.href }
}

const searchPage = (words: string) => `${google}/maps/search/${encodeURIComponent(words)}`

function pointOf(match: RegExpExecArray | null) {
  if (!match) return null
  return { latitude: match[1]!, longitude: match[2]!, zoom: Number(match[3] ?? 15) }
}

/** Returns the place's own coordinates in its URL, not those of the viewport. */
function exactPoint(url: string): Point | null {
  const match = /!3d(-?[\d.]+)!4d(-?[\d.]+)/.exec(url)
  return match ? { latitude: match[1]!, longitude: match[2]! } : null
}

/** Returns the API URL of a search around a point. */
function viewportUrl(
  words: string,
  { latitude, longitude, zoom }: Point & { zoom: number },
  ctx: Context,
): string {
  const { searchParameter } = ctx.upstream(mapsTable)
  const values = { latitude, longitude, zoom: zoom.toFixed(1), count: String(mapsPageSize) }
  return requested("/search", { tbm: "map", q: words, pb: filled(searchParameter, values) })
}

/** Returns the API URL of a place; without coordinates Google looks it up by its ID. */
function placeUrl(name: string, dataId: string, point: Point | null, ctx: Context): string {
  const { latitude, longitude } = point ?? { latitude: "0", longitude: "0" }
  const { placeParameter } = ctx.upstream(mapsTable)
  const pb = filled(placeParameter, { dataId, latitude, longitude })
  return requested("/maps/preview/place", { q: name, pb })
}

/** Returns a template with its `{names}` replaced. */
const filled = (template: string, values: Record<string, string>) =>
  template.replace(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole)

function requested(path: string, query: Record<string, string>): string {
  const url = new URL(path, google)
  url.search = new URLSearchParams({ authuser: "0", hl: "en", gl: "us", ...query }).toString()
  return url.href
}

/** Returns the URL of the same search, starting at a later result. */
function fromOffset(href: string, offset: number): string {
  const url = new URL(href)
  const pb = url.searchParams.get("pb") ?? ""
  url.searchParams.set("pb", pb.replace(/!7i\d+(?:!8i\d+)?/, `!7i${mapsPageSize}!8i${offset}`))
  return url.href
}

/** Returns a response of the map's own API. Throws Blocked or Changed. */
async function mapsData(url: string, ctx: Context): Promise<unknown> {
  const what = "the map's data"
  const response = await ctx.data(url, {
    has: (response) => Array.isArray(dataIn(response)) || googleChallenge(response) !== null,
    what,
    refusal,
    identity: "browser",
    headers: { accept: "*/*", "accept-language": "en-US,en;q=0.9", referer: `${google}/maps` },
    cookies: googleCookies(ctx),
    retries: 3,
  })
  const data = dataIn(response)
  if (Array.isArray(data)) return data
  throw googleChallenge(response) ?? response.explainMissing(what)
}

const dataIn = readOnce((response) => parseGuarded(response.text()))

/** Path of the requests for the map's data. */
const dataPath = /\/search\?(?:.{0,2000}&)?tbm=map|\/maps\/preview\/place\?/

const pageOptions = {
  query: { hl: "en", gl: "us" },
  headers: { "accept-language": "en-US,en;q=0.9" },
}

/** Returns the API URL that a map page will call, from its head. */
async function preloadedUrl(page: string, ctx: Context): Promise<string> {
  const shell = await ctx.page(page, {
    ...pageOptions,
    has: (response) => preload(response) !== null || googleChallenge(response) !== null,
    what: "the URL of the map's data",
    refusal: { statuses: [403, 429, 503] },
    cookies: googleCookies(ctx),
    retries: 3,
  })
  const challenge = googleChallenge(shell)
  if (challenge) throw challenge
  const href = preload(shell)
  if (href) return new URL(href, google).href
  throw new EmptyShell("The page of Google Maps does not contain the URL of its data.", {
    response: shell,
  })
}

function preload({ document }: UpstreamResponse): string | null {
  const links = [...document.querySelectorAll("link[href][rel=preload], link[href][as=fetch]")]
  return links.map((link) => link.getAttribute("href")!).find((href) => dataPath.test(href)) ?? null
}

/** Returns the places that the map's page loads in Chrome, with its list scrolled to the end. */
async function placesVisible(page: string, ctx: Context): Promise<FoundPlace[]> {
  const cookies = googleCookies(ctx)
  const read = await ctx.browse(async (tab) => {
    const waitFor = "div[role='feed'], h1, form[action*='consent.google']"
    await tab.goto(page, { ...pageOptions, cookies, capture: dataPath, waitFor })
    if (await tab.click("form[action*='consent.google'] button")) {
      await tab.waitFor("div[role='feed'], h1")
    }
    await tab.scroll({ element: "div[role='feed']", screens: 30 })
    return tab.read()
  })
  const captcha = googleCaptcha(read)
  if (captcha) throw captcha
  const own = /"(\)\]\}'(?:[^"\\]|\\.)*)"/g
  const inPage = [...read.text().matchAll(own)].flatMap(
    ([quoted]) => parseGuarded(JSON.parse(quoted)) ?? [],
  )
  const caught = read.captured.map((response) => parseGuarded(response.text()))
  const data = [...inPage, ...caught].filter((value) => Array.isArray(value))
  if (data.length === 0) throw googleChallenge(read) ?? read.explainMissing("the map's data")
  const layout = ctx.upstream(mapsTable)
  return data.flatMap((map) => placesIn(map, layout))
}

/**
 * Returns the places of a response: of its list, a single one, or wherever the layout has moved
 * them. Empty if the list contains only the search itself. Throws Changed (`layout_changed`).
 */
function placesIn(data: unknown, layout: MapsLayout): FoundPlace[] {
  const results = at(data, ...layout.results)
  if (Array.isArray(results)) {
    const listed = results.map((entry) => at(entry, ...layout.entry))
    const places = listed.filter((place) => isPlace(place, layout))
    if (places.length > 0) return places.map((place) => ({ place, cid: null }))
    if (results.length <= 1) return []
  }
  const alone = at(data, ...layout.place)
  if (isPlace(alone, layout)) return [{ place: alone, cid: at(data, ...layout.placeCid) }]
  const moved = [...anywhere(data, layout)]
  if (moved.length > 0) return moved.map((place) => ({ place, cid: null }))
  throw new Changed("The response of Google Maps has no places at the expected position.", {
    code: "layout_changed",
  })
}

function* anywhere(root: unknown, layout: MapsLayout): Generator<unknown[]> {
  const stack = [root]
  while (stack.length > 0) {
    const value = stack.pop()
    if (!Array.isArray(value)) continue
    if (isPlace(value, layout)) yield value
    else stack.push(...value.toReversed())
  }
}
