import { Type } from "@sinclair/typebox"
import { isoDate } from "../../extract/dates.ts"
import { JsonReader } from "../../extract/json-reader.ts"
import { distinct } from "../../extract/text.ts"
import { orNull } from "../calls.ts"
import { defineScraper } from "../define.ts"
import {
  booleanField,
  inputObject,
  integerField,
  itemObject,
  nullable,
  textField,
  textsField,
} from "../fields.ts"
import { inputs } from "../inputs.ts"
import { BadInput, Changed, Forbidden, NotFound } from "../outcome.ts"
import { distinctTargets, failsRun, recordFields } from "./social.ts"
import { helixChannel, twitchPace, twitchQuery } from "./twitch.ts"

const site = "https://www.twitch.tv"
const pathsOfTheSite = new Set("videos directory settings p downloads jobs search turbo".split(" "))

export default defineScraper({
  slug: "twitch-channel-scraper",
  name: "Twitch Channels",
  tagline: "Twitch channel facts, live state, followers, links and last broadcast.",
  category: "social",
  tier: "premium",
  input: inputObject({
    channels: inputs.texts("Names, with or without @, or channel addresses.", { max: 200 }),
  }),
  item: itemObject({
    ...recordFields("channel"),
    id: Type.String({ description: "Id." }),
    login: Type.String({ description: "Name." }),
    displayName: textField("Name that is shown."),
    description: textField("About text."),
    avatarUrl: textField("Picture."),
    bannerUrl: textField("Banner."),
    primaryColor: textField("Colour of the channel, #RRGGBB."),
    createdAt: textField("When the account was made; only with TWITCH_CLIENT_ID (ISO 8601, UTC)."),
    followersCount: integerField("Followers."),
    isPartner: booleanField("Partner of the network."),
    isAffiliate: booleanField("Affiliate of the network."),
    isStaff: booleanField("Works at the network."),
    isLive: Type.Boolean({ description: "Live at this moment." }),
    stream: nullable(
      itemObject(
        {
          id: textField("Id."),
          type: textField("live or rerun."),
          title: textField("Title."),
          viewersCount: integerField("Viewers."),
          startedAt: textField("When it began."),
          game: textField("Category."),
          gameSlug: textField("Category in addresses."),
          language: textField("Language, where the official API told it."),
          tags: textsField("Tags, where the official API told them."),
          previewUrl: textField("Picture of the stream."),
        },
        { description: "The stream that runs; null when offline." },
      ),
    ),
    lastBroadcast: nullable(
      itemObject(
        {
          id: textField("Id."),
          title: textField("Title."),
          game: textField("Category."),
          startedAt: textField("When it began."),
        },
        { description: "The last stream; null when there was none." },
      ),
    ),
    socialLinks: Type.Array(
      itemObject({
        name: textField("Network."),
        title: textField("Label."),
        url: Type.String({ description: "Address." }),
      }),
      { description: "Links of the channel." },
    ),
    nextStreamAt: textField("When the next stream is planned."),
    team: nullable(
      itemObject(
        { name: textField("Name in addresses."), displayName: textField("Name that is shown.") },
        { description: "Main team." },
      ),
    ),
    trailerVideoId: textField("Video that the channel's home shows."),
    recentCategories: textsField("Categories of recent videos."),
    partial: Type.Boolean({ description: "Parts were kept back by the network." }),
  }),
  example: { channels: ["twitch"] },
  pace: twitchPace,
  targets: ({ channels }) => distinctTargets(channels, loginOf),
  failsRun,

  async *scrape(target, ctx) {
    const login = loginOf(target)
    const shell = await twitchQuery("ChannelShell", { login }, ctx)
    const user = shell.data.has("userOrError")
      ? shell.data.in("userOrError")
      : shell.data.in("user")
    if (user.text("__typename") === "UserDoesNotExist") throw absent(user.text("reason"))
    if (!user.has("id")) {
      if (shell.full && shell.data.value("user") === null) throw absent(null)
      throw new Changed("Twitch's answer holds no channel.")
    }
    const more = (operation: "StreamMetadata" | "ChannelRoot_AboutPanel", variables: object) =>
      shell.full
        ? Promise.resolve(shell)
        : orNull(ctx, operation, () =>
            twitchQuery(operation, { channelLogin: login, includeIsDJ: true, ...variables }, ctx),
          )
    const metadata = await more("StreamMetadata", {})
    const about = await more("ChannelRoot_AboutPanel", { skipSchedule: false })
    const isLive = user.has("stream")
    const live =
      isLive && !metadata
        ? await orNull(ctx, "start of the stream", () =>
            twitchQuery("UseLive", { channelLogin: login }, ctx),
          )
        : metadata
    const preview =
      isLive && !shell.full
        ? await orNull(ctx, "preview picture", () =>
            twitchQuery("VideoPreviewOverlay", { login }, ctx),
          )
        : shell
    const helix = await helixChannel(login, ctx)
    yield {
      type: "channel" as const,
      input: target,
      ...described(user, metadata?.data.in("user"), about?.data.in("user")),
      createdAt: isoDate(user.text("createdAt") ?? helix.text("user", "created_at")),
      isLive,
      stream: isLive
        ? streamOf(user.in("stream"), live?.data.in("user"), preview?.data.in("user"), helix)
        : null,
      partial:
        !metadata ||
        !about ||
        [shell, metadata, about].some((one) => one.withheld) ||
        about.data.value("user", "channel", "socialMedias") === null,
    }
  },
})

