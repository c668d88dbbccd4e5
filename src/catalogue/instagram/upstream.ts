import { upstreamTable } from "../kit/index.ts"

/** What the site's web build says of itself. */
export const instagramTable = upstreamTable("instagram", "2026-08", { appId: "936619743392459" })
