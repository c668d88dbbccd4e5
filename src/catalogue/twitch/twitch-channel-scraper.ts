import { distinct } from "../../extract/core/index.ts"
import { at, JsonReader } from "../../extract/embedded/index.ts"
import {
  BadInput,
  Changed,
  defineScraper,
  distinctTargets,
  eachOf,
  Forbidden,
  failsRun,
  field,
  inputs,
  items,
  NotFound,
  orNull,
  record,
  recordFields,
  recordOf,
  required,
} from "../kit/index.ts"
import { helixChannel, type Operation, twitchQuery, twitchRateLimit } from "./twitch.ts"

const site = "https://www.twitch.tv"
const pathsOfTheSite = new Set("videos directory settings p downloads jobs search turbo".split(" "))

/** Responses of Twitch, one part each. */
type Reported = Record<"user" | "metadata" | "about" | "live" | "preview" | "helix", unknown>

const profile = record({
  description: field.trimmed("about.description", "About text of the channel."),
  avatarUrl: field.trimmed(
    "about.profileImageURL|user.profileImageURL",
    "URL of the channel's image.",
    (url) => url.replace("70x70", "300x300"),
  ),
  bannerUrl: field.trimmed("user.bannerImageURL", "URL of the channel's banner image."),
  primaryColor: field.trimmed(
    "user.primaryColorHex|about.primaryColorHex",
    "Colour of the channel, for example #9146FF.",
    (color) => `#${color}`,
  ),
})
const reach = record({
  followersCount: field.integer("about.followers.totalCount", "Number of followers."),
  isPartner: field.boolean(
    "about.roles.isPartner|metadata.roles.isPartner",
    "Whether the channel is a Twitch partner.",
  ),
  isAffiliate: field.boolean(
    "about.roles.isAffiliate|metadata.roles.isAffiliate",
    "Whether the channel is a Twitch affiliate.",
  ),
  isStaff: field.boolean(
    "about.roles.isStaff|metadata.roles.isStaff",
    "Whether the user works at Twitch.",
  ),
})
const more = record({
  lastBroadcast: field.object(lastBroadcastOf, "Last stream; null if there was none.", {
    id: field.trimmed("metadata.lastBroadcast.id|about.lastBroadcast.id", "ID of the stream."),
    title: field.trimmed("metadata.lastBroadcast.title", "Title of the stream."),
    game: field.trimmed("about.lastBroadcast.game.displayName", "Category of the stream."),
    startedAt: field.time("about.lastBroadcast.startedAt", "Start of the stream (ISO 8601, UTC)."),
  }),
  socialLinks: field.objects(linksOf, "Links on the channel's page.", {
    name: field.trimmed("name", "Name of the linked site, for example twitter."),
    title: field.trimmed("title", "Label of the link."),
    url: required(field.trimmed("url", "URL of the link.")),
  }),
  nextStreamAt: field.time(
    "about.channel.schedule.nextSegment.startAt",
    "Planned start of the next stream (ISO 8601, UTC).",
  ),
  team: field.object(teamOf, "Main team of the channel.", {
    name: field.trimmed("name", "Name of the team in URLs."),
    displayName: field.trimmed("displayName", "Display name of the channel."),
  }),
  trailerVideoId: field.trimmed(
    "user.channel.trailer.video.id",
    "ID of the video on the channel's home page.",
  ),
  recentCategories: field.texts(
    (reported) => distinct(eachOf("about.videos.edges", "node.game.displayName")(reported)),
    "Categories of the channel's recent videos.",
  ),
})
const state = recordOf<Reported>()({
  createdAt: field.time(
    "user.createdAt|helix.user.created_at",
    "Time of the account's creation (ISO 8601, UTC); only with TWITCH_CLIENT_ID.",
  ),
  isLive: field.flag(({ user }) => at(user, "stream") != null, "Whether the channel is live now."),
  stream: field.object(
    (reported) => (at(reported.user, "stream") == null ? null : reported),
    "Current stream; null if the channel is offline.",
    {
      id: field.trimmed("user.stream.id", "ID of the stream."),
      type: field.trimmed("live.stream.type", "Kind of stream: live or rerun."),
      title: field.trimmed("live.lastBroadcast.title|helix.stream.title", "Title of the stream."),
      viewersCount: field.integer("user.stream.viewersCount", "Number of current viewers."),
      startedAt: field.time(
        "live.stream.createdAt|helix.stream.started_at",
        "Start of the stream (ISO 8601, UTC).",
      ),
      game: field.trimmed(
        "live.stream.game.displayName|live.stream.game.name|helix.stream.game_name",
        "Category of the stream.",
      ),
      gameSlug: field.trimmed("live.stream.game.slug", "Name of the category in URLs."),
      language: field.trimmed(
        "live.stream.language|helix.stream.language",
        "Language code; only from the official API.",
      ),
      tags: field.texts("helix.stream.tags", "Tags; only from the official API."),
      previewUrl: field.trimmed(
        "preview.stream.previewImageURL",
        "URL of the stream's preview image.",
      ),
    },
  ),
})

