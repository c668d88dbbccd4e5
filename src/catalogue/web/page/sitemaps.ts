import { readSitemap, type Sitemap } from "../../../extract/sitemap/index.ts"
import type { UpstreamResponse } from "../../kit/index.ts"

/** The protocol allows 50 MB. */
const maxBytes = 50 * 1024 * 1024

/** Options of a request of a sitemap that a site may not have. */
export const sitemapOptions = { maxBytes, retries: 0, robots: true }

/** Returns the sitemap in a response; null if it is not one. */
export function sitemapIn(response: UpstreamResponse): Sitemap | null {
  const contentType = response.headers.get("content-type") ?? ""
  return readSitemap(response.bytes, response.url, { contentType, maxBytes })
}
