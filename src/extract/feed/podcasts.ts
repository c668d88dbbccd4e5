import { absoluteUrl, distinct, integerOrNull, numberOrNull } from "../core/index.ts"
import type { Feed, FeedEntry } from "./feed.ts"
import type { FeedNode } from "./node.ts"
import { feedPlainText, feedTitle, joinedNames, personName } from "./text.ts"

/** The facts about a show in its podcast feed. */
export interface Show {
  title: string | null
  author: string | null
  image: string | null
  link: string | null
  categories: string[]
  guid: string | null
  language: string | null
  explicit: boolean | null
}

export interface Episode {
  title: string
  url: string | null
  guid: string
  publishedAt: string | null
  description: string | null
  descriptionHtml: string | null
  subtitle: string | null
  audioUrl: string
  audioType: string | null
  audioBytes: number | null
  durationSeconds: number | null
  season: number | null
  episode: number | null
  /** full, trailer or bonus. */
  episodeType: string
  explicit: boolean | null
  imageUrl: string | null
  author: string | null
  keywords: string[]
  chaptersUrl: string | null
  transcripts: { url: string; type: string | null; language: string | null }[]
  persons: { name: string; role: string | null; href: string | null }[]
  soundbites: { startSeconds: number; durationSeconds: number | null; title: string | null }[]
}

const typesByExtension: Record<string, string> = {
  mp3: "audio/mpeg",
  m4a: "audio/x-m4a",
  m4b: "audio/x-m4b",
  aac: "audio/aac",
  ogg: "audio/ogg",
  oga: "audio/ogg",
  opus: "audio/opus",
  wav: "audio/wav",
  flac: "audio/flac",
  mp4: "video/mp4",
  m4v: "video/x-m4v",
  mov: "video/quicktime",
  webm: "video/webm",
}

export function readShow(feed: Feed): Show {
  const { channel } = feed
  return {
    title: feed.title,
    author: feed.author ?? personName(channel?.text("googleplay:author") ?? null),
    image: (channel && ownImage(channel, feed.link)) ?? feed.image,
    link: feed.link,
    categories: channel ? showCategories(channel) : [],
    guid: channel?.text("podcast:guid") ?? null,
    language: feed.language,
    explicit: channel ? explicitness(channel) : null,
  }
}

/** An entry as an episode; null if it has no audio or video. */
export function readEpisode(entry: FeedEntry, show: Show): Episode | null {
  const { node } = entry
  const audio = playable(entry)
  if (audio === null) return null
  const text = (...names: string[]) => node?.text(...names) ?? null
  const html = longest(text("content:encoded"), text("description")) ?? text("itunes:summary")
  return {
    title: entry.title ?? feedTitle(text("itunes:title")) ?? fileName(audio.url),
    url: entry.url ?? show.link,
    guid: text("guid", "id") ?? audio.url,
    publishedAt: entry.publishedAt,
    description: feedPlainText(html ?? entry.content),
    descriptionHtml: html ?? entry.content,
    subtitle: feedTitle(text("itunes:subtitle")),
    audioUrl: audio.url,
    audioType: audio.type ?? typeOf(audio.url),
    audioBytes: audio.length,
    durationSeconds: parseDuration(text("itunes:duration") ?? mediaAttribute(node, "duration")),
    season: integerOrNull(text("itunes:season", "podcast:season")),
    episode: integerOrNull(text("itunes:episode", "podcast:episode")),
    episodeType: text("itunes:episodetype")?.toLowerCase() ?? "full",
    explicit: (node && explicitness(node)) ?? show.explicit,
    imageUrl: (node && ownImage(node, entry.url ?? show.link)) ?? entry.imageUrl ?? show.image,
    author: feedTitle(text("itunes:author")) ?? entry.author,
    keywords: node ? keywordsOf(node, entry) : entry.categories,
    ...podcastingExtras(node, entry.url ?? show.link),
  }
}

const maxDurationChars = 100

/** Seconds of `3600`, `3600.0`, `70:12`, `1:10:12` or `1h 10m 12s`; null for anything else. */
export function parseDuration(written: string | null): number | null {
  const text = written?.trim() ?? ""
  if (/^\d+(?:\.\d+)?$/.test(text)) return Math.round(Number(text))
  if (/^\d*(?::\d{1,2}){1,2}(?:\.\d+)?$/.test(text)) {
    return Math.round(text.split(":").reduce((seconds, part) => seconds * 60 + Number(part), 0))
  }
  if (text.length > maxDurationChars) return null
  const words = /^(?:(\d+)\s*h\w*\.?)?\s*(?:(\d+)\s*m\w*\.?)?\s*(?:(\d+)\s*s\w*\.?)?$/i.exec(text)
  if (!words || text === "") return null
  const [hours, minutes, seconds] = words.slice(1).map((part) => Number(part ?? 0))
  return hours! * 3600 + minutes! * 60 + seconds!
}

interface Playable {
  url: string
  type: string | null
  length: number | null
}