export default defineScraper({
  slug: "twitch-channel-scraper",
  name: "Twitch Channels",
  tagline: "Twitch channel facts, live state, followers, links and last broadcast.",
  notServed: ["chat", "clips"],
  category: "social",
  tier: "premium",
  input: {
    channels: inputs.texts("Channel names, for example twitch or @twitch, or channel URLs.", {
      max: 200,
    }),
  },
  item: {
    ...recordFields("channel"),
    id: items.requiredText("ID of the channel."),
    login: items.requiredText("Name of the channel in URLs."),
    displayName: items.text("Display name of the team."),
    ...profile.fields,
    createdAt: state.fields.createdAt,
    ...reach.fields,
    isLive: state.fields.isLive,
    stream: state.fields.stream,
    ...more.fields,
    partial: items.requiredBoolean("Whether Twitch withheld parts of the channel."),
  },
  example: { channels: ["twitch"] },
  probe: {
    expect: [
      "items.length equals 1",
      'items[0].login equals "twitch"',
      'items[0].id equals "12826"',
      "items[0].followersCount gte 1000000",
      '?items[0].createdAt matches "^2007-05-22"',
      "?items[0].isPartner equals true",
      "?items[0].partial equals false",
    ],
  },
  rateLimit: twitchRateLimit,
  targets: ({ channels }) => distinctTargets(channels, loginOf),
  failsRun,

  async *scrape(target, ctx) {
    const login = loginOf(target)
    const shell = await twitchQuery("ChannelShell", { login }, ctx)
    const user = shell.data.in(shell.data.has("userOrError") ? "userOrError" : "user")
    if (user.text("__typename") === "UserDoesNotExist") throw absent(user.text("reason"))
    if (!user.has("id")) {
      if (shell.full && shell.data.value("user") === null) throw absent(null)
      throw new Changed("Twitch's response has no channel.")
    }
    const part = (what: string, operation: Operation, variables: Record<string, unknown>) =>
      orNull(ctx, what, () => twitchQuery(operation, variables, ctx))
    const named = { channelLogin: login }
    const common = { ...named, includeIsDJ: true }
    const panel = { ...common, skipSchedule: false }
    const metadata = shell.full ? shell : await part("StreamMetadata", "StreamMetadata", common)
    const about = shell.full
      ? shell
      : await part("ChannelRoot_AboutPanel", "ChannelRoot_AboutPanel", panel)
    const isLive = user.has("stream")
    const live =
      isLive && !metadata ? await part("start of the stream", "UseLive", named) : metadata
    const preview =
      isLive && !shell.full
        ? await part("preview picture", "VideoPreviewOverlay", { login })
        : shell
    const reported = {
      user: user.root,
      metadata: metadata?.data.value("user"),
      about: about?.data.value("user"),
      live: live?.data.value("user"),
      preview: preview?.data.value("user"),
      helix: (await helixChannel(login, ctx)).root,
    }
    const name = user.text("login") ?? ""
    yield {
      type: "channel" as const,
      input: target,
      id: user.text("id") ?? "",
      login: name,
      displayName: user.text("displayName"),
      url: `${site}/${name}`,
      ...profile.read(reported),
      ...reach.read(reported),
      ...more.read(reported),
      ...state.read(reported),
      partial:
        !metadata ||
        !about ||
        [shell, metadata, about].some((response) => response.withheld) ||
        about.data.value("user", "channel", "socialMedias") === null,
    }
  },
})

function loginOf(target: string): string {
  const text = target.trim()
  const url = /^(?:https?:\/\/)?(?:www\.|m\.)?twitch\.tv\/([^/?#]+)/i.exec(text)?.[1]
  const login = (url ?? text.replace(/^@/, "")).toLowerCase()
  if (/^\w{2,25}$/.test(login) && !(url && pathsOfTheSite.has(login))) return login
  throw new BadInput(`"${target}" is not a Twitch channel. Write its name or URL.`)
}

function absent(reason: string | null) {
  if (reason === null || reason === "UNKNOWN") return new NotFound("No such channel on Twitch.")
  return new Forbidden(`Twitch has closed this channel (${reason}).`, { code: "suspended" })
}

function lastBroadcastOf(reported: Reported): Reported | null {
  const ids = [reported.metadata, reported.about].map((part) => at(part, "lastBroadcast", "id"))
  return ids.some(Boolean) ? reported : null
}

function linksOf({ about }: Reported): unknown[] {
  const links = new JsonReader(about).list("channel", "socialMedias")
  return links.filter((link) => link.text("url")).map(({ root }) => root)
}

function teamOf({ metadata, about }: Reported): unknown {
  const team = at(about, "primaryTeam") ?? at(metadata, "primaryTeam")
  return at(team, "name") == null ? null : team
}
