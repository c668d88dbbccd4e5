/** RSS, Atom and JSON feeds, podcasts among them. */
export type { Feed, FeedEntry } from "./feed.ts"
export { readFeed } from "./feeds.ts"
export {
  announcedFeeds,
  type FeedLink,
  linkedFeeds,
  serviceFeeds,
  usualFeedPaths,
} from "./links.ts"
export { FeedNode } from "./node.ts"
export { type Episode, parseDuration, readEpisode, readShow } from "./podcasts.ts"
export { clip, feedPlainText } from "./text.ts"
