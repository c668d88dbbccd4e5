import { upstreamTable } from "../kit/index.ts"

/** The page's script in whose name its calls are made. */
export const pinterestTable = upstreamTable("pinterest", "2026-08", {
  searchHandler: "www/search/[scope].js",
})
