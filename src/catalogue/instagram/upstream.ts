import { upstreamTable } from "../kit/index.ts"

/** Constants of the site's web build. */
export const instagramTable = upstreamTable("instagram", "2026-08", { appId: "936619743392459" })