/** @throws BadInput */
function loginOf(target: string): string {
  const text = target.trim()
  const address = /^(?:https?:\/\/)?(?:www\.|m\.)?twitch\.tv\/([^/?#]+)/i.exec(text)?.[1]
  const login = (address ?? text.replace(/^@/, "")).toLowerCase()
  if (/^\w{2,25}$/.test(login) && !(address && pathsOfTheSite.has(login))) return login
  throw new BadInput(`"${target}" is not a Twitch channel; write its name or address.`)
}

function absent(reason: string | null) {
  if (reason === null || reason === "UNKNOWN") return new NotFound("Twitch knows no such channel.")
  return new Forbidden(`Twitch has closed this channel (${reason}).`, { code: "suspended" })
}

const nothing = new JsonReader(undefined)

function described(user: JsonReader, metadata = nothing, about = nothing) {
  const color = user.text("primaryColorHex") ?? about.text("primaryColorHex")
  const role = (name: string) => about.flag("roles", name) ?? metadata.flag("roles", name)
  const team = about.has("primaryTeam") ? about.in("primaryTeam") : metadata.in("primaryTeam")
  return {
    id: user.text("id") ?? "",
    login: user.text("login") ?? "",
    displayName: user.text("displayName"),
    url: `${site}/${user.text("login")}`,
    description: about.text("description"),
    avatarUrl:
      about.text("profileImageURL") ??
      user.text("profileImageURL")?.replace("70x70", "300x300") ??
      null,
    bannerUrl: user.text("bannerImageURL"),
    primaryColor: color ? `#${color}` : null,
    followersCount: about.integer("followers", "totalCount"),
    isPartner: role("isPartner"),
    isAffiliate: role("isAffiliate"),
    isStaff: role("isStaff"),
    lastBroadcast: lastBroadcastOf(metadata, about),
    socialLinks: about.list("channel", "socialMedias").flatMap((link) => {
      const url = link.text("url")
      return url ? [{ name: link.text("name"), title: link.text("title"), url }] : []
    }),
    nextStreamAt: isoDate(about.text("channel", "schedule", "nextSegment", "startAt")),
    team: team.has("name")
      ? { name: team.text("name"), displayName: team.text("displayName") }
      : null,
    trailerVideoId: user.text("channel", "trailer", "video", "id"),
    recentCategories: distinct(
      about
        .list("videos", "edges")
        .flatMap((edge) => edge.text("node", "game", "displayName") ?? []),
    ),
  }
}

function lastBroadcastOf(metadata: JsonReader, about: JsonReader) {
  const id = metadata.text("lastBroadcast", "id") ?? about.text("lastBroadcast", "id")
  if (!id) return null
  return {
    id,
    title: metadata.text("lastBroadcast", "title"),
    game: about.text("lastBroadcast", "game", "displayName"),
    startedAt: isoDate(about.text("lastBroadcast", "startedAt")),
  }
}

function streamOf(shell: JsonReader, live = nothing, preview = nothing, helix: JsonReader) {
  const stream = live.in("stream")
  return {
    id: shell.text("id"),
    type: stream.text("type"),
    title: live.text("lastBroadcast", "title") ?? helix.text("stream", "title"),
    viewersCount: shell.integer("viewersCount"),
    startedAt: isoDate(stream.text("createdAt") ?? helix.text("stream", "started_at")),
    game:
      stream.text("game", "displayName") ??
      stream.text("game", "name") ??
      helix.text("stream", "game_name"),
    gameSlug: stream.text("game", "slug"),
    language: stream.text("language") ?? helix.text("stream", "language"),
    tags: helix.texts("stream", "tags"),
    previewUrl: preview.text("stream", "previewImageURL"),
  }
}
