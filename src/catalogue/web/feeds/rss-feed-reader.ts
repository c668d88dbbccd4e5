import { Type } from "@sinclair/typebox"
import { fragmentMarkdown } from "../../../extract/markdown/index.ts"
import {
  allEntries,
  defineScraper,
  inputObject,
  inputs,
  integerField,
  itemObject,
  objectsField,
  openFeed,
  publicFeedUrl,
  textField,
  textsField,
} from "../../kit/index.ts"

const item = itemObject({
  feedUrl: Type.String({ description: "URL of the feed in the input." }),
  resolvedFrom: textField(
    "URL of the page that links to the feed; null if the input's URL is the feed.",
  ),
  feedTitle: textField("Title of the feed."),
  feedLink: textField("URL of the feed's site."),
  feedDescription: textField("Description of the feed."),
  feedLanguage: textField("Language code, for example en-us."),
  feedType: Type.String({ description: "Format: rss, rdf, atom or json." }),
  title: textField("Title as plain text."),
  url: textField("URL of the entry's page."),
  guid: textField("Permanent ID of the entry in its feed."),
  author: textField("Author; several authors are joined by commas."),
  publishedAt: textField("Time of publication (ISO 8601, UTC)."),
  updatedAt: textField("Time of the last change (ISO 8601, UTC)."),
  summary: textField("Summary as plain text, at most 2,000 characters."),
  content: textField("Content as HTML, as far as the feed contains it."),
  contentMarkdown: textField("Content as Markdown."),
  categories: textsField("Categories, tags and keywords."),
  imageUrl: textField("URL of an image of the entry."),
  enclosures: objectsField("Attached files, for example audio.", {
    url: Type.String({ description: "URL of the file." }),
    type: textField("Media type of the file."),
    length: integerField("Size in bytes."),
  }),
  commentsUrl: textField("URL of the comments' page."),
  commentsCount: integerField("Number of comments."),
  position: Type.Integer({ description: "Position in the feed, from 1." }),
})

export default defineScraper({
  slug: "rss-feed-reader",
  name: "RSS & Atom Feeds",
  tagline: "Read RSS, Atom, RDF and JSON feeds into one clean format.",
  serves: [
    "read an RSS feed",
    "newest posts of a blog",
    "parse Atom or JSON feeds",
    "follow several feeds",
    "latest entries of a feed",
    "new posts from blogs that I follow",
    "feed as JSON",
    "read feed.xml",
    "what has a blog published",
    "entries of a feed",
    "parse a feed URL",
    "items of an RSS or Atom feed",
    "news from feed URLs",
  ],
  notServed: ["find a site's feeds"],
  category: "news",
  tier: "free",
  fetchMethods: ["http"],
  input: inputObject({
    feedUrls: inputs.texts("Feed URLs (also feed:), or URLs of pages that link to a feed.", {
      max: 1000,
    }),
    maxItemsPerFeed: inputs.count("Maximum entries per feed, in feed order", {
      max: 10_000,
      or: 50,
    }),
  }),
  item,
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
    const max = ctx.input.maxItemsPerFeed
    let position = 0
    for await (const { node: _, ...entry } of allEntries(feed, ctx)) {
      position++
      yield {
        feedUrl: publicFeedUrl(target),
        resolvedFrom,
        feedTitle: feed.title,
        feedLink: feed.link,
        feedDescription: feed.description,
        feedLanguage: feed.language,
        feedType: feed.type,
        ...entry,
        contentMarkdown: fragmentMarkdown(entry.content, entry.url ?? undefined),
        position,
      }
      if (position >= max) return
    }
    if (position === 0) ctx.log(`${publicFeedUrl(target)} has no entries.`, "warning")
  },
})
