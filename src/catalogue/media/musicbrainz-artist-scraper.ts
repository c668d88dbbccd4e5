import { Type } from "@sinclair/typebox"
import { integerOrNull, numberOrNull } from "../../extract/numbers.ts"
import { distinct, textList, textOrNull } from "../../extract/text.ts"
import { orNull } from "../calls.ts"
import type { Context, RequestOptions } from "../context.ts"
import { defineScraper } from "../define.ts"
import {
  inputObject,
  integerField,
  itemObject,
  numberField,
  textField,
  textsField,
} from "../fields.ts"
import { inputs } from "../inputs.ts"
import { BadInput, Changed, HttpError, NotFound, RateLimited } from "../outcome.ts"

const api = "https://musicbrainz.org/ws/2"
/** A look-up holds so many release groups at most, without saying that there are more. */
const inlineReleases = 25
const pageSize = 100
const mostReleases = 500

interface Area {
  name?: string
}

interface ReleaseGroup {
  id: string
  title: string
  "primary-type"?: string | null
  "secondary-types"?: string[]
  "first-release-date"?: string
  disambiguation?: string
}

interface Named {
  name: string
  count?: number
}

interface Artist {
  id: string
  name: string
  score?: number | string
  "sort-name"?: string
  area?: Area | null
  "begin-area"?: Area | null
  "end-area"?: Area | null
  "life-span"?: { begin?: string | null; end?: string | null; ended?: boolean | null }
  aliases?: Named[]
  tags?: Named[] | null
  genres?: Named[] | null
  rating?: { value?: number | null; "votes-count"?: number }
  relations?: { type?: string; "target-type"?: string; url?: { resource?: string } }[]
  "release-groups"?: ReleaseGroup[]
  [field: string]: unknown
}

export default defineScraper({
  slug: "musicbrainz-artist-scraper",
  name: "MusicBrainz Artists",
  tagline: "Artists of MusicBrainz with aliases, tags, dates, links and releases.",
  category: "media",
  tier: "free",
  input: inputObject({
    artists: inputs.texts(
      "Names, MBIDs, or addresses such as https://musicbrainz.org/artist/{mbid}.",
      { max: 500 },
    ),
    maxReleasesPerArtist: inputs.count(
      "Most releases of each artist, the newest; 0 leaves them out.",
      { min: 0, max: mostReleases, or: 25 },
    ),
  }),
  item: itemObject({
    input: Type.String({ description: "The artist as it was asked for." }),
    mbid: Type.String({ description: "MusicBrainz id." }),
    url: Type.String({ description: "The artist's page." }),
    name: Type.String({ description: "Name." }),
    sortName: textField("Name for sorting."),
    disambiguation: textField("What tells it from artists of the same name."),
    type: textField("Person, Group, Orchestra, Choir, Character or Other."),
    gender: textField("Gender of a person."),
    country: textField("Country (ISO 3166)."),
    area: textField("Area it is chiefly of."),
    beginArea: textField("Where it was born or founded."),
    endArea: textField("Where it died or dissolved."),
    beginDate: textField("Birth or foundation: YYYY, YYYY-MM or YYYY-MM-DD."),
    endDate: textField("Death or dissolution: YYYY, YYYY-MM or YYYY-MM-DD."),
    ended: Type.Boolean({ description: "It has died or dissolved." }),
    aliases: textsField("Other names."),
    tags: textsField("Tags, the most used first."),
    genres: textsField("Genres, the most used first."),
    isnis: textsField("ISNI codes."),
    ipis: textsField("IPI codes."),
    rating: numberField("Mean rating, of 5."),
    ratingVotes: integerField("Number of ratings."),
    links: Type.Array(itemObject({ type: textField("Kind."), url: Type.String() }), {
      description: "Addresses elsewhere.",
    }),
    releases: Type.Array(
      itemObject({
        mbid: Type.String(),
        title: Type.String(),
        primaryType: textField("Album, Single, EP …"),
        secondaryTypes: Type.Array(Type.String()),
        firstReleaseDate: textField("YYYY, YYYY-MM or YYYY-MM-DD."),
        disambiguation: textField("What tells it from others of its title."),
        url: Type.String(),
      }),
      { description: "Release groups, the newest first." },
    ),
    releaseCount: integerField("How many release groups there are."),
    matchScore: integerField("How well the name fits, of 100; null when asked by id."),
  }),
  example: { artists: ["Nina Simone"], maxReleasesPerArtist: 10 },
  pace: { "musicbrainz.org": { perSecond: 1, concurrency: 1 } },
  targets: ({ artists }) => distinct(artists),

  async *scrape(target, ctx) {
    const { maxReleasesPerArtist: limit } = ctx.input
    const known = mbidOf(target)
    const hit = known === null ? await bestHit(target, ctx) : null
    const artist = hit && limit === 0 ? hit : await lookUp(known ?? hit!.id, ctx)
    const { groups, count } = limit > 0 ? await releaseGroups(artist, ctx) : noReleases
    yield {
      input: target,
      ...described(artist),
      releases: groups.toSorted(newestFirst).slice(0, limit).map(releaseOf),
      releaseCount: count,
      matchScore: integerOrNull(hit?.score),
    }
  },
})

const noReleases = { groups: [], count: null }

const mbid = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/i