/** The audio or video file of an entry: an enclosure, else media:content. */
function playable(entry: FeedEntry): Playable | null {
  const enclosure = entry.enclosures.find(isPlayable)
  if (enclosure) return enclosure
  const { node } = entry
  const contents = node
    ? [node, ...node.all("media:group")].flatMap((group) => group.all("media:content"))
    : []
  for (const content of contents) {
    const url = absoluteUrl(content.attribute("url"), entry.url ?? "http://invalid/")
    const type = content.attribute("type")
    const medium = content.attribute("medium")
    if (url === null || !(medium ? /audio|video/.test(medium) : isPlayable({ url, type }))) continue
    const bytes = integerOrNull(content.attribute("filesize"))
    return { url, type, length: bytes !== null && bytes > 0 ? bytes : null }
  }
  return null
}

function isPlayable({ url, type }: { url: string; type: string | null }): boolean {
  return /^(?:audio|video)\//i.test(type ?? "") || typeOf(url) !== null
}

function typeOf(url: string): string | null {
  const extension = /\.(\w{2,4})$/.exec(URL.parse(url)?.pathname ?? "")?.[1]?.toLowerCase()
  return (extension && typesByExtension[extension]) ?? null
}

function fileName(url: string): string {
  const name = new URL(url).pathname.split("/").at(-1) || url
  try {
    return decodeURI(name)
  } catch {
    return name
  }
}

function mediaAttribute(node: FeedNode | null, name: string): string | null {
  return node?.first("media:content")?.attribute(name) ?? null
}

/** `itunes:image` with `href`, with a text that holds the URL, or with one without scheme. */
function ownImage(node: FeedNode, base: string | null): string | null {
  const image = node.first("itunes:image") ?? node.first("googleplay:image")
  const written =
    image?.attribute("href") ||
    image?.content ||
    node.first("media:thumbnail")?.attribute("url") ||
    node.first("image")?.text("url")
  if (!written) return null
  const whole = /https?:\/\/[^\s"'<>]+/i.exec(written)?.[0]
  const url = whole ?? (/^[\w-]+(?:\.[\w-]+)+\//.test(written) ? `https://${written}` : written)
  return absoluteUrl(url, base ?? "https://invalid/")
}

function showCategories(channel: FeedNode): string[] {
  const names = channel.all("itunes:category").flatMap((category) => {
    const parent = category.attribute("text") ?? category.content
    const children = category.all("itunes:category").map((child) => child.attribute("text"))
    const pairs = children.filter(Boolean).map((child) => `${parent} > ${child}`)
    return pairs.length > 0 ? pairs : [parent]
  })
  return distinct(names.flatMap((name) => feedTitle(name) ?? []))
}

function explicitness(node: FeedNode): boolean | null {
  const word = node.text("itunes:explicit", "googleplay:explicit")?.toLowerCase() ?? ""
  if (/^(?:yes|true|explicit)$/.test(word)) return true
  return /^(?:no|false|clean)$/.test(word) ? false : null
}

function longest(...texts: (string | null)[]): string | null {
  return texts.reduce(
    (best, text) => ((text ?? "").length > (best ?? "").length ? text : best),
    null,
  )
}

/**
 * `itunes:keywords` as one text, as many elements, or in attributes; and the categories, of which
 * some feeds write all into one element, without a space after the comma.
 */
function keywordsOf(node: FeedNode, entry: FeedEntry): string[] {
  const written = node
    .all("itunes:keywords")
    .flatMap((keywords) => [
      keywords.content,
      ...keywords.element.plainAttributes().map(([, value]) => value),
    ])
  const words = written.flatMap((text) => text.split(",")).map((word) => feedTitle(word))
  const categories = entry.categories.flatMap((category) => category.split(/,(?!\s)/))
  return distinct([...words.filter((word) => word !== null), ...categories.filter(Boolean)])
}

/** Returns the fields of the `podcast:` namespace. */
function podcastingExtras(node: FeedNode | null, base: string | null) {
  const all = (name: string) => node?.all(`podcast:${name}`) ?? []
  const link = (written: string | null) => absoluteUrl(written, base ?? "http://invalid/")
  return {
    chaptersUrl: link(all("chapters")[0]?.attribute("url") ?? null),
    transcripts: all("transcript").flatMap((transcript) => {
      const url = link(transcript.attribute("url"))
      return url
        ? [{ url, type: transcript.attribute("type"), language: transcript.attribute("language") }]
        : []
    }),
    persons: all("person").flatMap((person) => {
      const name = joinedNames([feedTitle(person.content)])
      const href = link(person.attribute("href"))
      return name ? [{ name, role: person.attribute("role"), href }] : []
    }),
    soundbites: all("soundbite").flatMap((soundbite) => {
      const startSeconds = numberOrNull(soundbite.attribute("starttime"))
      if (startSeconds === null) return []
      const durationSeconds = numberOrNull(soundbite.attribute("duration"))
      return [{ startSeconds, durationSeconds, title: feedTitle(soundbite.content) }]
    }),
  }
}
