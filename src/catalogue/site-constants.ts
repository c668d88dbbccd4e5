import { airbnbTable } from "./airbnb/search-call.ts"
import { aliexpressTable } from "./aliexpress/aliexpress.ts"
import { storeTable } from "./chrome-web-store/layout.ts"
import { craigslistTable } from "./craigslist/craigslist.ts"
import { googleTable } from "./google/google.ts"
import { mapsTable } from "./google/maps-place.ts"
import { playTable } from "./google/play.ts"
import { searchTable } from "./google/results.ts"
import { instagramTable } from "./instagram/instagram.ts"
import type { UpstreamTable } from "./kit/index.ts"
import { pinterestTable } from "./pinterest/pinterest.ts"
import { realtorTable } from "./realtor/upstream.ts"
import { targetTable } from "./target-stores/upstream.ts"
import { tiktokTable } from "./tiktok/upstream.ts"
import { twitchTable } from "./twitch/upstream.ts"
import { xTable } from "./x/upstream.ts"
import { yelpTable } from "./yelp/upstream.ts"
import { youtubeTable } from "./youtube/upstream.ts"

/** All tables of site constants, by site, with the slugs of the scrapers that use them. */
const tables: readonly [table: UpstreamTable, ...slugs: string[]][] = [
  [airbnbTable, "airbnb-listings-scraper"],
  [aliexpressTable, "aliexpress-product-scraper"],
  [storeTable, "chrome-web-store-scraper"],
  [craigslistTable, "craigslist-search-scraper"],
  [
    googleTable,
    "google-maps-scraper",
    "google-news-scraper",
    "google-play-app-scraper",
    "google-play-reviews-scraper",
    "google-search-scraper",
    "google-trends-scraper",
  ],
  [mapsTable, "google-maps-scraper"],
  [playTable, "google-play-app-scraper", "google-play-reviews-scraper"],
  [searchTable, "google-search-scraper"],
  [
    instagramTable,
    "instagram-hashtag-scraper",
    "instagram-posts-scraper",
    "instagram-profile-scraper",
  ],
  [pinterestTable, "pinterest-search-scraper"],
  [realtorTable, "realtor-property-scraper"],
  [targetTable, "target-product-scraper"],
  [tiktokTable, "tiktok-profile-scraper"],
  [twitchTable, "twitch-channel-scraper"],
  [xTable, "twitter-profile-scraper", "twitter-search-scraper"],
  [yelpTable, "yelp-business-scraper"],
  [youtubeTable, "youtube-playlist-scraper", "youtube-search-scraper", "youtube-video-metadata"],
]

export const upstreamTables = tables.map(([table]) => table)

/** Slugs of the scrapers that use the table of a site. */
export const tableReaders: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  tables.map(([{ site }, ...slugs]) => [site, slugs]),
)