function mbidOf(target: string): string | null {
  const bare = target.trim().replace(/^https?:\/\/(?:\w+\.)?musicbrainz\.org\/artist\//i, "")
  const found = mbid.exec(bare)
  return found?.index === 0 && /^(?:[/?#].*)?$/s.test(bare.slice(36))
    ? found[0].toLowerCase()
    : null
}

/** The hit of the highest score; among equal ones, the one whose name or alias is the same. */
async function bestHit(name: string, ctx: Context): Promise<Artist> {
  // "&" and "|" are operators only where they are doubled.
  const escaped = name.trim().replace(/&&|\|\||[+\-!(){}[\]^"~*?:\\/]/g, "\\$&")
  const { artists } = await ask<{ artists?: Artist[] }>(ctx, "/artist", {
    query: `artist:"${escaped}"`,
    limit: 5,
  })
  if (!Array.isArray(artists)) throw new Changed("MusicBrainz' answer holds no list of artists.")
  const best = artists.filter((artist) => Number(artist.score) === Number(artists[0]?.score))
  const same = (named: Named) => named.name?.toLowerCase() === name.trim().toLowerCase()
  const hit = best.find((artist) => same(artist) || artist.aliases?.some(same)) ?? best[0]
  if (!hit) throw new NotFound(`MusicBrainz finds no artist "${name}".`)
  return hit
}

function lookUp(id: string, ctx: Context): Promise<Artist> {
  const inc = "aliases tags genres ratings url-rels release-groups"
  return ask<Artist>(ctx, `/artist/${id}`, { inc })
}

/** All release groups of an artist, or as many as may be asked for. */
async function releaseGroups(artist: Artist, ctx: Context) {
  const inline = artist["release-groups"] ?? []
  if (inline.length < inlineReleases) {
    return { groups: inline, count: artist["release-groups"] ? inline.length : null }
  }
  const all = await orNull(ctx, `further releases of ${artist.name}`, () => browse(artist.id, ctx))
  return all ?? { groups: inline, count: null }
}

async function browse(artist: string, ctx: Context) {
  const found = new Map<string, ReleaseGroup>()
  for (let offset = 0; ; offset += pageSize) {
    const page = await ask<{
      "release-groups"?: ReleaseGroup[]
      "release-group-count"?: number
    }>(ctx, "/release-group", { artist, limit: pageSize, offset })
    const groups = page["release-groups"]
    if (!Array.isArray(groups)) throw new Changed("the answer holds no list of release groups.")
    const known = found.size
    for (const group of groups) found.set(group.id, group)
    const count = integerOrNull(page["release-group-count"])
    const whole = found.size >= Math.min(count ?? 0, mostReleases) || found.size === known
    if (whole) return { groups: [...found.values()], count: count ?? found.size }
  }
}

async function ask<T>(ctx: Context, path: string, query: RequestOptions["query"]): Promise<T> {
  const answer = await ctx.get(`${api}${path}`, {
    query: { ...query, fmt: "json" },
    headers: { accept: "application/json" },
    accept: [400, 404, 503],
  })
  if (answer.status < 400) return answer.json<T>()
  const reason = /"error"\s*:\s*"((?:[^"\\]|\\.)*)"/.exec(answer.text())?.[1]
  const message = `MusicBrainz says: ${reason ?? `status ${answer.status}`}`
  const details = { url: answer.url, statusCode: answer.status }
  if (answer.status === 404) throw new NotFound(message, details)
  // 503 is how MusicBrainz limits the rate.
  if (answer.status === 503) throw new RateLimited(message, null, details)
  if (reason) throw new BadInput(message, details)
  throw new HttpError(message, details)
}

function described(artist: Artist) {
  if (!mbid.test(artist.id) || !artist.name) {
    throw new Changed("MusicBrainz' answer holds no artist.")
  }
  const life = artist["life-span"]
  return {
    mbid: artist.id,
    url: `https://musicbrainz.org/artist/${artist.id}`,
    name: artist.name,
    sortName: textOrNull(artist["sort-name"]),
    disambiguation: textOrNull(artist.disambiguation),
    type: textOrNull(artist.type),
    gender: textOrNull(artist.gender),
    country: textOrNull(artist.country),
    area: textOrNull(artist.area?.name),
    beginArea: textOrNull(artist["begin-area"]?.name),
    endArea: textOrNull(artist["end-area"]?.name),
    beginDate: textOrNull(life?.begin),
    endDate: textOrNull(life?.end),
    ended: life?.ended === true,
    aliases: distinct((artist.aliases ?? []).flatMap((alias) => textOrNull(alias.name) ?? [])),
    tags: byCount(artist.tags),
    genres: byCount(artist.genres),
    isnis: textList(artist.isnis),
    ipis: textList(artist.ipis),
    rating: numberOrNull(artist.rating?.value),
    ratingVotes: integerOrNull(artist.rating?.["votes-count"]),
    links: (artist.relations ?? []).flatMap(({ type, url, ...relation }) =>
      relation["target-type"] === "url" && url?.resource
        ? [{ type: textOrNull(type), url: url.resource }]
        : [],
    ),
  }
}

function byCount(tags: Named[] | null | undefined): string[] {
  return (tags ?? [])
    .filter((tag) => textOrNull(tag.name) !== null)
    .sort((a, b) => (b.count ?? 0) - (a.count ?? 0) || a.name.localeCompare(b.name))
    .map((tag) => tag.name)
}

/** Undated ones come last. */
function newestFirst(a: ReleaseGroup, b: ReleaseGroup): number {
  return (b["first-release-date"] ?? "").localeCompare(a["first-release-date"] ?? "")
}

function releaseOf(group: ReleaseGroup) {
  if (!group.id || !group.title) {
    throw new Changed("MusicBrainz' answer holds a release without id or title.")
  }
  return {
    mbid: group.id,
    title: group.title,
    primaryType: textOrNull(group["primary-type"]),
    secondaryTypes: textList(group["secondary-types"]),
    firstReleaseDate: textOrNull(group["first-release-date"]),
    disambiguation: textOrNull(group.disambiguation),
    url: `https://musicbrainz.org/release-group/${group.id}`,
  }
}
