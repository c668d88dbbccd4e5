import { upstreamTable } from "../kit/index.ts"

/** Name of the page's script, which its calls contain. */
export const pinterestTable = upstreamTable("pinterest", "2026-08", {
  searchHandler: "www/search/[scope].js",
})
