import { upstreamTable } from "../kit/index.ts"

/** Search API that the site's own scripts call. */
export const craigslistTable = upstreamTable("craigslist", "2026-08", {
  searchUrl: "https://sapi.craigslist.org/web/v8/postings/search/full",
  /** Tags of the arrays inside a posting's array. */
  tags: { images: 4, housing: 5, slug: 6, id: 13 },
})
