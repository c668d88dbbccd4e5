import { distinct, integerOrNull, objectList, textOrNull } from "../../extract/core/index.ts"
import {
  BadInput,
  Changed,
  type Context,
  defineScraper,
  field,
  HttpError,
  inputs,
  items,
  NotFound,
  orNull,
  RateLimited,
  type RequestOptions,
  type Row,
  recordOf,
  required,
} from "../kit/index.ts"

const api = "https://musicbrainz.org/ws/2"
/** Maximum release groups of a lookup, which does not report whether there are more. */
const inlineReleases = 25
const pageSize = 100
const maxReleases = 500

type ReleaseGroup = Row & { id: string }
type Named = { name: string; count?: number }

interface Artist extends Row {
  id: string
  name: string
  aliases?: Named[]
  relations?: { "target-type"?: string; url?: { resource?: string } }[]
  "release-groups"?: ReleaseGroup[]
}

const release = recordOf<Row>()({
  mbid: required(field.text("id", "MusicBrainz ID (MBID) of the release group.")),
  title: required(field.text("title", "Title of the release group.")),
  primaryType: field.text("primary-type", "Album, Single, EP …"),
  secondaryTypes: field.texts(
    "secondary-types",
    "Additional types, for example Live or Compilation.",
  ),
  firstReleaseDate: field.text(
    "first-release-date",
    "Date of the first release: YYYY, YYYY-MM or YYYY-MM-DD.",
  ),
  disambiguation: field.text(
    "disambiguation",
    "Note that distinguishes it from others of the same title.",
  ),
  url: required(
    field.text(
      ({ id }) => `https://musicbrainz.org/release-group/${id}`,
      "URL of the release group's page.",
    ),
  ),
})

const linksOf = ({ relations }: Artist) =>
  objectList(relations).filter(
    (relation) => relation["target-type"] === "url" && relation.url?.resource,
  )

const artistRecord = recordOf<Artist>()({
  input: items.requiredText("Artist as written in the input."),
  mbid: required(field.text("id", "MusicBrainz ID (MBID) of the artist.")),
  url: required(
    field.text(({ id }) => `https://musicbrainz.org/artist/${id}`, "URL of the artist's page."),
  ),
  name: required(field.text("name", "Name of the artist.")),
  sortName: field.text("sort-name", 'Name for sorting, for example "Beatles, The".'),
  disambiguation: field.text(
    "disambiguation",
    "Note that distinguishes it from artists of the same name.",
  ),
  type: field.text("type", "Person, Group, Orchestra, Choir, Character or Other."),
  gender: field.text("gender", "Gender, if the artist is a person."),
  country: field.text("country", "Country (ISO 3166)."),
  area: field.text("area.name", "Area that the artist is mainly associated with."),
  beginArea: field.text("begin-area.name", "Place of birth or foundation."),
  endArea: field.text("end-area.name", "Place of death or dissolution."),
  beginDate: field.text(
    "life-span.begin",
    "Date of birth or foundation: YYYY, YYYY-MM or YYYY-MM-DD.",
  ),
  endDate: field.text(
    "life-span.end",
    "Date of death or dissolution: YYYY, YYYY-MM or YYYY-MM-DD.",
  ),
  ended: field.flag("life-span.ended", "Whether the artist has died or dissolved."),
  aliases: field.texts(
    ({ aliases }) => distinct(objectList(aliases).flatMap(({ name }) => textOrNull(name) ?? [])),
    "Other names of the artist.",
  ),
  tags: field.texts((artist) => byCount(artist.tags), "Tags, most used first."),
  genres: field.texts((artist) => byCount(artist.genres), "Genres, most used first."),
  isnis: field.texts("isnis", "ISNI codes of the artist."),
  ipis: field.texts("ipis", "IPI codes of the artist."),
  rating: field.number("rating.value", "Mean rating (0-5)."),
  ratingCount: field.integer("rating.votes-count", "Number of ratings."),
  links: field.objects(linksOf, "URLs of the artist on other sites.", {
    type: field.text("type", "Kind of the link, for example official homepage."),
    url: required(field.text("url.resource", "URL of the artist on the other site.")),
  }),
  releases: items.objects("Release groups, newest first.", release.fields),
  releaseCount: items.integer("Number of release groups."),
  matchScore: items.integer("Match of the name (0-100); null for requests by ID."),
})

export default defineScraper({
  slug: "musicbrainz-artist-scraper",
  name: "MusicBrainz Artists",
  tagline: "Artists of MusicBrainz with aliases, tags, dates, links and releases.",
  notServed: ["audio", "popularity"],
  category: "media",
  input: {
    artists: inputs.texts(
      "Artist names, MBIDs, or URLs, for example https://musicbrainz.org/artist/{mbid}.",
      { max: 500 },
    ),
    maxReleasesPerArtist: inputs.count("Maximum releases per artist, newest first; 0 lists none", {
      min: 0,
      max: maxReleases,
      or: 25,
    }),
  },
  item: artistRecord,
  example: { artists: ["Nina Simone"], maxReleasesPerArtist: 10 },
  probe: {
    input: { artists: ["Nina Simone"], maxReleasesPerArtist: 5 },
    expect: [
      "items.length equals 1",
      'items[0].name equals "Nina Simone"',
      'items[0].country equals "US"',
      "items[0].releases.length equals 5",
      'items[0].mbid matches "^[0-9a-f-]{36}$"',
    ],
  },
  rateLimit: { "musicbrainz.org": { perSecond: 1, concurrency: 1 } },
  targets: ({ artists }) => distinct(artists),

  async *scrape(target, ctx) {
    const { maxReleasesPerArtist: limit } = ctx.input
    const known = mbidOf(target)
    const hit = known === null ? await bestHit(target, ctx) : null
    const artist = hit && limit === 0 ? hit : await lookUp(known ?? hit!.id, ctx)
    if (!mbid.test(artist.id) || !artist.name)
      throw new Changed("MusicBrainz's response has no artist.")
    const { groups, count } =
      limit > 0 ? await releaseGroups(artist, ctx) : { groups: [], count: null }
    yield artistRecord.read({
      ...artist,
      input: target,
      releases: groups
        .filter(({ title }) => textOrNull(title))
        // Groups without a date come last.
        .toSorted((a, b) => firstRelease(b).localeCompare(firstRelease(a)))
        .slice(0, limit)
        .map((group) => release.read(group)),
      releaseCount: count,
      matchScore: integerOrNull(hit?.score),
    })
  },
})

