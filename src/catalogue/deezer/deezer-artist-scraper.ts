import {
  distinct,
  integerOrNull,
  isoDay,
  objectList,
  textOrNull,
} from "../../extract/core/index.ts"
import {
  BadInput,
  busyIsRateLimit,
  Changed,
  type Context,
  defineScraper,
  Forbidden,
  field,
  inputs,
  items,
  NotFound,
  orNull,
  RateLimited,
  type RequestOptions,
  type Row,
  record,
  required,
  type ScrapeError,
  UpstreamError,
} from "../kit/index.ts"

const api = "https://api.deezer.com"
const pageSize = 100
/** Above the limit of 50 requests in 5 seconds, Deezer responds with status 200 and error 4. */
const quotaSeconds = 5
const quotaTries = 3
const maxHops = 5

interface List {
  data?: Row[]
  total?: number
  next?: string
}

const track = record({
  trackId: required(field.integer("id", "Deezer's ID of the track.")),
  title: field.text("title", "Title with the version."),
  titleShort: field.text("title_short", "Title without the version."),
  url: field.text("link", "URL of the track."),
  durationSeconds: field.integer("duration", "Duration in seconds."),
  rank: field.integer("rank", "Deezer's rank; higher means played more often."),
  explicit: field.boolean("explicit_lyrics", "Whether the lyrics are explicit."),
  previewUrl: field.text("preview", "URL of a 30-second preview, which expires."),
  albumId: field.integer("album.id", "ID of the album."),
  albumTitle: field.text("album.title", "Title of the album."),
  contributors: field.texts("contributors.*.name", "Names of the artists of the track."),
})

const album = record({
  albumId: required(field.integer("id", "Deezer's ID of the album.")),
  title: field.text("title", "Title."),
  url: field.text("link", "URL of the album."),
  releaseDate: field.text("release_date", "Day of release (YYYY-MM-DD).", isoDay),
  recordType: field.text("record_type", "Type of release: album, single, ep or compile."),
  fanCount: field.integer("fans", "Number of fans."),
  explicit: field.boolean("explicit_lyrics", "Whether the lyrics are explicit."),
  coverUrl: field.text("cover_xl|cover_big|cover_medium", "URL of the cover image."),
  genreId: field.integer("genre_id", "Deezer's ID of the genre.", (id) => (id === -1 ? null : id)),
})

const artist = record({
  input: items.requiredText("Artist as written in the input."),
  artistId: required(field.integer("id", "Deezer's ID of the artist.")),
  name: required(field.text("name", "Name.")),
  url: required(
    field.text(
      ({ id, link }: Row) => textOrNull(link) ?? `https://www.deezer.com/artist/${id}`,
      "URL of the artist's page.",
    ),
  ),
  imageUrl: field.text("picture_xl|picture_big|picture_medium", "URL of the largest image."),
  fanCount: field.integer("nb_fan", "Number of fans."),
  albumCount: field.integer("nb_album", "Number of albums, singles and EPs."),
  hasRadio: field.boolean("radio", "Whether Deezer has a mix based on the artist."),
  topTracks: items.objects("Most played tracks.", track.fields),
  albums: items.objects("Albums, singles and EPs.", album.fields),
  totalAlbums: items.integer("Total number of albums that Deezer lists."),
})

export default defineScraper({
  slug: "deezer-artist-scraper",
  name: "Deezer Artists",
  tagline: "Deezer artists with fans, top tracks and albums.",
  notServed: ["lyrics", "playlists"],
  category: "media",
  input: {
    artists: inputs.texts(
      "Artist names, numeric IDs, or URLs, for example https://www.deezer.com/artist/27.",
      { max: 500 },
    ),
    maxTopTracks: inputs.count("Maximum top tracks per artist; 0 lists none", {
      min: 0,
      max: 100,
      or: 10,
    }),
    maxAlbums: inputs.count("Maximum albums per artist; 0 lists none", {
      min: 0,
      max: 500,
      or: 25,
    }),
  },
  item: artist,
  example: { artists: ["Daft Punk"], maxTopTracks: 5, maxAlbums: 5 },
  probe: {
    input: { artists: ["Daft Punk"], maxTopTracks: 5, maxAlbums: 3 },
    expect: [
      "items.length equals 1",
      "items[0].artistId equals 27",
      "items[0].fanCount gte 1000000",
      "items[0].topTracks.length equals 5",
      "items[0].albums.length equals 3",
    ],
  },
  rateLimit: { "api.deezer.com": { perSecond: 8, concurrency: 1 } },
  targets: ({ artists }) => distinct(artists),

  async *scrape(target, ctx) {
    const { maxTopTracks, maxAlbums } = ctx.input
    const id = await artistId(target, ctx)
    const found = await request<Row>(ctx, `${api}/artist/${id}`)
    if (integerOrNull(found?.id) === null || !found.name) {
      throw new Changed("Deezer's response has no artist.")
    }
    const tracks = maxTopTracks > 0 ? await listed(ctx, id, "top", maxTopTracks) : none
    const albums = maxAlbums > 0 ? await listed(ctx, id, "albums", maxAlbums) : none
    yield artist.read({
      ...found,
      input: target,
      topTracks: tracks.rows.map((row) => track.read(row)),
      albums: albums.rows.map((row) => album.read(row)),
      totalAlbums: albums.total,
    })
  },
})

