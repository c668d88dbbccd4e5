import type { Feed } from "./feed.ts"
import { readJsonFeed } from "./json.ts"
import { readXmlFeed } from "./xml.ts"

/**
 * Reads RSS 0.9x, 1.0 and 2.0, Atom 0.3 and 1.0, and JSON Feed; the format is detected by content.
 * Malformed XML is read as far as possible. Returns null if the text is not a feed.
 *
 * @example
 * ```ts
 * const text = "<rss><channel><title>News</title><item><title>Tides</title></item></channel></rss>"
 * [...readFeed(text, "https://a.example/feed").entries()][0].title // "Tides"
 * ```
 */
export function readFeed(text: string, feedUrl: string): Feed | null {
  const start = text.replace(/^[\s\ufeff]+/, "")
  return start.startsWith("{") ? readJsonFeed(start, feedUrl) : readXmlFeed(start, feedUrl)
}
