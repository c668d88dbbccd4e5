import type { Feed } from "./feed.ts"
import { readJsonFeed } from "./json.ts"
import { readXmlFeed } from "./xml.ts"

/**
 * Reads RSS 0.9x, 1.0 and 2.0, Atom 0.3 and 1.0, and JSON Feed, told apart by what they hold. XML
 * that is not well-formed is read as far as it can be. Null when the text is no feed.
 */
export function readFeed(text: string, feedUrl: string): Feed | null {
  const start = text.replace(/^[\s\ufeff]+/, "")
  return start.startsWith("{") ? readJsonFeed(start, feedUrl) : readXmlFeed(start, feedUrl)
}