const none = { rows: [], total: null }

/** Returns the artist ID in a user's input. Follows a short link and searches for a name. */
async function artistId(target: string, ctx: Context): Promise<string> {
  const text = target.trim()
  if (/^\d+$/.test(text)) return text
  const id = idInUrl(text)
  if (id) return id
  const isShort = /^https?:\/\/(?:deezer\.page\.link|link\.deezer\.com)\//i.test(text)
  if (isShort) return await idBehind(text, ctx)
  if (/^https?:\/\//i.test(text)) throw new BadInput(`"${target}" is not a URL of a Deezer artist.`)
  const { data } = await request<List>(ctx, `${api}/search/artist`, { q: text, limit: 5 })
  if (!Array.isArray(data)) throw new Changed("Deezer's search response has no list of artists.")
  const artists = objectList(data).filter(({ id }) => textOrNull(id))
  const named = artists.find(({ name }) => folded(textOrNull(name) ?? "") === folded(text))
  const hit = named ?? artists[0]
  if (!hit) throw new NotFound(`Deezer found no artist "${target}".`)
  return String(hit.id)
}

/** Returns the ID in the URL that a short link redirects to, without opening that URL. */
async function idBehind(link: string, ctx: Context): Promise<string> {
  let url = link
  for (let hop = 0; hop < maxHops; hop++) {
    const response = await ctx.get(url, { identity: "browser", redirect: "manual" })
    const next = URL.parse(response.headers.get("location") ?? "", url)?.href
    if (!next || response.status < 300 || next === url) break
    url = next
    const id = idInUrl(url)
    if (id) return id
  }
  throw new BadInput(`"${link}" redirects to ${url}, which is not a Deezer artist.`)
}

const inUrl = /^(?:https?:\/\/)?(?:www\.)?deezer\.com\/(?:[a-z]{2}(?:-[a-z]{2})?\/)?artist\/(\d+)/i
const idInUrl = (url: string) => inUrl.exec(url)?.[1]

/** Removes letter case and accents. */
const folded = (name: string): string =>
  name.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase().trim()

async function listed(ctx: Context, artist: string, kind: "top" | "albums", limit: number) {
  const rows = new Map<number, Row>()
  let total: number | null = null
  const first = `${api}/artist/${artist}/${kind}?limit=${Math.min(pageSize, limit)}`
  let page: List | null = await listPage(ctx, first, kind)
  while (page) {
    const known = rows.size
    for (const row of objectList(page.data)) if (row.id) rows.set(Number(row.id), row)
    total ??= integerOrNull(page.total)
    const next: string | undefined = textOrNull(page.next)?.replace(/^http:/, "https:")
    if (!next?.startsWith(`${api}/`) || rows.size === known || rows.size >= limit) break
    // If a page fails, the entries of the earlier pages are returned.
    page = await orNull(ctx, `further ${kind} of ${artist}`, () => listPage(ctx, next, kind))
  }
  return { rows: [...rows.values()].slice(0, limit), total }
}

async function listPage(ctx: Context, url: string, kind: string) {
  const page = await request<List>(ctx, url)
  const rows = page?.data
  if (!Array.isArray(rows) || (rows.length > 0 && !rows.some((row) => row?.id))) {
    throw new Changed(`Deezer's response has no list (${kind}).`)
  }
  return page
}

async function request<T>(ctx: Context, url: string, query: RequestOptions["query"] = {}) {
  for (let attempt = 1; ; attempt++) {
    const body = await busyIsRateLimit(ctx.json<T & { error?: Row }>(url, { query }))
    if (!body?.error) return body
    if (integerOrNull(body.error.code) !== 4 || attempt === quotaTries)
      throw problem(body.error, url)
    await ctx.pause(quotaSeconds, "Deezer's request limit is reached.")
  }
}

function problem(error: Row, url: string): ScrapeError {
  const code = integerOrNull(error.code)
  const text = `Deezer reports: ${textOrNull(error.message) ?? "an error"}${code === null ? "" : ` (code ${code})`}.`
  if (code === 800) return new NotFound(text, { url })
  if (code === 4) return new RateLimited(text, quotaSeconds, { url })
  if (code === 200 || code === 300) return new Forbidden(text, { url })
  if (code === 500 || code === 501 || code === 600) return new BadInput(text, { url })
  return new UpstreamError(text, { url })
}
