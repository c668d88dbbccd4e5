import { amazonWall } from "./amazon/wall.ts"
import { googleSigns } from "./google/wall.ts"
import { indeedWall } from "./indeed/wall.ts"
import type { Wall } from "./kit/index.ts"
import { linkedinWall } from "./linkedin/wall.ts"
import { redditWall } from "./reddit/wall.ts"
import { tiktokWall } from "./tiktok/wall.ts"

/** The block pages of single sites, by which the pages of every scraper are judged. */
export const siteWalls: readonly Wall[] = [
  amazonWall,
  googleSigns,
  indeedWall,
  linkedinWall,
  redditWall,
  tiktokWall,
]
