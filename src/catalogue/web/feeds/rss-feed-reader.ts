import { fragmentMarkdown } from "../../../extract/markdown/index.ts"
import { defineScraper, field, inputs, items, record, required } from "../../kit/index.ts"
import { allEntries, openFeed, publicFeedUrl } from "./feed-pages.ts"

const entry = record({
  feedUrl: items.requiredText("URL of the feed in the input."),
  resolvedFrom: items.text(
    "URL of the page that links to the feed; null if the input's URL is the feed.",
  ),
  feedTitle: field.text("feed.title", "Title of the feed."),
  feedLink: field.text("feed.link", "URL of the feed's site."),
  feedDescription: field.text("feed.description", "Description of the feed."),
  feedLanguage: field.text("feed.language", "Language code, for example en-us."),
  feedType: required(field.text("feed.type", "Format: rss, rdf, atom or json.")),
  title: items.text("Title as plain text."),
  url: items.text("URL of the entry's page."),
  guid: items.text("Permanent ID of the entry in its feed."),
  author: items.text("Author; several authors are joined by commas."),
  publishedAt: items.text("Time of publication (ISO 8601, UTC)."),
  updatedAt: items.text("Time of the last change (ISO 8601, UTC)."),
  summary: items.text("Summary as plain text, at most 2,000 characters."),
  content: items.text("Content as HTML, as far as the feed contains it."),
  contentMarkdown: items.text("Content as Markdown."),
  categories: items.texts("Categories, tags and keywords."),
  imageUrl: items.text("URL of an image of the entry."),
  enclosures: items.objects("Attached files, for example audio.", {
    url: items.requiredText("URL of the file."),
    type: items.text("Media type of the file."),
    length: items.integer("Size in bytes."),
  }),
  commentsUrl: items.text("URL of the comments' page."),
  commentsCount: items.integer("Number of comments."),
  position: items.requiredInteger("Position in the feed, from 1."),
})

export default defineScraper({
  slug: "rss-feed-reader",
  name: "RSS & Atom Feeds",
  tagline: "Read RSS, Atom, RDF and JSON feeds into one clean format.",
  notServed: ["find a site's feeds"],
  category: "news",
  fetchMethods: ["http"],
  input: {
    feedUrls: inputs.texts("Feed URLs (also feed:), or URLs of pages that link to a feed.", {
      max: 1000,
    }),
    maxItemsPerFeed: inputs.count("Maximum entries per feed, in feed order", {
      max: 10_000,
      or: 50,
    }),
  },
  item: entry,
  example: { feedUrls: ["https://www.theguardian.com/international/rss"], maxItemsPerFeed: 10 },
  probe: {
    input: { feedUrls: ["https://www.theguardian.com/international/rss"], maxItemsPerFeed: 5 },
    expect: [
      "items.length equals 5",
      "items[*].title share 1",
      'items[*].url matches "^https://www.theguardian.com/"',
      "items[*].publishedAt fresh 3",
      'items[0].feedTitle matches "guardian"',
    ],
  },
  targets: (input) => input.feedUrls,
  identify: (target) => ({ input: publicFeedUrl(target), feedUrl: publicFeedUrl(target) }),

  async *scrape(target, ctx) {
    const { feed, resolvedFrom } = await openFeed(target, ctx)
    const feedUrl = publicFeedUrl(target)
    let position = 0
    for await (const row of allEntries(feed, ctx)) {
      position++
      const contentMarkdown = fragmentMarkdown(row.content, row.url ?? undefined)
      yield entry.read({ ...row, feedUrl, resolvedFrom, contentMarkdown, position, feed })
      if (position >= ctx.input.maxItemsPerFeed) return
    }
    if (position === 0) ctx.log(`${feedUrl} has no entries.`, "warning")
  },
})
