import { type Static, Type } from "@sinclair/typebox"
import { isoDay } from "../../extract/dates.ts"
import { booleanOrNull, integerOrNull } from "../../extract/numbers.ts"
import { distinct, textOrNull } from "../../extract/text.ts"
import { orNull } from "../calls.ts"
import type { Context } from "../context.ts"
import { defineScraper } from "../define.ts"
import { booleanField, inputObject, integerField, itemObject, textField } from "../fields.ts"
import { inputs } from "../inputs.ts"
import {
  BadInput,
  busyIsRateLimit,
  Changed,
  Forbidden,
  NotFound,
  type Outcome,
  RateLimited,
  UpstreamError,
} from "../outcome.ts"

const api = "https://api.deezer.com"
const pageSize = 100
/** Over the quota of 50 requests in 5 seconds, Deezer answers 200 with error 4. */
const quotaSeconds = 5
const quotaTries = 3
const mostHops = 5

const input = inputObject({
  artists: inputs.texts(
    "Names, numeric ids, or addresses such as https://www.deezer.com/artist/27.",
    { max: 500 },
  ),
  maxTopTracks: inputs.count("Most top tracks of each artist; 0 leaves them out.", {
    min: 0,
    max: 100,
    or: 10,
  }),
  maxAlbums: inputs.count("Most albums of each artist; 0 leaves them out.", {
    min: 0,
    max: 500,
    or: 25,
  }),
})
type Input = Static<typeof input>

interface Artist {
  id: number
  name: string
  [field: string]: unknown
}

interface Track {
  id: number
  album?: { id?: number; title?: string }
  contributors?: { name?: string }[]
  [field: string]: unknown
}

interface Album {
  id: number
  [field: string]: unknown
}

interface List<T> {
  data?: T[]
  total?: number
  next?: string
}

export default defineScraper({
  slug: "deezer-artist-scraper",
  name: "Deezer Artists",
  tagline: "Deezer artists with fans, top tracks and albums.",
  category: "media",
  tier: "free",
  input,
  item: itemObject({
    input: Type.String({ description: "The artist as it was asked for." }),
    artistId: Type.Integer({ description: "Deezer's id." }),
    name: Type.String({ description: "Name." }),
    url: Type.String({ description: "The artist's page." }),
    pictureUrl: textField("Largest picture."),
    fanCount: integerField("Fans."),
    albumCount: integerField("Albums, singles and EPs."),
    hasRadio: booleanField("There is a mix made from the artist."),
    topTracks: Type.Array(
      itemObject({
        trackId: Type.Integer(),
        title: textField("Title with its version."),
        titleShort: textField("Title without its version."),
        url: textField("The track's page."),
        durationSeconds: integerField("Duration."),
        rank: integerField("Deezer's rank, larger for more played."),
        explicit: booleanField("The words are explicit."),
        previewUrl: textField("30 seconds to hear; expires."),
        albumId: integerField("Its album."),
        albumTitle: textField("Title of its album."),
        contributors: Type.Array(Type.String()),
      }),
      { description: "Most played tracks." },
    ),
    albums: Type.Array(
      itemObject({
        albumId: Type.Integer(),
        title: textField("Title."),
        url: textField("The album's page."),
        releaseDate: textField("YYYY-MM-DD."),
        recordType: textField("album, single, ep or compile."),
        fanCount: integerField("Fans."),
        explicit: booleanField("The words are explicit."),
        coverUrl: textField("Cover."),
        genreId: integerField("Deezer's genre."),
      }),
      { description: "Albums, singles and EPs." },
    ),
    totalAlbums: integerField("How many albums there are to list."),
  }),
  example: { artists: ["Daft Punk"], maxTopTracks: 5, maxAlbums: 5 },
  pace: { "api.deezer.com": { perSecond: 8, concurrency: 1 } },
  targets: ({ artists }) => distinct(artists),

  async *scrape(target, ctx) {
    const { maxTopTracks, maxAlbums } = ctx.input
    const id = await artistId(target, ctx)
    const artist = await ask<Artist>(ctx, `${api}/artist/${id}`)
    if (typeof artist?.id !== "number" || !artist.name) {
      throw new Changed("Deezer's answer holds no artist.")
    }
    const tracks = maxTopTracks > 0 ? await listed<Track>(ctx, id, "top", maxTopTracks) : none
    const albums = maxAlbums > 0 ? await listed<Album>(ctx, id, "albums", maxAlbums) : none
    yield {
      input: target,
      artistId: artist.id,
      name: artist.name,
      url: textOrNull(artist.link) ?? `https://www.deezer.com/artist/${artist.id}`,
      pictureUrl: textOrNull(artist.picture_xl || artist.picture_big || artist.picture_medium),
      fanCount: integerOrNull(artist.nb_fan),
      albumCount: integerOrNull(artist.nb_album),
      hasRadio: booleanOrNull(artist.radio),
      topTracks: tracks.rows.map(trackOf),
      albums: albums.rows.map(albumOf),
      totalAlbums: albums.total,
    }
  },
})

const none = { rows: [], total: null }