const mbid = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/i

function mbidOf(target: string): string | null {
  const plain = target.trim().replace(/^https?:\/\/(?:\w+\.)?musicbrainz\.org\/artist\//i, "")
  const match = mbid.exec(plain)
  return match?.index === 0 && /^(?:[/?#].*)?$/s.test(plain.slice(36))
    ? match[0].toLowerCase()
    : null
}

/**
 * Returns the hit with the highest score. Among equal scores, a hit with the same name or alias
 * wins.
 */
async function bestHit(name: string, ctx: Context): Promise<Artist> {
  // "&" and "|" are operators only if they are doubled.
  const escaped = name.trim().replace(/&&|\|\||[+\-!(){}[\]^"~*?:\\/]/g, "\\$&")
  const { artists } = await request<{ artists?: Artist[] }>(ctx, "/artist", {
    query: `artist:"${escaped}"`,
    limit: 5,
  })
  if (!Array.isArray(artists)) throw new Changed("MusicBrainz's response has no list of artists.")
  const hits = objectList(artists).filter(({ id, name }) => textOrNull(id) && textOrNull(name))
  if (artists.length > 0 && hits.length === 0) {
    const message = "The artists in MusicBrainz's response have no ID or name."
    throw new Changed(message, { field: "name" })
  }
  const best = hits.filter((artist) => Number(artist.score) === Number(hits[0]?.score))
  const same = (named: Named) => textOrNull(named.name)?.toLowerCase() === name.trim().toLowerCase()
  const hit = best.find((one) => same(one) || objectList(one.aliases).some(same)) ?? best[0]
  if (!hit) throw new NotFound(`No such artist on MusicBrainz: "${name}".`)
  return hit
}

function lookUp(id: string, ctx: Context): Promise<Artist> {
  const inc = "aliases tags genres ratings url-rels release-groups"
  return request<Artist>(ctx, `/artist/${id}`, { inc })
}

/** Returns all release groups of an artist, up to the maximum of the input. */
async function releaseGroups(artist: Artist, ctx: Context) {
  const inline = groupsIn(artist["release-groups"])
  if (inline.length < inlineReleases)
    return { groups: inline, count: artist["release-groups"] ? inline.length : null }
  const all = await orNull(ctx, `further releases of ${artist.name}`, () => browse(artist.id, ctx))
  return all ?? { groups: inline, count: null }
}

const groupsIn = (list: readonly ReleaseGroup[] | null | undefined) =>
  objectList(list).filter(({ id }) => textOrNull(id))

async function browse(artist: string, ctx: Context) {
  const byKey = new Map<string, ReleaseGroup>()
  for (let offset = 0; ; offset += pageSize) {
    const page = await request<{
      "release-groups"?: ReleaseGroup[]
      "release-group-count"?: number
    }>(ctx, "/release-group", { artist, limit: pageSize, offset })
    const groups = page["release-groups"]
    if (!Array.isArray(groups))
      throw new Changed("MusicBrainz's response has no list of release groups.")
    const known = byKey.size
    for (const group of groupsIn(groups)) byKey.set(group.id, group)
    const count = integerOrNull(page["release-group-count"])
    const whole = byKey.size >= Math.min(count ?? 0, maxReleases) || byKey.size === known
    if (whole) return { groups: [...byKey.values()], count: count ?? byKey.size }
  }
}

async function request<T>(ctx: Context, path: string, query: RequestOptions["query"]): Promise<T> {
  const response = await ctx.get(`${api}${path}`, {
    query: { ...query, fmt: "json" },
    headers: { accept: "application/json" },
    accept: [400, 404, 503],
  })
  if (response.status < 400) return response.json<T>()
  const reason = /"error"\s*:\s*"((?:[^"\\]|\\.)*)"/.exec(response.text())?.[1]
  const message = `MusicBrainz reports: ${reason ?? `status ${response.status}`}`
  if (response.status === 404) throw new NotFound(message, { response })
  // MusicBrainz limits the rate with 503.
  if (response.status === 503) throw new RateLimited(message, null, { response })
  if (reason) throw new BadInput(message, { response })
  throw new HttpError(message, { response })
}

const byCount = (tags: unknown): string[] =>
  objectList(tags as Named[])
    .filter((tag) => textOrNull(tag.name) !== null)
    .sort((a, b) => (b.count ?? 0) - (a.count ?? 0) || String(a.name).localeCompare(String(b.name)))
    .map((tag) => tag.name)

const firstRelease = (group: ReleaseGroup) => textOrNull(group["first-release-date"]) ?? ""
