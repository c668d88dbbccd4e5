import { type Episode, readEpisode, readShow } from "../../../extract/feed/index.ts"
import { fragmentMarkdown } from "../../../extract/markdown/index.ts"
import {
  busyIsRateLimit,
  Changed,
  type Context,
  defineScraper,
  field,
  inputs,
  items,
  NotFound,
  RateLimited,
  record,
} from "../../kit/index.ts"
import { allEntries, openFeed, publicFeedUrl } from "./feed-pages.ts"

const episode = record({
  feedUrl: items.requiredText("URL of the feed in the input, without credentials."),
  podcastTitle: field.text("show.title", "Title of the show."),
  podcastAuthor: field.text("show.author", "Author of the show."),
  podcastImageUrl: field.text("show.image", "URL of the show's image."),
  podcastLink: field.text("show.link", "URL of the show's page."),
  podcastCategories: field.texts("show.categories", "Categories, for example Arts > Design."),
  podcastGuid: field.text("show.guid", "Permanent ID of the show (podcast:guid)."),
  language: field.text("show.language", "Language of the show."),
  title: items.requiredText("Title of the episode."),
  url: items.text("URL of the episode's page."),
  guid: items.requiredText("Permanent ID of the episode."),
  publishedAt: items.text("Time of publication (ISO 8601, UTC)."),
  description: items.text("Show notes as plain text."),
  descriptionHtml: items.text("Show notes as HTML."),
  descriptionMarkdown: items.text("Show notes as Markdown."),
  subtitle: items.text("Subtitle of the episode."),
  audioUrl: items.requiredText("URL of the audio or video file."),
  audioType: items.text("Media type of the file."),
  audioBytes: items.integer("Size of the file in bytes."),
  durationSeconds: items.integer("Duration in seconds."),
  season: items.integer("Number of the season."),
  episode: items.integer("Number of the episode."),
  episodeType: items.requiredText("Kind of episode: full, trailer or bonus."),
  explicit: items.boolean("Whether the episode is marked as explicit."),
  imageUrl: items.text("URL of the image of the episode, else of the show."),
  author: items.text("Author of the episode."),
  keywords: items.texts("Keywords and categories."),
  chaptersUrl: items.text("URL of a file with chapter marks."),
  transcripts: items.objects("Files with transcripts of the episode.", {
    url: items.requiredText("URL of the file."),
    type: items.text("Media type of the file, for example text/vtt."),
    language: items.text("Language of the transcript."),
  }),
  persons: items.objects("Hosts and guests.", {
    name: items.requiredText("Name of the person."),
    role: items.text("Role in the episode, for example host or guest."),
    href: items.text("URL of the person's page."),
  }),
  soundbites: items.objects("Excerpts that the show recommends.", {
    startSeconds: items.requiredNumber("Start in the episode, in seconds."),
    durationSeconds: items.number("Duration, in seconds."),
    title: items.text("Title of the excerpt."),
  }),
})

export default defineScraper({
  slug: "podcast-episodes-scraper",
  name: "Podcast Episodes",
  tagline: "Podcast episodes with audio file, length and show notes from any feed.",
  notServed: ["transcripts", "search podcasts"],
  category: "media",
  fetchMethods: ["http"],
  input: {
    feedUrls: inputs.texts("Podcast feed URLs, or show URLs of podcasts.apple.com.", { max: 500 }),
    maxEpisodesPerFeed: inputs.count("Maximum episodes per show, newest first", {
      max: 10_000,
      or: 50,
    }),
  },
  item: episode,
  example: { feedUrls: ["https://feeds.npr.org/510289/podcast.xml"], maxEpisodesPerFeed: 5 },
  probe: {
    input: { feedUrls: ["https://feeds.npr.org/510289/podcast.xml"], maxEpisodesPerFeed: 3 },
    expect: [
      "items.length equals 3",
      'items[0].podcastTitle matches "planet money"',
      'items[*].audioUrl matches "^https?://"',
      "items[*].publishedAt fresh 21",
      "?items[*].durationSeconds share 0.9",
    ],
  },
  rateLimit: { "itunes.apple.com": { perSecond: 0.3, concurrency: 1 } },
  targets: (input) => input.feedUrls,
  identify: (target) => ({ input: publicFeedUrl(target), feedUrl: publicFeedUrl(target) }),

  async *scrape(target, ctx) {
    const { feed, url, statusCode } = await openFeed(await feedUrlOf(target, ctx), ctx)
    const show = readShow(feed)
    const episodes: Episode[] = []
    let others = 0
    for await (const entry of allEntries(feed, ctx)) {
      const known = readEpisode(entry, show)
      if (known) episodes.push(known)
      else others++
    }
    if (others > 0) ctx.log(`${others} entries have no audio or video and are skipped.`)
    if (episodes.length === 0) {
      if (feed.entryCount === 0) {
        ctx.log(`${publicFeedUrl(target)} has no entries.`, "warning")
        return
      }
      throw new Changed(`No entry of ${url} has audio or video; it is not a podcast.`, {
        code: "not_a_podcast",
        url,
        statusCode,
      })
    }
    // Episodes without a date come last. ISO 8601 times in UTC compare as text.
    const newestFirst = episodes.toSorted((a, b) =>
      (b.publishedAt ?? "").localeCompare(a.publishedAt ?? ""),
    )
    const feedUrl = publicFeedUrl(target)
    for (const entry of newestFirst.slice(0, ctx.input.maxEpisodesPerFeed)) {
      const descriptionMarkdown = fragmentMarkdown(entry.descriptionHtml, entry.url ?? url)
      yield episode.read({ ...entry, feedUrl, descriptionMarkdown, show })
    }
  },
})

/** Returns the URL of the feed for a show's page on podcasts.apple.com; other URLs as they are. */
async function feedUrlOf(target: string, ctx: Context): Promise<string> {
  const page = /^(?:https?:\/\/)?(?:podcasts|itunes)\.apple\.com\/.*\/id(\d+)/i
  const id = page.exec(target.trim())?.[1]
  if (!id) return target
  const url = `https://itunes.apple.com/lookup?id=${id}&entity=podcast`
  const response = await busyIsRateLimit(ctx.get(url, { accept: [403] }))
  if (response.status === 403) {
    throw new RateLimited("Apple limits the rate of calls (status 403).", null, { url, response })
  }
  const body = response.json<{ results?: { feedUrl?: string }[] }>()
  const { results } = body ?? {}
  if (!Array.isArray(results)) throw new Changed("The response of Apple's lookup has no results.")
  const feedUrl = results.find((result) => result.feedUrl)?.feedUrl
  if (!feedUrl) throw new NotFound(`Apple's lookup has no feed of the show ${id}.`)
  return feedUrl
}