/** The id in what users write; a short link is followed, a name is searched. */
async function artistId(target: string, ctx: Context): Promise<string> {
  const text = target.trim()
  if (/^\d+$/.test(text)) return text
  const id = idInAddress(text)
  if (id) return id
  if (/^https?:\/\/(?:deezer\.page\.link|link\.deezer\.com)\//i.test(text)) {
    return await idBehind(text, ctx)
  }
  if (/^https?:\/\//i.test(text))
    throw new BadInput(`"${target}" is no address of a Deezer artist.`)
  const { data } = await ask<List<Artist>>(ctx, `${api}/search/artist`, { q: text, limit: 5 })
  if (!Array.isArray(data)) throw new Changed("Deezer's search answer holds no list of artists.")
  const hit = data.find((artist) => folded(artist.name ?? "") === folded(text)) ?? data[0]
  if (!hit) throw new NotFound(`Deezer finds no artist "${target}".`)
  return String(hit.id)
}

/** The id in the address that a short link leads to, which need not be opened itself. */
async function idBehind(link: string, ctx: Context): Promise<string> {
  let address = link
  for (let hop = 0; hop < mostHops; hop++) {
    const answer = await ctx.get(address, { identity: "browser", redirect: "manual" })
    const next = URL.parse(answer.headers.get("location") ?? "", address)?.href
    if (!next || answer.status < 300 || next === address) break
    address = next
    const id = idInAddress(address)
    if (id) return id
  }
  throw new BadInput(`"${link}" leads to ${address}, which is no Deezer artist.`)
}

function idInAddress(address: string): string | undefined {
  return /^(?:https?:\/\/)?(?:www\.)?deezer\.com\/(?:[a-z]{2}(?:-[a-z]{2})?\/)?artist\/(\d+)/i.exec(
    address,
  )?.[1]
}

/** Letter case and accents taken away. */
function folded(name: string): string {
  return name.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase().trim()
}

async function listed<T extends { id: number }>(
  ctx: Context<Input>,
  artist: string,
  kind: "top" | "albums",
  limit: number,
): Promise<{ rows: T[]; total: number | null }> {
  const rows = new Map<number, T>()
  let total: number | null = null
  const first = `${api}/artist/${artist}/${kind}?limit=${Math.min(pageSize, limit)}`
  let page: List<T> | null = await listPage<T>(ctx, first, kind)
  while (page) {
    const known = rows.size
    for (const row of page.data ?? []) rows.set(row.id, row)
    total ??= integerOrNull(page.total)
    const next: string | undefined = page.next?.replace(/^http:/, "https:")
    if (!next?.startsWith(`${api}/`) || rows.size === known || rows.size >= limit) break
    // What came before a page that fails is kept.
    page = await orNull(ctx, `further ${kind} of ${artist}`, () => listPage<T>(ctx, next, kind))
  }
  return { rows: [...rows.values()].slice(0, limit), total }
}

async function listPage<T extends { id: number }>(ctx: Context, address: string, kind: string) {
  const page = await ask<List<T>>(ctx, address)
  if (!Array.isArray(page?.data) || page.data.some((row) => typeof row?.id !== "number")) {
    throw new Changed(`Deezer's answer holds no list (${kind}).`)
  }
  return page
}

async function ask<T>(
  ctx: Context,
  url: string,
  query: Record<string, string | number> = {},
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    const body = await busyIsRateLimit(ctx.json<T & { error?: DeezerError }>(url, { query }))
    if (!body?.error) return body
    if (body.error.code !== 4 || attempt === quotaTries) throw problem(body.error, url)
    await ctx.pause(quotaSeconds, "Deezer's quota of requests is used up.")
  }
}

interface DeezerError {
  message?: string
  code?: number
}

function problem({ message = "an error", code }: DeezerError, url: string): Outcome {
  const text = `Deezer says: ${message} (code ${code}).`
  if (code === 800) return new NotFound(text, { url })
  if (code === 4) return new RateLimited(text, quotaSeconds, { url })
  if (code === 200 || code === 300) return new Forbidden(text, { url })
  if (code === 500 || code === 501 || code === 600) return new BadInput(text, { url })
  return new UpstreamError(text, { url })
}

function trackOf(track: Track) {
  return {
    trackId: track.id,
    title: textOrNull(track.title),
    titleShort: textOrNull(track.title_short),
    url: textOrNull(track.link),
    durationSeconds: integerOrNull(track.duration),
    rank: integerOrNull(track.rank),
    explicit: booleanOrNull(track.explicit_lyrics),
    previewUrl: textOrNull(track.preview),
    albumId: integerOrNull(track.album?.id),
    albumTitle: textOrNull(track.album?.title),
    contributors: (track.contributors ?? []).flatMap(
      (contributor) => textOrNull(contributor.name) ?? [],
    ),
  }
}

function albumOf(album: Album) {
  const genre = integerOrNull(album.genre_id)
  return {
    albumId: album.id,
    title: textOrNull(album.title),
    url: textOrNull(album.link),
    releaseDate: isoDay(album.release_date),
    recordType: textOrNull(album.record_type),
    fanCount: integerOrNull(album.fans),
    explicit: booleanOrNull(album.explicit_lyrics),
    coverUrl: textOrNull(album.cover_xl || album.cover_big || album.cover_medium),
    genreId: genre === -1 ? null : genre,
  }
}
